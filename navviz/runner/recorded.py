"""A model that answers from a trace's calls, and stops where another prompt comes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from navviz.llm.base import ModelDelta, Request, schema_note
from navviz.records import Call, Message, Trace

CUT_OFF = "(cut off)"
"""Ends the purpose of a call whose step was walked again (see `navviz.runner.resume.past_of`)."""


class OtherPrompt(Exception):  # noqa: N818 - no fault: it ends a walk, and no navigator may catch it as one
    """The walk asks something else than the trace holds."""

    def __init__(self, recorded: tuple[Message, ...], requested: tuple[Message, ...]) -> None:
        super().__init__("another prompt")
        self.recorded, self.requested = recorded, requested


class UsedUp(Exception):  # noqa: N818 - as above
    """The walk asks once more than the trace did."""


class Recorded:
    """A `navviz.llm.base.LanguageModel` that gives the recorded replies of a trace.

    Planning calls and calls of steps stand apart in a trace, so each request is answered by the
    head of either list whose prompt it equals.

    Parameters
    ----------
    trace
        Whose calls are given.
    past
        The part of it that is not walked again (a fork); its calls are passed over.
    without_order
        Takes the order out of a prompt in which it is chance; two prompts that are the same then
        count as `reordered`.
    """

    def __init__(
        self,
        trace: Trace,
        past: Trace | None = None,
        without_order: Callable[[str], str] | None = None,
    ) -> None:
        self.name = trace.header.model or "recorded"
        self._without_order = without_order
        kept = len(past.steps) if past is not None else 0
        self._plans = _queue(trace.plan_calls)
        walked = chain.from_iterable(step.calls for step in trace.steps[kept:])
        self._steps = _queue(list(walked))
        # the plan calls of the old walk stand before those of the fork
        self._skips = past is not None
        self.answered = 0
        self.reordered = 0
        """Prompts that list the same in another order."""

    @property
    def left(self) -> int:
        """Recorded calls that the walk did not ask for; planning calls of a fork's old walk are not
        counted.
        """
        return len(self._steps) + (0 if self._skips else len(self._plans))

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Give the recorded call with this prompt; `OtherPrompt` or `UsedUp` where there is
        none.
        """
        del cancel
        call = self._take(request)
        self.answered += 1
        # the reply is read again
        yield call.model_copy(update={"parsed": None, "parse_error": None})

    def _take(self, request: Request) -> Call:
        for queue in (self._plans, self._steps):
            if queue and _prompt(queue[0]) == request.messages:
                return queue.popleft()
        if self._skips and any(_prompt(call) == request.messages for call in self._plans):
            while _prompt(self._plans[0]) != request.messages:
                self._plans.popleft()
            return self._plans.popleft()
        heads = [queue[0] for queue in (self._steps, self._plans) if queue]
        if not heads:
            raise UsedUp
        # of two heads, the call of the same kind is the one to show beside the new prompt
        likely = next((call for call in heads if call.purpose == request.purpose), heads[0])
        if self._same_but_for_order(_prompt(likely), request.messages):
            self.reordered += 1
            return next(
                queue for queue in (self._steps, self._plans) if queue and queue[0] is likely
            ).popleft()
        raise OtherPrompt(_prompt(likely), request.messages)

    def _same_but_for_order(
        self, messages: tuple[Message, ...], other: tuple[Message, ...]
    ) -> bool:
        bare = self._without_order
        if bare is None or [message.role for message in messages] != [
            message.role for message in other
        ]:
            return False
        return all(
            bare(old.text) == bare(new.text) for old, new in zip(messages, other, strict=True)
        )


def _queue(calls: Sequence[Call]) -> deque[Call]:
    return deque(call for call in calls if not call.purpose.endswith(CUT_OFF))


def _prompt(call: Call) -> tuple[Message, ...]:
    """Return the navigator's messages, without notes for servers that take no schema."""
    if call.response_schema is None:
        return call.messages
    note, kept = schema_note(call.response_schema), list(call.messages)
    # each looser try of the server's interface has added the note once more
    while kept and kept[-1] == note:
        kept.pop()
    return tuple(kept)
