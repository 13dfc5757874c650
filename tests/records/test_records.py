"""The records."""

from __future__ import annotations

import pytest

from navviz.errors import InputError, Problem, Problems, RecordError
from navviz.records import Call, Episode, PlanEvent, Step, Trace, TraceHeader, Usage
from navviz.runner import Budget
from navviz.runs.tables import EpisodeRow, episode_columns
from navviz.views.player.writer import Tally
from tests.grids import episode, straight, trace


def test_records_are_frozen_and_strict():
    own_episode = episode(straight())
    with pytest.raises(RecordError, match="Episode does not change; make another"):
        own_episode.id = "other"
    with pytest.raises(RecordError, match="field colour: is no field of Episode; choose among: id"):
        Episode(id="1", dataset="d", instruction="", start="a", colour="red")
    with pytest.raises(RecordError):
        PlanEvent(sub_goals=[{"description": "x", "status": "MAYBE"}])


def test_defaults_are_missing_and_not_zero():
    call = Call()
    assert (call.usage, call.seconds, call.cost_usd, call.reply, call.thoughts) == (None,) * 5
    step = Step(index=1, node=None)
    assert (step.heading_deg, step.sub_goal, step.decision, step.observation) == (None,) * 4


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, None),
        (Usage(prompt_tokens=100, thoughts_tokens=20, output_tokens=5, cached_tokens=90), 125),
        (Usage(prompt_tokens=100, output_tokens=5), 105),
        (Usage(prompt_tokens=100, thoughts_tokens=20), None),
        (Usage(thoughts_tokens=20, output_tokens=5), None),
        (Usage(prompt_tokens=100, thoughts_tokens=20).with_total(120), 120),
        (Usage(prompt_tokens=100).with_total(107), 107),
        (Usage(prompt_tokens=100, output_tokens=5).with_total(999), 105),
        (Usage(output_tokens=5).with_total(999), None),
        (Usage(prompt_tokens=100).with_total(None), None),
    ],
)
def test_the_tokens_of_a_call_are_the_same_everywhere(usage, tokens):
    call = Call(usage=usage)
    assert call.tokens == tokens
    budget = Budget(tokens=10_000)
    budget.charge([call])
    assert budget.spent_tokens == (tokens or 0)
    tally = Tally()
    tally.add(call)
    assert (tally.tokens, tally.partial) == (tokens, tokens is None)
    walked = Trace(
        header=TraceHeader(episode=episode(straight()), navigator="n"), plan_calls=(call,)
    )
    column = episode_columns()["tokens"]
    assert column.value(EpisodeRow(walked, {}, None, None)) == tokens


def test_the_path_joins_moves_and_stays():
    made = trace(episode(straight()), [straight(0, 0, 2), (), straight(0, 2, 3)])
    assert made.path == straight(0, 0, 3)
    assert trace(episode(straight()), []).path == ("r0c0",)
    hole = Trace(header=made.header, steps=(Step(index=1, node=None), Step(index=2, node="r0c1")))
    assert hole.path == ("r0c0", "r0c1")


def test_calls_come_in_order():
    plan, act = Call(purpose="plan"), Call(purpose="decide")
    header = TraceHeader(episode=episode(straight()), navigator="n")
    made = Trace(
        header=header, plan_calls=(plan,), steps=(Step(index=1, node="r0c0", calls=(act, act)),)
    )
    assert [call.purpose for call in made.calls] == ["plan", "decide", "decide"]


def test_json_and_back():
    made = trace(episode(straight(), extra={"a": [1, {"b": None}]}), [straight()])
    assert Trace.model_validate_json(made.model_dump_json()) == made


def test_a_problem_is_one_sentence():
    assert str(Problem("is empty")) == "is empty."
    assert (
        str(Problem("is empty", "fill it", "a.json", "7", "path"))
        == "a.json, episode 7, field path: is empty; fill it."
    )
    assert str(InputError("is empty", file="a.json")) == "a.json: is empty."


def test_problems_are_counted_beyond_what_is_kept():
    problems = Problems(limit=2)
    for number in range(5):
        problems.add(Problem(str(number)))
    assert (problems.count, [problem.what for problem in problems.kept]) == (5, ["0", "1"])
