"""Traces on disk: written as they happen, read back whatever happened."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import InputError, Problems, StoreError
from navviz.formats import open_results
from navviz.records import (
    SCHEMA_VERSION,
    Call,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    DeltaEvent,
    EndEvent,
    MoveEvent,
    Observation,
    ObservationEvent,
    PlanEvent,
    StepEvent,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.records.trace_files import (
    EventWriter,
    Folder,
    bare_name,
    event_schema,
    fold,
    is_trace_name,
    read_events,
    read_trace,
    read_traces,
    unfold,
    write_trace,
)
from navviz.runs.account import check_folder
from tests.grids import episode, grid, straight, trace, write_grid

GOLDEN = Path(__file__).with_name("golden")
HEADER = TraceHeader(run="r", episode=episode(straight()), navigator="test")


def _write(path, *events):
    with EventWriter(path) as writer:
        for event in events:
            writer.write(event)
    return path


def test_version_1_is_read_for_ever():
    problems = Problems()
    found = read_trace(GOLDEN / "version_1.trace.jsonl", problems)
    assert problems.count == 0
    header, first = found.header, found.steps[0]
    assert (
        header.schema_version,
        header.run,
        header.navigator,
        header.settings["retry_limit"],
    ) == (1, "golden", "groke", 3)
    assert (header.prices["some-model"].cached_usd, header.forked_from.step, header.source) == (
        0.2,
        2,
        "old.jsonl",
    )
    own_episode = found.episode
    assert (
        own_episode.id,
        own_episode.start_heading_deg,
        own_episode.success_radius_m,
        own_episode.tasks[0].region,
    ) == ("17", 90.0, 25.0, "quay")
    assert [goal.description for goal in found.sub_goals] == [
        "Go to the bridge",
        "Stop at the “Grüne Laterne”",
    ]
    assert (found.landmarks[0].letter, found.plan_panels[0].kind) == ("L", "keyvalue")
    (plan,) = found.plan_calls
    assert (plan.usage.cached_tokens, plan.seconds, plan.retries, plan.cost_usd) == (
        50,
        1.5,
        1,
        0.002,
    )
    assert [step.path for step in found.steps] == [("a", "b"), (), ()]
    assert [call.parse_error or call.error for call in first.calls] == [
        "the reply is no JSON",
        "timed out",
    ]
    assert first.observation.candidates == (Candidate(node="b", state="chosen"),)
    assert (first.observation.pois[0].distance_m, first.panels[0].title) == (12.5, "Memory")
    assert [step.decision.legal for step in found.steps] == [True, False, True]
    assert found.steps[2].decision.stop
    assert (found.end.status, found.end.node, found.end.plan[0].status) == (
        "done",
        "b",
        "COMPLETED",
    )
    assert found.streaming == {}
    assert found.path == ("a", "b")


def test_the_present_version_is_written_as_it_was(tmp_path):
    """Every field of the golden file survives; should this fail, raise SCHEMA_VERSION and add a
    golden file.
    """
    golden = GOLDEN / f"version_{SCHEMA_VERSION}.trace.jsonl"
    path = _write(tmp_path / "a.trace.jsonl", *read_events(golden))
    written = [json.loads(line) for line in path.read_text().splitlines()]
    counts = Counter(line["type"] for line in written[1:-1] if line["type"] != "delta")
    assert written[-1].pop("events") == counts
    assert written == [json.loads(line) for line in golden.read_text("utf-8").splitlines()]


def test_waypoints_of_a_published_log_are_kept_with_their_holes():
    trace = read_trace(GOLDEN / "version_2_waypoints.trace.jsonl")
    assert trace.waypoints == ("a", None, "b", "a")
    assert [event.waypoints for event in unfold(trace) if event.type == "waypoints"] == [
        ("a", None, "b", "a")
    ]


def test_a_step_that_begins_again_keeps_what_was_changed_in_it():
    trace = read_trace(GOLDEN / "version_4_edits.trace.jsonl")
    assert [step.index for step in trace.steps] == [1]
    kinds = [(step, edit.what) for step, edit in trace.edits]
    whats = ["plan", "observation", "memory", "reply", "decision"]
    assert kinds == [(None, "prompt"), *((1, what) for what in whats)]


def test_the_golden_files_hold_every_event():
    lines = [
        line
        for path in GOLDEN.glob("version_[234]*.trace.jsonl")
        for line in path.read_text("utf-8").splitlines()
    ]
    names = {json.loads(line)["type"] for line in lines}
    assert names == {
        entry["properties"]["type"]["const"]
        for entry in event_schema()["$defs"].values()
        if "type" in entry.get("properties", {})
    }


@pytest.mark.parametrize("name", [path.name for path in GOLDEN.glob("*.trace.jsonl")])
def test_unfold_gives_what_folds_again(tmp_path, name):
    found = read_trace(GOLDEN / name)
    assert fold(unfold(found)) == found
    write_trace(found, tmp_path / "a.trace.jsonl")
    assert read_trace(tmp_path / "a.trace.jsonl") == found
    assert list(tmp_path.iterdir()) == [tmp_path / "a.trace.jsonl"]


def test_each_event_is_on_disk_before_the_next(tmp_path):
    path = tmp_path / "deep" / "a.trace.jsonl"
    with EventWriter(path) as writer:
        writer.write(HEADER)
        assert read_trace(path).steps == ()
        writer.write(StepEvent(index=1, node="r0c0"))
        assert read_trace(path).steps[0].node == "r0c0"
        assert read_trace(path).end is None
    writer.close()


@given(st.data())
def test_a_file_cut_anywhere_after_the_header_is_readable(tmp_path_factory, data):
    events = [HEADER, *unfold(trace(episode(straight()), [straight(0, 0, 2), straight(0, 2, 4)]))][
        :1
    ] + [*unfold(trace(episode(straight()), [straight(0, 0, 2), straight(0, 2, 4)]))][1:]
    path = _write(tmp_path_factory.mktemp("t") / "a.trace.jsonl", *events)
    raw = path.read_bytes()
    cut = data.draw(st.integers(min_value=raw.index(b"\n") + 1, max_value=len(raw)))
    path.write_bytes(raw[:cut])
    problems = Problems()
    found = list(read_events(path, problems))
    # the end counts the lines of its file
    found[-1:] = [
        event.model_copy(update={"events": {}}) if event.type == "end" else event
        for event in found[-1:]
    ]
    assert found == events[: len(found)]
    assert len(found) >= raw[:cut].count(b"\n")
    assert problems.count <= 1


def test_a_cut_last_line_is_told_and_writing_goes_on(tmp_path):
    path = _write(tmp_path / "a.trace.jsonl", HEADER, StepEvent(index=1, node="r0c0"))
    path.write_bytes(path.read_bytes()[:-9])
    _write(path, EndEvent(status="done"))
    problems = Problems()
    found = read_trace(path, problems)
    assert (found.steps, found.end.status) == ((), "done")
    assert str(problems.kept[0]) == (
        "a.trace.jsonl:2: is no whole event (the run was cut off here?); the rest of the trace is shown."
    )


_STEP = StepEvent(index=1, node="r0c0")


def test_a_whole_file_is_left_as_it_is_when_it_is_opened_again(tmp_path):
    path = _write(tmp_path / "a.trace.jsonl", HEADER, _STEP)
    whole = path.read_bytes()
    _write(path)
    assert path.read_bytes() == whole
    assert whole.endswith(b"}\n")


@pytest.mark.parametrize("cut", [1, 2, 9])
def test_a_cut_last_line_is_ended_once(tmp_path, cut):
    path = _write(tmp_path / "a.trace.jsonl", HEADER, _STEP)
    left = path.read_bytes()[:-cut]
    path.write_bytes(left)
    _write(path)
    _write(path)
    assert path.read_bytes() == left + b"\n"


def test_a_last_line_that_lacks_its_end_alone_is_kept(tmp_path):
    path = _write(tmp_path / "a.trace.jsonl", HEADER, _STEP)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    _write(path, EndEvent(status="done"))
    problems = Problems()
    mended = read_trace(path, problems)
    assert (len(mended.steps), mended.end.status, problems.count) == (1, "done", 0)


def test_a_file_of_one_character_is_ended_and_an_empty_one_begins_with_its_header(tmp_path):
    short, empty = tmp_path / "a.trace.jsonl", tmp_path / "b.trace.jsonl"
    short.write_bytes(b"{")
    empty.write_bytes(b"")
    for path in (short, empty):
        _write(path, HEADER)
    assert short.read_bytes().startswith(b"{\n{")
    assert empty.read_bytes().count(b"\n") == 1
    assert read_trace(empty).header == HEADER


def test_a_foreign_event_is_told_with_its_field(tmp_path):
    path = _write(tmp_path / "a.trace.jsonl", HEADER)
    with path.open("a") as file:
        file.write(
            '{"type": "step", "index": "x", "node": "a"}\n\n{"type": "dance"}\n{"type": "end", "status": "done"}\n'
        )
    problems = Problems()
    assert read_trace(path, problems).end.status == "done"
    assert [problem.file for problem in problems.kept] == ["a.trace.jsonl:2", "a.trace.jsonl:4"]
    assert problems.kept[0].field == "step.index"


def test_missing_and_unwritable(tmp_path):
    with pytest.raises(InputError, match="absent: cannot be opened"):
        read_trace(tmp_path / "absent")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        EventWriter(tmp_path / "file" / "a.trace.jsonl")


def test_a_full_disk_is_told_and_loses_nothing(tmp_path):
    path = _write(tmp_path / "a.trace.jsonl", HEADER)
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with EventWriter(path) as writer:
        writer._file.close()
        writer._file = full.open("a")
        with pytest.raises(StoreError, match="cannot be written"):
            writer.write(StepEvent(index=1, node="a"))
        with pytest.raises(StoreError) as caught:
            writer.close()
        assert str(caught.value).startswith(f"{path}: cannot be written (No space left on device);")
        writer._file = path.open("a")
    assert read_trace(path).header == HEADER


def test_a_stream_is_shown_until_its_call_ends():
    folder = Folder()
    assert not folder.started
    with pytest.raises(InputError):
        _ = folder.trace
    for event in (
        HEADER,
        StepEvent(index=1, node="a"),
        DeltaEvent(channel="thoughts", text="I "),
        DeltaEvent(channel="thoughts", text="see"),
    ):
        folder.add(event)
    assert folder.trace.streaming == {"thoughts": "I see"}
    folder.add(CallEvent(call=Call(reply="ok")))
    assert folder.trace.streaming == {}
    assert folder.trace.steps[0].calls[0].reply == "ok"


def test_calls_before_the_first_step_are_planning_calls():
    plan = PlanEvent(sub_goals=(SubGoal(description="a"),))
    found = fold(
        [HEADER, CallEvent(call=Call(purpose="plan", reply="x")), plan, MoveEvent(path=("a", "b"))]
    )
    assert [call.reply for call in found.plan_calls] == ["x"]
    assert [call.reply for call in found.calls] == ["x"]
    assert found.steps == ()


def test_a_decision_settles_the_candidates():
    seen = Observation(format="json", candidates=(Candidate(node="b"), Candidate(node="c")))
    settled = (Candidate(node="b", state="chosen"), Candidate(node="c", state="rejected"))
    events = [HEADER, StepEvent(index=1, node="a"), ObservationEvent(observation=seen)]
    assert fold(events).steps[0].observation == seen
    events.append(DecisionEvent(decision=Decision(target="b"), candidates=settled))
    assert fold(events).steps[0].observation.candidates == settled


def test_the_schema_names_every_event():
    schema = event_schema()
    assert len(schema["oneOf"]) == 12
    assert json.dumps(schema)


def test_a_name_tells_a_trace_packed_or_not():
    names = ["a.trace.jsonl", "a.trace.jsonl.gz", "a.b.trace.jsonl.bz2"]
    assert [(is_trace_name(name), bare_name(name)) for name in names] == [
        (True, "a"),
        (True, "a"),
        (True, "a.b"),
    ]
    assert [(is_trace_name(name), bare_name(name)) for name in ("a.jsonl", "a.gz")] == [
        (False, "a.jsonl"),
        (False, "a.gz"),
    ]


def test_the_first_of_several_traces_is_read_and_the_others_are_named(tmp_path):
    """Who reads one file as one trace must not put two walks together."""
    path = _write(
        tmp_path / "a.trace.jsonl",
        HEADER,
        StepEvent(index=1, node="a"),
        HEADER,
        StepEvent(index=1, node="b"),
    )
    problems = Problems()
    assert [step.node for step in read_trace(path, problems).steps] == ["a"]
    assert list(map(str, problems.kept)) == [
        "a.trace.jsonl:3: another trace begins here, the first is read; open it as a run to see the others."
    ]


def test_text_that_is_no_utf_8_is_read(tmp_path):
    path = tmp_path / "a.trace.jsonl"
    line = '{"type":"step","index":1,"node":"café"}'
    path.write_bytes(
        HEADER.model_dump_json().encode()
        + b"\n"
        + line.encode("latin-1")
        + b"\n"
        + line.encode()
        + b"\n"
    )
    assert [step.node for step in read_trace(path).steps] == ["café", "café"]


def _walked() -> Trace:
    """A walk with a plan, two calls, decisions and moves."""
    walk = trace(episode(straight()), [straight(0, 0, 2), straight(0, 2, 4), ()])
    call = Call(purpose="decide", reply="On.")
    steps = [step.model_copy(update={"calls": (call,)}) for step in walk.steps]
    return walk.model_copy(
        update={"steps": tuple(steps), "sub_goals": (SubGoal(description="Go."),)}
    )


def _spelled(lines: list[str], spelling: str, folder: Path) -> Path:
    if spelling == "gzip":
        path = folder / "e1.trace.jsonl.gz"
        path.write_bytes(gzip.compress("".join(lines).encode()))
        return path
    if spelling == "keys sorted":
        lines = [json.dumps(json.loads(line), sort_keys=True) + "\n" for line in lines]
    path = folder / "e1.trace.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("spelling", ["as written", "keys sorted", "gzip"])
@pytest.mark.parametrize("kind", ["plan", "step", "call", "decision", "move"])
def test_a_lost_line_is_named(tmp_path, kind, spelling):
    write_trace(_walked(), tmp_path / "whole.trace.jsonl")
    lines = (tmp_path / "whole.trace.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "whole.trace.jsonl").unlink()
    at = max(k for k, line in enumerate(lines) if f'"type":"{kind}"' in line)
    path = _spelled(lines[:at] + lines[at + 1 :], spelling, tmp_path)
    read = {"alone": Problems(), "of several": Problems(), "a run": Problems()}
    read_trace(path, read["alone"])
    list(read_traces(path, read["of several"]))
    (run,) = open_results(tmp_path, grid())
    read["a run"] = run.problems
    for name, problems in read.items():
        said = [str(problem) for problem in problems.kept]
        assert [part for part in said if f"lacks lines that its end counts (1 {kind})" in part], (
            name
        )
        assert sum(problems.skipped.values()) == 1, name


@pytest.mark.parametrize("spelling", ["as written", "keys sorted", "gzip"])
def test_a_repeated_line_is_named_and_a_whole_trace_says_nothing(tmp_path, spelling):
    write_trace(_walked(), tmp_path / "whole.trace.jsonl")
    lines = (tmp_path / "whole.trace.jsonl").read_text("utf-8").splitlines(keepends=True)
    problems = Problems()
    assert read_trace(_spelled(lines, spelling, tmp_path), problems) == _walked()
    assert problems.count == 0
    at = next(k for k, line in enumerate(lines) if '"type":"call"' in line)
    read_trace(_spelled([*lines[:at], lines[at], *lines[at:]], spelling, tmp_path), problems)
    assert "has lines more than its end counts (1 call)" in str(problems.kept[0])


def test_a_trace_that_is_gone_on_with_counts_what_was_there(tmp_path):
    path = tmp_path / "a.trace.jsonl"
    events = list(unfold(_walked()))
    _write(path, *events[:5])
    with path.open("a") as file:
        file.write('{"type":"mo')  # killed in the middle of a line
    _write(path, *events[5:])
    problems = Problems()
    assert read_trace(path, problems) == _walked()
    assert [problem.file for problem in problems.kept] == ["a.trace.jsonl:6"]
    path.write_text(
        "".join(line for line in path.read_text().splitlines(keepends=True) if line[9:11] != "mo")
    )
    read_trace(path, again := Problems())
    assert "lacks lines" in " ".join(map(str, again.kept))


def test_an_empty_trace_is_named_and_counted(tmp_path):
    write_trace(_walked(), tmp_path / "e1.trace.jsonl")
    (tmp_path / "e2.trace.jsonl").touch()
    write_grid(tmp_path / "world")
    said = "e2.trace.jsonl: is empty: the disk was full"
    (run,) = open_results(tmp_path, grid())
    assert said in str(run.problems.kept[0])
    account = check_folder(tmp_path)
    assert account.lost == 1
    (part,) = (part for part in account.parts if part.kind == "results")
    assert said in str(part.problems.kept[0])
    assert sum(file.entries for file in part.files) == len(list(unfold(_walked()))) + 1
