"""GROKE's 700 published episodes, written as traces and opened through an index: every column as it
was.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from navviz.formats import open_graph
from navviz.records.trace_files import write_trace
from navviz.runs.index import indexed
from navviz.runs.opened import load
from navviz.runs.sources import Source

pytestmark = [pytest.mark.data, pytest.mark.nightly]


def test_700_published_episodes_have_the_same_table_through_an_index(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    graphs = data_dir / "map2seq" / "osm" / "graph"
    graph = open_graph(graphs)
    published = data_dir / "groke" / "paper_results" / "main_test_seen.json"
    whole = load(Source("main", "opened", (graphs,), None, published), lambda _path, _world: graph)
    folder = tmp_path / "traces"
    folder.mkdir()
    # numbered, as an index keeps the order of the names
    for number, trace in enumerate(whole.traces.values()):
        write_trace(trace, folder / f"{number}.trace.jsonl")
    monkeypatch.setattr(indexed, "AT_ONCE", 600)
    large = load(Source("traces", "opened", (graphs,), None, folder), lambda _path, _world: graph)
    assert large.kept_at is not None
    table, expected = large.table(), whole.table()
    assert len(table) == 700
    pd.testing.assert_frame_equal(table, expected)
    assert large.scores.means == whole.scores.means
    assert dict(large.scores.rows) == dict(whole.scores.rows)
    assert large.scores.counted_errors == whole.scores.counted_errors
