"""A private event loop in its own thread: async clients serve the plain `stream` protocol."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import queue
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from navviz.llm.retries import StoppedError

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

    Parameters
    ----------
    make
        Makes the iterator, on the loop.
    cancel
        Ends the iteration at once, by `StoppedError`.
    silence_s
        Longest time in seconds without an item, before the first one too.

    Raises
    ------
    TimeoutError
        When nothing came for `silence_s`.
    StoppedError
        When `cancel` is set.
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
