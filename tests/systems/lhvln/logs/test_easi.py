"""EASI's runs open and score like their own summary."""

import json
import shutil
from pathlib import Path

import pytest

from navviz import open_run
from navviz.errors import InputError
from navviz.formats import discover, open_episodes, open_results
from navviz.formats.base import Run
from navviz.metrics.score import score_run, score_trace
from navviz.metrics.stages import walk_stages
from navviz.metrics.walked import walked_graph
from navviz.systems.lhvln.logs.easi import logged_summary
from navviz.systems.lhvln.logs.scenes import bare_scene
from tests.systems.lhvln.logs.easi_run import EPISODES, SCENE, SUMMARY, write_run


def _open(run: Path) -> Run:
    return open_results(run, bare_scene)[0]


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path)


def test_it_scores_like_its_summary(run):
    means = score_run(_open(run), bare_scene).means
    for name, value in SUMMARY["base"].items():
        ours = {"contest_score": "contest", "avg_steps": "steps"}.get(name, name)
        if ours != "num_episodes":
            assert means[ours] == pytest.approx(value, abs=6e-5), name


def test_its_summary_is_shown_by_our_names(run):
    (row,) = logged_summary(run)
    assert (row["group"], row["tasks"], row["CSR"], row["contest"]) == ("all", 3, 0.5278, 0.6578)
    (run / "summary.json").write_text('{"base": {"SR": "x"}, "spot": 3}')
    assert logged_summary(run) == []


def test_arrays_may_be_lists_as_well_as_text(tmp_path):
    text, lists = write_run(tmp_path / "a"), write_run(tmp_path / "b", arrays_as_text=False)
    assert score_run(_open(text), bare_scene).means == score_run(_open(lists), bare_scene).means


def test_traces_hold_episode_poses_calls_and_stages(run):
    opened = _open(run)
    assert opened.details["model"] == "scripted-model"
    assert opened.details["summary"] == SUMMARY
    trace = opened.traces["a1"]
    assert trace.episode.instruction == "Visit 2 things in order"
    assert trace.episode.world == f"hm3d:{SCENE}"
    assert [task.region for task in trace.episode.tasks] == [
        "Region 0: Kitchen",
        "Region 1: Bedroom",
    ]
    assert trace.header.pose_source is not None
    assert "headings counted" in trace.header.pose_source
    assert [step.heading_deg for step in trace.steps[:7]] == [0, 0, 0, 0, 0, 330, 330]
    assert trace.header.poses[trace.episode.start] == (1.0, 2.0, 0.2)
    first, second = trace.steps[0], trace.steps[1]
    assert first.calls[0].thoughts == "A corridor at step 1.\n\nThe door lies ahead.\n\nGo on."
    assert second.calls == ()
    assert [row[0] for row in second.panels[0].data["rows"]] == ["done", "now", ""]
    assert trace.end is not None
    assert trace.end.status == "done"


def test_an_episode_cut_at_500_steps_has_its_rest_not_attempted(run):
    trace = _open(run).traces["b2"]
    assert trace.end is not None
    assert trace.end.status == "limit"
    stages = walk_stages(trace, walked_graph(trace, bare_scene(trace.episode.world)))
    assert [stage.status() for stage in stages] == ["reached", "cut off: 4.0 m", "not attempted"]
    assert [stage.moves for stage in stages] == [100, 400, None]
    assert stages[0].note == "as logged"
    scores = score_trace(trace, bare_scene(trace.episode.world))
    assert scores["stops"] == 2
    assert scores["CSR"] == pytest.approx(1 / 3)


def test_null_replies_are_steps_without_a_call(run):
    trace = _open(run).traces["c3"]
    assert trace.calls == ()
    assert len(trace.steps) == sum(EPISODES["c3"]["steps"])


def test_an_error_logged_twice_counts_once(run):
    path = run / "episodes" / "000_a1" / "trajectory.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[-1]["info"] |= {
        "subtask_successes": "[1, 1, 0]",
        "subtask_oracle_successes": "[1, 1, 0]",
        "subtask_nav_errors": "[0.5, 0.8, 7.0]",
        "subtask_nav_steps": "[50, 60, 0]",
        "gt_steps": "[40, 60, 30]",
        "gt_paths": "[6.0, 9.0, 7.0]",
    }
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    opened = _open(run)
    assert any("logged twice" in str(problem) for problem in opened.problems.kept)
    end = opened.traces["a1"].end
    assert end is not None
    assert [stage.error_m for stage in end.stages] == [0.5, 0.8, None]


def test_an_unreachable_target_is_named(run):
    path = run / "episodes" / "002_c3" / "trajectory.jsonl"
    path.write_text(path.read_text().replace("[3.0, 0.6]", "[Infinity, 0.6]"))
    opened = _open(run)
    assert any("could not be reached" in str(problem) for problem in opened.problems.kept)
    scores = score_trace(opened.traces["c3"], bare_scene("hm3d:x"))
    assert scores["TAR"] == pytest.approx(0.5)
    assert scores["NE"] == pytest.approx(0.6)


