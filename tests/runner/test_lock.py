"""One writer for a run: the second one is told, and what was reported as finished is on the
disk.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from navviz.errors import StoreError
from navviz.formats import open_results, open_worlds
from navviz.llm.scripted import Scripted
from navviz.records import EndEvent, EndStatus, Episode, TraceHeader
from navviz.records.trace_files import EventWriter, read_trace
from navviz.runner import run_batch, trace_path
from navviz.runner.batches import RunLock, is_locked
from tests.paths import ROOT
from tests.toys import Asker, ToySettings, Walker
from tests.worlds import write_world
from tests.zygote import Forked

_HOLDER = """
import sys
from pathlib import Path
from navviz.runner.batches import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def _episode(name: str = "1") -> Episode:
    return Episode(id=name, dataset="tiny", instruction="Walk on.", start="w1")


def test_a_second_run_on_the_same_folder_says_who_holds_it(tmp_path):
    graphs = write_world(tmp_path / "world")
    command = [sys.executable, "-c", _HOLDER, str(tmp_path / "r")]
    with Forked(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert is_locked(tmp_path / "r")
        with pytest.raises(StoreError, match=rf"walked already \(process {holder.pid} on .* since"):
            run_batch(
                Walker(), [_episode()], open_worlds(graphs), ToySettings(), run="r", out=tmp_path
            )
        assert not trace_path(tmp_path, "r", "1").exists()
        holder.kill()
    assert not is_locked(tmp_path / "r")  # the lock dies with its holder
    [outcome] = run_batch(
        Walker(), [_episode()], open_worlds(graphs), ToySettings(), run="r", out=tmp_path
    )
    assert outcome.status == "done"


def test_two_batches_of_one_process_are_two(tmp_path):
    with RunLock(tmp_path / "r"):
        assert is_locked(tmp_path / "r")
        with pytest.raises(StoreError, match="walked already"), RunLock(tmp_path / "r"):
            pass
    assert not is_locked(tmp_path / "r")
    assert not is_locked(tmp_path / "never")


@pytest.mark.parametrize("model", [False, True])
def test_a_trace_of_no_bytes_was_not_begun(tmp_path, *, model):
    graphs = write_world(tmp_path / "world")
    path = trace_path(tmp_path, "r", "1")
    path.parent.mkdir()
    path.touch()
    llm = Scripted(["go"], loop=True) if model else None
    navigator = Asker() if model else Walker()
    [outcome] = run_batch(
        navigator, [_episode()], open_worlds(graphs), ToySettings(), run="r", out=tmp_path, llm=llm
    )
    assert outcome.status == "done"
    assert sorted(each.name for each in path.parent.iterdir() if each.is_file()) == [path.name]
    path.with_name("2.trace.jsonl").touch()
    [run] = open_results(path.parent, open_worlds(graphs))
    assert list(run.traces) == ["1"]
    assert [problem.file for problem in run.problems.kept] == ["2.trace.jsonl"]


def test_a_finished_trace_is_on_the_disk_before_it_is_reported(tmp_path, monkeypatch):
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_ino))
    path = tmp_path / "a.trace.jsonl"
    with EventWriter(path) as writer:
        writer.write(TraceHeader(run="r", episode=_episode(), navigator="toy"))
        assert not synced
        writer.write(EndEvent(status=EndStatus.DONE))
        assert synced == [path.stat().st_ino, tmp_path.stat().st_ino]
    assert read_trace(path).end is not None
