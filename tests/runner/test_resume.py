"""What is left of a walk that was cut off, and how it is gone on with."""

from __future__ import annotations

import pytest

from navviz.records import Call, Decision, DeltaEvent, EndEvent, Step, SubGoal, Trace
from navviz.records.trace_files import EventWriter, read_trace, write_trace
from navviz.runner.episode import end_of, has_begun, is_finished, past_of, set_aside
from tests.grids import episode, straight, trace

PATH = straight()
WALK = trace(episode(PATH), [PATH[:2], PATH[1:3]], None)


def _kept(tmp_path, **changes: object):
    """Write the walk with changes and return its file."""
    path = tmp_path / "5.trace.jsonl"
    write_trace(WALK.model_copy(update=changes), path)
    return path


def _cut(call: str | None = None, **fields: object) -> Step:
    calls = () if call is None else (Call(purpose="step", reply=call),)
    return Step(index=3, node="r0c2", calls=calls, **fields)


def test_a_file_of_no_bytes_has_not_begun(tmp_path):
    path = tmp_path / "5.trace.jsonl"
    assert not has_begun(path)
    path.write_bytes(b"")
    assert not has_begun(path)
    path.write_bytes(b"{")
    assert has_begun(path)


@pytest.mark.parametrize(("status", "finished"), [
    ("done", True), ("limit", True), ("unknown", True), ("error", False), ("stopped", False),
    ("budget", False),
])  # fmt: skip
def test_some_ends_would_be_no_other_at_another_try(tmp_path, status, finished):
    path = _kept(tmp_path, end=EndEvent(status=status, reason="so"))
    end = end_of(path)
    assert end is not None
    assert (end.status, end.reason) == (status, "so")
    assert is_finished(path) == finished


@pytest.mark.parametrize(
    "last",
    [
        "",
        "{",
        "[1]",
        '{"type": "step", "status": "done"}',
        '{"type": "end", "status": "well"}',
        '{"status": "done"}',
        "\ufffd",
    ],
)
def test_a_file_whose_last_line_is_no_end_has_none(tmp_path, last):
    path = _kept(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + last, encoding="utf-8")
    assert end_of(path) is None
    assert not is_finished(path)
    path.write_text(last, encoding="utf-8")
    assert end_of(path) is None


def test_the_end_of_a_long_file_is_read_from_its_tail_whatever_bytes_it_holds(tmp_path):
    path = _kept(tmp_path)
    end = '{"type": "end", "status": "done", "reason": "caf\udce9"}\n'.encode(
        "utf-8", "surrogateescape"
    )
    path.write_bytes(path.read_bytes() + b'{"x": "' + b"y" * 300_000 + b'"}\n' + end)
    result = end_of(path)
    assert result is not None
    assert result.reason == "caf\ufffd"
    path.write_text('{"type": "end", "status": "done", "reason": "caf\\ud83d"}\n')
    assert is_finished(path)


def test_whole_steps_are_gone_on_with(tmp_path):
    path = _kept(tmp_path, end=EndEvent(status="error"))
    past = past_of(path)
    assert past == WALK
    assert read_trace(path) == past


def test_what_was_being_said_when_it_was_cut_off_is_said_no_more(tmp_path):
    path = _kept(tmp_path)
    with EventWriter(path) as writer:
        writer.write(DeltaEvent(channel="reply", text="I wa"))
    assert read_trace(path).streaming == {"reply": "I wa"}
    assert past_of(path) == WALK


@pytest.mark.parametrize(
    ("fields", "whole"),
    [
        ({}, False),
        ({"decision": Decision(target="r0c3")}, False),
        ({"decision": Decision(target="r0c3"), "path": ("r0c2", "r0c3")}, True),
        ({"decision": Decision(target="r0c3", legal=False)}, True),
        ({"decision": Decision(target="r0c3", stop=True)}, True),
        ({"decision": Decision(target="r0c2")}, True),
        ({"decision": Decision()}, True),
    ],
)
def test_a_step_is_whole_once_it_is_decided_and_walked(tmp_path, fields, whole):
    past = past_of(_kept(tmp_path, steps=(*WALK.steps, _cut(**fields))))
    assert past is not None
    assert [step.index for step in past.steps] == ([1, 2, 3] if whole else [1, 2])


def test_calls_of_a_step_that_was_cut_off_stay_paid_for(tmp_path):
    before = WALK.steps[1].model_copy(update={"calls": (Call(purpose="step", reply="first"),)})
    earlier = WALK.steps[0].model_copy(update={"index": 0, "calls": (Call(reply="zeroth"),)})
    path = _kept(tmp_path, steps=(earlier, WALK.steps[0], before, _cut("second")))
    past = past_of(path)
    assert past is not None
    assert past.steps[:2] == (earlier, WALK.steps[0])
    assert (past.steps[2].index, len(past.steps)) == (2, 3)
    assert [(call.purpose, call.reply) for call in past.steps[-1].calls] == [
        ("step", "first"),
        ("step (cut off)", "second"),
    ]
    assert past.plan_calls == ()
    assert read_trace(path) == past


def test_calls_before_the_first_whole_step_stay_with_the_plan(tmp_path):
    plan = {
        "sub_goals": (SubGoal(description="Walk"),),
        "plan_calls": (Call(purpose="plan", reply="a"),),
    }
    path = _kept(tmp_path, steps=(_cut("second"),), **plan)
    past = past_of(path)
    assert past is not None
    assert [(call.purpose, call.reply) for call in past.calls] == [
        ("plan", "a"),
        ("step (cut off)", "second"),
    ]
    assert (past.steps, past.end) == ((), None)
    assert read_trace(path) == past
    (planned,) = (past_of(_kept(tmp_path, steps=(), **plan)),)
    assert isinstance(planned, Trace)
    assert len(planned.plan_calls) == 1


def test_where_nothing_is_left_the_file_stays_as_it_is(tmp_path):
    path = _kept(tmp_path, steps=(_cut("second"),))
    before = path.read_bytes()
    assert past_of(path) is None
    assert path.read_bytes() == before
    assert past_of(tmp_path / "absent.trace.jsonl") is None
    path.write_text("no trace")
    assert past_of(path) is None


def test_what_cannot_be_gone_on_with_is_moved_aside_under_the_next_free_name(tmp_path):
    path = tmp_path / "5.trace.jsonl"
    for text in ("first", "second", "third"):
        path.write_text(text)
        set_aside(path)
        assert not path.exists()
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "5.trace.jsonl.cut1": "first",
        "5.trace.jsonl.cut2": "second",
        "5.trace.jsonl.cut3": "third",
    }
