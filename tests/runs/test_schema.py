"""The tables of a run: one schema, the same types in every run, and nothing unknown that is 0."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

import navviz
from navviz.formats.export.predictions import STEP_COLUMNS
from navviz.metrics.registry import all_metrics
from navviz.records import Call, Trace
from navviz.records.trace_files import write_trace
from navviz.runs.facts import WalkFacts
from navviz.runs.schema import CALL_SCHEMA, STEP_SCHEMA, TableColumn, episode_schema, frame_as
from tests.paths import ROOT, SAMPLES

RUNS = {
    "rules": SAMPLES / "harbour" / "runs" / "rules",
    "a model": SAMPLES / "harbour" / "runs" / "groke-by-hand",
    "free walks": SAMPLES / "harbour" / "runs" / "action-sampling",
    "sub-tasks": SAMPLES / "house" / "runs" / "mgdm-scripted",
    "a house": SAMPLES / "house" / "runs" / "msnav-by-hand",
}
TYPES = {"Float64", "Int64", "boolean", "string", "category"}


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    return navviz.open_run(RUNS[request.param])


def _types(schema: Sequence[TableColumn]) -> dict[str, str]:
    return {column.name: column.type for column in schema}


def _names(table: pd.DataFrame) -> dict[str, str]:
    return {name: str(kind) for name, kind in table.dtypes.items()}


def test_every_run_has_the_same_types(run):
    whole = run.table(all=True)
    assert _names(whole) == _types(episode_schema())
    assert set(_names(whole).values()) <= TYPES
    none = frame_as(episode_schema(), {})
    assert whole.dtypes.equals(none.dtypes), "categories are the same, too, without a row"
    table = run.table()
    assert table.notna().any().all()
    pd.testing.assert_frame_equal(table, whole[list(table.columns)])
    assert set(whole.columns[whole.notna().any()]) == set(table.columns)


def test_every_metric_and_fact_has_a_column():
    names = {column.name for column in episode_schema()}
    assert {metric.name for metric in all_metrics()} <= names
    assert {each for each in WalkFacts.__slots__ if each != "difficulty"} <= names
    assert {f"difficulty_{axis}" for axis in ("cognitive", "spatial", "execution")} <= names


def test_the_index_is_the_episode(run):
    table = run.table()
    assert table.index.name == "episode"
    assert table.index.is_unique
    assert list(table.index) == list(run.traces)
    for key, row in run.scores.rows.items():
        for name, value in row.items():
            if value is not None:
                assert table.loc[key, name] == pytest.approx(value)


def test_steps_and_calls_are_rows_of_the_traces(run):
    steps, calls = run.steps(), run.calls()
    assert _names(steps) == _types(STEP_SCHEMA)
    assert tuple(steps.columns) == STEP_COLUMNS, "as the export writes them"
    assert _names(calls) == _types(CALL_SCHEMA)
    traces = [run.trace(key) for key in run.traces]
    assert len(steps[steps["step"] > 0]) == sum(len(trace.steps) for trace in traces)
    assert len(calls) == sum(len(trace.calls) for trace in traces)
    of_steps = [step for trace in traces for step in trace.steps]
    shown = steps[steps["step"] > 0]
    assert shown["node"].tolist() == [step.node for step in of_steps]
    assert shown["calls"].tolist() == [len(step.calls) for step in of_steps]
    replies = [call.reply for trace in traces for call in _in_order(trace)]
    assert [None if pd.isna(reply) else reply for reply in calls["reply"]] == replies


def _in_order(trace: Trace) -> list[Call]:
    calls = list(trace.plan_calls)
    for step in trace.steps:
        calls += step.calls
    return calls


def test_a_call_has_its_prompt_and_its_figures():
    run = navviz.open_run(RUNS["a model"])
    calls = run.calls()
    first = run.trace("1").steps[0].calls[0]
    row = calls[(calls["episode"] == "1") & (calls["step"] == 1)].iloc[0]
    assert all(message.text in row["prompt"] for message in first.messages)
    assert row["thoughts"] == first.thoughts
    assert row["retries"] == first.retries


def test_an_unknown_cost_is_missing_and_sums_to_missing(tmp_path):
    run = navviz.open_run(RUNS["a model"])
    for key in run.traces:
        trace = run.trace(key)
        steps = []
        for step in trace.steps:
            unknown = {"cost_usd": None, "usage": None, "model": None}
            calls = tuple(call.model_copy(update=unknown) for call in step.calls)
            steps.append(step.model_copy(update={"calls": calls}))
        bare = trace.model_copy(update={"steps": tuple(steps), "plan_calls": ()})
        write_trace(bare, tmp_path / f"{key}.trace.jsonl")
    poor = navviz.open_run(tmp_path, graphs=SAMPLES / "harbour" / "osm" / "graph")
    table = poor.table(all=True)
    assert "cost_usd" not in poor.table().columns
    for name in ("cost_usd", "tokens", "prompt_tokens", "thoughts_tokens", "output_tokens"):
        assert table[name].isna().all(), name
        assert pd.isna(table[name].sum()), name
        assert pd.isna(table[[name]].sum()[name]), name
    assert table["calls"].sum() == len(poor.calls()) > 0
    assert pd.isna(poor.calls()["cost_usd"].sum())
    assert pd.isna(poor.steps()["cost_usd"].sum())


def test_two_methods_of_one_file_are_two_tables_with_unique_episodes(tmp_path):
    source = RUNS["rules"]
    run, methods = navviz.open_run(source), ("one", "two")
    for name in methods:
        for key in list(run.traces)[:2]:
            trace = run.trace(key)
            header = trace.header.model_copy(update={"run": name})
            path = tmp_path / f"{name}-{key}.trace.jsonl"
            write_trace(trace.model_copy(update={"header": header}), path)
    for name in methods:
        opened = navviz.open_run(
            tmp_path, method=name, graphs=SAMPLES / "harbour" / "osm" / "graph"
        )
        assert opened.table().index.is_unique
        assert len(opened.table()) == 2


def test_a_comparison_has_the_same_types_for_all_runs():
    runs = [navviz.open_run(RUNS["rules"]), navviz.open_run(SAMPLES / "harbour/runs/rules-local")]
    same = navviz.compare({"a": runs[0], "b": runs[0]})
    other = navviz.compare(runs)
    assert same.table().dtypes.equals(other.table().dtypes)
    assert same.pairs().dtypes.equals(other.pairs().dtypes)
    assert set(map(str, other.table().dtypes)) <= TYPES


def _documented(schema: Sequence[TableColumn]) -> str:
    rows = ["| column | type | unit | what it is |", "|---|---|---|---|"]
    for column in schema:
        about = " ".join(column.about.split()).replace("|", "\\|")
        rows.append(f"| `{column.name}` | {column.type} | {column.unit or '–'} | {about} |")
    return "\n".join(rows)


@pytest.mark.parametrize("schema", [episode_schema(), STEP_SCHEMA, CALL_SCHEMA])
def test_the_documentation_lists_every_column(schema):
    assert _documented(schema) in (ROOT / "docs" / "scores.md").read_text(encoding="utf-8")
