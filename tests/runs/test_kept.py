"""All that is kept of a run lies in one folder of the cache, and goes with it."""

from dataclasses import replace

import pytest

from navviz.analysis.causes.counting import explained_run
from navviz.runs.index import kept
from navviz.runs.index.kept import KeptRun
from navviz.runs.opened import load
from navviz.runs.sources import Source
from tests.paths import SAMPLES
from tests.runs.large import large_folder

RUN = SAMPLES / "harbour" / "runs" / "rules"
GRAPH = SAMPLES / "harbour" / "osm" / "graph"


@pytest.fixture
def run(tmp_path, monkeypatch):
    walks = ((file.name, file) for file in RUN.glob("*.trace.jsonl"))
    folder = large_folder(tmp_path, monkeypatch, walks, 5)
    return load(Source("walks", "opened", (GRAPH,), None, folder))


def test_a_run_has_one_folder_and_the_oldest_makes_room(run, tmp_path, monkeypatch):
    (tmp_path / "cache" / "logs").mkdir()
    explained_run(run)
    (home,) = (tmp_path / "cache" / "runs").iterdir()
    assert {path.name.partition("-")[0] for path in home.iterdir()} >= {"rows.parquet", "causes"}
    assert not (tmp_path / "cache" / "logs").exists(), "an earlier layout makes room, too"
    monkeypatch.setattr(kept, "_KEPT", 1)
    KeptRun(RUN, (GRAPH,)).keep_table(run.view.table)
    assert not home.exists()


def test_what_is_found_in_a_large_run_is_kept_until_a_trace_changes(run, monkeypatch):
    explained = explained_run(run)
    monkeypatch.setattr("navviz.analysis.causes.counting.explain_run", lambda *_: {})
    assert explained_run(load(run.source)) == explained
    assert run.source.results is not None
    with next(run.source.results.iterdir()).open("a") as file:
        file.write("\n")
    assert explained_run(load(run.source)) == {}


def test_nothing_that_is_found_in_an_upload_is_kept(run, tmp_path):
    explained_run(load(replace(run.source, origin="upload")))
    assert not list((tmp_path / "cache").rglob("causes-*"))
