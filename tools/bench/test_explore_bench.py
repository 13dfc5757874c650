"""How long Explore and Replay make a user wait on the real Manhattan run, as ratios against stated
baselines.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.runs.opened import OpenRun, load
from navviz.runs.sources import Source
from navviz.views.figures.figure import FigureEpisode, episodes_figure, figure_bytes
from navviz.views.figures.overview import thumbnail_points
from tools.bench.clocks import fastest_s

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def run(data_dir: Path) -> OpenRun:
    graph = data_dir / "map2seq" / "osm" / "graph"
    results = data_dir / "groke" / "paper_results" / "main_test_seen.json"
    opened = load(Source("main", "opened", (graph,), None, results))
    opened.graph(next(iter(opened.traces)))  # the graph is read before anything is timed
    return opened


def test_700_thumbnails(benchmark: BenchmarkFixture, run: OpenRun) -> None:
    """Baseline: the same paths drawn by matplotlib (the static picture that papers use), 7 of them
    times 100.
    """
    traces = list(run.traces.values())

    def draw() -> list[dict[str, object]]:
        return [
            thumbnail_points(run.graph(t.episode.id), t.episode.reference_path, t.path)
            for t in traces
        ]

    thumbs = benchmark.pedantic(draw, rounds=3, warmup_rounds=1)
    pictures = fastest_s(
        lambda: [
            figure_bytes(episodes_figure([FigureEpisode(t, run.graph(t.episode.id))]), "svg")
            for t in traces[:7]
        ],
        1,
    )
    benchmark.extra_info["baseline_s"] = 100 * pictures
    benchmark.extra_info["ratio"] = 100 * pictures / benchmark.stats.stats.min
    benchmark.extra_info["bytes_each"] = sum(len(json.dumps(each)) for each in thumbs) / len(thumbs)
    assert len(thumbs) == 700
    assert benchmark.extra_info["ratio"] > 20
