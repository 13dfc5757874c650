"""Single damages to samples of every format, and spellings put together: read alike, or named.

``python -m tests.metamorphic.damages KIND FIRST COUNT`` tries a range in a process of its own, whose
memory is bounded, and prints what is wrong as JSON. Seeded: a case that fails once fails again.

A damage is said where a problem or an error names its file (or, in its sentence, what the file is
called) that did not stand there before. What
nobody can know is left out by rule, never by sample, and counted:

- *a value for another value*: every place that differs still holds a value of its kind, a number for
  a number, a text for a text that differs by one letter (a file with that digit or letter is as good);
  what follows from one letter or digit may be of another kind, but no entry may be gone;
- *an id for another id*: a text stands where a number or a text named something, and what is found
  by it is another thing; no entry may be gone;
- *a shorter last cell*: a table that ends within the text of its last cell;
- *as written*: every place that differs lies in a field that is only shown as it is written
  (`AS_WRITTEN`): NavViz knows no type that it should have;
- *a tag of OpenStreetMap*: its key and value are free texts, and any tag may be missing; and a
  digit of a place, whose streets are then cut into other pieces;
- *a text that the agent saw*: it stands there as it was written, and shows what was found in it;
- *a reply that is no JSON*: its step says so (`parse_error`), in words and beside the text;
- *an optional field*: a deleted field may never have been there; no entry may go with it (entries
  by id are not deleted: a file with fewer is as good as any);
- *a line without a name*: in free text, and in poses without a time, a line that stands there twice (the agent stood still).
"""

from __future__ import annotations

import copy
import json
import random
import re
import resource
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from navviz.errors import InputError, Problem, Problems
from tests.metamorphic import binary, indoors, kinds, mapped, outdoors, tasks
from tests.metamorphic.sample import Sample, written
from tests.metamorphic.spellings import SPELLINGS, Part, Style, applies, spelled

ROOMS = (outdoors, indoors, tasks, mapped)
SPELLED = {sample.name: sample for room in ROOMS for sample in room.SAMPLES}
OLD = SPELLED | {sample.name: sample for sample in binary.SAMPLES}
"""Samples of the numbers below `FIRST_NEW`: a number keeps its damage."""
FIRST_NEW = 10_000
NEW = {sample.name: sample for sample in kinds.SAMPLES}
SAMPLES = OLD | NEW
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
KINDS: Mapping[str, tuple[str, ...]] = {
    "json": ("type", "type", "deletion", "cut", "flip"),
    "lines": ("type", "type", "deletion", "twin", "cut", "flip"),
    "rows": ("cell", "twin", "cut", "flip"),
    "mixed": ("cut", "flip"),
    "text": ("twin", "cut", "flip"),
    "bytes": ("cut", "flip"),
}
"""Damages by kind of file: a value of another type, a field less, a line or row twice, a cell of
garbage, a file that ends early, a bit that is another."""
AS_WRITTEN = frozenset(
    {
        "extra",
        "tags",
        "settings",
        "config",
        "summary",
        "annotations",
        "response_schema",
        "plan_panels",
    }
)
TABLES = (".csv", ".tum", ".plt", ".txt")
WITHOUT_NAMES = (".log", ".gpx", ".kml", ".obj", "00.txt")
"""Files whose lines have no name, number or time: KITTI's poses have none."""
_BONES = b'"{}[],:'
_OBJECTS = frozenset({"json", "lines", "mixed"})
"""Kinds of files of fields with names."""
DERIVED = frozenset({"kind", "diverged_at", "hint", "unseen_split", "poi links"})
"""What follows from numbers and names beside it: where a walk left its route, that a router named
an agent which did not act, the half of a split that a scene is of, where a POI is near."""
OBSERVED = frozenset({"candidates", "visible_nodes", "directions"})
"""What was found in the text of an observation, which stands beside it as it was written."""
_NAMES = frozenset({"episode", "id", "world", "run"})
_Place = tuple[str | int, ...]
Found = tuple[str, int, frozenset[tuple[str, str]]]
"""A table, the number of its problems, and what was said, by file."""


