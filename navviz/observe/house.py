"""What is known of a house besides its graph: sentences and objects of each viewpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["SECTORS", "HouseObservations", "NearObject"]

SECTORS = 8
"""Directions of 45 degrees in which a viewpoint is described, the first centred on +y, clockwise."""


@dataclass(frozen=True, slots=True)
class NearObject:
    """An object near a viewpoint."""

    name: str
    heading_deg: float
    distance_m: float


@dataclass(frozen=True, slots=True)
class HouseObservations:
    """Observations of one house, by viewpoint; what a file lacks is absent, not empty."""

    scan: str
    scenes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Eight sentences, one a sector."""
    summaries: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, tuple[tuple[NearObject, ...], ...]] = field(default_factory=dict)
    """Eight lists, one a sector."""

    def __bool__(self) -> bool:
        return bool(self.scenes)
