"""What a watcher of a run sees, and how little it looks at."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from navviz.runs import growth as module
from navviz.runs.growth import Growth


def write(path: Path, text: str, ago_s: float = 0.0) -> None:
    path.write_text(text)
    at = time.time() - ago_s
    os.utime(path, (at, at))


def test_a_look_sees_what_comes_grows_and_goes(tmp_path: Path) -> None:
    write(tmp_path / "1.trace.jsonl", "a", ago_s=30)
    growth = Growth(tmp_path)
    assert growth.look(0) == 0
    write(tmp_path / "2.trace.jsonl", "b", ago_s=20)
    assert growth.look(0) == 1
    write(tmp_path / "2.trace.jsonl", "b\nc", ago_s=10)
    assert growth.look(0) == 2
    assert growth.look(0) == 2
    (tmp_path / "1.trace.jsonl").unlink()
    assert growth.look(0) == 3
    assert growth.changed_s == pytest.approx(time.time() - 10, abs=5)


def test_a_file_alone_is_watched_too(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    write(log, "a", ago_s=20)
    growth = Growth(log)
    write(log, "a\nb", ago_s=10)
    assert growth.look(0) == 1


def test_finished_files_are_looked_at_once_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        write(tmp_path / f"{number}.trace.jsonl", "a", ago_s=7200)
    write(tmp_path / "new.trace.jsonl", "a")
    growth = Growth(tmp_path)
    looked = list[str]()
    state_of = module._state_of

    def counted(name: str) -> tuple[int, int]:
        looked.append(Path(name).name)
        return state_of(name)

    monkeypatch.setattr(module, "_state_of", counted)
    growth.look(0)
    assert sorted(looked) == sorted([tmp_path.name, "new.trace.jsonl"])
    write(tmp_path / "7.trace.jsonl", "ab", ago_s=7100)
    assert growth.look(0) == 0
    monkeypatch.setattr(module, "_WHOLE_S", 0.0)
    assert growth.look(0) == 1


def test_two_who_watch_cost_one_look(tmp_path: Path) -> None:
    write(tmp_path / "1.trace.jsonl", "a", ago_s=30)
    growth = Growth(tmp_path)
    growth.look(0)
    write(tmp_path / "1.trace.jsonl", "ab", ago_s=20)
    assert growth.look(3600) == 0
    assert growth.look(0) == 1


@pytest.mark.parametrize(
    ("pauses_s", "silent_s", "has_stopped"),
    [((), 20, False), ((), 40, True), ((10, 10), 60, False), ((10, 10), 120, True)],
)
def test_a_writer_has_stopped_after_ten_of_its_pauses(
    tmp_path: Path, pauses_s: tuple[int, ...], silent_s: int, has_stopped: bool
) -> None:
    ago_s = silent_s + sum(pauses_s)
    write(tmp_path / "1.trace.jsonl", "a", ago_s=ago_s)
    growth = Growth(tmp_path)
    for pause_s in pauses_s:
        ago_s -= pause_s
        write(tmp_path / "1.trace.jsonl", "a" * ago_s, ago_s=ago_s)
        growth.look(0)
    assert growth.has_stopped() is has_stopped
