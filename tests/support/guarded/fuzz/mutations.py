"""How a file is damaged: bytes cut, flipped, spliced and packed; values of other types, depth, and
number.
"""

from __future__ import annotations

import bz2
import copy
import gzip
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

VALUES: tuple[Any, ...] = (
    None, True, -1, 10**400, 10**18, 1e308, -1e308, float("nan"), float("inf"), "", "9" * 400, "\ud83d", "a\udc00b", "\0",
    "<script>", "=1+1", "x" * 5000, "../../etc", [], {}, [[]], {"a": {}}, [None], [[None, 1]], 0, -0.0, 0.5, "1", "nan",
    [1e999] * 3, {"": None}, ["\ud83d"], {"\ud83d": 1}, 2**63, "٣", [0] * 300,
)  # fmt: skip
SCRAPS = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"NaN", b"-Infinity", b"1e999", b"\\ud83d", b"\\u0000", b"[" * 5000, b"9" * 5000,
    b'"', b"{", b"}", b"]", b"\r", b",", b"\n", b"null", b"<", b"&#0;", b"0,0", b"\xed\xa0\xbd", b"-1", b"1e400",
)  # fmt: skip


def damaged(raw: bytes, others: Sequence[bytes], ending: str, dice: random.Random) -> bytes:
    """Return the content of a file with one to three faults; packed files are damaged inside or
    outside.
    """
    unpack, pack = _PACKING.get(ending, (None, None))
    if unpack is not None and pack is not None and dice.random() < 0.8:
        return pack(damaged(unpack(raw), others, "", dice))
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        raw = _once(raw, others, dice)
    return raw


_PACKING: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".gz": (gzip.decompress, gzip.compress),
    ".bz2": (bz2.decompress, bz2.compress),
}


def _once(raw: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    at = dice.randrange(len(raw)) if raw else 0
    until = min(len(raw), at + dice.choice((1, 3, 20, 200, 3000)))
    match dice.randrange(12):
        case 0:
            return raw[:at]
        case 1:
            return raw[:at] + dice.choice(SCRAPS) + raw[at:]
        case 2:
            return raw[:at] + raw[until:]
        case 3 if raw:
            return raw[:at] + bytes([raw[at] ^ (1 << dice.randrange(8))]) + raw[at + 1 :]
        case 4:
            other = dice.choice(others)
            place = dice.randrange(len(other)) if other else 0
            return raw[:at] + other[place : place + dice.choice((20, 500, 5000))] + raw[at:]
        case 5:
            return raw[:until] + raw[at:until] * dice.choice((1, 2, 100)) + raw[until:]
        case _:
            return _changed_text(raw, dice)


def _changed_text(raw: bytes, dice: random.Random) -> bytes:
    """Change the JSON of a file, or of one of its lines; else a cell of one of its lines."""
    text = raw.decode("utf-8", "replace")
    try:
        return _written(_changed(json.loads(text), dice))
    except (ValueError, RecursionError):
        lines = text.split("\n")
    at = dice.randrange(len(lines))
    try:
        lines[at] = _written(_changed(json.loads(lines[at]), dice)).decode()
    except (ValueError, RecursionError):
        mark = "," if "," in lines[at] else '"' if '"' in lines[at] else " "
        parts = lines[at].split(mark)
        parts[dice.randrange(len(parts))] = str(
            dice.choice(("", "nan", "1e999", "-1", "9" * 400, "0", "0,0", "\0", "é"))
        )
        lines[at] = mark.join(parts)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _written(value: object) -> bytes:
    return json.dumps(value).encode()


def _changed(value: Any, dice: random.Random) -> Any:
    """Return a document with one place changed, anywhere in it."""
    if isinstance(value, dict) and value and dice.random() < 0.85:
        key = dice.choice(list(value))
        return {**value, key: _changed(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.85:
        at = dice.randrange(len(value))
        return [*value[:at], _changed(value[at], dice), *value[at + 1 :]]
    return _instead(value, dice)


def _instead(value: Any, dice: random.Random) -> Any:
    kind = dice.randrange(8)
    if isinstance(value, dict) and value and kind < 3:
        rest = dict(value)
        key = dice.choice(list(rest))
        taken = rest.pop(key)
        return [rest, {**rest, f"{key}x": taken}, {**value, "more": dice.choice(VALUES)}][kind]
    if isinstance(value, list) and value and kind < 3:
        return [value[:-1], value * 3, [*value, copy.deepcopy(dice.choice(VALUES))]][kind]
    if kind == 3:
        return [value]
    if kind == 4:
        return {"value": value}
    if kind == 5 and isinstance(value, int | float):
        return str(value)
    if kind == 6:
        return _deep(dice.choice((60, 900, 20_000)))
    return dice.choice(VALUES)


def _deep(levels: int) -> Any:
    value: Any = "end"
    # `json.dumps` of the test itself goes no deeper; the scraps do
    for _ in range(min(levels, 400)):
        value = [value]
    return value
