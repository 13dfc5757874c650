"""What a run would cost: from the prompts it would send, from runs of the same kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.formats import open_episodes, open_graph
from navviz.records import Call, EndEvent, Price, Trace, Usage
from navviz.runner.estimate import estimate_run
from navviz.systems.registry import get_navigator, settings_from
from tests.replays import full_trace
from tests.worlds import write_world

PRICE = Price(prompt_usd=2.0, output_usd=12.0)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("estimate")
    graph = open_graph(write_world(folder))
    [episode] = open_episodes(folder / "splits" / "tiny.json").episodes.values()
    return graph, episode


def counted(usage: Usage | None) -> Trace:
    """A finished walk of groke with one planning call and one call in each of two steps."""
    old = full_trace()
    call = Call(messages=(), reply="{}", usage=usage)
    steps = tuple(step.model_copy(update={"calls": (call,)}) for step in old.steps[:2])
    header = old.header.model_copy(update={"navigator": "groke"})
    end = EndEvent(status="done", node=old.episode.start)
    return old.model_copy(
        update={"header": header, "plan_calls": (call,), "steps": steps, "end": end}
    )


def test_prompts_make_an_estimate_where_nothing_was_run(world):
    graph, episode = world
    groke = get_navigator("groke")
    short = estimate_run(groke, settings_from(groke), episode, graph, price=PRICE)
    assert short is not None
    assert (short.runs, short.calls) == (0, 7)
    assert short.usd == pytest.approx((short.prompt_tokens * 2 + short.output_tokens * 12) / 1e6)
    told_more = episode.model_copy(update={"instruction": episode.instruction * 40})
    longer = estimate_run(groke, settings_from(groke), told_more, graph)
    assert longer is not None
    assert longer.prompt_tokens > short.prompt_tokens
    assert longer.usd is None


def test_counted_runs_of_the_same_navigator_are_better_witnesses(world):
    graph, episode = world
    groke = get_navigator("groke")
    known = [counted(Usage(prompt_tokens=100, output_tokens=10, thoughts_tokens=40)), counted(None)]
    estimate = estimate_run(groke, settings_from(groke), episode, graph, price=PRICE, earlier=known)
    assert estimate is not None
    assert (estimate.runs, estimate.calls, estimate.prompt_tokens, estimate.output_tokens) == (
        1,
        3,
        300,
        150,
    )
    assert estimate.usd == pytest.approx((300 * 2 + 150 * 12) / 1e6)


def test_steps_of_another_walk_tell_how_many_decisions_there_are(world):
    graph, episode = world
    navigator = get_navigator("groke")
    estimate = estimate_run(
        navigator, settings_from(navigator), episode, graph, earlier=[counted(None)]
    )
    assert estimate is not None
    assert estimate.calls == 3
