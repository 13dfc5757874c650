"""What the grammar understood of an instruction, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MAX_UNITS = 30
"""Units beyond this are dropped (long instructions in the data sets have about 12)."""

Turn = Literal["straight", "left", "right", "slight-left", "slight-right", "any"]
Place = Literal["light", "T", "side", "intersection", "corner", "fork", "end", "none"]
Relation = Literal["before", "at", "after", "near", "too-far"]
StopKind = Literal[
    "at-junction",
    "before-junction",
    "after-junction",
    "steps",
    "third",
    "half",
    "two-thirds",
    "almost",
    "end",
    "building-1",
    "building-2",
    "building-n",
    "building-last",
    "middle",
]


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """A place that the instruction names."""

    text: str
    category: str | None
    """Name of a `categories.Category` where a common noun was used, else ``None``."""
    side: Literal["left", "right"] | None = None
    corner: bool = False
    near: str | None = None
    """``near`` or ``far``, of a corner."""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of the plan, in the order in which it is met."""

    kind: Literal["junction", "landmark"]
    turn: Turn = "straight"
    place: Place = "none"
    next: bool = False
    """Said to be the next, the first or the immediate one: nothing of its kind is passed before it.
    """
    double: bool = False
    mentions: tuple[int, ...] = ()
    """Indices into `Reading.mentions`."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class StopPhrase:
    """Where to stop."""

    kinds: tuple[StopKind, ...] = ()
    place: Place = "none"
    mentions: tuple[tuple[int, Relation], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the grammar understood of an instruction."""

    text: str
    mentions: tuple[PlaceMention, ...] = ()
    units: tuple[Unit, ...] = ()
    stop: StopPhrase = StopPhrase()
