"""The first ten seconds: a newcomer sees a failure at the step that left the route."""

from __future__ import annotations

import pytest

from navviz.records.trace_files import read_trace
from navviz.runs.opened import load
from navviz.runs.sources import samples
from navviz.ui import welcome
from tests.paths import ROOT


def test_the_first_look_is_a_wrong_turn_at_its_step_among_the_failures() -> None:
    place = welcome.first_look()
    assert place is not None
    run = load(samples()[0])
    assert place["run"] == run.name
    divergence = run.divergence(place["episode"])
    assert (divergence.kind, str(divergence.step)) == ("wrong turn", place["step"])
    calls = run.traces[place["episode"]].steps[int(place["step"]) - 1].calls
    assert calls[0].thoughts
    assert (place["outcome"], place["sort"]) == ("failure", "-NE")


def test_the_sample_run_fails_in_each_way_and_says_that_no_model_was_asked() -> None:
    run = load(samples()[0])
    assert set(run.table()["failure"].dropna()) == {
        "wrong turn",
        "overshoot",
        "undershoot",
        "gave up",
        "illegal decision",
    }
    for trace in run.traces.values():
        assert trace.header.model == "scripted:written-by-hand"
        for call in trace.calls:
            assert call.thoughts
            assert call.usage is not None
            assert call.seconds is None


@pytest.mark.parametrize("episode", ["7", "13"])
def test_the_recording_script_writes_the_committed_run(episode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "assets" / "samples" / "build"))
    import record_groke

    trace = record_groke.recorded(episode)
    committed = read_trace(ROOT / "assets/samples/harbour/runs/groke-by-hand" / f"{episode}.trace.jsonl")
    assert trace == committed
