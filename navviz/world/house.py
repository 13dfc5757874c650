"""What is known of a house besides its graph: sentences and objects of each viewpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
