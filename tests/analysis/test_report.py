"""A report for a paper: its figures are the run's, and its quotes really stand in the traces."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import navviz
from navviz.analysis.causes.counting import explained_run
from navviz.analysis.own_findings import OwnFinding, keep_own
from navviz.analysis.report import (
    cited_causes,
    report_document,
    report_markdown,
    report_of,
    step_link,
)
from navviz.cli import application
from navviz.records import Call, Trace
from navviz.runs.run import OpenRun
from tests.sites import tiny_run

HARBOUR = navviz.samples_dir() / "harbour" / "runs"


def _call_of(trace: Trace, quote: dict[str, Any]) -> Call:
    calls = trace.plan_calls
    if "step" in quote:
        calls = next(step.calls for step in trace.steps if step.index == quote["step"])
    return calls[quote.get("call", 0)]


def _stands(run: OpenRun, key: str, quote: dict[str, Any]) -> bool:
    """Whether a quote's words stand where it says."""
    trace, text = run.trace(key), quote["text"]
    source = quote["source"]
    # what is not in the log's words must say so
    assert quote["verbatim"] == (source not in {"map", "decision", "setting"})
    if source == "instruction":
        return text in trace.episode.instruction
    if source == "prompt":
        return text in _call_of(trace, quote).messages[quote["message"]].text
    if source in {"thoughts", "reply"}:
        return text in str(getattr(_call_of(trace, quote), source))
    if source == "plan":
        plans = [trace.sub_goals, *(step.plan for step in trace.steps)]
        return any(text in goal.description for plan in plans for goal in plan)
    if source == "map" and "node" in quote:  # described, not quoted: the place is there
        return quote["node"] in run.graph(key)
    return source in {"map", "decision", "setting"}


def _check(run: OpenRun) -> int:
    quotes = 0
    for key, one in explained_run(run).items():
        for cause in cited_causes(one, run.name)["causes"]:
            for quote in cause["quotes"]:
                assert _stands(run, key, quote), (key, cause["id"], quote)
                assert f"episode={key}" in quote["link"]
                quotes += 1
    return quotes


@pytest.mark.parametrize("name", ["rules", "action-sampling", "random-walker"])
def test_every_quote_of_a_sample_stands_in_its_trace(name: str) -> None:
    assert _check(navviz.open_run(HARBOUR / name)) > 0


@pytest.mark.nightly
@pytest.mark.data
def test_every_quote_of_published_logs_stands_in_its_trace(tmp_path: Path, data_dir: Path) -> None:
    published = data_dir / "groke" / "paper_results"
    (tmp_path / "logs").mkdir()
    for path in (published / "ablation_study_json").glob("*.jsonl"):
        (tmp_path / "logs" / path.name).symlink_to(path)
    (tmp_path / "logs" / "states.json").symlink_to(published / "test_seen_json.json")
    graph = data_dir / "map2seq" / "osm" / "graph"
    run = navviz.open_run(tmp_path / "logs", graphs=graph)
    assert _check(run) > 100


@pytest.fixture(scope="module")
def rules() -> OpenRun:
    return navviz.open_run(HARBOUR / "rules")


def test_figures_and_causes_have_n_and_interval(rules: OpenRun) -> None:
    document = report_document(report_of("rules", rules))
    figures = {one["metric"]: one for one in document["figures"]}
    assert figures["SR"]["mean"] == rules.scores.means["SR"]
    assert (figures["SR"]["n"], round(figures["SR"]["low"], 3)) == (14, 0.419)
    assert document["failures"] == 4
    assert sum(one["likely"] + one["hinted"] for one in document["causes"]) == 4
    assert json.loads(json.dumps(document)) == json.loads(json.dumps(document))
    text = report_markdown(report_of("rules", rules))
    assert "| SR | 71.4 % | 41.9 % to 91.6 % | 14 |" in text
    assert "results: 14 files, SHA-256 of their list" in text


def test_typical_episodes_failed_in_the_way_that_they_stand_for(rules: OpenRun) -> None:
    report = report_of("rules", rules, site="https://lab.example/")
    assert report.typical
    text = report_markdown(report)
    lines = text.splitlines()
    for one in report.typical:
        explained = navviz.why(rules, one.episode)
        assert one.cause is None or one.cause in explained
        assert rules.scores.rows[one.episode]["SR"] == 0.0
        assert f"### Episode {one.episode}: {one.act.how}" in lines
        for quote in () if one.cause is None else one.cause.quotes:
            is_quoted = f"> {quote.text}" in lines
            assert is_quoted == (quote.source not in {"map", "decision", "setting"}), quote
    assert sum(count.failures for count in report.acts) == report.failures
    assert text.index("the act that was not done") < text.index("likely cause")
    only = report.typical[0]
    several = replace(report, typical=(replace(only, share=3),))
    assert "Of 3 failures of this kind that of the median error (" in report_markdown(several)
    # figures that no evaluator wrote have no median
    several = replace(report, typical=(replace(only, share=3, is_median=False),))
    assert "\n\nOne of 3 failures of this kind (" in report_markdown(several)
    text = report_markdown(report, {report.typical[0].episode: "a.svg"})
    assert f"https://lab.example/#run=rules&episode={report.typical[0].episode}&step=" in text
    assert "(<a.svg>)" in text


