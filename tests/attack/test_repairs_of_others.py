"""A batch of repairs needs the right to start batches, and belongs to who pressed the button."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import navviz
from navviz.analysis.causes.counting import explain_run
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.counterfactuals.trials import RepairPlans, plan_repairs
from navviz.analysis.counterfactuals.walking import run_navigator, run_walker
from navviz.errors import NavVizError
from navviz.runs.opened import OPEN_VARIABLE, OpenRun
from navviz.runs.owners import Ownership, owner_of
from navviz.ui.components.walked_again import begin_again
from navviz.ui.data.repair_batches import RepairBatches, _name, repairs_of_plans
from tests.attack.conftest import OpenAs, Serve
from tests.attack.reading import buttons, everything
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"
ANN = Ownership(owner="annotator:ann", payer="annotator:ann")


@pytest.fixture
def run(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> OpenRun:
    graphs, results = HARBOUR / "osm" / "graph", HARBOUR / "runs" / "rules-local"
    opened = {"graphs": str(graphs), "results": str(results)}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
    return navviz.open_run(results, graphs=graphs)


def _plans(run: OpenRun, explained: dict[str, EpisodeCauses]) -> RepairPlans:
    navigator, _ = run_navigator(run)
    return plan_repairs(run, navigator, explained, kind="take_link", limit=1)


def test_without_the_right_there_is_no_button_and_the_action_refuses(
    run: OpenRun, serve: Serve, visit: OpenAs, workspace: Path
) -> None:
    serve(allow={"models"})
    at = visit(
        "bob", "explore", run=run.name, cause="none-found", explore_repair_start="1", repair="1"
    )
    assert "explore_repair_start" not in buttons(at)
    again = repairs_of_plans(run, None, _plans(run, explain_run(run)))
    with pytest.raises(NavVizError, match="may not walk many episodes"):
        begin_again(run, again, None, None, episodes=1, samples=3)
    assert not (workspace / "runs").exists()


def test_a_link_starts_nothing_for_who_has_the_right(
    run: OpenRun, serve: Serve, visit: OpenAs, workspace: Path
) -> None:
    serve(allow={"batches"})
    at = visit(
        "bob", "explore", run=run.name, cause="none-found", explore_repair_start="true", repair="1"
    )
    assert "explore_repair_start" in buttons(at)
    assert not (workspace / "runs").exists()


def test_repairs_belong_to_who_started_them(
    run: OpenRun, serve: Serve, visit: OpenAs, workspace: Path
) -> None:
    serve(allow={"batches"})
    batches = RepairBatches()
    navigator, _ = run_navigator(run)
    walker = run_walker(run)
    batch = batches.start(
        run, repairs_of_plans(run, None, _plans(run, explain_run(run))), walker, ANN
    )
    assert batch.ended.wait(120)
    assert batch.report is not None, batch.fault
    assert navigator.name == batch.report.navigator
    folders = sorted((workspace / "runs").iterdir())
    assert {owner_of(folder) for folder in folders} == {"annotator:ann"}
    assert batches.get(run, None, "annotator:bob") is None
    assert batches.get(run, None, "") is None
    at = visit("bob", "explore", run=run.name)
    assert folders[0].name not in everything(at)
    at = visit("bob", "replay", run=folders[0].name)
    assert any("no run named" in warning.value for warning in at.warning)


def test_runs_of_one_long_name_share_no_walks() -> None:
    """Two uploads of one name differ in their last letters alone: the finished repairs of the first
    stood as those of the second.
    """
    file = "predictions-of-our-agent-on-the-unseen-split-third-seed.json"
    runs = [f"{file}~{number:016x}" for number in range(2)] + ["walks/json", "walks-json"]
    owners = ["", "annotator:ann", "annotator:bob"]
    names = {_name(run, owner) for run in runs for owner in owners}
    assert len(names) == len(runs) * len(owners)
    assert "walks-json" in names, "what an operator has begun goes on"
