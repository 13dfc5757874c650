"""A bar on the terminal while large files are read."""

from __future__ import annotations

import pytest
import typer
from rich.progress import Progress

from navviz.cli import output
from navviz.cli.output import STOPPED, ReadingBar, with_exit_code
from navviz.support.guarded import SLOW_BYTES, report_bytes, report_size


@pytest.fixture
def shown(monkeypatch):
    drawn: list[tuple[int, int]] = []
    monkeypatch.setattr(ReadingBar, "show", lambda _bar, done, total: drawn.append((done, total)))
    return drawn


def _read(sizes: list[int]) -> None:
    for size in sizes:
        report_size(size)
        for _ in range(10):
            report_bytes(size // 10)


def test_small_files_show_no_bar(shown):
    with output.reading_shown():
        _read([1_000, SLOW_BYTES // 2])
    assert shown == []


def test_a_large_file_is_told_in_steps_and_to_its_end(shown):
    with output.reading_shown():
        _read([SLOW_BYTES])
    assert shown[-1] == (SLOW_BYTES, SLOW_BYTES)
    assert len(shown) == 10


def test_nothing_is_drawn_where_nobody_looks(capfd, monkeypatch):
    started = []
    monkeypatch.setattr(Progress, "start", lambda _self: started.append(1))
    with output.reading_shown():
        _read([SLOW_BYTES])
    assert started == []
    assert capfd.readouterr().err == ""


def test_stopping_in_the_middle_leaves_a_sentence(capsys):
    def command() -> None:
        report_size(SLOW_BYTES)
        report_bytes(SLOW_BYTES // 2)
        raise KeyboardInterrupt

    with pytest.raises(typer.Exit) as ended:
        with_exit_code(command)()
    assert ended.value.exit_code == STOPPED
    assert capsys.readouterr().err.strip() == "Stopped; run the same command again to go on."
