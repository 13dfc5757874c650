"""What each visitor of a server may use of language models: one share for live runs and batches together.

A live run spends from the share as it goes. A batch is a process of its own, so it is lent a part of the share: that
part is gone at once, and what the batch did not use comes back when it has ended.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from navviz.errors import BudgetError, InputError
from navviz.installation.serving import serving
from navviz.runner import Budget
from navviz.runner.batches import Batch
from navviz.ui.session import current

__all__ = ["Share", "model_budget", "start_batch", "tokens_left"]


class Share:
    """The tokens of one visitor."""

    def __init__(self, tokens: int) -> None:
        self.budget = Budget(tokens=tokens)
        self._lent: dict[Path, int] = {}
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """Tokens that are neither spent nor lent."""
        return max(0, (self.budget.tokens or 0) - self.budget.spent_tokens)

    def lend(self, folder: Path, wanted: int | None) -> int:
        """Take tokens for a batch out of the share, at most `wanted`; raises `BudgetError` where none is left."""
        with self._lock:
            tokens = self.left if wanted is None else min(wanted, self.left)
            if tokens <= 0:
                raise BudgetError("Your share of this server's tokens is used up; ask its operator for a larger one.")
            self.budget.add(0.0, tokens)
            self._lent[folder] = tokens
            return tokens

    def settle(self) -> None:
        """Take back what batches that have ended did not use; one that used more is charged for it."""
        with self._lock:
            for folder in list(self._lent):
                used = _used(folder)
                if used is not None:
                    self.budget.add(0.0, used - self._lent.pop(folder))

    def give_back(self, folder: Path) -> None:
        """Take back the whole of what a batch was lent, which did not begin."""
        with self._lock:
            self.budget.add(0.0, -self._lent.pop(folder, 0))


def _used(folder: Path) -> int | None:
    """Return the tokens that a batch's last session used; ``None`` while it goes on."""
    try:
        status = Batch.at(folder).status()
    except InputError:
        return None  # nobody knows what it spent
    return None if status.busy else status.state.spent_tokens


class _Ledger:
    def __init__(self) -> None:
        self._shares: dict[str, Share] = {}
        self._lock = threading.Lock()

    def of(self, visitor: str, tokens: int) -> Share:
        with self._lock:
            share = self._shares.setdefault(visitor, Share(tokens))
        share.settle()
        return share


@st.cache_resource(show_spinner=False)
def _ledger() -> _Ledger:
    return _Ledger()


def _share() -> Share | None:
    rules = serving()
    return None if rules is None else _ledger().of(_visitor(), rules.tokens)


def _visitor() -> str:
    return current().visitor or str(st.user.get("email") or st.user.get("sub") or st.context.ip_address or "here")


def model_budget() -> Budget | None:
    """Return the budget that all live runs of this visitor share; ``None`` where nobody limits it.

    It is kept by who came in (address, or name where they signed in), so that a reload does not renew it; it is new
    when the server starts.
    """
    share = _share()
    return None if share is None else share.budget


def tokens_left() -> int | None:
    """Return the tokens that are left for this visitor; ``None`` where nobody limits them."""
    share = _share()
    return None if share is None else share.left


def start_batch(batch: Batch, *, pilot: int = 0, environment: Mapping[str, str] | None = None) -> None:
    """Start a batch, or go on with it; on a server within what is left of the visitor's share.

    Raises
    ------
    BudgetError
        Where it asks a model, and nothing is left.
    StoreError
        See `Batch.start`.
    """
    share = _share()
    if share is None or batch.plan.model is None:
        batch.start(pilot=pilot, environment=environment)
        return
    folder = batch.folder.resolve()
    tokens = share.lend(folder, batch.plan.budget_tokens)
    try:
        batch.limited(tokens).start(pilot=pilot, environment=environment)
    except BaseException:
        share.give_back(folder)
        raise
