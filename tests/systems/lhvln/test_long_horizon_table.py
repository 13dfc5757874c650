"""LH-VLN's tables by group."""

import pytest

from navviz.formats import open_results
from navviz.formats.base import Run
from navviz.runs.opened import open_run
from navviz.systems.lhvln.logs.scenes import bare_scene
from navviz.systems.lhvln.long_horizon_table import (
    FIGURES,
    long_horizon_table,
    published_step_tasks,
    published_table,
)
from tests.paths import SAMPLES
from tests.systems.lhvln.logs.easi_run import SUMMARY, write_run


def test_an_easi_run_by_sub_tasks_and_robot(tmp_path):
    run = open_results(write_run(tmp_path), bare_scene)[0]
    table = long_horizon_table(run, bare_scene).set_index("group")
    assert list(table.index) == ["all", "2 sub-tasks", "3 sub-tasks", "spot", "stretch"]
    assert list(table["tasks"]) == [3, 2, 1, 2, 1]
    assert table.loc["all", "sub_tasks"] == 7
    for name in ("SR", "OSR", "SPL", "NE", "ISR", "CSR", "CGT", "TAR"):
        assert table.loc["all", name] == pytest.approx(SUMMARY["base"][name], abs=6e-5)
    assert table.loc["stretch", "CSR"] == pytest.approx(0.25)


def test_step_tasks_are_a_group_of_their_own(tmp_path):
    run = open_results(write_run(tmp_path), bare_scene)[0]
    trace = run.traces["a1"]
    short = trace.episode.model_copy(
        update={"tasks": trace.episode.tasks[:1], "extra": {"group": "step tasks"}}
    )
    header = trace.header.model_copy(update={"episode": short})
    traces = {"a1": trace, "s1": trace.model_copy(update={"header": header})}
    table = long_horizon_table(Run("r", "easi", None, traces, run.problems, run.source), bare_scene)
    assert list(table["group"]) == ["all", "2 sub-tasks", "step tasks"]


def test_samples_have_groups_and_other_runs_have_none():
    run = open_run(SAMPLES / "house" / "runs" / "mgdm-scripted", graphs=SAMPLES / "house")
    moves, metres = (
        long_horizon_table(run.run, run.graph_of, lengths=unit) for unit in ("moves", "metres")
    )
    assert run.has_tasks
    assert list(moves["group"]) == ["all", "2 sub-tasks", "3 sub-tasks"]
    assert moves["CGT"].iloc[0] != metres["CGT"].iloc[0]
    plain = open_run(SAMPLES / "house" / "runs" / "rules-indoors", graphs=SAMPLES / "house")
    assert not plain.has_tasks
    assert len(long_horizon_table(plain.run, plain.graph_of)) == 0


def test_the_papers_figures_are_fractions_and_metres():
    table = published_table()
    best = table[(table["system"] == "MGDM Vicuna two-stage") & (table["group"] == "3-4")].iloc[0]
    assert (best["NE"], best["ISR"], best["CGT"]) == pytest.approx((8.78, 0.0513, 0.06))
    assert len(table) == 30
    steps = published_step_tasks().set_index("system")
    assert steps.loc["MGDM", ["OSR", "NE"]].tolist() == pytest.approx([0.2692, 1.70])
    assert set(FIGURES) >= {"ISR", "ISR_paper", "CSR", "CGT", "TAR", "contest"}
