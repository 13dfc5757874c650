"""Repair where the user is: Live walks it at once without a model, and asks before with one."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

import navviz
from navviz.analysis.counterfactuals.report import RepairReport
from navviz.analysis.counterfactuals.trials import Offer, offer_for
from navviz.records import Trace
from navviz.records.trace_files import read_trace
from navviz.runs.opened import OPEN_VARIABLE, OpenRun, workspace_dir
from navviz.ui.data.finding import cause_findings
from navviz.ui.data.repair_batches import repair_batches
from navviz.ui.live import repairing
from navviz.ui.state.session import ForkPoint, RepairWish
from tests.fake_servers import FakeOpenAI
from tests.pages.conftest import ran, stop_live_runs
from tests.pages.test_live import texts
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"


@pytest.fixture(autouse=True)
def _no_run_outlives_its_test(monkeypatch):
    monkeypatch.setattr(repairing, "_AT_ONCE_S", 120.0)  # a busy machine takes its time
    yield
    stop_live_runs()


def _open(name: str, monkeypatch: pytest.MonkeyPatch) -> OpenRun:
    graphs, results = HARBOUR / "osm" / "graph", HARBOUR / "runs" / name
    opened = {"graphs": str(graphs), "results": str(results)}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
    return navviz.open_run(results, graphs=graphs)


def _press_r(at: AppTest, run: OpenRun, episode: str) -> Offer:
    """Note the repair as the player's key does."""
    offer = offer_for(run.trace(episode), run.graph(episode))
    assert offer is not None
    live = at.session_state["navviz"].live
    wish = RepairWish(offer.plan, offer.words)
    live.fork = ForkPoint(run.name, episode, offer.plan.step, repair=wish)
    live.repairs_next = True
    ran(at)
    return offer


def _walked() -> list[Trace]:
    return [read_trace(path) for path in sorted((workspace_dir() / "live").glob("*/*.jsonl"))]


def test_without_a_model_the_key_walks_at_once_and_the_result_stands_beside(page, monkeypatch):
    run = _open("rules-local", monkeypatch)
    at = page("live", run=run.name, episode="8")
    offer = _press_r(at, run, "8")
    [walk] = _walked()
    origin = walk.header.forked_from
    assert origin is not None
    assert (origin.run, origin.step, origin.repair) == ("rules-local", offer.plan.step, offer.plan)
    assert "46 m from the goal before, 0 m now." in texts(at)
    assert "no success → success" in texts(at)
    assert "Before: rules-local." in texts(at)
    at.run()
    assert len(_walked()) == 1, "another run of the script walks nothing"
    at.button(key="live_repair_start").click().run()
    assert len(_walked()) == 2
    at.button(key="live_fork_leave").click().run()
    assert "Repair from step" not in texts(at)


def test_with_a_model_the_form_with_the_estimate_comes_first(page, monkeypatch):
    run = _open("groke-by-hand", monkeypatch)
    repaired = [key for key in run.traces if offer_for(run.trace(key), run.graph(key)) is not None]
    at = page("live", run=run.name, episode=repaired[0])
    offer = _press_r(at, run, repaired[0])
    steps = [step for step in run.trace(repaired[0]).steps if step.index >= offer.plan.step]
    calls = sum(len(step.calls) for step in steps)
    assert f"From step {offer.plan.step} on it took {calls} call" in texts(at)
    assert not _walked()
    with FakeOpenAI([]) as server:
        at.selectbox(key="live_vendor").set_value(at.selectbox(key="live_vendor").options[2]).run()
        at.text_input(key="live_url").set_value(server.url).run()
        at.text_input(key="live_server_model").set_value("another").run()
        at.button(key="live_repair_start").click().run()
        assert "a repair asks the same model" in texts(at)
        assert not server.requests
    assert not _walked()


def _repair_all(at: AppTest) -> RepairReport:
    """Press the button of Explore and wait for the report, however busy the machine is."""
    for finding in list(cause_findings()._by_run.values()):
        assert finding.ended.wait(60)
    ran(at)
    ran(at.button(key="explore_repair_start").click())
    [batch] = repair_batches()._by_key.values()
    assert batch.ended.wait(120)
    assert batch.report is not None, batch.fault
    at.run()
    return batch.report


def test_all_failures_of_a_cause_are_repaired_in_explore(page, monkeypatch, tmp_path):
    run = _open("rules-local", monkeypatch)
    at = page("explore", run=run.name, cause="none-found")
    report = _repair_all(at)
    expected = navviz.repair(run, kind="take_link", out=tmp_path)
    [theirs] = [row for row in expected.rows if row.cause is None]
    [row] = report.rows
    assert (row.chosen, row.repaired, row.chance) == (theirs.chosen, theirs.repaired, theirs.chance)
    assert f"no explanation found: {row.sentence}." in texts(at)
    table = next(frame.value for frame in at.dataframe if "net of placebo" in frame.value)
    assert table["n"].tolist() == [row.chosen]
    again = page("explore", run=run.name)
    assert "no explanation found: the right link" not in texts(again), "it is that cause's report"


def test_a_link_only_shows_the_walk(page, monkeypatch):
    run = _open("rules-local", monkeypatch)
    at = page("live", run=run.name, episode="8", fork_repair="1", repair="1", repairs_next="1")
    assert "Repair from step" not in texts(at)
    assert not _walked()
