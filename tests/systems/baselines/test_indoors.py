"""The baselines indoors."""

from __future__ import annotations

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_worlds
from navviz.metrics.score import score_trace
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.base import Navigator
from navviz.systems.baselines.outdoors import RandomWalkerIndoors, ShortestPathOracle
from navviz.systems.registry import settings_from
from navviz.world.graph import Graph
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


def episodes() -> dict[str, Episode]:
    return dict(open_episodes(HOUSE / "R2R_sample.json").episodes)


def walk(
    navigator: Navigator,
    episode: Episode,
    graph: Graph,
    past: Trace | None = None,
    **settings: object,
) -> Trace:
    options = settings_from(navigator, settings)
    events = navigator.navigate(episode, graph, None, options, past)
    return fold([TraceHeader(episode=episode, navigator=navigator.name), *events])


def test_the_oracle_has_sr_and_spl_of_exactly_one(house):
    for episode in episodes().values():
        trace = walk(ShortestPathOracle(), episode, house)
        scores = score_trace(trace, house)
        assert (scores["SR"], scores["SPL"], scores["NE"]) == (1.0, 1.0, 0.0)
        assert trace.steps[-1].decision.stop
        assert len(trace.steps) == len(trace.path)


def test_the_oracle_says_when_there_is_no_goal(house):
    episode = episodes()["101_0"].model_copy(update={"goal": None})
    with pytest.raises(InputError, match="the goal is unknown"):
        walk(ShortestPathOracle(), episode, house)


def test_the_random_walker_moves_five_times_along_links_the_same_way_each_time(house):
    for episode in episodes().values():
        trace = walk(RandomWalkerIndoors(), episode, house)
        assert len(trace.steps) == 6
        for step in trace.steps[:-1]:
            assert house.has_link(*step.path)
        assert trace == walk(RandomWalkerIndoors(), episode, house)
    paths = {
        walk(RandomWalkerIndoors(), episodes()["102_0"], house, seed=seed).path for seed in range(8)
    }
    assert len(paths) > 1


def test_a_fork_goes_on_where_the_past_ends(house):
    episode = episodes()["102_0"]
    whole = walk(ShortestPathOracle(), episode, house)
    past = whole.model_copy(update={"steps": whole.steps[:3], "end": None})
    rest = walk(ShortestPathOracle(), episode, house, past)
    assert rest.steps == whole.steps[3:]


def test_a_start_outside_the_house_is_said(house):
    with pytest.raises(InputError, match="is not in NavVizHouse"):
        walk(RandomWalkerIndoors(), episodes()["101_0"].model_copy(update={"start": "q"}), house)


@pytest.mark.data
def test_the_oracle_is_perfect_in_real_houses_too(data_dir):
    worlds = open_worlds(data_dir / "mp3d")
    found = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes
    some = [episode for episode in found.values() if episode.world in worlds.names][::60]
    for episode in some:
        graph = worlds(episode.world)
        scores = score_trace(walk(ShortestPathOracle(), episode, graph), graph)
        assert (scores["SR"], scores["SPL"]) == (1.0, 1.0)
