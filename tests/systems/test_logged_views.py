"""Pictures that logs of other projects name: what the agent saw before each action."""

from __future__ import annotations

import json
from pathlib import Path

from navviz.errors import Problems
from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.runs.opened import open_run
from navviz.systems.lhvln.logs.trials import motions_of, read_record, reckoned, with_views
from navviz.systems.skillnav.logs.router_log import StepRecord, views_of
from tests.observations.pictures.seen_runs import paint
from tests.systems.lhvln.logs.easi_run import write_run


def _trial(folder: Path) -> Path:
    trial = folder / "2/kettle to table/success/trial_1"
    names = (
        "-1_stop_for_kettle",
        "0_move_forward_for_kettle",
        "1_turn_left_for_kettle",
        "1_stop_for_kettle",
        "2_move_forward_for_table",
    )
    for name in names:
        for side in ("left", "front", "right"):
            paint(trial / name / f"{side}.png")
    return trial


def test_a_trial_shows_the_folder_before_each_motion(tmp_path):
    batch = tmp_path / "task/batch_6"
    trial = _trial(batch)
    record = read_record(trial, "e", Problems())
    poses = reckoned(record, {}, [], "e", Problems())
    motions = with_views(*motions_of(record, poses), record, trial)
    assert [motion.action for motion in motions] == ["move_forward", "turn_left", "move_forward"]
    folders = [Path(motion.views[1].source).parent.name for motion in motions]
    assert folders == ["-1_stop_for_kettle", "0_move_forward_for_kettle", "1_stop_for_kettle"]
    left, front, right = motions[2].views
    assert (left.label, front.label, right.label) == ("left", "front", "right")
    # the agent has turned left by 30 degrees; its side cameras look 60 degrees to each side
    assert [(view.heading_deg - front.heading_deg) % 360 for view in (left, right)] == [300.0, 60.0]
    # the batch is opened, or a folder of the data set above it
    for root in (batch, tmp_path / "task", tmp_path):
        walk = PictureFolders((root,))
        assert walk.named(front.source) == trial / "1_stop_for_kettle/front.png"
    assert not Path(front.source).is_relative_to(tmp_path.name), "the machine's own folder"


def test_a_trial_without_pictures_has_no_views(tmp_path):
    trial = tmp_path / "trial_1"
    for name in ("-1_stop_for_a", "0_move_forward_for_a"):
        (trial / name).mkdir(parents=True)
    record = read_record(trial, "e", Problems())
    poses = reckoned(record, {}, [], "e", Problems())
    assert [motion.views for motion in with_views(*motions_of(record, poses), record, trial)] == [
        ()
    ]


def test_easi_names_a_picture_a_step_by_the_path_of_its_own_machine(tmp_path):
    run = write_run(tmp_path)
    place = run / "episodes/000_a1"
    lines = [json.loads(line) for line in (place / "trajectory.jsonl").read_text().splitlines()]
    for number, line in enumerate(lines):
        name = f"rgb/{number:04d}.png"
        line["rgb_path"] = f"/data/them/{run.name}/episodes/000_a1/{name}" if number % 2 else name
    (place / "trajectory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    paint(place / "rgb/0000.png")
    paint(place / "rgb/0001.png")
    trace = open_run(run).trace("a1")
    pictures = WalkPictures(PictureFolders((run,)), trace)
    # what the reset showed is what the first action was chosen by
    found = [pictures.of_step(trace.steps[k], k)[0].files[0] for k in range(3)]
    assert [file and file.path.name for file in found] == ["0000.png", "0001.png", None]


def test_skillnav_names_what_the_localiser_was_given():
    record = StepRecord(1, {"previous_viewpoints": ["img/a.jpg", "img/b.jpg", 7]})
    assert [(view.source, view.label) for view in views_of(record)] == [
        ("img/b.jpg", "here"),
        ("img/a.jpg", "1 before"),
    ]
    assert views_of(StepRecord(1, {})) == ()
