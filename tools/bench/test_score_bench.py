"""How long scoring takes, against a breadth-first search and a DTW per episode in plain Python."""

from __future__ import annotations

import math
import time
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.formats import open_graph, open_results
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import score_run

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def opened(data_dir: Path):
    graph = open_graph(data_dir / "map2seq")
    (run,) = open_results(data_dir / "groke" / "paper_results" / "main_test_seen.json", graph)
    return graph, run


def _haversine_m(p, q) -> float:
    lat1, lon1, lat2, lon2 = map(math.radians, (*p, *q))
    h = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    )
    return 2 * 6_371_000.0 * math.asin(math.sqrt(h))


def _plain_scores(graph: nx.DiGraph, trace) -> tuple[float, float]:
    """Baseline, in plain Python: a breadth-first tree from each waypoint, then DTW cell by cell (a
    third of a second).
    """
    waypoints = list(dict.fromkeys(node for node in trace.waypoints if node is not None))
    path = waypoints[:1]
    for node in waypoints[1:]:
        parents = dict(nx.bfs_predecessors(graph, path[-1]))
        leg = [node]
        while leg[-1] in parents:
            leg.append(parents[leg[-1]])
        path += leg[-2::-1] if leg[-1] == path[-1] else leg
    at = {node: graph.nodes[node]["position"] for node in (*path, *trace.episode.reference_path)}
    reference = trace.episode.reference_path
    total = [[math.inf] * (len(path) + 1) for _ in range(len(reference) + 1)]
    total[0][0] = 0.0
    for i, r in enumerate(reference, start=1):
        for j, q in enumerate(path, start=1):
            best = min(total[i - 1][j], total[i][j - 1], total[i - 1][j - 1])
            total[i][j] = _haversine_m(at[r], at[q]) + best
    length_m = sum(_haversine_m(at[a], at[b]) for a, b in pairwise(reference))
    return _haversine_m(at[path[-1]], at[reference[-1]]), math.exp(-total[-1][-1] / length_m)


def test_scoring_700_episodes(benchmark: BenchmarkFixture, data_dir: Path, opened) -> None:
    """Goal: 2 s after loading, and 100 times faster than the baseline; the search for paths counts
    on both sides.
    """
    graph, run = opened
    results = data_dir / "groke" / "paper_results" / "main_test_seen.json"

    def work():
        return score_run(open_results(results, graph)[0], graph)

    scores = benchmark.pedantic(work, rounds=3, warmup_rounds=1)
    other = graph.to_networkx()
    sample = list(run.traces)[::140]
    start = time.perf_counter()
    plain = {key: _plain_scores(other, run.traces[key]) for key in sample}
    plain_s = (time.perf_counter() - start) / len(sample) * len(run)
    ratio = plain_s / benchmark.stats.stats.min
    benchmark.extra_info.update(baseline_s=plain_s, ratio=ratio)
    for key, (error_m, fidelity) in plain.items():
        assert scores.rows[key]["NE"] == pytest.approx(error_m, abs=1e-6)
        assert scores.rows[key]["nDTW_groke"] == pytest.approx(fidelity, abs=0.02)
    assert ratio > 100


def test_divergence_of_700_episodes(benchmark: BenchmarkFixture, opened) -> None:
    """Baseline: scoring the same run."""
    graph, run = opened
    start = time.perf_counter()
    score_run(run, graph)
    scoring_s = time.perf_counter() - start
    benchmark.pedantic(
        lambda: [find_divergence(trace, graph) for trace in run.traces.values()],
        rounds=3,
        warmup_rounds=1,
    )
    assert benchmark.stats.stats.min / scoring_s < 3
