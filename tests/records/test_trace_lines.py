"""Lines of traces: what is read, mended, named or refused."""

from __future__ import annotations

import ast
import copy
import inspect
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from navviz.errors import InputError, NavVizError, Problems, RecordError
from navviz.records import (
    Candidate,
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Panel,
    episode,
    trace_parts,
)
from navviz.records import trace as event
from navviz.records.event_lines import holds_absurd_number
from navviz.records.trace_files import read_events, read_trace, unfold
from navviz.records.trace_lines import TraceLine, trace_lines
from navviz.records.trace_writer import TraceWriter

HEADER = b'{"type":"header","run":"a"}\n'
STEP = b'{"type":"step","index":1}\n'


def _lines(raw: bytes) -> list[TraceLine]:
    lines = list(trace_lines(io.BytesIO(raw)))
    assert all(raw[line.start : line.start + len(line.raw)] == line.raw for line in lines)
    return lines


def _numbered(raw: bytes) -> list[tuple[int, bool]]:
    return [(line.number, line.is_header) for line in _lines(raw)]


def test_each_line_is_an_event_with_its_number():
    assert _numbered(HEADER + STEP + b"\n \n" + STEP + HEADER) == [
        (1, True),
        (2, False),
        (5, False),
        (6, True),
    ]


class _Growing(io.BytesIO):
    """A file that ends within a line, and goes on when it is asked again."""

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        if line != STEP:
            return line
        self.seek(10 - len(line), io.SEEK_CUR)
        return line[:10]


def test_what_follows_a_line_that_was_cut_is_read_the_next_time():
    lines = list(trace_lines(_Growing(HEADER + STEP + STEP)))
    assert [line.raw for line in lines] == [HEADER, STEP[:10]]


@pytest.mark.parametrize(
    "line",
    [
        b'{"run":"a","type":"header"}',
        b'{"run": "a", "type": "header"}',
        b'\xef\xbb\xbf{"type":"header"}',
        b' \t{"type":"header"}',
        b'{"\\u0074ype":"h\\u0065ader"}',
        b'{"run":"\\ud800","type":"header"}',
        b'{"run":"caf\xe9","type":"header"}',
        b'{"run":NaN,"type":"header"}',
        b'{"run":{"type":"step"},"type":"header"}',
    ],
)
def test_a_header_is_one_in_every_spelling(line):
    assert _numbered(STEP + line + b"\n" + STEP) == [(1, False), (2, True), (3, False)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"panel","panel":{"data":{"type":"header"}}}',
        b'{"panel":{"data":{"type":"header"}},"type":"panel"}',
        b'{"type":"call","call":{"reply":"{\\"type\\":\\"header\\"}"}}',
        b'{"type": "call", "call": {"reply": "a header"}}',
        b'["type", "header"]',
        b'"header"',
        b"the header",
    ],
)
def test_what_only_looks_like_a_header_is_none(line):
    assert _numbered(HEADER + line + b"\n") == [(1, True), (2, False)]


def test_a_header_behind_a_line_that_was_cut_off_is_found():
    """``cat`` puts them on one line, since a killed writer leaves no line end."""
    cut = b'{"type":"move","pa'
    assert [(line.raw, line.is_header) for line in _lines(HEADER + cut + HEADER)][1:] == [
        (cut, False),
        (HEADER, True),
    ]
    spelled = b'{"type" : "header", "run": "a"}\n'
    half = b'{"type": "header", "ep'
    assert [(line.raw, line.is_header) for line in _lines(half + spelled)] == [
        (half, True),
        (spelled, True),
    ]


def test_a_header_that_is_cut_off_begins_a_trace():
    assert _numbered(HEADER + b'{"run": "a", "type": "header", "epi\n' + STEP) == [
        (1, True),
        (2, True),
        (3, False),
    ]


@pytest.mark.parametrize("indent", [0, 2, "\t"])
def test_values_may_be_spread_over_lines(indent):
    events = [
        {"type": "header", "episode": {"id": "{", "tasks": [{"a": [1]}, {"b": "}"}]}},
        {"type": "step", "panels": [{}, {"x": {}}]},
        {"type": "header"},
    ]
    raw = "".join(json.dumps(event, indent=indent) + "\n" for event in events).encode()
    for each in (raw, raw.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + raw, b"\n" + raw):
        lines = _lines(each)
        assert [json.loads(line.raw) for line in lines] == events
        assert [line.is_header for line in lines] == [True, False, True]