@dataclass(frozen=True)
class Damage:
    """One damage to one file of a sample."""

    kind: str
    file: str
    what: str
    sample: Sample
    raw: bytes | None = None
    """The bytes of the file, where no content describes them."""

    @property
    def is_in_word(self) -> bool:
        """Whether a sign that holds nothing together is another one: a letter, a digit, a blank."""
        before = spelled(next(p for p in self.sample.parts if p.name == self.file), Style())[1]
        pairs = zip(before, self.raw or b"", strict=False)
        unlike = [pair for pair in pairs if pair[0] != pair[1]]
        return len(unlike) == 1 and all(
            32 <= byte < 127 and byte not in _BONES for byte in unlike[0]
        )

    @property
    def is_in_last_cell(self) -> bool:
        """Whether a table ends within the text of the last cell of a row, which is not quoted."""
        before = spelled(next(p for p in self.sample.parts if p.name == self.file), Style())[1]
        whole = before[: before.find(b"\n", len(self.raw or b""))].rpartition(b"\n")[2]
        last = (self.raw or b"").rpartition(b"\n")[2]
        cells = [len(re.split(rb"[,\t]|(?<=\S) +", line)) for line in (whole, last)]
        return cells[0] == cells[1] and last.count(b'"') % 2 == 0

    @property
    def is_in_tag(self) -> bool:
        """Whether it is a letter of a tag of OpenStreetMap, or a digit of a place."""
        before = spelled(next(p for p in self.sample.parts if p.name == self.file), Style())[1]
        pairs = enumerate(zip(before, self.raw or b"", strict=False))
        at = next((k for k, (one, other) in pairs if one != other), 0)
        element = before[before.rfind(b"<", 0, at) : at]
        is_digit = chr(before[at]).isdigit() and chr((self.raw or before)[at]).isdigit()
        # XML has lat="48.1", Overpass "lat": 48.1
        if is_digit and re.search(rb'\b(lat|lon)"?[=:] ?"?[-\d.]*$', before[max(0, at - 40) : at]):
            return True
        return element.startswith(b"<tag ") and element.count(b'"') % 2 == 1


def damaged(sample: Sample, dice: random.Random) -> Damage:
    """Damage one part of a sample once."""
    at = dice.randrange(len(sample.parts))
    part = sample.parts[at]
    kind = dice.choice(KINDS[part.kind])
    if kind in {"cut", "flip"}:
        what, raw = (_cut if kind == "cut" else _flipped)(part, dice)
        if kind == "flip" and "name of a field" in what:
            kind = "deletion"
        return Damage(kind, part.name, what, sample, raw)
    content = copy.deepcopy(part.content)
    if kind == "type" or kind == "deletion":
        choices = [place for place in _places(content) if place]
        if kind == "deletion":
            fields = [place for place in choices if _is_field(place[-1])]
            # an object of entries by id has no field to delete: one of them has another type
            kind = "deletion" if fields else "type"
            choices = fields or choices
        place = dice.choice(choices)
        what, content = f"{list(place)}", _replaced(content, place, dice, kind)
    elif kind == "cell":
        content = [list(row) for row in content]
        row = dice.randrange(len(content))
        cell = dice.randrange(len(content[row]))
        what, content[row][cell] = f"cell {cell} of row {row}", "@@"
    elif part.kind == "text":
        lines = content.splitlines(keepends=True)
        line = dice.randrange(len(lines))
        what, content = f"line {line}", "".join([*lines[:line], lines[line], *lines[line:]])
    else:
        line = dice.randrange(len(content))
        what, content = f"line {line}", [*content[:line], content[line], *content[line:]]
    parts = (*sample.parts[:at], replace(part, content=content), *sample.parts[at + 1 :])
    return Damage(kind, part.name, what, replace(sample, parts=parts))


def _is_field(key: str | int) -> bool:
    return isinstance(key, str) and not re.fullmatch(r"[0-9a-f_]*\d[0-9a-f_]*", key)


def _cut(part: Part, dice: random.Random) -> tuple[str, bytes]:
    raw = spelled(part, Style())[1]
    # not at a line's end: a shorter file of whole lines is as good as any
    ends = [k for k in range(1, len(raw) - 1) if b"\n" not in raw[k - 1 : k + 1]]
    end = dice.choice(ends)
    return f"after {end} of {len(raw)} bytes", raw[:end]


def _flipped(part: Part, dice: random.Random) -> tuple[str, bytes]:
    """Flip one of the lower bits of one byte that is no line's end."""
    raw = bytearray(spelled(part, Style())[1])
    at = dice.choice([k for k, byte in enumerate(raw) if byte != 10])
    before = bytes(raw)
    raw[at] ^= 1 << dice.randrange(7)
    # a field of another name: the one that was there is gone
    named = part.kind in _OBJECTS and re.match(rb'[^"]*" *:', before[at:])
    mark = "name of a field, " if named else ""
    return (
        f"{mark}byte {at}, {before[at - 9 : at + 6]!r} is {bytes(raw[at - 9 : at + 6])!r}",
        bytes(raw),
    )


