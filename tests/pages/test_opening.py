"""Large runs are read in the background, with progress and Stop."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from navviz.runs.run import OpenRun
from navviz.support.guarded import report_bytes, report_size, report_walks
from navviz.ui.data import opening
from navviz.world.graph import Graph
from tests.pages.listed import is_listed, listed

pytestmark = pytest.mark.usefixtures("opened", "slow")


class _Gate:
    """Holds the reading after its first half, until the test lets it go on."""

    def __init__(self) -> None:
        self.half, self.go_on = threading.Event(), threading.Event()
        self.times = 0

    def load(self, *arguments: object) -> object:
        self.times += 1
        report_size(200_000_000)
        report_bytes(100_000_000)
        self.half.set()
        assert self.go_on.wait(60)
        report_bytes(100_000_000)
        return _load(*arguments)


_load = opening.load


@pytest.fixture
def gate():
    gate = _Gate()
    yield gate
    gate.go_on.set()


@pytest.fixture
def slow(monkeypatch, gate):
    monkeypatch.setattr(opening, "_SLOW_LOG", 1)
    monkeypatch.setattr(opening, "load", gate.load)


def _ended() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("navviz-open-"):
            thread.join(60)


def _progress(at: AppTest) -> list[str]:
    return [element.proto.text for element in at.get("progress")]


def test_the_page_shows_how_far_it_is_and_then_the_run(page, gate):
    at = page("explore", run="walks/json")
    assert gate.half.wait(60)
    at.run()
    assert _progress(at) == ["Reading walks/json: 100 of 200 MB"]
    assert not is_listed(at)
    gate.go_on.set()
    _ended()
    at.run()
    assert not _progress(at)
    assert list(listed(at)["episode"]) == ["1", "2"]
    at.run()
    assert gate.times == 1


def test_the_bar_counts_bytes_and_then_walks(page, gate, monkeypatch):
    def finish(_run: OpenRun) -> None:
        report_walks(1_000, 4_000)
        gate.half.set()
        assert gate.go_on.wait(60)

    monkeypatch.setattr(opening, "load", _load)
    monkeypatch.setattr(OpenRun, "finish", finish)
    at = page("explore", run="walks/json")
    assert gate.half.wait(60)
    at.run()
    shown = at.get("progress")[0].proto
    assert shown.text == "Measuring the walks of walks/json: 1,000 of 4,000 episodes"
    assert shown.value == 25


def test_stop_ends_it_until_it_is_asked_for_again(page, gate):
    at = page("explore", run="walks/json")
    assert gate.half.wait(60)
    at.button(key="opening_stop").click().run()
    gate.go_on.set()
    _ended()
    at.run()
    assert any("was stopped" in element.value for element in at.markdown)
    assert (gate.times, is_listed(at), len(at.exception)) == (1, False, 0)
    at.button(key="opening_again").click().run()
    _ended()
    at.run()
    assert list(listed(at)["episode"]) == ["1", "2"]
    assert gate.times == 2


def test_who_stops_what_another_waits_for_stops_nothing(gate, opened):
    from navviz.runs.opened import opened_from_environment

    source = opened_from_environment()[0]
    one = opening.Opening(source.name, Path(source.name), lambda: opening.load(source))
    one.look(1)
    one.look(2)
    assert not one.stop(1)
    gate.go_on.set()
    _ended()
    assert not one.stopped


def test_what_cannot_be_read_is_one_sentence(page, gate, monkeypatch):
    def breaks(*_arguments: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(opening, "load", breaks)
    at = page("explore", run="walks/json")
    _ended()
    at.run()
    assert any("cannot be read" in error.value for error in at.error)


def test_compare_does_not_read_a_large_run_only_to_see_what_it_shares(page, gate):
    gate.go_on.set()
    page("explore", run="walks/json")
    _ended()
    at = page("compare", run="walks/json", episode="1")
    assert any("walks/grid" in caption.value for caption in at.caption)
    assert gate.times == 1


def test_how_far_a_large_map_is_read_is_shown_and_can_be_stopped(page, monkeypatch):
    """The map reports to whom watches, as the command line does; its page waits for it, and Stop
    ends it.
    """
    gate, times = threading.Event(), []
    read = opening.open_graph

    def slow(path: Path, world: str) -> Graph:
        times.append(world)
        report_size(100)
        gate.wait(20)
        report_bytes(50)
        return read(path, world)

    monkeypatch.setattr(opening, "_SLOW_LOG", 10**9)
    monkeypatch.setattr(opening, "_SLOW_MAP", 1_000)
    monkeypatch.setattr(opening, "open_graph", slow)
    at = page("explore", run="harbour/rules")
    assert (is_listed(at), len(at.exception)) == (False, 0)
    at.button(key="opening_stop").click().run()
    gate.set()
    _ended()
    at.run()
    assert any("was stopped" in element.value for element in at.markdown)
    at.button(key="opening_again").click().run()
    _ended()
    at.run()
    assert len(times) == 2
    assert (len(listed(at)), len(at.exception)) == (14, 0)
