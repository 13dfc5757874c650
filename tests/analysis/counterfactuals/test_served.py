"""Repairs through a served model, and from the command line."""

from __future__ import annotations

import json

from navviz.llm.registry import close_model, make_model
from navviz.records import RepairPlan, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.groke.navigator import Groke, GrokeSettings
from tests.analysis.counterfactuals.test_groke import EPISODE, GRAPH, PLAN, reply
from tests.command import invoke
from tests.fake_servers import FakeOpenAI
from tests.paths import SAMPLES
from tests.repairs import walk_repaired


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
