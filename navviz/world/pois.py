"""Points of interest, and how street nodes see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from navviz.support.cut_texts import LONGEST_NAME, cut_name


@dataclass(frozen=True, slots=True)
class Poi:
    """A point of interest (outdoors) or an object (indoors)."""

    id: str
    position: tuple[float, ...]
    """``(lat, lon)`` in degrees or ``(x, y, z)`` in metres."""
    tags: Mapping[str, str]

    def __post_init__(self) -> None:
        """Cut values that are too long to be compared; the map's file keeps them."""
        long = {}
        for tag, value in self.tags.items():
            if isinstance(value, str) and len(value) > LONGEST_NAME:
                long[tag] = cut_name(value)
        if long:
            object.__setattr__(self, "tags", {**self.tags, **long})

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


class PoiTable(Mapping[str, Poi]):
    """POIs by id, each made when it is first asked for: of 200,000 a page shows a hundred.

    `positions`: shape ``(k, 2)`` in degrees or ``(k, 3)`` in metres.
    """

    def __init__(
        self,
        ids: Sequence[str],
        positions: NDArray[np.float64],
        texts: Sequence[str],
        parse: Callable[[str], Mapping[str, str]],
    ) -> None:
        self.ids = ids
        self.positions = positions
        self.texts = texts
        self._parse = parse
        self._made: dict[str, Poi] = {}

    @cached_property
    def _index(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.ids)}

    def __getitem__(self, key: str) -> Poi:
        poi = self._made.get(key)
        if poi is None:
            i = self._index[key]
            poi = self._made[key] = Poi(
                key, tuple(self.positions[i].tolist()), self._parse(self.texts[i])
            )
        return poi

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    # that of Mapping would make the POI to find out
    def __contains__(self, key: object) -> bool:
        return key in self._index

    def moved(self, positions: NDArray[np.float64]) -> PoiTable:
        """Return the same POIs at other positions."""
        return PoiTable(self.ids, positions, self.texts, self._parse)

    def marked(self, text: str) -> list[Poi]:
        """POIs whose tags may hold `text` (a plain word), in file order."""
        return [self[key] for key, tags in zip(self.ids, self.texts, strict=True) if text in tags]


def positions_of(pois: Mapping[str, Poi], width: int) -> NDArray[np.float64]:
    """Positions of POIs in their order, shape ``(k, width)``."""
    if isinstance(pois, PoiTable):
        return pois.positions
    return np.array([poi.position for poi in pois.values()], dtype=float).reshape(-1, width)


def moved_pois(pois: Mapping[str, Poi], positions: NDArray[np.float64]) -> Mapping[str, Poi]:
    """Return the same POIs at other positions, in their order."""
    if isinstance(pois, PoiTable):
        return pois.moved(positions)
    pairs = zip(pois.values(), positions.tolist(), strict=True)
    return {poi.id: replace(poi, position=tuple(at)) for poi, at in pairs}


def marked_pois(pois: Mapping[str, Poi], text: str) -> list[Poi]:
    """POIs whose tags may hold `text` (a plain word), in file order; the caller looks closer."""
    return pois.marked(text) if isinstance(pois, PoiTable) else list(pois.values())