def _places(value: Any, place: _Place = ()) -> list[_Place]:
    places = [place]
    if isinstance(value, dict):
        for key, item in value.items():
            places += _places(item, (*place, key))
    elif isinstance(value, list | tuple):
        for key, item in enumerate(value):
            places += _places(item, (*place, key))
    return places


def _replaced(value: Any, place: _Place, dice: random.Random, kind: str) -> Any:
    if not place:
        return dice.choice(OTHERS[type(value)])
    changed = value.copy() if isinstance(value, dict) else list(value)
    if kind == "deletion" and len(place) == 1:
        del changed[place[0]]
    else:
        changed[place[0]] = _replaced(value[place[0]], place[1:], dice, kind)
    return changed


def _read(sample: Sample, style: Style, folder: Path, damage: Damage | None) -> Found:
    opened = written(sample, style, folder)
    if damage is not None and damage.raw is not None:
        (folder / damage.file).write_bytes(damage.raw)
    said: list[Problem] = []
    add = Problems.add

    def heard(self: Problems, problem: Problem) -> None:
        said.append(problem)
        add(self, problem)

    with mock.patch.object(Problems, "add", heard):
        table, problems = sample.read(opened)
    text = json.dumps(table, default=repr, sort_keys=True, ensure_ascii=False)
    return text, problems, frozenset((problem.file, problem.what) for problem in said)


@cache
def plain(name: str) -> Found:
    """Return the table of a whole sample, and what is said of it."""
    with TemporaryDirectory() as folder:
        return _read(SAMPLES[name], Style(), Path(folder), None)


def damage_fault(number: int) -> str:
    """Damage a sample; say what is wrong: a traceback, or content that changed without a word."""
    dice = random.Random(number)
    samples = OLD if number < FIRST_NEW else NEW
    name = list(samples)[number % len(samples)]
    return fault_of(name, damaged(SAMPLES[name], dice), str(number))


def fault_of(name: str, damage: Damage, number: str = "") -> str:
    """Say what is wrong with the reading of a damaged sample."""
    where = f"{number} {name}, {damage.file}, {damage.kind}: {damage.what}"
    table, _, known = plain(name)
    try:
        with TemporaryDirectory() as folder:
            found, _, said = _read(damage.sample, Style(), Path(folder), damage)
    except InputError as error:
        # an error that no reader foresaw is a traceback in other words
        return f"{where}: {error}" if "report it with the log" in str(error) else ""
    except Exception:  # noqa: BLE001 - whatever it is, it is reported
        return f"{where}: {traceback.format_exc(limit=-3)}"
    # a node that is gone is named where a link leads to it, a scene's object where a task does
    files = [p.name for p in damage.sample.parts] if damage.kind == "cell" else [damage.file]
    named = re.compile(rf"\b{re.escape(Path(damage.file).stem)}\b")
    heard = [file for file, _ in said - known]
    if found == table or any(_names(place, file) for place in heard for file in files):
        return ""
    if any(named.search(what) for _, what in said - known):
        return ""
    places = list(_differences(json.loads(table), json.loads(found)))
    places = [each for each in places if not DERIVED & {*each[0]}]
    if any(each[0][-2:] == ("observation", "text") for each in places):
        places = [each for each in places if not OBSERVED & {*each[0]}]
    if _nobody_can_know(places, damage, table, found):
        return ""
    return f"{where}: changed without a word: {str(places[:2])[:300]}"


def _names(file: str, damaged_file: str) -> bool:
    """Tell whether the place of a problem is the damaged file, or the folder that it is one of."""
    place = re.sub(r"(:\d+|, (entry|task) \w+)$", "", file)
    return Path(place).name == Path(damaged_file).name


def _differences(a: Any, b: Any, place: _Place = ()) -> Iterator[tuple[_Place, Any, Any]]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in a.keys() | b.keys():
            yield from _differences(a.get(key), b.get(key), (*place, key))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for key, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from _differences(left, right, (*place, key))
    elif a != b and repr(a) != repr(b):
        yield place, a, b


