"""What-ifs of a whole run: kept, counted, tabulated; sampled with a model; read on by the follower."""

from __future__ import annotations

import json
import shutil

import pytest

import navviz
from navviz.analysis.counterfactuals.walking import RepairWalker, walker_of
from navviz.analysis.what_if import kept
from navviz.analysis.what_if.cube import WhatIf
from navviz.analysis.what_if.follower import Followed, follow_on
from navviz.analysis.what_if.kept import what_if_of, what_ifs
from navviz.analysis.what_if.samples import estimate_samples, sample_cells
from navviz.analysis.what_if.tables import (
    CELL_SCHEMA,
    EPISODE_SCHEMA,
    count_what_ifs,
    sentence_of,
)
from navviz.llm.scripted import Scripted
from navviz.runner.budget import Budget
from tests.analysis.counterfactuals.test_groke import WRONG, run_of
from tests.command import invoke
from tests.paths import SAMPLES
from tests.sites import parts_in
from tests.systems.groke.test_navigator import reply

RUNS = SAMPLES / "harbour" / "runs"


@pytest.fixture(scope="module")
def local():
    return navviz.open_run(RUNS / "rules-local")


@pytest.fixture(scope="module")
def every(local):
    return what_ifs(local, every=True)


def test_what_ifs_are_kept_until_a_file_of_the_run_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    folder = shutil.copytree(RUNS / "rules-local", tmp_path / "mine")
    graphs = SAMPLES / "harbour" / "osm" / "graph"
    run = navviz.open_run(folder, graphs=graphs)
    first = what_ifs(run)
    fresh = what_if_of(run, "1")
    with monkeypatch.context() as patched:
        patched.setattr(kept, "cube_of", lambda *_: pytest.fail("walked anew"))
        assert what_ifs(run) == first
        assert what_if_of(run, "7") == first.episodes["7"]
    # an episode that came later joins those that were there
    assert set(what_ifs(run, every=True).episodes) > set(first.episodes)
    assert what_ifs(run, every=True).episodes["1"] == fresh
    trace = folder / "7.trace.jsonl"
    lines = trace.read_text(encoding="utf-8").splitlines(keepends=True)
    trace.write_text("".join(lines[:-2]) + lines[-1], encoding="utf-8")
    monkeypatch.setattr(kept, "cube_of", lambda *_: pytest.fail("walked anew"))
    with pytest.raises(pytest.fail.Exception):
        what_ifs(navviz.open_run(folder, graphs=graphs))


