"""How long the Manhattan graph takes to load, and how much memory, against the plain way."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.formats import open_episodes, open_graph, open_worlds
from navviz.world.geometry import bearing_deg
from tools.bench.clocks import fastest_s

pytestmark = pytest.mark.data


def _plain_graph(folder: Path) -> dict[str, dict]:
    """Baseline: `csv.reader` into dictionaries of dictionaries, a row at a time, as research
    scripts do.
    """
    nodes: dict[str, dict] = {}
    with (folder / "nodes.txt").open() as file:
        for node, lat, lon in csv.reader(file):
            nodes[node] = {"lat": float(lat), "lng": float(lon), "links": {}, "pois": {}}
    with (folder / "links.txt").open() as file:
        for a, heading, b in csv.reader(file):
            p, q = nodes[a], nodes[b]
            bearing = bearing_deg((p["lat"], p["lng"]), (q["lat"], q["lng"]))
            p["links"][b] = {"heading": int(heading), "bearing": bearing}
    pois = {}
    with (folder / "pois.txt").open() as file:
        for line in file:
            poi, lat, lon, tags = line.split(",", 3)
            pois[poi] = {"lat": float(lat), "lng": float(lon), "tags": json.loads(tags)}
    with (folder / "poi_links.txt").open() as file:
        for node, heading, lat, lon, poi in csv.reader(file):
            link = {
                "heading": int(heading),
                "lat": float(lat),
                "lng": float(lon),
                "poi": pois.get(poi),
            }
            nodes[node]["pois"][poi] = link
    return nodes


def test_loading_the_manhattan_graph(benchmark: BenchmarkFixture, data_dir: Path) -> None:
    """Goal: 1.5 s cold; here not slower than the plain loader, which checks nothing."""
    folder = data_dir / "map2seq" / "osm" / "graph"
    benchmark.pedantic(open_graph, (folder,), rounds=3, warmup_rounds=1)
    plain_s = fastest_s(lambda: _plain_graph(folder))
    ratio = plain_s / benchmark.stats.stats.min
    benchmark.extra_info.update(baseline_s=plain_s, ratio=ratio)
    assert ratio > 0.8


def test_a_graph_that_is_open_is_not_read_again(
    benchmark: BenchmarkFixture, data_dir: Path
) -> None:
    """Goal: 60 ms when cached; baseline: the first time."""
    worlds = open_worlds(data_dir / "map2seq")
    start = time.perf_counter()
    worlds("")
    first_s = time.perf_counter() - start
    benchmark(worlds, "")
    assert first_s / benchmark.stats.stats.mean > 100


def test_memory_of_the_manhattan_graph(data_dir: Path) -> None:
    """Goal: 250 MB; baseline: the plain loader's dictionaries."""
    folder = data_dir / "map2seq" / "osm" / "graph"
    used = {}
    for name, work in (("ours", open_graph), ("plain", _plain_graph)):
        tracemalloc.start()
        kept = work(folder)
        if name == "ours":
            _ = kept.adjacency, kept.weighted_adjacency, kept.metric_positions
        used[name], peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 250e6
        del kept
    assert used["plain"] / used["ours"] > 1.0


_COLD = """
import sys, time
start = time.perf_counter()
from pathlib import Path
from navviz.formats import open_graph
from tools.bench.clocks import fastest_s
graph = open_graph(Path(sys.argv[1]))
print(time.perf_counter() - start)
"""
_EMPTY = "import time; start = time.perf_counter(); import numpy, scipy.spatial, pydantic; print(time.perf_counter() - start)"


def _fresh_s(code: str, *arguments: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def test_a_fresh_process_with_imports(benchmark: BenchmarkFixture, data_dir: Path) -> None:
    """Goal: 1.5 s, imports included; baseline: importing numpy, scipy.spatial and pydantic
    alone.
    """
    folder = str(data_dir / "map2seq")
    imports_s = min(_fresh_s(_EMPTY) for _ in range(2))
    cold_s = min(benchmark.pedantic(_fresh_s, (_COLD, folder), rounds=1), _fresh_s(_COLD, folder))
    benchmark.extra_info.update(cold_s=cold_s, imports_s=imports_s)
    assert cold_s / imports_s < 8


def test_loading_a_split(benchmark: BenchmarkFixture, data_dir: Path) -> None:
    """Baseline: `json.loads` of the same file."""
    path = data_dir / "map2seq" / "splits" / "test_seen.json"
    benchmark(open_episodes, path)
    plain_s = fastest_s(lambda: json.loads(path.read_text()))
    benchmark.extra_info["baseline_s"] = plain_s
    assert benchmark.stats.stats.min / plain_s < 20
