"""Path metrics indoors, by the definitions of the R2R family: against an independent computation,
and by hand.
"""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from navviz.formats import open_episodes, open_results, open_worlds
from navviz.metrics.path import Ruler, score_path
from navviz.metrics.score import score_run
from navviz.records import Episode
from navviz.world.graph import Graph

RADIUS_M = 3.0


def independent_graph(path: Path) -> nx.Graph:
    """As agents of the R2R family load a connectivity file."""
    raw = json.loads(path.read_text())
    graph = nx.Graph()
    for a in raw:
        for j, linked in enumerate(a["unobstructed"]):
            if linked and a["included"] and raw[j]["included"]:
                length = math.dist(
                    [a["pose"][k] for k in (3, 7, 11)], [raw[j]["pose"][k] for k in (3, 7, 11)]
                )
                graph.add_edge(a["image_id"], raw[j]["image_id"], weight=length)
    return graph


def independent_scores(distance: dict, path: list[str], reference: list[str]) -> dict[str, float]:
    """Written from the papers, with plain loops: Anderson et al. 2018, Ilharco et al. 2019, Jain et
    al. 2019.
    """
    goal = reference[-1]
    error = distance[path[-1]][goal]
    success = float(error < RADIUS_M)
    length = sum(distance[a][b] for a, b in pairwise(path))
    reference_length = sum(distance[a][b] for a, b in pairwise(reference))
    shortest = distance[reference[0]][goal]
    table = np.full((len(path) + 1, len(reference) + 1), np.inf)
    table[0, 0] = 0
    for i, a in enumerate(path, start=1):
        for j, b in enumerate(reference, start=1):
            table[i, j] = distance[a][b] + min(
                table[i - 1, j], table[i, j - 1], table[i - 1, j - 1]
            )
    ndtw = math.exp(-table[-1, -1] / (len(reference) * RADIUS_M))
    coverage = sum(
        math.exp(-min(distance[r][p] for p in path) / RADIUS_M) for r in reference
    ) / len(reference)
    expected = coverage * reference_length
    return {
        "NE": error,
        "SR": success,
        "OSR": float(min(distance[node][goal] for node in path) < RADIUS_M),
        "TL": length,
        "SPL": success * shortest / max(length, shortest),
        "nDTW": ndtw,
        "SDTW": success * ndtw,
        "PC": coverage,
        "CLS": coverage * expected / (expected + abs(expected - length)),
    }


@pytest.mark.data
def test_random_walks_of_val_seen_equal_an_independent_computation(data_dir):
    worlds = open_worlds(data_dir / "mp3d")
    episodes = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes
    file = data_dir / "r2r" / "val_seen_random_walk.json"
    (run,) = open_results(file, worlds, episodes)
    score = score_run(run, worlds)
    raw = {
        item["instr_id"]: [node for node, _, _ in item["trajectory"]]
        for item in json.loads(file.read_text())
    }

    @cache
    def distances(scan: str) -> dict:
        path = data_dir / "mp3d" / "connectivity" / f"{scan}_connectivity.json"
        return dict(nx.all_pairs_dijkstra_path_length(independent_graph(path)))

    assert len(score.rows) == 736
    sums: dict[str, float] = {}
    for name, row in score.rows.items():
        episode = episodes[name]
        expected = independent_scores(
            distances(episode.world), raw[name], list(episode.reference_path)
        )
        for metric, value in expected.items():
            assert row[metric] == pytest.approx(value, abs=1e-6), (name, metric)
            sums[metric] = sums.get(metric, 0.0) + value
    for metric, total in sums.items():
        assert score.means[metric] == pytest.approx(total / 736, abs=1e-6), metric


@pytest.mark.data
def test_a_shortest_path_agent_has_sr_and_spl_of_exactly_one(data_dir):
    worlds = open_worlds(data_dir / "mp3d")
    episodes = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes
    here = [
        episode
        for episode in episodes.values()
        if episode.world in worlds.names and episode.id.endswith("_0")
    ]
    assert len(here) == 245
    for episode in here:
        graph = worlds(episode.world)
        path = graph.shortest_path(episode.start, episode.goal)
        scores = score_path(path, episode, Ruler(graph))
        assert (scores["SR"], scores["SPL"], scores["NE"]) == (1.0, 1.0, 0.0)


@pytest.fixture
def row():
    """a b c d in a row, 2 m apart, and e above c, reached from d only: 2 m from c, 4 m over the
    links.
    """
    positions = np.array([[0, 0, 0], [0, 2, 0], [0, 4, 0], [0, 6, 0], [0, 4, 2]], dtype=float)
    pairs = [(0, 1), (1, 2), (2, 3), (3, 4)]
    both = pairs + [(b, a) for a, b in pairs]
    return Graph(
        name="row",
        frame="metric",
        ids=list("abcde"),
        positions=positions,
        sources=np.array([a for a, _ in both], np.int32),
        targets=np.array([b for _, b in both], np.int32),
    )


def episode(reference: str) -> Episode:
    return Episode(
        id="1",
        dataset="R2R",
        instruction="Go.",
        start=reference[0],
        reference_path=tuple(reference),
        goal=reference[-1],
        success_radius_m=RADIUS_M,
    )


def test_distances_follow_the_links_not_the_air(row):
    scores = score_path("abc", episode("abcde"), Ruler(row))
    assert scores["NE"] == pytest.approx(2 + math.sqrt(8)), (
        "2 m through the air, over the stairs farther"
    )
    assert scores["SR"] == 0.0


def test_a_case_by_hand(row):
    """Reference a b c, path a b: NE 2, success, TL 2, DTW 2, nDTW exp(-2 / 9), PC (1 + 1 +
    exp(-2/3)) / 3.
    """
    scores = score_path("ab", episode("abc"), Ruler(row))
    coverage = (2 + math.exp(-2 / 3)) / 3
    expected = coverage * 4
    assert scores["NE"] == 2
    assert (scores["SR"], scores["OSR"], scores["TL"], scores["SPL"]) == (1.0, 1.0, 2.0, 1.0)
    assert scores["nDTW"] == pytest.approx(math.exp(-2 / 9))
    assert scores["CLS"] == pytest.approx(coverage * expected / (expected + expected - 2))


def test_a_stop_at_the_start_and_a_detour(row):
    stay = score_path("a", episode("abc"), Ruler(row))
    assert (stay["NE"], stay["SR"], stay["TL"], stay["SPL"], stay["CLS"]) == (
        4.0,
        0.0,
        0.0,
        0.0,
        pytest.approx((1 + math.exp(-2 / 3) + math.exp(-4 / 3)) / 3 / 2),
    )
    detour = score_path("abcba"[:5] + "bc", episode("abc"), Ruler(row))
    assert detour["SPL"] == pytest.approx(4 / 12)
