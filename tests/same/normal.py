"""Results in a normal form that two runs share: small, without times, paths and versions."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from navviz.runner.config import code_version
from navviz.support.version import VERSION

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?")
_DATE: Final = re.compile(r"\b20[2-9]\d-\d\d-\d\d\b")
_COMMIT: Final = re.compile(r"\b[0-9a-f]{7,40}(-dirty)\b")
_HEX: Final = re.compile(r"[0-9a-f]{32}")
_VOLATILE: Final = frozenset(
    {
        "elapsed_s", "began", "started", "ended_at", "written", "created", "at", "when",
        "code", "commit", "versions", "version", "python", "machine", "duration_s", "modified",
    }
)  # fmt: skip
"""Fields that tell of the machine and the hour."""
_LONGEST_NAME: Final = 32
"""Words of others' texts are longer or have blanks; names and ids are neither."""


_code = functools.cache(code_version)


def normal_text(text: str, places: Mapping[str, str]) -> str:
    """Return a text with names instead of folders, versions and times."""
    for folder, name in places.items():
        text = text.replace(folder, name)
    # a clean checkout writes its commit alone, which no pattern tells from other numbers
    text = text.replace(_code(), "COMMIT").replace(VERSION, "VERSION")
    return _DATE.sub("DATE", _COMMIT.sub("COMMIT", _TIME.sub("TIME", text)))


def numbered(html: str) -> str:
    """Return a page with numbers for the ids that folium draws by chance."""
    seen: dict[str, str] = {}
    return _HEX.sub(lambda match: seen.setdefault(match[0], f"#{len(seen)}"), html)


def normal(value: Any, places: Mapping[str, str], *, private: bool) -> Any:
    """Return JSON in its normal form.

    Parameters
    ----------
    value
        As JSON holds it.
    places
        Name of each folder that stands in texts.
    private
        Whether texts are kept as hashes, since they are not ours.
    """
    if isinstance(value, dict):
        made = {}
        for key, item in value.items():
            kept = None if key in _VOLATILE else normal(item, places, private=private)
            made[_text(str(key), places, private=private)] = kept
        return made
    if isinstance(value, list | tuple):
        return [normal(item, places, private=private) for item in value]
    if isinstance(value, float):
        # processors differ in the last digits
        return float(f"{value:.10g}")
    if isinstance(value, str):
        return _text(value, places, private=private)
    return value


def _text(text: str, places: Mapping[str, str], *, private: bool) -> str:
    plain = normal_text(text, places)
    if private and (len(plain) > _LONGEST_NAME or " " in plain):
        return f"~{digest(plain)[:12]}"
    return plain


def digest(value: Any) -> str:
    """Return the SHA-256 of bytes, or of JSON with its keys in order."""
    raw = value if isinstance(value, bytes) else json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(raw).hexdigest()


def small(value: Any, room: int) -> Any:
    """Return JSON in so many characters; its largest parts become their hash and size."""
    if len(json.dumps(value, ensure_ascii=False)) <= room:
        return value
    parts = list(value) if isinstance(value, list) else []
    keys = list(value) if isinstance(value, dict) else []
    count = len(parts) + len(keys)
    if parts and room // count < 90:
        # hashes of groups, so that a change is told about where it is
        group = -(-count // max(1, room // 16))
        hashes = [digest(parts[k : k + group])[:10] for k in range(0, count, group)]
        return {"~parts": count, "~sha256": hashes}
    if not count or room // count < 90:
        return {"~sha256": digest(value)[:24], "~parts": count}
    # what small parts leave is there for the others
    sizes = sorted(len(json.dumps(part, ensure_ascii=False)) for part in parts or value.values())
    left = room
    for k, size in enumerate(sizes):
        if size > left / (count - k):
            break
        left -= size
    share = max(90, int(left / max(1, sum(size > left / count for size in sizes))))
    if parts:
        return [small(part, share) for part in parts]
    return {key: small(value[key], share) for key in keys}


def changes(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield each change in words: path, before, after."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            place = f"{path}.{key}" if path else str(key)
            if key not in after:
                yield f"{place}: gone (was {_told(before[key])})"
            elif key not in before:
                yield f"{place}: new, {_told(after[key])}"
            else:
                yield from changes(before[key], after[key], place)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for k, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new, f"{path}[{k}]")
    elif type(before) is not type(after) or before != after:
        yield f"{path}: {_told(before)} -> {_told(after)}"


def _told(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 120 else f"{text[:117]}..."
