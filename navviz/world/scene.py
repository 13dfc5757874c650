"""What a scene holds: regions with room names, and their objects (HM3D, as NavGen lists it).

Positions are ``(x, y, z)`` in metres, z up. `navviz.world.scene_graph` makes a graph of
a scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial import ConvexHull, QhullError

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
