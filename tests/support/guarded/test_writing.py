"""Files that are written whole, or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest

from navviz.errors import StoreError
from navviz.support.guarded import keep_first, replacing, write_whole, writing_folder


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "new" / "a.json"
    for text in ("old", "new"):
        write_whole(path, text)
    assert path.read_text(encoding="utf-8") == "new"
    assert list(path.parent.iterdir()) == [path]


def test_a_writer_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(KeyError):
        _fail(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_do_not_meet(tmp_path):
    path = tmp_path / "a.json"
    with replacing(path) as first:
        first.write_text("one")
        with replacing(path) as second:
            second.write_text("two")
        assert path.read_text() == "two"
    assert path.read_text() == "one"


def test_what_cannot_be_written_is_one_sentence(tmp_path):
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


def test_a_link_stays_and_its_file_keeps_its_mode(tmp_path):
    file, link = tmp_path / "a.json", tmp_path / "link.json"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o600)


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # open for both first: else each end waits for the other
    end = os.open(pipe, os.O_RDWR)
    write_whole(pipe, "text")
    assert os.read(end, 100) == b"text"
    os.close(end)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_name_may_be_as_long_as_the_system_takes(tmp_path):
    path = tmp_path / ("å" * 127)
    write_whole(path, "text")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fails", [True, False])
def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path, *, fails):
    path = tmp_path / "site"
    for text in ("old", "new"):
        with suppress(StoreError), writing_folder(path) as made:
            (made / text).write_text(text)
            if fails and text == "new":
                raise OSError(errno.ENOSPC, "No space left on device")
    assert [one.name for one in path.iterdir()] == ["old" if fails else "new"]
    assert list(tmp_path.iterdir()) == [path]


def test_of_two_that_write_first_one_counts(tmp_path):
    path = tmp_path / "key"
    keep_first(path, b"one", 0o600)
    keep_first(path, b"two", 0o600)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"one", 0o600)
    assert list(tmp_path.iterdir()) == [path]
