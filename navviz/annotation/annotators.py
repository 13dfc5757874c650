"""Who may rate: pseudonyms, roles and tokens."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from navviz.annotation import database as schema
from navviz.annotation.database import Database
from navviz.annotation.records import Annotator
from navviz.errors import InputError, StoreError
from navviz.support.guarded import decode_reply, is_there, keep_first


class WrongTries:
    """Wrong tries by name: after a few, each doubles the time until the next one is looked at.

    Nobody waits inside a request: a try that comes too early is refused at once, right or wrong, so
    that guessing costs the server nothing. One name's wrong tries never lock out another.
    """

    _MOST_NAMES = 10_000
    """Names remembered; the oldest are forgotten, so that made-up names do not fill the memory."""

    def __init__(
        self,
        free: int = 3,
        first_s: float = 1.0,
        longest_s: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free, self._first_s, self._longest_s, self._clock = free, first_s, longest_s, clock
        self._tries: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def check(self, name: str) -> None:
        """Refuse a try that comes too early; raises `StoreError` with the seconds left."""
        with self._lock:
            until = self._tries.get(name, (0, 0.0))[1]
        left_s = until - self._clock()
        if left_s > 0:
            raise StoreError(
                f"Too many wrong tries; wait {max(1, round(left_s))} s, then try again."
            )

    def wrong(self, name: str) -> None:
        """Count a wrong try."""
        with self._lock:
            # taken out and put in again, so that the name counts as the newest
            count = self._tries.pop(name, (0, 0.0))[0] + 1
            # without a limit, 2 to the power of some thousand tries would be no float any more
            over = min(count - self._free, 32)
            pause_s = 0.0 if over <= 0 else min(self._first_s * 2.0 ** (over - 1), self._longest_s)
            self._tries[name] = (count, self._clock() + pause_s)
            while len(self._tries) > self._MOST_NAMES:
                self._tries.pop(next(iter(self._tries)))

    def right(self, name: str) -> None:
        """Forget the wrong tries of who came in."""
        with self._lock:
            self._tries.pop(name, None)


_NAME = re.compile(r"[^\W_][\w .\-]{0,39}")

_REFUSED = "The name or its token is not right; ask the researcher who set up the study."

_NOBODY = {"token_salt": "00" * 16, "token_hash": "00" * 64}

"""Compared with where a name is unknown: an unknown name takes as long as a known one, so time
tells no names.
"""

_WRONG = WrongTries()

"""One for the process: windows and databases share the pauses of a name."""


# with the blank, "modeller" is a person
_MODEL = "model "

"""Begins the pseudonym of a language model that judges."""


def model_name(model: str) -> str:
    """Name a model (``KIND:NAME``) among annotators, of the signs that a pseudonym may have."""
    return _MODEL + re.sub(r"[^A-Za-z0-9.-]+", "-", model)[:30].strip("-.")


def is_model(name: str) -> bool:
    """Whether an annotator is a language model, which counts in no agreement among people."""
    return name.startswith(_MODEL)


def now() -> str:
    """Return the time as it is stored: ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat()


