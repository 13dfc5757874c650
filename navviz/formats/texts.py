"""Single values of foreign logs, checked: ids, texts, numbers and headings."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from navviz.errors import Problem, Problems
from navviz.formats.files import ITEM_BYTES, Json

_MAX = sys.float_info.max
"""`math.isfinite` raises for an integer of 309 digits, this compares; NaN is no more than anything.
"""

_WHOLE_FLOAT = re.compile(r"([0-9]+)\.0+")

# Python's `float` takes 1_000, inf and nan, too, which are no numbers of a log
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

_LONGEST_NUMBER = 40

_FLAGS = {"true": True, "false": False}


def id_text(value: Json) -> str:
    """Return an id as one text, however it is written: 7, 7.0, ``"7"``, ``"7.0"``, ``" 7 "``.

    Tables write 7.0 as soon as one cell of a column is empty, and files made of them keep it as a
    text; the maps' and data sets' own files have 7.
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).strip()
    # most ids are no floats, and a pattern takes ten times as long as this look
    whole = _WHOLE_FLOAT.fullmatch(text) if text.endswith("0") else None
    return whole[1] if whole is not None else text


def one_name(value: Json) -> Json:
    """Return a value as it is, but a text as `id_text` has it: two files name one thing alike."""
    return id_text(value) if isinstance(value, str) else value


def is_id(value: Json) -> bool:
    """Tell whether a value can name something: a text or a whole number."""
    # Python counts JSON's true and false as whole numbers
    return isinstance(value, str | int) and not isinstance(value, bool)


def as_ids(value: Json, where: Problem, problems: Problems) -> tuple[str, ...]:
    """Node ids of a path; empty, and reported at `where`, where it is no list of ids."""
    if not isinstance(value, list) or not value:
        problems.skip(
            dataclasses.replace(
                where, what="is no list of node ids" if value else "is an empty path"
            )
        )
        return ()
    if not all(map(is_id, value)):
        problems.skip(dataclasses.replace(where, what="holds something that is no node id"))
        return ()
    return tuple(map(id_text, value))


def as_text(value: Json, file: str, episode: str, field: str, problems: Problems) -> str:
    """Return a text; empty, and reported, where it is none."""
    if isinstance(value, str):
        return value
    problems.add(Problem("is no text", "it is shown as empty", file, episode, field))
    return ""


def as_mapping(value: Json) -> dict[str, Json]:
    """Return the value where it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """Return the value where it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else []


def as_stripped(value: Json) -> str:
    """Return a text without blanks around it; empty where it is none."""
    return value.strip() if isinstance(value, str) else ""


def turn_deg(value: Json) -> float | None:
    """Return an angle in degrees in ``[0, 360)``; ``None`` where it is no finite number."""
    number = as_number(value)
    return None if number is None else number % 360.0


def as_number(value: Json) -> float | None:
    """Return a finite number, or ``None``; a text that is one counts, as tables write numbers."""
    if isinstance(value, str):
        text = value.strip()
        is_number = len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text) is not None
        value = float(text) if is_number else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_MAX <= value <= _MAX:
        return None
    return float(value)


def as_count(value: Json) -> int | None:
    """Return a whole number, or ``None``; a text that is one counts."""
    number = as_number(value)
    return int(number) if number is not None and number.is_integer() else None


def flag_word(value: Json) -> bool | None:
    """Return true or false, of a text, too (``" True "``); ``None`` for all else, numbers too."""
    if isinstance(value, bool):
        return value
    return _FLAGS.get(value.strip().lower()) if isinstance(value, str) else None


def as_flag(value: Json) -> bool | None:
    """Return a yes or no: true, 1, ``"1.0"``, ``"True"``; ``None`` where it is neither."""
    flag = flag_word(value)
    if flag is not None:
        return flag
    number = as_number(value)
    return None if number is None else number != 0


def as_heading(
    value: Json, file: str, episode: str, field: str, problems: Problems
) -> float | None:
    """Return a heading in degrees in ``[0, 360)``; ``None``, and reported, for no number."""
    heading_deg = turn_deg(value)
    if heading_deg is None:
        problems.add(
            Problem("is no heading in degrees", "it is shown as missing", file, episode, field)
        )
    return heading_deg


_FITS: dict[str, Callable[[Json], bool]] = {
    "number": lambda value: as_number(value) is not None,
    "figure": lambda value: as_number(value) is not None or flag_word(value) is not None,
    "flag": lambda value: as_flag(value) is not None,
    "id": lambda value: is_id(value) or isinstance(value, float),
    "text": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
}
"""What the value of a field may be, by its name."""