def test_bad_episodes_are_reported_and_the_others_shown(run):
    (run / "episodes" / "000_a1" / "trajectory.jsonl").write_text(
        '{"step": 0, "type": "reset", "agent_pose": [0]}\n'
    )
    broken = run / "episodes" / "001_b2" / "trajectory.jsonl"
    broken.write_text("\n".join(broken.read_text().splitlines()[:20]) + '\n{"step": 2')
    opened = _open(run)
    assert set(opened.traces) == {"b2", "c3"}
    result = " ".join(str(problem) for problem in opened.problems.kept)
    assert "000_a1/trajectory.jsonl, episode a1: holds no reset with steps after it" in result
    assert "001_b2/trajectory.jsonl:21, episode b2: is no whole JSON line" in result
    end = opened.traces["b2"].end
    assert end is not None
    assert end.status == "unknown"
    # nobody saw how it went on: that is no failure
    assert score_trace(opened.traces["b2"], bare_scene("hm3d:x"))["SR"] is None


def test_a_run_without_an_episodes_file_still_opens(run):
    (run.parent / "val.jsonl").unlink()
    opened = _open(run)
    assert [len(trace.episode.tasks) for trace in opened.traces.values()] == [2, 3, 2]
    assert any("not in an episodes file" in str(problem) for problem in opened.problems.kept)


def test_the_split_reads_as_episodes(run):
    path = run.parent / "val.jsonl"
    with path.open("a") as file:
        file.write('{"id": "d4"}\n')
    episodes = open_episodes(path)
    assert list(episodes.episodes) == ["a1", "b2", "c3"]
    assert episodes.episodes["b2"].extra["gt_step"] == [50, 60, 70]
    assert episodes.episodes["b2"].split == "val"
    assert "lacks instruction, objects, regions, scene" in str(episodes.problems.kept[0])
    assert discover(run.parent).results == (run,)


def test_nothing_readable_is_one_sentence(run):
    for path in run.glob("episodes/*/trajectory.jsonl"):
        path.write_text(path.read_text().splitlines()[0] + "\n")
    with pytest.raises(InputError, match="holds no episode that can be read"):
        _open(run)


def test_actions_of_other_names_are_named(run):
    file = next(run.glob("episodes/*_a1/trajectory.jsonl"))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"move_forward"', '"MoveAhead"'), encoding="utf-8")
    said = [str(problem) for problem in _open(run).problems.kept]
    count = text.count('"move_forward"')
    named = [sentence for sentence in said if "such as MoveAhead" in sentence]
    assert len(named) == 1
    assert f"{count} actions are none of move_forward, turn_left" in named[0]
    assert "they count as no turn and no stop" in named[0]


def test_lines_that_are_lost_or_repeated_are_named(run):
    """Headings are counted from the turns, so that one lost line makes all later ones wrong."""
    first, second, third = sorted(run.glob("episodes/*/trajectory.jsonl"))
    for path, change in ((first, "null\n"), (second, ""), (third, None)):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        lines[3] = lines[2] if change is None else change
        path.write_text("".join(lines), encoding="utf-8")
    shutil.copytree(first.parent, first.parent.with_name("009_a1"))
    said = [str(problem) for problem in open_run(run).problems.kept]
    look = "look for lines that are missing or repeated; later headings may be wrong."
    for place, name, step in (("000_a1", "a1", 4), ("001_b2", "b2", 4), ("002_c3", "c3", 2)):
        where = f"{place}/trajectory.jsonl, episode {name}, field step"
        assert f"{where}: step {step} stands where step 3 is due; {look}" in said
    assert (
        "000_a1/trajectory.jsonl:4, episode a1: is no JSON object; the other lines are read."
        in said
    )
    assert "009_a1, episode a1: is there twice; keep one; the last one is shown." in said


def test_a_log_that_breaks_off_is_no_failure(run):
    first = min(run.glob("episodes/*/trajectory.jsonl"))
    lines = first.read_text(encoding="utf-8").splitlines(keepends=True)
    first.write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    opened = open_run(run)
    row = opened.scores.rows["a1"]
    assert {row[name] for name in ("SR", "OSR", "SPL", "NE", "ISR", "CSR", "contest")} == {None}
    assert opened.table()["outcome"].iloc[0] == "unknown"
    # the run's own means are those of the other two, for whom their logs say all
    alone = {name: opened.scores.rows[name]["NE"] for name in ("b2", "c3")}
    assert opened.scores.means["NE"] == pytest.approx(sum(alone.values()) / 2)
    stages = walk_stages(opened.trace("a1"), opened.graph("a1"))
    assert [stage.success() for stage in stages] == [None, None]
    assert stages[-1].status() == "under way"
