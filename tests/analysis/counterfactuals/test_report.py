"""The report over a run: counts equal a hand count, and a second call walks nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import navviz
from navviz.analysis.counterfactuals.report import report_of
from navviz.analysis.counterfactuals.trials import RepairPlans, Trial
from navviz.analysis.counterfactuals.walking import Result
from navviz.records import RepairPlan
from navviz.views.figures.repair_figure import ARM_MARKS
from tests.paths import SAMPLES

LINK = RepairPlan(kind="take_link", step=1, parameters={"node": "a", "to": "b"})
LINE = RepairPlan(kind="replace_plan_line", step=1, parameters={"sub_goal": 0, "line": "x"})


def _report(ends, trials, *, deterministic=False, unchanged=""):
    plans = RepairPlans(tuple(trials), len(trials), 0, 0)
    walker = SimpleNamespace(navigator=SimpleNamespace(name="toy"), deterministic=deterministic)
    results = {}
    for arm, signs in ends.items():
        results[arm] = {}
        for key, sign in zip("abcdef", signs, strict=True):
            if sign != " ":
                results[arm][key] = Result(
                    {"+": True, "-": False}.get(sign), changed=key not in unchanged
                )
    return report_of("run", plans, results, walker)


def test_counts_are_those_of_a_hand_count():
    trials = [Trial(key, "ambiguous", "Two ways", LINK, LINK) for key in "abcd"]
    trials += [Trial(key, "plan", "Plan", LINE, None) for key in "ef"]
    # e was broken off, d has no placebo
    ends = {"repair": "+++-?+", "chance": "-----+", "placebo": "+--   "}
    report = _report(ends, trials)
    link, line = report.rows
    assert link.sentence == (
        "the right link once 3 of 4 succeed; 0 of 4 by chance; 1 of 3 another link at another step"
    )
    assert link.over_chance.interval.mean == pytest.approx(0.75)
    # McNemar: three gained, none lost
    assert link.over_chance.p == pytest.approx(0.25)
    assert link.over_placebo.interval.episodes == 3
    assert link.over_placebo.interval.mean == pytest.approx(2 / 3)
    assert (line.chosen, line.repaired.episodes, line.placebo) == (2, 1, None)
    assert line.over_chance.interval.mean == 0.0
    assert report.open == 1
    # what the printed p refuses, the interval leaves out
    assert link.over_chance.interval.low < 0.0 < link.over_chance.interval.high


def test_only_placebos_that_changed_the_walk_are_a_control():
    trials = [Trial(key, "ambiguous", "Two ways", LINK, LINK) for key in "abcd"]
    ends = {"repair": "+++-  ", "chance": "----  ", "placebo": "+---  "}
    (row,) = _report(ends, trials, deterministic=True, unchanged="bc").rows
    assert (row.placebos, row.placebos_changed) == (4, 2)
    assert (row.placebo.mean, row.placebo.episodes) == (0.5, 2)
    assert (row.over_placebo.interval.mean, row.over_placebo.interval.episodes) == (0.0, 2)
    assert row.over_chance is None, "without a model the same walk again is no control"
    assert row.sentence.endswith("(2 more placebos did not change the walk and are left out)")
    report = _report(ends, trials, deterministic=True, unchanged="abcd")
    assert report.rows[0].sentence.endswith("; no control is possible here")
    cells = report.table().iloc[0]
    assert cells["placebos that changed the walk"] == "0 of 4"
    assert cells["net of chance"] == cells["net of placebo"] == "no control is possible here"
    assert "must be 0 and is no control" in report.note
    assert "over the 0 of 4 that changed the walk" in report.note


def test_causes_of_one_kind_get_a_row_for_all():
    trials = [Trial("a", "x", "X", LINK, None), Trial("b", None, "no cause found", LINK, None)]
    report = _report({"repair": "+-    ", "chance": "--    ", "placebo": "      "}, trials)
    assert [row.name for row in report.rows] == ["X", "no cause found", "all causes"]
    assert report.rows[-1].repaired.episodes == 2


def test_a_run_without_a_model_is_repaired_and_not_walked_twice(tmp_path):
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    report = navviz.repair(run, kind="take_link", limit=3, out=tmp_path)
    assert report.deterministic
    assert report.plans.trials
    chance, placebos = report.results["chance"], report.results["placebo"]
    assert not any(result.success or result.changed for result in chance.values())
    assert placebos
    assert all(result.changed for result in placebos.values())
    # its own run.json says on which map it was walked
    assert navviz.open_run(tmp_path / "rules-local-repair").source.folder_problems == ()
    files = sorted(tmp_path.rglob("*.trace.jsonl"))
    before = [(file, file.stat().st_mtime_ns) for file in files]
    again = navviz.repair(run, kind="take_link", limit=3, out=tmp_path)
    assert again.rows == report.rows
    assert [(file, file.stat().st_mtime_ns) for file in files] == before


def test_the_figure_holds_every_count_and_its_marks_differ_in_shape():
    trials = [Trial(key, "x", "Loop & <back>", LINK, LINK) for key in "abcd"]
    trials += [Trial(key, "y", "Plan", LINE, None) for key in "ef"]
    report = _report(
        {"repair": "+++-++", "chance": "-----+", "placebo": "+--- "[:4] + "  "}, trials
    )
    text = report.figure("svg").decode()
    for count in ("3/4", "0/4", "1/4", "2/2", "1/2"):
        assert f">{count}<" in text
    for name in ("repaired", "chance", "placebo", "Loop &amp; &lt;back&gt;:"):
        assert name in text
    assert report.figure("svg") == report.figure("svg")
    assert len({(mark.marker, mark.filled) for mark in ARM_MARKS}) == len(ARM_MARKS)
    assert len({mark.marker for mark in ARM_MARKS}) == len(ARM_MARKS)
