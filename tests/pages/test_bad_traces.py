"""Traces with numbers that are none, unknown fields and a pipe among them: every page opens without
these.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from navviz.runs.opened import OPEN_VARIABLE, open_run
from tests.pages.conftest import OpenPage
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"
GRAPH = HARBOUR / "osm" / "graph"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "walks"
    folder.mkdir()
    for file in sorted((HARBOUR / "runs" / "groke-by-hand").glob("*.trace.jsonl"))[:3]:
        events = [json.loads(line) for line in file.read_bytes().splitlines()]
        (folder / file.name).write_text(
            "".join(json.dumps(_spoilt(event)) + "\n" for event in events)
        )
    os.mkfifo(folder / "x.trace.jsonl")
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(GRAPH), "results": str(folder)}))
    return folder


def _spoilt(value: object, name: str = "") -> object:
    """Replace most numbers by some that nobody can count with."""
    if isinstance(value, dict):
        spoilt = {key: _spoilt(item, key) for key, item in value.items()}
        return spoilt if name in {"prices", "poses"} else spoilt | {"from_the_future": 1}
    if isinstance(value, list):
        return [_spoilt(item, name) for item in value]
    if name in {
        "heading_deg",
        "distance_m",
        "angle_deg",
        "seconds",
        "start_heading_deg",
        "label",
        "value",
    }:
        return float("nan")
    if name in {"prompt_tokens", "output_tokens", "thoughts_tokens"}:
        return 10**400
    return float("inf") if name in {"cost_usd", "score"} else value


@pytest.mark.parametrize("name", ["explore", "replay", "compare", "live"])
def test_a_page_opens(name: str, page: OpenPage, folder: Path) -> None:
    key = next(iter(open_run(folder, graphs=GRAPH).traces))
    at = page(name, run="walks", episode=key, step="2")
    assert not at.error


def test_what_was_left_out_is_named(folder: Path) -> None:
    run = open_run(folder, graphs=GRAPH)
    assert len(run.traces) == 3
    assert run.table(all=True)["tokens"].isna().all()
    problems = [str(problem) for problem in run.problems.kept]
    assert "x.trace.jsonl: is a pipe, not a file; choose a regular file." in problems
    unknown = [problem for problem in run.problems.kept if problem.field == "step.from_the_future"]
    assert [problem.times for problem in unknown] == [
        len(trace.steps) for trace in run.traces.values()
    ]
