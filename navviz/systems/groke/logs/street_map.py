"""GROKE walks on street maps: say so where a house was given."""

from __future__ import annotations

from pathlib import Path

from navviz.errors import InputError, NotFoundError
from navviz.formats.base import GraphOf
from navviz.world.graph import Graph


def street_map(graph_of: GraphOf, path: Path) -> Graph:
    """Return the one graph of a GROKE run; raises `InputError` where houses were given instead of
    streets.
    """
    wrong = InputError(
        "these results walk on a street map, and the graph is a house's",
        "open them with their street graph",
        file=path.name,
    )
    try:
        graph = graph_of("")
    except NotFoundError as error:
        raise wrong from error
    if graph.frame != "geo":
        raise wrong
    return graph
