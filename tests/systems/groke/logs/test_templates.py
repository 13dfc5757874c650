"""Prompt texts from files, for GROKE's decisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.records import SubGoal
from navviz.systems.groke.logs.calls import read_call, read_prompt, read_template

PLAN = (
    SubGoal(description="Go {map}", status="COMPLETED"),
    SubGoal(description="Turn", status="IN_PROGRESS", iteration=2),
)


def fill(path: Path, **changes: object) -> list[str]:
    values = {
        "instruction": "Go. Turn.",
        "plan": PLAN,
        "current": 1,
        "landmarks": ["bank"],
        "context": "{M}",
    } | changes
    return [f"{message.role}: {message.text}" for message in read_template(path).fill(**values)]


def test_places_are_filled_and_other_braces_stay(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(
        'Answer {"next_place": "id"}.\n=== user ===\n{instruction}|{sub_goal}|{landmarks}\n{plan}\n{map}\n'
    )
    assert fill(path) == [
        'system: Answer {"next_place": "id"}.',
        "user: Go. Turn.|Turn|Landmark: bank\n1. Go {map} (COMPLETED)\n2. Turn (IN_PROGRESS, Iteration: 2)\n{M}",
    ]
    text = "\n\nYour last answer could not be used: no. The walker has not moved. Answer again."
    assert fill(path, fault="no")[1].endswith("{M}" + text)
    assert "|Turn|\n1." in fill(path, landmarks=[])[1]
    assert "|Turn|Landmark: bank, bar\n1." in fill(path, landmarks=["bank", "bar"])[1]
    assert "user: Go.|" in fill(path, instruction=" \nGo. ")[1]


def test_a_plan_tells_the_tries_of_what_is_in_progress_alone(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("{sub_goal}{map}\n{plan}")
    plan = (
        SubGoal(description="a", status="IN_PROGRESS"),
        SubGoal(description="b", status="TODO", iteration=3),
    )
    assert fill(path, plan=plan) == ["user: b{M}\n1. a (IN_PROGRESS)\n2. b (TODO)"]


def test_the_first_line_of_a_user_ends_the_system_message(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("A === user ===\n\n=== user === \t\n\n{sub_goal}\n=== user ===\n{map}\n")
    assert fill(path) == ["system: A === user ===", "user: Turn\n=== user ===\n{M}"]
    path.write_text("\n {sub_goal}{map} \n")
    assert fill(path) == ["user: Turn{M}"]
    path.write_text("{sub_goal}\n=== user ===\n{map}")
    assert fill(path) == ["system: Turn", "user: {M}"]


VALUES = (
    "Landmark: bank, bar\n",
    "1. Walk (COMPLETED)\n2. Stop (IN_PROGRESS, Iteration: 1)",
    '{"map": "{plan}"}',
)


def _log(path: Path, *texts: str) -> Path:
    contents = [
        {"role": role, "parts": [{"text": text}]}
        for role, text in zip(("user", "model"), texts, strict=False)
    ]
    contents += [{"role": "user", "parts": [{"text": text}]} for text in texts[2:]]
    system = {"parts": [{"text": "You walk."}]}
    path.write_text(
        json.dumps({"request": {"contents": contents, "systemInstruction": system}}) + "\n{}\n"
    )
    return path


def _published(landmark: str, instruction: str, plan: str, goal: str, context: str) -> str:
    return (
        f"[TASK]\nInstruction: {instruction}\n\nSub-Goal State: IN_PROGRESS\n{landmark}Current Sub-Goal: {goal}\n\n"
        f"Planning State:\n{plan}\n\n```json\n{context}\n```\n"
    )


def test_a_step_log_is_emptied_of_its_first_values(tmp_path):
    landmarks, plan, context = VALUES
    again = _published(landmarks, "Walk. Stop.", plan, "Stop", context)
    log = _log(tmp_path / "step1_json.jsonl", again, "no", again)
    template = read_template(log)
    emptied = _published("{landmarks}\n", "{instruction}", "{plan}", "{sub_goal}", "{map}")
    assert template.system == "You walk."
    assert template.user == emptied + again


def test_a_step_log_without_landmarks_has_their_place_below_the_state(tmp_path):
    _, plan, context = VALUES
    again = _published("", "Walk. Stop.", plan, "Stop", context)
    template = read_template(_log(tmp_path / "step1_json.jsonl", again, "no", again))
    assert (
        template.user
        == _published("{landmarks}", "{instruction}", "{plan}", "{sub_goal}", "{map}") + again
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        _published("", "Go.", "1. Walk (TODO)", "Walk", "{}"),
        _published("", "Go.", VALUES[1], "Stop", "{}").replace("json", "").replace("```", ""),
        _published("", "Go.", VALUES[1], "Stop", "{}").replace("Instruction", "Task"),
    ],
    ids=["empty", "no goal in progress", "no map", "no instruction"],
)
def test_a_log_whose_prompt_is_none_has_no_places(tmp_path, text):
    path = _log(tmp_path / "step1_json.jsonl", text)
    with pytest.raises(InputError) as caught:
        read_template(path)
    assert str(caught.value) == (
        "step1_json.jsonl, field prompt_file: has no place for sub_goal and map; write {sub_goal} where it belongs."
    )


def test_the_first_line_that_can_be_read_counts(tmp_path):
    _, plan, context = VALUES
    path = _log(tmp_path / "step1_json.jsonl", _published("", "Go.", plan, "Stop", context))
    whole = read_template(path)
    path.write_text("{\n" + path.read_text())
    assert read_template(path) == whole


def test_a_log_without_lines_has_no_places(tmp_path):
    path = tmp_path / "step1_json.jsonl"
    path.write_text("\n")
    with pytest.raises(InputError, match="has no place for sub_goal and map"):
        read_template(path)


def test_a_log_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError) as caught:
        read_template(tmp_path / "gone.jsonl")
    assert str(caught.value) == "gone.jsonl: cannot be read (no such file); check the path."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{map}", "no place for sub_goal; write {sub_goal} where it belongs"),
        ("{sub_goal}", "no place for map; write {map} where"),
        ("", "no place for sub_goal and map"),
    ],
)
def test_a_template_without_its_places_is_refused(tmp_path, text, says):
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        read_template(path)


def test_a_text_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"gone\.txt.*cannot be (read|opened)"):
        read_template(tmp_path / "gone.txt")


@pytest.mark.data
def test_a_step_log_gives_the_published_prompts_word_by_word(data_dir):
    """The prompt of the log's first line, filled with the values of each other line, is that line's
    own prompt.
    """
    log = data_dir / "groke" / "paper_results" / "ablation_study_json" / "step2_json.jsonl"
    template = read_template(log)
    same = total = 0
    with log.open(encoding="utf-8") as file:
        for line in file:
            messages = read_call(json.loads(line)).messages
            text = messages[-1].text
            prompt = read_prompt(text)
            named = [
                row.removeprefix("Landmark: ")
                for row in text.splitlines()
                if row.startswith("Landmark: ")
            ]
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
