"""The same trace in the spellings of other programs: bytes of NavViz's own spelling in, bytes of
another one out.
"""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from typing import Any

Json = Any
_BOM = b"\xef\xbb\xbf"


def _events(raw: bytes) -> list[dict[str, Json]]:
    return [json.loads(line) for line in raw.splitlines()]


def _lines(events: list[dict[str, Json]], **options: Any) -> bytes:
    return "".join(json.dumps(event, **options) + "\n" for event in events).encode()


def with_blanks(raw: bytes) -> bytes:
    """Write it as Python's `json` does by default: blanks after colons and commas, all in ASCII."""
    return _lines(_events(raw))


def with_sorted_keys(raw: bytes) -> bytes:
    return _lines(_events(raw), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def with_type_last(raw: bytes) -> bytes:
    events = [
        {**{key: event[key] for key in event if key != "type"}, "type": event["type"]}
        for event in _events(raw)
    ]
    return _lines(events)


def with_escapes(raw: bytes) -> bytes:
    """Escape every letter of a text value; the names of fields stay."""
    return _lines([_escaped(event) for event in _events(raw)]).replace(b"\\\\u", b"\\u")


def _escaped(value: Json) -> Json:
    if isinstance(value, str):
        units = value.encode("utf-16-be")
        return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    if isinstance(value, list):
        return [_escaped(item) for item in value]
    if isinstance(value, dict):
        return {key: _escaped(item) for key, item in value.items()}
    return value


def with_floats(raw: bytes) -> bytes:
    """Write whole numbers as pandas does, ``3.0`` for 3, where a field of ours takes a number."""
    return _lines([_floats(event, "") for event in _events(raw)])


def _floats(value: Json, name: str) -> Json:
    if isinstance(value, dict):
        free = {"settings", "extra", "data", "parsed"}
        return {key: item if key in free else _floats(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_floats(item, name) for item in value]
    return float(value) if type(value) is int else value


SPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "own": lambda raw: raw,
    "byte order mark": lambda raw: _BOM + raw,
    "blanks": with_blanks,
    "sorted keys": with_sorted_keys,
    "type last": with_type_last,
    "escapes": with_escapes,
    "floats": with_floats,
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "indented": lambda raw: _lines(_events(raw), indent=2),
    "indented by nothing": lambda raw: _lines(_events(raw), indent=0),
    "indented, byte order mark, CRLF": lambda raw: (
        _BOM + _lines(_events(raw), indent="\t").replace(b"\n", b"\r\n")
    ),
    "sorted keys, byte order mark": lambda raw: _BOM + with_sorted_keys(raw),
    "empty lines": lambda raw: b"\n" + raw.replace(b"\n", b"\n \n"),
    "blanks before": lambda raw: b"".join(b"  " + line + b" \n" for line in raw.splitlines()),
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "no last line end": lambda raw: raw.rstrip(b"\n"),
}
PACKINGS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress}
