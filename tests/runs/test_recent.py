"""Runs opened lately survive a restart; a broken file, or one that is gone, harms nobody."""

from __future__ import annotations

from pathlib import Path

from navviz.runs import sources
from navviz.runs.opened import Source, workspace_dir
from tests.worlds import write_states


def _source(folder: Path, name: str) -> Source:
    return Source(
        name, "opened", results=write_states(folder / f"{name}.json", {"1": {"json": ["s1"]}})
    )


def test_what_was_opened_last_comes_first_and_once(tmp_path):
    a, b = _source(tmp_path, "a"), _source(tmp_path, "b")
    sources.remember([a])
    sources.remember([b])
    sources.remember([a])
    assert sources.recent() == [a, b]
    sources.forget("a")
    assert sources.recent() == [b]


def test_a_place_that_is_gone_is_an_entry_with_its_sentence(tmp_path):
    source = _source(tmp_path, "a")
    sources.remember([source])
    assert source.results is not None
    source.results.unlink()
    (entry,) = sources.recent()
    assert str(source.results) in entry.fault
    assert entry.fault.endswith("open it from where it lies now.")


def test_a_broken_file_holds_nothing_and_is_replaced(tmp_path):
    workspace_dir().mkdir(parents=True, exist_ok=True)
    (workspace_dir() / "recent.json").write_text('[{"name": 3')
    assert sources.recent() == []
    sources.remember([_source(tmp_path, "a")])
    assert [source.name for source in sources.recent()] == ["a"]


def test_only_the_last_ones_are_kept(tmp_path):
    for number in range(sources.KEPT + 3):
        sources.remember([_source(tmp_path, f"run {number}")])
    kept = sources.recent()
    assert len(kept) == sources.KEPT
    assert kept[0].name == f"run {sources.KEPT + 2}"
