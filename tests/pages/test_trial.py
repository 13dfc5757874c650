"""*Try this edit on many*: the rule of an edit, the batch it becomes, and the paired result."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from navviz.runner.batches import Batch, all_batches
from navviz.runner.walking import walk_batch
from tests.pages.conftest import OpenPage, ran


@pytest.fixture
def runs(tmp_path, monkeypatch, opened):
    """The runs of a workspace of the test's own; what a page starts is walked at once, in this
    thread: two episodes are no work for processes.
    """
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setattr(Batch, "start", walk_here)
    return tmp_path / "workspace" / "runs"


def walk_here(batch: Batch, **more: int) -> None:
    """Walk a batch in the thread that starts it."""
    batch.plan = batch.plan.model_copy(update={"workers": 1})
    walk_batch(batch, pilot=more.get("pilot", 0))


def texts(at: AppTest) -> str:
    found = [*at.text, *at.caption, *at.markdown, *at.error]
    return " ".join(str(element.value) for element in found)


def opened_trial(page: OpenPage, text: str, **query: str) -> AppTest:
    at = page("live", run="walks/json", episode="2", **query)
    at.text_area[0].set_value(text).run()
    ran(at.toggle(key="live_trial_open").set_value(True))
    return at


def test_a_word_that_was_replaced_is_the_rule_and_comes_back_as_pairs(page, runs):
    at = page("live", run="walks/json", episode="2")
    text = str(at.text_area[0].value)
    at = opened_trial(page, text.replace("light", "lamp"))
    [old] = [box for box in at.text_input if box.key and box.key.startswith("live_trial_old")]
    [new] = [box for box in at.text_input if box.key and box.key.startswith("live_trial_new")]
    assert (old.value, new.value) == ("light", "lamp")
    at.button_group(key="live_trial_episodes_False_True").set_value("all").run()
    assert "rules walks the unedited texts too" in texts(at)
    ran(at.button(key="live_trial_start").click())
    edited, plain = sorted(all_batches(runs), key=lambda batch: len(batch.plan.edits), reverse=True)
    assert edited.plan.edits == ("replace:light=>lamp",)
    assert edited.plan.baseline == plain.name
    assert all("lamp" in episode.instruction for episode in edited.episodes)
    assert all("lamp" not in episode.instruction for episode in plain.episodes)
    assert "McNemar's exact test" in texts(at)
    assert {metric.label for metric in at.metric} >= {"Before", "With the edit", "Change", "Pairs"}
    pairs = next(metric for metric in at.metric if metric.label == "Pairs")
    assert pairs.value == "2"


def test_episodes_without_the_word_are_named_and_not_walked(page, runs):
    at = opened_trial(page, "Something else altogether.")
    assert "several places" in texts(at) or "Words" in [box.label for box in at.text_input]
    [old] = [box for box in at.text_input if box.key and box.key.startswith("live_trial_old")]
    old.set_value("zebra").run()
    at.button_group(key="live_trial_episodes_False_True").set_value("all").run()
    assert "0 of" in texts(at)
    assert "other 2 are not walked" in texts(at)
    assert at.button(key="live_trial_start").disabled
    assert not all_batches(runs)


def test_nothing_edited_is_nothing_to_try(page, runs):
    at = page("live", run="walks/json", episode="2")
    at.toggle(key="live_trial_open").set_value(True).run()
    assert "Nothing is edited yet" in texts(at)
    assert at.button(key="live_trial_start").disabled


def test_a_link_to_a_trial_that_is_none_says_so(page, runs):
    for name in ("gone", "../..", "."):
        at = page("live", run="walks/json", episode="2", trial=name)
        assert not at.exception
        assert "Trial:" not in texts(at)
        assert [info.value for info in at.info if "trial" in info.value] == [
            "The link names a trial that is not here: it was deleted, or it is somebody else's."
        ]
