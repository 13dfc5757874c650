"""Repairs: what is offered, walked through a served model, and reported over a run."""

from __future__ import annotations

import json
from itertools import pairwise
from types import SimpleNamespace

import pytest

import navviz
from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.counterfactuals.report import report_of
from navviz.analysis.counterfactuals.trials import (
    RepairPlans,
    Trial,
    causes_and_repairs,
    offer_for,
    repairs_estimate,
)
from navviz.analysis.counterfactuals.walking import Result
from navviz.llm.registry import close_model, make_model
from navviz.metrics.divergence import find_divergence
from navviz.records import Call, RepairPlan, TraceHeader, Usage
from navviz.records.trace_files import fold
from navviz.systems.groke.navigator import Groke, GrokeSettings
from navviz.views.figures.repair_figure import ARM_MARKS
from tests.analysis.counterfactuals.test_groke import EPISODE, GRAPH, PLAN, reply
from tests.command import invoke
from tests.fake_servers import FakeOpenAI
from tests.paths import SAMPLES
from tests.repairs import walk_repaired

LINK = RepairPlan(kind="take_link", step=1, parameters={"node": "a", "to": "b"})
LINE = RepairPlan(kind="replace_plan_line", step=1, parameters={"sub_goal": 0, "line": "x"})


def _report(ends, trials, *, deterministic=False, unchanged=""):
    plans = RepairPlans(tuple(trials), len(trials), 0, 0)
    walker = SimpleNamespace(navigator=SimpleNamespace(name="toy"), deterministic=deterministic)
    results = {}
    for arm, signs in ends.items():
        results[arm] = {}
        for key, sign in zip("abcdef", signs, strict=True):
            if sign != " ":
                results[arm][key] = Result(
                    {"+": True, "-": False}.get(sign), changed=key not in unchanged
                )
    return report_of("run", plans, results, walker)


def test_counts_are_those_of_a_hand_count():
    trials = [Trial(key, "ambiguous", "Two ways", LINK, LINK) for key in "abcd"]
    trials += [Trial(key, "plan", "Plan", LINE, None) for key in "ef"]
    # e was broken off, d has no placebo
    ends = {"repair": "+++-?+", "chance": "-----+", "placebo": "+--   "}
    report = _report(ends, trials)
    link, line = report.rows
    assert link.sentence == (
        "the right link once 3 of 4 succeed; 0 of 4 by chance; 1 of 3 another link at another step"
    )
    assert link.over_chance.interval.mean == pytest.approx(0.75)
    # McNemar: three gained, none lost
    assert link.over_chance.p == pytest.approx(0.25)
    assert link.over_placebo.interval.episodes == 3
    assert link.over_placebo.interval.mean == pytest.approx(2 / 3)
    assert (line.chosen, line.repaired.episodes, line.placebo) == (2, 1, None)
    assert line.over_chance.interval.mean == 0.0
    assert report.open == 1
    # what the printed p refuses, the interval leaves out
    assert link.over_chance.interval.low < 0.0 < link.over_chance.interval.high


def test_only_placebos_that_changed_the_walk_are_a_control():
    trials = [Trial(key, "ambiguous", "Two ways", LINK, LINK) for key in "abcd"]
    ends = {"repair": "+++-  ", "chance": "----  ", "placebo": "+---  "}
    (row,) = _report(ends, trials, deterministic=True, unchanged="bc").rows
    assert (row.placebos, row.placebos_changed) == (4, 2)
    assert (row.placebo.mean, row.placebo.episodes) == (0.5, 2)
    assert (row.over_placebo.interval.mean, row.over_placebo.interval.episodes) == (0.0, 2)
    assert row.over_chance is None, "without a model the same walk again is no control"
    assert row.sentence.endswith("(2 more placebos did not change the walk and are left out)")
    report = _report(ends, trials, deterministic=True, unchanged="abcd")
    assert report.rows[0].sentence.endswith("; no control is possible here")
    cells = report.table().iloc[0]
    assert cells["placebos that changed the walk"] == "0 of 4"
    assert cells["net of chance"] == cells["net of placebo"] == "no control is possible here"
    assert "must be 0 and is no control" in report.note
    assert "over the 0 of 4 that changed the walk" in report.note


def test_causes_of_one_kind_get_a_row_for_all():
    trials = [Trial("a", "x", "X", LINK, None), Trial("b", None, "no cause found", LINK, None)]
    report = _report({"repair": "+-    ", "chance": "--    ", "placebo": "      "}, trials)
    assert [row.name for row in report.rows] == ["X", "no cause found", "all causes"]
    assert report.rows[-1].repaired.episodes == 2


def test_a_run_without_a_model_is_repaired_and_not_walked_twice(tmp_path):
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    report = navviz.repair(run, kind="take_link", limit=3, out=tmp_path)
    assert report.deterministic
    assert report.plans.trials
    chance, placebos = report.results["chance"], report.results["placebo"]
    assert not any(result.success or result.changed for result in chance.values())
    assert placebos
    assert all(result.changed for result in placebos.values())
    # its own run.json says on which map it was walked
    assert navviz.open_run(tmp_path / "rules-local-repair").source.folder_problems == ()
    files = sorted(tmp_path.rglob("*.trace.jsonl"))
    before = [(file, file.stat().st_mtime_ns) for file in files]
    again = navviz.repair(run, kind="take_link", limit=3, out=tmp_path)
    assert again.rows == report.rows
    assert [(file, file.stat().st_mtime_ns) for file in files] == before


