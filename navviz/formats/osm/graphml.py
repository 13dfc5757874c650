"""GraphML of osmnx (``osmnx.save_graphml``): the world of the graph itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from navviz.errors import InputError, Problem, Problems
from navviz.formats.osm.world import ATTRIBUTION, position_faults
from navviz.formats.rows import refuse_large
from navviz.support.installation.extras import needs_extra
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import networkx as nx


def read_graphml(path: Path, name: str) -> Graph:
    """Read a file as `Graph.from_networkx` reads its graph; no street is split.

    Nodes that lie nowhere near the others are left out and reported. Raises `InputError` where the
    file is broken, has no street, or its graph is projected.
    """
    with needs_extra("osm"):
        import osmnx

    refuse_large(path)
    try:
        streets = osmnx.load_graphml(path)
    # networkx, GEOS, pandas and expat raise their own errors, which osmnx passes on
    except Exception as error:
        raise _foreign(path, error) from error
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


def _foreign(path: Path, error: Exception) -> InputError:
    return InputError(
        f"is no GraphML file of osmnx ({error})", "save it with save_graphml", file=path.name
    )


def _leave_out_misplaced(streets: nx.MultiDiGraph, file: str, problems: Problems) -> None:
    names = list(streets)
    places = np.empty((len(names), 2))
    for k, name in enumerate(names):
        data = streets.nodes[name]
        places[k] = float(data.get("y", "nan")), float(data.get("x", "nan"))
    for name, what in position_faults(names, places).items():
        problems.skip(Problem(f"node {name} {what}", "correct its position; it is left out", file))
        streets.remove_node(name)
