"""Episodes that the model's service did not answer, apart from those in which the agent failed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import navviz
from navviz.analysis.causes.counting import explained_run
from navviz.analysis.compare import compare_scores
from navviz.analysis.significance import compare_to_baseline
from navviz.analysis.slices import failed_episodes
from navviz.analysis.tables import inference_note
from navviz.metrics.score import RunScore
from navviz.runs.marks import run_marks
from tests.command import invoke
from tests.conftest import missing
from tests.fake_servers import Answer, FakeGemini, Fault
from tests.fake_servers.base import Recorded
from tests.paths import ROOT
from tests.worlds import write_world

CASE = ROOT.parent / "shared" / "data" / "cases" / "gemini-that-said-nothing"
OPTIONS = ["--graphs", str(CASE / "osm" / "graph"), "--episodes", str(CASE / "splits" / "val.json")]


@pytest.fixture
def run():
    """Open GROKE's log of four replies that hold no text."""
    if not CASE.is_dir():
        missing("the case gemini-that-said-nothing is not beside the checkout")
    graphs, episodes = CASE / "osm" / "graph", CASE / "splits" / "val.json"
    return navviz.open_run(CASE / "logs", graphs=graphs, episodes=episodes)


def test_each_reply_of_a_published_log_is_named_as_what_it_is(run):
    calls = {key: trace.calls[-1] for key, trace in run.traces.items()}
    assert calls["1"].parse_error == "cut off at the token limit while thinking (2,047 tokens)"
    assert calls["2"].unanswered == "blocked (SAFETY)"
    assert calls["3"].unanswered == "quota (429)"
    assert calls["4"].reply == "walk_to(node=b)"
    assert [calls[key].unanswered for key in ("1", "4")] == [None, None]


def test_what_the_service_left_out_is_counted_apart(run):
    assert dict(run.scores.unanswered) == {"2": "blocked (SAFETY)", "3": "quota (429)"}
    service = run.scores.service
    assert service is not None
    assert (service.sr_with, service.n_with) == (0.0, 4)
    assert (service.sr_without, service.n_without) == (0.0, 2)
    # as published: GROKE's figures count them
    assert (run.scores.means["SR"], run.scores.counts["SR"]) == (0.0, 4)
    table = run.table()
    assert list(table["outcome"]) == ["failure", "unanswered", "unanswered", "failure"]
    assert table["act"].isna().tolist() == [False, True, True, False]
    assert failed_episodes(run.scores) == {"1": True, "4": True}


def test_a_comparison_leaves_out_what_was_not_answered(run):
    scores = {"a": run.scores, "b": replace(run.scores, unanswered={"4": "time-out"})}
    compared = compare_scores(scores)
    assert compared.episodes == ("1",)
    assert compared.unanswered == 3
    note = inference_note(compare_to_baseline(scores, "a"))
    assert "3 more episodes without an answer of the service in one run, left out" in note


def test_an_episode_without_an_answer_has_no_cause(run):
    explained = explained_run(run)
    assert [explained[key].success for key in "1234"] == [False, None, None, False]
    assert not explained["2"].causes
    assert not explained["3"].causes
    [cause] = explained["1"].causes
    assert "cut off at the token limit while thinking (2,047 tokens)" in cause.sentence
    printed = invoke("why", str(CASE / "logs"), *OPTIONS).stdout
    assert "The service did not answer in 2 episodes" in printed
    assert "2 of 2 (100 %" in printed
    assert "did not answer: quota (429)" in invoke("why", str(CASE / "logs"), "3", *OPTIONS).stdout


def test_both_rates_stand_in_each_command(run):
    sentence = (
        "The service did not answer in 2 of 4 episodes (1 blocked (SAFETY), 1 quota (429)):"
        " SR 0.0 % (n 4) with them, 0.0 % (n 2) without."
    )
    [mark] = run.marks
    assert mark.sentence == sentence
    assert sentence in invoke("score", str(CASE / "logs"), *OPTIONS).stdout
    scored = json.loads(invoke("score", str(CASE / "logs"), *OPTIONS, "--format", "json").stdout)
    figures = {"SR_with": 0.0, "n_with": 4, "SR_without": 0.0, "n_without": 2}
    assert scored["marks"][0]["figures"] == figures


@pytest.mark.parametrize(
    ("rates", "errors", "unanswered", "expected"),
    [
        # a published log: the episodes count as they stand
        ({"a": 1.0, "b": 0.0, "c": 0.0}, (), {"c": "x"}, (1 / 3, 3, 0.5, 2)),
        ({"a": 1.0, "b": 1.0}, (), {"b": "x"}, (1.0, 2, 1.0, 1)),
        # our own: they ended in an error, perhaps before their first step
        ({"a": 1.0, "b": None, "c": None}, ("b", "c"), {"b": "x"}, (0.5, 2, 1.0, 1)),
        ({"a": 0.0}, ("a",), {"a": "x"}, (0.0, 1, None, 0)),
        # nobody knows a goal
        ({"a": None, "b": None}, (), {"a": "x"}, (None, 0, None, 0)),
    ],
)
def test_both_rates_follow_from_their_definition(rates, errors, unanswered, expected):
    rows = {key: {"SR": rate} for key, rate in rates.items()}
    score = RunScore("r", rows, {}, {}, errors, unanswered=unanswered)
    service = score.service
    assert service is not None
    figures = (service.sr_with, service.n_with, service.sr_without, service.n_without)
    assert figures == expected
    assert RunScore("r", rows, {}, {}, errors).service is None
    assert [mark.id for mark in run_marks(score)] == ["unanswered"]


def test_a_live_run_records_what_its_service_left_out(tmp_path, monkeypatch):
    write_world(tmp_path)
    split = tmp_path / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in (1, 2)]))
    answers = iter([Answer("", finish="SAFETY"), Fault(400, "This is no request.")])

    def act(_request: Recorded) -> Answer | Fault:
        return next(answers)

    with FakeGemini(act) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        monkeypatch.setenv("GEMINI_API_KEY", "canary-key-0123456789")
        done = invoke(
            "run", "silent", "--navigator", "groke", "--llm", "gemini:m", "--episodes", str(split),
            "--graphs", str(tmp_path / "osm" / "graph"), "--out", str(tmp_path / "out"),
            "--format", "json",
        )  # fmt: skip
    assert done.exit_code == 1
    document = json.loads(done.stdout.splitlines()[-1])
    assert document["errors"] == 2
    [mark] = document["marks"]
    assert (mark["id"], mark["count"], mark["of"]) == ("unanswered", 1, 2)
    run = navviz.open_run(tmp_path / "out" / "silent")
    assert dict(run.scores.unanswered) == {"1": "blocked (SAFETY)"}
    assert run.facts["2"].unanswered is None
