"""Which addresses a model may lie at, and which of them may be told a key of the environment.

A key in the environment is the operator's. It goes to its provider's own address, and to addresses
that the operator lists in ``NAVVIZ_MODEL_ADDRESSES`` (``https://proxy.lab.example/v1
http://127.0.0.1:8000/v1``), and to no other: else whoever types an address into the Live page could
have it sent to a server of their own.
"""

from __future__ import annotations

import base64
import os
import re
from functools import lru_cache
from html import unescape
from itertools import chain
from typing import Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from pydantic import SecretStr

from navviz.errors import SettingsError
from navviz.support.installation.serving import SERVER_VARIABLE

__all__ = [
    "ADDRESSES_VARIABLE",
    "SERVER_VARIABLE",
    "check_address",
    "check_written",
    "is_listed",
    "may_have_key",
]

Provider = Literal["gemini", "openai"]

KEY_VARIABLES: dict[Provider, tuple[str, ...]] = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "openai": ("OPENAI_API_KEY",),
}
"""Environment variables in which a provider's key is looked for, first one first."""

_HIDDEN = "[key]"

# keys of Google (AIza, AQ.) and OpenAI (sk-); the star, since servers quote a refused key with its
# middle starred out
_KEY_SHAPES = re.compile(
    r"AIza[\w-]{20,}|AQ\.[\w-]{20,}|\bsk-[\w*-]{8,}|(?<=Bearer )[^\s\"']+|(?<=[?&]key=)[^&\s\"']+"
)

_SHORTEST_KEY = 6
"""A shorter value of the environment ("test") would also blot out plain words."""

_SHORTEST_IN_BASE64 = 12

_URL_SAFE = str.maketrans("+/", "-_")

_ESCAPED = re.compile(
    r"(?:\\{1,8}u00|\\{1,8}x|%(?:25){0,8}|&\#x0{0,4})(?P<code>[0-7][0-9a-fA-F]);?"
    r"|(?P<entity>&(?:\#0{0,4}\d{2,3}|quot|amp|lt|gt|apos);)|\\{1,8}(?=[\"'/])"
)
"""A sign of ASCII as JSON, URLs and HTML may write it."""

_BEGUN = re.compile(
    r"(?:AIza|AQ\.|\bsk-)[\w*-]{0,200}\Z"
    r"|(?:\\{1,8}(?:u0{0,2}|x)?[0-7]?|%(?:25){0,8}[0-7]?|&[\w#]{0,7})\Z"
)
"""What may become a key's shape or an escaped sign when more comes."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

_BEGINS_KEYS = re.compile(r"(?:AIza|gsk_|hf_|xai-|nvapi-|pplx-|r8_|gh[pousr]_|glpat-|AKIA)\w{10,}")

_READABLE = 0.6
"""Share of a long word's letters that stand in words, in names of models."""


def find_key(provider: Provider, given: SecretStr | str | None = None) -> SecretStr | None:
    """Return the key that was given, or the one in the environment, or ``None``."""
    value = given.get_secret_value() if isinstance(given, SecretStr) else given
    if value is not None and value.strip():
        return SecretStr(value.strip())
    for name in KEY_VARIABLES[provider]:
        text = os.environ.get(name, "").strip()
        if text:
            return SecretStr(text)
    return None


def key_label(provider: Provider, given: SecretStr | str | None = None) -> str:
    """Name a key without telling it: the variable it came from, or "the key that was typed in"."""
    if given is not None and str(given).strip():
        return "the key that was typed in"
    names = KEY_VARIABLES[provider]
    return "the key in " + next(
        (name for name in names if os.environ.get(name, "").strip()), names[0]
    )


def scrub(text: str, *keys: SecretStr | None) -> str:
    """Remove keys from a text: given ones, those of the environment, and what looks like one.

    A key is found in the spellings of URLs, JSON, HTML and base64, too: servers repeat what they
    were sent in whichever form they read it.
    """
    for value in _values(keys):
        for form in _forms(value):
            text = text.replace(form, _HIDDEN)
        text = _without_escaped(text, value)
    return _KEY_SHAPES.sub(_HIDDEN, text)


def _values(keys: tuple[SecretStr | None, ...]) -> list[str]:
    values = [key.get_secret_value() for key in keys if key is not None]
    variables = chain.from_iterable(KEY_VARIABLES.values())
    values += [os.environ.get(name, "").strip() for name in variables]
    return sorted({value for value in values if len(value) >= _SHORTEST_KEY}, key=len, reverse=True)


