"""A file of a folder that looks like data is taken, or named in a problem; never passed over
unsaid.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import discover
from navviz.runs.opened import load
from navviz.runs.sources import Source, from_folder
from navviz.support.installation.files import samples_dir
from tests.grids import split_item, state_item, straight, write_grid, write_json

PATH = straight()
R2R = {"scan": "s", "path": ["a", "b"], "heading": 0.0, "instructions": ["Go."], "path_id": 1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_grid(tmp_path / "town")
    write_json(tmp_path / "states.json", {"5": state_item(PATH, ["r0c0", "r0c2", "r0c4"])})
    return tmp_path


def _told(folder: Path) -> list[str]:
    return [str(problem) for problem in discover(folder, tell_others=True).problems.kept]


@pytest.mark.parametrize(("name", "raw", "said"), [
    ("cut.json", json.dumps([R2R] * 3).encode()[:-40], "cut.json: is invalid JSON at line 1"),
    ("lines.jsonl", b'{"a": 1}\n{"a": \n{"a": 2}\n', "lines.jsonl: is invalid JSON at line 2"),
    ("zero.json", b"", "zero.json: is empty"),
    ("bytes.json", bytes(range(128, 256)) * 2, "bytes.json: is no JSON"),
    ("deep.json", b"[" * 60_000, "deep.json: is JSON that is nested too deeply"),
    ("packed.json.gz", b"\x1f\x8bnot", "packed.json.gz: is no JSON that can be unpacked"),
    ("other.json", json.dumps([{**R2R, "instructions": None, "path": 3, "scans": 1, "scan": 5}]).encode(), ""
        ),
    ("odd.json", b'[[{"instr_id": "1_0", "trajectory": 5}]]',
        "odd.json: holds 'instr_id' as episodes or results do"),
])  # fmt: skip
def test_a_damaged_file_beside_a_whole_one_is_named(
    folder: Path, name: str, raw: bytes, said: str
) -> None:
    (folder / name).write_bytes(raw)
    run = load(from_folder(folder)[0])
    assert "5" in run.traces
    problems = [str(problem) for problem in run.problems.kept]
    if said:
        assert any(f"{folder.name}/{said}" in one for one in problems)
    assert problems == [*map(str, run.run.problems.kept), *_told(folder)]


def test_634_damaged_files_are_634_problems(folder: Path) -> None:
    for k in range(634):
        (folder / f"part{k}.json").write_text('[{"scan": ')
    found = discover(folder, tell_others=True)
    assert len(found.problems.kept) == 634
    assert load(from_folder(folder)[0]).problems.count == 634


def test_an_episode_file_that_is_cut_off_is_told_where_results_are_opened(folder: Path) -> None:
    write_json(folder / "split.json", [split_item(PATH, 1), split_item(PATH, 2)])
    whole = (folder / "split.json").read_bytes()
    assert _told(folder) == []
    (folder / "split.json").write_bytes(whole[:-30])
    assert "split.json: is invalid JSON" in _told(folder)[0]


def test_what_is_whole_or_no_data_is_not_told(folder: Path) -> None:
    (folder / "config.json").write_text('{"lr": NaN}')
    (folder / "lines.json").write_text('{"a": 1}\n{"a": 2}\n')
    (folder / "notes.txt").write_text("[{")
    (folder / "more").mkdir()
    (folder / "more" / "objects.json").write_text("[]")
    assert _told(folder) == []


def test_a_pipe_with_the_name_of_data_is_told(folder: Path) -> None:
    os.mkfifo(folder / "a.json")
    assert any("a.json: is no regular file" in one for one in _told(folder))


def test_a_large_file_is_judged_by_its_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navviz.formats.passed_over._ONE_BYTES", 1000)
    (folder / "large.json").write_text(json.dumps(["x" * 100] * 100)[:-3])
    (folder / "whole.json").write_text(json.dumps(["x" * 100] * 100))
    assert [one.partition(":")[0].partition("/")[2] for one in _told(folder)] == ["large.json"]


def test_a_damaged_run_json_inside_a_run_is_told(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(samples_dir() / "harbour" / "runs" / "rules", run)
    (run / "run.json").write_text('{"graphs": [')
    assert any("run/run.json: is invalid JSON" in one for one in _told(tmp_path))


def test_one_damaged_map_does_not_hide_the_runs_on_the_others(folder: Path) -> None:
    (folder / "town.osm").write_bytes(b"")
    run = load(from_folder(folder)[0])
    assert "5" in run.traces
    assert any("town.osm: the file is empty" in str(problem) for problem in run.problems.kept)


def test_a_folder_with_nothing_but_damage_says_what_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[{")
    with pytest.raises(
        InputError, match=r"holds nothing that NavViz reads; not even .*a\.json, which is inv"
    ):
        from_folder(tmp_path)


def test_a_folder_of_packed_logs_says_that_they_must_be_unpacked(tmp_path: Path) -> None:
    (tmp_path / "step1_json.jsonl.gz").write_bytes(gzip.compress(b'{"key": "1", "request": {}}'))
    with pytest.raises(InputError, match=r"unpack its \.gz files first"):
        from_folder(tmp_path)


def test_the_stamp_of_a_source_notices_every_change_of_a_file(folder: Path) -> None:
    deep = folder / "runs" / "a" / "b.trace.jsonl"
    deep.parent.mkdir(parents=True)
    deep.write_text("one")
    source = Source("", "opened", (folder,))
    stamps = [source.stamp]
    deep.write_text("two and more")
    stamps.append(source.stamp)
    os.utime(deep, ns=(1, 1))  # older than everything else, as a copy with its times is
    stamps.append(source.stamp)
    deep.unlink()
    stamps.append(source.stamp)
    assert len(set(stamps)) == 4
    assert source.stamp == stamps[-1]
