"""A private event loop in a thread of its own, so that the async clients can serve the plain `stream` protocol."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from navviz.llm.retries import StoppedError

__all__ = ["iterate", "run"]

T = TypeVar("T")
_POLL_S = 0.03
"""How often a waiting caller looks whether it was cancelled."""


@dataclass(frozen=True, slots=True)
class _Item(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None = None


@lru_cache(maxsize=1)
def _loop_of(_process_id: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="navviz-llm", daemon=True).start()
    return loop


def _loop() -> asyncio.AbstractEventLoop:
    """The process's loop; a forked child gets its own, since threads do not survive a fork."""
    return _loop_of(os.getpid())


def run(work: Coroutine[Any, Any, T], timeout_s: float = 5.0) -> T:
    """Run a coroutine on the private loop and wait for it."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result(timeout_s)


def iterate(make: Callable[[], AsyncIterator[T]], cancel: threading.Event, silence_s: float) -> Iterator[T]:
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
    task = asyncio.run_coroutine_threadsafe(_pump(make, items, silence_s), _loop())
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


async def _pump(
    make: Callable[[], AsyncIterator[T]], items: queue.SimpleQueue[_Item[T] | _End], silence_s: float
) -> None:
    iterator = make()
    try:
        while True:
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
        close = getattr(iterator, "aclose", None)
        if close is not None:
            await close()