@pytest.mark.nightly
def test_a_report_has_the_controls_of_a_navigator_without_a_model(
    rules: OpenRun, tmp_path: Path
) -> None:
    split = HARBOUR.parent / "splits" / "sample.json"
    graphs = HARBOUR.parent / "osm" / "graph"
    words = ["diagnose", "controls", "--navigator", "rules", "--episodes", str(split), "--graphs"]
    given = [*words, str(graphs), "--out", str(tmp_path), "--format", "json", "--quiet"]
    command = json.loads(CliRunner().invoke(application(["diagnose"], ()), given).stdout)
    report = report_of("rules", rules, controls=50)
    document = report_document(report)["controls"]
    # what the report walks by itself is what the command walks
    assert document["controls"] == command["controls"]
    assert document["episodes"] == 14
    text = report_markdown(report)
    assert "| another episode's instruction | 14 | 0.0 " in text
    assert "Walked for this report on all 14 episodes" in text
    assert "| SR | 71.4 % |" in text
    # walks of other settings in the same folder would be taken for these
    other = CliRunner().invoke(application(["diagnose"], ()), [*given, "--set", "length_prior=off"])
    assert other.exit_code == 2
    assert "made with other settings (length_prior was 'auto', now 'off')" in other.stderr
    # walks that lie beside a run are read, and no other figures come of them
    true_text = navviz.open_run(tmp_path / "rules-true-text")
    assert true_text.source.graphs == (graphs.resolve(),)
    assert not true_text.source.folder_problems
    kept = report_document(report_of("kept", true_text, controls=2))["controls"]
    assert kept["controls"] == command["controls"]
    assert kept["source"] == "The walks of the controls lie beside the run."
    # a command that was stopped has not walked all of them
    shutil.rmtree(tmp_path / "rules-false-reference")
    stopped = report_of(
        "kept", navviz.open_run(tmp_path / "rules-true-text", graphs=graphs), controls=2
    )
    sentences = report_document(stopped)["controls"]["sentences"]
    assert sentences[-1].startswith("No false reference path was walked, so nobody knows")
    some = report_document(report_of("rules", rules, controls=5))["controls"]
    assert (some["episodes"], len(some["controls"])) == (5, 5)
    assert "5 of 14 episodes, drawn with seed 0" in some["source"]


def test_a_report_says_why_it_has_no_controls() -> None:
    asking = navviz.open_run(HARBOUR / "groke-by-hand")
    document = report_document(report_of("asking", asking, controls=50))
    assert "groke asks a language model" in document["controls"]["why_not"]
    text = report_markdown(report_of("tiny", tiny_run(), controls=50))
    _, _, said = text.partition("## What survives without reading\n\n")
    assert said.startswith("No controls were walked")
    assert "controls" not in report_document(report_of("tiny", tiny_run()))


def test_links_quote_what_stands_in_names() -> None:
    assert step_link("a&b", "x/1 #", 3) == "/replay?run=a%26b&episode=x%2F1+%23&step=3"
    assert (
        step_link("a", "1", None, "https://l.example/s/#") == "https://l.example/s/#run=a&episode=1"
    )


def test_texts_of_the_data_are_no_markup_in_a_report() -> None:
    text = "</script><b onmouseover=alert(1)> [x](javascript:1) | `a` \n# no heading"
    written = report_markdown(report_of("tiny", tiny_run(text=text, episode=text)))
    assert "<b" not in written.replace("\\<b", "")
    assert "\n# no" not in written
    assert "](javascript" not in written


def test_findings_that_are_kept_beside_a_run_are_quoted(tmp_path):
    folder = shutil.copytree(HARBOUR / "groke-by-hand", tmp_path / "run")
    run = navviz.open_run(folder, graphs=HARBOUR.parent / "osm" / "graph")
    assert "Kept findings" not in report_markdown(report_of("run", run))
    keep_own(run, [OwnFinding(name="Long | way", query={"length_m": "300,1000"})])
    report = report_of("run", run)
    failed = {key for key, one in explained_run(run).items() if one.success is False}
    long = {
        row["episode"] for row in run.known_table().to_dict("records") if row["length_m"] >= 300
    }
    assert 0 < len(failed & long) < len(failed)
    row = f"| Long \\| way | {len(failed & long)} of {len(failed)} ("
    assert row in report_markdown(report)
    assert report_document(report)["kept"][0]["failures"] == len(failed & long)
