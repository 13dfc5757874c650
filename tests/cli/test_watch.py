"""``navviz watch``: what it says of a run, and when it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import navviz
from navviz.analysis.causes.counting import explain_one
from navviz.cli.watch import watched_lines
from navviz.runs.growth import Growth
from tests.command import invoke
from tests.paths import SAMPLES
from tests.worlds import write_states, write_world

GRAPH = SAMPLES / "harbour" / "osm" / "graph"
RUN = SAMPLES / "harbour" / "runs" / "groke-by-hand"
FIGURES = "SR 50.0 % [1.3 %, 98.7 %], n 2 · NE 25.4 m"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A success, a failure, and a walk that goes on; five were planned."""
    folder = tmp_path / "growing"
    folder.mkdir()
    for name in ("1", "3"):
        shutil.copy(RUN / f"{name}.trace.jsonl", folder)
    lines = (RUN / "7.trace.jsonl").read_text().splitlines(keepends=True)
    (folder / "7.trace.jsonl").write_text("".join(lines[:12]))
    noted = {"run": "groke-by-hand", "graphs": [str(GRAPH)], "episode_count": 5}
    (folder / "run.json").write_text(json.dumps(noted))
    return folder


def test_it_ends_once_so_many_have_ended(run: Path) -> None:
    done = invoke("watch", run, "--until", 2)
    assert done.exit_code == 0
    assert "growing: 2 of 5 walked · 1 running · " + FIGURES in done.output


def test_it_shows_the_last_failures_with_their_acts(run: Path) -> None:
    opened = navviz.open_run(run)
    lines = watched_lines(opened, 5)
    act = explain_one(opened, "3").act
    assert act is not None
    assert lines[1:] == [f"  3  {act.sentence}"]


def test_a_writer_that_stopped_ends_it(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Growth, "has_stopped", lambda *_: True)
    done = invoke("watch", run, "--until-finished")
    assert done.exit_code == 3
    assert "has stopped after 2 of 5 episodes with 1 unfinished" in done.output


def test_where_nothing_was_planned_silence_is_the_end(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = {"run": "groke-by-hand", "graphs": [str(GRAPH)]}
    (run / "run.json").write_text(json.dumps(noted))
    monkeypatch.setattr(Growth, "has_stopped", lambda *_: True)
    assert invoke("watch", run, "--until-finished").exit_code == 3
    (run / "7.trace.jsonl").unlink()
    assert invoke("watch", run, "--until-finished").exit_code == 0


def test_all_that_were_planned_are_enough(run: Path) -> None:
    (run / "7.trace.jsonl").unlink()
    noted = {"run": "groke-by-hand", "graphs": [str(GRAPH)], "episode_count": 2}
    (run / "run.json").write_text(json.dumps(noted))
    assert invoke("watch", run, "--until-finished").exit_code == 0


def test_what_cannot_be_opened_is_named_and_is_no_finished_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("nothing here")
    monkeypatch.setattr(Growth, "has_stopped", lambda *_: True)
    done = invoke("watch", tmp_path, "--until-finished")
    assert done.exit_code == 3
    assert "holds nothing that NavViz reads" in done.output


def test_a_log_of_another_project_is_watched_too(tmp_path: Path) -> None:
    graph = write_world(tmp_path)
    log = write_states(tmp_path / "states.json", {"1": {"json": ["s1", "s0"]}})
    done = invoke("watch", log, "--graphs", graph, "--until", 1)
    assert done.exit_code == 0
    assert "states: 1 walked" in done.output
