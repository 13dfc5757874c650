"""``link_shapes.txt``: lengths and bends of links, NavViz's addition to Map2Seq's format.

One line a link: its two nodes, its length in metres, and its bends from the first node to the
second, ``lat lon`` separated by semicolons; nothing where it is straight. Links that the file does
not name are straight lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from navviz.errors import Problem, Problems
from navviz.formats.columns import Nodes
from navviz.formats.rows import add_all, floats, indices, read_rows
from navviz.support.guarded import is_regular
from navviz.world.geometry import within_180
from navviz.world.graph import Graph
from navviz.world.link_shapes import LinkShapes

LINK_SHAPES = "link_shapes.txt"
_COLUMNS = ("id", "id", "length_m", "bends")

Bends = list[list[float]]


def with_link_shapes(graph: Graph, path: Path, nodes: Nodes, problems: Problems) -> Graph:
    """Return the graph with the lengths and bends of a file, or as it is without that file.

    Lines that name no link of the graph, no length or positions that are none are left out and
    reported.
    """
    if not is_regular(path):
        return graph
    sources, targets, lengths, bends = read_rows(path, _COLUMNS, problems)
    a, b, lengths_m = indices(sources, nodes.keys), indices(targets, nodes.keys), floats(lengths)
    links = _links(graph)
    lines: dict[int, tuple[float, Bends]] = {}
    faults: list[tuple[int, str]] = []
    for row, (pair, length_m, text) in enumerate(
        zip(
            zip(a.tolist(), b.tolist(), strict=True),
            lengths_m.tolist(),
            bends.to_pylist(),
            strict=True,
        )
    ):
        points = _points(text)
        if pair not in links:
            faults.append((row, "names no link of links.txt"))
        elif not (math.isfinite(length_m) and length_m >= 0):
            faults.append((row, "has no length in metres"))
        elif points is None:
            faults.append((row, "has a bend that is no position in degrees"))
        else:
            # links.txt may hold a link twice: both get the same shape
            lines |= dict.fromkeys(links[pair], (length_m, points))
    add_all(problems, faults, lambda fault: _problem(path.name, *fault))
    return _given(graph, lines) if lines else graph


def _problem(file: str, row: int, what: str) -> Problem:
    do = f"write {','.join(_COLUMNS)}; the link counts as straight"
    return Problem(f"link {row + 1} {what}", do, file)


def _links(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """Return the numbers of the links from one node to another, by their two nodes."""
    links: dict[tuple[int, int], list[int]] = {}
    for k, pair in enumerate(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)):
        links.setdefault(pair, []).append(k)
    return links


def _points(text: str) -> Bends | None:
    """Return the positions of a column, or ``None`` where one of them is none."""
    points: Bends = []
    for place in filter(str.strip, text.split(";")):
        try:
            lat, lon = map(float, place.split())
        except ValueError:
            return None
        if not (abs(lat) <= 90 and abs(lon) <= 180):
            return None
        points.append([lat, lon])
    return points


def _given(graph: Graph, lines: dict[int, tuple[float, Bends]]) -> Graph:
    lengths_m = graph.straight_lengths_m()
    for k, (length_m, _) in lines.items():
        lengths_m[k] = length_m
    nothing: tuple[float, Bends] = (0.0, [])
    bends = (lines.get(k, nothing)[1] for k in range(len(graph.targets)))
    return replace(graph, given_lengths_m=lengths_m, shapes=LinkShapes.of(bends, 2))


def link_shape_lines(graph: Graph) -> Iterator[str]:
    """Yield the lines of the file: all links of a graph that has lengths, none of another."""
    if graph.given_lengths_m is None:
        return
    for k, (a, b, length_m) in enumerate(
        zip(graph.sources, graph.targets, graph.given_lengths_m, strict=True)
    ):
        places = graph.shapes.bends(k).tolist() if graph.shapes is not None else []
        bends = ";".join(f"{lat:.7f} {within_180(lon):.7f}" for lat, lon in places)
        yield f"{graph.ids[a]},{graph.ids[b]},{length_m:.9f},{bends}"
