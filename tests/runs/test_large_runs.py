"""A large run is opened through an index: the same figures as when it is read whole, and every
change is seen.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Callable

import networkx as nx
import pandas as pd
import pytest

from navviz.errors import InputError, NavVizError
from navviz.formats import open_graph
from navviz.metrics.score import score_run
from navviz.records.lazy_traces import LazyTraces
from navviz.runs.index import build, files, indexed
from navviz.runs.index.kept import KeptRun
from navviz.runs.index.measure import Stage
from navviz.runs.opened import OpenRun, load, load_all
from navviz.runs.sources import Source, expanded
from navviz.support.installation.files import samples_dir
from navviz.support.locks import FileLock
from navviz.world.graph import Graph
from tests.runs.large import large_folder, read_whole

HARBOUR = samples_dir() / "harbour"
GRAPH = HARBOUR / "osm" / "graph"


@pytest.fixture(scope="module")
def graph():
    return open_graph(GRAPH)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """All sample walks of a world in one folder, so of several runs; the sample of one run beside
    it.
    """
    runs = sorted((HARBOUR / "runs").iterdir())
    walks = (
        (f"{run.name}-{file.name}", file) for run in runs for file in run.glob("*.trace.jsonl")
    )
    return large_folder(tmp_path, monkeypatch, walks, 5)


Opener = Callable[[], list[OpenRun]]


@pytest.fixture
def opened(folder, graph):
    return lambda: load_all(
        Source("walks", "opened", (GRAPH,), None, folder), lambda _path, _world: graph
    )


def test_figures_and_table_are_those_of_a_run_that_is_read_whole(opened, folder, graph):
    large, whole = opened(), read_whole(folder, graph)
    assert all(run.kept_at is not None for run in large)
    assert [run.label for run in large] == [run.label for run in whole]
    assert len(large) > 4
    for one, other in zip(large, whole, strict=True):
        pd.testing.assert_frame_equal(one.table(), other.table())
        assert dict(one.scores.rows) == dict(other.scores.rows)
        assert (one.scores.means, one.scores.counts) == (other.scores.means, other.scores.counts)
        assert (one.scores.errors, one.scores.counted_errors) == (
            other.scores.errors,
            other.scores.counted_errors,
        )
        assert list(one.scores.means) == list(other.scores.means)
        assert dict(one.traces) == dict(other.traces)
        assert dict(one.divergences) == dict(other.divergences)
        assert (one.run.navigator, one.run.details) == (other.run.navigator, other.run.details)
        assert (one.worlds, one.instructions) == (other.worlds, other.instructions)
        assert (one.starts(), one.starts(walked=True)) == (
            other.starts(),
            other.starts(walked=True),
        )
        assert one.has_tasks is other.has_tasks
        assert (one.datasets, one.facts) == (other.datasets, other.facts)
        assert all(one.map_walks(world)[1] == other.map_walks(world)[1] for world in one.worlds)


def test_the_list_is_there_before_anything_is_measured(opened):
    run = opened()[0]
    assert not run.complete
    first = run.known_table()
    assert run.view.measured == 0
    assert first["nDTW"].isna().all()
    measured = run.listing()
    for name in ("episode", "instruction", "steps", "outcome"):
        pd.testing.assert_series_equal(first[name], measured[name])
    assert first["NE"].tolist() == pytest.approx(measured["NE"].tolist(), rel=1e-12)
    assert run.complete
    known = score_run(run, run.graph_of).means
    assert run.known_scores().means == known


def test_the_second_time_nothing_is_read(opened, monkeypatch):
    table = opened()[0].table()
    build._LAST.clear()
    monkeypatch.setattr(
        build, "read_heads", lambda _folder, states: pytest.fail(f"{len(states)} files were read")
    )
    again = opened()[0]
    assert again.complete
    pd.testing.assert_frame_equal(again.table(), table)


def test_changed_added_and_removed_traces_are_seen_also_older_ones(opened, folder):
    first = opened()[0]
    first.table()
    changed, removed, *_ = sorted(folder.glob("action-sampling-*"))
    lines = changed.read_text().splitlines(keepends=True)
    changed.write_text("".join(lines[:2]))
    os.utime(changed, ns=(1, 1))
    removed.unlink()
    again = opened()[0]
    assert len(again) == len(first) - 1
    assert [state.file for state in build.left_to_measure(again.view.rows)] == [changed.name]
    assert len(again.trace(again.view.rows["episode"].to_pylist()[0]).steps) < 5
    (folder / removed.name).write_text("".join(lines))
    assert again.table().shape[0] == len(first) - 1
    # the file that was added tells of an episode that is there twice
    assert len(opened()[0]) == len(first) - 1


def test_what_cannot_be_read_is_told_as_in_a_run_that_is_read_whole(opened, folder, graph):
    first, second, third, fourth, *_ = sorted(folder.glob("action-sampling-*"))
    first.write_text("no trace at all\n")
    second.write_bytes(second.read_bytes() + b'{"type":"move","pa')
    third.write_text("")
    (folder / "z.trace.jsonl").write_bytes(fourth.read_bytes())
    large, whole = opened()[0], read_whole(folder, graph)[0]
    large.table()
    assert list(large.traces) == list(whole.traces)
    assert large.problems.count == whole.problems.count >= 3
    assert [str(one) for one in large.problems.kept] == [str(one) for one in whole.problems.kept]
    pd.testing.assert_frame_equal(large.table(), whole.table())


@pytest.mark.parametrize("damage", [b"", b"PAR1 and no more", None])
def test_a_damaged_index_is_made_anew_with_a_line_in_the_log(opened, folder, damage, caplog):
    table = opened()[0].table()
    index = KeptRun(folder, (GRAPH,)).file
    raw = bytearray(index.read_bytes())
    # of a column; the footer of so few rows takes most of the file, and has no checksum
    raw[len(raw) // 8] ^= 0xFF
    index.write_bytes(bytes(raw) if damage is None else damage)
    build._LAST.clear()
    with caplog.at_level(logging.INFO):
        again = opened()[0].table()
    pd.testing.assert_frame_equal(again, table)
    assert "it is made anew" in caplog.text


def test_a_cache_folder_that_cannot_be_written_is_no_reason_to_fail(
    opened, folder, graph, tmp_path, monkeypatch
):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "file"))
    large, whole = opened()[0], read_whole(folder, graph)[0]
    pd.testing.assert_frame_equal(large.table(), whole.table())


def test_nothing_is_written_beside_the_traces(opened, folder):
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    opened()[0].table()
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_what_another_process_measured_is_taken_over(opened, folder):
    run = opened()[0]
    run.refresh()
    assert run.view.measured == 0
    build.build(KeptRun(folder, (GRAPH,)))
    run.refresh()
    assert run.complete
    assert run.view.rows["stage"].to_pylist() == [Stage.MEASURED] * len(run)


def test_an_older_state_never_replaces_a_later_one(opened):
    """A page's thread may have read the index before another thread measured it."""
    run = opened()[0]
    before = run.view
    run.finish()
    after = run.view
    run._take(before)
    assert run.view is after
    assert run.complete
    assert before.frame["nDTW"].isna().all(), "a page that still shows the older state keeps it"
    assert after.frame["nDTW"].notna().all()


