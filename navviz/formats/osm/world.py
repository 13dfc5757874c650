"""A map's streets and places as a world: nodes about every 10 m, POIs linked to streets.

Streets between two junctions are split evenly, as Map2Seq's are (Schumann and Riezler 2021): its
links are 10.0 m long in the median. A POI is linked to the nodes within 33 m of its outline, which
is how far Map2Seq's links reach.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from navviz.errors import InputError, Problem, Problems
from navviz.formats.map2seq.splits import LINK_SHAPES, link_shape_lines
from navviz.support.guarded import writing
from navviz.world.geometry import (
    apart_deg,
    great_circle_m,
    middle_deg,
    turned_deg,
    within_180,
)
from navviz.world.graph import Graph, Poi
from navviz.world.info import WorldInfo
from navviz.world.link_shapes import LinkShapes

ATTRIBUTION = "© OpenStreetMap contributors"
SPACING_M = 10.0
"""Distance between two street nodes, as Map2Seq has it."""
REACH_M = 33.0
"""A POI is linked to street nodes this near to its outline (the farthest link of Map2Seq: 33.3 m).
"""
_OUTLINE_M = 5.0
"""Step along a POI's outline when its nearest streets are looked for: well below the reach of 33 m.
"""
_AT_NODE_M = 0.01
"""A bend this near to a node is the node."""
JUMP_M = 20_000.0
"""No street runs so far without a bend; OSM draws one every few hundred metres."""
_FAR_DEG = 5.0
"""No map that is walked is 5 degrees (500 km) wide; a node farther off is a fault of the file."""

Position = tuple[float, float]
Name = TypeVar("Name")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class TaggedPlace:
    """A POI before it is linked: its tags and its outline (one point for a node)."""

    id: str
    tags: Mapping[str, str]
    outline: NDArray[np.float64]
    others: tuple[NDArray[np.float64], ...] = ()
    """Further outlines, of places in several parts."""


@dataclass(slots=True)
class StreetMap:
    """What a source gives: positions of junction candidates, walkable ways, POIs."""

    positions: dict[str, Position] = field(default_factory=dict)
    ways: list[list[str]] = field(default_factory=list)
    places: list[TaggedPlace] = field(default_factory=list)


def to_graph(street_map: StreetMap, name: str, file: str, problems: Problems) -> Graph:
    """Return the graph of a map; raises `InputError` where it has no street."""
    if not street_map.ways:
        raise InputError("has no street that one can walk", "choose a larger extract", file=file)
    street_map = _run_on_at_180(_checked(street_map, file, problems))
    ids, positions, streets = _split(street_map)
    pairs = np.array(list(streets), dtype=np.int32).reshape(-1, 2)
    # the links back follow in the same order, so lengths and bends are doubled in it too
    both = np.concatenate([pairs, pairs[:, ::-1]])
    bends = [piece.bends for piece in streets.values()]
    shapes = LinkShapes.of([*bends, *(line[::-1] for line in bends)], 2)
    lengths_m = np.array([piece.length_m for piece in streets.values()] * 2, dtype=np.float64)
    towards = positions[both[:, 1]]
    if shapes is not None:
        # one enters a bent link towards its first bend
        towards[shapes.bent] = shapes.points[shapes.begin[shapes.bent]]
    pois = {
        place.id: Poi(place.id, _middle(place.outline), place.tags) for place in street_map.places
    }
    middle = positions.mean(axis=0)
    # metres in a degree of a sphere of 6,371 km; within the reach of a POI a plane is exact enough
    scale = np.array([111_194.93, 111_194.93 * np.cos(np.radians(middle[0]))])
    tree = cKDTree((positions - middle) * scale)
    nodes: list[int] = []
    owners: list[int] = []
    points: list[list[float]] = []
    for k, place in enumerate(street_map.places):
        lines = [_dense(line, middle, scale) for line in (place.outline, *place.others)]
        outline = np.vstack(lines)
        best: dict[int, tuple[float, int]] = {}
        for i, point in enumerate(outline):
            for node in tree.query_ball_point(point, REACH_M):
                far = float(np.hypot(*(tree.data[node] - point)))
                best[node] = min(best.get(node, (np.inf, 0)), (far, i))
        for node, (_, i) in sorted(best.items()):
            nodes.append(node)
            owners.append(k)
            points.append((outline[i] / scale + middle).tolist())
    links = np.array(nodes, np.int32), np.array(owners, np.int32), np.array(points).reshape(-1, 2)
    return Graph(
        name=name,
        frame="geo",
        ids=ids,
        positions=positions,
        sources=both[:, 0],
        targets=both[:, 1],
        headings_deg=_bearings(positions[both[:, 0]], towards),
        given_lengths_m=None if shapes is None else lengths_m,
        shapes=shapes,
        pois=pois,
        poi_link_nodes=links[0],
        poi_link_pois=links[1],
        poi_link_positions=links[2],
        poi_link_headings_deg=_bearings(positions[links[0]], links[2]),
        info=WorldInfo(problems=problems, source=file, attribution=ATTRIBUTION),
    )


def _checked(streets: StreetMap, file: str, problems: Problems) -> StreetMap:
    """Return the map without what lies nowhere near it, and streets cut where they jump."""
    # a street is split every 10 m, so one node at 0,0 would become a million of them
    names = list(dict.fromkeys(chain.from_iterable(streets.ways)))
    places = np.array([streets.positions[name] for name in names], dtype=np.float64)
    bad = position_faults(names, places)
    for name, what in bad.items():
        problems.skip(Problem(f"node {name} {what}", "correct its position; it is left out", file))
    usable = streets.ways
    if bad:
        usable = []
        for way in streets.ways:
            usable.append([name for name in way if name not in bad])
    usable = _without_repeats(usable, [tuple(way) for way in usable], "street", file, problems)
    pieces = _without_jumps(streets.positions, usable, file, problems)
    ways = [piece for piece in pieces if len(piece) > 1]
    if not ways:
        raise InputError(
            "has no street left whose nodes have usable positions", "get the map again", file=file
        )
    ids = [place.id for place in streets.places]
    pois = _without_repeats(streets.places, ids, "place", file, problems)
    return StreetMap(streets.positions, ways, _near_places(pois, places, file, problems))


def _without_repeats(
    items: list[Item], keys: Sequence[Hashable], kind: str, file: str, problems: Problems
) -> list[Item]:
    """Return the first of the items of each key; files put together hold some twice."""
    first = {key: at for at, key in reversed([*enumerate(keys)])}
    for at, key in enumerate(keys):
        if first[key] != at:
            name = key if isinstance(key, str) else f"from node {items[at][0]}"  # type: ignore[index]
            problems.add(Problem(f"{kind} {name} is there twice", "the first is used", file))
    return [items[at] for at in sorted(first.values())]


def _run_on_at_180(street_map: StreetMap) -> StreetMap:
    """Return the map with longitudes that run on beyond 180, so that lines across it are whole."""
    names = list(dict.fromkeys(chain.from_iterable(street_map.ways)))
    lon = np.array([street_map.positions[name][1] for name in names])
    if np.ptp(lon) <= 180.0:
        return street_map
    positions = dict(street_map.positions)
    for name, at in zip(names, turned_deg(lon, 180.0).tolist(), strict=True):
        positions[name] = (positions[name][0], at)
    places = []
    for place in street_map.places:
        lines = []
        for line in (place.outline, *place.others):
            lines.append(np.column_stack([line[:, 0], turned_deg(line[:, 1], 180.0)]))
        places.append(replace(place, outline=lines[0], others=tuple(lines[1:])))
    return StreetMap(positions, street_map.ways, places)


def _near_places(
    pois: list[TaggedPlace], streets: NDArray[np.float64], file: str, problems: Problems
) -> list[TaggedPlace]:
    """Return the POIs of which no corner lies nowhere near the streets."""
    corners = [np.vstack((poi.outline, *poi.others)) for poi in pois]
    owners = np.repeat(np.arange(len(pois)), [len(points) for points in corners])
    # the streets say where the map is: their nodes come last, and belong to no POI
    names = [*owners.tolist(), *[-1] * len(streets)]
    bad = position_faults(names, np.vstack([*corners, streets]))
    bad.pop(-1, None)
    for owner, what in bad.items():
        place = f"place {pois[owner].id} {what}"
        problems.skip(Problem(place, "correct its position; it is left out", file))
    return [poi for number, poi in enumerate(pois) if number not in bad]


def _without_jumps(
    positions: Mapping[str, Position], ways: Sequence[list[str]], file: str, problems: Problems
) -> list[list[str]]:
    """Cut streets between two nodes that are too far from each other."""
    # all ways as one line, measured at once; the jumps from one way to the next are passed over
    places = [positions[name] for name in chain.from_iterable(ways)]
    line = np.array(places, dtype=np.float64).reshape(-1, 2)
    far_m = great_circle_m(line[:-1], line[1:])
    pieces: list[list[str]] = []
    start = 0
    for way in ways:
        jumps = np.flatnonzero(far_m[start : start + max(0, len(way) - 1)] > JUMP_M)
        cuts = (jumps + 1).tolist()
        for cut in cuts:
            far_km = far_m[start + cut - 1] / 1000
            what = f"a street jumps {far_km:,.0f} km from node {way[cut - 1]} to {way[cut]}"
            problems.add(Problem(what, "correct their positions; it is cut there", file))
        pieces.extend(way[a:b] for a, b in pairwise([0, *cuts, len(way)]))
        start += len(way)
    return pieces


_FAULTS = ("", "is no position in degrees", "lies at 0,0", "has latitude and longitude swapped")


def position_faults(names: Sequence[Name], positions: NDArray[np.float64]) -> dict[Name, str]:
    """Say what is wrong with each node far from the others; ``(lat, lon)``, shape ``(n, 2)``."""
    with np.errstate(invalid="ignore"):
        bad = ~(
            np.isfinite(positions).all(axis=1) & (np.abs(positions) <= (90.0, 180.0)).all(axis=1)
        )
        middle = middle_deg(positions[~bad]) if not bad.all() else np.zeros(2)
        far = (apart_deg(positions, middle) > _FAR_DEG).any(axis=1)
        swapped = far & (apart_deg(positions[:, ::-1], middle) <= _FAR_DEG).all(axis=1)
        nowhere = far & (np.abs(positions) < 1e-6).all(axis=1)
    faults = np.select([swapped, bad, nowhere], [3, 1, 2], 0).tolist()
    return {name: _FAULTS[fault] for name, fault in zip(names, faults, strict=True) if fault}


def _middle(outline: NDArray[np.float64]) -> Position:
    # a closed ring repeats its first corner, which would count twice
    corners = outline[:-1] if len(outline) > 2 and (outline[0] == outline[-1]).all() else outline
    lat, lon = corners.mean(axis=0)
    return float(lat), float(lon)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A street between two of its nodes."""

    length_m: float
    bends: list[list[float]]
    """Positions between the nodes, from the one with the lower number to the other."""


