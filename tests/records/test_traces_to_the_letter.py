"""What is written of a trace and read back, event by event, and what is said where it cannot be."""

from __future__ import annotations

import errno
import json
import math
from pathlib import Path

import pytest

from navviz.errors import InputError, Problems, StoreError
from navviz.records import (
    SCHEMA_VERSION,
    Call,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    DeltaEvent,
    EndEvent,
    Landmark,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    StepEvent,
    SubGoal,
    TraceHeader,
    trace_files,
)
from navviz.records.trace_files import (
    EventWriter,
    fold,
    read_events,
    read_trace,
    unfold,
    write_trace,
)
from navviz.records.trace_writer import TraceWriter
from tests.grids import episode, straight, trace

HEADER = TraceHeader(run="r", episode=episode(straight()), navigator="test")


def _panel(title: str) -> Panel:
    return Panel(kind="text", title=title, data={"text": title})


def test_what_is_told_of_a_step_in_pieces_stays_whole():
    events = [
        HEADER,
        StepEvent(index=1, node="a", heading_deg=5.0, plan=(SubGoal(description="w"),), sub_goal=0),
        CallEvent(call=Call(reply="one")),
        CallEvent(call=Call(reply="two")),
        PanelEvent(panel=_panel("left")),
        PanelEvent(panel=_panel("right")),
        ObservationEvent(observation=Observation(format="text", text="A street.")),
        DecisionEvent(decision=Decision(target="b")),
        MoveEvent(path=("a", "b")),
        StepEvent(index=2, node="b"),
        PanelEvent(panel=_panel("third")),
    ]
    first, second = fold(events).steps
    assert [call.reply for call in first.calls] == ["one", "two"]
    assert [panel.title for panel in first.panels] == ["left", "right"]
    assert (
        first.index,
        first.node,
        first.heading_deg,
        first.sub_goal,
        first.plan[0].description,
    ) == (1, "a", 5.0, 0, "w")
    assert (first.observation.text, first.decision.target, first.path) == (
        "A street.",
        "b",
        ("a", "b"),
    )
    assert (second.node, [panel.title for panel in second.panels], second.calls) == (
        "b",
        ["third"],
        (),
    )
    assert list(unfold(fold(events)))[1:] == [events[k] for k in (1, 6, 2, 3, 4, 5, 7, 8, 9, 10)]


def test_a_step_may_be_read_while_it_is_told():
    folder = trace_files.Folder()
    for event in (
        HEADER,
        StepEvent(index=1, node="a"),
        CallEvent(call=Call(reply="one")),
        PanelEvent(panel=_panel("p")),
    ):
        folder.add(event)
    seen = Observation(format="text", candidates=(Candidate(node="b"),))
    folder.add(ObservationEvent(observation=seen))
    assert [call.reply for call in folder.trace.steps[0].calls] == ["one"]
    settled = (Candidate(node="b", state="chosen"),)
    for event in (
        CallEvent(call=Call(reply="two")),
        PanelEvent(panel=_panel("q")),
        DecisionEvent(decision=Decision(target="b"), candidates=settled),
    ):
        folder.add(event)
    (step,) = folder.trace.steps
    assert [call.reply for call in step.calls] == ["one", "two"]
    assert [panel.title for panel in step.panels] == ["p", "q"]
    assert step.observation.candidates == settled


def test_candidates_without_an_observation_settle_nothing():
    events = [
        HEADER,
        StepEvent(index=1, node="a"),
        DecisionEvent(decision=Decision(), candidates=(Candidate(node="b"),)),
    ]
    (step,) = fold(events).steps
    assert (step.observation, step.decision) == (None, Decision())


def test_plans_add_up():
    mark, other = Landmark(name="Kiosk"), Landmark(name="Bank")
    events = [
        HEADER,
        DeltaEvent(channel="reply", text="wal"),
        PlanEvent(
            sub_goals=(SubGoal(description="a"),),
            landmarks=(mark,),
            calls=(Call(reply="1"),),
            panels=(_panel("p"),),
        ),
        PlanEvent(
            sub_goals=(SubGoal(description="b"),), calls=(Call(reply="2"),), panels=(_panel("q"),)
        ),
    ]
    result = fold(events)
    assert [goal.description for goal in result.sub_goals] == ["b"]
    assert [call.reply for call in result.plan_calls] == ["1", "2"]
    assert [panel.title for panel in result.plan_panels] == ["p", "q"]
    assert (result.landmarks, result.streaming) == ((mark,), {})
    later = fold([*events, PlanEvent(landmarks=(other,)), DeltaEvent(channel="reply", text="x")])
    assert (later.landmarks, later.streaming) == ((other,), {"reply": "x"})


