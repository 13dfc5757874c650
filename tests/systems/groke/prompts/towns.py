"""Small street maps drawn in metres, for tests of what an agent sees."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping

import numpy as np

from navviz.world.geometry import destination
from navviz.world.graph import Graph, Poi

ORIGIN = (54.0, 10.0)


def at(east_m: float, north_m: float) -> tuple[float, float]:
    """``(lat, lon)`` so many metres from the origin."""
    return destination(
        ORIGIN, math.degrees(math.atan2(east_m, north_m)), math.hypot(east_m, north_m)
    )


def town(
    places: Mapping[str, tuple[float, float]],
    streets: Iterable[str],
    pois: Mapping[str, tuple[float, float, Mapping[str, str]]] | None = None,
) -> Graph:
    """A map of two-way streets: each of `streets` is a chain of names such as ``"a b c"``; POIs are
    linked to all.
    """
    index = {name: i for i, name in enumerate(places)}
    pairs: list[tuple[int, int]] = []
    for street in streets:
        names = street.split()
        for a, b in itertools.pairwise(names):
            pairs += [(index[a], index[b]), (index[b], index[a])]
    found = {
        key: Poi(key, at(east, north), tags) for key, (east, north, tags) in (pois or {}).items()
    }
    links = [(node, k) for node in range(len(places)) for k in range(len(found))]
    return Graph(
        name="town",
        frame="geo",
        ids=list(places),
        positions=np.array([at(*place) for place in places.values()]),
        sources=np.array([a for a, _ in pairs], np.int32),
        targets=np.array([b for _, b in pairs], np.int32),
        pois=found,
        poi_link_nodes=np.array([node for node, _ in links], np.int32),
        poi_link_pois=np.array([k for _, k in links], np.int32),
        poi_link_headings_deg=np.zeros(len(links)),
        poi_link_positions=np.zeros((len(links), 2)),
    )


CROSSING = {f"s{i}": (0.0, -20.0 * i) for i in (3, 2, 1)} | {"x": (0.0, 0.0)}
CROSSING |= {f"n{i}": (0.0, 20.0 * i) for i in (1, 2, 3, 4, 5)}
CROSSING |= {f"w{i}": (-20.0 * i, 0.0) for i in (1, 2, 3)} | {
    f"e{i}": (20.0 * i, 0.0) for i in (1, 2, 3)
}
STREETS = ("s3 s2 s1 x n1 n2 n3 n4 n5", "w3 w2 w1 x e1 e2 e3")
POIS: dict[str, tuple[float, float, Mapping[str, str]]] = {
    "signals": (1.0, 1.0, {"highway": "traffic_signals"}),
    "cafe": (12.0, 9.0, {"amenity": "cafe", "name": "Blue Door"}),
    "bank": (-15.0, -40.0, {"amenity": "bank", "name": "Harbour Bank"}),
    "far": (70.0, 10.0, {"amenity": "pub", "name": "Old Anchor"}),
}


def crossing() -> Graph:
    """A crossing in the middle of four streets, 20 m between nodes; one walks north from ``s3``.

    ::

              n1 .. n5
              |
        w1 .. x .. e1 ..      signals at x, a cafe on its north-east corner, a bank west of s2, a
        pub far east
              |
              s1
              s2
              s3
    """
    return town(CROSSING, STREETS, POIS)