def _fits(value: Json, kind: str) -> bool:
    if kind in _FITS:
        return value is None or _FITS[kind](value)
    if kind.startswith("values of "):
        values = value.values() if isinstance(value, dict) else [0]
        return isinstance(value, dict) and all(_fits(each, kind[10:]) for each in values)
    # a plural
    return isinstance(value, list) and all(_fits(each, kind[:-1]) for each in value)


def say_unlike(
    entry: Mapping[str, Json],
    kinds: Mapping[str, str],
    where: Problem,
    problems: Problems,
    needed: str = "",
) -> None:
    """Report the fields of an entry that hold something else than they should, or are misspelt.

    `kinds`: names of fields, a comma between them, by what they hold: a name of `_FITS`, its plural
    for a list of such values, ``values of texts`` for an object of lists of texts, several with ``
    or `` between them. Null is a missing value. `needed`: those of the fields that every entry has;
    one that is missing is reported, too.
    """
    named: list[tuple[str, str]] = []
    for kind, names in kinds.items():
        named += [(name, kind) for name in names.split(", ")]
    for name, kind in named:
        value = entry.get(name)
        if value is not None and not any(_fits(value, each) for each in kind.split(" or ")):
            what = f"{str(value)[:40]!r} is not what it should be ({kind})"
            do = "it is left out or shown as it stands; mend it or get the file again"
            problems.add(dataclasses.replace(where, what=what, do=do, field=name))
    known = {name for name, _ in named}
    for name in filter(None, needed.split(", ")):
        if entry.get(name) is None:
            what, do = "is missing", "what hangs on it is left out; get the file again"
            problems.add(dataclasses.replace(where, what=what, do=do, field=name))
    for other in entry.keys() - known:
        near = [name for name in known - entry.keys() if _is_slip(other, name)]
        if near:
            what, do = f"is misspelt as {other[:40]!r}", "it counts as missing; mend the name"
            problems.add(dataclasses.replace(where, what=what, do=do, field=near[0]))


def _is_slip(a: str, b: str) -> bool:
    """Tell whether two names of one length differ by one letter; digits tell fields apart."""
    unlike = [pair for pair in zip(a, b, strict=False) if pair[0] != pair[1]]
    return len(a) == len(b) > 3 and len(unlike) == 1 and not any(map(str.isdigit, unlike[0]))


def whole_lines(lines: Iterable[str], file: str, problems: Problems) -> Iterator[str]:
    """Yield the lines of a printed log; report a last one without an end, as all printed have."""
    line = "\n"
    for line in lines:
        yield line
    if not line.endswith("\n"):
        do = "it was cut off, or is being written; what comes after it is missing"
        problems.add(Problem("ends within a line", do, file))


STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[,.]\d+)? - ")
"""What Python's ``logging`` puts before a message, where a program asks for the time."""

_LOGGED = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[,.]\d+)? - .{0,300}?(?:INFO|WARNING|ERROR): "
)
"""The same with the place in the code and the level, as Open-Nav prints to the screen."""

Head = TypeVar("Head")


@dataclass(slots=True)
class Block(Generic[Head]):
    """A head and what follows it."""

    head: Head
    """What the reader made of the line."""
    line: int
    """The number of the head's line."""
    lines: list[str] = field(default_factory=list)
    """The lines that follow, with their ends."""

    @property
    def text(self) -> str:
        """The lines that follow, without empty ones before and behind."""
        return "".join(self.lines).strip("\r\n")


def blocks(lines: Iterable[str], head_of: Callable[[str], Head | None]) -> Iterator[Block[Head]]:
    """Yield the blocks of a printed log; lines before the first head belong to none.

    `head_of`: makes something of a line that is a head, and ``None`` of any other.
    """
    block: Block[Head] | None = None
    size = 0
    for number, line in enumerate(lines, start=1):
        head = head_of(line)
        if head is not None:
            if block is not None:
                yield block
            block, size = Block(head, number), 0
        elif block is not None and size < ITEM_BYTES:
            # a block without an end would be the rest of the file
            block.lines.append(line)
            size += len(line)
    if block is not None:
        yield block


def message_of(line: str) -> str:
    """Return a line without the stamp of ``logging``, if it has one."""
    stamp = _LOGGED.match(line)
    return line[stamp.end() :] if stamp is not None else line
