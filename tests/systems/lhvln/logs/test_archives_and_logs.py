"""Episode archives, NavViz's own episode lines, and training logs."""

import gzip
import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes
from navviz.formats.traces import write_episodes
from navviz.records import Episode, Task
from navviz.systems.lhvln.logs.training_log import parse_training_log
from tests.systems.lhvln.logs.test_folders import CONFIG

STEP = {
    "trajectory path": "x",
    "start": 3,
    "end": 78,
    "target": ["kettle"],
    "Task instruction": "Go ahead.",
}


def _archive(path: Path, items: dict[str, object]) -> Path:
    with gzip.open(path, "wt") as file:
        json.dump(items, file)
    return path


def test_an_archive_holds_tasks_with_their_step_tasks(tmp_path):
    items: dict[str, object] = {
        "0": {"lh_task": CONFIG | {"gt_step": [80, 54]}, "st_task": [STEP, {"start": "?"}]},
        "1": {"st_task": []},
        "2": {"lh_task": CONFIG, "st_task": []},
    }
    found = open_episodes(_archive(tmp_path / "batch_6.json.gz", items))
    assert len(found) == 2
    first = next(iter(found.episodes.values()))
    assert first.split == "val"
    assert first.extra["gt_step"] == [80, 54]
    assert [(each.first_step, each.last_step, each.target) for each in first.step_tasks] == [
        (4, 79, "kettle")
    ]
    problems = [str(problem) for problem in found.problems.kept]
    assert any("has no span of steps" in text for text in problems)
    assert any("episode 1, field lh_task: holds no task" in text for text in problems)


def test_episodes_of_navviz_survive_a_round_trip(tmp_path):
    episode = Episode(
        id="e1",
        dataset="tasks",
        instruction="Go to the bank, then to the café.",
        world="town",
        start="1",
        tasks=(Task(description="Go to the bank.", goals=("2", "3"), target="bank"),),
    )
    path = tmp_path / "tasks.jsonl"
    write_episodes([episode, episode.model_copy(update={"id": "e2"})], path)
    with path.open("a") as file:
        file.write(
            '{"id": "e3", "dataset": "x", "instruction": 4, "start": "1", "world": "town"}\n'
        )
    found = open_episodes(path)
    assert list(found.episodes) == ["e1", "e2"]
    assert found.episodes["e1"] == episode
    assert str(found.problems.kept[0]).startswith("tasks.jsonl:3, field instruction: ")


LOG = """2025-01-01 10:00:00  INFO  ###### Epoch: 2 ######
2025-01-01 10:00:01  INFO  ###### Validation ######
action: move_forward, step: 3
3.2 meters from the kettle
***** nav to kettle success! *****
***** nav to lamp fail! *****
maximum step reached!
2025-01-01 10:00:02  INFO  Type: result
2025-01-01 10:00:02  INFO    success_rate: 0.0000
2025-01-01 10:00:02  INFO    navigation_error: 9.7900
2025-01-01 10:00:02  INFO    conditional_path_length: 0.0524
2025-01-01 10:00:02  INFO    tar: nan
2025-01-01 10:00:02  INFO  Type: 3
2025-01-01 10:00:02  INFO    independent_success_rate: 0.0354
2025-01-01 10:00:03  INFO  ###### Test ######
2025-01-01 10:00:03  INFO  Type: step
"""


def test_a_training_log_is_a_table():
    log = parse_training_log(LOG, "train.log")
    assert log.rows() == [
        {"epoch": 2, "phase": "Validation", "group": "all", "SR": 0.0, "NE": 9.79, "CGT": 0.0524},
        {"epoch": 2, "phase": "Validation", "group": "3 sub-tasks", "ISR": 0.0354},
    ]
    assert log.events == {"reached": 1, "failed": 1, "finished": 0, "cut off": 1, "actions": 1}


def test_a_log_of_something_else_is_refused():
    with pytest.raises(InputError, match="holds no figures of LH-VLN"):
        parse_training_log("hello\n", "other.log")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LOG, ["step tasks lacks its figures"]),
        (LOG[: LOG.index("2025-01-01 10:00:03  INFO  ######")], []),
        (LOG[: LOG.index("0.0354") + 3], ["ends within a line"]),
        (LOG + "Type: result\n  success_rate: 0.5\n", ["result lacks CGT, NE"]),
        (LOG + "Type: 3\n", ["3 sub-tasks lacks ISR"]),
    ],
)
def test_a_training_log_that_ends_within_a_line_or_a_block_is_named(text, says):
    kept = parse_training_log(text, "train.log").problems.kept
    assert len(kept) == len(says)
    for problem, part in zip(map(str, kept), says, strict=True):
        assert part.replace("result", "all") in problem
        assert problem.startswith("train.log")
