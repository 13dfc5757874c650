"""What other writers of VLN-CE's forms write otherwise: read as it is meant, or named."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from navviz.formats import open_episodes
from navviz.runs.opened import open_run
from navviz.runs.run import OpenRun
from tests.formats.vlnce import made

HALF = math.sqrt(0.5)


def _opened(folder: Path, name: str, content: Any) -> OpenRun:
    split = made.split(folder)
    path = made.write(folder / name, content)
    return open_run(path, episodes=split)


def _said(run: OpenRun) -> list[str]:
    return [str(problem) for problem in run.problems.kept]


def _changed(**fields: Any) -> dict[str, Any]:
    """Predictions whose entries are changed: by a value, or by a function of the entry."""
    walks: dict[str, Any] = {}
    for key, walk in made.predictions().items():
        walks[key] = [
            entry | {name: make(entry) for name, make in fields.items()} for entry in walk
        ]
    return walks


@pytest.mark.parametrize("yes", [True, 1, 1.0, "True", "true", "1"])
def test_a_stop_is_a_stop_however_it_is_written(tmp_path: Path, yes: object) -> None:
    no: object = str(not yes) if isinstance(yes, str) and len(yes) > 1 else type(yes)(0)
    walks = _changed(stop=lambda entry: yes if entry["stop"] else no)
    run = _opened(tmp_path, "predictions.json", walks)
    assert run.scores.means["SR_est"] == 1.0
    assert not _said(run)


def test_without_a_word_of_stops_no_success_is_estimated(tmp_path: Path) -> None:
    walk = [
        {"position": entry["position"], "heading": entry["heading"]}
        for entry in made.predictions()["1"]
    ]
    walks = {"1": walk, "2": walk}
    run = _opened(tmp_path, "predictions.json", walks)
    assert run.scores.means["SR_est"] is None
    assert run.scores.means["NE_est"] == pytest.approx(1.5)
    assert _said(run) == [
        (
            "predictions.json, field [*].stop: 2 walks do not say whether the agent stopped; no success"
            " is estimated for them."
        )
    ]


def test_an_agent_that_never_stops_fails(tmp_path: Path) -> None:
    run = _opened(tmp_path, "predictions.json", _changed(stop=lambda _: False))
    assert run.scores.means["SR_est"] == 0.0


def test_headings_in_degrees_are_read_so_and_named(tmp_path: Path) -> None:
    plain = _opened(tmp_path / "a", "predictions.json", made.predictions())
    degrees = _changed(heading=lambda entry: math.degrees(entry["heading"]))
    run = _opened(tmp_path / "b", "predictions.json", degrees)
    due = [step.heading_deg for step in plain.trace("1").steps]
    assert [step.heading_deg for step in run.trace("1").steps] == pytest.approx(due)
    assert "read as degrees" in _said(run)[0]


def test_walks_of_another_frame_are_named(tmp_path: Path) -> None:
    # z up, as the Matterport3D simulator has it, 10 m from the axes so that it shows
    walks = _changed(position=lambda entry: [entry["position"][0], 10.0, entry["position"][1]])
    run = _opened(tmp_path, "predictions.json", walks)
    assert "2 of 2 walks start elsewhere than their episodes" in _said(run)[0]


@pytest.mark.parametrize("form", ["with the start", "without it", "without the stop's"])
def test_an_expert_with_a_location_for_each_action(tmp_path: Path, form: str) -> None:
    walk = made.expert()
    walk["actions"] = [2, 1, 3, *walk["actions"][1:]]
    places, at = [walk["locations"][0]], 0
    for action in walk["actions"]:
        at += action == 1
        places.append(walk["locations"][at])
    first = 1 if form == "without it" else 0
    last = -1 if form == "without the stop's" else None
    changed = walk | {"locations": places[first:last]}
    plain = _opened(tmp_path / "a", "val_seen_gt.json", {"1": walk, "2": walk})
    run = _opened(tmp_path / "b", "val_seen_gt.json", {"1": changed, "2": changed})
    assert run.trace("1").steps == plain.trace("1").steps
    assert run.scores.means["TL"] == pytest.approx(4.0)


def test_an_expert_whose_actions_have_other_names(tmp_path: Path) -> None:
    names = ("stop", "forward", "left", "right")
    walk = made.expert()
    changed = walk | {"actions": [names[action] for action in walk["actions"]]}
    run = _opened(tmp_path, "val_seen_gt.json", {"1": changed})
    assert run.scores.means["TL"] == pytest.approx(4.0)


def test_an_expert_whose_locations_do_not_fit_its_actions_is_named(tmp_path: Path) -> None:
    walk = made.expert()
    broken = walk | {"locations": walk["locations"] + [[0.0, 0.5, -9.0]] * 3}
    run = _opened(tmp_path, "val_seen_gt.json", {"1": broken, "2": walk})
    assert list(run.traces) == ["2"]
    assert "16 moves need 17 positions, and it has 20" in _said(run)[0]


def test_figures_in_percent_and_as_texts(tmp_path: Path) -> None:
    figures = {"1": made.figures(), "2": made.figures(0.0)}
    plain = _opened(tmp_path / "a", "stats_ep_ckpt_1_val_seen_r0_w1.json", figures)
    other = {
        key: {**each, "success": 100 * each["success"], "spl": str(each["spl"])}
        for key, each in figures.items()
    }
    run = _opened(tmp_path / "b", "stats_ep_ckpt_1_val_seen_r0_w1.json", other)
    assert run.scores.means == plain.scores.means
    assert _said(run) == [
        (
            "stats_ep_ckpt_1_val_seen_r0_w1.json, field success: values up to 100 where a fraction is"
            " due; all of this figure are read as percent."
        )
    ]


def test_figures_that_are_no_numbers_are_counted(tmp_path: Path) -> None:
    figures = {"1": {**made.figures(), "spl": math.nan}, "2": {**made.figures(), "spl": [0.5]}}
    run = _opened(tmp_path, "stats_ep_ckpt_1_val_seen_r0_w1.json", figures)
    assert run.scores.means["SPL_rec"] is None
    assert "field spl: 2 of 2 values are no finite numbers" in _said(run)[0]


ROTATIONS = {
    "x, y, z, w": ([0.0, HALF, 0.0, HALF], 270.0, ""),
    "its negative": ([0.0, -HALF, 0.0, -HALF], 270.0, ""),
    "w first": ([HALF, 0.0, HALF, 0.0], 270.0, ""),
    "texts": (["0", "0.7", "0", "0.7"], 270.0, ""),
    "words": (["left"] * 4, None, "is no rotation of four numbers in 1 of 1 episodes"),
    "nothing": ([None] * 4, None, "is no rotation of four numbers in 1 of 1 episodes"),
    "a roll": ([0.5, 0.5, 0.5, 0.5], None, "turns about another axis than the upright one in 1"),
}


@pytest.mark.parametrize("form", ROTATIONS)
def test_rotations(tmp_path: Path, form: str) -> None:
    rotation, heading_deg, said = ROTATIONS[form]
    episodes = [made.episode(1, start_rotation=rotation)]
    read = open_episodes(made.write(tmp_path / "val_seen.json", {"episodes": episodes}))
    start = read.episodes["1"].start_heading_deg
    assert start == (None if heading_deg is None else pytest.approx(heading_deg))
    assert [said in str(problem) for problem in read.problems.kept] == ([True] if said else [])


def test_what_is_no_position_is_counted(tmp_path: Path) -> None:
    broken = made.episode(1, reference_path=[[None, 0, 0]], goals=[{"position": [1, 2]}])
    path = made.write(tmp_path / "val_seen.json", {"episodes": [broken, made.episode(2)]})
    (tmp_path / "val_seen_gt.json").write_text("{no JSON", encoding="utf-8")
    said = [str(problem) for problem in open_episodes(path).problems.kept]
    assert len(said) == 3
    assert "the episodes are shown without the expert's walks" in said[0]
    assert "reference_path: holds something that is no position in 1 of 2 episodes" in said[1]
    assert "goals: holds something that is no position in 1 of 2 episodes" in said[2]
