"""Files that are written whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.errors import StoreError
from navviz.support.guarded import replacing, write_whole


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.json"
    for text in ("old", "new"):
        write_whole(path, text)
    assert path.read_text(encoding="utf-8") == "new"
    assert list(path.parent.iterdir()) == [path]


def test_a_writer_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(KeyError):
        _fail(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with replacing(path) as first:
        first.write_text("one")
        with replacing(path) as second:
            second.write_text("two")
        assert path.read_text() == "two"
    assert path.read_text() == "one"


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        StoreError,
        match=r"file/a: cannot be written \(.+\); free some space or choose another folder\.$",
    ):
        write_whole(tmp_path / "file" / "a", "")


def _fail(path: Path) -> None:
    with replacing(path) as part:
        part.write_text("half")
        raise KeyError
