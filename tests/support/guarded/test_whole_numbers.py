"""A whole float is that integer, wherever JSON is read: pandas writes a column of integers so once
a value lacks.
"""

import math

import pytest

from navviz.analysis.alike import LikeTarget
from navviz.errors import Problems
from navviz.formats import open_episodes, open_results
from navviz.formats.files import json_items, json_lines, peek
from navviz.records import Call
from navviz.support.guarded import natural, parse_json
from navviz.systems.lhvln.mgdm.prompt import read_answer
from tests.grids import grid, state_item, straight, write_json


@pytest.mark.parametrize(("text", "value"), [
    ("3.0", 3), ("1e3", 1000), ("-7.00", -7), ("0.0", 0), ("9007199254740992.0", 1 << 53),
    ("12.50e1", 125),
])  # fmt: skip
def test_a_whole_float_is_an_integer(tmp_path, text, value):
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"a": {text}}}\n')
    read = [parse_json(text, "a"), parse_json(text, "a", lenient=True), peek(path).first_line["a"]]
    read += [dict(json_items(path, Problems()))["a"], next(json_lines(path, Problems()))[1]["a"]]
    assert read == [value] * 5
    assert [type(one) for one in read] == [int] * 5


@pytest.mark.parametrize("text", ["3.5", "1e300", "9007199254740994.0", "-0.0", "1e-3"])
def test_other_floats_stay(text):
    value = parse_json(text, "a")
    assert type(value) is float
    assert value == float(text)
    assert math.copysign(1, value) == math.copysign(1, float(text))


def test_where_an_agent_gave_up_is_known(tmp_path):
    """`current_instruction_index: 3.0` was no index, and the episode's failure another one."""
    state = state_item(straight(), ["r0c0", "r0c2"])
    state["json"] |= {
        "status": "IN_PROGRESS",
        "current_instruction_index": 1.0,
        "current_instruction_status": "TODO",
    }
    state["json"]["num_retry_current_instruction"] = 2.0
    (run,) = open_results(write_json(tmp_path / "states.json", {"5": state}), grid())
    end = run.traces["5"].end
    assert end is not None
    assert [(goal.status, goal.iteration) for goal in end.plan] == [
        ("COMPLETED", None),
        ("IN_PROGRESS", 3),
    ]


def test_an_id_is_no_float(tmp_path):
    entry = {
        "scan": "s", "path": ["a", "b"], "heading": 1.5, "instructions": ["Go."], "path_id": 2365.0,
    }  # fmt: skip
    read = open_episodes(write_json(tmp_path / "R2R_val.json", [entry]))
    assert [(episode.id, episode.path_id) for episode in read.episodes.values()] == [
        ("2365_0", "2365")
    ]


@pytest.mark.parametrize("digits", ["\N{SUPERSCRIPT TWO}", "9" * 5_000, "-1", "", "1 2"])
def test_digits_that_are_no_number_end_no_page_and_no_walk(digits):
    """A link with ``?step=`` of 5,000 digits, or a reply of a superscript two, was a traceback."""
    assert natural(digits) is None
    assert LikeTarget.of(f"1;{digits}").step is None
    call = Call(
        purpose="act",
        model="m",
        messages=(),
        reply="{}",
        parsed={"action": digits, "probabilities": {digits: 1.0, "0": 0.5}},
    )
    answer = read_answer(call, [0, 1])
    assert answer.action is None
    assert answer.probabilities[0] > 0
