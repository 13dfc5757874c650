"""How long searches over the links take: what scipy does, against the same search in plain
Python.
"""

from __future__ import annotations

import heapq
import math
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from scipy.sparse.csgraph import dijkstra

from navviz.formats import open_episodes, open_graph
from navviz.metrics.path import shortest_m
from navviz.world.graph import Graph
from tools.bench.clocks import fastest_s

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def manhattan(data_dir: Path) -> Graph:
    return open_graph(data_dir / "map2seq")


def _plain(graph: Graph, node: str) -> dict[str, float]:
    """Baseline: Dijkstra's search with a heap, over adjacency lists."""
    start, links = graph.index[node], graph.weighted_adjacency
    best, done, queue = {start: 0.0}, dict[int, float](), [(0.0, start)]
    while queue:
        walked_m, here = heapq.heappop(queue)
        if here in done:
            continue
        done[here] = walked_m
        for target, length_m in links[here]:
            if walked_m + length_m < best.get(target, math.inf):
                best[target] = walked_m + length_m
                heapq.heappush(queue, (best[target], target))
    return {graph.ids[i]: walked_m for i, walked_m in done.items()}


def test_distances_to_all_nodes(benchmark: BenchmarkFixture, manhattan: Graph) -> None:
    """The same distances to the last bit, in less than half the time."""
    node = manhattan.ids[0]
    assert manhattan.geodesics_from(node) == _plain(manhattan, node)
    found = benchmark(manhattan.geodesics_from, node)
    assert len(found) > 36_000
    plain_s = fastest_s(lambda: _plain(manhattan, node))
    benchmark.extra_info["baseline_s"] = plain_s
    assert fastest_s(lambda: manhattan.geodesics_from(node)) < plain_s / 2


def test_one_goal_is_found_faster_without_scipy(
    benchmark: BenchmarkFixture, data_dir: Path, manhattan: Graph
) -> None:
    """Why single pairs are not searched by scipy: it knows no goal to end at.

    Should this fail, use it there too.
    """
    episodes = list(
        open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes.values()
    )[:20]
    pairs = [(episode.start, episode.reference_path[-1]) for episode in episodes]
    links = manhattan._links_csr

    def by_scipy() -> None:
        for start, _ in pairs:
            dijkstra(links, indices=manhattan.index[start])

    def towards_the_goal() -> None:
        for start, goal in pairs:
            shortest_m(manhattan, start, goal)

    benchmark(towards_the_goal)
    benchmark.extra_info["baseline_s"] = fastest_s(by_scipy)
    assert fastest_s(towards_the_goal) < fastest_s(by_scipy)
