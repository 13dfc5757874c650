"""Any place on OpenStreetMap as a world to walk on: an extract, a place by its name, or a box,
written to a folder.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from navviz.errors import InputError, Problems
from navviz.formats import open_graph
from navviz.formats.osm.extracts import POI_KEYS, from_networkx, is_poi, kept_tags
from navviz.formats.osm.world import TaggedPlace, to_graph, write_world
from navviz.runs.sources import workspace_dir
from navviz.support.installation.extras import needs_extra
from navviz.world.graph import Graph

_PATIENCE_S = 10.0
"""Longest wait for the server to say that it is there; it answers within a second."""

_ONE_AT_A_TIME = threading.Lock()
"""Two sessions that download at once must not put back each other's settings."""


def open_place(query: str | tuple[float, float, float, float], cache: Path | None = None) -> Graph:
    """Download a place by its name, or a box ``(west, south, east, north)`` in degrees, through
    osmnx and its cache.

    `cache` is the folder of that cache; osmnx's own choice if not given.

    Raises `InputError` where the place is not known or the servers of OpenStreetMap cannot be
    reached.
    """
    with needs_extra("osm"):
        import osmnx
    import requests

    tags: dict[str, bool | str | list[str]] = dict.fromkeys(POI_KEYS, True)
    name = query if isinstance(query, str) else ",".join(f"{edge:g}" for edge in query)
    try:
        with _settings(cache):
            if isinstance(query, str):
                streets = osmnx.graph_from_place(
                    query, network_type="walk", simplify=False, retain_all=True
                )
                features = osmnx.features_from_place(query, tags)
            else:
                streets = osmnx.graph_from_bbox(
                    query, network_type="walk", simplify=False, retain_all=True
                )
                features = osmnx.features_from_bbox(query, tags)
    except requests.ConnectionError as error:
        raise InputError(
            "could not be downloaded, as OpenStreetMap's servers cannot be reached",
            "check the network, or open an extract",
            file=name,
        ) from error
    except Exception as error:  # osmnx, requests and geopandas have errors of their own
        what = f"could not be downloaded ({type(error).__name__}: {error})"
        raise InputError(
            what, "check the spelling and the network, or open an extract", file=name
        ) from error
    street_map = from_networkx(streets)
    street_map.places = list(_places_of(features))
    return to_graph(street_map, name, name, Problems())


@contextmanager
def _settings(cache: Path | None) -> Iterator[None]:
    """Set osmnx's settings for one download and put them back."""
    # they belong to the whole process. osmnx asks the server how long to wait, and waits a minute
    # where it gets no answer. So the question is left out where the server cannot be reached: what
    # is in the cache opens at once, and all else fails at once
    import osmnx

    settings = osmnx.settings
    with _ONE_AT_A_TIME:
        before = settings.cache_folder, settings.overpass_rate_limit
        settings.cache_folder = before[0] if cache is None else str(cache)
        settings.overpass_rate_limit = before[1] and _answers(settings.overpass_url)
        try:
            yield
        finally:
            settings.cache_folder, settings.overpass_rate_limit = before


def _answers(overpass_url: str) -> bool:
    import requests

    try:
        requests.get(f"{overpass_url.rstrip('/')}/status", timeout=_PATIENCE_S)
    except requests.RequestException:
        return False
    return True


def _places_of(features: Any) -> Iterable[TaggedPlace]:  # noqa: ANN401 - a GeoDataFrame
    for (kind, key), row in features.iterrows():
        shape = row["geometry"]
        tags = {str(k): str(v) for k, v in row.items() if k != "geometry" and isinstance(v, str)}
        if not is_poi(tags) or shape is None or shape.is_empty:
            continue
        # a shape of several parts has no single outline: its box stands for it
        line = (
            getattr(shape, "exterior", shape)
            if shape.geom_type in {"Polygon", "Point", "LineString"}
            else shape.envelope.exterior
        )
        # shapely's x is the longitude, and the graph puts the latitude first
        outline = np.array([(y, x) for x, y in line.coords])
        yield TaggedPlace(f"{str(kind)[0]}{key}", kept_tags(tags), outline)


_EXTRACTS = (".osm", ".pbf", ".osm.bz2", ".osm.gz", ".graphml")


def make_world(what: str, to: Path | None = None) -> tuple[Path, Graph]:
    """Write the world of `what` (see `open_map`) to the folder `to`, in the workspace's data folder
    if not given.

    Raises `InputError` where there is no such place, no network or no walkable street, and
    `StoreError` where the folder cannot be written.
    """
    graph = open_map(what)
    name = re.sub(r"[^\w-]+", "-", graph.name).strip("-") or "map"
    folder = to.expanduser() if to is not None else workspace_dir() / "data" / name / "graph"
    write_world(graph, folder)
    return folder, graph


def open_map(what: str) -> Graph:
    """Read an extract, or download a place by name or box ``west,south,east,north``."""
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
