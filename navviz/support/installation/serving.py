"""What a server lets its visitors do: ``navviz app`` tells the pages in one variable of the
environment.

Without that variable NavViz belongs to whoever sits at the machine, and everything is allowed.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import secrets
from functools import lru_cache
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.errors import SettingsError

SERVER_VARIABLE: Final = "NAVVIZ_SERVER"
"""Holds a `Serving` as JSON while NavViz serves visitors."""

Door = Literal["password", "tokens", "oidc", "open"]
Right = Literal["paths", "download", "models", "batches", "keep"]
RIGHTS: Final[dict[Right, str]] = {
    "paths": "open files and folders of the server by their path",
    "download": "download places from OpenStreetMap",
    "models": "ask language models live, with the server's keys, within the budget",
    "batches": "walk many episodes in processes of the server",
    "keep": "see and keep runs in the server's workspace",
}
"""What visitors may do once the operator allows it."""

_SALT_BYTES = 16
_SCRYPT: Final = {"n": 2**14, "r": 8, "p": 1}
"""RFC 7914's parameters for a sign-in: some 50 ms and 16 MB a try, so guessing is slow and the
server is not.
"""


class Serving(BaseModel):
    """Rules of a server."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    door: Door
    """Who comes in: who knows the password, has a token of the study, signs in with OpenID Connect,
    or everybody.
    """
    password: str = ""
    """Salt and hash of the password (`salted`); never the password."""
    operator_password: str = ""
    """Salt and hash of the operator's own password at the door ``password``; empty where there is
    none.
    """
    operators: frozenset[str] = frozenset()
    """Who is the operator at the doors ``tokens`` (pseudonyms) and ``oidc`` (``sub``, or a verified
    address).
    """
    allow: frozenset[Right] = frozenset()
    upload_mb: float = Field(50.0, ge=0, le=100_000)
    """Megabytes that one visitor may upload in one visit."""
    uploads_mb: float = Field(2000.0, ge=0)
    """Megabytes that all uploads together may take."""
    tokens: int = Field(200_000, ge=0, le=10**15)
    """Tokens that models may use for one visitor, over restarts, until the operator renews the
    share.
    """
    workers: int = Field(8, ge=1, le=1_000)
    """Episodes that the batches of one visitor walk at the same time."""
    embedders: frozenset[str] = frozenset()
    """Origins whose pages may show NavViz in a frame."""
    request_s: float = Field(120.0, gt=0, le=31_536_000)
    """Seconds that one page may compute for one visitor."""


def serving() -> Serving | None:
    """Return the rules of this server; ``None`` where NavViz belongs to whoever sits at the
    machine.

    Raises `SettingsError` where the variable holds no rules; nobody is let in then.
    """
    text = os.environ.get(SERVER_VARIABLE)
    return _parsed(text) if text else None


@lru_cache(maxsize=4)
def _parsed(text: str) -> Serving:
    try:
        return Serving.model_validate_json(text)
    except ValidationError as error:
        raise SettingsError(
            f"{SERVER_VARIABLE} holds no rules of a server; start it by navviz app --address, which"
            " writes them."
        ) from error


def is_allowed(right: Right) -> bool:
    """Tell whether whoever looks at the page has a right; at the machine itself they have all."""
    try:
        rules = serving()
    except SettingsError:
        return False  # the door says why
    return rules is None or right in rules.allow


def refusal(right: Right) -> SettingsError:
    """Say that visitors of this server may not do something, and who can change that."""
    return SettingsError(
        f"Visitors of this server may not {RIGHTS[right]}; its operator can allow it (--allow"
        f" {right})."
    )


def require(right: Right) -> None:
    """Raise `SettingsError` where whoever looks at the page lacks a right."""
    if not is_allowed(right):
        raise refusal(right)


def salted(password: str) -> str:
    """Return salt and scrypt hash of a password, hexadecimal with a colon between."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"{salt.hex()}:{_hash(password, salt)}"


def is_password(typed: str, kept: str) -> bool:
    """Compare what was typed with `salted`, in a time that tells nothing of it."""
    salt, _, digest = kept.partition(":")
    try:
        return hmac.compare_digest(_hash(typed, bytes.fromhex(salt)), digest)
    except ValueError:
        return False


def _hash(password: str, salt: bytes) -> str:
    return hashlib.scrypt(password.encode(errors="surrogatepass"), salt=salt, **_SCRYPT).hex()


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches a host: ``localhost``, ``127.0.0.1``, ``::1``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
