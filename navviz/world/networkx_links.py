"""Edges of networkx and osmnx as links: which of several stays, how long it is, and how it runs.

Length: the attribute ``length_m`` (ours) or ``length`` (osmnx's), in metres; else that of the
shape; else the straight line. Shape: ``shape`` (ours, positions from node to node) or ``geometry``
(a line of shapely or its WKT, longitude before latitude). Of several edges from one node to another
the shortest stays, as a shortest path would take it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from navviz.errors import Problem, Problems
from navviz.world.geometry import Frame, great_circle_m, turned_deg
from navviz.world.link_shapes import LinkShapes

if TYPE_CHECKING:
    import networkx as nx

_WKT = re.compile(r"\s*+LINESTRING\s*+Z?\s*+\(([^()]*)\)\s*+", re.IGNORECASE)
_AT_NODE = {"geo": 1e-6, "metric": 0.05}
"""A shape that begins this near to its node (a decimetre; in degrees outdoors) begins there."""
_SHORTER_SHARE, _SHORTER_M = 0.99, 1.0
"""A length this much below the straight line is no rounding error: it is not in metres."""

Line = list[tuple[float, ...]]


@dataclass(frozen=True)
class EdgeLinks:
    """Links in the order of their edges, as `Graph` takes them."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    headings_deg: NDArray[np.float64] | None
    """``None`` where an edge names none."""
    lengths_m: NDArray[np.float64] | None
    """``None`` where all links are straight and as long as that."""
    shapes: LinkShapes | None


@dataclass(frozen=True, slots=True)
class _Edge:
    """One way of an edge."""

    source: int
    target: int
    length_m: float
    """As given; NaN where it is not."""
    bends: Line
    heading_deg: float | None


def read_edges(
    shape: nx.Graph, positions: NDArray[np.float64], frame: Frame, title: str, problems: Problems
) -> EdgeLinks:
    """Read all edges.

    Parameters
    ----------
    shape
        Directed or not, with parallel edges or not.
    positions
        Of its nodes in their order, shape ``(n, 2)`` or ``(n, 3)``.
    frame, title
        Frame and name of the graph.
    problems
        Takes lengths and shapes that cannot be used.
    """
    edges = list(_edges(shape, positions, frame, title, problems))
    pairs = np.array([(edge.source, edge.target) for edge in edges], dtype=np.int32).reshape(-1, 2)
    straight_m = _apart_m(positions[pairs[:, 0]], positions[pairs[:, 1]], frame)
    lengths_m = np.array([edge.length_m for edge in edges], dtype=np.float64)
    for k in np.flatnonzero(np.isnan(lengths_m)).tolist():
        lengths_m[k] = _along_m(edges[k], positions, frame) if edges[k].bends else straight_m[k]
    kept = np.array(_shortest(pairs, lengths_m), dtype=np.int64)
    fault = Problem("", "", title)
    _report_shorter(shape, pairs[kept], lengths_m[kept], straight_m[kept], fault, problems)
    shapes = LinkShapes.of((edges[k].bends for k in kept.tolist()), positions.shape[1])
    # given lengths are kept only where they say more than the positions do
    as_straight = shapes is None and np.array_equal(lengths_m[kept], straight_m[kept])
    headings = [edges[k].heading_deg for k in kept.tolist()]
    given = [heading for heading in headings if heading is not None]
    return EdgeLinks(
        sources=pairs[kept, 0],
        targets=pairs[kept, 1],
        headings_deg=np.array(given, dtype=float) if len(given) == len(headings) else None,
        lengths_m=None if as_straight else lengths_m[kept],
        shapes=shapes,
    )


def _edges(
    shape: nx.Graph, positions: NDArray[np.float64], frame: Frame, title: str, problems: Problems
) -> Iterator[_Edge]:
    index: dict[Hashable, int] = {node: i for i, node in enumerate(shape.nodes)}
    for a, b, data in shape.edges(data=True):
        source, target = index[a], index[b]
        length_m = _length_m(data, f"link {a} to {b}", title, problems)
        ends = positions[source], positions[target]
        fault = Problem(f"the shape of link {a} to {b}", "", title)
        bends = _bends(data, ends, frame, fault, problems)
        yield _Edge(source, target, length_m, bends, data.get("heading_deg"))
        if not shape.is_directed():
            # one `heading_deg` cannot hold for both directions, so all headings of such a graph are
            # computed
            yield _Edge(target, source, length_m, bends[::-1], None)


def _shortest(pairs: NDArray[np.int32], lengths_m: NDArray[np.float64]) -> list[int]:
    """Numbers of the edges that stay, one for each pair of nodes, in the order of the pairs."""
    best: dict[tuple[int, int], int] = {}
    for k, (source, target) in enumerate(pairs.tolist()):
        # the dictionary keeps the place of the first edge of a pair, whichever of them stays
        before = best.setdefault((source, target), k)
        if lengths_m[k] < lengths_m[before]:
            best[source, target] = k
    return list(best.values())


def _length_m(data: Mapping[str, Any], link: str, title: str, problems: Problems) -> float:
    value = data.get("length_m", data.get("length"))
    if value is None:
        return math.nan
    try:
        length_m = float(value)
    except (TypeError, ValueError):
        length_m = math.nan
    if math.isfinite(length_m) and length_m >= 0:
        return length_m
    what = f"{link} has the length {str(value)[:40]}"
    do = "write metres; it counts as long as it is drawn"
    problems.add(Problem(what, do, title, field="length"))
    return math.nan


