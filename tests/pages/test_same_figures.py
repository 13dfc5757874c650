"""Python, command line, app, site and report say the same figures of a run."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import navviz
from navviz.cli import application
from navviz.runs.opened import OPEN_VARIABLE
from navviz.ui.explore.page import tiles_of
from tests.nights import by_day
from tests.pages.conftest import OpenPage
from tests.paths import SAMPLES
from tests.sites import parts_in

RUNS = (
    "harbour/runs/rules",
    "harbour/runs/groke-by-hand",
    "harbour/runs/staged-rules",
    "house/runs/msnav-by-hand",
    "house/runs/skillnav-by-hand",
)
POOLED = {"ISR", "TAR", "contest", "stops"}
"""Counted over sub-tasks: their mean is not that of a table's rows."""


def _printed(*words: object) -> str:
    done = CliRunner().invoke(application(), [*map(str, words), "--quiet"])
    assert done.exit_code == 0, done.output
    return done.stdout


class _Figures:
    """What `run.table()` says of a run; every other place is held against it."""

    def __init__(self, path: Path) -> None:
        self.run = navviz.open_run(path)
        self.table = self.run.table(causes=True)
        counted = self.table[~self.table.index.isin(self.run.scores.errors)]
        self.mean: dict[str, float] = {}
        self.count: dict[str, int] = {}
        for name, mean in self.run.scores.means.items():
            if name in POOLED:
                continue
            values = counted[name].dropna().astype(float)
            if mean is not None:
                self.mean[name], self.count[name] = float(values.mean()), len(values)
        self.failures = int((self.table["outcome"] == "failure").sum())
        causes = self.table["cause"][self.table["outcome"] == "failure"].dropna()
        self.causes = dict(causes.value_counts())

    def check(self, place: str, means: Mapping[str, Any], counts: Mapping[str, Any]) -> None:
        assert set(means) >= set(self.mean), place
        for name, mean in self.mean.items():
            assert math.isclose(means[name], mean, rel_tol=1e-9, abs_tol=1e-9), (place, name)
            assert counts[name] == self.count[name], (place, name)


@pytest.mark.parametrize(
    "name", by_day(RUNS, ["harbour/runs/groke-by-hand", "house/runs/msnav-by-hand"])
)
def test_a_run_has_the_same_figures_everywhere(name, tmp_path, page, monkeypatch):
    path = SAMPLES / name
    result = _Figures(path)
    result.check("scores", result.run.scores.means, result.run.scores.counts)
    score = json.loads(_printed("score", path, "--format", "json"))
    result.check("navviz score", score, score["counts"])
    # one run after the name: mean as people read it, n, and what it is
    lines = [line for line in _printed("score", path, "--format", "md").splitlines() if line]
    head, _, *cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    printed = [dict(zip(head, row, strict=False)) for row in cells]
    scored = {row["metric"]: row[result.run.label] for row in printed}
    wanted = [name for name, mean in result.run.scores.means.items() if mean is not None]
    words = ("table", path, "--metrics", ",".join(wanted), "--intervals", "--format", "json")
    (row,) = json.loads(_printed(*words))["rows"]
    table = {figure["metric"]: figure for figure in row["figures"]}
    result.check("navviz table", *_columns(table, "value", "episodes"))

    report = json.loads(_printed("report", path, "--format", "json", "--controls", "0"))
    figures = {figure["metric"]: figure for figure in report["figures"]}
    result.check("navviz report", *_columns(figures, "mean", "n"))
    for metric, figure in figures.items():
        ends = table[metric]["low"], table[metric]["high"]
        # a group of tasks has pooled figures, which the table gives no interval
        assert ends == (figure["low"], figure["high"]) or ends == (None, None), metric
    assert report["failures"] == result.failures
    leading = {}
    for cause in report["causes"]:
        hint = " (hint)" if cause["grade"] == "hint" else ""
        if cause["id"] is not None and cause["likely"] + cause["hinted"]:
            leading[cause["name"] + hint] = cause["likely"] + cause["hinted"]
    assert leading == result.causes
    acts = {act["slug"]: act["failures"] for act in report["acts"]}
    assert acts == result.table["act"].value_counts().loc[lambda count: count > 0].to_dict()

    _printed("publish", path, "--out", tmp_path / "site")
    (site,) = parts_in(tmp_path / "site" / "data" / "site.js")
    (published,) = site["runs"]
    shown = {figure["metric"]: figure for figure in published["figures"]}
    result.check("site", *_columns(shown, "value", "n"))
    for metric, figure in shown.items():
        assert figure["text"] == scored[metric], metric
    _check_tables(path, texts=scored)
    for metric in POOLED & figures.keys():
        pooled = result.run.scores.means[metric]
        assert figures[metric]["mean"] == shown[metric]["value"] == table[metric]["value"] == pooled
    for metric, figure in figures.items():
        ends = shown[metric].get("low"), shown[metric].get("high")
        assert ends == (figure["low"], figure["high"]), metric
    assert (published["failures"], published["summary"]) == (result.failures, report["summary"])
    counted = [(cause["name"], cause["likely"] + cause["hinted"]) for cause in report["causes"]]
    assert [(cause["name"], cause["likely"]) for cause in published["causes"]] == counted
    (listed,) = parts_in(tmp_path / "site" / "data" / "list-0.js")
    assert listed["outcome"] == result.table["outcome"].tolist()
    _check_list(result.table, listed)
    texts = {metric: figure["text"] for metric, figure in shown.items()}
    _check_head(result, figures, texts, page, monkeypatch)


