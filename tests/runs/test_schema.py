"""The tables and lists of a run: one schema, the same types, filters and sorting."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import navviz
from navviz.formats.export.predictions import STEP_COLUMNS
from navviz.metrics.divergence import find_divergence
from navviz.metrics.registry import all_metrics
from navviz.records import Call, Trace, Usage
from navviz.records.act import HOWS, slug_of
from navviz.records.trace_files import write_trace
from navviz.runs.episode_list import EpisodeList, column_entries, list_columns, list_keys
from navviz.runs.facts import WalkFacts, facts_of
from navviz.runs.schema import CALL_SCHEMA, STEP_SCHEMA, TableColumn, episode_schema, frame_as
from navviz.runs.tables import episode_columns, episode_row
from tests.grids import episode, grid, straight, trace
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


GRID = grid()
WHOLE = Call(
    reply="on", model="gpt-4o", usage=Usage(prompt_tokens=100, output_tokens=10), cost_usd=0.5
)
UNPRICED = WHOLE.model_copy(update={"cost_usd": None})
UNCOUNTED = Call(reply="on", model="gpt-4o")
FAILED = Call(error="The server sent nothing for 180 seconds.")


@pytest.mark.parametrize(
    ("calls", "tokens", "cost_usd", "list_price_usd"),
    [
        ((WHOLE, WHOLE), 220, 1.0, None),
        ((UNPRICED,), 110, None, 0.00035),
        # a sum over the others would pass for what the walk took
        ((WHOLE, UNCOUNTED), None, None, None),
        ((WHOLE, UNPRICED), 220, None, None),
        ((WHOLE, FAILED), 110, 0.5, None),
        ((FAILED,), None, None, None),
        ((), None, None, None),
    ],
)
def test_sums_over_calls(
    calls: tuple[Call, ...],
    tokens: int | None,
    cost_usd: float | None,
    list_price_usd: float | None,
) -> None:
    walk = trace(episode(straight(), "1"), [straight()])
    [first, *rest] = walk.steps
    walk = walk.model_copy(update={"steps": (first.model_copy(update={"calls": calls}), *rest)})
    facts = facts_of(walk)
    row = episode_row(walk, GRID, {}, find_divergence(walk, GRID))
    columns = {name: column.value(row) for name, column in episode_columns().items()}
    shown = {name: columns[name] for name in ("tokens", "cost_usd", "list_price_usd")}
    assert shown == {
        "tokens": tokens,
        "cost_usd": cost_usd,
        "list_price_usd": pytest.approx(list_price_usd),
    }
    assert facts.tokens == tokens
    if WHOLE in calls and UNPRICED in calls:
        assert facts.cost_usd == pytest.approx(0.50035), "own prices and list prices add up"
    else:
        assert facts.cost_usd == pytest.approx(cost_usd or list_price_usd)


QUERIES: tuple[Mapping[str, str], ...] = (
    {},
    {"q": "LEFT the"},
    {"q": "ß İstanbul"},
    {"outcome": "failure", "sort": "-NE"},
    {"outcome": "failure,success", "sort": "nDTW"},
    {"sort": "episode"},
    {"sort": "-instruction"},
    {"NE": "0,25.5", "sort": "diverged_at"},
    {"length_m": "10,1e3", "skills": "Stop", "sort": "-length_m"},
    {"sub_goals": "0,4", "sort": "-outcome"},
    {"act": "nothing"},
    {"sort": "gave_up"},
)

SCRIPT = """
import { readFileSync } from "node:fs";
import { Rows } from "./src/list/rows.js";
import { paramsOf, stateFrom } from "./src/list/state.js";
const { rows, columns, queries } = JSON.parse(readFileSync(0, "utf8"));
const made = new Rows(rows);
const answers = queries.map((query) => {
  const state = stateFrom(new URLSearchParams(query), columns);
  return { ids: made.apply(state).map((row) => rows.episode[row]), query: paramsOf(state) };
});
console.log(JSON.stringify(answers));
"""


def in_the_browser(table: pd.DataFrame, queries: tuple[Mapping[str, str], ...]) -> Any:
    """What the list's JavaScript shows of a table."""
    rows = list_columns(table, ("act", "skills", "gave_up", "nDTW", "sub_goals"))
    entries = [one.model_dump(mode="json", exclude_none=True) for one in column_entries(rows)]
    given = json.dumps({"rows": rows, "columns": entries, "queries": queries}, allow_nan=False)
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node, as the player's own tests do")
    done = subprocess.run(
        [node, "--input-type=module", "-e", SCRIPT],
        cwd=ROOT / "assets" / "player",
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(table: pd.DataFrame) -> None:
    answers = in_the_browser(table, QUERIES)
    for query, answer in zip(QUERIES, answers, strict=True):
        own = EpisodeList.from_query(query)
        assert answer["ids"] == own.apply(table)["episode"].tolist(), query
        assert EpisodeList.from_query(answer["query"]) == own


def hard_rows() -> pd.DataFrame:
    """Rows that two languages are apt to sort apart: ties by rounding, signs, cases, scripts, digits."""
    ids = ["a-2", "a_2", "A10", "a2", "é1", "ß", "٣", "3", "03", "z\u00a0z", "İ", "街 12"]
    noise = [
        12.00001, 12.0, 12.00004999, np.nan, 0.1 + 0.2, 0.3, 25.5, 25.50004, 1e9, -1, np.inf, 7,
    ]  # fmt: skip
    columns: dict[str, list[Any]] = {name: [None] * len(ids) for name in episode_columns()}
    columns |= {"episode": ids, "NE": noise, "length_m": noise[::-1], "diverged_at": [3, None] * 6}
    columns["outcome"] = ["failure", "success", "unknown"] * 4
    columns["instruction"] = [f"Turn LEFT at the {key} in İstanbul, Straße" for key in ids]
    columns["skills"] = [["Stop"], [], ["Stop", "Region"]] * 4
    table = pd.DataFrame(columns)
    for name in ("NE", "length_m", "nDTW"):
        table[name] = table[name].astype("float64")
    for name in ("diverged_at", "gave_up", "sub_goals"):
        table[name] = table[name].astype("Int64")
    return table


def test_hard_rows_are_the_same_list_in_both() -> None:
    check(hard_rows())


def test_a_sample_is_the_same_list_in_both() -> None:
    check(navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules").listing())


@pytest.mark.data
def test_700_published_walks_are_the_same_list_in_both(data_dir: Path) -> None:
    results = data_dir / "groke" / "paper_results" / "main_test_seen.json"
    graphs = data_dir / "map2seq" / "osm" / "graph"
    check(navviz.open_run(results, graphs=graphs).listing())


def test_missing_values_are_none_and_whole_numbers_are_short() -> None:
    columns = list_columns(hard_rows())
    assert columns["NE"][3] is None
    assert columns["NE"][10] is None
    assert columns["NE"][1] == 12
    assert isinstance(columns["NE"][1], int)
    assert list(columns)[:3] == ["episode", "outcome", "instruction"]
    assert "tokens" not in columns
    assert "kind" not in columns


TABLE = pd.DataFrame(
    {
        "episode": ["2", "10", "1", "7"],
        "outcome": ["failure", "failure", "success", "failure"],
        "act": ["went-on", "too-early", None, "too-early"],
        "NE": [30.0, 80.0, 2.0, float("nan")],
        "instruction": ["Go to the Bus stop", "Turn left", "Turn right at the bus", "Stop"],
    }
)


def _ids(**query: str) -> list[str]:
    return EpisodeList.from_query(query).apply(TABLE)["episode"].tolist()


def test_the_empty_list_shows_all_in_file_order() -> None:
    assert _ids() == ["2", "10", "1", "7"]
    assert not EpisodeList().filtered
    assert EpisodeList().to_query() == {}


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"outcome": "failure"}, ["2", "10", "7"]),
        ({"act": "too-early,went-on", "sort": "-NE"}, ["10", "2", "7"]),
        ({"sort": "NE"}, ["1", "2", "10", "7"]),
        ({"sort": "episode"}, ["1", "2", "7", "10"]),
        ({"sort": "-episode"}, ["10", "7", "2", "1"]),
        ({"q": "BUS"}, ["2", "1"]),
        ({"q": "turn bus"}, ["1"]),
        ({"NE": "10,50"}, ["2"]),
        ({"outcome": "unknown"}, []),
    ],
)
def test_filters_and_sort(query: dict[str, str], ids: list[str]) -> None:
    assert _ids(**query) == ids
    assert EpisodeList.from_query(query).to_query() == query