def test_a_measuring_process_that_was_ended_is_named(opened, monkeypatch):
    killed = [sys.executable, "-S", "-c", "import os; os.kill(os.getpid(), 9)"]
    monkeypatch.setattr(build, "ALONE", 0)
    monkeypatch.setattr(build, "_process", lambda _place: subprocess.Popen(killed))
    run = opened()[0]
    with pytest.raises(NavVizError, match=r"was ended when 0 of \d+ traces were done"):
        run.table()
    monkeypatch.setattr(build, "ALONE", 2500)
    assert run.table()["nDTW"].notna().all()


def test_traces_without_their_graph_can_be_read(folder, monkeypatch):
    monkeypatch.setattr(indexed, "AT_ONCE", 1000)
    run = load(Source("walks", "opened", (), None, folder))
    first = next(iter(run.traces))
    assert run.trace(first).episode.id == first
    with pytest.raises(InputError, match="no graph was given"):
        run.table()


def test_another_graph_object_gives_other_figures(folder, graph):
    """What lies in no file is in no index either: nobody could say which graph was meant."""
    source = Source("walks", "opened", (), None, folder)
    first = load(source, graph=graph).table()
    shape = nx.DiGraph()
    shape.add_node("elsewhere", lat=0.0, lon=0.0)
    nowhere = Graph.from_networkx(shape, "nowhere", "geo")
    second = load(source, graph=nowhere).table(all=True)
    assert first["NE"].notna().all()
    assert second["NE"].isna().all()


def test_a_graph_that_is_not_there_is_one_sentence(folder, tmp_path):
    with pytest.raises(InputError, match="graph"):
        load(Source("walks", "opened", (tmp_path / "nowhere",), None, folder))


def test_the_runs_of_a_large_folder_are_named_by_their_headers(folder):
    names = [
        source.method for source in expanded(Source("walks", "opened", (GRAPH,), None, folder))
    ]
    assert names == [run.name for run in sorted((HARBOUR / "runs").iterdir())]


def test_one_process_at_a_time_measures(folder):
    place = KeptRun(folder, (GRAPH,))
    other = FileLock(place.sibling(".lock"))
    with place.alone():
        assert not other.acquire()
    assert other.acquire()
    other.release()


def test_some_episodes_of_a_large_run_are_traces_too(opened):
    run = opened()[0]
    keys = list(run.traces)[1:3]
    assert isinstance(run.traces, LazyTraces)
    assert list(run.traces.only(keys)) == keys


@pytest.mark.nightly
def test_a_process_of_its_own_measures_with_a_pool_what_one_does(opened, folder):
    """Its workers are started from a module that is run, and have to find their functions."""
    alone = opened()[0].table()
    place = KeptRun(folder, (GRAPH,))
    place.file.unlink()
    build._LAST.clear()
    opened()
    build.start(place)
    assert build._STARTED[place.file].wait() == 0
    build._LAST.clear()
    assert (build.fault(place), build.progress(place)) == (None, None)
    assert not build.left_to_measure(build.current(place))
    pd.testing.assert_frame_equal(opened()[0].table(), alone)


def test_a_place_that_went_away_is_named(tmp_path):
    with pytest.raises(InputError, match=r"gone\.jsonl.*cannot be listed.*open it again"):
        files.listed(tmp_path / "gone.jsonl")
