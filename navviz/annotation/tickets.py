"""Tickets: how an annotator stays signed in over a reload, without a password in the browser.

A ticket names the annotator and the day it ends, signed (HMAC-SHA256, RFC 2104) with a secret key
of the workspace. The signature covers what the ticket is for and what the annotator's token hashes
to: a ticket of the desk opens no door, and a new token makes old tickets worthless.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import logging
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import StoreError
from navviz.support.guarded import decode_reply, is_there, keep_first

KEY_FILE = "annotate.key"

LASTS_S = 30 * 24 * 3600
"""A ticket is good for thirty days."""

_KEY_BYTES = 32

_LOG = logging.getLogger(__name__)

_own: dict[Path, bytes] = {}
"""Keys of workspaces that cannot be written; each is good as long as this process lives."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a ticket says; only `is_genuine` says whether it is true."""

    name: str
    until_s: int
    """Seconds since 1970."""
    signature: str

    def is_genuine(self, key: bytes, purpose: str, token_hash: str) -> bool:
        """Whether it was written with this key for this purpose and token, and has not ended."""
        right = hmac.compare_digest(
            self.signature, _signature(key, purpose, self.name, self.until_s, token_hash)
        )
        return right and time.time() < self.until_s


def write_ticket(key: bytes, purpose: str, name: str, token_hash: str = "") -> str:
    """Return a ticket as a text of letters, digits, dashes and dots, fit for a cookie."""
    until_s = int(time.time()) + LASTS_S
    payload = json.dumps([name, until_s], ensure_ascii=False).encode()
    # a cookie takes no "=", and the length says how many were cut off
    head = base64.urlsafe_b64encode(payload).decode().rstrip("=")
    return f"{head}.{_signature(key, purpose, name, until_s, token_hash)}"


def read_ticket(text: str) -> Ticket | None:
    """Return what a ticket says; ``None`` for a text that is none."""
    head, _, signature = text.partition(".")
    try:
        payload = decode_reply(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).decode())
    except (ValueError, binascii.Error):
        return None
    match payload:
        case [str(name), int(until_s)]:
            return Ticket(name, until_s, signature)
    return None


def _signature(key: bytes, purpose: str, name: str, until_s: int, token_hash: str) -> str:
    payload = json.dumps([purpose, name, until_s, token_hash]).encode()
    return hmac.new(key, payload, hashlib.sha256).hexdigest()


def secret_key(workspace: Path) -> bytes:
    """Return the workspace's secret key, drawn when it is first needed; only its owner can read the
    file.

    Where no file can be made, as on a read-only disk, the key is this process's own: what was
    signed with it is worth nothing after a restart. Raises `StoreError` where the file is there and
    cannot be read, or is cut short.
    """
    # kept to the end, also where there is room by now: another key would sign everybody out
    if workspace in _own:
        return _own[workspace]
    path = workspace / KEY_FILE
    try:
        workspace.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # another process may be quicker: two keys would sign each other's annotators out
            keep_first(path, secrets.token_bytes(_KEY_BYTES), 0o600)
        key = path.read_bytes()
    except OSError as error:
        if is_there(path):
            raise StoreError(
                f"{path} cannot be read ({error.strerror}); let the server's user read it."
            ) from error
        _LOG.warning(
            "%s cannot be made (%s): after a restart everybody signs in again.",
            path,
            error.strerror,
        )
        return _own.setdefault(workspace, secrets.token_bytes(_KEY_BYTES))
    if len(key) < _KEY_BYTES:
        raise StoreError(f"{path} is cut short; delete it; then everybody signs in again.")
    return key
