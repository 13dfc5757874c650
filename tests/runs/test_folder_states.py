"""A folder's state changes with whatever changes in it, and a large folder is not looked at for
every page.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from navviz.runs import folder_states
from navviz.runs.folder_states import holds_name, state_of


def test_a_file_that_gets_older_or_lies_deep_changes_the_state(tmp_path):
    deep = tmp_path / "a" / "b" / "c.trace.jsonl"
    deep.parent.mkdir(parents=True)
    deep.write_text("one")
    before = state_of(tmp_path)
    os.utime(deep, ns=(1, 1))
    assert state_of(tmp_path).digest != before.digest
    deep.unlink()
    assert state_of(tmp_path).digest != before.digest


def test_the_newest_time_is_that_of_the_folder_or_of_what_lies_in_it(tmp_path):
    file = tmp_path / "1.trace.jsonl"
    file.write_text("one")
    os.utime(file, ns=(5_000, 7_000))
    os.utime(tmp_path, ns=(5_000, 6_000))
    assert state_of(tmp_path).newest_ns == 7_000
    assert state_of(tmp_path / "missing").newest_ns == 0


@pytest.fixture
def now_s(monkeypatch):
    """The time that passes for the module; a folder of three entries counts as large."""
    now = [100.0]
    monkeypatch.setattr(folder_states, "_MANY", 3)
    monkeypatch.setattr(folder_states.time, "monotonic", lambda: now[0])
    return now


def _large(folder: Path) -> Path:
    for name in "abc":
        (folder / name).write_text("one")
        os.utime(folder / name, ns=(1, 1))
    os.utime(folder, ns=(1, 1))
    return folder


def test_of_a_large_folder_what_came_is_seen_after_two_seconds(tmp_path, now_s):
    before = state_of(_large(tmp_path))
    (tmp_path / "d").write_text("two")
    assert state_of(tmp_path) == before
    now_s[0] += 2.5
    assert state_of(tmp_path).digest != before.digest


def test_of_a_large_folder_what_changed_is_looked_for_by_a_thread(tmp_path, now_s):
    before = state_of(_large(tmp_path))
    (tmp_path / "a").write_text("three")
    now_s[0] += 2.5
    assert state_of(tmp_path) == before
    folder_states._LOOKING[tmp_path].join()
    assert state_of(tmp_path).digest != before.digest


def test_what_is_known_of_a_large_folder_grows_old(tmp_path, now_s):
    before = state_of(_large(tmp_path))
    (tmp_path / "a").write_text("three")
    now_s[0] += 61.0
    assert state_of(tmp_path).digest != before.digest


def test_names_are_found_without_looking_into_files(tmp_path):
    assert not holds_name(tmp_path / "missing", ".trace.jsonl")
    assert not holds_name(tmp_path, ".trace.jsonl")
    (tmp_path / "1.trace.jsonl").write_text("")
    assert holds_name(tmp_path, ".trace.jsonl")
