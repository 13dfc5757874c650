"""A city of 160,000 nodes, 640,000 links and 32,000 POIs: read, and opened from the cache.

Goals on a quiet machine: a million nodes in 6 s and 700 MB, from the cache in 0.5 s. Times are the
processor's. The baseline in the same run is the plain loader of `test_loading_bench`: a row at a
time, nothing checked.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from navviz.formats import open_graph
from tools.bench.clocks import fastest_s
from tools.bench.test_loading_bench import _plain_graph

SIDE = 400


def write_city(folder: Path, side: int = SIDE) -> Path:
    """A square net of two-way streets, one POI for each five nodes."""
    row, column = np.divmod(np.arange(side * side), side)
    ids = (np.arange(side * side) * 7 + 4_200_000_000).tolist()
    places = [
        f"{48 + r * 1e-4:.7f},{11 + c * 1.35e-4:.7f}"
        for r, c in zip(row.tolist(), column.tolist(), strict=True)
    ]
    links = [
        f"{ids[i]},{heading},{ids[i + dr * side + dc]}"
        for i, (r, c) in enumerate(zip(row.tolist(), column.tolist(), strict=True))
        for dr, dc, heading in ((1, 0, 0), (0, 1, 90), (-1, 0, 180), (0, -1, 270))
        if 0 <= r + dr < side and 0 <= c + dc < side
    ]
    some = range(0, side * side, 5)
    tags = {i: json.dumps({"amenity": "cafe", "name": f"Corner, No. {i}"}) for i in some}
    folder.mkdir()
    for name, lines in {
        "nodes": [f"{key},{place}" for key, place in zip(ids, places, strict=True)],
        "links": links,
        "pois": [f"p{i},{places[i]},{tags[i]}" for i in some],
        "poi_links": [f"{ids[i]},0,{places[i]},p{i}" for i in some],
    }.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return folder


def test_a_large_world_is_read_faster_than_row_by_row(tmp_path, monkeypatch, record_property):
    folder = write_city(tmp_path / "city")
    monkeypatch.setenv("NAVVIZ_CACHE", str(folder / "nodes.txt" / "no folder"))
    assert (len(open_graph(folder)), len(open_graph(folder).pois)) == (
        SIDE * SIDE,
        -(-SIDE * SIDE // 5),
    )
    ours_s = fastest_s(lambda: open_graph(folder), clock=time.process_time)
    plain_s = fastest_s(lambda: _plain_graph(folder), 1, time.process_time)
    record_property("ours_s", ours_s)
    record_property("ratio", plain_s / ours_s)
    assert plain_s / ours_s > 2


def test_the_cache_is_faster_than_reading(tmp_path, monkeypatch, record_property):
    folder = write_city(tmp_path / "city")
    monkeypatch.setenv("NAVVIZ_CACHE", str(folder / "nodes.txt" / "no folder"))
    read_s = fastest_s(lambda: open_graph(folder), clock=time.process_time)
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    open_graph(folder)
    assert list((tmp_path / "cache" / "worlds").glob("*.npz"))
    cached_s = fastest_s(lambda: open_graph(folder), clock=time.process_time)
    record_property("cached_s", cached_s)
    record_property("ratio", read_s / cached_s)
    assert read_s / cached_s > 2
