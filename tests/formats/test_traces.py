"""Our own traces as runs."""

from __future__ import annotations

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results
from navviz.records.trace_files import write_trace
from tests.grids import episode, grid, straight, trace

GRAPH = grid()
PATH = straight()


def _save(folder, key, run="mine", moves=(PATH,)):
    made = trace(episode(PATH, key), moves)
    made = made.model_copy(
        update={"header": made.header.model_copy(update={"run": run, "model": "m"})}
    )
    write_trace(made, folder / f"{run}-{key}.trace.jsonl")
    return made


def test_a_folder_is_a_run_for_each_run_name(tmp_path):
    made = [_save(tmp_path, "1"), _save(tmp_path, "2"), _save(tmp_path, "1", "other")]
    runs = {run.name: run for run in open_results(tmp_path, GRAPH)}
    assert {name: list(run.traces) for name, run in runs.items()} == {
        "mine": ["1", "2"],
        "other": ["1"],
    }
    assert runs["mine"].traces["1"] == made[0]
    assert (runs["mine"].navigator, runs["mine"].details["model"]) == ("test", "m")
    assert list(open_episodes(tmp_path).episodes) == ["1", "2"]


def test_one_file_is_a_run(tmp_path):
    made = _save(tmp_path, "1", run="")
    (run,) = open_results(tmp_path / "-1.trace.jsonl", GRAPH)
    assert (run.name, run.traces["1"]) == ("-1", made)


def test_a_broken_trace_is_told_and_the_rest_is_shown(tmp_path):
    _save(tmp_path, "1")
    (tmp_path / "bad.trace.jsonl").write_text("nonsense\n")
    (tmp_path / "cut.trace.jsonl").write_text(
        (tmp_path / "mine-1.trace.jsonl").read_text().replace('"id":"1"', '"id":"9"')[:-9]
    )
    (run,) = open_results(tmp_path, GRAPH)
    assert list(run.traces) == ["9", "1"]
    assert run.traces["9"].end is None
    assert [problem.file for problem in run.problems.kept] == [
        "bad.trace.jsonl:1",
        "cut.trace.jsonl:5",
    ]


def test_unknown_and_doubled_episodes_are_told(tmp_path):
    _save(tmp_path, "1")
    (tmp_path / "z.trace.jsonl").write_text((tmp_path / "mine-1.trace.jsonl").read_text())
    (run,) = open_results(tmp_path, GRAPH, {"2": episode(PATH, "2")})
    assert [problem.what for problem in run.problems.kept] == [
        "is not in the episodes file",
        "has two traces",
    ]


def test_nothing_readable_is_refused(tmp_path):
    (tmp_path / "bad.trace.jsonl").write_text("nonsense\n")
    with pytest.raises(
        InputError,
        match=r"holds no trace that can be read \(bad\.trace\.jsonl:1: the first line is no JSON",
    ):
        open_results(tmp_path, GRAPH)
