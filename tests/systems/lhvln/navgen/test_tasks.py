"""NavGen with a scripted author, and its commands."""

import json
import random

import pytest
from typer.testing import CliRunner

from navviz.cli import application
from navviz.errors import InputError
from navviz.formats import open_episodes, open_worlds
from navviz.llm.scripted import Scripted
from navviz.systems.asking import ask_now
from navviz.systems.lhvln.logs.scenes import bare_scene
from navviz.systems.lhvln.navgen.places import places_of
from navviz.systems.lhvln.navgen.tasks import (
    draft_task,
    expert_motions,
    step_request,
    stretches,
    write_tasks,
)
from navviz.world.graph import Graph
from tests.paths import SAMPLES


@pytest.fixture(scope="module")
def house():
    return open_worlds(SAMPLES / "house")()


def _task(house: Graph) -> dict[str, object]:
    places = places_of(house)
    region = next(r for r in places.regions.values() if r.named("umbrella stand"))
    other = next(r for r in places.regions.values() if r.room == "Kitchen")
    name = other.things[0].name
    return {
        "Task instruction": f"Take the umbrella stand from the hall to the {name} in the kitchen.",
        "Subtask list": [
            f"Move_to('umbrella stand_{region.id}')", "Grab('umbrella stand')",
            f"Move_to('{name}_{other.id}')", "Release('umbrella stand')",
        ],
    }  # fmt: skip


def test_a_model_writes_a_task_that_is_checked(house):
    reply = "Here it is:\n```json\n" + json.dumps(_task(house)) + "\n```"
    draft = draft_task(house, random.Random(1), llm=Scripted([reply]))
    assert draft.accepted
    assert draft.call is not None
    assert draft.call.purpose == "write-task"
    assert "Region 2: Hall" in draft.messages[1].text
    assert draft.episode is not None
    assert draft.episode.extra["author"] == "scripted"
    assert [check.passed for check in draft.checks if check.required] == [True] * 5
    assert any("can be carried" in check.rule and not check.passed for check in draft.checks)


@pytest.mark.parametrize(("reply", "fault"), [
    ("no json", "can be read: the reply is no dictionary"),
    (json.dumps({"Task instruction": "Go.", "Subtask list": ["Move_to('x_77')"]}), "every region exists"),
])  # fmt: skip
def test_a_bad_task_is_rejected_with_its_reason(house, reply, fault):
    draft = draft_task(house, random.Random(1), llm=Scripted([reply]))
    assert not draft.accepted
    assert draft.fault is not None
    assert draft.fault.startswith(fault)


def test_rejected_drafts_do_not_count(house):
    good = json.dumps(_task(house))
    drafts = list(write_tasks(house, 1, llm=Scripted(["{}", "{}", good])))
    assert [draft.accepted for draft in drafts] == [False, False, True]


def test_rules_write_as_many_as_asked_the_same_each_time(house):
    first = [draft.episode for draft in write_tasks(house, 4, seed=3) if draft.episode is not None]
    second = [draft.episode for draft in write_tasks(house, 4, seed=3) if draft.episode is not None]
    assert first == second
    assert [len(episode.tasks) for episode in first] == [2, 3, 4, 2]
    assert len({episode.id for episode in first}) == 4


def test_backward_on_an_experts_walk_has_tags_and_a_text(house):
    episode = next(
        draft.episode for draft in write_tasks(house, 1, seed=5) if draft.episode is not None
    )
    motions = expert_motions(episode, house)
    assert motions is not None
    found = stretches(motions, house)
    assert {stretch.task.target for stretch in found} <= {task.target for task in episode.tasks}
    assert all(len(stretch.tags) == len(stretch.task.segments) for stretch in found)
    assert any(tags for stretch in found for tags in stretch.tags)
    call = ask_now(Scripted(['{"instruction": "Go ahead."}']), step_request(found[0]))
    assert call.purpose == "write-step"
    assert '"step_0"' in call.messages[1].text
    assert expert_motions(episode.model_copy(update={"reference_path": ()}), house) is None


def test_an_empty_world_is_a_sentence():
    with pytest.raises(InputError, match="has no room with things in it"):
        draft_task(bare_scene("hm3d:x"), random.Random(1))


@pytest.fixture
def command(monkeypatch):
    app = application(("why",), ("navgen",))
    return lambda *arguments: CliRunner().invoke(app, ["navgen", *map(str, arguments)])


def test_backward_prints_the_anchor(command, data_dir):
    result = command("backward", "--tasks", data_dir / "lhvln" / "lhpr")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[1] == (
        "kettle: steps 3-78 (move_forward 3-6, turn_left 7-10, move_forward 11-29, turn_left 30-32, move_forward 33-78)"
    )
    assert (
        lines[2]
        == "coffee table: steps 87-131 (move_forward 87-117, turn_right 118-120, move_forward 121-131)"
    )


def test_backward_takes_letters(command):
    result = command(
        "backward",
        "--actions",
        "FFFFLLFFFF" + "FFFFFFFF",
        "--targets",
        "a:10,b:8",
        "--format",
        "json",
    )
    assert json.loads(result.output)[""] == [
        {"target": "a", "start": 0, "end": 9, "segments": [[0, 2, "move_forward"], [3, 5, "turn_left"], [6, 9, "move_forward"]]},
        {"target": "b", "start": 10, "end": 16, "segments": [[10, 16, "move_forward"]]},
    ]  # fmt: skip
    assert command("backward", "--actions", "FX").exit_code == 2
    assert command("backward").exit_code == 2
    assert (
        "cover 2 of 3 actions" in command("backward", "--actions", "FFF", "--targets", "a:2").output
    )


def test_forward_writes_an_episodes_file(command, tmp_path):
    out = tmp_path / "tasks.jsonl"
    result = command(
        "forward", "--graphs", SAMPLES / "house", "--count", 3, "--seed", 7, "--out", out
    )
    assert result.exit_code == 0
    assert [len(episode.tasks) for episode in open_episodes(out).episodes.values()] == [2, 3, 4]
    assert command("forward", "--graphs", SAMPLES / "house", "--sub-tasks", "two").exit_code == 2
