"""A small town for the tests of the rules: blocks of 80 m with a node every 10 m, lights and shops
where a test puts them.

Crossings are ``a0 .. e4``: letters go east, numbers north. Nodes between are ``a0>b0:3`` (the third
from ``a0``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.world.graph import Graph, Poi

BLOCK_M, NODE_M = 80.0, 10.0
LAT0, LON0 = 50.0, 8.0
_LAT_M = math.degrees(1.0 / 6_371_000.0)
_LON_M = _LAT_M / math.cos(math.radians(LAT0))


def position(east_m: float, north_m: float) -> tuple[float, float]:
    return LAT0 + north_m * _LAT_M, LON0 + east_m * _LON_M


def town(
    size: int = 5,
    lights: Sequence[str] | None = None,
    shops: Mapping[str, tuple[float, float, Mapping[str, str]]] | None = None,
    without: Sequence[tuple[str, str]] = (),
) -> Graph:
    """A town; `lights` at crossings (default: all), `shops` by id as ``(east_m, north_m, tags)``,
    `without` some blocks.
    """
    places = {
        f"{chr(97 + c)}{r}": (c * BLOCK_M, r * BLOCK_M) for c in range(size) for r in range(size)
    }
    crossings = list(places)
    links: list[tuple[str, str]] = []
    for a in crossings:
        east = f"{chr(ord(a[0]) + 1)}{a[1:]}"
        north = f"{a[0]}{int(a[1:]) + 1}"
        for b in (east, north):
            if b in crossings and (a, b) not in without:
                links += _street(places, a, b)
    pois = {
        f"light-{n}": Poi(f"light-{n}", position(*places[n]), {"highway": "traffic_signals"})
        for n in (crossings if lights is None else lights)
    }
    for key, (east_m, north_m, tags) in (shops or {}).items():
        pois[key] = Poi(key, position(east_m, north_m), dict(tags))
    ids = list(places)
    index = {node: i for i, node in enumerate(ids)}
    both = links + [(b, a) for a, b in links]
    return Graph(
        name="town",
        frame="geo",
        ids=ids,
        positions=np.array([position(*places[node]) for node in ids]),
        sources=np.array([index[a] for a, _ in both], np.int32),
        targets=np.array([index[b] for _, b in both], np.int32),
        pois=pois,
    )


def _street(places: dict[str, tuple[float, float]], a: str, b: str) -> list[tuple[str, str]]:
    (x0, y0), (x1, y1) = places[a], places[b]
    count = int(BLOCK_M / NODE_M)
    chain = [a]
    for k in range(1, count):
        node = f"{a}>{b}:{k}"
        places[node] = (x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count)
        chain.append(node)
    chain.append(b)
    return list(itertools.pairwise(chain))


def episode(
    instruction: str, start: str = "c0>c1:2", heading_deg: float | None = 0.0, **more: Any
) -> Episode:
    return Episode(
        id="t1",
        dataset="town",
        instruction=instruction,
        start=start,
        start_heading_deg=heading_deg,
        **more,
    )


def walk(
    navigator, task: Episode, graph: Graph, past: Trace | None = None, **settings: Any
) -> Trace:
    options = navigator.settings_type(**settings)
    header = (
        past.header if past is not None else TraceHeader(navigator=navigator.name, episode=task)
    )
    return fold([header, *navigator.navigate(task, graph, None, options, past)])