@pytest.mark.parametrize(
    "part",
    [
        {"sub_goals": (SubGoal(description="a"),)},
        {"landmarks": (Landmark(name="Kiosk"),)},
        {"plan_calls": (Call(reply="1"),)},
        {"plan_panels": (_panel("p"),)},
        {"waypoints": ("a", None)},
        {"end": None},
    ],
)
def test_every_part_of_a_trace_is_written_alone_too(tmp_path, part):
    bare = trace(episode(straight()), [straight(0, 0, 2), ()])
    whole = bare.model_copy(update=part)
    write_trace(whole, tmp_path / "a.trace.jsonl")
    assert read_trace(tmp_path / "a.trace.jsonl") == whole


def test_a_trace_replaces_the_file_and_what_a_killed_writer_left(tmp_path):
    path = tmp_path / "a.trace.jsonl"
    path.write_text("old")
    (tmp_path / "a.trace.jsonl.part").write_text("cut")
    write_trace(trace(episode(straight()), []), path)
    assert [file.name for file in tmp_path.iterdir()] == ["a.trace.jsonl"]
    assert read_trace(path).end.status == "done"


@pytest.mark.parametrize(
    ("error", "why"),
    [(OSError(28, "No space left on device"), "No space left on device"), (OSError("odd"), "odd")],
)
def test_a_disk_that_takes_no_more_is_one_sentence(tmp_path, monkeypatch, error, why):
    path = tmp_path / "a.trace.jsonl"
    sentence = f"{path}: cannot be written ({why}); free some space or choose another folder."

    def fail(*_: object) -> None:
        raise error

    with EventWriter(path) as writer:
        writer.write(HEADER)
        monkeypatch.setattr(trace_files, "_to_disk", fail)
        for attempt in (writer.sync, lambda: writer.write(EndEvent(status="done"))):
            with pytest.raises(StoreError) as caught:
                attempt()
            assert str(caught.value) == sentence
        writer.write(StepEvent(index=1, node="a"))
    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(StoreError) as caught:
        EventWriter(path)
    assert str(caught.value) == sentence


def test_the_end_and_a_whole_trace_are_on_the_disk_itself(tmp_path, monkeypatch):
    synced: list[str] = []
    true_sync = trace_files._to_disk
    monkeypatch.setattr(
        trace_files,
        "_to_disk",
        lambda file, folder: (synced.append(folder.name), true_sync(file, folder)),
    )
    with EventWriter(tmp_path / "runs" / "run" / "a.trace.jsonl") as writer:
        writer.write(HEADER)
        writer.write(StepEvent(index=1, node="a"))
        assert synced == []
        writer.write(EndEvent(status="done"))
        assert synced == ["run"]
        writer.sync()
    write_trace(trace(episode(straight()), [], None), tmp_path / "b.trace.jsonl")
    assert synced == ["run", "run", tmp_path.name]


@pytest.mark.parametrize(
    ("number", "fails"),
    [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EROFS, False), (errno.EIO, True)],
)
def test_what_has_no_disk_need_not_be_synced(tmp_path, monkeypatch, number, fails):
    def fsync(_file: int) -> None:
        raise OSError(number, "why")

    monkeypatch.setattr(trace_files.os, "fsync", fsync)
    with EventWriter(tmp_path / "a.trace.jsonl") as writer:
        writer.write(HEADER)
        if not fails:
            writer.sync()
            return
        with pytest.raises(StoreError, match=r"cannot be written \(why\)"):
            writer.sync()


