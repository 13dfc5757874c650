"""VLN-CE: episodes, the expert's walks, predictions, and figures as their evaluators wrote them."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from navviz import open_run
from navviz.errors import InputError
from navviz.formats import format_of, open_episodes
from navviz.formats.vlnce import scan_of
from navviz.records import Episode
from tests.command import invoke
from tests.formats.vlnce import made

PREDICTED = made.predictions()


def test_an_episode_stands_in_our_frame(tmp_path: Path) -> None:
    found = open_episodes(made.split(tmp_path)).episodes["2"]
    assert (found.dataset, found.split, found.world) == ("R2R-CE", "val_seen", made.SCAN)
    assert (found.path_id, found.instruction) == ("42", "Go ahead, number 2.")
    assert found.places[found.start] == (0.0, 0.0, 0.5)
    assert found.places[found.reference_path[-1]] == (0.0, 4.0, 0.5)
    assert found.places[str(found.goal)] == (0.0, 4.0, 0.5)
    assert (found.start_heading_deg, found.success_radius_m) == (0.0, 3.0)


def test_rxr_has_languages_and_needs_no_goal(tmp_path: Path) -> None:
    fields = {
        "instruction_text": "Geh los.", "instruction_id": "77", "language": "hi-IN",
        "timed_instruction": [{"word": "Geh"}],
    }  # fmt: skip
    entry = made.episode(1, instruction=fields, episode_id="1a")
    bare = {key: value for key, value in entry.items() if key not in {"goals", "reference_path"}}
    path = made.write(tmp_path / "test_challenge_guide.json", {"episodes": [bare]})
    found = open_episodes(path).episodes["1a"]
    assert (found.dataset, found.language, found.goal) == ("RxR-CE", "hi-IN", None)
    assert found.extra["instruction_id"] == "77"
    lines = {"instruction_id": 77, "path": [[0, 0.5, 0], [0, 0.5, -1]]}
    run = open_run(made.write(tmp_path / "predictions.jsonl", lines))
    assert run.trace("1a").path == ("pose 0", "pose 1")


@pytest.mark.parametrize(
    ("scene", "scan"),
    [
        ("mp3d/a1/a1.glb", "a1"), ("data/scene_datasets/mp3d/a1/a1.glb", "a1"),
        ("C:\\mp3d\\a1\\a1.glb", "a1"), ("hm3d/val/00800-x/x.basis.glb", "x"), ("a1", "a1"),
    ],
)  # fmt: skip
def test_a_scene_names_its_scan(scene: str, scan: str) -> None:
    assert scan_of(scene) == scan


def test_what_is_no_episode_is_named_and_the_rest_shown(tmp_path: Path) -> None:
    wrong = [made.episode(1), made.episode(2, start_position=[0, "x", 1]), 7, made.episode(1)]
    found = open_episodes(made.write(tmp_path / "val_seen.json", {"episodes": wrong}))
    assert list(found.episodes) == ["1"]
    texts = [str(problem) for problem in found.problems.kept]
    assert "number 2, field start_position: is no position of three numbers" in texts[0]
    assert "the smallest file is" in texts[0]
    assert "episode 1: is there twice" in texts[2]


def test_the_expert_walks_by_its_actions(tmp_path: Path) -> None:
    made.split(tmp_path)
    walk = made.expert()
    walk["actions"] = [2, 3, *walk["actions"]]
    path = made.write(tmp_path / "val_seen_gt.json.gz", {"1": walk, "2": made.expert()})
    run = open_run(path)
    trace = run.trace("1")
    actions = [step.decision.action for step in trace.steps if step.decision]
    assert actions == ["turn_left", "turn_right", *["move_forward"] * 16, "stop"]
    assert [step.heading_deg for step in trace.steps][:3] == [0.0, 345.0, 0.0]
    assert trace.steps[0].path == ()
    row = run.scores.rows["1"]
    assert (row["TL"], row["SR_est"], row["NE_est"]) == (4.0, 1.0, 0.0)
    assert row["nDTW_dense"] == 1.0
    assert row["SPL_est"] == 1.0
    assert (row["SR"], row["NE"], row["nDTW"]) == (None, None, None)
    assert run.divergence("1").kind == "none"


def test_a_ground_truth_by_another_name_is_missed_aloud(tmp_path: Path) -> None:
    """Also where the episodes were found beside the predictions."""
    made.split(tmp_path)
    made.write(tmp_path / "expert.json", {"1": made.expert(), "2": made.expert()})
    run = open_run(made.write(tmp_path / "predictions.json", PREDICTED))
    assert run.scores.rows["1"]["nDTW_dense"] is None
    said = (
        "expert.json: holds the expert's walks, which are looked for as val_seen_gt.json.gz or"
        " val_seen_gt.json; give it that name; without them nDTW to the whole walk is missing."
    )
    assert [str(problem) for problem in run.problems.kept] == [said]
    (tmp_path / "expert.json").rename(tmp_path / "val_seen_gt.json")
    run = open_run(tmp_path / "predictions.json")
    assert run.scores.rows["1"]["nDTW_dense"] is not None
    assert not run.problems.count


def test_a_prediction_is_a_walk_with_turns(tmp_path: Path) -> None:
    made.split(tmp_path)
    run = open_run(made.write(tmp_path / "predictions.json", PREDICTED))
    trace = run.trace("1")
    actions = [step.decision.action for step in trace.steps if step.decision]
    assert actions == ["turn_left", "move_forward", "stop"]
    assert trace.steps[1].heading_deg == pytest.approx(345.0)
    assert run.scores.rows["1"]["NE_est"] == pytest.approx(1.5)
    assert run.scores.means["SR"] is None
    assert str(run.table()["outcome"].iloc[0]) == "unknown"


def test_predictions_alone_draw_their_own_ground(tmp_path: Path) -> None:
    run = open_run(made.write(tmp_path / "predictions.json", PREDICTED))
    assert run.trace("1").episode.instruction == ""
    assert len(run.graph("1")) == 2
    assert any("no open file knows" in str(problem) for problem in run.problems.kept)


def test_figures_are_as_recorded(tmp_path: Path) -> None:
    made.split(tmp_path, 3)
    fields = {
        "1": made.figures(),
        "2": made.figures(0.0),
        "3": {**made.figures(), "spl": float("nan")},
    }
    run = open_run(made.write(tmp_path / "stats_ep_ckpt_val_seen.json", fields))
    means = run.scores.means
    assert (means["SR_rec"], means["NE_rec"], means["nDTW_rec"]) == (
        pytest.approx(2 / 3),
        1.5,
        0.25,
    )
    assert (means["SPL_rec"], run.scores.counts["SPL_rec"]) == (0.5, 2)
    assert (means["SR"], means["TL"], means["steps"]) == (None, None, None)
    assert list(run.table()["outcome"]) == ["success", "failure", "success"]
    assert run.table(all=True)["steps"].isna().all()


def test_recorded_figures_show_what_there_is_and_say_why_the_rest_is_empty(tmp_path: Path) -> None:
    made.split(tmp_path, 3)
    figures = {str(k): made.figures(float(k == 1)) for k in range(1, 4)}
    path = made.write(tmp_path / "stats_ep_ckpt_0_val_seen_r0_w1.json", figures)
    given = (str(path), "--episodes", str(tmp_path / "val_seen.json.gz"))
    document = json.loads(invoke("score", *given, "--format", "json").stdout)
    assert document["SR_rec"] == pytest.approx(1 / 3)
    assert document["counts"]["SR_rec"] == 3
    assert "SR" not in document
    assert all(document["counts"].values()), "no n 0"
    assert "SR, OSR" in document["left_out"]
    assert document["left_out"].endswith("without the walks that they are measured on")
    lines = invoke("score", *given).stdout.splitlines()
    assert lines[2].split()[:2] == ["NE_rec", "1.50"]
    assert lines[-1] == document["left_out"]
    assert not any(line.split()[1:3] == ["–", "0"] for line in lines)
    columns = invoke("table", *given, "--format", "csv").stdout.splitlines()[0]
    assert "SR_rec" in columns
    assert ",SR " not in columns
    compared = json.loads(invoke("compare", str(path), *given, "--format", "json").stdout)
    assert set(compared["means"]) == {"SR_rec", "NE_rec", "SPL_rec", "nDTW_rec"}


def test_ranks_and_chunks_are_one_run(tmp_path: Path) -> None:
    made.split(tmp_path, 3)
    for rank, name in enumerate(("1", "2")):
        made.write(tmp_path / f"stats_ep_ckpt_0_val_r{rank}_w3.json", {name: made.figures()})
    made.write(tmp_path / "stats_ckpt_0_val.json", {"success": 0.5, "spl": 0.5})
    run = open_run(tmp_path / "stats_ep_ckpt_0_val_r1_w3.json")
    assert list(run.traces) == ["1", "2"]
    texts = [str(problem) for problem in run.problems.kept]
    assert any("1 of its parts are not there" in text for text in texts)
    assert any("the mean of success is 1, the file of means says 0.5" in text for text in texts)
    for chunk in range(2):
        made.write(tmp_path / f"val_2-{chunk}.json", {str(chunk + 1): made.figures()})
    assert list(open_run(tmp_path / "val_2-0.json").traces) == ["1", "2"]


def test_packed_parts_and_links_that_lead_out(tmp_path: Path) -> None:
    made.split(tmp_path / "here", 3)
    first = made.write(tmp_path / "here" / "stats_ep_r0_w3.json.gz", {"1": made.figures()})
    made.write(tmp_path / "here" / "stats_ep_r1_w3.json.gz", {"2": made.figures()})
    away = made.write(tmp_path / "away.json.gz", {"3": made.figures()})
    (tmp_path / "here" / "stats_ep_r2_w3.json.gz").symlink_to(away)
    run = open_run(first)
    assert {trace.header.run for trace in run.traces.values()} == {"stats_ep"}
    assert list(run.traces) == ["1", "2"]
    assert any("1 of its parts are not there" in str(each) for each in run.problems.kept)


def test_the_means_of_internnav_lie_beside(tmp_path: Path) -> None:
    line = {"scene_id": made.SCAN, "episode_id": 1, "success": 1.0, "spl": 0.5, "ne": 1.0}
    line["episode_instruction"] = "Go on."
    path = made.write(tmp_path / "progress.json", line)
    made.write(tmp_path / "result.json", {"SR": 1.0, "SPL": 0.75, "NE": 1.0, "length": 1})
    said = [str(problem) for problem in open_run(path).problems.kept]
    assert len(said) == 1
    assert "the mean of spl is 0.5, the file of means says 0.75" in said[0]


def test_lines_keep_the_last_of_an_episode_and_the_line_of_means(tmp_path: Path) -> None:
    line = {"scene_id": made.SCAN, "episode_id": 1, "success": 0.0, "spl": 0.0, "os": 0.0, "ne": 9.0,
            "steps": 4, "episode_instruction": "Go there."}  # fmt: skip
    lines = [
        line,
        {**line, "episode_id": 2, "ne": float("inf")},
        {**line, "success": 1.0, "ne": 1.0},
    ]
    text = "\n".join(map(json.dumps, [*lines, {"sucs_all": 0.5, "spls_all": 0.0, "length": 2}]))
    path = tmp_path / "progress.json"
    path.write_text(text, encoding="utf-8")
    run = open_run(path)
    assert list(run.traces) == ["1", "2"]
    assert [run.scores.rows[key]["SR_rec"] for key in ("1", "2")] == [1.0, 0.0]
    assert run.scores.rows["2"]["NE_rec"] is None
    assert run.trace("1").episode.instruction == "Go there."
    assert run.graph("1").name == made.SCAN
    assert [problem.what for problem in run.problems.kept] == [
        "1 of 3 values are no finite numbers",
        "1 entries repeat an episode",
    ]


def test_a_folder_of_one_file_an_episode(tmp_path: Path) -> None:
    made.split(tmp_path)
    for name in ("1", "2"):
        value = {**made.figures(), "id": name}
        made.write(tmp_path / "log" / f"stats_{name}.json", value)
    assert list(open_run(tmp_path / "log").traces) == ["1", "2"]


def test_figures_without_their_episodes_say_what_to_open(tmp_path: Path) -> None:
    path = made.write(tmp_path / "stats.json", {"1": made.figures()})
    with pytest.raises(InputError, match="open their episode file with it"):
        open_run(path)


def test_a_broken_walk_says_what_a_walk_looks_like(tmp_path: Path) -> None:
    fields = {"1": [{"position": [0, 0, 0]}, {"position": None}]}
    with pytest.raises(InputError, match=r"the smallest file is \{"):
        open_run(made.write(tmp_path / "predictions.json", fields))


def test_lists_of_r2r_stay_with_their_reader(tmp_path: Path) -> None:
    results = [{"instr_id": "1_0", "trajectory": [["a", 0.0, 0.0]]}]
    assert format_of("results", made.write(tmp_path / "r.json", results)) == "R2R results"
    lines = made.write(tmp_path / "p.jsonl", {"instruction_id": 1, "path": ["a", "b"]})
    assert format_of("results", lines) == "R2R results"


def test_an_episode_may_be_given_by_positions() -> None:
    made_up = Episode(
        id="1", dataset="mine", instruction="", start=(0, 1, 2), goal=(3, 4, 5),
        reference_path=[(0, 1, 2), "a"],
    )  # fmt: skip
    assert (made_up.start, made_up.goal, made_up.reference_path) == (
        "pose 0", "goal", ("reference 1", "a"),
    )  # fmt: skip
    assert made_up.places == {
        "pose 0": (0, 1, 2), "goal": (3, 4, 5), "reference 1": (0, 1, 2),
    }  # fmt: skip


# --- real data


@pytest.mark.data
def test_the_published_figures_come_out(data_dir: Path) -> None:
    run = open_run(
        data_dir / "vlnce" / "results" / "vlnbert_stats_ep_ckpt_0_val_seen_r0_w1.json",
        graphs=data_dir / "mp3d_all" / "connectivity",
    )
    means = run.scores.means
    stated = {"SR_rec": 0.4974, "SPL_rec": 0.4372, "NE_rec": 5.0196, "nDTW_rec": 0.5766}
    assert {name: round(means[name] or 0, 4) for name in stated} == stated
    assert len(run) == 778
    assert not run.problems.count


@pytest.mark.data
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.nightly)])
def test_the_expert_reaches_its_goals_and_follows_itself(
    data_dir: Path, tmp_path: Path, every: int
) -> None:
    published = data_dir / "vlnce" / "val_seen"
    with gzip.open(published / "val_seen_gt.json.gz", "rt") as file:
        walks = json.load(file)
    chosen = {key: walks[key] for key in list(walks)[::every]}
    with gzip.open(tmp_path / "val_seen_gt.json.gz", "wt") as file:
        json.dump(chosen, file)
    shutil.copy(published / "val_seen.json.gz", tmp_path)
    run = open_run(tmp_path / "val_seen_gt.json.gz", graphs=data_dir / "mp3d_all" / "connectivity")
    means, counts = run.scores.means, run.scores.counts
    assert (means["SR_est"], means["nDTW_dense"]) == (1.0, 1.0)
    assert counts["nDTW_dense"] == len(chosen) > 100
    assert {divergence.kind for divergence in run.divergences.values()} == {"none"}
