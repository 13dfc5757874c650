"""Prompt texts from files, for GROKE's decisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats.groke.calls import read_call, read_prompt
from navviz.formats.groke.templates import read_template
from navviz.records import SubGoal

PLAN = (
    SubGoal(description="Go {map}", status="COMPLETED"),
    SubGoal(description="Turn", status="IN_PROGRESS", iteration=2),
)


def fill(path: Path, **changes: object) -> list[str]:
    values = {"instruction": "Go. Turn.", "plan": PLAN, "current": 1, "landmarks": ["bank"], "context": "{M}"} | changes
    return [f"{message.role}: {message.text}" for message in read_template(path).fill(**values)]


def test_places_are_filled_and_other_braces_stay(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text('Answer {"next_place": "id"}.\n=== user ===\n{instruction}|{sub_goal}|{landmarks}\n{plan}\n{map}\n')
    assert fill(path) == [
        'system: Answer {"next_place": "id"}.',
        "user: Go. Turn.|Turn|Landmark: bank\n1. Go {map} (COMPLETED)\n2. Turn (IN_PROGRESS, Iteration: 2)\n{M}",
    ]
    assert "could not be used: no." in fill(path, fault="no")[1]
    assert "|Turn|\n1." in fill(path, landmarks=[])[1]


@pytest.mark.parametrize(("text", "says"), [("{map}", "no place for sub_goal"), ("", "no place for sub_goal and map")])
def test_a_template_without_its_places_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        read_template(path)


@pytest.mark.parametrize("name", ["gone.txt", "gone.jsonl"])
def test_a_file_that_is_not_there_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}.*cannot be (read|opened)"):
        read_template(tmp_path / name)


@pytest.mark.data
def test_a_step_log_gives_the_published_prompts_word_by_word(data_dir: Path) -> None:
    """The prompt of the log's first line, filled with the values of each other line, is that line's own prompt."""
    log = data_dir / "groke" / "paper_results" / "ablation_study_json" / "step2_json.jsonl"
    template = read_template(log)
    same = total = 0
    with log.open(encoding="utf-8") as file:
        for line in file:
            messages = read_call(json.loads(line)).messages
            text = messages[-1].text
            prompt = read_prompt(text)
            named = [row.removeprefix("Landmark: ") for row in text.splitlines() if row.startswith("Landmark: ")]
            if prompt.sub_goal is None:
                continue
            filled = template.fill(
                instruction=prompt.instruction, plan=prompt.plan, current=prompt.sub_goal,
                landmarks=named[0].split(", ") if named else [], context=prompt.context,
            )  # fmt: skip
            total += 1
            same += [message.text for message in filled] == [message.text for message in messages]
    assert total >= 90
    assert same == total
