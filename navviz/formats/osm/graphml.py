"""GraphML of osmnx (``save_graphml``) or networkx (``write_graphml``): the world of the graph."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from navviz.errors import InputError, Problem, Problems
from navviz.formats.columns import refuse_large
from navviz.formats.osm.world import ATTRIBUTION, position_faults
from navviz.formats.texts import as_number
from navviz.support.guarded import head_bytes, head_text, marked_encoding, note_change, read_text
from navviz.support.installation.extras import needs_extra
from navviz.world.geometry import Frame, great_circle_m
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import networkx as nx


_TYPED = re.compile(r'attr\.type\s*=\s*["\'](?:double|float|int|long)["\']')


def read_graphml(path: Path, name: str) -> Graph:
    """Read a file as `Graph.from_networkx` reads its graph; no street is split.

    Nodes that lie nowhere near the others are left out and reported. Raises `InputError` where the
    file is broken, has no street, or its graph is projected.
    """
    refuse_large(path)
    # osmnx writes every value as text, and cannot read the numbers that networkx writes
    if _TYPED.search(head_text(path, 1 << 16)):
        return _of_networkx(path, name)
    with needs_extra("osm"):
        import osmnx

    try:
        text = _text(path)
        streets = osmnx.load_graphml(path) if text is None else osmnx.load_graphml(graphml_str=text)
    # networkx, GEOS, pandas and expat raise their own errors, which osmnx passes on
    except Exception as error:
        raise (
            InputError(
                f"is no GraphML file of osmnx ({error})",
                "save it with save_graphml",
                file=path.name,
            )
        ) from error
    projected = streets.graph.get("crs")
    problems = Problems()
    if projected is None or "4326" in str(projected):
        _leave_out_misplaced(streets, path.name, problems)
    if not streets.number_of_edges():
        raise InputError("has no street that one can walk", "save a larger graph", file=path.name)
    graph = Graph.from_networkx(streets, path.name, "geo" if projected is None else None)
    problems.extend(graph.info.problems)
    return replace(
        graph, name=name, info=replace(graph.info, problems=problems, attribution=ATTRIBUTION)
    )


def _of_networkx(path: Path, name: str) -> Graph:
    """Read a file of `networkx.write_graphml`; its lengths say what its positions are."""
    with needs_extra("osm"):
        import networkx as nx

    try:
        text = _text(path)
        streets = nx.read_graphml(path) if text is None else nx.parse_graphml(text)
    except Exception as error:
        raise InputError(f"is broken GraphML ({error})", "save it again", file=path.name) from error
    if not streets.number_of_edges():
        raise InputError("has no street that one can walk", "save a larger graph", file=path.name)
    frame = None
    if streets.graph.get("crs") is None and streets.graph.get("frame") is None:
        frame = _frame_of(streets, path)
    graph = Graph.from_networkx(streets, path.name, frame)
    return replace(graph, name=name)


def _text(path: Path) -> str | None:
    """Return the text of a file that is packed or in UTF-16 or UTF-32; ``None`` for others."""
    if path.suffix in {".gz", ".bz2"} or marked_encoding(head_bytes(path, 4)):
        return read_text(path)
    return None


def _frame_of(streets: nx.Graph, path: Path) -> Frame | None:
    """Tell degrees from metres by the lengths of the edges; raises `InputError` without lengths."""
    places = {node: (data.get("x"), data.get("y")) for node, data in streets.nodes(data=True)}
    if any(None in place for place in places.values()):
        return None  # `from_networkx` reads others, or says what they lack
    ratios: dict[Frame, list[float]] = {"geo": [], "metric": []}
    for a, b, data in streets.edges(data=True):
        length_m = as_number(data.get("length", data.get("length_m")))
        (ax, ay), (bx, by) = places[a], places[b]
        metres = math.hypot(bx - ax, by - ay)
        if length_m and metres:
            ratios["metric"].append(length_m / metres)
            ratios["geo"].append(length_m / max(float(great_circle_m((ay, ax), (by, bx))), 1e-9))
    lon, lat = np.abs(np.array(list(places.values()), float)).max(axis=0)
    for frame, values in ratios.items():
        # streets bend: they are longer than the straight line, seldom three times
        fits = bool(values) and 0.7 < float(np.median(values)) < 3.0
        if fits and (frame == "metric" or (lat <= 90.0 and lon <= 180.0)):
            unit = "degrees" if frame == "geo" else "metres"
            note_change(
                path, f"positions taken as {unit}, as the lengths of its edges say", len(places)
            )
            return frame
    what = "names no crs, and its edges have no length in metres that would tell what x and y are"
    do = "set graph.graph['crs'] = 'epsg:4326' (x is longitude, y latitude) and save it again"
    raise InputError(what, do, file=path.name)


def _leave_out_misplaced(streets: nx.MultiDiGraph, file: str, problems: Problems) -> None:
    names = list(streets)
    places = np.empty((len(names), 2))
    for k, name in enumerate(names):
        data = streets.nodes[name]
        places[k] = float(data.get("y", "nan")), float(data.get("x", "nan"))
    for name, what in position_faults(names, places).items():
        problems.skip(Problem(f"node {name} {what}", "correct its position; it is left out", file))
        streets.remove_node(name)
