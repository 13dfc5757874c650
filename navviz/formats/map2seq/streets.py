"""The four files of Map2Seq's graph as a `Graph`; large ones are kept in the cache of worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from navviz.errors import Problems
from navviz.formats import world_cache
from navviz.formats.map2seq.folders import read_ways
from navviz.formats.map2seq.link_shapes import LINK_SHAPES, with_link_shapes
from navviz.formats.map2seq.pois import read_poi_links, read_pois, table_of
from navviz.formats.rows import refuse_large
from navviz.support.guarded import FILE_BYTES, count_entries, expect, is_regular, noted, size_of
from navviz.world.graph import Graph, Poi
from navviz.world.info import WorldInfo
from navviz.world.link_shapes import LinkShapes
from navviz.world.pois import PoiTable

STREET_COLUMNS = ("id", "lat", "lng")
_VERSION = "map2seq 3"
"""To be raised with every change of what is read or reported."""
_FILES = ("nodes.txt", "links.txt", "pois.txt", "poi_links.txt", LINK_SHAPES)
_ARRAYS = ("positions", "sources", "targets", "headings_deg")
_NEAR = ("poi_link_nodes", "poi_link_pois", "poi_link_headings_deg", "poi_link_positions")


def cached_streets(folder: Path, name: str) -> Graph:
    """Read streets and POIs of a folder, from the cache where it knows the same bytes."""
    files = [folder / file for file in _FILES]
    for file in filter(is_regular, files):
        refuse_large(file)  # the key is made of every byte
    key = world_cache.key_of(files, _VERSION)
    kept = world_cache.load(key)
    if kept is not None:
        try:
            _count_kept(files, kept)
            return _restored(kept, name)
        except (ValueError, KeyError, TypeError, IndexError):
            pass  # of another shape than its version says: as good as damaged
    with noted() as notes:
        graph = _read(folder, name)
    graph.info.problems.extend(notes.problems)
    if key is not None:
        counts = [notes.entries.get(file, 0) for file in files]
        world_cache.save(key, {**_kept(graph), "entries": np.array(counts)})
    return graph


def _count_kept(files: Sequence[Path], kept: world_cache.Arrays) -> None:
    """Tell again how many rows the files hold that a kept world was read from."""
    for file, count in zip(files, kept["entries"].tolist(), strict=True):
        if is_regular(file):
            count_entries(file, count)


def _read(folder: Path, name: str) -> Graph:
    problems = Problems()
    files = [folder / file for file in _FILES]
    expect(sum(size_of(file, FILE_BYTES) for file in files if is_regular(file)))
    nodes, ways = read_ways(folder, name, STREET_COLUMNS, problems)
    pois = read_pois(folder / "pois.txt", problems)
    near = read_poi_links(folder / "poi_links.txt", nodes, pois, problems)
    return replace(
        with_link_shapes(ways, folder / LINK_SHAPES, nodes, problems),
        pois=pois,
        poi_link_nodes=near[0],
        poi_link_pois=near[1],
        poi_link_headings_deg=near[2],
        poi_link_positions=near[3],
    )


def _kept(graph: Graph) -> world_cache.Arrays:
    table = graph.pois
    texts = table.texts if isinstance(table, PoiTable) else []
    places = table.positions if isinstance(table, PoiTable) else np.empty((0, 2))
    return {
        "counts": np.array([len(graph), len(table)]),
        "ids": world_cache.packed_texts(graph.ids),
        "pois": world_cache.packed_texts(list(table)),
        "tags": world_cache.packed_texts(texts),
        "places": places,
        "problems": world_cache.packed_problems(graph.info.problems),
        **{array: np.asarray(getattr(graph, array)) for array in (*_ARRAYS, *_NEAR)},
        **_kept_lines(graph),
    }


def _kept_lines(graph: Graph) -> world_cache.Arrays:
    """Lengths and shapes, as far as the world has any: most have none, and then nothing is kept."""
    kept: dict[str, NDArray[np.generic]] = {}
    if graph.given_lengths_m is not None:
        kept["given_lengths_m"] = graph.given_lengths_m
    if graph.shapes is not None:
        kept |= {"bends_begin": graph.shapes.begin, "bends": graph.shapes.points}
    return kept


def _restored_shapes(kept: world_cache.Arrays) -> LinkShapes | None:
    if "bends" not in kept:
        return None
    return LinkShapes(
        np.asarray(kept["bends_begin"], np.int64), np.asarray(kept["bends"], np.float64)
    )


def _restored(kept: world_cache.Arrays, name: str) -> Graph:
    nodes, count = kept["counts"].tolist()
    arrays = {array: kept[array] for array in (*_ARRAYS, *_NEAR)}
    if len(arrays["positions"]) != nodes or len(kept["places"]) != count:
        raise ValueError("positions and ids differ in number")
    lengths_m, shapes = kept.get("given_lengths_m"), _restored_shapes(kept)
    links = len(arrays["targets"])
    if (lengths_m is not None and len(lengths_m) != links) or (
        shapes is not None and len(shapes.begin) != links + 1
    ):
        raise ValueError("links and their lengths differ in number")
    return Graph(
        name=name,
        frame="geo",
        given_lengths_m=None if lengths_m is None else np.asarray(lengths_m, np.float64),
        shapes=shapes,
        ids=world_cache.unpacked_texts(kept["ids"], nodes),
        pois=_restored_pois(kept, count),
        info=WorldInfo(problems=world_cache.unpacked_problems(kept["problems"])),
        **arrays,  # type: ignore[arg-type]  # each of the type it was kept in
    )


def _restored_pois(kept: world_cache.Arrays, count: int) -> Mapping[str, Poi]:
    if not count:
        return {}
    texts = world_cache.unpacked_texts(kept["tags"], count)
    places = np.asarray(kept["places"], np.float64)
    return table_of(
        world_cache.unpacked_texts(kept["pois"], count),
        places,
        pa.chunked_array([texts], pa.string()),
    )
