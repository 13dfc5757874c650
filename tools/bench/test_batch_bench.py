"""What a batch costs for each episode, with `rules` in Manhattan: two workers against one, in the
same run.
"""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from navviz.formats import open_episodes
from navviz.runner.batches import Batch
from navviz.runner.plan import BatchPlan
from navviz.runner.walking import walk_batch

pytestmark = pytest.mark.data

EPISODES = 100


def _spent_s() -> float:
    values = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in values)


def test_two_workers_cost_little_more_than_one(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker begins with Python and the map: seconds, which a long batch does not notice."""
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    graph = str(data_dir / "map2seq" / "osm" / "graph")
    episodes = list(
        open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes.values()
    )[:EPISODES]
    spent: dict[int, float] = {}
    for workers in (1, 2):
        plan = BatchPlan(navigator="rules", run=f"with-{workers}", graphs=(graph,), workers=workers)
        began, before = time.perf_counter(), _spent_s()
        walked = walk_batch(Batch(tmp_path / "runs", plan, episodes))
        spent[workers] = (_spent_s() - before) / EPISODES
        print(
            f"{workers} workers: {spent[workers]:.3f} s of processor an episode, {time.perf_counter() - began:.1f} s"
        )
        assert walked.state.state == "done"
        assert walked.state.tallies[0].done == EPISODES
    print(f"ratio {spent[2] / spent[1]:.2f}")
    assert spent[2] < 3 * spent[1]
