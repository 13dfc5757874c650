"""Slices: by hand, a planted effect, and how often chance is called an effect."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from navviz.analysis.slices import (
    episode_features,
    failed_episodes,
    find_slices,
    run_features,
    worse_slices,
)
from navviz.formats import open_graph, open_results
from navviz.metrics.score import score_run
from navviz.records import Landmark
from tests.grids import episode, grid, route, trace
from tests.worlds import ROUTE, write_world

GRAPH = grid(9)
PATH = route(GRAPH, "r0c0", "r0c4", "r4c4")


def test_features_of_an_episode():
    own_trace = trace(
        episode(PATH).model_copy(
            update={"instruction": "Turn slight left at the bank, then stop."}
        ),
        [PATH],
    )
    features = episode_features(own_trace, GRAPH)
    assert {
        "word: slight",
        "phrase: slight left",
        "phrase: turn slight",
        "a left turn",
        "fewer than 30 words",
    } <= features
    assert not {"word: the", "phrase: at the", "a right turn"} & features
    away = own_trace.model_copy(update={"steps": ()})
    assert episode_features(away, GRAPH) == features  # the walk is no feature


def test_a_slice_by_hand():
    features = {str(k): ["word: x"] if k < 10 else ["word: y"] for k in range(30)}
    failed = {str(k): k < 8 or k >= 25 for k in range(30)}
    (first, _) = find_slices(features, failed)
    assert (len(first.episodes), first.failures, first.others, first.other_failures) == (
        10,
        8,
        20,
        5,
    )
    assert first.odds_ratio == pytest.approx(8.5 * 15.5 / (2.5 * 5.5))
    assert first.low < first.odds_ratio < first.high
    assert first.p == pytest.approx(2 * stats.fisher_exact([[8, 2], [5, 15]], "greater").pvalue)
    assert first.record()["high"] == first.high
    never = replace(first, failures=10)
    assert never.record()["high"] is None, "no count bounds it, and JSON has no infinity"
    assert first.sentence.startswith(
        "Instructions with “x” fail 3.2 times as often: 8 of 10 against 5 of 20; adjusted"
    )
    alike = replace(first, failures=5, other_failures=10)
    assert alike.sentence.startswith(
        "Instructions with “x” fail about as often: 5 of 10 against 10 of 20; adjusted"
    )


def test_small_slices_and_twins_are_left_out():
    features = {
        str(k): {"rare"} if k < 4 else {"one", "the same one"} if k < 15 else set()
        for k in range(30)
    }
    assert [
        one.feature for one in find_slices(features, {str(k): k % 2 == 0 for k in range(30)})
    ] == ["one"]
    assert find_slices({}, {}) == []
    assert find_slices(features, {}) == []


def _random_run(rng, count=200, names=60):
    frequency = rng.uniform(0.05, 0.5, names)
    owned = rng.random((count, names)) < frequency
    return owned, {str(k): [f"word: w{j}" for j in np.flatnonzero(owned[k])] for k in range(count)}


def _planted_first(runs: int) -> int:
    """In how many synthetic runs a feature that makes failing three times as likely leads the
    list.
    """
    rng, first = np.random.default_rng(2), 0
    for _ in range(runs):
        owned, features = _random_run(rng)
        planted = int(
            rng.choice(np.flatnonzero((owned.mean(axis=0) > 0.2) & (owned.mean(axis=0) < 0.5)))
        )
        chance = np.where(owned[:, planted], 0.6, 0.2)
        failed = {str(k): bool(rng.random() < chance[k]) for k in range(len(owned))}
        first += find_slices(features, failed)[0].feature == f"word: w{planted}"
    return first


def _alarms(runs: int) -> int:
    """In how many synthetic runs with random outcomes anything is called significant."""
    rng, alarms = np.random.default_rng(3), 0
    for _ in range(runs):
        _, features = _random_run(rng)
        failed = {key: bool(rng.random() < 0.34) for key in features}
        alarms += find_slices(features, failed)[0].p_adjusted < 0.05
    return alarms


def test_a_planted_effect_comes_first():
    """A short form of the two that run at night."""
    assert _planted_first(20) >= 19


def test_chance_is_seldom_called_an_effect():
    assert _alarms(20) <= 1


@pytest.mark.nightly
def test_a_planted_effect_comes_first_in_95_of_100():
    assert _planted_first(200) >= 190


@pytest.mark.nightly
def test_chance_is_called_an_effect_in_at_most_5_of_100():
    assert _alarms(200) <= 10


def test_a_run_is_worse_on_a_planted_feature():
    """A fails where B succeeds on every other instruction with “fork”; elsewhere both differ as
    often either way.
    """
    features = {str(k): ["word: fork"] if k < 20 else ["word: bank"] for k in range(80)}
    a = {str(k): (k < 20 and k % 2 == 0) or (k >= 20 and k % 4 == 0) for k in range(80)}
    b = {str(k): k >= 20 and k % 4 == 1 for k in range(80)}
    first = worse_slices(features, a, b, ("A", "B"))[0]
    assert (first.failures, len(first.episodes), first.other_failures, first.others) == (
        10,
        10,
        15,
        30,
    )
    assert first.sentence.startswith(
        "Instructions with “fork”: A fails where B succeeds 10 times, the other way round 0 times; elsewhere 15 and 15;"
    )
    assert worse_slices(features, a, {}, ("A", "B")) == []


def test_landmarks_and_area_are_features(tmp_path):
    graph = open_graph(write_world(tmp_path))
    own_trace = trace(
        episode(ROUTE).model_copy(
            update={"landmarks": (Landmark(name="blue door"), Landmark(name="Zoo"))}
        ),
        [],
    )
    features = run_features({"e1": own_trace}, lambda _world: graph)["e1"]
    assert {
        "landmark: cafe",
        "a landmark not on the map",
        "9 or more nodes around the route",
    } <= features


@pytest.mark.nightly
@pytest.mark.data
def test_the_published_run(data_dir):
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    (run,) = open_results(data_dir / "groke" / "paper_results" / "main_test_seen.json", graph)
    failed = failed_episodes(score_run(run, graph))
    slices = find_slices(run_features(run.traces, lambda _world: graph), failed)
    assert all(a.p_adjusted <= b.p_adjusted for a, b in pairwise(slices))
    for one in slices:
        assert one.failures + one.other_failures == 235
        assert len(one.episodes) + one.others == 700
    assert slices[0].sentence == (
        "Episodes with a junction of five or more ways fail 2.0 times as often: 40 of 66 against 195 of 634; "
        "adjusted p 0.003."
    )
    assert [one.feature for one in slices if one.p_adjusted < 0.05] == [
        "a junction of five or more ways"
    ]
