"""A limit of tokens or money for a run, and the model bound to it, to a stop and slots."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from navviz.errors import BudgetError, ModelError, SettingsError
from navviz.llm.base import LanguageModel, Model, ModelDelta, Request
from navviz.llm.registry import close_model
from navviz.records import Call, EndStatus, Price

_CHARS_PER_TOKEN = 4
"""Of English prose with today's tokenizers; counts a call that its server did not count."""


class Share(Protocol):
    """What pays: an account, or a lease of one."""

    def begin(self, expected: int) -> None:
        """Raise `BudgetError` when nothing is left; else note a call of about so many tokens."""

    def end(self, expected: int) -> None:
        """Note that the call is over."""

    def charge(self, tokens: int) -> None:
        """Take what a call has used."""


class MeteredModel(Model):
    """A `LanguageModel` that looks at a share before each call and charges it after.

    The share is looked at before each call. What is under way counts by its prompt, so that a
    hundred calls that begin at once do not each find the same last token. Who closes the model lets
    `on_spent` know the tokens of all its calls.
    """

    def __init__(
        self, model: LanguageModel, share: Share, on_spent: Callable[[int], None] | None = None
    ) -> None:
        self.name = model.name
        self.model = model
        self._share, self._on_spent = share, on_spent
        self._spent, self._threads = 0, threading.Lock()

    def _charge(self, tokens: int) -> None:
        self._share.charge(tokens)
        with self._threads:
            self._spent += tokens

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Stream as the model does; raises `BudgetError` where the share is used up.

        A call is charged before it is handed on, so it is counted though its process is killed in
        that moment. One that is left in the middle is charged by what it has sent.
        """
        expected = _estimated(request, 0)
        self._share.begin(expected)
        # a call that was cancelled before it began has reached no server
        received, begun, charged = 0, cancel is None or not cancel.is_set(), False
        under_way = True
        try:
            for item in self.model.stream(request, cancel):
                if isinstance(item, Call):
                    charged = True
                    unasked = not begun and item.tokens is None
                    self._charge(0 if unasked else tokens_charged(item, request, received))
                    # after the charge: in between it counts twice, and never not at all
                    under_way = False
                    self._share.end(expected)
                else:
                    received += len(item.text)
                yield item
        except (
            BaseException
        ) as error:  # a page that took too long, and a walk that went away, are ended from outside
            # a model's own error before the first word means that no answer was made
            if not charged and (received or not isinstance(error, ModelError)):
                self._charge(_estimated(request, received))
            raise
        finally:
            if under_way:
                self._share.end(expected)

    def close(self) -> None:
        """Close the model's connections, and tell what was spent since it was closed last."""
        close_model(self.model)
        with self._threads:
            # a model that is closed twice must not report the same tokens twice
            spent, self._spent = self._spent, 0
        if spent and self._on_spent is not None:
            self._on_spent(spent)


def tokens_charged(call: Call, request: Request, received: int) -> int:
    """Return the tokens that a call is charged with.

    What its server counted; else an estimate by length: of prompt and reply where an answer came or
    the user stopped it, nothing where it failed before a word of an answer.
    """
    if call.tokens is not None:
        return max(0, call.tokens)
    if call.error is None or call.error == EndStatus.STOPPED or received:
        answer = len(call.thoughts or "") + len(call.reply or "")
        return _estimated(request, max(received, answer))
    return max(0, (call.usage.prompt_tokens if call.usage is not None else None) or 0)


def _estimated(request: Request, received: int) -> int:
    prompt = sum(len(message.text) for message in request.messages)
    return math.ceil((prompt + received) / _CHARS_PER_TOKEN)


def bare_model(model: LanguageModel | None) -> LanguageModel | None:
    """Return the model itself, without who pays for it."""
    return model.model if isinstance(model, MeteredModel) else model


def is_down(model: LanguageModel | None) -> bool:
    """Whether the last call of a model found nobody at its server's address."""
    return bool(getattr(bare_model(model), "is_down", False))


_POLL_S = 0.05
"""How late a stop is noticed by a worker that waits for its turn at the model."""


class Budget:
    """A limit that episodes of a run share; safe to use from several threads.

    It is looked at before each call, so the last call may pass it. Raises `SettingsError` for a
    negative limit.
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
                if call.error is None and (
                    (self.usd is not None and call.cost_usd is None)
                    or (self.tokens is not None and tokens is None)
                ):
                    self._uncounted = (
                        f"{call.model} does not say what a call uses, so the budget cannot be kept;"
                        " run without one."
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