@lru_cache(maxsize=64)
def _forms(value: str) -> tuple[str, ...]:
    """Return a key as it is, and its base64 at each place within three bytes."""
    forms = [value]
    if len(value) >= _SHORTEST_IN_BASE64:
        for before in range(3):
            data = b"\0" * before + value.encode()
            # signs that also hold bytes beside the key are left out
            first, last = -(-before * 4 // 3), len(data) * 8 // 6
            text = base64.b64encode(data).decode()[first:last]
            forms += [text, text.translate(_URL_SAFE)]
    return tuple(dict.fromkeys(forms))


def _without_escaped(text: str, value: str) -> str:
    """Remove a key of which some signs are escaped."""
    if _ESCAPED.search(text) is None:
        return text
    plain, starts = _unescaped(text)
    kept, end = [], 0
    for match in re.finditer(re.escape(value), plain):
        kept += [text[end : starts[match.start()]], _HIDDEN]
        end = starts[match.end() - 1] + 1
        # the last sign may be an escaped one
        if (last := _ESCAPED.match(text, end - 1)) is not None:
            end = last.end()
    return "".join([*kept, text[end:]])


def _unescaped(text: str) -> tuple[str, list[int]]:
    """Return what a text means, and where each sign of that begins in it."""
    signs: list[str] = []
    starts: list[int] = []
    at = 0
    for match in _ESCAPED.finditer(text):
        signs.append(text[at : match.start()])
        starts.extend(range(at, match.start()))
        if meant := _meant(match):
            signs.append(meant)
            starts.append(match.start())
        at = match.end()
    signs.append(text[at:])
    starts.extend(range(at, len(text) + 1))
    return "".join(signs), starts


def _meant(match: re.Match[str]) -> str:
    """Return the one sign that an escape stands for; none for the bars before a quote."""
    if match["code"]:
        return chr(int(match["code"], 16))
    return unescape(match["entity"])[:1] if match["entity"] else ""


class StreamScrubber:
    """Remove keys from a text that comes in pieces: what may begin a key waits for the rest."""

    def __init__(self, key: SecretStr | None) -> None:
        self._key = key
        self._waiting = ""

    def add(self, piece: str) -> str:
        """Return what may be shown by now."""
        text = self._waiting + piece
        for value in _values((self._key,)):
            for form in _forms(value):
                text = text.replace(form, _HIDDEN)
            text = _without_escaped(text, value)
        begun = _BEGUN.search(text)
        end = len(text) if begun is None else begun.start()
        plain, starts = _unescaped(text[:end])
        for value in _values((self._key,)):
            for form in _forms(value):
                end = min(end, _start_of(form, text))
            end = min(end, starts[_start_of(value, plain)])
        self._waiting = text[end:]
        return scrub(text[:end], self._key)

    def rest(self) -> str:
        """Return what waited, at the end of the text."""
        text, self._waiting = self._waiting, ""
        return scrub(text, self._key)


def _start_of(form: str, text: str) -> int:
    """Return where a text ends with a beginning of `form`, or its length."""
    first = max(0, len(text) - len(form) + 1)
    ends = (at for at in range(first, len(text)) if form.startswith(text[at:]))
    return next(ends, len(text))


def looks_like_key(text: str) -> bool:
    """Whether a text has the shape of a key, or holds a word that looks drawn at random."""
    if scrub(text) != text or _UUID.search(text) or _BEGINS_KEYS.match(text):
        return True
    # names of models have digits too, beside words that can be read
    for word in re.split(r"[^A-Za-z0-9]+", text):
        is_mixed = re.search(r"\d", word) and re.search(r"[A-Za-z]", word)
        read = sum(map(len, re.findall(r"[A-Z]?[a-z]{4,}", word)))
        if len(word) >= 16 and is_mixed and read < _READABLE * len(word):
            return True
    return False


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

    `url`: ``http`` or ``https``, a host, perhaps a port and a path. Returns the address without a
    slash at its end. Raises `SettingsError` when it is none that may be written down
    (`check_written`), or when this server trusts it not.
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

    Raises `SettingsError` when it has no host or a port that is no number, when programs on the way
    could read it differently, or when it holds a user name, a password, a query, a fragment, or a
    part that looks like a key. The sentence repeats nothing of it.
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
    return parts is not None and any(
        _same_place(parts, other) for other in [*_OWN.values(), *_listed()]
    )


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
