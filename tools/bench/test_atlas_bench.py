"""How long the atlas takes and how large it is: 700 real walks one by one, 50,000 made ones as
traffic.

Baseline: the same walks as folium's own polylines, a layer each, saved the same way; of the 50,000
a 50th times 50.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import folium
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.formats import open_graph
from navviz.runs.opened import load
from navviz.runs.sources import Source
from navviz.views.figures.atlas import atlas_map
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph
from tools.bench.clocks import fastest_s

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.data

STEPS = 12
SEGMENTS = 3
"""Street nodes a step; GROKE's walks have 38 nodes."""


@pytest.fixture(scope="module")
def manhattan(data_dir: Path) -> Path:
    return data_dir / "map2seq" / "osm" / "graph"


def _plain(graph: Graph, walks: Sequence[AtlasWalk], path: Path) -> None:
    chart = folium.Map(tiles=None)
    for walk in walks:
        line = [list(graph.position(node)) for node in walk.path if node in graph]
        folium.PolyLine(line, tooltip=walk.episode).add_to(chart)
    chart.save(path)


def test_700_walks_painted(
    benchmark: BenchmarkFixture, manhattan: Path, tmp_path: Path, chromium: Browser
) -> None:
    results = manhattan.parents[2] / "groke" / "paper_results" / "main_test_seen.json"
    run = load(Source("main", "opened", (manhattan,), None, results))
    graph, walks = run.map_walks(next(iter(run.episodes.values())).world)
    out = tmp_path / "atlas.html"
    benchmark.pedantic(lambda: atlas_map(graph, walks).save(out), rounds=3, warmup_rounds=1)
    plain_s = fastest_s(lambda: _plain(graph, walks, tmp_path / "plain.html"), 1)
    page = chromium.new_page()

    def paint() -> None:
        page.goto(out.as_uri())
        page.locator(".leaflet-control-layers").wait_for()
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    benchmark.extra_info["painted_s"] = fastest_s(paint)
    page.close()
    benchmark.extra_info["bytes"] = out.stat().st_size
    benchmark.extra_info["ratio"] = plain_s / benchmark.stats.stats.min
    benchmark.extra_info["ratio_bytes"] = (
        tmp_path / "plain.html"
    ).stat().st_size / out.stat().st_size
    assert len(walks) == 700
    assert out.stat().st_size < 3_000_000
    assert benchmark.extra_info["ratio"] > 1
    assert benchmark.extra_info["painted_s"] < 2.0


def _made(graph: Graph, count: int) -> list[AtlasWalk]:
    """Walks that turn at random and leave a route nobody drew at their last junction, a third of
    them.
    """
    rng, ways = np.random.default_rng(11), graph.adjacency
    starts = rng.integers(len(graph), size=count).tolist()
    turns = rng.integers(1 << 30, size=(count, STEPS * SEGMENTS)).tolist()
    walks = []
    for k, (here, row) in enumerate(zip(starts, turns, strict=True)):
        path, before = [here], -1
        for turn in row:
            onward = (
                [node for node in ways[path[-1]] if node != before] or ways[path[-1]] or [path[-1]]
            )
            before = path[-1]
            path.append(onward[turn % len(onward)])
        nodes = tuple(graph.ids[i] for i in path)
        passed = tuple(dict.fromkeys(graph.ids[i] for i in path if len(ways[i]) > 2))
        left = passed[-1] if passed and k % 3 == 0 else None
        outcome = "failure" if left else "success"
        walks.append(AtlasWalk(str(k), nodes, outcome, "", (left,) if left else (), passed, left))
    return walks


def test_50_000_walks_as_traffic(
    benchmark: BenchmarkFixture, manhattan: Path, tmp_path: Path
) -> None:
    graph = open_graph(manhattan, "")
    walks = _made(graph, 50_000)
    out = tmp_path / "atlas.html"
    benchmark.pedantic(lambda: atlas_map(graph, walks).save(out), rounds=2)
    plain_s = 50 * fastest_s(lambda: _plain(graph, walks[:1000], tmp_path / "plain.html"), 1)
    plain_bytes = 50 * (tmp_path / "plain.html").stat().st_size
    benchmark.extra_info["bytes"] = out.stat().st_size
    benchmark.extra_info["ratio"] = plain_s / benchmark.stats.stats.min
    benchmark.extra_info["ratio_bytes"] = plain_bytes / out.stat().st_size
    assert out.stat().st_size < 3_000_000
    assert benchmark.extra_info["ratio"] > 10
