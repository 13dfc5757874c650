"""Explore's findings of what-ifs: decisive steps counted, a row filters the list, successes by fragility;
Replay brings what is quickly worked out, and asks for the rest.
"""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

import navviz
from navviz.analysis.what_if.kept import what_ifs
from navviz.analysis.what_if.samples import estimate_samples
from navviz.records.trace_files import unfold
from navviz.runs.opened import OPEN_VARIABLE, workspace_dir
from navviz.runs.sources import workspace_runs
from navviz.ui.data import finding
from navviz.ui.data.repair_batches import repair_batches
from tests.fake_servers import Answer, FakeOpenAI, Recorded
from tests.pages.conftest import OpenPage, ran
from tests.pages.listed import columns, listed
from tests.pages.test_live import texts
from tests.paths import SAMPLES


def _asked(page: OpenPage, name: str) -> AppTest:
    """The view, once somebody has asked and all is worked out."""
    at = page("explore", run=name)
    for one in finding.cause_findings()._by_run.values():
        assert one.ended.wait(60)
    at = at.run()
    assert "other links ruin" not in _notes(at), "nothing is walked before somebody asks"
    at.button(key="explore_what_if_begin").click().run()
    for one in finding.what_ifs_of()._by_run.values():
        assert one.ended.wait(120)
    return at.run()


def _notes(at: AppTest) -> str:
    """What stands below the list of findings, with the list."""
    [drawn] = [str(p.proto) for p in at.get("bidi_component") if "explore_found" in p.proto.id]
    return unescape(drawn.replace("\\", ""))


def test_rows_count_decisive_steps_and_filter_the_list(page):
    at = _asked(page, "harbour/rules-local")
    captions = _notes(at)
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    counts = finding.what_if_counts(run, what_ifs(run, every=True))
    assert f"In {counts.agree} of {counts.acts} failures the step that missed the act" in captions
    ruining = sum(ruin for ruin, _ in counts.fragile.values())
    assert f"{ruining} of 22 other links ruin one of 4 successes" in captions
    one = page("explore", run="harbour/rules-local", feature="what if: one")
    assert tuple(listed(one)["episode"]) == counts.one
    assert columns(one)["feature"]["labels"] == {"what if: one": "one decisive step"}


def test_of_a_run_that_asked_a_model_the_follower_speaks(page):
    captions = _notes(_asked(page, "harbour/groke-by-hand"))
    assert "`rules` reads on from each step: of 4 it says" in captions
    assert "never the agent's mistake" in captions
    assert "One step decides" not in captions


def _stays(request: Recorded) -> Answer:
    """A model that stops where it stands."""
    here = re.search(
        r'current_position.{0,9}: ..?.?node_id.{0,5}: .?"(\w+)', json.dumps(request.body)
    )
    assert here is not None
    return Answer(json.dumps({"subplan_status": "IN_PROGRESS", "next_place": here[1]}))


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """A run that asked a fake server, and the server."""
    harbour = SAMPLES / "harbour"
    recorded = navviz.open_run(harbour / "runs" / "groke-by-hand").trace("3")
    with FakeOpenAI(_stays) as server:
        header = recorded.header.model_copy(
            update={"model": f"openai:m@{server.url}", "run": "mine"}
        )
        events = unfold(recorded.model_copy(update={"header": header}))
        folder = tmp_path / "mine"
        folder.mkdir()
        text = "".join(event.model_dump_json(exclude_none=True) + "\n" for event in events)
        (folder / "3.trace.jsonl").write_text(text, encoding="utf-8")
        opened = {"graphs": str(harbour / "osm" / "graph"), "results": str(folder)}
        monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
        yield navviz.open_run(folder, graphs=harbour / "osm" / "graph"), server


def _opened(page: OpenPage, step: int = 0, samples: int = 3) -> AppTest:
    """Open the part anew, as a click on its head does: AppTest forgets what is open."""
    at = page("replay", run="mine", episode="3")
    at.session_state["replay_links"] = True
    ran(at)
    at.selectbox(key="replay_links_step").set_value(step).run()
    return ran(at.number_input(key="replay_links_samples").set_value(samples))


def test_links_of_a_walk_that_asked_a_model_are_sampled_after_an_estimate(page, asked):
    run, server = asked
    at = _opened(page, 3, 2)
    estimate = estimate_samples(run, "3", 2, 3)
    assert (
        f"{estimate.walks} walks: {estimate.calls} calls and {estimate.tokens:,} tokens"
        in texts(at)
    )
    assert not server.requests, "nothing is asked before somebody presses"
    ran(at.button(key="replay_links_start").click())
    [batch] = repair_batches()._by_key.values()
    assert batch.ended.wait(120)
    assert batch.fault is None
    at = _opened(page, 3, 2)
    table = next(frame.value for frame in at.dataframe if "fork" in frame.value)
    assert table["link"].tolist() == [cell.link for cell in batch.report]
    # one link a place ahead of which the model stops: each of two walks ends alike
    assert {text[-2:] for text in table["success"].str.split("(").str[0].str.strip()} == {" 2"}
    paid = len(server.requests)
    assert paid >= batch.total
    assert batch.done == batch.total == estimate.walks
    # walks of samples are no runs of their own in a list
    assert workspace_runs() == []
    assert [path.name for path in (workspace_dir() / "runs").iterdir()] == ["mine-what-if"]
    ran(at.button(key="replay_links_start").click())
    [batch] = repair_batches()._by_key.values()
    assert batch.ended.wait(120)
    assert len(server.requests) == paid, "what was walked is not paid for again"


def test_a_budget_ends_the_samples(page, asked):
    _, server = asked
    at = _opened(page)
    at.number_input(key="live_budget_tokens").set_value(1).run()
    ran(at.button(key="replay_links_start").click())
    [batch] = repair_batches()._by_key.values()
    assert batch.ended.wait(120)
    assert "Some walks were broken off" in texts(_opened(page))
    assert len(server.requests) == 1