def _split(
    street_map: StreetMap,
) -> tuple[list[str], NDArray[np.float64], dict[tuple[int, int], _Stretch]]:
    """Streets between junctions, split about every 10 m: ids, positions, undirected links."""
    # of two streets between the same two nodes the shorter is kept
    ids: dict[str, int] = {}
    positions: list[Position] = []
    pieces: dict[tuple[int, int], _Stretch] = {}

    def node(name: str, place: Position) -> int:
        if name not in ids:
            ids[name] = len(ids)
            positions.append(place)
        return ids[name]

    for street in _chains(street_map.ways):
        line = np.array([street_map.positions[name] for name in street])
        ends = (
            node(street[0], street_map.positions[street[0]]),
            node(street[-1], street_map.positions[street[-1]]),
        )
        along, inner = _even(line)
        # a junction begins several streets: the second node tells them apart
        stem = f"{street[0]}_{street[1]}"
        row = [ends[0]]
        for k, place in enumerate(inner.tolist(), start=1):
            row.append(node(f"{stem}_{k}", (place[0], place[1])))
        row.append(ends[1])
        length_m = float(along[-1]) / (len(row) - 1)
        for (a, b), bends in zip(pairwise(row), _bends(line, along, len(row) - 1), strict=True):
            pair = min(a, b), max(a, b)
            if a != b and (pair not in pieces or length_m < pieces[pair].length_m):
                pieces[pair] = _Stretch(length_m, bends if a < b else bends[::-1])
    return list(ids), np.array(positions), dict(sorted(pieces.items()))