def _bends(
    data: Mapping[str, Any],
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    frame: Frame,
    fault: Problem,
    problems: Problems,
) -> Line:
    """Points of an edge's shape between its nodes; none where it has no usable shape."""
    line = _own_line(data.get("shape"), len(ends[0]))
    if line is not None and frame == "geo":
        line = [(place[0], float(turned_deg(place[1], float(ends[0][1])))) for place in line]
    if line is None and data.get("geometry") is not None:
        line = _drawn_line(data["geometry"], ends, frame)
        if line is None:
            do = "give it in metres"
            if frame == "geo":
                do = "give it in degrees, longitude before latitude"
            what = f"{fault.what} is no line of finite positions"
            problems.add(Problem(what, f"{do}; it is drawn straight", fault.file))
    if line is None or len(line) < 2:
        return []
    # an undirected edge may be drawn from its second node to its first
    if _off(line, ends) > _off(line[::-1], ends):
        line = line[::-1]
    if _is_at(line[0], ends[0], frame):
        line = line[1:]
    if line and _is_at(line[-1], ends[1], frame):
        line = line[:-1]
    return line


def _is_at(place: Sequence[float], node: NDArray[np.float64], frame: Frame) -> bool:
    """Tell whether a place of a line is its node's."""
    own: list[float] = node.tolist()
    return all(abs(a - b) <= _AT_NODE[frame] for a, b in zip(place, own, strict=True))


def _off(line: Line, ends: tuple[NDArray[np.float64], NDArray[np.float64]]) -> float:
    """How far a line begins and ends from its nodes."""
    return math.dist(line[0], ends[0].tolist()) + math.dist(line[-1], ends[1].tolist())


def _own_line(value: object, size: int) -> Line | None:
    """Return the positions of the attribute ``shape``; other programs may use it otherwise."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    try:
        line = [tuple(map(float, place)) for place in value]
    except (TypeError, ValueError):
        return None
    return line if all(len(place) == size for place in line) and np.isfinite(line).all() else None


def _drawn_line(
    value: Any,  # noqa: ANN401
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    frame: Frame,
) -> Line | None:
    """Return the line of a ``geometry`` in the frame's order; missing heights are interpolated."""
    try:
        if isinstance(value, str):
            rows = _numbers(value)
        else:
            rows = [tuple(map(float, place)) for place in value.coords]
    # shapely raises NotImplementedError for the `coords` of a line of several parts
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
    if len(rows) < 2 or not all(map(_is_place, rows)):
        return None
    if frame == "geo":
        if not all(abs(row[1]) <= 90 and abs(row[0]) <= 180 for row in rows):
            return None
        at_end = float(ends[0][1])
        return [(row[1], float(turned_deg(row[0], at_end))) for row in rows]
    heights = np.linspace(ends[0][2], ends[1][2], len(rows)).tolist()
    in_metres: Line = []
    for row, height in zip(rows, heights, strict=True):
        z = row[2] if len(row) > 2 else height
        in_metres.append((row[0], row[1], z))
    return in_metres


def _is_place(row: Sequence[float]) -> bool:
    return len(row) >= 2 and all(map(math.isfinite, row))


def _numbers(wkt: str) -> list[tuple[float, ...]]:
    """Return the positions of a line in well-known text; raises `ValueError` for anything else."""
    match = _WKT.fullmatch(wkt)
    if match is None:
        raise ValueError("no LINESTRING")
    return [tuple(map(float, place.split())) for place in match[1].split(",")]


def _apart_m(p: NDArray[np.float64], q: NDArray[np.float64], frame: Frame) -> NDArray[np.float64]:
    return great_circle_m(p, q) if frame == "geo" else np.asarray(np.linalg.norm(q - p, axis=-1))


def _along_m(edge: _Edge, positions: NDArray[np.float64], frame: Frame) -> float:
    line = np.array([positions[edge.source], *edge.bends, positions[edge.target]])
    return float(_apart_m(line[:-1], line[1:], frame).sum())


def _report_shorter(
    shape: nx.Graph,
    pairs: NDArray[np.int32],
    lengths_m: NDArray[np.float64],
    straight_m: NDArray[np.float64],
    fault: Problem,
    problems: Problems,
) -> None:
    """Name links that are shorter than the straight line; their length is kept for searches."""
    # both at once: the share alone flags decimetres on short links, the metre alone rounding on
    # long ones
    short = np.flatnonzero(
        (lengths_m < _SHORTER_SHARE * straight_m) & (lengths_m < straight_m - _SHORTER_M)
    )
    if not len(short):
        return
    names, first = list(shape.nodes), int(short[0])
    a, b = (names[i] for i in pairs[first].tolist())
    example = f"{a} to {b} has {lengths_m[first]:.1f} m, straight it is {straight_m[first]:.1f} m"
    what = f"{len(short)} links are shorter than the straight line between their nodes ({example})"
    do = "write lengths in metres; they are used as they are"
    problems.add(Problem(what, do, fault.file, field="length"))
