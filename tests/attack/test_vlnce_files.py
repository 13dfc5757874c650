"""Hostile files in the forms of VLN-CE: names, texts, numbers and shapes of whatever kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from navviz import open_run
from navviz.errors import InputError
from navviz.views.player.document import replay_document
from tests.formats.vlnce import made

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\x00"
SHAPES: list[Any] = [
    {}, [], {"1": []}, {"1": [[]]}, {"1": [{"position": [1e308, 1e308, 1e308]}] * 3},
    {"1": [{"position": ["1", 2, 3]}]}, {"1": {"locations": [[0, 0, 0]], "actions": [1, 1]}},
    {"1": {"locations": [], "actions": []}}, {"1": {"locations": [[0, 0, 0]], "actions": [None, [], {}, 9**30]}},
    {"1": {"success": {}, "spl": []}}, {"1": {"success": "yes", "spl": "no"}},
    {"episodes": [{"start_position": None, "scene_id": {}, "episode_id": [], "instruction": 3}]},
    {"episodes": {"start_position": 1, "scene_id": 1, "episode_id": 1, "instruction": 1}},
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SHAPES)))
@pytest.mark.parametrize("extra", [False, True])
def test_any_shape_opens_or_is_refused_in_a_sentence(
    tmp_path: Path, number: int, extra: bool
) -> None:
    if extra:
        made.split(tmp_path)
    path = made.write(tmp_path / "predictions.json", SHAPES[number])
    try:
        run = open_run(path)
    except InputError as error:
        said = str(error)
    else:
        for key, trace in run.traces.items():
            replay_document(trace, run.graph(key), metrics=dict(run.scores.rows[key]))
        return
    assert said.startswith(("predictions.json", str(path)))


def test_hostile_names_and_texts_stay_texts(tmp_path: Path) -> None:
    entry = made.episode(1, instruction={"instruction_text": HOSTILE}, scene_id=f"../{HOSTILE}.glb")
    entry["episode_id"] = HOSTILE
    made.write(tmp_path / "val_seen.json", {"episodes": [entry]})
    walk = made.predictions(1)["1"]
    run = open_run(made.write(tmp_path / "predictions.json", {HOSTILE: walk}))
    (key,) = run.traces
    document = replay_document(run.trace(key), run.graph(key))
    assert json.loads(json.dumps(document))["episode"]["instruction"]
    assert "<img" not in run._repr_html_()


def test_a_rank_of_a_billion_is_no_search(tmp_path: Path) -> None:
    made.split(tmp_path)
    path = made.write(tmp_path / "stats_ep_r0_w999999999.json", {"1": made.figures()})
    assert list(open_run(path).traces) == ["1"]
