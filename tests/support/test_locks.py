"""Locks on files: who holds one, how long, and what happens without `fcntl` or without locks."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
import threading

import filelock

from navviz.support import locks
from navviz.support.locks import FileLock, is_held, locked
from tests.paths import ROOT

_HOLDER = """
import sys
from pathlib import Path
from navviz.support.locks import FileLock
assert FileLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_two_locks_of_one_file_exclude_each_other(tmp_path):
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire()
    assert not second.acquire()
    assert is_held(tmp_path / "lock")
    first.release()
    first.release()
    assert not is_held(tmp_path / "lock")
    assert second.acquire()
    second.release()


def test_the_content_of_a_locked_file_stays(tmp_path):
    (tmp_path / "lock").write_text("kept")
    with locked(tmp_path / "lock"):
        assert is_held(tmp_path / "lock")
    assert (tmp_path / "lock").read_text() == "kept"
    assert not is_held(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_a_waiting_lock_comes_when_another_thread_releases(tmp_path):
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire()
    threading.Thread(target=first.release).start()
    assert second.acquire(wait_s=60)
    second.release()


def test_a_lock_ends_with_its_process(tmp_path):
    command = [sys.executable, "-c", _HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert is_held(tmp_path / "lock")
        holder.kill()
    assert not is_held(tmp_path / "lock")


def test_two_probes_at_once_do_not_see_each_other(tmp_path, monkeypatch):
    (tmp_path / "lock").touch()
    probe = FileLock(tmp_path / "lock")
    assert probe.acquire()
    monkeypatch.setattr(locks.time, "sleep", lambda _seconds: probe.release())
    assert not is_held(tmp_path / "lock")


def test_without_locks_the_work_goes_on_with_a_warning(tmp_path, monkeypatch, caplog):
    def refuse(_file: int, *, blocking: bool) -> bool:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(filelock, "lock_descriptor", refuse)
    with caplog.at_level(logging.WARNING), locked(tmp_path / "lock"):
        pass
    assert "this file system has no locks (Function not implemented)" in caplog.text
