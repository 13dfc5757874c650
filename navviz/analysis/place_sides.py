"""On which side of a route a place stands, leg by leg.

A place near a corner of the route has a side on the leg before and on the leg after it. Its side is
known only where all legs that come near agree, and where the place is clearly beside the street.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from navviz.analysis.landmarks import bearers_of_name, pois_near_nodes
from navviz.analysis.route_turns import RouteTurn, Side
from navviz.systems.rules.search.landmarks import normalise
from navviz.world.graph import Graph, Poi

_AROUND_M: Final = 90.0
"""A name must be the only one of its kind within this of the route."""
_BESIDE_M: Final = (5.0, 30.0)
"""How far to the side of a street a place stands that is beside it: nearer than 5 m its point may
be on the wrong side of the street's line, further than 30 m it is in another street."""
_AHEAD_M: Final = 25.0
"""A leg goes on beyond its corner: what stands across the junction is named with it."""

_PASSING_WORDS: Final = frozenset({"shop", "store", "restaurant", "cafe", "bar", "building"})
"""Words that walkers add to a name, and that rule out no place of that name."""
_STREET_WORDS: Final = frozenset({"place", "street", "avenue", "lane", "alley", "bowery"})
"""A name that ends so may be a street or a station, not the shop that is called after it."""
_AREA_KEYS: Final = ("leisure", "place", "landuse", "boundary")
_AREA_NAME: Final = re.compile(
    r"\b(?:park|square|garden|plaza|triangle|campus|university|cemetery|terminal|houses)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlaceSide:
    """Where a place stands beside a route."""

    poi: str
    name: str
    side: Side
    along_m: float
    """Metres from the start to where the route comes nearest."""
    lateral_m: float
    """Metres to the side, positive to the right."""
    node: int
    """Index into the path of the nearest node."""


def find_place(name: str, path: Sequence[str], graph: Graph) -> Poi | None:
    """Return the one place within 60 m of a route that bears a name.

    Returns
    -------
    ``None`` where there is none, where another name near the route has the same first word, where
    the name has a word that the map lacks and that may tell another place ("Square Park" is not
    "Square Hotel"), and for parks and squares, which lie on both sides of a corner.
    """
    bearers = bearers_of_name(name, graph, path)
    if len(bearers) != 1:
        return None
    poi = graph.pois[bearers[0]]
    words, on_map = normalise(name).split(), normalise(poi.tags["name"]).split()
    if words[-1] in _STREET_WORDS or set(words) - set(on_map) - _PASSING_WORDS or _is_area(poi):
        return None
    around = pois_near_nodes(graph, path, _AROUND_M)
    names = [normalise(other.tags["name"]) for other in around if "name" in other.tags]
    alike = [other for other in names if words[0] in other.split()]
    return poi if len(alike) == 1 else None


def _is_area(poi: Poi) -> bool:
    return (
        any(key in poi.tags for key in _AREA_KEYS)
        or _AREA_NAME.search(poi.tags["name"]) is not None
    )


def side_of_place(
    poi: Poi, path: Sequence[str], turns: Sequence[RouteTurn], graph: Graph
) -> PlaceSide | None:
    """Find the side of a route on which a place stands.

    Returns
    -------
    ``None`` where legs of the route disagree, where the place stands within 5 m of the street's
    line, or where it is not beside the route at all.
    """
    points = graph.metric_positions[[graph.index[node] for node in path]][:, :2]
    places = _points_of(poi, path, graph)
    cuts = sorted(
        {0, len(path) - 1, *(turn.first for turn in turns), *(turn.last for turn in turns)}
    )
    laterals: list[tuple[float, float, float, int]] = []
    for k in range(len(cuts) - 1):
        for place in places:
            seen = _beside(points, cuts[k], cuts[k + 1], place)
            if seen is not None:
                laterals.append(seen)
    if not laterals:
        return None
    sides_m = [seen[1] for seen in laterals]
    if min(abs(side_m) for side_m in sides_m) < _BESIDE_M[0]:
        return None
    if min(sides_m) < 0 < max(sides_m):
        return None
    # a leg that it stands beside goes before one that only points towards it
    near = min(laterals, key=lambda seen: (seen[0], abs(seen[1])))
    if near[0] > _AHEAD_M or abs(near[1]) > _BESIDE_M[1]:
        return None
    side: Side = "right" if near[1] > 0 else "left"
    return PlaceSide(poi.id, poi.name, side, near[2], near[1], near[3])


def _points_of(poi: Poi, path: Sequence[str], graph: Graph) -> NDArray[np.float64]:
    """Return the place's own point and the points of its outline that the route's nodes see."""
    places = [list(poi.position[:2])]
    # the links of one place are few; those of a street, as objects, took a tenth of the time
    links = np.flatnonzero(graph.poi_link_pois == graph.poi_ids.index(poi.id))
    points: dict[int, list[list[float]]] = {}
    for k, node in zip(links.tolist(), graph.poi_link_nodes[links].tolist(), strict=True):
        points.setdefault(node, []).append(graph.poi_link_positions[k, :2].tolist())
    for node in path:
        places += points.get(graph.index[node], [])
    return graph.to_metric(np.array(places, float))


def _beside(
    points: NDArray[np.float64], first: int, last: int, place: NDArray[np.float64]
) -> tuple[float, float, float, int] | None:
    """Measure a place against the straight leg between two nodes of the path.

    Returns
    -------
    How far it lies beyond the leg's ends, its lateral distance (positive to the right), the metres
    along the route, and the nearest node; ``None`` where it is not near the leg.
    """
    length_m = math.dist(points[first].tolist(), points[last].tolist())
    # so short a leg has no direction of which a place could be left or right
    if length_m < 2.0:
        return None
    ahead = (points[last] - points[first]) / length_m
    offset = place - points[first]
    along_m = float(offset @ ahead)
    # x is east and y is north, so that the right side is positive
    lateral_m = float(offset[0] * ahead[1] - offset[1] * ahead[0])
    beyond_m = max(0.0, -along_m, along_m - length_m)
    if along_m < -5.0 or beyond_m > 2 * _AHEAD_M or abs(lateral_m) > 2 * _BESIDE_M[1]:
        return None
    steps_m = np.hypot(*np.diff(points[: last + 1], axis=0).T)
    before_m = float(steps_m[:first].sum())
    node = first + int(np.argmin(np.hypot(*(points[first : last + 1] - place).T)))
    return beyond_m, lateral_m, before_m + min(max(along_m, 0.0), length_m), node