def test_an_indented_value_that_is_cut_off_takes_no_other_with_it():
    cut = b'{\n  "type": "step",\n  "ind'
    whole = b'{\n  "type": "header"\n}\n'
    assert [line.raw for line in _lines(cut + b"\n" + whole)] == [cut + b"\n", whole]
    assert [line.raw for line in _lines(cut + b"\n" + HEADER)] == [cut + b"\n", HEADER]


def test_numbers_and_bytes_of_a_part_are_those_of_its_file():
    lines = list(trace_lines(io.BytesIO(HEADER + STEP), first_number=7, first_byte=100))
    assert [(line.number, line.start) for line in lines] == [(7, 100), (8, 100 + len(HEADER))]


@pytest.mark.parametrize("block", [1, 7, 40, 1 << 20])
def test_the_fast_way_through_a_file_lists_the_same_traces(block, monkeypatch):
    monkeypatch.setattr(trace_parts, "_BLOCK", block)
    own = (HEADER + STEP * 3) * 4
    for raw in (own, own[:-1], HEADER, own + HEADER[:20]):
        fast = trace_parts._own_parts(io.BytesIO(raw))
        assert fast is not None
        monkeypatch.setattr(trace_parts, "_own_parts", lambda _file: None)
        assert trace_parts.parts_of(io.BytesIO(raw)) == fast
        monkeypatch.undo()
        monkeypatch.setattr(trace_parts, "_BLOCK", block)


@pytest.mark.parametrize(
    "raw",
    [
        STEP + HEADER,
        b"\xef\xbb\xbf" + HEADER + STEP,
        HEADER + b"\n" + STEP,
        HEADER + STEP + b'{"run":"b","type":"header"}\n',
        HEADER + b'{"type":"move","pa' + HEADER,
        b"",
    ],
)
def test_the_fast_way_leaves_other_spellings_alone(raw):
    assert trace_parts._own_parts(io.BytesIO(raw)) is None


GOLDEN = Path(__file__).with_name("golden")
EVENTS = [
    json.loads(line)
    for name in ("version_2", "version_2_waypoints")
    for line in (GOLDEN / f"{name}.trace.jsonl").read_text("utf-8").splitlines()
]
EVENTS = EVENTS[:1] + [event for event in EVENTS if event["type"] != "header"]
Place = tuple[str | int, ...]
BAD = {
    "NaN": "holds NaN, which is no number",
    "-Infinity": "holds -Infinity, which is no number",
    "1e400": "holds the number 1e400, which is too large",
    "9" * 400: "holds an integer of 400 digits, which is too large",
}


