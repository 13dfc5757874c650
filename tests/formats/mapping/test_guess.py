"""Guesses on logs of ten makers: each needs at most three corrections; they are counted here."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from navviz.errors import Problems
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.structure import lines_of, structure

MOST_CORRECTIONS = 3
TEXT = "Leave the room, turn left at the lamp and wait."
SCAN = "aB3dE6gH9jK"
WALK = [[1.0 + 0.2 * k, 0.1, -2.0 - 0.25 * k] for k in range(6)]
FLAT = [[1.0 + 0.2 * k, -2.0 - 0.25 * k, 0.1] for k in range(6)]
NODES = [f"place{k:02d}" for k in range(6)]
Made = tuple[str, Any, dict[str, Any]]
"""File name, content, and the fields that are right."""


def _nested() -> Made:
    steps = [{"position": p, "action": "forward", "thought": "On."} for p in WALK]
    task = {"instruction": {"text": TEXT}, "scan": SCAN}
    content = {"results": [{"episode_id": f"e{k}", "task": task, "steps": steps} for k in range(3)]}
    right = {
        "episodes": "results[*]", "id": "episode_id", "world": "task.scan",
        "instruction": "task.instruction.text", "positions": ("steps[*].position",),
        "frame": "habitat", "actions": "steps[*].action", "thoughts": "steps[*].thought",
    }  # fmt: skip
    return "nested.json", content, right


def _keyed() -> Made:
    entry = {"scene": SCAN, "command": TEXT, "poses": [[*p, 0.5] for p in WALK], "success": 1}
    right = {
        "episodes": "{key}", "id": "{key}", "world": "scene", "instruction": "command",
        "positions": ("poses[*]",), "frame": "habitat",
    }  # fmt: skip
    return "keyed.json", {f"ep_{k}": entry for k in range(4)}, right


def _lines() -> Made:
    lines = [{"uid": f"u{k}", "instr": TEXT, "visited": NODES, "spl": 0.5} for k in range(3)]
    right = {"id": "uid", "instruction": "instr", "nodes": "visited"}
    return "lines.jsonl", lines, right


def _step_lines() -> Made:
    lines = [
        {"episode": k, "t": t, "x": p[0], "y": p[1], "z": p[2], "reasoning": "Hm."}
        for k in range(3)
        for t, p in enumerate(FLAT)
    ]
    right = {
        "group_by": ("episode",), "id": "rows[0].episode", "frame": "enu",
        "positions": ("rows[*].x", "rows[*].y", "rows[*].z"), "thoughts": "rows[*].reasoning",
    }  # fmt: skip
    return "step_lines.jsonl", lines, right


def _table() -> Made:
    rows = ["run_id,lat,lon,bearing"]
    for k in range(3):
        rows += [f"r{k},{52.5 + t * 1e-4:.6f},{13.4 + t * 1e-4:.6f},{t * 10}" for t in range(5)]
    right = {
        "group_by": ("run_id",), "positions": ("rows[*].lat", "rows[*].lon"), "frame": "latlon",
        "headings": "rows[*].bearing", "heading_unit": "degrees",
    }  # fmt: skip
    return "table.csv", rows, right


def _columnar() -> Made:
    rows = [{"task_id": f"t{k}", "instruction": TEXT, "trajectory": FLAT} for k in range(3)]
    right = {"id": "task_id", "instruction": "instruction", "frame": "enu"}
    return "columnar.parquet", rows, right | {"positions": ("trajectory[*]",)}


def _drone() -> Made:
    track = [[10.0 * k, 3.0 * k, -20.0 - k] for k in range(6)]
    flights = [{"idx": k, "query": TEXT, "ned_track": track} for k in range(3)]
    right = {
        "episodes": "flights[*]", "id": "idx", "instruction": "query",
        "positions": ("ned_track[*]",), "frame": "ned",
    }  # fmt: skip
    return "drone.json", {"flights": flights}, right


def _graph_walks() -> Made:
    hops = [{"viewpoint": node, "heading": k / 2, "response": "Ahead."} for k, node in
            enumerate(NODES)]  # fmt: skip
    entries = [{"instr_no": 5, "id": f"g{k}", "scan": SCAN, "hops": hops} for k in range(3)]
    right = {
        "id": "id", "world": "scan", "nodes": "hops[*].viewpoint", "headings": "hops[*].heading",
        "heading_unit": "radians", "replies": "hops[*].response",
    }  # fmt: skip
    return "graph_walks.json", entries, right


def _one_episode() -> Made:
    content = {"name": "try", "description": TEXT, "path": WALK, "gt_path": WALK, "scene_id": SCAN}
    right = {
        "episodes": "", "id": "name", "instruction": "description", "positions": ("path[*]",),
        "frame": "habitat", "reference": ("gt_path",),
    }  # fmt: skip
    return "one.json", content, right


def _pose_objects() -> Made:
    poses = [{"x": p[0], "y": p[1], "z": p[2], "yaw": math.pi * k / 8} for k, p in enumerate(WALK)]
    runs = [{"ep": k, "house": SCAN, "utterance": TEXT, "log": poses} for k in range(3)]
    right = {
        "episodes": "data[*]", "id": "ep", "world": "house", "instruction": "utterance",
        "positions": ("log[*].x", "log[*].y", "log[*].z"), "frame": "habitat",
        "headings": "log[*].yaw", "heading_unit": "radians",
    }  # fmt: skip
    return "poses.json", {"meta": {"agent": "mine"}, "data": runs}, right


MAKERS = (
    _nested, _keyed, _lines, _step_lines, _table, _columnar, _drone, _graph_walks, _one_episode,
    _pose_objects,
)  # fmt: skip


def _written(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(content), path)
    elif path.suffix == ".csv":
        path.write_text("\n".join(content), encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(line) for line in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def _corrections(path: Path, right: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    mapping = guess(path)
    fields = mapping.model_dump()
    guessed = {**fields, **fields["episode"], **fields["walk"]}
    compared = {}
    for name, value in right.items():
        if _same(guessed[name], value):
            continue
        compared[name] = (guessed[name], value)
    return compared


def _same(guessed: Any, value: Any) -> bool:
    """Paths to a list and to its items lead to the same."""
    texts = [json.dumps(each).replace('[*]"', '"') for each in (guessed, value)]
    return texts[0] == texts[1]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__.strip("_"))
def test_a_log_needs_few_corrections(make: Callable[[], Made], tmp_path: Path) -> None:
    name, content, right = make()
    wrong = _corrections(_written(tmp_path, name, content), right)
    assert len(wrong) <= MOST_CORRECTIONS, wrong


def test_most_of_the_logs_need_none(tmp_path: Path) -> None:
    wrong: dict[str, list[str]] = {}
    for make in MAKERS:
        name, content, right = make()
        wrong[name] = list(_corrections(_written(tmp_path, name, content), right))
    assert sum(map(len, wrong.values())) <= 3, wrong


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__.strip("_"))
def test_the_guess_draws_a_walk(make: Callable[[], Made], tmp_path: Path) -> None:
    name, content, _ = make()
    path = _written(tmp_path, name, content)
    traces = read_log(guess(path), path, None, None, Problems())
    assert all(len(trace.steps) > 1 for trace in traces.values())


def test_the_structure_has_counts_types_and_samples(tmp_path: Path) -> None:
    path = _written(tmp_path, "a.json", {"runs": [{"n": 1}, {"n": 2}, {"n": None}]})
    assert lines_of(structure(path)) == [
        ("(all)", "1", "object of up to 1", ""),
        ("runs", "1", "list of up to 3", ""),
        ("runs[*]", "3", "object of up to 1", ""),
        ("runs[*].n", "3", "number, null", "1 | 2 | None"),
    ]


def test_short_names_of_a_home_made_log_are_known(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    walk = {"no": 7, "zone": "hall", "said": "Walk to the door.", "why": ["ahead", "there"]}
    path.write_text(json.dumps({"runs": [walk | {"track": [[0, 0, 0], [0, 0, -1]]}]}))
    mapping = guess(path)
    assert (mapping.episode.id, mapping.episode.world) == ("no", "zone")
    assert (mapping.episode.instruction, mapping.walk.thoughts) == ("said", "why[*]")
