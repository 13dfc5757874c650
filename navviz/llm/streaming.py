"""What the backends share: retries, cancelling, time limits, token counts, hidden keys."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import os
import queue
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from navviz.errors import ModelRefusedError
from navviz.llm.addresses import StreamScrubber, scrub
from navviz.llm.base import Model, ModelDelta, Request
from navviz.llm.prices import cost_usd
from navviz.llm.retries import (
    NoConnectionError,
    RetryPolicy,
    StoppedError,
    TransientError,
    attempts,
)
from navviz.records import Call, EndStatus, Message, Price, ToolCall, Usage
from navviz.records.provider_messages import calls_text

T = TypeVar("T")

_POLL_S = 0.03
"""How often a waiting caller looks whether it was cancelled."""

_GENERATORS: contextvars.ContextVar[list[AsyncGenerator[Any, Any]]] = contextvars.ContextVar(
    "generators"
)
"""The async generators that a pump has started, from the outermost to the innermost."""


@dataclass(frozen=True, slots=True)
class _Item(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None = None


class _Loops:
    """The event loop of each process, made once.

    A lock guards the first call: `functools.lru_cache` lets two threads that come at once make a
    loop each, and a client whose connections belong to one loop fails on the other ("bound to a
    different event loop").
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_process: dict[int, asyncio.AbstractEventLoop] = {}
        # A fork may happen while another thread holds the lock; the child would wait for it for
        # ever.
        if hasattr(os, "register_at_fork"):  # Windows has no fork
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._by_process = {}

    def here(self) -> asyncio.AbstractEventLoop:
        """Return this process's loop; a forked child gets its own, as threads do not survive."""
        with self._lock:
            process_id = os.getpid()
            if process_id not in self._by_process:
                loop = asyncio.new_event_loop()
                loop.call_soon(_record_generators)
                threading.Thread(
                    target=_serve, args=(loop,), name="navviz-llm", daemon=True
                ).start()
                self._by_process[process_id] = loop
            return self._by_process[process_id]


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


def _record_generators() -> None:
    """Let each pump know its generators; a running loop sets its own hooks, so this runs in it."""
    start = sys.get_asyncgen_hooks().firstiter

    def record(generator: AsyncGenerator[Any, Any]) -> None:
        _GENERATORS.get([]).append(generator)
        if start is not None:
            start(generator)

    sys.set_asyncgen_hooks(firstiter=record)


_LOOPS = _Loops()


def run(work: Coroutine[Any, Any, T], timeout_s: float = 5.0) -> T:
    """Run a coroutine on the private loop and wait for it."""
    return asyncio.run_coroutine_threadsafe(work, _LOOPS.here()).result(timeout_s)


def iterate(
    make: Callable[[], AsyncIterator[T]], cancel: threading.Event, silence_s: float
) -> Generator[T, None, None]:
    """Iterate over what an async iterator yields on the private loop.

    `cancel`: ends the iteration at once, by `StoppedError`. `silence_s`: longest time in seconds
    without an item, before the first one too. Raises `TimeoutError` when nothing came for
    `silence_s`; `StoppedError` when `cancel` is set.
    """
    items: queue.SimpleQueue[_Item[T] | _End] = queue.SimpleQueue()
    if cancel.is_set():
        raise StoppedError
    task = asyncio.run_coroutine_threadsafe(_pump(make, items, silence_s), _LOOPS.here())
    try:
        while True:
            item = _next(items, cancel)
            if isinstance(item, _Item):
                yield item.value
            elif item.error is None:
                return
            else:
                raise item.error
    finally:
        task.cancel()


def _next(items: queue.SimpleQueue[_Item[T] | _End], cancel: threading.Event) -> _Item[T] | _End:
    while not cancel.is_set():
        with contextlib.suppress(queue.Empty):
            return items.get(timeout=_POLL_S)
    raise StoppedError


# Not anyio's portals: a client's stream must be read by one task from beginning to end, since its
# cancel scopes may not be left by another, so this pump and its queue would stay; a portal would
# replace the dozen lines that keep the loop.
async def _pump(
    make: Callable[[], AsyncIterator[T]],
    items: queue.SimpleQueue[_Item[T] | _End],
    silence_s: float,
) -> None:
    generators: list[AsyncGenerator[Any, Any]] = []
    _GENERATORS.set(generators)
    iterator = make()
    try:
        while True:
            # around each item and not around the stream: a long answer that goes on is no fault
            async with asyncio.timeout(silence_s):
                value = await anext(iterator)
            items.put(_Item(value))
    except StopAsyncIteration:
        items.put(_End())
    except asyncio.CancelledError:
        items.put(_End(StoppedError()))
        raise
    except Exception as error:  # noqa: BLE001 - carried over to the calling thread, which sorts them
        items.put(_End(error))
    finally:
        # Ends the request now. The outermost generator alone would not do: the clients leave the
        # streams below a chunk that they cannot read as they are, in circles of objects. The
        # garbage collector would find those later, in any thread, and close one stream while this
        # loop closes the one around it ("async generator already executing").
        for generator in generators:
            # One that cannot be closed keeps no other open, nor does the caller, who has the last
            # item by now and cancels this task.
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await generator.aclose()


LONGEST_REPLY = 1_000_000
"""Characters of thoughts and reply; today's longest answers have a quarter of it."""

_TOO_LONG = (
    f"sent more than {LONGEST_REPLY:,} characters; set max_output_tokens, or choose another model."
)

_LONGEST_FAULT = 500

_MISSHAPEN = (AttributeError, TypeError, ValueError, LookupError)
"""What client libraries raise at chunks of another shape than they expect."""

_LOG = logging.getLogger(__name__)


class ModelOptions(BaseModel):
    """How a model is asked; recorded with every run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    thinking: Literal["default", "low", "high"] = Field(
        default="default",
        description=(
            "How much the model may think before it answers; default leaves it to the model"
        ),
    )
    temperature: float | None = Field(
        default=None,
        ge=0,
        le=2,
        description="Randomness of the answers; empty leaves it to the model",
    )
    max_output_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Longest answer in tokens, thoughts included; empty leaves it to the model",
    )
    timeout_s: float = Field(
        default=180.0,
        gt=0,
        description="Longest silence of the server in seconds before it is asked again",
    )
    retry: RetryPolicy = Field(
        default=RetryPolicy(), description="How often and how patiently to ask again"
    )
    base_url: str | None = Field(
        default=None, description="Another address of the server (Gemini only)"
    )


@dataclass(frozen=True, slots=True)
class StreamPiece:
    """What one chunk of a stream tells."""

    thoughts: str = ""
    reply: str = ""
    usage: Usage | None = None
    finish: str | None = None
    model: str | None = None
    blocked: str | None = None
    """Why the server will not answer this prompt, in one sentence."""
    note: Message | None = None
    """A message that had to be added to the prompt."""
    logprobs: tuple[tuple[str, float], ...] = ()
    """Tokens of the reply with their log-probability."""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_message: str | None = None
    block_reason: str | None = None
    """The same as `blocked`, in the provider's own word."""


class _TooLongError(Exception):
    """An answer that goes on for ever."""


@dataclass(slots=True)
class _Gathered:
    """What one attempt has brought so far."""

    thoughts: list[str] = field(default_factory=list)
    reply: list[str] = field(default_factory=list)
    usage: Usage | None = None
    finish: str | None = None
    model: str | None = None
    blocked: str | None = None
    notes: tuple[Message, ...] = ()
    logprobs: list[tuple[str, float]] = field(default_factory=list)
    tool_calls: tuple[ToolCall, ...] = ()
    finish_message: str | None = None
    block_reason: str | None = None
    size: int = 0
    """Characters of thoughts and reply."""

    def add(self, piece: StreamPiece) -> None:
        self.size += len(piece.thoughts) + len(piece.reply)
        if piece.thoughts:
            self.thoughts.append(piece.thoughts)
        if piece.reply:
            self.reply.append(piece.reply)
        self.logprobs.extend(piece.logprobs)
        if piece.note is not None:
            self.notes = (*self.notes, piece.note)
        # only some chunks have these, and one without must not erase them
        self.usage = piece.usage or self.usage
        self.finish = piece.finish or self.finish
        self.model = piece.model or self.model
        self.blocked = piece.blocked or self.blocked
        self.tool_calls += piece.tool_calls
        self.finish_message = piece.finish_message or self.finish_message
        self.block_reason = piece.block_reason or self.block_reason
        if self.size > LONGEST_REPLY:
            raise _TooLongError


class StreamingModel(Model, ABC):
    """A model behind a streaming HTTP server; see `navviz.llm.base.LanguageModel`."""

    name: str
    vendor: str = "The model server"

    def __init__(
        self, name: str, options: ModelOptions, key: SecretStr | None, price: Price | None
    ) -> None:
        self.name = name
        self.options = options
        self.price = price
        self._key = key
        self.is_down = False
        """Whether the last call found nobody at the server's address."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @abstractmethod
    def _pieces(self, request: Request) -> AsyncIterator[StreamPiece]:
        """Ask once and yield what streams in."""

    @abstractmethod
    def _sorted_fault(self, error: Exception) -> Exception:
        """Turn a client library's error into one of ours; anything else is returned."""

    @abstractmethod
    def close(self) -> None:
        """Close the connections; the model can be used no more."""

    def scrub(self, text: str) -> str:
        """Remove keys from a text."""
        return scrub(text, self._key)

    def _scrubbed(self, value: T) -> T:
        """Remove keys from every text of a value of JSON."""
        cleaned: object = value
        if isinstance(value, str):
            cleaned = self.scrub(value)
        elif isinstance(value, dict):
            cleaned = {self.scrub(name): self._scrubbed(part) for name, part in value.items()}
        elif isinstance(value, list):
            cleaned = [self._scrubbed(part) for part in value]
        return cast("T", cleaned)

    def _told(self, message: str) -> str:
        """Return what a server says of a fault, cut when its keys are gone."""
        return self.scrub(message.strip()).rstrip(".")[:_LONGEST_FAULT]

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Ask, with retries; see `navviz.llm.base.LanguageModel.stream`."""
        cancel = cancel or threading.Event()
        started, gathered, tries, fault = time.monotonic(), _Gathered(), 0, None
        paid: Usage | None = None
        service_fault: str | None = None
        try:
            for attempt in attempts(self.options.retry, cancel):
                with attempt:
                    # before the next try forgets what the broken one has used
                    paid = _sum_of(paid, gathered.usage)
                    tries, gathered = attempt.retry_state.attempt_number, _Gathered()
                    if tries > 1:
                        yield ModelDelta("thoughts", f"\n[{fault} Asking again, try {tries}.]\n")
                    yield from self._attempt(request, cancel, gathered)
                outcome = getattr(attempt.retry_state, "outcome", None)
                fault = str(outcome.exception()) if outcome is not None and outcome.failed else ""
        except StoppedError:
            fault = EndStatus.STOPPED
        except TransientError as error:
            self.is_down = isinstance(error, NoConnectionError)
            fault = EndStatus.STOPPED if cancel.is_set() else _given_up(str(error), tries)
            service_fault = None if cancel.is_set() else error.fault
        except _TooLongError:
            fault = f"{self.vendor} {_TOO_LONG}"
        else:
            self.is_down = False
            fault = gathered.blocked
        gathered.usage = (
            _sum_of(paid, gathered.usage)
            if paid is not None or fault is not None
            else gathered.usage
        )
        call = self._call(request, gathered, tries, time.monotonic() - started, fault)
        if service_fault is None and call.error is None and call.unanswered is not None:
            call = call.model_copy(update={"error": f"{self.vendor} {_took_back(call)}"})
        yield call.model_copy(update={"service_fault": service_fault})

    def _attempt(
        self, request: Request, cancel: threading.Event, gathered: _Gathered
    ) -> Iterator[ModelDelta]:
        try:
            pieces = iterate(lambda: self._pieces(request), cancel, self.options.timeout_s)
            # a caller that leaves in the middle ends the request at once
            with contextlib.closing(pieces):
                thoughts, reply = StreamScrubber(self._key), StreamScrubber(self._key)
                heard_s = time.monotonic()
                for piece in pieces:
                    # a proxy may keep a dead line open with chunks that say nothing
                    if piece != StreamPiece(model=piece.model):
                        heard_s = time.monotonic()
                    elif time.monotonic() - heard_s > self.options.timeout_s:
                        raise TimeoutError  # noqa: TRY301 - as when nothing comes at all
                    yield from _deltas(thoughts.add(piece.thoughts), reply.add(piece.reply))
                    gathered.add(piece)
                yield from _deltas(thoughts.rest(), reply.rest())
        except TimeoutError:
            raise TransientError(
                f"{self.vendor} sent nothing for {self.options.timeout_s:g} seconds.",
                fault="time-out",
            ) from None
        except (StoppedError, _TooLongError):
            raise
        except Exception as error:
            fault = self._sorted_fault(error)
            # neither a fault of the server nor of a chunk's shape: no further try mends it
            if fault is error and not isinstance(error, _MISSHAPEN):
                raise
            if fault is error:
                trail = self.scrub("".join(traceback.format_exception(error)))
                _LOG.warning("%s: a chunk has another shape\n%s", self.vendor, trail)
                what = (
                    f"{self.vendor} answered with something that is no answer"
                    f" ({type(error).__name__})."
                )
                fault = self._transient(what)
            raise fault from None  # the library's own text may hold the key
        # a stream may end without an error in the middle; only a whole answer says why it ended
        if gathered.finish is None and gathered.blocked is None:
            raise TransientError(
                f"{self.vendor} cut the answer off before its end.", fault="connection lost"
            )

    def _call(
        self, request: Request, gathered: _Gathered, tries: int, seconds: float, fault: str | None
    ) -> Call:
        thoughts, reply = "".join(gathered.thoughts), "".join(gathered.reply)
        # a function call is an answer, and is read as one
        reply = reply or calls_text(gathered.tool_calls)
        tokens = "".join(token for token, _ in gathered.logprobs)
        tool_calls = []
        for each in gathered.tool_calls:
            args = self._scrubbed(each.args)
            tool_calls.append(ToolCall(name=self.scrub(each.name), args=args))
        return Call(
            purpose=request.purpose,
            messages=request.messages + gathered.notes,
            thoughts=self.scrub(thoughts) or None,
            reply=self.scrub(reply) if reply or fault is None else None,
            error=self._scrubbed(fault),
            model=self.scrub(gathered.model or self.name),
            usage=gathered.usage,
            seconds=round(seconds, 3),
            retries=max(0, tries - 1),
            cost_usd=cost_usd(gathered.usage, self.price),
            finish_reason=self._scrubbed(gathered.finish),
            finish_message=self._scrubbed(gathered.finish_message),
            block_reason=self._scrubbed(gathered.block_reason),
            tool_calls=tuple(tool_calls),
            # tokens are shorter than a key: where their text holds one, they are not kept
            logprobs=None if self.scrub(tokens) != tokens else tuple(gathered.logprobs) or None,
            response_schema=request.schema,
        )

    def _refused(self, sentence: str) -> ModelRefusedError:
        return ModelRefusedError(self.scrub(sentence))

    def _transient(
        self, sentence: str, server_wait_s: float | None = None, fault: str = "no answer"
    ) -> TransientError:
        return TransientError(self.scrub(sentence), server_wait_s, fault)


def _deltas(thoughts: str, reply: str) -> Iterator[ModelDelta]:
    if thoughts:
        yield ModelDelta("thoughts", thoughts)
    if reply:
        yield ModelDelta("reply", reply)


def _sum_of(paid: Usage | None, more: Usage | None) -> Usage | None:
    """Add up what tries have cost; of a broken one, the part of the reply that came counts."""
    if more is None:
        return paid
    names = ("prompt_tokens", "thoughts_tokens", "output_tokens", "cached_tokens")
    counts = {name: (getattr(paid, name, None) or 0) + (getattr(more, name) or 0) for name in names}
    return Usage(**counts)


def _took_back(call: Call) -> str:
    """Say that a provider ended an answer by its own rules."""
    message = f": {call.finish_message.rstrip('.')}" if call.finish_message else ""
    return f"did not answer: {call.unanswered}{message}."


def _given_up(sentence: str, tries: int) -> str:
    return f"{sentence} Tried {tries} times." if tries > 1 else sentence
