"""Single values of foreign logs, checked: ids, texts and headings."""

from __future__ import annotations

import dataclasses
import sys

from navviz.errors import Problem, Problems
from navviz.formats.files import Json

_MAX = sys.float_info.max
"""`math.isfinite` raises for an integer of 309 digits, this compares; NaN is no more than anything.
"""


def as_ids(value: Json, where: Problem, problems: Problems) -> tuple[str, ...]:
    """Node ids of a path; empty, and reported at `where`, where it is no list of ids."""
    if not isinstance(value, list) or not value:
        problems.skip(
            dataclasses.replace(
                where, what="is no list of node ids" if value else "is an empty path"
            )
        )
        return ()
    # Python counts JSON's true and false as whole numbers
    if not all(isinstance(node, str | int) and not isinstance(node, bool) for node in value):
        problems.skip(dataclasses.replace(where, what="holds something that is no node id"))
        return ()
    return tuple(str(node) for node in value)


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
    """Return a finite number, or ``None``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_MAX <= value <= _MAX:
        return None
    return float(value)


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
