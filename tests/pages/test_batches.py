"""The Batches page: what its form makes of Explore's list, and what it says of batches on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from navviz.runner.batches import Batch, RunLock, all_batches
from navviz.runner.plan import BatchPlan, BatchState, Estimate, RunTally
from navviz.runner.walking import walk_batch
from navviz.runs.sources import samples
from tests.pages.conftest import ran
from tests.worlds import tiny_episode

OpenPage = Callable[..., AppTest]
EPISODES = [tiny_episode(name) for name in ("1", "2", "3")]


ALONE = pytest.mark.parametrize("page", ["alone"], indirect=True)
"""What does not hang on how the page was reached is looked at once."""


@pytest.fixture
def runs(tmp_path, monkeypatch, opened):
    """The runs of a workspace of the test's own; what a page starts is walked in the page's
    thread.
    """
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setattr(
        Batch, "start", lambda self, **more: walk_batch(self, pilot=more.get("pilot", 0)) and None
    )
    return tmp_path / "workspace" / "runs"


def on_disk(runs: Path, state: BatchState | None, **plan: Any) -> Batch:
    fields = {"run": "b", "navigator": "random-walker", "chosen": "3 episodes of x"} | plan
    batch = Batch(runs, BatchPlan(**fields), EPISODES)
    batch.save()
    if state is not None:
        batch.note(state)
    return batch


def texts(at: AppTest) -> str:
    parts = [*at.markdown, *at.caption, *at.text, *at.warning, *at.info, *at.error]
    return "\n".join(str(part.value) for part in parts)


def test_a_batch_over_the_filtered_episodes(page, runs):
    at = page("live", part="many", run="walks/json", outcome="success")
    assert at.button_group(key="batches_episodes_True_False").options[:2] == ["all 2", "filtered 1"]
    at.selectbox(key="batches_navigator").set_value("regex-heuristic").run()
    ran(at.button(key="batches_start").click())
    [batch] = all_batches(runs)
    assert (batch.plan.navigator, batch.plan.chosen) == (
        "regex-heuristic",
        "1 success of walks/json",
    )
    assert [episode.id for episode in batch.episodes] == ["1"]
    assert batch.plan.compare_with == "walks/json"
    assert at.query_params["batch"] in (batch.name, [batch.name])
    assert "Done" in texts(at)
    [row] = at.dataframe[-1].value.to_dict("records")
    assert (row["Name"], row["State"], row["Done"]) == (batch.name, "done", "1 of 1")


@ALONE
def test_without_a_batch_one_button_walks_the_sample(page, runs):
    at = page("live", part="many", run="walks/json")
    ran(at.button(key="empty_live_button").click())
    [batch] = all_batches(runs)
    assert (batch.plan.navigator, batch.plan.model) == ("rules", None)
    assert batch.plan.chosen == f"{len(batch.episodes)} episodes of {samples()[0].name}"
    assert "Done" in texts(at)


@ALONE
def test_a_sample_is_the_same_for_the_same_seed(page, runs):
    at = page("live", part="many", run="walks/json")
    at.button_group(key="batches_episodes_False_True").set_value("sample").run()
    at.number_input(key="batches_sample").set_value(1).run()
    at.text_input(key="batches_name").set_value("first").run()
    at.selectbox(key="batches_navigator").set_value("random-walker").run()
    at.button(key="batches_start").click().run()
    at.text_input(key="batches_name").set_value("second").run()
    at.button(key="batches_start").click().run()
    drawn = {batch.name: [episode.id for episode in batch.episodes] for batch in all_batches(runs)}
    assert len(drawn["first"]) == 1
    assert drawn["first"] == drawn["second"]
    at.button(key="batches_start").click().run()
    assert "There is a run second already" in texts(at)


@ALONE
def test_a_navigator_with_a_model_is_asked_about_money_first(page, runs):
    at = page("live", part="many", run="walks/json")
    assert at.button(key="batches_start").label == "Start"
    at.selectbox(key="batches_navigator").set_value("groke").run()
    assert at.button(key="batches_start").label == "Estimate the cost"
    at.button(key="batches_start").click().run()
    assert "There is no key" in texts(at)
    assert not all_batches(runs)


@ALONE
def test_an_estimate_is_told_before_the_rest_is_walked(page, runs):
    made = Estimate(
        pilot=3,
        rest=97,
        tokens=9700,
        tokens_low=9000,
        tokens_high=10400,
        usd=3.2,
        usd_low=2.5,
        usd_high=3.9,
        seconds=700,
    )
    tally = RunTally(
        run="b", total=100, done=3, judged=3, successes=2, cost_usd=0.1, tokens=300, calls=6
    )
    on_disk(runs, BatchState(state="estimated", tallies=(tally,), estimate=made), budget_usd=3.0)
    at = page("live", part="many", run="walks/json")
    page_texts = texts(at)
    assert "97 walks will cost about" in page_texts
    assert "3.20" in page_texts
    assert "about 12 min" in page_texts
    assert "more than the budget" in page_texts
    assert at.button(key="batches_go_on").label == "Go on"


def test_a_server_that_restarts_finds_a_batch_that_was_cut_off(page, runs):
    tally = RunTally(run="b", total=3, done=1, judged=1)
    batch = on_disk(runs, BatchState(state="running", tallies=(tally,), updated_s=time.time()))
    at = page("live", part="many", run="walks/json", batch="b")
    assert "Interrupted" in texts(at)
    assert at.button(key="batches_go_on")
    with RunLock(batch.folder):
        at.run()
        assert "Running" in texts(at)
        at.button(key="batches_pause").click().run()
        assert batch.wish() == "pause"
        assert "Pausing" in texts(at)
        at.button(key="batches_stop").click().run()
        assert batch.wish() == "stop"
    assert not at.info
    at.query_params["batch"] = "gone"
    at.run()
    assert at.info[0].value == (
        "The link names a batch that is not here: it was deleted, or it is somebody else's."
        " Below is the newest one."
    )


@ALONE
def test_samples_stand_apart_from_first_tries(page, runs):
    tallies = (
        RunTally(run="b", total=4, done=4, judged=4, successes=1),
        RunTally(run="b-sample-2", kind="sample", total=4, done=4, judged=4, successes=3),
    )
    on_disk(runs, BatchState(state="done", tallies=tallies), samples=2)
    at = page("live", part="many", run="walks/json")
    [rate] = [metric for metric in at.metric if metric.label == "Success rate"]
    assert (rate.value, rate.delta) == ("25.0 %", "of 4 first tries")
    assert "b-sample-2 (a further sample): 4 of 4, success rate 75.0 %" in texts(at)


def test_explore_leads_here_with_its_filters(page, runs):
    at = page("explore", run="walks/json", outcome="success")
    button = at.button(key="explore_run_over")
    assert button.label == "Run over these episodes"
    assert not button.disabled


def test_explore_leads_nowhere_without_episodes(page, runs):
    at = page("explore", run="walks/json", q="no such words")
    assert at.button(key="explore_run_over").disabled


@ALONE
def test_a_name_is_shown_as_it_is_and_an_estimate_stays_told(page, runs):
    made = Estimate(pilot=3, rest=0, tokens=1, tokens_low=1, tokens_high=1, usd=3.2)
    tally = RunTally(run="b", total=3, done=1, judged=1, cost_usd=0.5, tokens=100, calls=2)
    state = BatchState(state="paused", tallies=(tally,), estimate=made)
    on_disk(runs, state, chosen="3 failures of main_test_seen")
    at = page("live", part="many", run="walks/json")
    assert "3 failures of main_test_seen" in texts(at)
    bars = " ".join(str(each.proto.text) for each in at.get("progress"))
    assert "$3.20 estimated after the first 3" in bars
    assert "$0.50" in [metric.value for metric in at.metric]


def test_a_batch_begins_as_its_run_was_walked(page):
    at = page("live", run="harbour/groke-by-hand", part="many")
    assert at.selectbox(key="batches_navigator").value == "rules"
    at.button(key="batches_as_walked").click().run()
    assert at.selectbox(key="batches_navigator").value == "groke"
    assert at.number_input(key="batches_set_groke_retry_limit").value == 4
