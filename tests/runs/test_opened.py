"""Sources and open runs: names, methods, links to graphs, and what is said when something is
missing.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import navviz
from navviz import formats
from navviz.errors import InputError
from navviz.records.trace_files import write_trace
from navviz.runs.opened import load
from navviz.runs.sources import (
    OPEN_VARIABLE,
    catalogue,
    from_folder,
    from_path,
    graphs_beside,
    opened_from_environment,
    samples,
    workspace_runs,
)
from tests.grids import episode, trace
from tests.worlds import ROUTE, write_states, write_world


@pytest.fixture
def folder(tmp_path):
    write_world(tmp_path)
    write_states(
        tmp_path / "walks.json",
        {
            "1": {"json": ["s1", "e1"], "grid": ["s1", "n0"]},
            "2": {"json": ["s1", "x", "w1"], "grid": ["s1", None, "e1"]},
        },
    )
    return tmp_path


def test_a_folder_gives_one_source_a_method(folder):
    found = from_folder(folder)
    assert [source.name for source in found] == ["walks/json", "walks/grid"]
    assert all(source.graphs == (folder / "osm" / "graph",) for source in found)


def test_a_run_knows_its_graph_scores_and_divergences(folder):
    run = load(from_folder(folder)[0])
    assert list(run.traces) == ["1", "2"]
    assert run.traces["1"].path == tuple(ROUTE)
    table = run.table()
    assert table.loc["1", "outcome"] == "success"
    assert table.loc["2", "outcome"] == "failure"
    assert table.loc["2", "NE"] == pytest.approx(120, abs=0.5)  # from w1 to e1
    assert table.loc["1", "length_m"] == pytest.approx(120, abs=0.5)
    assert run.divergence("2").step == 2
    assert "turn" in run.divergence("2").kind


def test_open_run_of_a_notebook_finds_the_method(folder):
    run = navviz.open_run(folder / "walks.json", graphs=folder / "osm" / "graph", method="grid")
    assert run.traces["1"].path[-1] == "n0"
    with pytest.raises(InputError, match="no method textual; choose one of: json, grid"):
        navviz.open_run(folder / "walks.json", graphs=folder / "osm" / "graph", method="textual")


def test_episodes_without_results_can_be_looked_at(folder):
    (folder / "walks.json").unlink()
    run = load(from_folder(folder)[0])
    (row,) = run.table(all=True).reset_index().to_dict("records")
    assert row["outcome"] == "unknown"
    assert row["steps"] == 0


def test_what_is_missing_is_named(tmp_path, folder):
    with pytest.raises(InputError, match=r"nowhere: is not there; check the path\."):
        from_folder(tmp_path / "nowhere")
    run = load(from_folder(folder)[0])
    with pytest.raises(InputError, match="episode 99: run walks/json has no such episode"):
        run.trace("99")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="empty"):
        from_folder(empty)


def test_the_command_line_tells_what_to_open(folder, monkeypatch):
    fields = {"graphs": str(folder / "osm" / "graph"), "results": str(folder / "walks.json")}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(fields))
    names = [source.name for source in catalogue(opened_from_environment())]
    assert names[:2] == ["walks/json", "walks/grid"]
    assert any(name.startswith("harbour/") for name in names)


def test_streamlit_run_takes_the_same_options(folder):
    found = opened_from_environment(["--server.port", "1", "--data", str(folder)])
    assert [source.name for source in found] == ["walks/json", "walks/grid"]
    assert opened_from_environment(["-q", "tests/test_workspace.py"]) == []


def test_a_folder_of_runs_is_opened_as_the_runs_in_it(tmp_path):
    runs = tmp_path / "runs"
    for name in ("a", "b"):
        (runs / name).mkdir(parents=True)
        write_trace(trace(episode(["r0c0", "r0c1"], "e1"), []), runs / name / "e1.trace.jsonl")
    found = opened_from_environment(["--results", str(runs)])
    assert sorted(source.name for source in found) == ["a", "b"]


def test_a_path_is_opened_as_what_it_holds(folder):
    (episodes,) = from_path(folder / "splits" / "tiny.json")
    assert (episodes.episodes, episodes.results) == (folder / "splits" / "tiny.json", None)
    assert episodes.graphs == (folder / "osm" / "graph",)
    assert [source.method for source in from_path(folder / "walks.json")] == ["json", "grid"]
    assert from_path(folder, Path("elsewhere"))[0].graphs == (Path("elsewhere"),)
    map_file = folder / "town.osm"
    map_file.write_text("<osm/>")
    assert from_path(map_file)[0].graphs == (map_file,)


def test_newcomers_see_a_run_with_thoughts_first_and_the_rules_next():
    names = [source.name for source in samples()]
    assert names[:2] == ["harbour/groke-by-hand", "harbour/rules"]
    assert next(name for name in names if name.startswith("house/")) == "house/rules-indoors"


def test_open_run_of_a_folder_takes_method_and_episodes(folder):
    assert navviz.open_run(folder).trace("1").path[-1] == "e1"
    assert navviz.open_run(folder, method="grid").trace("1").path[-1] == "n0"
    with pytest.raises(InputError, match="no method textual; choose one of: json, grid"):
        navviz.open_run(folder, method="textual")
    split = json.loads((folder / "splits" / "tiny.json").read_text())
    split[0]["instructions"] = "Another wording."
    other = folder.with_name(f"{folder.name}-other.json")
    other.write_text(json.dumps(split))
    run = navviz.open_run(folder, episodes=other)
    key = str(split[0]["instructions_id"])
    assert run.trace(key).episode.instruction == "Another wording."


def test_a_folder_without_results_has_no_method(folder):
    (folder / "walks.json").unlink()
    with pytest.raises(InputError, match="no results, so no method grid"):
        navviz.open_run(folder, method="grid")


def test_a_changed_file_changes_the_stamp(folder):
    (first, _) = from_folder(folder)
    before = first.stamp
    write_states(folder / "walks.json", {"1": {"json": ["s1"], "grid": ["s1"]}})
    assert first.stamp != before


def test_uploads_lie_beside_no_graph(tmp_path):
    lonely = tmp_path / "a" / "b" / "c" / "d"
    lonely.mkdir(parents=True)
    path = write_states(lonely / "walks.json", {"1": {"json": ["s1"]}})
    assert graphs_beside(path) == ()


def test_only_maps_are_looked_for_beside_results(folder, monkeypatch):
    """What else lies around may be a whole disk of data."""
    graphs = formats.discover(folder).graphs
    assert graphs

    def refused(*_arguments: object) -> object:
        raise AssertionError("results were looked for")

    monkeypatch.setattr(formats, "_outermost", refused)
    assert graphs_beside(folder / "walks.json") == graphs


def test_a_run_that_notes_no_map_says_that_the_samples_stand_in(tmp_path, monkeypatch):
    mine = tmp_path / "runs" / "mine"
    mine.mkdir(parents=True)
    trace = navviz.samples_dir() / "harbour" / "runs" / "rules" / "1.trace.jsonl"
    (mine / trace.name).write_bytes(trace.read_bytes())
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    problems = [
        str(problem) for source in workspace_runs() for problem in load(source).problems.kept
    ]
    assert len(problems) == 1
    assert problems[0].startswith("mine/run.json: names no map")
    assert [str(problem) for problem in navviz.open_run(mine).problems.kept] == problems
    (mine / "run.json").write_text(
        json.dumps({"graphs": str(navviz.samples_dir() / "harbour" / "osm" / "graph")})
    )
    assert not [problem for source in workspace_runs() for problem in load(source).problems.kept]
    assert not navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules").problems.kept


def test_blanks_around_an_own_id_make_no_second_episode(tmp_path):
    """Two tables may write one id as "5" and " 5"; the run counted it twice."""
    harbour = navviz.samples_dir() / "harbour"
    header, *events = (harbour / "runs" / "rules" / "1.trace.jsonl").read_text().splitlines()
    for name, key in (("a", "5"), ("b", " 5"), ("c", "6 ")):
        fields = json.loads(header)
        fields["episode"]["id"] = key
        lines = [json.dumps(fields, separators=(",", ":")), *events]
        (tmp_path / f"{name}.trace.jsonl").write_text("\n".join(lines) + "\n")
    run = navviz.open_run(tmp_path, graphs=harbour / "osm" / "graph")
    assert list(run.traces) == ["5", "6"]
    assert [str(problem) for problem in run.problems.kept] == [
        f"{tmp_path.name}, episode 5: has two traces; keep one; the first is used."
    ]
