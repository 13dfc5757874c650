"""What a scene holds: regions with a room's name, and the objects in them (Habitat-Matterport3D, as NavGen lists it).

Positions are ``(x, y, z)`` in metres, z up. There is no navigation mesh: a scene as a graph has places and no links,
and distances in it are straight lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from navviz.errors import Problems
from navviz.world.graph import Graph, Poi
from navviz.world.info import WorldInfo

__all__ = ["STRAIGHT_LINE", "Region", "Scene", "SceneObject", "outline_m", "scene_graph", "with_places"]

Position = tuple[float, float, float]

STRAIGHT_LINE = "straight line, no navmesh"
"""What every distance in such a world is to be called; `WorldInfo.distances` holds it."""

_NO_REGION = "-1"


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
        return f"Region {self.id}: {'Tie: ' if self.tie else ''}{self.room}" if self.room else f"Region {self.id}"

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


def scene_graph(scene: Scene, world: str, problems: Problems | None = None) -> Graph:
    """Return a scene as a graph without links: regions as nodes at the mean of their objects, objects as POIs."""
    placed = [(region, middle) for region in scene.regions.values() if (middle := region.middle) is not None]
    placed = [(region, middle) for region, middle in placed if region.id != _NO_REGION]
    nothing = np.empty(0, np.int32)
    return Graph(
        name=world,
        frame="metric",
        ids=[region_node(region.id) for region, _ in placed],
        positions=np.array([middle for _, middle in placed], dtype=float).reshape(-1, 3),
        sources=nothing,
        targets=nothing,
        pois=dict(_pois(scene)),
        info=WorldInfo(
            problems=problems or Problems(),
            scene=scene,
            distances=STRAIGHT_LINE,
            feet_m={region_node(region.id): _feet_m(region) for region, _ in placed},
            rooms={"outlines": [_drawn(region) for region, _ in placed]},
        ),
    )


def _pois(scene: Scene) -> list[tuple[str, Poi]]:
    pois = []
    for region in scene.regions.values():
        for thing in region.objects:
            if thing.position is not None:
                tags = {"name": thing.name, "region": region.id} | ({"room": region.room} if region.room else {})
                pois.append((object_id(thing), Poi(object_id(thing), thing.position, tags)))
    return pois


def _feet_m(region: Region) -> float:
    """Height of the floor of a region: its lowest objects stand on it, a stray one does not count."""
    heights = [thing.position[2] for thing in region.objects if thing.position is not None]
    return float(np.percentile(heights, 10))


def _drawn(region: Region) -> dict[str, Any]:
    return {
        "name": region.label.partition(": ")[2] or region.label,
        "node": region_node(region.id),
        "outline_m": [[round(x, 3), round(y, 3)] for x, y in outline_m(region)],
    }


def outline_m(region: Region) -> list[tuple[float, float]]:
    """Convex hull of a region's objects seen from above, ``(x, y)`` in metres; as it is for fewer than three."""
    places = sorted({(thing.position[0], thing.position[1]) for thing in region.objects if thing.position is not None})
    try:
        hull = ConvexHull(np.array(places)) if len(places) > 2 else None
    except QhullError:  # all on one line
        hull = None
    return places if hull is None else [places[k] for k in hull.vertices]


def with_places(graph: Graph, places: Mapping[str, Sequence[float]], walks: Sequence[Sequence[str]] = ()) -> Graph:
    """Return a graph in metres with further nodes: poses of an agent that walks freely, and its targets.

    Parameters
    ----------
    graph
        The world; it stays as it is.
    places
        Positions by node id. Nodes that the graph has stay where they are.
    walks
        Node ids in the order they were passed; neighbours become linked both ways, so that distances between poses are
        those along the recorded path.
    """
    new = {node: place for node, place in places.items() if node not in graph}
    if not new:
        return graph
    ids = [*graph.ids, *new]
    index = {node: k for k, node in enumerate(ids)}
    pairs = {(index[a], index[b]) for walk in walks for a, b in pairwise(walk) if a in index and b in index and a != b}
    pairs |= {(b, a) for a, b in pairs}
    sources, targets = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2).T
    positions = np.array([*graph.positions.tolist(), *(list(place) for place in new.values())], dtype=float)
    feet_m = {**graph.info.feet_m, **{node: float(place[2]) for node, place in new.items()}}
    return Graph(
        name=graph.name,
        frame="metric",
        ids=ids,
        positions=positions.reshape(-1, 3),
        sources=np.concatenate([graph.sources, sources]).astype(np.int32),
        targets=np.concatenate([graph.targets, targets]).astype(np.int32),
        given_lengths_m=_lengths_with(graph, positions.reshape(-1, 3), sources, targets),
        shapes=None if graph.shapes is None else graph.shapes.followed_by_straight(len(sources)),
        pois=graph.pois,
        info=replace(graph.info, feet_m=feet_m, poses=graph.info.poses | frozenset(new)),
    )


def _lengths_with(
    graph: Graph, positions: NDArray[np.float64], sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> NDArray[np.float64] | None:
    """Lengths of a graph's links with those of further, straight ones behind them; ``None`` where all are straight."""
    if graph.given_lengths_m is None:
        return None
    straight_m = np.linalg.norm(positions[targets] - positions[sources], axis=1)
    return np.concatenate([graph.given_lengths_m, straight_m])
