"""Pictures of the floors of a house, seen from above, and where they lie in its frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

FloorSource = Literal["picture", "habitat", "mesh"]
"""Who made it: somebody, Habitat's navigation mesh (walkable or not), or `navviz data floor`."""
SOURCES: tuple[FloorSource, ...] = get_args(FloorSource)
"""The first is preferred."""
_TOLERANCE_M = 0.35
"""A floor's level may lie this far outside of the heights that a picture shows."""


@dataclass(frozen=True, slots=True)
class FloorPicture:
    """A picture of one floor, north (+y) up."""

    file: Path
    metres_per_pixel: float
    origin_m: tuple[float, float]
    """``(x, y)`` of the picture's top left corner."""
    z_m: tuple[float, float]
    """Heights that it shows, from and to."""
    size_px: tuple[int, int]
    """Width and height."""
    source: FloorSource = "picture"

    @property
    def box_m(self) -> tuple[float, float, float, float]:
        """West, south, east and north edge."""
        (west, north), (width, height) = self.origin_m, self.size_px
        east = west + width * self.metres_per_pixel
        return west, north - height * self.metres_per_pixel, east, north


def pictures_by_floor(
    pictures: Iterable[FloorPicture], levels_m: Sequence[float]
) -> dict[int, FloorPicture]:
    """Choose the picture of each floor: by its source, then by how close its lower edge is.

    Parameters
    ----------
    pictures
        All that are there of a house.
    levels_m
        Height of each floor.

    Returns
    -------
    By floor, counted from 0; floors without a picture are absent.
    """
    every = list(pictures)
    chosen: dict[int, FloorPicture] = {}
    for floor, level_m in enumerate(levels_m):
        showing = [picture for picture in every if _covers_level(picture, level_m)]
        if showing:
            chosen[floor] = min(showing, key=lambda picture: _rank(picture, level_m))
    return chosen


def _covers_level(picture: FloorPicture, level_m: float) -> bool:
    low, high = picture.z_m
    # tolerance below alone: above the heights that it shows lies another floor
    return low - _TOLERANCE_M <= level_m <= high


def _rank(picture: FloorPicture, level_m: float) -> tuple[int, float]:
    return SOURCES.index(picture.source), abs(level_m - picture.z_m[0])
