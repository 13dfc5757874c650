"""One ledger for a visitor: what is spent stays spent, what is lent comes back, whoever dies and
whatever the clock says.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from navviz.errors import BudgetError, NotFoundError, StoreError
from navviz.runner.ledger import Ledger
from tests.paths import ROOT
from tests.runner.borrower import LIMIT
from tests.zygote import Forked

Begin = Callable[[str, int], subprocess.Popen[str]]


@pytest.fixture
def ann(tmp_path):
    return Ledger(tmp_path / "ledger").account("ann", LIMIT)


@pytest.fixture
def begin(ann):
    """Start another process on the same ledger; what still runs at the end is killed."""
    begun: list[subprocess.Popen[str]] = []

    def one(job: str, number: int) -> subprocess.Popen[str]:
        command = [
            sys.executable, "-m", "tests.runner.borrower", str(ann.ledger.folder), job, str(number),
        ]  # fmt: skip
        begun.append(
            Forked(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        )
        return begun[-1]

    yield one
    for process in begun:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_what_is_spent_is_there_for_whoever_opens_the_ledger_next(ann):
    ann.charge(300)
    ann.charge(0)
    later = Ledger(ann.ledger.folder)
    assert later.account("ann", LIMIT).left() == LIMIT - 300
    assert later.account("bob", 10).left() == 10
    assert later.account("ann", 200).left() == 0
    assert later.account("ann", None).left() is None


def test_a_share_that_is_used_up_says_so(ann):
    small = ann.ledger.account("ann", 100)
    small.check()
    small.charge(130)
    with pytest.raises(
        BudgetError, match=r"used up \(130 of 100 tokens are spent\); ask its operator"
    ):
        small.check()
    with pytest.raises(BudgetError):
        ann.ledger.account("bob", 0).check()


def test_what_a_batch_borrows_is_missing_elsewhere_and_comes_back(ann):
    with ann.borrow(400_000, "one") as lease:
        assert ann.left() == LIMIT - 400_000
        lease.charge(100_000)
        assert ann.left() == LIMIT - 400_000
        assert ann.standing.lent == 300_000
        with ann.borrow(None, "two") as other:
            assert other.tokens == 600_000
            with pytest.raises(BudgetError, match="900,000 are lent to batches"):
                ann.check()
            with (
                ann.borrow(1, "three") as third,
                pytest.raises(BudgetError, match="are lent to batches"),
            ):
                third.check()
    assert ann.left() == LIMIT - 100_000
    assert ann.standing.lent == 0
    assert not list(ann.ledger.folder.glob("*.lease"))


def test_a_lease_that_is_spent_ends_its_batch_and_no_other(ann):
    with ann.borrow(100, "one") as lease:
        lease.charge(99)
        lease.check()
        lease.charge(50)
        with pytest.raises(BudgetError, match="The 100 tokens lent to this batch are used up"):
            lease.check()
        ann.check()
    assert ann.left() == LIMIT - 149


def test_what_a_killed_process_held_comes_back_and_what_it_spent_does_not(ann, begin):
    process = begin("hold", 400_000)
    assert line(process) == "400000"
    assert ann.left() == LIMIT - 400_000
    kill(process)
    assert ann.left() == LIMIT - 1
    assert ann.standing.lent == 0


def test_a_lease_of_a_living_process_outlives_any_jump_of_the_clock(ann, begin, monkeypatch):
    process = begin("hold", 400_000)
    line(process)
    for jumped in (0.0, time.time() + 1e9):
        monkeypatch.setattr(time, "time", lambda at=jumped: at)
        monkeypatch.setattr(time, "monotonic", lambda at=jumped: at)
        assert ann.left() == LIMIT - 400_000
    monkeypatch.undo()


def test_a_process_that_dies_while_it_charges_loses_nothing_that_it_acknowledged(ann, begin):
    acknowledged = 0
    for some in (1, 5, 12, 30):
        process = begin("charge", 10_000)
        acknowledged += sum(line(process) == "charged" for _ in range(some))
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        acknowledged += rest.count("charged\n")
    assert acknowledged <= ann.standing.spent <= acknowledged + 4  # one in flight a kill


def test_processes_and_threads_that_charge_together_lose_nothing(ann, begin):
    others = [begin("charge", 40) for _ in range(2)]
    threads = [
        threading.Thread(target=lambda: [ann.charge(1) for _ in range(20)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process in others:
        process.communicate()
    assert ann.standing.spent == 2 * 40 + 4 * 20


def test_no_count_fills_a_share_up_again(ann):
    ann.charge(100)
    ann.charge(-1_000_000)
    with ann.borrow(10, "r") as lease:
        lease.charge(-5)
    assert ann.left() == LIMIT - 100


def test_a_damaged_ledger_lets_nobody_spend(ann):
    ann.charge(1)
    (ann.ledger.folder / "ledger.sqlite3").write_bytes(b"nothing that SQLite wrote" * 100)
    for action in (ann.check, lambda: ann.charge(1), ann.left, ann.borrow(1, "r").__enter__):
        with pytest.raises(StoreError, match="so no model is asked for visitors"):
            action()


def test_the_operator_sees_and_renews_shares(ann):
    ann.charge(7)
    ann.ledger.account("bob", LIMIT).charge(9)
    (ann.ledger.folder / "0123.lease").write_bytes(b"")
    with ann.borrow(5, "r"):
        rows = [(one.name, one.spent, one.lent) for one in ann.ledger.standings()]
    assert rows == [("ann", 7, 5), ("bob", 9, 0)]
    assert not list(ann.ledger.folder.glob("0123.lease"))
    ann.ledger.renew("ann")
    assert ann.left() == LIMIT
    with pytest.raises(NotFoundError, match="navviz server shares"):
        ann.ledger.renew("cleo")
