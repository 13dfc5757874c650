"""Single damages to samples of every format, and spellings put together: read alike, or named.

``python -m tests.metamorphic.damages KIND FIRST COUNT`` tries a range in a process of its own, whose
memory is bounded, and prints what is wrong as JSON. Seeded: a case that fails once fails again.
"""

from __future__ import annotations

import copy
import json
import random
import resource
import sys
import traceback
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from navviz.errors import NavVizError
from tests.metamorphic import indoors, mapped, outdoors, tasks
from tests.metamorphic.sample import Sample, written
from tests.metamorphic.spellings import SPELLINGS, Part, Style, applies

SAMPLES = {
    sample.name: sample for room in (outdoors, indoors, tasks, mapped) for sample in room.SAMPLES
}
MEMORY_BYTES = 8_000_000 * 1024
"""As after ``ulimit -v 8000000``."""
OTHERS: Mapping[type, tuple[Any, ...]] = {
    str: (7.5, {"x": 1}, [[]]),
    int: ("@@", {"x": 1}, [[]]),
    float: ("@@", {"x": 1}, [[]]),
    bool: ("@@", {"x": 1}, [[]]),
    list: (7.5, {"x": 1}, "@@"),
    tuple: (7.5, {"x": 1}, "@@"),
    dict: (7.5, "@@", [[]]),
    type(None): ({"x": 1},),
}
"""What a value of a type is replaced by: values of other types."""
_Place = tuple[str | int, ...]


def damaged(sample: Sample, dice: random.Random) -> tuple[str, Sample, bytes | None]:
    """Damage one part of a sample once; return what was done, and bytes where a file is cut."""
    at = dice.randrange(len(sample.parts))
    part = sample.parts[at]
    if part.kind in {"json", "lines"} and dice.random() < 0.75:
        content = copy.deepcopy(part.content)
        place = dice.choice([place for place in _places(content) if place])
        what = f"{part.name}: {list(place)} is of another type"
        content = _replaced(content, place, dice)
        changed = replace(part, content=content)
    elif part.kind == "rows":
        rows = [list(row) for row in part.content]
        row = dice.randrange(len(rows))
        cell = dice.randrange(len(rows[row]))
        rows[row][cell] = "@@"
        what = f"{part.name}: cell {cell} of row {row} is garbage"
        changed = replace(part, content=rows)
    else:
        return f"{part.name}: is cut", sample, _cut(part, dice)
    parts = (*sample.parts[:at], changed, *sample.parts[at + 1 :])
    return what, replace(sample, parts=parts), None


def _cut(part: Part, dice: random.Random) -> bytes:
    from tests.metamorphic.spellings import spelled

    _, raw = spelled(part, Style())
    # not at a line's end: a shorter file of whole lines is as good as any
    ends = [
        k for k in range(1, len(raw) - 1) if raw[k - 1 : k] != b"\n" and raw[k : k + 1] != b"\n"
    ]
    return raw[: dice.choice(ends)]


def _places(value: Any, place: _Place = ()) -> list[_Place]:
    places = [place]
    if isinstance(value, dict):
        for key, item in value.items():
            places += _places(item, (*place, key))
    elif isinstance(value, list | tuple):
        for key, item in enumerate(value):
            places += _places(item, (*place, key))
    return places


def _replaced(value: Any, place: _Place, dice: random.Random) -> Any:
    if not place:
        return dice.choice(OTHERS[type(value)])
    if isinstance(value, dict):
        return {**value, place[0]: _replaced(value[place[0]], place[1:], dice)}
    items, at = list(value), int(place[0])
    items[at] = _replaced(items[at], place[1:], dice)
    return items


def _read(
    sample: Sample, style: Style, folder: Path, raw: bytes | None, cut: str
) -> tuple[str, int]:
    opened = written(sample, style, folder)
    if raw is not None:
        (folder / cut).write_bytes(raw)
    table, problems = sample.read(opened)
    return json.dumps(table, default=repr, sort_keys=True, ensure_ascii=False), problems


@cache
def plain(name: str) -> tuple[str, int]:
    """Return the table of a whole sample, and how much is said of it."""
    with TemporaryDirectory() as folder:
        return _read(SAMPLES[name], Style(), Path(folder), None, "")


def damage_fault(number: int) -> str:
    """Damage a sample; say what is wrong: a traceback, or content that changed without a word."""
    dice = random.Random(number)
    name = list(SAMPLES)[number % len(SAMPLES)]
    what, sample, raw = damaged(SAMPLES[name], dice)
    table, problems = plain(name)
    try:
        with TemporaryDirectory() as folder:
            found, said = _read(sample, Style(), Path(folder), raw, what.partition(":")[0])
    except NavVizError as error:
        # an error that no reader foresaw is a traceback in other words
        return f"{number} {name}, {what}: {error}" if "report it with the log" in str(error) else ""
    except Exception:  # noqa: BLE001 - whatever it is, it is reported
        return f"{number} {name}, {what}: {traceback.format_exc(limit=-3)}"
    if found != table and said <= problems and not _is_kept(found, what):
        return f"{number} {name}, {what}: changed without a word"
    return ""


def _is_kept(found: str, what: str) -> bool:
    """Tell whether the damaged value is shown as it stands: a field that has no meaning here."""
    marks = ('"@@"', '{"x": 1}', "7.5", "[[]]", "{'x': 1}", "@@")
    return "another type" in what and any(mark in found for mark in marks)


def spelling_fault(number: int) -> str:
    """Spell a sample in two ways at once; say what is wrong."""
    dice = random.Random(number)
    name = list(SAMPLES)[number % len(SAMPLES)]
    sample = SAMPLES[name]
    possible = [
        key
        for key, style in SPELLINGS.items()
        if applies(style, sample.main.kind) and key not in sample.cannot and key != "Latin-1"
    ]
    first, second = dice.sample(possible, 2)
    values: dict[str, Any] = {}
    for key in (first, second):
        changed = {f.name: getattr(SPELLINGS[key], f.name) for f in fields(Style)}
        values |= {
            each: value for each, value in changed.items() if value != getattr(Style(), each)
        }
    where = f"{number} {name}, {first} and {second}"
    try:
        with TemporaryDirectory() as folder:
            found = _read(sample, Style(**values), Path(folder), None, "")
    except Exception:  # noqa: BLE001 - whatever it is, it is reported
        return f"{where}: {traceback.format_exc(limit=-3)}"
    return "" if found == plain(name) else f"{where}: reads otherwise"


FAULTS = {"damages": damage_fault, "spellings": spelling_fault}


def main() -> None:
    """Try a range of cases."""
    kind, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    wrong = [fault for k in range(first, first + count) if (fault := FAULTS[kind](k))]
    print(json.dumps(wrong, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