def _check_tables(path: Path, *, texts: Mapping[str, str]) -> None:
    """Tables of papers say the same digits, whose units stand in their heads."""
    found = 0
    for words in (("table", path, "--metrics", "SR,NE"), ("report", path, "--controls", "0")):
        printed = _printed(*words, "--format", "md")
        for metric in ("SR", "NE"):
            if texts.get(metric, "–") == "–":
                continue
            number = re.escape(texts[metric].removesuffix(" %").removesuffix(" m"))
            assert re.search(rf"\| {number}( %| m)? \|", printed), (words[0], metric)
            found += 1
    assert found or texts.get("SR", "–") == "–"


def _columns(
    figures: Mapping[str, Mapping[str, Any]], mean: str, count: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    return (
        {name: figure[mean] for name, figure in figures.items()},
        {name: figure[count] for name, figure in figures.items()},
    )


def _check_list(table: pd.DataFrame, listed: Mapping[str, list[Any]]) -> None:
    """Each figure of the site's list is that of the table, as far as it is written."""
    compared = 0
    for name in listed.keys() & {"NE", "SR", "SPL", "nDTW", "SDTW", "TL", "steps"}:
        for ours, theirs in zip(table[name], listed[name], strict=True):
            assert pd.isna(ours) == (theirs is None)
            if theirs is not None:
                assert theirs == pytest.approx(float(ours), abs=1e-3)
            compared += 1
    assert compared


def _check_head(
    expected: _Figures,
    figures: Mapping[str, Mapping[str, Any]],
    published: Mapping[str, str],
    page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The figures above Explore's list."""
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"results": str(expected.run.source.results)}))
    at = page("explore")
    shown = {tile.label: (tile.value, tile.delta) for tile in at.metric}
    tiles = tiles_of(expected.run, expected.run.scores.means)
    assert len(tiles) > 4
    for tile in tiles:
        metric = tile.name
        value, said = shown[tile.label or metric]
        if expected.run.scores.means.get(metric) is None:
            assert value == "–", metric
            continue
        # indoors with centimetres, as on the site
        assert value == published[metric], metric
        assert said.endswith(f"n {expected.run.scores.counts[metric]:,}"), metric
        ends = re.search(r"\[(\d+), (\d+)\]", said)
        if ends is not None:
            wanted = [round(100 * figures[metric][end]) for end in ("low", "high")]
            assert [int(ends[1]), int(ends[2])] == wanted, metric
