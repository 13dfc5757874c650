"""Effects of words: with a walker that reads one word, and with the rules in the sample town."""

from __future__ import annotations

import pytest

from navviz.analysis.influence import estimated_cost, influence_of, mean_effects, walk_once
from navviz.records import Call, EndStatus, Step, Usage
from navviz.runs.opened import open_run, samples_dir
from navviz.systems.registry import get_navigator, settings_from
from tests.grids import episode, grid, trace

GRAPH = grid(9)
EAST = tuple(f"r0c{k}" for k in range(5))
ROUTE = (*EAST, "r1c4", "r2c4")
TEXT = "Go ahead. Turn left at the corner. Walk to the end."


def turns_at_left(message):
    """Walks the route where it reads "left", and straight on elsewhere."""
    return trace(
        message, [ROUTE if "left" in message.instruction else tuple(f"r0c{k}" for k in range(8))]
    )


def test_only_the_word_that_is_read_matters():
    influence = influence_of(episode(ROUTE, instruction=TEXT), GRAPH, turns_at_left)
    assert influence.success is True
    weights = {one.variant.description: influence.weight(one) for one in influence.effects}
    assert weights["“Turn left at the corner” left out"] == 1.0
    assert weights["“Turn left” made “right”"] == 1.0
    assert weights["“Go ahead” left out"] == 0.0
    changed = next(one for one in influence.effects if one.variant.change == "side")
    assert (changed.parted_at, changed.success) == ("r0c4", False)
    assert changed.parted_after_m == pytest.approx(80.0, abs=0.5)
    assert changed.change_m == pytest.approx(GRAPH.distance_m("r0c7", "r2c4"), rel=0.02)


def test_means_by_kind_of_change():
    influence = influence_of(episode(ROUTE, instruction=TEXT), GRAPH, turns_at_left)
    rows = {row.change: row for row in mean_effects([influence, influence])}
    assert (rows["side"].variants, rows["side"].episodes) == (2, 1)
    side = rows["side"]
    assert (side.other_path.mean, side.success.mean, side.success.low) == (1.0, -1.0, None)
    phrase = rows["phrase"].other_path
    assert (phrase.mean, phrase.episodes) == (pytest.approx(1 / 3), 1)
    assert (phrase.low, phrase.high) == (None, None), "one episode, twice, is no sample"
    assert mean_effects([]) == []


def test_a_walk_that_fails_is_an_outcome_that_nobody_knows():
    navigator = get_navigator("rules")
    lost = episode(ROUTE, instruction="Turn left.", start="nowhere")
    ended = walk_once(navigator, lost, GRAPH, None, settings_from(navigator))
    assert ended.end is not None
    assert ended.end.status is EndStatus.ERROR
    influence = influence_of(lost, GRAPH, lambda _episode: ended)
    assert (influence.success, influence.error_m) == (None, None)
    assert all(influence.weight(one) == 0.0 for one in influence.effects)


def test_cost_is_estimated_by_what_a_walk_cost():
    call = Call(usage=Usage(prompt_tokens=100, output_tokens=20), cost_usd=0.01)
    walked = trace(episode(ROUTE), [ROUTE])
    walked = walked.model_copy(update={"steps": (Step(index=1, node="r0c0", calls=(call, call)),)})
    cost = estimated_cost(walked, 10)
    assert (cost.calls, cost.tokens, cost.usd) == (20, 2400, pytest.approx(0.2))
    assert estimated_cost(None, 10).tokens is None


def test_the_rules_in_the_sample_town():
    run = open_run(samples_dir() / "harbour" / "runs" / "rules")
    navigator = get_navigator("rules")
    result, graph = run.episodes["2"], run.graph("2")
    settings = settings_from(navigator)
    influence = influence_of(
        result, graph, lambda one: walk_once(navigator, one, graph, None, settings)
    )
    assert influence.trace.path == run.traces["2"].path
    assert {one.variant.change for one in influence.effects} >= {"phrase", "landmark", "side"}
    weight_of = {one.variant.description: influence.weight(one) for one in influence.effects}
    assert weight_of["landmark “Puppet Museum” left out"] == 1.0
    assert weight_of["“Puppet Museum” called “Mill Museum”"] == 1.0
