"""Points of interest, and how street nodes see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Poi", "PoiLink"]


@dataclass(frozen=True, slots=True)
class Poi:
    """A point of interest (outdoors) or an object (indoors)."""

    id: str
    position: tuple[float, ...]
    """``(lat, lon)`` in degrees or ``(x, y, z)`` in metres."""
    tags: Mapping[str, str]

    @property
    def name(self) -> str:
        """Its name, or what its first tag says, or its id."""
        if "name" in self.tags:
            return self.tags["name"]
        return next((str(value).replace("_", " ") for value in self.tags.values()), self.id)


@dataclass(frozen=True, slots=True)
class PoiLink:
    """From a street node to the nearest point of a POI's outline."""

    node: str
    poi: str
    heading_deg: float
    position: tuple[float, ...]