def _chains(ways: Sequence[Sequence[str]]) -> Iterable[list[str]]:
    """Ways cut at junctions: ends of ways, and nodes that ways share or pass twice."""
    uses: dict[str, int] = {}
    for way in ways:
        for name in way:
            uses[name] = uses.get(name, 0) + 1
        for end in (way[0], way[-1]):
            # once more, so that a chain ends where its way does, even if nothing else passes there
            uses[end] += 1
    for way in ways:
        start = 0
        for k in range(1, len(way)):
            if uses[way[k]] > 1:
                yield list(way[start : k + 1])
                start = k


def _even(line: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Metres of a line's points along it, and inner points about every 10 m, ``(k, 2)``."""
    lengths = great_circle_m(line[:-1], line[1:])
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    parts = max(1, round(float(along[-1]) / SPACING_M))
    at = along[-1] * np.arange(1, parts) / parts
    return along, np.column_stack(
        [np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])]
    )


def _bends(
    line: NDArray[np.float64], along_m: NDArray[np.float64], parts: int
) -> Iterator[list[list[float]]]:
    """Yield the points of a line within each of its `parts` equal parts, without their ends."""
    ends_m = along_m[-1] * np.arange(parts + 1) / parts
    first = np.searchsorted(along_m, ends_m[:-1] + _AT_NODE_M, side="right")
    last = np.searchsorted(along_m, ends_m[1:] - _AT_NODE_M)
    for a, b in zip(first.tolist(), last.tolist(), strict=True):
        yield line[a:b].tolist()


