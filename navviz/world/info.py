"""What a world brings beside its graph: source, what to draw, and facts about a house."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from navviz.errors import Problems
from navviz.world.house import HouseObjects, HouseObservations

Position = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SceneObject:
    """One object."""

    id: str
    name: str
    position: Position | None
    """Its middle; ``None`` where the list gives none (0, 0, 0)."""


@dataclass(frozen=True, slots=True)
class Region:
    """One region, mostly a room."""

    id: str
    room: str | None = None
    """``Kitchen``; rooms that tied in the vote have both names: ``Bedroom & Hall``."""
    tie: bool = False
    objects: tuple[SceneObject, ...] = ()

    @property
    def label(self) -> str:
        """As LH-VLN writes it: ``Region 8: Kitchen``."""
        if not self.room:
            return f"Region {self.id}"
        tie = "Tie: " if self.tie else ""
        return f"Region {self.id}: {tie}{self.room}"

    @property
    def middle(self) -> Position | None:
        """Mean of its objects; ``None`` for a region without any that has a place."""
        places = [thing.position for thing in self.objects if thing.position is not None]
        if not places:
            return None
        x, y, z = np.mean(places, axis=0).tolist()
        return x, y, z

    def named(self, name: str) -> tuple[SceneObject, ...]:
        """Objects of this name."""
        return tuple(thing for thing in self.objects if thing.name == name)


@dataclass(frozen=True, slots=True)
class Scene:
    """All regions of one scene, by id, in file order."""

    name: str
    regions: Mapping[str, Region] = field(default_factory=dict)

    @property
    def rooms(self) -> tuple[Region, ...]:
        """Regions that have a room's name."""
        return tuple(region for region in self.regions.values() if region.room)

    def objects(self, name: str, region: str) -> tuple[SceneObject, ...]:
        """Objects of a name in one region, exactly that; empty where there is none."""
        there = self.regions.get(region)
        return there.named(name) if there is not None else ()


def region_node(region: str) -> str:
    """Node id of a region."""
    return f"region {region}"


def object_id(thing: SceneObject) -> str:
    """POI id of an object, unique in its scene."""
    return f"{thing.name} {thing.id}"


def outline_m(region: Region) -> list[tuple[float, float]]:
    """Convex hull of a region's objects seen from above, ``(x, y)`` in metres."""
    positions = [thing.position for thing in region.objects if thing.position is not None]
    # each place once: the count below must not take objects at one place for a surface
    places = sorted({(x, y) for x, y, _ in positions})
    try:
        hull = ConvexHull(np.array(places)) if len(places) > 2 else None
    except QhullError:  # all on one line
        hull = None
    return places if hull is None else [places[k] for k in hull.vertices]


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

    Returns pictures by floor, counted from 0; floors without one are absent.
    """
    every = list(pictures)
    chosen: dict[int, FloorPicture] = {}
    for floor, level_m in enumerate(levels_m):
        showing = [picture for picture in every if _covers_level(picture, level_m)]
        if showing:
            chosen[floor] = min(
                showing,
                key=lambda picture: (SOURCES.index(picture.source), abs(level_m - picture.z_m[0])),
            )
    return chosen


def _covers_level(picture: FloorPicture, level_m: float) -> bool:
    low, high = picture.z_m
    # tolerance below alone: above the heights that it shows lies another floor
    return low - _TOLERANCE_M <= level_m <= high


@dataclass(frozen=True, kw_only=True)
class WorldInfo:
    """What a format adds to a `Graph`; what it lacks is empty or ``None``."""

    problems: Problems = field(default_factory=Problems)
    """What could not be read of the world's files."""
    source: str = ""
    """Folder or file it was read from."""
    files: tuple[Path, ...] = ()
    """The files that were read for it, texts of places that are looked up later left out."""
    attribution: str | None = None
    """What a map of it must name."""
    backdrop: Mapping[str, Any] | None = None
    """GeoJSON of what may be drawn behind the streets."""
    yaw_deg: NDArray[np.float64] | None = None
    """Panorama graphs: heading of each panorama, in node order."""
    node_splits: Sequence[str] = ()
    """Panorama graphs: ``seen`` or ``unseen`` for each node, in node order."""
    camera_height_m: Mapping[str, float] = field(default_factory=dict)
    """Houses: height of the camera above the floor, by node; may lack nodes."""
    rotations: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Houses: rotation of the camera's pose, 9 numbers row by row, by node; its skybox needs it."""
    excluded: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    """Houses: viewpoints that the simulator leaves out, with ``(x, y, z)`` in metres."""
    floor_names: Sequence[str] = ()
    """Houses: from the lowest floor up."""
    rooms: Mapping[str, Any] | None = None
    """Room outlines of a house, ``{floors, rooms, doors}``; for drawing only, so not checked."""
    floor_pictures: Sequence[FloorPicture] = ()
    """Pictures of a house's floors; of several of one floor the best is drawn."""
    observations: HouseObservations | None = None
    """Houses: sentences and objects of each viewpoint."""
    visible_objects: HouseObjects | None = None
    """Houses: the true objects that each viewpoint sees, by view."""
    scene: Scene | None = None
    """Scenes without a navigation mesh: regions and objects."""
    distances: str | None = None
    """What distances in this world are to be called, where they are not along links."""
    feet_m: Mapping[str, float] = field(default_factory=dict)
    """Height of the floor at each node, where the camera's height is no help."""
    poses: frozenset[str] = frozenset()
    """Nodes that one walk brought: poses of an agent that walks freely, and its targets."""
