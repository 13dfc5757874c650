"""A limit of tokens or money for a run, and the model bound to it, to a stop and slots."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

from navviz.errors import BudgetError, SettingsError
from navviz.llm.base import LanguageModel, ModelDelta, Request
from navviz.llm.registry import close_model
from navviz.records import Call, EndStatus, Price
from navviz.runner.metered import bare_model

_POLL_S = 0.05
"""How late a stop is noticed by a worker that waits for its turn at the model."""


class Budget:
    """A limit that episodes of a run share; safe to use from several threads.

    It is looked at before each call, so the last call may pass it.

    Parameters
    ----------
    usd
        Limit in US dollars; ``None`` for no limit.
    tokens
        Limit in tokens, prompts included; ``None`` for no limit.

    Raises
    ------
    SettingsError
        For a negative limit.
    """

    def __init__(self, usd: float | None = None, tokens: int | None = None) -> None:
        # `not usd >= 0` refuses NaN too
        if (usd is not None and not usd >= 0) or (tokens is not None and tokens < 0):
            raise SettingsError("A budget cannot be negative; leave it out for no limit.")
        self.usd, self.tokens = usd, tokens
        self.spent_usd, self.spent_tokens = 0.0, 0
        self._uncounted: str | None = None
        self._lock = threading.Lock()

    def check_model(self, model: LanguageModel) -> None:
        """Raise `SettingsError` when the cost of the model cannot be known."""
        bare = bare_model(model)
        price: Price | None = getattr(bare, "price", None)
        if self.usd is not None and hasattr(bare, "price") and price is None:
            raise SettingsError(
                f"The price of {model.name} is not known, so a budget in dollars cannot be kept; "
                "add the model to prices.json in the workspace, or give the budget in tokens."
            )

    def check(self) -> None:
        """Raise `BudgetError` when the limit is reached; a budget of zero allows no call at all."""
        with self._lock:
            if self.usd is not None and self.spent_usd >= self.usd:
                spent = f"${self.spent_usd:.4f} of ${self.usd:g}"
            elif self.tokens is not None and self.spent_tokens >= self.tokens:
                spent = f"{self.spent_tokens:,} of {self.tokens:,} tokens"
            elif self._uncounted is not None:
                raise BudgetError(self._uncounted)
            else:
                return
        raise BudgetError(f"The budget is used up ({spent}); raise it to go on.")

    def add(self, usd: float, tokens: int) -> None:
        """Add what is known to have been spent."""
        with self._lock:
            self.spent_usd += usd
            self.spent_tokens += tokens

    def charge(self, calls: Iterable[Call]) -> None:
        """Add calls to what was spent."""
        with self._lock:
            for call in calls:
                tokens = call.tokens
                self.spent_usd += call.cost_usd or 0.0
                self.spent_tokens += tokens or 0
                # a failed call often has no counts; only an answered one shows that its server
                # never counts
                if call.error is None and self._cannot_count(call.cost_usd, tokens):
                    self._uncounted = (
                        f"{call.model} does not say what a call uses, so the budget cannot be kept;"
                        " run without one."
                    )

    def _cannot_count(self, cost_usd: float | None, tokens: int | None) -> bool:
        return (self.usd is not None and cost_usd is None) or (
            self.tokens is not None and tokens is None
        )


class GuardedModel:
    """A `LanguageModel` bound to a run: it keeps its budget, its stop and its slots."""

    def __init__(
        self,
        model: LanguageModel,
        cancel: threading.Event,
        budget: Budget | None = None,
        slots: threading.Semaphore | None = None,
    ) -> None:
        self.name = model.name
        self._model, self._cancel, self._budget, self._slots = model, cancel, budget, slots
        if budget is not None:
            budget.check_model(model)

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Stream as the model does; raises `BudgetError` where the budget forbids the call."""
        del cancel  # the run's own event is the one that everybody sets
        if self._budget is not None:
            self._budget.check()
        if not self._wait_for_slot():
            yield Call(
                purpose=request.purpose,
                messages=request.messages,
                error=EndStatus.STOPPED,
                model=self.name,
            )
            return
        try:
            if self._budget is not None:
                # others may have used it up while this call waited for its slot
                self._budget.check()
            for item in self._model.stream(request, self._cancel):
                if isinstance(item, Call) and self._budget is not None:
                    self._budget.charge([item])
                yield item
        finally:
            if self._slots is not None:
                self._slots.release()

    def close(self) -> None:
        """Close the model's connections."""
        close_model(self._model)

    def _wait_for_slot(self) -> bool:
        """Take a slot; false when the run was stopped before one was free."""
        if self._slots is None:
            return True
        while not self._cancel.is_set():
            if self._slots.acquire(timeout=_POLL_S):
                return True
        return False
