"""Printed logs by mapping: Open-Nav's, made by its published code's print statements."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from navviz import open_run
from navviz.errors import InputError, Problems
from navviz.formats import format_of
from navviz.formats.mapping.model import PrintedFields, as_toml, mapping_of
from navviz.formats.mapping.printed import printed_document
from navviz.formats.mapping.reader import shipped_mappings
from navviz.formats.texts import blocks
from tests.formats.vlnce import made

STAMP = "2025-01-02 03:04:05 - base_il_trainer_llm.py/_eval_llm[line:340] - INFO: "


def _step(episode: int, number: int, move: str, thought: str = "A door.") -> list[str]:
    """Lines of one step, in the order in which the published code prints them."""
    rule = "=" * 20
    return [
        f"{rule} The current episode id is {episode} {rule}",
        f"Instruction: Go ahead, number {episode}.",
        "Actions: 1. Go on.",
        "2. Stop.",
        "Landmarks: door",
        f"{'-' * 20} Step {number} {'-' * 20}",
        "========== Get Observation ==========",
        "Direction 0: a door.",
        "Actions: none of these lines is a head of the episode",
        "========== Next Action Prediction ==========",
        "Thought: The door is ahead. Prediction: 0",
        "========== Thought ==========",
        f"Pred viewpoint ID: 0 Fused Thought: {thought}",
        "========== Test Decision ==========",
        f"The final env action: [{{'action': {{'action': 4, 'action_args': {move}}}}}]",
        "========== save history ==========",
        "Step 1 Observation: a door",
    ]


LEFT = "{'angle': 1.5707963267948966, 'distance': np.float32(2.4)}"
AHEAD = "{'angle': 0.0, 'distance': 1.0}"


def _log(folder: Path, lines: list[str], stamp: str = "") -> Path:
    path = folder / "navigator_log.log"
    path.write_text("".join(f"{stamp}{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("stamp", ["", STAMP])
def test_open_nav_is_walked_from_the_start_of_its_episode(tmp_path: Path, stamp: str) -> None:
    made.split(tmp_path)
    lines = [*_step(1, 1, LEFT), *_step(1, 2, AHEAD, "On."), *_step(2, 1, AHEAD)]
    path = _log(tmp_path, lines, stamp)
    assert format_of("results", path) == "Open-Nav log"
    run = open_run(path)
    assert list(run.traces) == ["1", "2"]
    trace = run.trace("1")
    assert trace.episode.dataset == "R2R-CE"
    assert [step.end_heading_deg for step in trace.steps] == [270.0, 270.0]
    # 2.4 m in steps of 0.25 m are 2.25 m, to the left
    ends = [step.end_position for step in trace.steps]
    assert ends[0] == pytest.approx((-2.25, 0.0, 0.5))
    assert ends[1] == pytest.approx((-3.25, 0.0, 0.5))
    call = trace.steps[0].calls[0]
    assert call.thoughts == "Pred viewpoint ID: 0 Fused Thought: A door."
    assert call.reply == "Thought: The door is ahead. Prediction: 0"
    seen = trace.steps[0].observation
    assert seen is not None
    assert "none of these lines" in seen.text
    assert "walls left aside" in str(trace.header.pose_source)


def test_a_step_that_broke_off_is_replaced(tmp_path: Path) -> None:
    broken = [*_step(1, 1, AHEAD)[:9], "Error in next action prediction: key '9'"]
    path = _log(tmp_path, [*broken, *_step(1, 1, LEFT)])
    trace = open_run(path).trace("1")
    assert trace.episode.instruction == "Go ahead, number 1."
    assert len(trace.steps) == 1
    assert trace.steps[0].end_heading_deg == 270.0


def test_a_log_that_was_cut_off_shows_what_is_there(tmp_path: Path) -> None:
    path = _log(tmp_path, [*_step(1, 1, LEFT), *_step(1, 2, AHEAD)[:12]])
    trace = open_run(path).trace("1")
    assert [step.end_position for step in trace.steps] == [pytest.approx((-2.25, 0.0, 0.0))] * 2


def test_what_a_head_takes() -> None:
    fields = dict(shipped_mappings())["opennav_log"].printed
    assert fields is not None
    (episode,) = printed_document([f"{line}\n" for line in _step(7, 3, LEFT)], fields)
    assert (episode["id"], episode["actions"]) == ("7", "1. Go on.\n2. Stop.")
    assert episode["steps"][0]["move"] == ["1.5707963267948966", "np.float32(2.4)"]
    assert printed_document(["no head at all\n"], fields) == []


def test_a_printed_mapping_says_its_heads() -> None:
    with pytest.raises(InputError, match="needs the table"):
        mapping_of({"name": "m", "format": "printed"}, "m.toml")


def test_blocks_are_heads_and_what_follows() -> None:
    lines = ["before\n", "# a\n", "1\n", "\n", "# b\n"]
    found = list(blocks(lines, lambda line: line[2:].strip() if line[0] == "#" else None))
    assert [(block.head, block.line, block.text) for block in found] == [
        ("a", 2, "1"),
        ("b", 5, ""),
    ]


def test_a_line_that_is_nearly_a_head_is_named() -> None:
    fields = PrintedFields(episode="=== The episode is {} ===")
    problems = Problems()
    printed_document(
        ["=== The episode is 1 ===\n", "=== The episode js 2 ===\n"], fields, "a.log", problems
    )
    assert [problem.what for problem in problems.kept] == [
        "1 line begin or end like the head of a part, and are none"
    ]


def test_a_mapping_with_any_letter_is_read_back() -> None:
    """TOML takes a DEL only escaped, and JSON leaves it bare."""
    fields = {
        "name": "a\x7fb \u2028 é",
        "format": "json",
        "episode": {"id": "no"},
        "figures": {"x\x7f": "y"},
    }
    mapping = mapping_of({**fields, "episodes": "[*]"}, "a.toml")
    assert mapping_of(tomllib.loads(as_toml(mapping)), "b.toml") == mapping
