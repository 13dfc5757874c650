"""A scene as a graph, and a graph with the places of an agent that walks freely.

There is no navigation mesh: a scene as a graph has places and no links, and distances in it are
straight lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navviz.errors import Problems
from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph, Poi
from navviz.world.info import Region, Scene, WorldInfo, object_id, outline_m, region_node

STRAIGHT_LINE = "straight line, no navmesh"
"""What every distance in such a world is to be called; `WorldInfo.distances` holds it."""

_NO_REGION = "-1"


def scene_graph(scene: Scene, world: str, problems: Problems | None = None) -> Graph:
    """Return a scene as a graph without links: regions are nodes, objects are POIs."""
    placed = []
    for region in scene.regions.values():
        middle = region.middle
        # -1 stands for no region at all; its objects stay POIs
        if middle is not None and region.id != _NO_REGION:
            placed.append((region, middle))
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
                tags = {"name": thing.name, "region": region.id}
                if region.room:
                    tags["room"] = region.room
                pois.append((object_id(thing), Poi(object_id(thing), thing.position, tags)))
    return pois


def _feet_m(region: Region) -> float:
    """Height of a region's floor: its lowest objects stand on it, a stray one does not count."""
    heights = [thing.position[2] for thing in region.objects if thing.position is not None]
    return float(np.percentile(heights, 10))


def _drawn(region: Region) -> dict[str, Any]:
    return {
        "name": region.label.partition(": ")[2] or region.label,
        "node": region_node(region.id),
        "outline_m": [[round(x, 3), round(y, 3)] for x, y in outline_m(region)],
    }


def with_places(
    graph: Graph, places: Mapping[str, Sequence[float]], walks: Sequence[Sequence[str]] = ()
) -> Graph:
    """Return a graph in metres with further nodes: poses of a free walk, and its targets.

    `places`: positions by node id. Nodes that the graph has stay where they are. `walks`: node ids
    in the order they were passed; neighbours become linked both ways, so that distances between
    poses are those along the recorded path.
    """
    width = 2 if graph.frame == "geo" else 3
    new = {node: _padded(at, width) for node, at in places.items() if node not in graph}
    if not new:
        return graph
    ids = [*graph.ids, *new]
    index = {node: k for k, node in enumerate(ids)}
    pairs: set[tuple[int, int]] = set()
    for a, b in chain.from_iterable(map(pairwise, walks)):
        if a in index and b in index and a != b:
            pairs |= {(index[a], index[b]), (index[b], index[a])}
    # two columns also where there is no pair at all
    sources, targets = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2).T
    positions = np.array([*graph.positions.tolist(), *new.values()], dtype=float)
    feet_m = dict(graph.info.feet_m)
    if graph.frame == "metric":  # a pose lies on the floor, unlike a camera
        feet_m |= {node: place[2] for node, place in new.items()}
    return Graph(
        name=graph.name,
        frame=graph.frame,
        ids=ids,
        positions=positions,
        # new links stand behind the graph's own in every array, as do their lengths and shapes
        sources=np.concatenate([graph.sources, sources]).astype(np.int32),
        targets=np.concatenate([graph.targets, targets]).astype(np.int32),
        given_lengths_m=_lengths_with(graph, positions, sources, targets),
        shapes=None if graph.shapes is None else graph.shapes.followed_by_straight(len(sources)),
        pois=graph.pois,
        info=replace(graph.info, feet_m=feet_m, poses=graph.info.poses | frozenset(new)),
    )


def _lengths_with(
    graph: Graph,
    positions: NDArray[np.float64],
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
) -> NDArray[np.float64] | None:
    """Lengths of a graph's links followed by straight ones; ``None`` where all are straight."""
    if graph.given_lengths_m is None:
        return None
    starts, ends = positions[sources], positions[targets]
    if graph.frame == "geo":
        straight_m = great_circle_m(starts, ends)
    else:
        straight_m = np.linalg.norm(ends - starts, axis=1)
    return np.concatenate([graph.given_lengths_m, straight_m])


def _padded(place: Sequence[float], width: int) -> list[float]:
    """Return a position with as many coordinates as the world has; a missing height is 0."""
    return [*map(float, place[:width]), *[0.0] * (width - len(place))]


def bare_world(name: str) -> Graph:
    """Return a world in metres of which nothing is known: a walk draws its own ground there."""
    nothing = np.empty(0, np.int32)
    return Graph(name, "metric", [], np.empty((0, 3)), nothing, nothing)
