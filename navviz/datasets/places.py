"""Any place on OpenStreetMap as a world to walk on: an extract, a place by its name, or a box,
written to a folder.
"""

from __future__ import annotations

import re
from pathlib import Path

from navviz.datasets.openstreetmap import open_place
from navviz.errors import InputError
from navviz.formats import open_graph
from navviz.formats.osm.world import write_world
from navviz.runs.sources import workspace_dir
from navviz.world.graph import Graph

_EXTRACTS = (".osm", ".pbf", ".osm.bz2", ".osm.gz", ".graphml")


def make_world(what: str, to: Path | None = None) -> tuple[Path, Graph]:
    """Write the world of `what` (see `open_map`) to the folder `to`, in the workspace's data folder
    if not given.

    Raises `InputError` where there is no such place, no network, no walkable street, or the folder
    cannot be written.
    """
    graph = open_map(what)
    name = re.sub(r"[^\w-]+", "-", graph.name).strip("-") or "map"
    folder = to.expanduser() if to is not None else workspace_dir() / "data" / name / "graph"
    try:
        write_world(graph, folder)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})",
            "choose another folder",
            file=str(to or workspace_dir()),
        ) from error
    return folder, graph


def open_map(what: str) -> Graph:
    """Read an extract, or download a place by its name or a box ``west,south,east,north`` in
    degrees.
    """
    if Path(what).expanduser().exists():
        return open_graph(Path(what).expanduser())
    # no place is called so: asking for it would need osmnx and the network
    if what.lower().endswith(_EXTRACTS):
        raise InputError("there is no such file", "check the path", file=what)
    cache = workspace_dir() / "cache"
    edges = what.split(",")
    if len(edges) == 4:
        try:
            west, south, east, north = map(float, edges)
        except ValueError:
            return open_place(what, cache)
        if not (west < east and south < north):
            raise InputError(
                "is no box west,south,east,north", "give degrees in this order", file=what
            )
        return open_place((west, south, east, north), cache)
    return open_place(what, cache)