class Annotators:
    """The table of annotators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Annotator]:
        """Everybody, in the order they came."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(schema.annotators).order_by(schema.annotators.c.created)
            ).mappings()
            return [_annotator(row) for row in rows]

    def add(
        self,
        name: str,
        role: Literal["annotator", "researcher"] = "annotator",
        token: str | None = None,
    ) -> None:
        """Add an annotator; raises `StoreError` where the name is taken."""
        values = {"name": checked_name(name), "role": role, "created": now(), **_hashed(token)}
        try:
            with self._database.write() as connection:
                connection.execute(insert(schema.annotators).values(values))
        except IntegrityError as error:
            raise StoreError(
                f"There already is an annotator called {name}; choose another pseudonym."
            ) from error

    def set_token(self, name: str) -> str:
        """Give an annotator a new token and return it; only its salted hash is kept."""
        token = secrets.token_urlsafe(12)
        with self._database.write() as connection:
            change = (
                update(schema.annotators)
                .where(schema.annotators.c.name == name)
                .values(_hashed(token))
            )
            if connection.execute(change).rowcount == 0:
                raise StoreError(f"There is no annotator called {name}.")
        return token

    @property
    def study_id(self) -> str:
        """Name of the database, drawn when it was made."""
        with self._database.read() as connection:
            return str(
                connection.execute(
                    select(schema.meta.c.value).where(schema.meta.c.key == "study")
                ).scalar_one()
            )

    @property
    def tokens_required(self) -> bool:
        """Whether nobody gets in without a token."""
        with self._database.read() as connection:
            value = connection.execute(
                select(schema.meta.c.value).where(schema.meta.c.key == "tokens")
            ).scalar()
        return value == "required"

    def require_tokens(self, *, required: bool) -> None:
        """Let nobody in without a token, or open the study again; needs a researcher who has a
        token.
        """
        if required and not any(
            annotator.role == "researcher" and annotator.has_token for annotator in self.all()
        ):
            raise StoreError(
                "Give one researcher a token first; without it nobody could open the study again."
            )
        with self._database.write() as connection:
            connection.execute(delete(schema.meta).where(schema.meta.c.key == "tokens"))
            if required:
                connection.execute(insert(schema.meta).values(key="tokens", value="required"))

    def admit(self, name: str, token: str | None = None) -> Annotator:
        """Let an annotator in, new ones too where no token is required.

        Raises `StoreError` for a wrong token, and for any token after several wrong ones
        (`WrongTries`).
        """
        required = self.tokens_required
        row = self._row(checked_name(name))
        if row is None and not required:
            self._add_once(name)
            row = self._row(name)
        # who has a token needs it in an open study too
        if row is not None and not required and not row["token_hash"]:
            return _annotator(row)
        return self._checked(name, token, row)

    def admit_known(self, name: str) -> Annotator:
        """Let in whom the server's door has let in under this name; new ones are taken on."""
        self._add_once(checked_name(name))
        row = self._row(name)
        if row is None:
            raise StoreError(_REFUSED)
        return _annotator(row)

    def check(self, name: str, token: str) -> Annotator:
        """Return who has a token; raises `StoreError` for a wrong name or token, and after several
        wrong ones.
        """
        return self._checked(name, token, self._row(checked_name(name)))

    def _checked(self, name: str, token: str | None, row: RowMapping | None) -> Annotator:
        key = f"{self._database.name} {name.casefold()}"
        _WRONG.check(key)
        if not _matches(token, row) or row is None:
            _WRONG.wrong(key)
            raise StoreError(_REFUSED)
        _WRONG.right(key)
        return _annotator(row)

    def admit_again(self, name: str, proof: Callable[[str], bool]) -> Annotator | None:
        """Let somebody in who was let in before; ``None`` where the study has changed its mind."""
        row = self._row(name)
        if (
            row is None
            or (self.tokens_required and not row["token_hash"])
            or not proof(row["token_hash"] or "")
        ):
            return None
        return _annotator(row)

    def token_hash(self, name: str) -> str:
        """Return what an annotator's token hashes to; empty without one."""
        row = self._row(name)
        return "" if row is None else str(row["token_hash"] or "")

    def _add_once(self, name: str) -> None:
        try:
            with self._database.write() as connection:
                connection.execute(
                    insert(schema.annotators).values(name=name, role="annotator", created=now())
                )
        except IntegrityError:
            return  # the same name came in through another window a moment ago

    def _row(self, name: str) -> RowMapping | None:
        with self._database.read() as connection:
            rows = connection.execute(
                select(schema.annotators).where(schema.annotators.c.name == name)
            )
            return rows.mappings().first()


def checked_name(name: str) -> str:
    """Return a pseudonym that can be stored and shown; raises `InputError` with what is allowed."""
    if not _NAME.fullmatch(name):
        raise InputError(
            "is no pseudonym",
            "use 1 to 40 letters, digits, blanks, dots, dashes; no e-mail address",
            field="annotator",
        )
    return name


def _annotator(row: RowMapping) -> Annotator:
    return Annotator(
        name=row["name"],
        role=row["role"],
        has_token=row["token_hash"] is not None,
        created=row["created"],
    )


def _hashed(token: str | None) -> dict[str, str | None]:
    if token is None:
        return {"token_salt": None, "token_hash": None}
    salt = secrets.token_hex(16)
    return {"token_salt": salt, "token_hash": _hash(token, salt)}


def _hash(token: str, salt: str) -> str:
    return hashlib.scrypt(token.encode(), salt=bytes.fromhex(salt), n=2**13, r=8, p=1).hex()


def _matches(token: str | None, row: RowMapping | None) -> bool:
    kept = row if row is not None and row["token_hash"] else _NOBODY
    # takes as long for a wrong first letter as for a wrong last one
    right = hmac.compare_digest(_hash(token or "", kept["token_salt"]), kept["token_hash"])
    # the hash of nobody never lets anybody in, even if a token should match it
    return right and kept is row and bool(token)


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
    signed with it is worth nothing after a restart.

    Raises
    ------
    StoreError
        The file is there and cannot be read, or is cut short.
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
