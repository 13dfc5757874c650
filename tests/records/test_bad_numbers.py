"""Numbers that nobody can count with: left out where a trace is read, named, and never handed
on.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import Problems
from navviz.records.event_lines import holds_absurd_number
from navviz.records.trace_files import read_events, read_trace, unfold

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
