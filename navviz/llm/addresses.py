"""Which addresses a model may lie at, and which of them may be told a key of the environment.

A key in the environment is the operator's. It goes to its provider's own address, and to addresses
that the operator lists in ``NAVVIZ_MODEL_ADDRESSES`` (``https://proxy.lab.example/v1
http://127.0.0.1:8000/v1``), and to no other: else whoever types an address into the Live page could
have it sent to a server of their own.
"""

from __future__ import annotations

import os
import re
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from navviz.errors import SettingsError
from navviz.llm.keys import Provider, looks_like_key
from navviz.support.installation.serving import SERVER_VARIABLE

__all__ = [
    "ADDRESSES_VARIABLE",
    "SERVER_VARIABLE",
    "check_address",
    "check_written",
    "is_listed",
    "may_have_key",
]

ADDRESSES_VARIABLE: Final = "NAVVIZ_MODEL_ADDRESSES"
"""Addresses that the operator trusts, with blanks or commas between them."""

_OWN: Final[dict[Provider, str]] = {
    "openai": "https://api.openai.com",
    "gemini": "https://generativelanguage.googleapis.com",
}
_PORTS: Final = {"http": 80, "https": 443}
_ENCODED = re.compile(r"%(?:25|2f|5c|3b|3f|23|40|[01][0-9a-f]|20|7f|a0)", re.IGNORECASE)
_NAMES_A_KEY = re.compile(
    r"(?:^|[-_.])(?:api)?(?:key|token|secret|password)s?(?:[-_.=:]|$)", re.IGNORECASE
)
_KEY_IN_PATH: Final = (
    "The model's address holds what looks like a key (a long part of letters and digits in its"
    " path), which would stand in every trace; write the address without it and give the key by"
    f" OPENAI_API_KEY or the key field, or list the address in {ADDRESSES_VARIABLE}."
)


def check_address(url: str) -> str:
    """Check an address that a user wrote.

    Parameters
    ----------
    url
        ``http`` or ``https``, a host, perhaps a port and a path.

    Returns
    -------
    The address without a slash at its end.

    Raises
    ------
    SettingsError
        When it is none that may be written down (`check_written`), or when this server trusts it
        not.
    """
    check_written(url)
    if os.environ.get(SERVER_VARIABLE) and not is_listed(url):
        raise SettingsError(
            "This server does not ask models at that address; its operator can allow it by "
            + ADDRESSES_VARIABLE
            + "."
        )
    return url.rstrip("/")


def check_written(url: str) -> SplitResult:
    """Check that an address may stand in a trace, whoever trusts it; return its parts.

    Raises
    ------
    SettingsError
        When it has no host or a port that is no number, when programs on the way could read it
        differently, or when it holds a user name, a password, a query, a fragment, or a part that
        looks like a key. The sentence repeats nothing of it.
    """
    # programs on the way read these differently: a blank, a control character, "..;"
    is_plain = url.isprintable() and not set(" \\;") & set(url)
    if not is_plain or _ENCODED.search(url):
        raise SettingsError(
            "The model's address holds a blank, a control character, a backslash, a semicolon or an"
            " encoded sign (%2F); write http://HOST:PORT/v1."
        )
    parts = _parts(url)
    if parts is None or parts.scheme not in _PORTS or not parts.hostname:
        raise SettingsError("The model's address is not whole; write http://HOST:PORT/v1.")
    if "@" in parts.netloc:
        raise SettingsError(
            "The model's address holds a user name or password; give the key by OPENAI_API_KEY or"
            " the key field."
        )
    # a bare ? or # at the end leaves query and fragment empty, so the text itself is looked at too
    if parts.query or parts.fragment or "?" in url or "#" in url:
        raise SettingsError(
            "The model's address ends with a query (?...), which may hold a key and would stand in"
            " every trace; write the address alone and give the key by OPENAI_API_KEY or the key"
            " field."
        )
    if _climbs(parts.path):
        raise SettingsError("The model's address climbs (..); write http://HOST:PORT/v1.")
    if not is_listed(url) and any(_looks_like_key(part) for part in parts.path.split("/")):
        raise SettingsError(_KEY_IN_PATH)
    return parts


def is_listed(url: str) -> bool:
    """Whether an address is a provider's own, or one that the operator lists."""
    parts = _parts(url)
    return parts is not None and any(_same_place(parts, other) for other in _trusted())


def _climbs(path: str) -> bool:
    return any(part in {".", ".."} for part in unquote(path).split("/"))


def _looks_like_key(part: str) -> bool:
    """Whether a part of a path is a key, or looks as if it were drawn at random."""
    text = unquote(part)
    return bool(_NAMES_A_KEY.search(text)) or looks_like_key(text)


def may_have_key(provider: Provider, url: str | None) -> bool:
    """Tell whether `url` may get the provider's key; ``None`` is the provider itself."""
    if url is None:
        return True
    parts = _parts(url)
    return parts is not None and any(
        _same_place(parts, other) for other in (_OWN[provider], *_listed())
    )


def _listed() -> list[str]:
    return os.environ.get(ADDRESSES_VARIABLE, "").replace(",", " ").split()


def _trusted() -> list[str]:
    return [*_OWN.values(), *_listed()]


def _parts(url: str) -> SplitResult | None:
    """Split an address; ``None`` for one that nobody could ask (a port that is no number)."""
    try:
        parts = urlsplit(url)
        # the port is read only when it is asked for, and raises ValueError then
        _ = parts.port
    except ValueError:
        return None
    return parts


def _same_place(parts: SplitResult, listed: str) -> bool:
    """Compare scheme, host and port; a listed path must be how the address' path begins."""
    other = _parts(listed)
    if other is None or parts.scheme != other.scheme or parts.hostname != other.hostname:
        return False
    if (parts.port or _PORTS.get(parts.scheme)) != (other.port or _PORTS.get(other.scheme)):
        return False
    path = other.path.rstrip("/")
    # a path that climbs begins like a listed one and ends elsewhere on that host
    if _climbs(parts.path):
        return False
    # with the slash, a listed /v1 does not let /v10 pass
    return not path or parts.path == path or parts.path.startswith(path + "/")