def test_the_figure_holds_every_count_and_its_marks_differ_in_shape():
    trials = [Trial(key, "x", "Loop & <back>", LINK, LINK) for key in "abcd"]
    trials += [Trial(key, "y", "Plan", LINE, None) for key in "ef"]
    report = _report(
        {"repair": "+++-++", "chance": "-----+", "placebo": "+--- "[:4] + "  "}, trials
    )
    text = report.figure("svg").decode()
    for count in ("3/4", "0/4", "1/4", "2/2", "1/2"):
        assert f">{count}<" in text
    for name in ("repaired", "chance", "placebo", "Loop &amp; &lt;back&gt;:"):
        assert name in text
    assert report.figure("svg") == report.figure("svg")
    assert len({(mark.marker, mark.filled) for mark in ARM_MARKS}) == len(ARM_MARKS)
    assert len({mark.marker for mark in ARM_MARKS}) == len(ARM_MARKS)


@pytest.fixture(scope="module")
def run():
    return navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")


def test_the_leading_explanation_with_a_repair_comes_first(run):
    trace, graph = run.trace("8"), run.graph("8")
    leading = explain_episode(trace, graph).leading
    offer = offer_for(trace, graph)
    assert (offer.plan, offer.cause) == (leading.repair, "ambiguous")
    document = causes_and_repairs(trace, graph)
    assert document["repair"] == offer.words == "the right link once"
    assert document["repairs"] == [offer.words]
    assert offer_for(trace, graph, 0) == offer
    assert offer_for(trace, graph, 1) is None


def test_without_a_cause_the_right_link_is_offered_where_the_route_was_left(run):
    graph = run.graph("7")
    # what the navigator noted of its ways explains this walk; without it nothing does
    steps = [step.model_copy(update={"observation": None}) for step in run.trace("7").steps]
    trace = run.trace("7").model_copy(update={"steps": tuple(steps)})
    assert explain_episode(trace, graph).leading is None
    offer = offer_for(trace, graph)
    departure = find_divergence(trace, graph)
    assert (offer.cause, offer.plan.kind, offer.plan.step) == (None, "take_link", departure.step)
    node, to = offer.plan.parameters["node"], offer.plan.parameters["to"]
    assert (node, to) in set(pairwise(trace.episode.reference_path))


def test_a_success_has_no_repair_and_no_causes(run):
    successes = [
        key for key in run.traces if explain_episode(run.trace(key), run.graph(key)).success
    ]
    trace, graph = run.trace(successes[0]), run.graph(successes[0])
    assert causes_and_repairs(trace, graph) is None
    assert offer_for(trace, graph) is None


def test_a_log_that_does_not_tell_its_settings_offers_none(run):
    trace, graph = run.trace("8"), run.graph("8")
    header = trace.header.model_copy(update={"source": "walks.json"})
    other = trace.model_copy(update={"header": header})
    assert offer_for(other, graph) is None
    document = causes_and_repairs(other, graph)
    assert document["repair"] is None
    assert document["repairs"] == [None]


def test_the_estimate_is_what_the_same_steps_took(run):
    trace = run.trace("8")
    call = Call(reply="left")
    usage = Usage(prompt_tokens=10, output_tokens=2)
    priced = call.model_copy(update={"usage": usage, "cost_usd": 0.5})
    steps = [step.model_copy(update={"calls": (priced, priced)}) for step in trace.steps]
    walk = trace.model_copy(update={"steps": tuple(steps)})
    left = len(trace.steps) - 1
    assert repairs_estimate(walk, 2) == (2 * left, 24 * left, pytest.approx(left))
    unpriced = steps[-1].model_copy(update={"calls": (call,)})
    walk = walk.model_copy(update={"steps": (*steps[:-1], unpriced)})
    assert repairs_estimate(walk, 2)[2] is None


def test_a_served_model_is_asked_for_the_new_steps_only():
    with FakeOpenAI([PLAN, reply("n1"), reply("n2"), reply("e2")]) as server:
        llm = make_model(f"openai:m@{server.url}")
        header = TraceHeader(run="first", episode=EPISODE, navigator="groke", model=llm.name)
        events = Groke().navigate(EPISODE, GRAPH, llm, GrokeSettings())
        wrong = fold([header, *events])
        assert len(server.requests) == 3
        plan = RepairPlan(kind="take_link", step=1, parameters={"node": "x", "to": "e1"})
        trace = walk_repaired(wrong, GRAPH, plan, llm)
        assert len(server.requests) == 4
        close_model(llm)
    assert trace.path == ("s3", "s2", "s1", "x", "e1", "e2")
    assert trace.plan_calls == wrong.plan_calls


def test_the_command_writes_counts(tmp_path):
    run = str(SAMPLES / "harbour" / "runs" / "rules-local")
    words = ["repair", run, "--kind", "take_link", "--limit", "2", "--out", str(tmp_path)]
    words += ["--graphs", str(SAMPLES / "harbour" / "osm" / "graph")]
    result = invoke(*words, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    trials = sum(row["chosen"] for row in document["rows"] if row["cause"] != "all")
    assert trials + document["without_repair"] == document["failures"] == 2
    assert len(document["success"]["repair"]) == trials
    table = invoke(*words)
    assert "net of placebo" in table.stdout
    for kind, begin in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")):
        figure = tmp_path / f"repairs.{kind}"
        drawn = invoke(*words, "--figure", str(figure))
        assert drawn.exit_code == 0, drawn.output
        assert figure.read_bytes().startswith(begin)
    refused = invoke(*words, "--figure", "repairs.gif")
    assert refused.exit_code != 0
    assert "ends in .svg, .pdf or .png" in refused.output
    assert "it must be 0" in table.stdout
