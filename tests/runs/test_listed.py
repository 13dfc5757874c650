"""The browser's list and the app's own one are the same list: one way to search, filter and sort,
in two languages.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import navviz
from navviz.runs.episode_list import EpisodeList, column_entries, list_columns
from navviz.runs.tables import episode_columns
from tests.paths import ROOT

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
        12.00001,
        12.0,
        12.00004999,
        np.nan,
        0.1 + 0.2,
        0.3,
        25.5,
        25.50004,
        1e9,
        -1,
        np.inf,
        7,
    ]
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