def test_processes_find_what_one_finds(local, every, tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr(kept, "_ALONE", 3)
    assert what_ifs(local, every=True, processes=2) == every


def test_counts_are_none_one_several_and_the_acts_that_agree(every):
    episodes = every.episodes
    counts = count_what_ifs(episodes, {"4": 1, "8": 5, "9": None, "5": 2})
    assert (counts.none, counts.one) == (
        ("5", "6", "7", "10", "12"), ("4", "8", "9", "11", "13"),
    )  # fmt: skip
    assert (counts.failures, counts.several, counts.unstable) == (10, (), 0)
    # 8 is mended in step 2, 9 has an act without a step, and 5 nothing that is proven
    assert (counts.acts, counts.agree) == (2, 1)
    assert counts.fragile["1"] == (4, 5)
    assert set(counts.fragile) == {"1", "2", "3", "14"}


def test_tables_have_declared_columns_and_sentences(local, every):
    table = navviz.what_if(local, every=True)
    assert list(table.columns) == [column.name for column in EPISODE_SCHEMA][1:]
    assert [str(kind) for kind in table.dtypes] == [column.type for column in EPISODE_SCHEMA][1:]
    assert len(table) == 14
    cells = local.what_if(8)
    assert list(cells.columns) == [column.name for column in CELL_SCHEMA]
    one = every.episodes["8"]
    assert isinstance(one, WhatIf)
    mended = cells[cells["success"] & cells["reference"]]
    assert set(mended["step"]) == set(one.decisive) == {2}
    assert sentence_of(one) == "With the reference's link in step 2, rules-local reaches the goal."
    assert sentence_of(every.episodes["1"]) == "4 of 5 other links ruin this success."
    assert sentence_of(every.episodes["10"]).startswith("The reference's link mends no step;")


def test_the_command_prints_what_python_has(every):
    run = str(RUNS / "rules-local")
    result = invoke("whatif", run, "--all", "--format", "json")
    assert result.exit_code == 0, result.output
    rows = {row["episode"]: row for row in json.loads(result.stdout)}
    assert rows["8"]["decisive"] == [2]
    assert {key: row["ne_m"] for key, row in rows.items()} == {
        key: one.ne_m for key, one in every.episodes.items()
    }
    said = invoke("whatif", run)
    assert "10 failures: 5 without a decisive step, 5 with one, 0 with several." in said.stdout
    step = json.loads(invoke("whatif", run, "8", "--step", "2", "--format", "json").stdout)
    assert {row["step"] for row in step} == {2}
    refused = invoke("whatif", run, "--samples", "2")
    assert "name an episode to sample" in refused.output


class TestFollower:
    run = navviz.open_run(RUNS / "groke-by-hand")

    def test_it_reads_on_from_each_step_and_from_the_end(self):
        trace = self.run.trace("3")
        followed = what_if_of(self.run, "3")
        assert isinstance(followed, Followed)
        assert [cell.step for cell in followed.cells] == [*followed.steps, followed.steps[-1] + 1]
        assert [cell.fork for cell in followed.cells[:-1]] == [step.node for step in trace.steps]
        assert followed.until == 5
        assert followed.sentence == (
            "`rules`, reading on from here, still reaches the goal up to step 5."
        )

    def test_it_says_nothing_of_a_success_or_where_it_fails_from_the_start(self):
        successes = [key for key, row in self.run.scores.rows.items() if row["SR"] == 1.0]
        assert follow_on(self.run.trace(successes[0]), self.run.graph(successes[0])).until is None
        lost = follow_on(self.run.trace("9"), self.run.graph("9"))
        assert not lost.cells[0].success
        assert (lost.until, lost.sentence) == (None, None)


def test_a_model_is_sampled_within_its_budget(tmp_path):
    run, asked = run_of(WRONG), []

    def answer(request):
        asked.append(request)
        return reply("e2")

    llm = Scripted(answer, name="scripted")
    navigator, settings, model = walker_of(WRONG, llm)
    walker = RepairWalker(
        navigator=navigator, settings=settings, llm=model, out=tmp_path, name="first"
    )
    estimate = estimate_samples(run, WRONG.episode.id, 3, step=1)
    cells = sample_cells(run, WRONG.episode.id, walker, 3, step=1)
    assert estimate.walks == 3 * len(cells)
    assert {cell.step for cell in cells} == {1}
    assert all(len(cell.walks) == 3 for cell in cells)
    mended = [cell for cell in cells if cell.link == "e1"]
    assert [(cell.success.mean, cell.success.episodes) for cell in mended] == [(1.0, 3)]
    assert sum(cell.is_taken for cell in cells) == 1
    # what was walked is not paid for again
    calls = len(asked)
    assert sample_cells(run, WRONG.episode.id, walker, 3, step=1) == cells
    assert len(asked) == calls
    broke = RepairWalker(
        navigator=navigator, settings=settings, llm=model, out=tmp_path / "poor", name="first",
        budget=Budget(tokens=1),
    )  # fmt: skip
    poor = sample_cells(run, WRONG.episode.id, broke, 1, step=1)
    assert all(cell.broken_off + len(cell.walks) == 1 for cell in poor)


def test_one_file_and_a_site_hold_what_ifs(local, tmp_path):
    assert '"what_if":{"who":"rules-local"' in navviz.replay(local, "8").html()
    navviz.publish({"mine": local}, tmp_path / "site")
    documents: list[dict[str, object]] = []
    for file in sorted((tmp_path / "site").rglob("episodes-*.js")):
        documents += parts_in(file)
    assert len(documents) == len(local)
    assert all("what_if" in document for document in documents)
