"""The same content in one file or in several, three times or 120 times, gives the same rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from navviz.records.trace_files import unfold
from navviz.runs.index import build, indexed
from navviz.runs.opened import load_all
from navviz.runs.sources import Source
from tests.grids import episode, grid, state_item, straight, trace, write_grid, write_json
from tests.metamorphic.indoors import ENTRY, FLAT, KNOWN, house
from tests.metamorphic.outdoors import TEXT
from tests.metamorphic.sample import episode_table, run_table

WALKS = ([straight()], [("r0c0", "r0c1"), ("r0c1", "r1c1")], [()])
"""A success, a wrong turn, and one that stayed."""
LARGE = 120


def _lines(keys: Iterable[int]) -> str:
    """Traces one after another as another program writes them: keys sorted, so that no line begins
    with its type.
    """
    events = []
    for key in keys:
        own_episode = episode(straight(), f"e{key}", instruction=TEXT, start_heading_deg=90)
        events += unfold(trace(own_episode, WALKS[key % 3]))
    return (
        "\n".join(json.dumps(event.model_dump(mode="json"), sort_keys=True) for event in events)
        + "\n"
    )


def _table(path: Path, folder: Path) -> pd.DataFrame:
    (run,) = load_all(Source("walks", "opened", (folder / "town",), None, path))
    assert run.problems.count == 0
    return run.table(all=True).reset_index(drop=True).drop(columns=["navigator", "split"])


def test_three_traces_and_120_have_the_same_rows(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(indexed, "AT_ONCE", LARGE // 2)
    build._LAST.clear()
    write_grid(tmp_path / "town")
    few, many, spread = tmp_path / "few.jsonl", tmp_path / "many.jsonl", tmp_path / "spread"
    few.write_text(_lines(range(3)))
    many.write_text(_lines(range(LARGE)), encoding="utf-8-sig")
    spread.mkdir()
    for key in range(3):
        (spread / f"{key}.trace.jsonl").write_text(_lines([key]))
    expected = _table(few, tmp_path)
    pd.testing.assert_frame_equal(_table(spread, tmp_path), expected)
    repeated = pd.concat([expected] * (LARGE // 3), ignore_index=True)
    pd.testing.assert_frame_equal(_table(many, tmp_path), repeated)


def test_methods_in_one_state_file_or_in_two(tmp_path):
    one = {"5": state_item(straight(), ["r0c0", "r0c4"], "json")}
    other = {"5": state_item(straight(), ["r0c0", "r1c0"], "grid")}
    both = {"5": {**one["5"], "grid": other["5"]["grid"]}}
    files = [
        write_json(tmp_path / f"{k}.json", states) for k, states in enumerate((both, one, other))
    ]
    (joined, _), (first, _), (second, _) = (run_table(file, grid()) for file in files)
    assert [run[1:] for run in joined] == [run[1:] for run in (*first, *second)]


def test_episodes_in_one_file_or_in_two(tmp_path):
    entries = [ENTRY, {**ENTRY, "path_id": 7}]
    whole, first, second = (
        episode_table(write_json(tmp_path / str(k) / "R2R_val.json", part))[0]
        for k, part in enumerate((entries, entries[:1], entries[1:]))
    )
    assert [a + b for a, b in zip(first, second, strict=True)] == list(whole)


def test_results_find_their_episodes_in_one_file_beside_them_or_in_two(tmp_path):
    tables = []
    for k, parts in enumerate(([ENTRY], [ENTRY, {**ENTRY, "path_id": 7}])):
        for number, part in enumerate(parts):
            write_json(tmp_path / str(k) / f"R2R_val_{number}.json", [part])
        tables.append(run_table(write_json(tmp_path / str(k) / "submit.json", FLAT), house()))
    assert tables[0] == tables[1]
    traces = tables[0][0][0][2]
    assert [each["header"]["episode"]["id"] for each in traces] == list(KNOWN)
