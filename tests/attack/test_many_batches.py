"""Somebody presses Start again and again: so many walks go on at a time, the rest waits in line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import SettingsError
from navviz.runner.batches import Batch, RunLock
from navviz.runner.plan import BatchPlan, BatchState
from navviz.runs.owners import Ownership, claim
from navviz.ui.live.batches import page as batches_page
from navviz.ui.server import limits as lines
from navviz.ui.server.limits import LONGEST_LINE, Turns
from navviz.ui.state.session import Session
from tests.attack.conftest import OpenAs, Serve
from tests.worlds import tiny_episode

Begin = Callable[..., Batch]


class Processes:
    """Stand for the processes that walk batches: each holds its run's lock until it is ended."""

    def __init__(self) -> None:
        self.locks: dict[str, RunLock] = {}
        self.begun: list[tuple[str, int, Mapping[str, str]]] = []

    def start(
        self, batch: Batch, *, pilot: int = 0, environment: Mapping[str, str] | None = None
    ) -> None:
        lock = RunLock(batch.folder)
        lock.__enter__()
        batch.save()
        batch.note(BatchState(state="running"))
        self.locks[batch.name] = lock
        self.begun.append((batch.name, pilot, environment or {}))

    def end(self, name: str) -> None:
        self.locks.pop(name).__exit__(None, None, None)

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.begun]


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Processes:
    made = Processes()

    def start(batch: Batch, **more: Any) -> None:
        made.start(batch, **more)

    monkeypatch.setattr(Batch, "start", start)
    return made


@pytest.fixture
def line() -> Turns:
    return Turns(looks_s=0)


@pytest.fixture
def begin(workspace: Path, line: Turns) -> Begin:
    """Press Start for a batch: its name, who pays, how many workers."""

    def press(name: str, payer: str = "ann", workers: int = 2, limit: int | None = 4) -> Batch:
        graph = str(workspace.parent / "osm" / "graph")
        plan = BatchPlan(run=name, navigator="random-walker", graphs=(graph,), workers=workers)
        batch = Batch(workspace / "runs", plan, [tiny_episode()])
        # at the door "password" a browser that throws its cookie away is another owner, not another
        # payer
        claim(batch.folder, Ownership(owner=f"annotator:{payer}-{name}", payer=payer))
        line.start(batch, limit, pilot=3, environment={"KEY": name})
        return batch

    return press


def test_a_visitors_batches_wait_in_order_for_room(
    begin: Begin, line: Turns, processes: Processes
) -> None:
    for name in ("a", "b"):
        begin(name)
    waiting = [begin(name) for name in ("c", "d")]
    # one that would fit does not pass the others
    waiting.append(begin("e", workers=1))
    assert begin("f", payer="bob").status().name == "running"
    assert processes.names == ["a", "b", "f"]
    assert [line.status(batch).name for batch in waiting] == ["queued"] * 3
    reason = line.status(waiting[1]).reason or ""
    assert "4 walks at a time" in reason
    assert "number 2 in line" in reason
    line.advance()
    assert processes.names == ["a", "b", "f"]
    processes.end("a")
    line.advance()
    assert processes.begun[3:] == [("c", 3, {"KEY": "c"})]
    processes.end("b")
    processes.end("c")
    line.advance()
    assert processes.names[4:] == ["d", "e"]


def test_a_plan_of_before_takes_no_more_workers_than_are_allowed(
    begin: Begin, line: Turns, processes: Processes
) -> None:
    assert begin("a", workers=256).plan.workers == 4
    assert Batch.at(begin("b", workers=256, limit=None).folder).plan.workers == 256


def test_another_server_process_counts_what_goes_on(
    begin: Begin, line: Turns, processes: Processes
) -> None:
    """Batches outlive the server; the line does not, and says what to do."""
    begin("a", workers=4)
    waits = begin("b")
    after_restart = Turns(looks_s=0)
    status = after_restart.status(Batch.at(waits.folder))
    assert (status.name, status.reason) == (
        "paused",
        "It waited for its turn when the server ended; press Go on.",
    )
    after_restart.start(waits, 4)
    assert after_restart.status(waits).name == "queued"


def test_a_batch_leaves_the_line_and_a_line_is_not_without_end(
    begin: Begin, line: Turns, processes: Processes
) -> None:
    begin("a", workers=4)
    waiting = [begin(f"w{number}") for number in range(LONGEST_LINE)]
    with pytest.raises(SettingsError, match=f"{LONGEST_LINE} of your batches wait"):
        begin("more")
    assert line.leave(waiting[0].folder)
    assert not line.leave(waiting[0].folder)
    status = line.status(waiting[0])
    assert (status.name, status.reason) == ("paused", None)
    assert "number 1 in line" in (line.status(waiting[1]).reason or "")


def test_a_second_tab_or_the_operator_starts_no_batch_twice(
    begin: Begin, line: Turns, processes: Processes
) -> None:
    begin("a", workers=4)
    waiting = [begin(name, workers=4) for name in ("b", "c")]
    line.start(waiting[0], 4)  # pressed in a second tab
    assert "number 2 in line" in (line.status(waiting[1]).reason or "")
    line.start(waiting[1], None)  # the operator lets it pass
    assert processes.names == ["a", "c"]
    for name in ("a", "c"):
        processes.end(name)
    for _ in range(3):
        line.advance()
    assert processes.begun[2:] == [("b", 3, {"KEY": "b"})]


def test_an_operator_who_lowers_the_number_stops_nothing(
    begin: Begin, line: Turns, processes: Processes
) -> None:
    begin("a", workers=4)
    waits = begin("c", workers=4)
    after_restart = Turns(looks_s=0)
    after_restart.start(waits, 1)
    assert "1 walk at a time" in (after_restart.status(waits).reason or "")
    after_restart.advance()
    assert processes.names == ["a"]
    processes.end("a")
    after_restart.advance()
    assert processes.names == ["a", "c"]
    assert waits.plan.workers == 1


def test_the_card_says_that_a_batch_waits_and_stop_takes_it_out(
    begin: Begin,
    line: Turns,
    processes: Processes,
    visit: OpenAs,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    serve(operators={"olga"})
    begin("a", workers=4)
    waits = begin("b")
    for module in (lines, batches_page):
        monkeypatch.setattr(module, "turns", lambda: line)
    at = visit("olga", "live", part="many", run="walks/json", batch="b")
    assert "number 1 in line" in at.warning[0].value
    assert at.button(key="batches_pause").disabled
    session = Session(admitted=True, visitor="olga")
    monkeypatch.setattr("navviz.ui.server.identity.current", lambda: session)
    batches_page.stop(waits)
    assert waits.wish() is None
    assert line.status(waits).name == "paused"
