"""The first ten seconds: a newcomer sees a failure at the step that left the route."""

import pytest

from navviz.analysis.act_counts import act_slugs
from navviz.analysis.causes.counting import explained_run
from navviz.records.trace_files import read_trace
from navviz.runs.opened import load
from navviz.runs.sources import samples
from navviz.ui.components import empty
from tests.paths import ROOT


def test_the_first_look_is_a_wrong_turn_at_its_step_among_the_failures():
    place = empty.first_look()
    assert place is not None
    run = load(samples()[0])
    assert place["run"] == run.name
    divergence = run.divergence(place["episode"])
    assert (divergence.kind, str(divergence.step)) == ("wrong turn", place["step"])
    calls = run.traces[place["episode"]].steps[int(place["step"]) - 1].calls
    assert calls[0].thoughts
    assert (place["outcome"], place["sort"]) == ("failure", "-NE")


def test_the_sample_run_fails_in_each_way_and_says_that_no_model_was_asked():
    run = load(samples()[0])
    assert set(act_slugs(explained_run(run)).values()) == {
        None,
        "broke-off",
        "did-not-stop",
        "stopped-early",
        "two-ways",
        "went-on",
    }
    for trace in run.traces.values():
        assert trace.header.model == "scripted:written-by-hand"
        for call in trace.calls:
            assert call.thoughts
            assert call.usage is not None
            assert call.seconds is None


@pytest.mark.parametrize("episode", ["7", "13"])
def test_the_recording_script_writes_the_committed_run(episode, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "assets" / "samples" / "build"))
    import record_groke

    trace = record_groke.recorded(episode)
    committed = read_trace(
        ROOT / "assets/samples/harbour/runs/groke-by-hand" / f"{episode}.trace.jsonl"
    )
    assert trace == committed


def test_annotate_says_what_it_is_for_and_tries_the_sample_on_one_click(page):
    at = page("annotate")
    assert any("What this page is for" in text.value for text in at.markdown)
    at.button(key="annotate_sample").click().run()
    assert not at.exception, at.exception[0].message
    assert at.selectbox(key="annotate_queue_box").value == "sample: why did it fail?"
    assert not at.error


def test_evaluate_loads_the_sample_on_one_click(page):
    at = page("study", part="agreement")
    assert any("Nobody has rated anything yet" in text.value for text in at.markdown)
    assert not at.info, "it is said once"
    at.button(key="evaluate_sample").click().run()
    assert not at.exception, at.exception[0].message
    assert any("all of them invented" in message.value for message in at.success)
    assert {metric.label: metric.value for metric in at.metric}["Annotators"] == "3"
    assert not [button for button in at.button if button.key == "evaluate_sample"]
