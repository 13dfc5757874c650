"""Details, reordered instructions and NavNuances annotations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results
from navviz.records import Episode
from navviz.systems.skillnav.nuances import nuance_of
from tests.grids import house

R2R = [{"scan": "house", "path_id": 7, "path": ["a", "b", "c"], "heading": 0.5, "distance": 4.0,
        "instructions": ["Turn left after the sofa.", "Go on."]}]  # fmt: skip
EPISODE = Episode(
    id="7_0", dataset="R2R", instruction="Go.", world="house", start="a", path_id="7", goal="c"
)


@pytest.fixture
def graph():
    """a - b - c in a row, 2 m apart."""
    return house({"a": (0, 0, 1.5), "b": (0, 2, 1.5), "c": (0, 4, 1.5)}, "abc")


def details(folder: Path, trajectory: list, stops: dict[str, float]) -> Path:
    path = folder / "detail_val.json"
    values = {node: {"stop_prob": prob} for node, prob in stops.items()}
    path.write_text(json.dumps([{"instr_id": "7_0", "trajectory": trajectory, "details": values}]))
    return path


def test_details_show_stop_probabilities_and_the_walk_back(tmp_path, graph):
    path = details(tmp_path, [["a"], ["b"], [], ["c"], ["b", "a"]], {"a": 0.9, "b": 0.1, "c": 0.5})
    (run,) = open_results(path, graph, {"7_0": EPISODE})
    trace = run.traces["7_0"]
    assert trace.path == ("a", "b", "c", "b", "a")
    assert trace.steps[-1].path == ("c", "b", "a")
    assert trace.steps[-1].decision.stop
    assert "Went back to the best stop (0.90 there, 0.50 here)" in trace.steps[-1].decision.reason
    stayed = [step for step in trace.steps if not step.path or len(set(step.path)) == 1]
    assert stayed, "an empty segment is a step without movement"


def test_a_last_segment_is_no_walk_back_unless_the_probabilities_say_so(tmp_path, graph):
    path = details(tmp_path, [["a"], ["b"], ["a"]], {"a": 0.2, "b": 0.6})
    (run,) = open_results(path, graph, {"7_0": EPISODE})
    assert all("Went back" not in (step.decision.reason or "") for step in run.traces["7_0"].steps)


def test_flat_trajectories_with_details_are_read(tmp_path, graph):
    path = details(tmp_path, [["a", 0.1, 0.0], ["b", 0.2, 0.0]], {"a": 0.2, "b": 0.6})
    (run,) = open_results(path, graph, {"7_0": EPISODE})
    assert run.traces["7_0"].path == ("a", "b")


def test_reordered_instructions_keep_the_original(tmp_path):
    (tmp_path / "R2R_val.json").write_text(json.dumps(R2R))
    path = tmp_path / "orders.json"
    path.write_text(json.dumps({"7_0": "Go past the sofa. Turn left.", "9_9": "Lost."}))
    found = open_episodes(path)
    assert list(found.episodes) == ["7_0"]
    assert found.episodes["7_0"].instruction == "Go past the sofa. Turn left."
    assert found.episodes["7_0"].extra["original_instruction"] == "Turn left after the sofa."
    assert [problem.episode for problem in found.problems.kept] == ["9_9"]


def test_reordered_r2r_files_find_their_originals_beside(tmp_path):
    (tmp_path / "R2R_val.json").write_text(json.dumps(R2R))
    path = tmp_path / "R2R_val_reordered.json"
    path.write_text(
        json.dumps([R2R[0] | {"instructions": ["Pass the sofa. Turn left.", "Go on."]}])
    )
    found = open_episodes(path).episodes["7_0"]
    assert found.instruction == "Pass the sofa. Turn left."
    assert found.extra["original_instruction"] == "Turn left after the sofa."
    assert (
        "original_instruction" not in open_episodes(tmp_path / "R2R_val.json").episodes["7_0"].extra
    )


def test_reordered_texts_without_their_split_say_what_is_missing(tmp_path):
    path = tmp_path / "orders.json"
    path.write_text(json.dumps({"7_0": "Go."}))
    with pytest.raises(InputError, match="put the R2R split"):
        open_episodes(path)


@pytest.mark.parametrize(
    ("name", "fields", "kind"),
    [
        ("R2R_DC.json", {"gt_vp": ["a", "b"], "vp_neg": ["a", "c"]}, "DC"),
        ("mine.json", {"obj_center": [0.0, 1.0, 0.5]}, "LR"),
        ("mine.json", {"valid_ends": ["c"]}, "RR"),
        ("mine.json", {"set_paths": {"1-2": [["a", "b"]]}}, "NU"),
        ("R2R_VM.json", {"has_both_dir": True}, "VM"),
    ],
)
def test_annotations_of_each_class_are_kept(tmp_path, name, fields, kind):
    path = tmp_path / name
    path.write_text(
        json.dumps([R2R[0] | {"path_id": "x-path-1", "instruction_template": "turn left"} | fields])
    )
    found = open_episodes(path)
    episode = found.episodes["x-path-1_0"]
    nuance = nuance_of(episode)
    assert (nuance.kind, nuance.template) == (kind, "turn left")
    assert episode.dataset == "NavNuances"
    (field,) = list(fields)[:1]
    assert (
        getattr(nuance, field)
        == nuance.model_validate({"kind": kind, field: fields[field]}).model_dump()[field]
    )


def test_an_annotation_that_does_not_fit_is_named(tmp_path):
    path = tmp_path / "R2R_NU.json"
    path.write_text(json.dumps([R2R[0] | {"set_paths": [1, 2]}]))
    found = open_episodes(path)
    assert [(p.episode, p.field) for p in found.problems.kept] == [
        ("7_0", "set_paths"),
        ("7_1", "set_paths"),
    ]
    assert nuance_of(found.episodes["7_0"]) is None


@pytest.mark.parametrize("name", ["R2R_DC.json", "R2R_RR.json", "mine.json"])
def test_the_fields_of_an_annotation_tell_its_class_and_not_the_name_of_its_file(name, tmp_path):
    entry = {
        "scan": "house", "path_id": 7, "path": ["a", "b"], "heading": 0.0, "instructions": ["Go."],
    }  # fmt: skip
    (tmp_path / name).write_text(json.dumps([entry | {"gt_vp": ["a", "b"], "vp_neg": ["a", "c"]}]))
    (episode,) = open_episodes(tmp_path / name).episodes.values()
    assert (episode.split, nuance_of(episode).kind) == ("DC", "DC")
