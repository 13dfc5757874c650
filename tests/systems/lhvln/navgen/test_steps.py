"""NavGen backward with an author: the anchor's stretches by rules, a lawful and unlawful models."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from navviz.cli import application
from navviz.formats import open_episodes
from navviz.llm.registry import close_model, make_model
from navviz.systems.lhvln.navgen.backward import actions_of, split
from navviz.systems.lhvln.navgen.steps import check_step, rules_text, write_draft
from navviz.systems.lhvln.navgen.tasks import Stretch
from tests.fake_servers import FakeOpenAI
from tests.paths import SAMPLES
from tests.systems.lhvln.navgen.test_backward import ANCHOR, KETTLE


def anchor() -> list[Stretch]:
    actions = actions_of(ANCHOR)
    tasks = split(actions, ["kettle"] * KETTLE + ["coffee table"] * (len(actions) - KETTLE))
    return [Stretch(task, (("hallway", "door"),) * len(task.segments)) for task in tasks]


def lawful(request: str) -> str:
    """What a model that keeps to the prompt answers, from the request alone."""
    path = json.loads(request.rsplit("\n", 1)[-1])
    parts = []
    for name, part in path.items():
        if name != "target":
            side = re.search("left|right", part["action"])
            do = f"turn {side[0]} at the" if side else "go past the"
            parts.append(f"{do} {(part['tags'] or ['wall'])[0]}")
    return ", ".join([*parts, f"and stop at the {path['target']}"])


UNLAWFUL = {
    "One text in words": lambda text: f"step 1: {text}",
    "Its turns are those of the walk": lambda text: text.replace("left", "right"),
    "It ends at the target": lambda text: text.replace("kettle", "window"),
}


def test_the_anchor_s_stretches_pass_their_checks_by_rules():
    for stretch in anchor():
        draft = write_draft("walk", stretch)
        assert draft.fault == ""
        assert [check.passed for check in draft.checks] == [True] * 4
    assert rules_text(anchor()[1]) == (
        "Walk ahead past the hallway, then turn right by the hallway, then walk on to the coffee table."
    )


def test_a_lawful_model_is_accepted_at_once():
    stretch = anchor()[0]

    def answer(request):
        return json.dumps({"instruction": lawful(request.body["messages"][-1]["content"])})

    with FakeOpenAI(answer) as server:
        llm = make_model(f"openai:m@{server.url}")
        try:
            draft = write_draft("walk", stretch, llm)
        finally:
            close_model(llm)
    assert (draft.fault, len(draft.calls)) == ("", 1)
    assert draft.record["trials"][0]["reply"]


@pytest.mark.parametrize("rule", UNLAWFUL)
def test_an_unlawful_model_is_asked_again_twice_and_rejected_with_the_reason(rule):
    from navviz.llm.scripted import Scripted

    stretch = anchor()[0]

    def answer(request):
        text = lawful(request.messages[1].text)
        return json.dumps({"instruction": UNLAWFUL[rule](text)})

    draft = write_draft("walk", stretch, Scripted(answer))
    assert len(draft.calls) == 3
    assert draft.fault.startswith(rule)
    assert rule in draft.calls[1].messages[-1].text


def test_a_zigzag_may_be_left_unsaid():
    task = split(actions_of("FFFFLLRRFFFFFF"), ["vase"] * 14)[0]
    stretch = Stretch(task, ((),) * len(task.segments))
    assert all(check.passed for check in check_step("Walk on to the vase.", stretch))
    assert all(check.passed for check in check_step(rules_text(stretch), stretch))


def test_the_command_writes_episodes_and_pays_nothing_twice(tmp_path):
    house = SAMPLES / "house"
    tasks = next((house / "tasks").glob("*.jsonl"))
    out, drafts = tmp_path / "steps.jsonl", tmp_path / "drafts.jsonl"
    line = ["navgen", "backward", "--episodes", str(tasks), "--graphs", str(house / "connectivity"),
            "--llm", "rules", "--out", str(out), "--drafts", str(drafts)]  # fmt: skip
    done = CliRunner().invoke(application(), line)
    assert done.exit_code == 0, done.output
    written = open_episodes(out).episodes
    assert written
    first = next(iter(written.values()))
    assert first.extra["parent"]
    assert first.goal == first.reference_path[-1]
    before = drafts.read_text()
    assert CliRunner().invoke(application(), line).exit_code == 0
    assert drafts.read_text() == before


@pytest.mark.data
def test_a_recorded_walk_becomes_step_tasks_of_the_benchmark(data_dir, tmp_path):
    out = tmp_path / "steps.jsonl"
    line = ["navgen", "backward", "--tasks", str(data_dir / "lhvln" / "lhpr"), "--llm", "rules",
            "--format", "lhpr", "--out", str(out)]  # fmt: skip
    done = CliRunner().invoke(application(), line)
    assert done.exit_code == 0, done.output
    kettle, table = map(json.loads, out.read_text().splitlines())
    assert (kettle["start"], kettle["end"], table["start"], table["end"]) == (3, 78, 87, 131)
    assert kettle["target"] == [["kettle", "Region 8: Kitchen"]]
    assert len(kettle["start_pos"]) == 3
