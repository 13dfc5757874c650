"""Which words mattered, with `rules` on Map2Seq: goal 20 variants in 2 s.

Baseline: as many single walks of a run.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from navviz.analysis.influence import influence_of, walk_once
from navviz.formats import open_episodes, open_graph
from navviz.systems.registry import get_navigator, settings_from

EPISODES = 5


@pytest.mark.nightly
@pytest.mark.data
def test_variants_cost_what_single_walks_cost(data_dir: Path) -> None:
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    episodes = list(
        open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes.values()
    )[:EPISODES]
    navigator = get_navigator("rules")
    settings = settings_from(navigator)
    walk_once(navigator, episodes[0], graph, None, settings)  # reads the weights

    began = time.process_time()
    walks = 0
    for episode in episodes:
        influence = influence_of(
            episode, graph, lambda one: walk_once(navigator, one, graph, None, settings)
        )
        walks += 1 + len(influence.effects)
    variants_s = time.process_time() - began

    began = time.process_time()
    for k in range(walks):
        walk_once(navigator, episodes[k % EPISODES], graph, None, settings)
    single_s = time.process_time() - began
    print(
        f"{walks} walks; 20 variants {20 * variants_s / walks:.2f} s; ratio to single walks {variants_s / single_s:.2f}"
    )
    assert variants_s / single_s < 1.6