def _bearings(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return initial great-circle bearings in degrees, row by row."""
    p, q = np.radians(a), np.radians(b)
    d = q[:, 1] - p[:, 1]
    x = np.sin(d) * np.cos(q[:, 0])
    y = np.cos(p[:, 0]) * np.sin(q[:, 0]) - np.sin(p[:, 0]) * np.cos(q[:, 0]) * np.cos(d)
    return np.asarray(np.degrees(np.arctan2(x, y)) % 360.0)


def _dense(
    outline: NDArray[np.float64], middle: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return an outline in metres with a point at least every 5 m.

    shapely's `segmentize` spaces the points within each side: they would move, and with them the
    POI links of worlds that were made before.
    """
    metres = (outline - middle) * scale
    if len(metres) < 2:
        return np.asarray(metres)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(metres, axis=0).T))])
    at = np.union1d(along, np.arange(0.0, along[-1], _OUTLINE_M))
    return np.column_stack([np.interp(at, along, metres[:, 0]), np.interp(at, along, metres[:, 1])])


def write_world(graph: Graph, folder: Path) -> None:
    """Save a map in Map2Seq's format, so that it opens as any other world, without network.

    Where links have lengths or shapes of their own, these are saved beside it (`LINK_SHAPES`).
    """
    nodes, links, poi_links = [], [], []
    for node, position in zip(graph.ids, graph.positions.tolist(), strict=True):
        nodes.append(f"{node},{place_text(position)}")
        for target, heading in graph.links(node):
            links.append(f"{node},{heading:.6f},{target}")
        for link in graph.poi_links(node):
            place = place_text(link.position)
            poi_links.append(f"{link.node},{link.heading_deg:.6f},{place},{link.poi}")
    pois = []
    for poi in graph.pois.values():
        tags = json.dumps(dict(poi.tags), ensure_ascii=False)
        pois.append(f"{poi.id},{place_text(poi.position)},{tags}")
    files = {"nodes.txt": nodes, "links.txt": links, "pois.txt": pois, "poi_links.txt": poi_links}
    shapes = list(link_shape_lines(graph))
    if shapes:
        files[LINK_SHAPES] = shapes
    # all are written before the first takes its place: the nodes of one world and the links of
    # another would open as a third
    with ExitStack() as stack:
        for name, lines in files.items():
            part = stack.enter_context(writing(folder / name))
            part.write_bytes("".join(f"{line}\n" for line in lines).encode())
    if not shapes:
        (folder / LINK_SHAPES).unlink(missing_ok=True)  # of the world that was written here before


def place_text(position: Sequence[float]) -> str:
    """Write ``(lat, lon)`` with seven decimals, a centimetre."""
    return f"{position[0]:.7f},{within_180(position[1]):.7f}"
