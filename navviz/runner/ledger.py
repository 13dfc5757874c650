"""The ledger: tokens that a server's visitors have spent, and tokens lent to batches.

One SQLite file in the workspace, which the server and the processes of batches write to in
transactions that reach the disk. What a process borrows is bound to a file that it keeps locked:
the kernel lets go of it however the process ends, and whoever looks next gives back
what was not spent. No clock decides anything.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from navviz.errors import BudgetError, NotFoundError, StoreError
from navviz.runs.audit import record
from navviz.runs.owners import owner_of
from navviz.runs.sources import workspace_dir
from navviz.support.locks import FileLock, is_held

_FILE: Final = "ledger.sqlite3"
_VERSION: Final = 1
"""Of the tables, as SQLite's ``user_version``; files of before it was written have 0 and the same
tables.
"""
_WAITS_S: Final = 60.0
"""Longest wait for another process's transaction, which takes some milliseconds."""
_ACCOUNTS: Final = (
    "CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, spent INTEGER NOT NULL)"
)
_LEASES: Final = """CREATE TABLE IF NOT EXISTS leases (
    id TEXT PRIMARY KEY, account TEXT NOT NULL, tokens INTEGER NOT NULL, spent INTEGER NOT NULL,
    purpose TEXT NOT NULL
)"""
_unwritten: dict[tuple[Path, str, str], int] = {}
"""Tokens of calls that this process could not charge, by ledger, account and lease: the disk was
full. A full disk can be read, so a look at the share alone would let one call after the other pass.
"""
_under_way: dict[tuple[Path, str], int] = {}
"""Tokens that calls of this process are about to cost, by ledger and account."""
_threads = threading.Lock()


