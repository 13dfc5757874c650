"""Several walks of one episode at once: their limit, their names, their figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from navviz.formats import open_graph
from navviz.llm.registry import make_model
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, EndEvent, Episode, Step, Trace, TraceHeader
from navviz.runner import Budget, LiveRuns, WalkRequest
from navviz.runner.fork import fan_figures, fan_of, fan_run, runs_of
from navviz.systems.registry import get_navigator, settings_from
from tests.cli.test_run import brain
from tests.fake_servers import FakeGemini, FakeOpenAI
from tests.worlds import ROUTE, write_world

EPISODE = Episode(
    id="1",
    dataset="tiny",
    instruction="Walk to the light.",
    start="s1",
    start_heading_deg=90.0,
    reference_path=tuple(ROUTE),
    goal="e1",
)
A_CALL = 130
"""Tokens that the fake servers count for a call."""


def requests(
    folder: Path, server: FakeGemini | FakeOpenAI, budget: Budget | None, count: int
) -> list[WalkRequest]:
    write_world(folder)
    graph = open_graph(folder / "osm" / "graph")
    groke = get_navigator("groke")
    key = SecretStr("test-key")
    made = []
    for sample in range(1, count + 1):
        if isinstance(server, FakeGemini):
            llm = make_model("gemini:toy", ModelOptions(base_url=server.address), key)
        else:
            llm = make_model(f"openai:toy@{server.url}", ModelOptions(), key)
        request = WalkRequest(
            navigator=groke,
            settings=settings_from(groke),
            episode=EPISODE,
            graph=graph,
            run=fan_run("fan-x", 1, sample),
            out=folder / "live",
            llm=llm,
            budget=budget,
        )
        made.append(request)
    return made


@pytest.mark.parametrize("kind", [FakeGemini, FakeOpenAI])
def test_parallel_walks_pass_a_budget_by_one_call_a_worker_at_most(tmp_path, monkeypatch, kind):
    with kind(brain(delay_s=0.01)) as server:
        monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", server.address)
        budget = Budget(tokens=5 * A_CALL)
        lives = LiveRuns().start_many(requests(tmp_path, server, budget, 8), workers=2)
        for live in lives:
            live.join(120)
        result, parallel = len(server.requests), server.most_parallel
    assert parallel <= 2
    assert 5 <= result <= 5 + 2
    assert budget.spent_tokens == result * A_CALL
    ends = [live.look()[0].end.status for live in lives]
    assert "budget" in ends
    assert not [live for live in lives if live.running]
    assert runs_of("fan-x", tmp_path / "live") == [fan_run("fan-x", 1, k) for k in range(1, 9)]


def test_walks_that_wait_for_their_turn_can_be_stopped(tmp_path):
    with FakeOpenAI(brain(delay_s=0.2)) as server:
        lives = LiveRuns().start_many(requests(tmp_path, server, None, 3), workers=1)
        for live in lives:
            live.stop()
        for live in lives:
            live.join(120)
    assert not [live for live in lives if live.running]
    assert len(server.requests) <= 1


def test_names_of_fans(tmp_path):
    assert fan_of("fan-groke-1-m2-s10") == "fan-groke-1"
    assert fan_of("groke-1-m2-s1") is None
    for name in ("fan-a-m1-s10", "fan-a-m1-s2", "fan-a-m2-s1", "fan-ab-m1-s1", "other"):
        (tmp_path / name).mkdir()
    assert runs_of("fan-a", tmp_path) == ["fan-a-m1-s2", "fan-a-m1-s10", "fan-a-m2-s1"]
    assert runs_of("../fan-a", tmp_path) == []
    assert runs_of("*", tmp_path) == []


def _walk(status: str, end: str) -> Trace:
    header = TraceHeader(episode=EPISODE, navigator="groke")
    step = Step(index=1, node="s1", heading_deg=0.0, path=("s1", end))
    return Trace(header=header, steps=(step,), end=EndEvent(status=status, node=end))


def test_figures_by_hand():
    walks = [
        (_walk("done", "e1"), {"SR": 1.0, "NE": 0.0, "SPL": 0.8}),
        (_walk("done", "w1"), {"SR": 0.0, "NE": 30.0, "SPL": 0.0}),
        (_walk("error", "s1"), {"SR": 0.0, "NE": 99.0, "SPL": 0.0}),
    ]
    figures = fan_figures("m", walks)
    assert (figures.walks, figures.ends) == (2, 2)
    assert figures.success is not None
    assert figures.error_m is not None
    assert figures.spl is not None
    assert (figures.error_m.mean, figures.error_m.low, figures.error_m.high) == (15.0, 0.0, 30.0)
    assert figures.spl.mean == 0.4
    assert (figures.success.mean, figures.success.episodes) == (0.5, 2)
    assert (figures.tokens, figures.cost_usd) == (0, 0)
    assert fan_figures("m", []).success is None
    silent = _walk("done", "e1")
    (step,) = silent.steps
    silent = silent.model_copy(update={"steps": (step.model_copy(update={"calls": (Call(),)}),)})
    figures = fan_figures("m", [(silent, {})])
    assert (figures.tokens, figures.cost_usd) == (None, None)