NO_TRACE = "open a trace that NavViz wrote."


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        ("nonsense", f"x:1: the first line is no JSON; {NO_TRACE}"),
        ("[]", f"x:1: the first line is no trace header; {NO_TRACE}"),
        (
            '{"type": "end", "status": "done"}',
            f"x:1: the first line is no trace header; {NO_TRACE}",
        ),
        (
            f'{{"type": "header", "schema_version": {SCHEMA_VERSION + 1}}}',
            (
                f"x:1, field schema_version: has trace version {SCHEMA_VERSION + 1}, this NavViz reads up to {SCHEMA_VERSION}; "
                "update NavViz."
            ),
        ),
        (
            '{"type": "header"}',
            f"x:1, field schema_version: has trace version None, this NavViz reads up to {SCHEMA_VERSION}; update NavViz.",
        ),
        (
            '{"type": "header", "schema_version": 1}',
            f"x:1, field header.episode: Field required; {NO_TRACE}",
        ),
        (
            '{"type": "header", "schema_version": "new"}',
            f"x:1, field schema_version: has trace version new, this NavViz reads up to {SCHEMA_VERSION}; update NavViz.",
        ),
        ("", f"x: has no header; {NO_TRACE}"),
        ("\n", f"x: has no header; {NO_TRACE}"),
    ],
)
def test_what_is_no_trace_says_why(tmp_path, first, sentence):
    path = tmp_path / "x"
    path.write_text(first)
    with pytest.raises(InputError) as caught:
        read_trace(path)
    assert str(caught.value) == sentence


def test_a_header_with_numbers_that_are_not_finite_is_read_without_them(tmp_path):
    header = HEADER.model_dump(mode="json", exclude_none=True) | {
        "settings": {"temperature": math.inf}
    }
    path = tmp_path / "x"
    path.write_text(json.dumps(header))
    problems = Problems()
    assert read_trace(path, problems).header.settings == {"temperature": None}
    (problem,) = problems.kept
    where = f"x:1, episode {HEADER.episode.id}, field header.settings.temperature"
    assert str(problem) == f"{where}: holds Infinity, which is no number; it is left out."


def test_a_line_that_is_no_event_is_told_and_skipped_whether_or_not_anybody_asks(tmp_path):
    path = tmp_path / "x"
    header = json.dumps(HEADER.model_dump(mode="json", exclude_none=True))
    lines = [header, "", '{"type": "call"}', '{"type": "end", "status": "done"}', '{"type": "st']
    path.write_text("\n".join(lines))
    problems = Problems()
    assert [event.type for event in read_events(path, problems)] == ["header", "end"]
    assert [event.type for event in read_events(path)] == ["header", "end"]
    assert list(map(str, problems.kept)) == [
        "x:3, field call.call: Field required; the rest of the trace is shown.",
        "x:5: is no whole event (the run was cut off here?); the rest of the trace is shown.",
    ]


def test_an_agent_writes_what_it_saw_chose_and_thought(tmp_path):
    path = tmp_path / "new" / "1.trace.jsonl"
    own_episode = episode(straight())
    with TraceWriter(path, own_episode, "mine", replace=True) as writer:
        writer.step("r0c0", "r0c1", candidates=["r0c1", "r1c0"], reply="r0c1")
        writer.step("r0c1", "r0c3", path=["r0c1", "r0c2", "r0c3"], observation="A street.")
        writer.step("r0c3", path=["r0c3", "r0c4", "r1c4"])
        with pytest.raises(InputError) as caught:
            writer.step("r1c4", "r0c1", path=["r0c3", "r0c2", "r0c0"])
    assert (
        str(caught.value) == "field path: path goes from r0c3 to r0c0; let it go from r1c4 to r0c1."
    )
    made = read_trace(path)
    assert [
        (seen.format, seen.text) if (seen := step.observation) else None for step in made.steps
    ] == [("text", ""), ("text", "A street."), None]
    assert [(step.decision.target, step.decision.stop, step.path) for step in made.steps] == [
        ("r0c1", False, ("r0c0", "r0c1")),
        ("r0c3", False, ("r0c1", "r0c2", "r0c3")),
        (None, True, ("r0c3", "r0c4", "r1c4")),
    ]
    assert [call.purpose for call in made.calls] == ["decide"]
    assert made.end.node == "r1c4"
    assert len(made.header.created) == len("2026-01-01T00:00:00+00:00")