@pytest.mark.parametrize(
    "query", [{"NE": "50,10"}, {"NE": "a,b"}, {"NE": "nan,1"}, {"sort": "-nothing"}, {"sort": "x"}]
)
def test_what_a_link_says_wrongly_is_passed_over(query: dict[str, str]) -> None:
    assert EpisodeList.from_query(query) == EpisodeList()


def test_the_place_in_the_list_in_words() -> None:
    shown = EpisodeList.from_query({"outcome": "failure", "sort": "-NE"})
    order = shown.apply(TABLE)["episode"].tolist()
    place = shown.place(order, "2")
    assert (place.previous, place.next) == ("10", "7")
    assert shown.describe(place) == "2 of 3 failures, by NE, highest first"
    assert shown.describe(shown.place(order, "1")) == "not among the 3 failures"
    assert shown.place(order, "1").next == "10"
    assert EpisodeList().describe(EpisodeList().place(["4"], "4")) == "1 of 1 episode"
    assert shown.place([], "1").next is None


@pytest.mark.parametrize("search", ["", "a&b=c d", "50 % + #1 <é>"])
@pytest.mark.parametrize("acts", [(), ("too-early",), tuple(map(slug_of, HOWS))])
@pytest.mark.parametrize("limits", [None, (0.0, 3.5)])
@pytest.mark.parametrize("sort", [None, "NE", "episode"])
def test_a_link_gives_the_list_back(
    search: str, acts: tuple[str, ...], limits: tuple[float, float] | None, sort: str | None
) -> None:
    made = EpisodeList(search=search, sort=sort, descending=sort == "NE").with_choice("act", acts)
    made = made.with_range("NE", limits)
    query = made.to_query()
    assert set(query) <= set(list_keys())
    assert EpisodeList.from_query(query) == made


def test_tags_pass_where_a_row_has_all_of_them() -> None:
    table = TABLE.assign(skills=[["Turn", "Stop"], ["Turn"], [], ["Stop"]])
    assert EpisodeList.from_query({"skills": "Turn,Stop"}).apply(table)["episode"].tolist() == ["2"]
    assert EpisodeList.from_query({"sort": "skills"}) == EpisodeList()
