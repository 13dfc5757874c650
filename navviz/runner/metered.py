"""A language model whose calls somebody's share pays for, whoever asks it and for what."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

from navviz.errors import ModelError
from navviz.llm.base import LanguageModel, Model, ModelDelta, Request
from navviz.llm.registry import close_model
from navviz.records import Call, EndStatus

_CHARS_PER_TOKEN = 4
"""Of English prose with today's tokenizers; counts a call that its server did not count."""


class Share(Protocol):
    """What pays: an account, or a lease of one."""

    def begin(self, expected: int) -> None:
        """Raise `BudgetError` when nothing is left; else note that a call of about so many tokens
        is under way.
        """

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

    Parameters
    ----------
    call, request
        What came of it, and what was asked.
    received
        Characters that streamed in, those of tries that failed among them.
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