@dataclass(frozen=True, slots=True)
class AccountBalance:
    """How an account stands."""

    name: str
    spent: int
    """Tokens of all calls so far."""
    lent: int
    """Tokens that living processes have borrowed and not spent."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The accounts of one workspace."""

    folder: Path
    """Where the file and the locks of borrowers lie; made when it is first needed."""

    def account(self, name: str, limit: int | None) -> Account:
        """Return a visitor's account; `limit` is the share in tokens, ``None`` for no limit."""
        return Account(self, name, limit)

    def standings(self) -> list[AccountBalance]:
        """Return how all accounts stand, by name."""
        with self.transaction() as database:
            # of a process that was killed before it was lent anything
            for path in self.folder.glob("*.lease"):
                if not is_held(path):
                    self.end_lease(database, path.stem)
            names = [
                name for (name,) in database.execute("SELECT name FROM accounts ORDER BY name")
            ]
            return [self.standing(database, name) for name in names]

    def renew(self, name: str) -> None:
        """Give an account its whole share again; raises `NotFoundError` where there is none."""
        with self.transaction() as database:
            if not database.execute(
                "UPDATE accounts SET spent = 0 WHERE name = ?", (name,)
            ).rowcount:
                raise NotFoundError(
                    "has no account", "choose a name that navviz server shares lists", file=name
                )

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the ledger alone for the block; then its writes are on the disk, or nothing is."""
        path = self.folder / _FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path, timeout=_WAITS_S, isolation_level=None)) as database:
                # a charge must outlast a power cut; SQLite can be built with a weaker default
                database.execute("PRAGMA synchronous=FULL")
                # takes the write lock now: a transaction that reads first can fail when it comes to
                # write
                database.execute("BEGIN IMMEDIATE")
                try:
                    self._check_version(database)
                    database.execute(_ACCOUNTS)
                    database.execute(_LEASES)
                    yield database
                except BaseException:
                    # SQLite has done so itself on a full disk; asked again, it hides the reason
                    if database.in_transaction:
                        database.execute("ROLLBACK")
                    raise
                database.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            what = (
                f"the ledger cannot be read or written ({error}), so no model is asked for visitors"
            )
            raise StoreError(
                f"{path}: {what}; free some space, or mend the file from a backup."
            ) from error

    def _check_version(self, database: sqlite3.Connection) -> None:
        """Mark a ledger with its version; raises `StoreError` for one of a later NavViz, which
        stays as it is.
        """
        [version] = database.execute("PRAGMA user_version").fetchone()
        if version > _VERSION:
            raise StoreError(
                f"{self.folder / _FILE}: has version {version}, this NavViz reads up to {_VERSION},"
                " so no model is asked for visitors; update NavViz."
            )
        if version < _VERSION:
            database.execute(f"PRAGMA user_version = {_VERSION}")

    def standing(self, database: sqlite3.Connection, name: str) -> AccountBalance:
        """Return how an account stands, after what dead processes had borrowed has come back."""
        lent = 0
        rows = database.execute(
            "SELECT id, tokens, spent FROM leases WHERE account = ?", (name,)
        ).fetchall()
        for lease, tokens, spent in rows:
            if is_held(self.lock_of(lease)):
                lent += max(0, tokens - spent)
            else:
                self.end_lease(database, lease)
        row = database.execute("SELECT spent FROM accounts WHERE name = ?", (name,)).fetchone()
        return AccountBalance(name, 0 if row is None else row[0], lent)

    def charge(self, name: str, tokens: int, lease: str = "") -> None:
        """Take tokens from an account, and from a lease of it; on the disk when this returns."""
        key = (self.folder, name, lease)
        with _threads:
            # a negative count of some server must not give tokens back
            added = _unwritten.pop(key, 0) + max(0, tokens)
        try:
            with self.transaction() as database:
                database.execute("INSERT OR IGNORE INTO accounts VALUES (?, 0)", (name,))
                database.execute(
                    "UPDATE accounts SET spent = spent + ? WHERE name = ?", (added, name)
                )
                if lease:
                    database.execute(
                        "UPDATE leases SET spent = spent + ? WHERE id = ?", (added, lease)
                    )
        except BaseException:  # a page that took too long is ended from outside, here too
            with _threads:
                _unwritten[key] = _unwritten.get(key, 0) + added
            raise

    def settle(self, name: str, lease: str = "") -> None:
        """Write what could not be charged before; raises `StoreError` while it still cannot."""
        if (self.folder, name, lease) in _unwritten:
            self.charge(name, 0, lease)

    def end_lease(self, database: sqlite3.Connection, lease: str) -> None:
        """Give back a lease, and write into the audit what it has spent, whoever held it and
        however that ended.
        """
        row = database.execute(
            "SELECT account, purpose, spent FROM leases WHERE id = ?", (lease,)
        ).fetchone()
        if row is not None and row[2]:
            account, run, spent = row
            record(
                owner_of(workspace_dir() / "runs" / run) or account, "spent", run, {"tokens": spent}
            )
        database.execute("DELETE FROM leases WHERE id = ?", (lease,))
        self.lock_of(lease).unlink(missing_ok=True)

    def lock_of(self, lease: str) -> Path:
        """Return the file that a borrower keeps locked as long as it lives."""
        return self.folder / f"{lease}.lease"


def ledger() -> Ledger:
    """Return the ledger of the workspace."""
    return Ledger(workspace_dir() / "ledger")


@dataclass(frozen=True, slots=True)
class Account:
    """One visitor's share of the server's tokens."""

    ledger: Ledger
    name: str
    limit: int | None

    @property
    def standing(self) -> AccountBalance:
        """How it stands just now."""
        with self.ledger.transaction() as database:
            return self.ledger.standing(database, self.name)

    def left(self) -> int | None:
        """Return the tokens that are neither spent nor lent; ``None`` where nobody limits them."""
        return None if self.limit is None else max(0, self.free(self.standing))

    def free(self, now: AccountBalance) -> int:
        """Return the tokens of the share that are neither spent nor lent; negative if overdrawn."""
        return (self.limit or 0) - now.spent - now.lent

    def check(self) -> None:
        """Raise `BudgetError` when nothing is left."""
        self.ledger.settle(self.name)
        if self.limit is None:
            return
        now = self.standing
        if self.free(now) <= 0:
            lent = f", and {now.lent:,} are lent to batches that run" if now.lent else ""
            raise BudgetError(
                f"Your share of this server's tokens is used up ({now.spent:,} of {self.limit:,}"
                f" tokens are spent{lent}); ask its operator for more."
            )

    def begin(self, expected: int) -> None:
        """Check for a call of about `expected` tokens, which counts as used until `end`.

        Raises `BudgetError` where what is under way may use up what is left: whoever opens a
        hundred tabs would pass the share a hundredfold.
        """
        key = (self.ledger.folder, self.name)
        with _threads:
            waiting = _under_way.get(key, 0)
            _under_way[key] = waiting + expected
        try:
            self.check()
            self._check_beside(waiting)
        except BaseException:
            self.end(expected)
            raise

    def _check_beside(self, waiting: int) -> None:
        # looked at after the others were noted: one that ends meanwhile counts twice
        if waiting and self.limit is not None and self.free(self.standing) <= waiting:
            raise BudgetError(
                "Calls that are under way may use up your share of this server's tokens; wait until"
                " they have ended."
            )

    def end(self, expected: int) -> None:
        """Note that a call is over, whatever became of it."""
        key = (self.ledger.folder, self.name)
        with _threads:
            left = _under_way.get(key, 0) - expected
            if left > 0:
                _under_way[key] = left
            else:
                _under_way.pop(key, None)

    def charge(self, tokens: int) -> None:
        """Take what a call has used from the share; it is on the disk when this returns."""
        self.ledger.charge(self.name, tokens)

    def borrow(self, wanted: int | None, purpose: str) -> Lease:
        """Return a lease of `wanted` tokens, or of what is left; enter it to take it."""
        return Lease(self, wanted, purpose)


class Lease:
    """A part of an account that one process holds during a ``with`` block; the rest returns."""

    def __init__(self, account: Account, wanted: int | None, purpose: str) -> None:
        self.tokens: int | None = None
        """Tokens that were lent; ``None`` where nobody limits them."""
        self.spent = 0
        self._account, self._wanted, self._purpose = account, wanted, purpose
        self._id = secrets.token_hex(8)
        self._lock = FileLock(account.ledger.lock_of(self._id))
        self._threads = threading.Lock()

    def __enter__(self) -> Self:
        book = self._account.ledger
        with book.transaction() as database:
            self.tokens = self._granted(book.standing(database, self._account.name))
            # locked before anybody can read of it, or it would be given back at once
            self._lock.acquire()
            row = (self._id, self._account.name, self.tokens or 0, 0, self._purpose)
            database.execute("INSERT INTO leases VALUES (?, ?, ?, ?, ?)", row)
        return self

    def _granted(self, now: AccountBalance) -> int | None:
        if self._account.limit is None:
            return None
        free = max(0, self._account.free(now))
        return free if self._wanted is None else min(free, max(0, self._wanted))

    def check(self) -> None:
        """Raise `BudgetError` when what was lent is spent."""
        self._account.ledger.settle(self._account.name, self._id)
        with self._threads:
            if self.tokens is None or self.spent < self.tokens:
                return
            if self.tokens:
                raise BudgetError(
                    f"The {self.tokens:,} tokens lent to this batch are used up ({self.spent:,}"
                    " spent); Go on borrows more while some of your share is left."
                )
        # nothing was lent: the account's own sentence says why, if it still holds
        self._account.check()
        raise BudgetError("Nothing could be lent to this batch when it began; Go on asks again.")

    def begin(self, expected: int) -> None:
        """Check for a call; a batch's workers are few, and each may pass its lease by one."""
        del expected
        self.check()

    def end(self, expected: int) -> None:
        """Note nothing: see `begin`."""

    def charge(self, tokens: int) -> None:
        """Take what a call has used from the lease and its account; it is on the disk when this
        returns.
        """
        with self._threads:
            self.spent += max(0, tokens)
        self._account.ledger.charge(self._account.name, tokens, self._id)

    def __exit__(self, *_error: object) -> None:
        book = self._account.ledger
        with contextlib.suppress(StoreError):
            book.settle(self._account.name, self._id)
        # Windows deletes no open file; whoever ends the lease first writes the same figures
        self._lock.release()
        with (
            contextlib.suppress(StoreError),
            book.transaction() as database,
        ):
            book.end_lease(database, self._id)
