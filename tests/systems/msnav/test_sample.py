"""The recorded run: what it is to show stands in it, and it comes out the same again."""

from __future__ import annotations

import importlib
import json
import sys

import pytest

from navviz.formats import open_results
from navviz.records import Trace
from tests.systems.msnav.scripts import HOUSE


@pytest.fixture(scope="module")
def traces(house):
    return dict(open_results(HOUSE / "runs" / "msnav-by-hand", house)[0].traces)


def titles(trace: Trace) -> list[str]:
    return [panel.title for step in trace.steps for panel in step.panels]


def test_what_it_is_to_show_stands_in_it(traces):
    assert set(traces) == {"101_0", "102_0", "104_0", "108_0"}
    assert traces["101_0"].end is not None
    assert traces["101_0"].end.node == traces["101_0"].episode.goal
    assert "the first move is taken" in (traces["101_0"].steps[0].decision.reason or "")  # type: ignore[union-attr]
    tables = [
        p
        for s in traces["102_0"].steps
        for p in s.panels
        if p.title == "Pruning" and p.kind == "table"
    ]
    assert sum(row[3] == "removed" for table in tables for row in table.data["rows"]) == 5
    before = next(p for p in traces["102_0"].steps[14].panels if p.title == "Pruning")
    assert "not started (step 14 of 15)" in before.data["text"]
    assert traces["104_0"].end is not None
    assert traces["104_0"].end.reason == "a reply that is no JSON stops the walk"
    assert "Hint: stopped at a look-alike?" in titles(traces["108_0"])
    assert all("text variant" in trace.header.settings["variant"] for trace in traces.values())


def test_it_comes_out_the_same_again(traces, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(HOUSE.parent / "build"))
    names = ("record_msnav", "record_runs", "make_house", "house_plan")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    importlib.import_module("record_msnav").record(tmp_path)
    for key in traces:
        old, new = (
            [
                json.loads(line)
                for line in (folder / "msnav-by-hand" / f"{key}.trace.jsonl")
                .read_text()
                .splitlines()
            ]
            for folder in (HOUSE / "runs", tmp_path)
        )
        assert [timeless(event) for event in new] == [timeless(event) for event in old], (
            "recorded by other code: run assets/samples/build/record_msnav.py and look at the difference"
        )


def timeless(event: dict) -> dict:
    """The event without the seconds that its calls took, and the version of the format."""
    event.pop("schema_version", None)
    calls = [event.get("call"), *event.get("calls", [])]
    for call in calls:
        if isinstance(call, dict):
            call.pop("seconds", None)
    return event
