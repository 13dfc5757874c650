"""``navviz export`` on samples."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from navviz.errors import Problems
from navviz.formats.export.atif import trajectory
from navviz.formats.export.otel import traces_data
from navviz.formats.export.predictions import step_rows
from navviz.records import Call, Usage
from navviz.runs.opened import open_run
from navviz.support.guarded import json_text
from navviz.systems.msnav.logs.predictions import read_predictions
from tests.command import invoke
from tests.paths import SAMPLES

GROKE = SAMPLES / "harbour" / "runs" / "groke-by-hand"


call = partial(invoke, "export")


def test_planning_is_step_0_and_sums_are_missing_where_a_part_is():
    trace = next(iter(open_run(GROKE).traces.values()))
    call = trace.steps[0].calls[0].model_copy(update={"cost_usd": 0.5})
    bare = call.model_copy(update={"cost_usd": None})
    step = trace.steps[0].model_copy(update={"calls": (call, call)})
    plan, first = step_rows(trace.model_copy(update={"steps": (step,)}))
    assert (plan["step"], plan["calls"], first["step"], first["calls"], first["cost_usd"]) == (
        0,
        1,
        1,
        2,
        1.0,
    )
    step = trace.steps[0].model_copy(update={"calls": (call, bare)})
    assert list(step_rows(trace.model_copy(update={"steps": (step,)})))[1]["cost_usd"] is None


def test_no_cell_is_a_formula(tmp_path):
    shutil.copytree(GROKE, tmp_path / "mine")
    file = min((tmp_path / "mine").glob("*.trace.jsonl"))
    file.write_text(re.sub(r'"reply":"', '"reply":"=1+1 ', file.read_text()))
    result = call(
        str(tmp_path / "mine"),
        "--format",
        "csv",
        "--graphs",
        str(SAMPLES / "harbour" / "osm" / "graph"),
    )
    replies = [row["reply"] for row in csv.DictReader(StringIO(result.stdout))]
    assert any(reply.startswith("'=1+1 ") for reply in replies)
    assert not any(reply.startswith("=") for reply in replies)


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path):
    result = call(str(GROKE), "--format", "atif", "--out", str(tmp_path / "no" / "x.jsonl"))
    assert result.exit_code == 1
    assert "x.jsonl: cannot be written" in result.stderr


@pytest.mark.parametrize("form", ["otel", "atif", "csv"])
def test_numbers_that_are_not_finite_are_left_out(tmp_path, form):
    """As Python's `json` writes them: in a trace, and in another program's log."""
    file = min(GROKE.glob("*.trace.jsonl"))
    lines = file.read_text().splitlines()
    header = json.loads(lines[0]) | {"settings": {"temperature": math.nan}}
    path = tmp_path / "a.trace.jsonl"
    usage = {"prompt_tokens": 10**400, "output_tokens": math.inf}
    call = {"type": "call", "call": {"seconds": math.nan, "cost_usd": math.inf, "usage": usage}}
    path.write_text("\n".join([json.dumps(header), *lines[1:-1], json.dumps(call), lines[-1]]))
    out = tmp_path / "out"
    graphs = SAMPLES / "harbour" / "osm" / "graph"
    assert call_of(form, path, graphs, out).exit_code == 0
    assert not re.search(r"\b(nan|inf|infinity)\b", out.read_text(), re.IGNORECASE)
    if form != "csv":
        json.loads(out.read_text(), parse_constant=pytest.fail)


def call_of(form: str, path: Path, graphs: Path, out: Path):
    return call(str(path), "--graphs", str(graphs), "--format", form, "--out", str(out))


def test_a_record_with_such_numbers_is_exported_without_them():
    """Readers of other formats may hand them on."""
    made = next(iter(open_run(GROKE).traces.values()))
    bad = Call(seconds=math.nan, cost_usd=math.inf, usage=Usage(prompt_tokens=1))
    step = made.steps[0].model_copy(update={"heading_deg": math.nan, "calls": (bad,)})
    header = made.header.model_copy(update={"settings": {"rate": math.inf}})
    trace = made.model_copy(update={"header": header, "steps": (step,), "plan_calls": ()})
    for write in (traces_data, trajectory):
        json.loads(json_text(write(trace)), parse_constant=pytest.fail)
    spans = traces_data(trace)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert not [
        each
        for span in spans
        for each in span["attributes"]
        if each["value"].get("doubleValue", 0) is None
    ]
    assert "navviz.call.cost_usd" not in {
        each["key"] for span in spans for each in span["attributes"]
    }
    (row,) = step_rows(trace)
    assert (row["heading_deg"], row["seconds"], row["cost_usd"]) == (None, None, None)


def test_a_format_of_a_system_is_read_again_as_it_was(tmp_path):
    folder = SAMPLES / "house" / "runs" / "msnav-by-hand"
    out = tmp_path / "submit_all.json"
    done = call(folder, "--format", "mapgpt", "--out", out)
    assert done.exit_code == 0, done.output
    traces = open_run(folder).traces
    problems = Problems()
    cases = {case.instr_id: case for case in read_predictions(out, problems)}
    assert problems.count == 0
    assert {key: case.nodes for key, case in cases.items()} == {
        key: trace.path for key, trace in traces.items()
    }
    assert all(case.choices for case in cases.values())


@pytest.mark.parametrize("form", ["r2r", "mapgpt", "velma"])
def test_walks_on_streets_read_again_have_their_figures(tmp_path, form):
    """A street map has the name of its folder, and its episodes name no world."""
    out = tmp_path / "submit_all.json"
    # the last walks of two episodes end by their limit, the others by arriving without a word
    assert call(str(GROKE), "--format", form, "--out", str(out)).exit_code == 0
    harbour = SAMPLES / "harbour"
    again = open_run(
        out, graphs=harbour / "osm" / "graph", episodes=harbour / "splits" / "sample.json"
    )
    first = open_run(GROKE)
    names = ["SR", "OSR", "NE", "SPL", "TL", "nDTW", "CLS"]
    for key, row in first.scores.rows.items():
        assert again.scores.rows[key] == row | again.scores.rows[key] | {n: row[n] for n in names}
    assert again.problems.count == 0
    ends = {str(trace.end.status) for trace in again.traces.values() if trace.end is not None}
    assert ends == {"velma": {"done", "limit"}}.get(form, {"done"})


def test_a_walk_without_a_result_is_named(tmp_path):
    """Cut off, it would count as a stop where it stands."""
    shutil.copytree(GROKE, tmp_path / "mine")
    first, second, *_ = sorted((tmp_path / "mine").glob("*.trace.jsonl"))
    first.write_text("\n".join(first.read_text().splitlines()[:-1]) + "\n")
    second.write_text(second.read_text().replace('"status":"limit"', '"status":"error"'))
    graphs = SAMPLES / "harbour" / "osm" / "graph"
    said = call(str(tmp_path / "mine"), "--graphs", str(graphs), "--format", "r2r").stderr
    assert "warning: 2 walks have no result in this run (not finished, or" in said
    assert not call(str(tmp_path / "mine"), "--graphs", str(graphs), "--format", "otel").stderr
