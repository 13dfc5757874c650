"""Names of runs: whole, no two alike, and never one in place of another."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from navviz.records.trace_files import write_trace
from navviz.runs.opened import Source, load
from navviz.runs.sources import (
    catalogue,
    from_folder,
    from_path,
    named,
    path_name,
    side_by_side,
    workspace_runs,
)
from tests.paths import SAMPLES
from tests.worlds import write_states, write_world


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("gemini-2.5-pro.json", "gemini-2.5-pro"),
        ("gemini-2.5-flash.json", "gemini-2.5-flash"),
        ("1.trace.jsonl", "1"),
        ("RxR_val.jsonl.gz", "RxR_val"),
        ("city.osm.bz2", "city"),
        (".json", ".json"),
        ("v1.0", "v1.0"),
    ],
)
def test_a_file_loses_only_the_endings_that_tell_its_format(file, name):
    assert path_name(Path("results") / file) == name


def test_a_folder_keeps_its_whole_name(tmp_path):
    folder = tmp_path / "gemini-2.5.json"
    folder.mkdir()
    assert path_name(folder) == "gemini-2.5.json"


def test_two_models_are_two_runs(tmp_path):
    write_world(tmp_path)
    for model in ("gemini-2.5-pro", "gemini-2.5-flash"):
        write_states(tmp_path / f"{model}.json", {"1": {"json": ["s1", "e1"]}})
    names = [source.name for source in catalogue(from_folder(tmp_path))]
    assert {"gemini-2.5-pro", "gemini-2.5-flash"} <= set(names)


def test_a_folder_with_traces_of_two_runs_shows_two(tmp_path):
    write_world(tmp_path)
    write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "e1"]}})
    trace = load(from_path(tmp_path / "walks.json")[0]).traces["1"]
    (tmp_path / "walks.json").unlink()
    folder = tmp_path / "mixed"
    folder.mkdir()
    for number, run in enumerate(("first", "second")):
        header = trace.header.model_copy(update={"run": run})
        write_trace(trace.model_copy(update={"header": header}), folder / f"{number}.trace.jsonl")
    sources = from_path(folder)
    assert [source.name for source in sources] == ["mixed/first", "mixed/second"]
    assert [load(source).traces["1"].header.run for source in sources] == ["first", "second"]


def test_nothing_that_is_opened_shadows_a_sample_or_a_recorded_run(tmp_path):
    path = tmp_path / "harbour.json"
    impostor = Source("harbour/rules", "opened", (), None, path)
    listed = {source.name: source for source in catalogue([impostor])}
    assert listed["harbour/rules"].origin == "sample"
    (other,) = [source for source in listed.values() if source.results == path]
    assert other.name.startswith("harbour/rules~")


def test_a_recorded_run_that_is_opened_by_its_path_is_listed_once(tmp_path, monkeypatch):
    """Where it was opened, under its own name; on another map it is another run."""
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    for name in ("older", "mine"):
        shutil.copytree(SAMPLES / "harbour" / "runs" / "rules", tmp_path / "runs" / name)
    other = Source("other", "opened", results=tmp_path / "other.json")
    (opened,) = from_path(tmp_path / "runs" / ".." / "runs" / "older")
    (recorded,) = [source for source in workspace_runs() if source.name == "older"]
    listed = catalogue([other, opened, replace(opened, graphs=recorded.graphs)])
    assert listed[:2] == [other, recorded]
    assert [source.name for source in listed].count("mine") == 1
    assert not [source for source in listed if source.name.startswith("older~")]
    elsewhere = replace(opened, graphs=(tmp_path,))
    assert catalogue([elsewhere])[0].name.startswith("older~")


def test_the_tail_of_a_taken_name_depends_on_the_place_only():
    first, second = (
        Source("walks", "opened", results=Path(folder) / "walks.json") for folder in ("a", "b")
    )
    third = Source("walks", "opened", results=Path("c/walks.json"))
    both = [source.name for source in named([first, second])]
    assert both[0] == "walks"
    assert named([first, third, second])[2].name == both[1]
    assert len({source.name for source in named([first, second, third])}) == 3
    assert named([first, second, second]) == named([first, second])


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["town/a", "town/b"], ["a", "b"]),
        (["town/a", "towns/b"], ["town/a", "towns/b"]),
        (["a", "b"], ["a", "b"]),
        (["x/y/a", "x/y/b/c"], ["a", "b/c"]),
        ([], []),
    ],
)
def test_beside_each_other_runs_are_named_without_their_common_folder(names, short):
    assert side_by_side(names) == short
