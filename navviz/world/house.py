"""What is known of a house besides its graph: sentences and objects of each viewpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

SECTORS = 8
"""Directions of 45 degrees in which a viewpoint is described, the first centred on +y, clockwise.
"""


@dataclass(frozen=True, slots=True)
class NearObject:
    """An object near a viewpoint."""

    name: str
    """Blanks as the file has them: NavGPT's prompts repeat them."""
    heading_deg: float
    distance_m: float


@dataclass(frozen=True, slots=True)
class NavigableWay:
    """A way on from a viewpoint, as NavGPT's ``navigable`` files have it."""

    node: str
    heading_deg: float
    """As in the file, from -15 to 345: heading of the view plus the angle to the object."""
    distance_m: float


@dataclass(frozen=True, slots=True)
class HouseObservations:
    """Observations of one house, by viewpoint; what a file lacks is absent, not empty."""

    scan: str
    scenes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Eight sentences, one a sector; blanks as the file has them."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, tuple[tuple[NearObject, ...], ...]] = field(default_factory=dict)
    """Eight lists, one a sector."""
    ways: Mapping[str, tuple[NavigableWay, ...]] = field(default_factory=dict)
    """Ways on, in the order of the file."""

    def __bool__(self) -> bool:
        return bool(self.scenes)


Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class VisibleObject:
    """One object as it is seen from one viewpoint."""

    id: str
    """Its number in the house (``objId`` of REVERIE), as a text."""
    name: str
    """In plain words: ``coffee table``."""
    views: tuple[int, ...]
    """Views (0 to 35) in which it is visible; empty where something hides it."""
    boxes: tuple[Box, ...]
    """``(x, y, width, height)`` in pixels of 640 x 480, one a view of `views`."""

    @property
    def visible(self) -> bool:
        """Whether it can be seen in any view."""
        return bool(self.views)

    def box(self, view: int) -> Box | None:
        """Its box in a view, ``None`` where it is not visible there."""
        return self.boxes[self.views.index(view)] if view in self.views else None


@dataclass(frozen=True)
class HouseObjects:
    """Objects of one house by viewpoint; a viewpoint without a file is absent, not empty."""

    scan: str
    at: Mapping[str, tuple[VisibleObject, ...]] = field(default_factory=dict)
    """By viewpoint, in file order: the objects within 3 m, hidden ones included."""

    def __bool__(self) -> bool:
        return bool(self.at)

    def in_view(self, viewpoint: str, view: int) -> tuple[VisibleObject, ...]:
        """Objects visible in one view, the largest box first."""
        seen = [thing for thing in self.at.get(viewpoint, ()) if view in thing.views]
        return tuple(sorted(seen, key=lambda thing: -_area(thing.box(view))))

    def visible_from(self, object_id: str) -> frozenset[str]:
        """Viewpoints from which an object can be seen: REVERIE's goal set."""
        return self._visible_from.get(object_id, frozenset())

    def visible(self) -> Iterator[tuple[str, VisibleObject]]:
        """Every pair of a viewpoint and an object that can be seen from it."""
        for viewpoint, things in self.at.items():
            yield from ((viewpoint, thing) for thing in things if thing.visible)

    @cached_property
    def names(self) -> frozenset[str]:
        """All names in the house."""
        things = chain.from_iterable(self.at.values())
        return frozenset(thing.name for thing in things)

    @cached_property
    def _visible_from(self) -> dict[str, frozenset[str]]:
        places: dict[str, set[str]] = {}
        for viewpoint, thing in self.visible():
            places.setdefault(thing.id, set()).add(viewpoint)
        return {name: frozenset(nodes) for name, nodes in places.items()}


def _area(box: Box | None) -> float:
    return 0.0 if box is None else box[2] * box[3]