def _nobody_can_know(
    places: Sequence[tuple[_Place, Any, Any]], damage: Damage, table: str, found: str
) -> bool:
    """Tell whether a change is one that a whole file could have, too (see the module)."""
    if all(AS_WRITTEN & {*place} for place, _, _ in places):
        return True
    if any("parse_error" in place and b for place, _, b in places):
        return True
    if damage.kind in {"type", "cell"} and all(
        isinstance(b, str) and "@@" in b for _, _, b in places
    ):
        return all(isinstance(a, str) for _, a, _ in places)
    if damage.kind == "type" and all(isinstance(b, str) and "7.5" in b for _, _, b in places):
        return all(isinstance(a, str) for _, a, _ in places) or any(
            _NAMES & {*place} for place, _, _ in places
        )
    if damage.kind == "type" and all(b == 7.5 and _of_one_kind(a, b) for _, a, b in places):
        return True  # a number that stood in a list of one
    if damage.kind == "type":  # an id that is a key
        left = sorted(repr(a) for _, a, _ in places if a is not None)
        if left == sorted(repr(b) for _, _, b in places if b is not None):
            return "@@" in str([place for place, _, _ in places])
    if damage.kind in {"flip", "cut"} and all(_of_one_kind(a, b) for _, a, b in places):
        return True
    named_by = damage.kind == "type" and re.search(r"'(\w*_)?id'\]$", damage.what)
    last_cell = damage.kind == "cut" and damage.file.endswith(".csv")
    # the rows behind it may never have been there
    if damage.kind == "cut" and damage.file.endswith(TABLES) and damage.is_in_last_cell:
        return True
    if named_by or last_cell:
        return _entries(json.loads(found)) >= _entries(json.loads(table))
    is_map = damage.file.endswith((".gpx", ".kml", ".osm", ".graphml", "overpass.json"))
    if damage.kind == "flip" and not is_map and damage.is_in_word:
        return _entries(json.loads(found)) >= _entries(json.loads(table))
    if damage.kind in {"flip", "cut"}:
        return damage.is_in_word and damage.is_in_tag
    free = damage.kind == "twin" and damage.file.endswith(WITHOUT_NAMES)
    if damage.kind == "deletion" or free:
        return _entries(json.loads(found)) >= _entries(json.loads(table))
    return False


def _of_one_kind(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        # numbers stand in sentences, too; a letter takes up to four bytes
        left, right = (re.sub(r"[-+\d.e]+", "0", text) for text in (a, b))
        for one, other in ((left, right), (a, b)):
            unlike = sum(x != y for x, y in zip(one, other, strict=False))
            if len(one) == len(other) and unlike <= 1:
                return True
        return False
    numbers = all(isinstance(each, int | float) for each in (a, b))
    return numbers and isinstance(a, bool) == isinstance(b, bool)


def _entries(value: Any, depth: int = 3) -> int:
    """Count lists, objects and what they hold, down to a depth: episodes, walks, nodes, rows."""
    if depth == 0 or not isinstance(value, dict | list):
        return 0
    items = value.values() if isinstance(value, dict) else value
    return len(value) + sum(_entries(item, depth - 1) for item in items)


def spelling_fault(number: int) -> str:
    """Spell a sample in two ways at once; say what is wrong."""
    dice = random.Random(number)
    name = list(SPELLED)[number % len(SPELLED)]
    sample = SPELLED[name]
    possible = [
        key
        for key, style in SPELLINGS.items()
        if applies(style, sample.main.kind) and key not in sample.cannot and key != "Latin-1"
    ]
    first, second = dice.sample(possible, 2)
    while "indented" in f"{first}{second}" and "a list as lines" in {first, second}:
        first, second = dice.sample(possible, 2)  # an indented value is one a file
    values: dict[str, Any] = {}
    for key in (first, second):
        changed = {f.name: getattr(SPELLINGS[key], f.name) for f in fields(Style)}
        values |= {
            each: value for each, value in changed.items() if value != getattr(Style(), each)
        }
    where = f"{number} {name}, {first} and {second}"
    try:
        with TemporaryDirectory() as folder:
            found = _read(sample, Style(**values), Path(folder), None)
    except Exception:  # noqa: BLE001 - whatever it is, it is reported
        return f"{where}: {traceback.format_exc(limit=-3)}"
    return "" if found[:2] == plain(name)[:2] else f"{where}: reads otherwise"


FAULTS = {"damages": damage_fault, "spellings": spelling_fault}


def main() -> None:
    """Try a range of cases."""
    kind, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    wrong = [fault for k in range(first, first + count) if (fault := FAULTS[kind](k))]
    print(json.dumps(wrong, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