def _numbers(value: Any, place: Place = ()) -> Iterator[Place]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, (*place, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


PLACES = [place for place in _numbers(EVENTS) if place[1] != "schema_version"]


def _with(place: Place, text: str) -> str:
    """Write the events with another number in one place."""
    events = copy.deepcopy(EVENTS)
    holder: Any = events
    for part in place[:-1]:
        holder = holder[part]
    holder[place[-1]] = "the number"
    return "".join(json.dumps(event) + "\n" for event in events).replace('"the number"', text)


def test_there_are_numbers_in_most_records():
    assert len(PLACES) > 30


@pytest.mark.parametrize("text", BAD)
def test_each_number_of_a_trace_may_be_bad(text, tmp_path):
    path = tmp_path / "a.trace.jsonl"
    for place in PLACES:
        path.write_text(_with(place, text))
        problems = Problems()
        events = list(read_events(path, problems))
        assert not any(map(holds_absurd_number, events)), place
        first = problems.kept[0]
        assert (first.what, first.file) == (BAD[text], f"a.trace.jsonl:{int(place[0]) + 1}"), place
        assert first.episode == events[0].episode.id
        keys = [part for part in place[1:] if isinstance(part, str)]
        assert first.field.split(".")[-len(keys) :] == keys
        assert len(events) >= len(EVENTS) - 1, place
        assert problems.count == 1 or len(events) == len(EVENTS) - 1, (place, problems.kept)


def test_only_what_a_number_is_needed_for_is_lost(tmp_path):
    """Of the golden trace's numbers most may be missing; a step that is not numbered follows the
    one before.
    """
    path = tmp_path / "a.trace.jsonl"
    lost = []
    for place in PLACES:
        path.write_text(_with(place, "NaN"))
        if len(list(read_events(path))) < len(EVENTS):
            lost.append(place)
    assert lost == []


def test_a_path_loses_the_entry_alone(tmp_path):
    header = json.dumps(EVENTS[0])
    lines = [
        '{"type": "step", "index": 1, "node": NaN}',
        '{"type": "move", "path": ["a", NaN, "b"]}',
        '{"type": "call", "call": {"logprobs": [["a", -1.0], ["b", NaN]], "retries": 1e300}}',
    ]
    path = tmp_path / "a.trace.jsonl"
    path.write_text("\n".join([header, *lines]))
    problems = Problems()
    (step,) = read_trace(path, problems).steps
    assert (step.node, step.path) == (None, ("a", "b"))
    assert (step.calls[0].logprobs, step.calls[0].retries) == ((("a", -1.0),), 0)
    assert [(each.field, each.do) for each in problems.kept] == [
        ("step.node", "it is left out"),
        ("move.path", "it is left out"),
        ("call.logprobs", "it is left out"),
        ("call.retries", "0 is used instead"),
    ]


def test_ordinary_numbers_and_ids_are_left_alone(tmp_path):
    header = EVENTS[0] | {
        "settings": {"seed": 10**30, "rate": 1e-300, "tiny": 5e-324, "text": "NaN, 1e999, Infinity"}
    }
    step = {
        "type": "step",
        "index": 1,
        "node": "e7771e400123456789012345678901234567890",
        "heading_deg": 1.5e17,
    }
    path = tmp_path / "a.trace.jsonl"
    path.write_text(json.dumps(header) + "\n" + json.dumps(step) + "\n")
    problems = Problems()
    trace = read_trace(path, problems)
    assert problems.count == 0
    assert trace.header.settings == header["settings"]
    assert (trace.steps[0].node, trace.steps[0].heading_deg) == (step["node"], 1.5e17)
    assert [event.type for event in unfold(trace)] == ["header", "step"]


GIVEN: dict[str, Any] = {"id": "7", "dataset": "mine", "instruction": "Go on.", "start": "a"}


@pytest.mark.parametrize(("fields", "sentence"), [
    ({"start": None}, "field start: must be text, not None (NoneType)."),
    ({"start": (1.0,)}, "field places.pose 0: (1.0,) (tuple) is no position; give (x, y, z)"),
    ({"start": "abc", "places": 5}, "field places: 5 (int) is no position"),
    ({"start": 5.5}, "field start: must be text, not 5.5 (float)."),
    ({"colour": 1}, "field colour: is no field of Episode; choose among: id, dataset, split"),
    ({"reference_path": "abc"}, "field reference_path: must be a list or tuple, not 'abc' (str)."),
    ({"success_radius_m": "far"}, "field success_radius_m: must be a number, not 'far' (str)."),
    ({"tasks": [{"description": 4}]}, "field tasks.0.description: must be text, not 4 (int)."),
    ({"id": True}, "field id: must be text, not True (bool)."),
    ({"instruction": 3, "split": 4}, "field split: must be text, not 4 (int); 1 more field is wrong."),
    ({"instruction": ["word"] * 900}, "… (list)"),
])  # fmt: skip
def test_an_episode_refuses_in_one_sentence(fields, sentence):
    with pytest.raises(NavVizError) as caught:
        Episode(**GIVEN | fields)
    said = str(caught.value)
    assert sentence in said
    assert "\n" not in said
    assert "pydantic" not in said
    assert len(said) < 450


@pytest.mark.parametrize(("make", "sentence"), [
    (lambda: Episode(id="7"), "Episode lacks dataset, instruction and start; give them by name."),
    (EndEvent, "field status: EndEvent lacks it; give it by name."),
    (lambda: EndEvent(status="gone"), "field status: must be 'done', 'stopped', 'limit', "),
    (lambda: Candidate(node="a", state="x"), "must be 'offered', 'chosen' or 'rejected', not 'x'"),
    (lambda: Decision(target=["a"]), "field target: must be text, not ['a'] (list)."),
    (lambda: Panel(kind="text", title="T", data=5), "field data: must be a dictionary, not 5"),
])  # fmt: skip
def test_every_record_refuses_in_one_sentence(make, sentence):
    with pytest.raises(RecordError) as caught:
        make()
    assert sentence in str(caught.value)


def test_readers_still_get_all_faults_and_nested_records_keep_their_places():
    with pytest.raises(ValidationError) as caught:
        Episode.model_validate(GIVEN | {"tasks": [{}], "colour": 1, "landmarks": [{"name": 3}]})
    assert {fault["loc"] for fault in caught.value.errors()} == {
        ("tasks", 0, "description"), ("colour",), ("landmarks", 0, "name"),
    }  # fmt: skip


def test_ids_may_be_numbers_and_what_numpy_makes_of_them():
    points = (3, np.int64(4), "5", (1.0, 2.0, 0.0), np.array([3.0, 4.0, 0.5]))
    made = Episode(
        **GIVEN | {"id": 7, "path_id": np.int32(9), "start": 3, "goal": 5, "reference_path": points}
    )
    assert (made.id, made.path_id, made.start, made.goal) == ("7", "9", "3", "5")
    assert made.reference_path == ("3", "4", "5", "reference 4", "reference 5")
    assert made.places["reference 5"] == (3.0, 4.0, 0.5)
    assert Episode.model_validate_json(made.model_dump_json()) == made
    assert Episode.model_validate_json(json.dumps(GIVEN | {"start": 12})).start == "12"
    free = Episode(**GIVEN | {"start": np.array([1.0, 2.0, 0.5])})
    assert (free.start, free.places) == ("pose 0", {"pose 0": (1.0, 2.0, 0.5)})


def test_a_step_takes_numbers_and_a_refused_one_leaves_nothing(tmp_path):
    path = tmp_path / "7.trace.jsonl"
    with TraceWriter(path, Episode(**GIVEN | {"start": 1}), "mine") as writer:
        writer.step(1, np.int64(2), candidates=[2, 3], thoughts="Two.")
        before = path.read_bytes()
        refused = [
            {"prompt": 5}, {"usage": {"prompt_tokens": "many"}}, {"heading_deg": "north"}, {"nonsense": 1},
            {"reason": 4}, {"panels": [3]}, {"position": [1, "x", 2]}, {"position": [float("nan"), 0, 0]},
        ]  # fmt: skip
        for more in refused:
            with pytest.raises(InputError):
                writer.step(2, 3, **more)  # type: ignore[arg-type]
        assert path.read_bytes() == before
        with pytest.raises(InputError, match="field status"):
            writer.end("arrived")  # type: ignore[arg-type]
        writer.step(2)
        writer.end("limit")
    trace = read_trace(path)
    assert [step.index for step in trace.steps] == [1, 2]
    assert trace.steps[0].path == ("1", "2")
    states = [each.state for each in trace.steps[0].observation.candidates]  # type: ignore[union-attr]
    assert states == ["chosen", "rejected"]
    assert trace.end is not None
    assert trace.end.status is EndStatus.LIMIT
    assert trace.end.node == "2"


@pytest.mark.parametrize("record", [Episode, EndEvent])
def test_the_typed_signatures_have_the_fields_that_there_are(record):
    home = {"Episode": episode, "EndEvent": event}[record.__name__]
    tree = ast.parse(inspect.getsource(home))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == record.__name__:
            found = next(
                each
                for each in ast.walk(node)
                if isinstance(each, ast.FunctionDef) and each.name == "__init__"
            )
    needed = {
        arg.arg
        for arg, value in zip(found.args.kwonlyargs, found.args.kw_defaults, strict=True)
        if value is None
    }
    assert {arg.arg for arg in found.args.kwonlyargs} == record.model_fields.keys()
    assert needed == {name for name, field in record.model_fields.items() if field.is_required()}
