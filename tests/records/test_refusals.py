"""What a user gives a record by hand: ids of any kind, and one sentence for what does not fit."""

from __future__ import annotations

import ast
import inspect
import json
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from navviz.errors import InputError, NavVizError, RecordError
from navviz.records import Candidate, Decision, EndEvent, EndStatus, Episode, Panel, episode
from navviz.records import trace as event
from navviz.records.trace_files import read_trace
from navviz.records.trace_writer import TraceWriter

GIVEN: dict[str, Any] = {"id": "7", "dataset": "mine", "instruction": "Go on.", "start": "a"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"start": None}, "field start: must be text, not None (NoneType)."),
        ({"start": (1.0,)}, "field places.pose 0: (1.0,) (tuple) is no position; give (x, y, z)"),
        ({"start": "abc", "places": 5}, "field places: 5 (int) is no position"),
        ({"start": 5.5}, "field start: must be text, not 5.5 (float)."),
        ({"colour": 1}, "field colour: is no field of Episode; choose among: id, dataset, split"),
        (
            {"reference_path": "abc"},
            "field reference_path: must be a list or tuple, not 'abc' (str).",
        ),
        ({"success_radius_m": "far"}, "field success_radius_m: must be a number, not 'far' (str)."),
        ({"tasks": [{"description": 4}]}, "field tasks.0.description: must be text, not 4 (int)."),
        ({"id": True}, "field id: must be text, not True (bool)."),
        (
            {"instruction": 3, "split": 4},
            "field split: must be text, not 4 (int); 1 more field is wrong.",
        ),
        ({"instruction": ["word"] * 900}, "… (list)"),
    ],
)
def test_an_episode_refuses_in_one_sentence(fields, sentence):
    with pytest.raises(NavVizError) as caught:
        Episode(**GIVEN | fields)
    said = str(caught.value)
    assert sentence in said
    assert "\n" not in said
    assert "pydantic" not in said
    assert len(said) < 450


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Episode(id="7"),
            "Episode lacks dataset, instruction and start; give them by name.",
        ),
        (EndEvent, "field status: EndEvent lacks it; give it by name."),
        (lambda: EndEvent(status="gone"), "field status: must be 'done', 'stopped', 'limit', "),
        (
            lambda: Candidate(node="a", state="x"),
            "must be 'offered', 'chosen' or 'rejected', not 'x'",
        ),
        (lambda: Decision(target=["a"]), "field target: must be text, not ['a'] (list)."),
        (lambda: Panel(kind="text", title="T", data=5), "field data: must be a dictionary, not 5"),
    ],
)
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
