"""How much of a run was read, in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import Problem, Problems
from navviz.runs.opened import load
from navviz.runs.reading import reading_sentence
from navviz.runs.sources import from_folder
from navviz.runs.walks import walk_faults
from tests.grids import episode, grid, state_item, straight, trace, write_grid, write_json

PATH = straight()


def _sentence(folder: Path) -> str:
    run = load(from_folder(folder)[0])
    return reading_sentence(
        run.problems, run.instructions, run.file_count, run.source.folder_problems
    )


@pytest.mark.parametrize(
    ("skipped", "said"),
    [
        ([], "Read 2 of 2 episodes from 3 files"),
        (["c"], "Read 2 of 3 episodes from 3 files"),
        (["c", "c", "d"], "Read 2 of 4 episodes from 3 files"),
        (["a"], "Read 2 of 2 episodes from 3 files; 1 other entry not read"),
        (["", "", "c"], "Read 2 of 3 episodes from 3 files; 2 other entries not read"),
    ],
)
def test_the_sentence(skipped, said):
    problems = Problems()
    for name in skipped:
        problems.skip(Problem("is broken", file="a.jsonl:3", episode=name))
    assert reading_sentence(problems, ["a", "b"], 3, ()) == said


def test_what_is_usually_left_out_is_called_normal():
    problems = Problems()
    problems.skip(Problem("is elsewhere", file="pois.txt", usual="links to places outside"), 110)
    assert reading_sentence(problems, ["a"], 1, ()) == (
        "Read 1 of 1 episode from 1 file; 110 links to places outside left out, as is normal"
    )


def test_a_folder_with_damage(tmp_path):
    write_grid(tmp_path / "town")
    states = {str(k): state_item(PATH, ["r0c0", "r0c4"]) for k in range(4)}
    write_json(tmp_path / "states.json", states)
    assert _sentence(tmp_path) == "Read 4 of 4 episodes from 1 file"
    del states["1"]["osm_path"]
    write_json(tmp_path / "states.json", states)
    (tmp_path / "broken.json").write_text("[{")
    (tmp_path / "other.json").write_text(json.dumps({"instr_id": 1}))
    assert _sentence(tmp_path) == "Read 3 of 4 episodes from 1 file; 2 files not read"


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ([("r0c0", "r0c1"), ("r0c1", "r0c2"), ()], []),
        ([("r0c0", "r0c1"), ("r0c2", "r0c3"), ()], ["step 2 begins at r0c2"]),
        ([("r0c1", "r0c2"), ()], ["step 1 begins at r0c1, the walk has come to r0c0"]),
    ],
)
def test_a_step_that_begins_elsewhere_than_its_last_move_led_is_named(moves, says):
    walk = trace(episode(straight(), "e1"), moves)
    steps = [
        step.model_copy(update={"node": path[0] if path else step.node})
        for step, path in zip(walk.steps, moves, strict=True)
    ]
    walk = walk.model_copy(update={"steps": tuple(steps)})
    faults = [str(each) for each in walk_faults(walk, grid(), "e1.trace.jsonl")]
    begun = [each for each in faults if "begins at" in each]
    assert len(begun) == len(says)
    for fault, part in zip(begun, says, strict=True):
        assert part in fault
        assert fault.startswith("e1.trace.jsonl, episode e1, field node: ")
