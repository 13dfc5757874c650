"""Traces whose texts stay in their files until an episode is opened.

A run of thousands of episodes has gigabytes of prompts and replies, of which a user looks at a few.
So a reader may hand out `LazyTraces`: every trace as an *outline*, which is small, and the whole
one on demand.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from threading import Lock
from typing import TypeVar

from navviz.records.trace import Trace

What = TypeVar("What")
HELD_BYTES = 1 << 25
"""Bytes of files whose traces are kept (32 MiB); as records they take up to twice as much."""


class LazyTraces(Mapping[str, Trace]):
    """Traces by episode id: whole ones are read on demand, and the latest ones are kept.

    `outlines`: ``None`` where a trace is its own outline; else each trace without messages,
    thoughts and replies of its calls and without its observations. All else is there: header, plan,
    steps with place, decision and way, tokens, cost and faults of the calls, end, waypoints. Path
    metrics, divergence and the table of episodes need no more. `read`: reads a whole trace; raises
    `InputError` where it cannot. It may be called from several threads. `held_bytes`: traces of so
    many bytes are kept, at least the last one. `heads`: each trace as far as its episode and its
    end need it, where that costs less than outlines.
    """

    def __init__(
        self,
        outlines: Mapping[str, Trace] | None,
        sizes: Mapping[str, int],
        read: Callable[[str], Trace],
        held_bytes: int = HELD_BYTES,
        heads: Mapping[str, Trace] | None = None,
    ) -> None:
        self._outlines, self._heads = outlines, heads
        self._sizes, self._read, self._room = sizes, read, held_bytes
        self._opened: OrderedDict[str, Trace] = OrderedDict()
        self._kept_bytes = 0
        self._lock = Lock()
        self._listeners: list[Callable[[Trace], None]] = []

    @property
    def outlines(self) -> Mapping[str, Trace]:
        """Each trace as far as figures of a whole run need it."""
        return self if self._outlines is None else self._outlines

    @property
    def heads(self) -> Mapping[str, Trace]:
        """Each trace as far as its episode and its end are wanted."""
        return self.outlines if self._heads is None else self._heads

    @property
    def byte_count(self) -> int:
        """Bytes of all traces in their files."""
        return sum(self._sizes.values())

    def __getitem__(self, key: str) -> Trace:
        with self._lock:
            if key in self._opened:
                self._opened.move_to_end(key)
                return self._opened[key]
        if key not in self._sizes:
            raise KeyError(key)
        trace = self._read(key)
        for listener in self._listeners:
            listener(trace)
        return self.keep(key, trace)

    def again(self, key: str) -> Trace:
        """Return a trace as it is written by now, without keeping it: its file may have grown."""
        return self._read(key)

    def keep(self, key: str, trace: Trace) -> Trace:
        """Keep a trace and drop the least recently used; another thread may have been faster."""
        with self._lock:
            # it was read without the lock, so that other threads need not wait for the disk
            if key in self._opened:
                return self._opened[key]
            self._opened[key] = trace
            self._kept_bytes += self._sizes[key]
            while self._kept_bytes > self._room and len(self._opened) > 1:
                oldest, _ = self._opened.popitem(last=False)
                self._kept_bytes -= self._sizes[oldest]
            return trace

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    def __contains__(self, key: object) -> bool:
        # what `Mapping` does by itself would read the trace to find out
        return key in self._sizes

    def __repr__(self) -> str:
        return f"LazyTraces({len(self)} episodes, {len(self._opened)} of them read)"

    def tell(self, of: Callable[[Trace], None]) -> None:
        """Call `of` with every trace that is kept, and with every one that is read from now on."""
        self._listeners.append(of)
        with self._lock:
            kept = list(self._opened.values())
        # outside the lock, which a listener that opens a trace would wait for without end
        for trace in kept:
            of(trace)

    def only(self, keys: Iterable[str]) -> LazyTraces:
        """Return those of some episodes, in the order of this mapping."""
        chosen = set(keys)
        sizes = {key: size for key, size in self._sizes.items() if key in chosen}
        kept = None
        if self._outlines is not None:
            kept = {key: self._outlines[key] for key in sizes}
        return LazyTraces(kept, sizes, self._read, self._room, self._heads_of(sizes))

    def _heads_of(self, keys: Iterable[str]) -> dict[str, Trace] | None:
        heads = self._heads
        return None if heads is None else {key: heads[key] for key in keys}


ROOM_BYTES = 1 << 26
"""Bytes of the traces of a run that are kept once read (64 MiB); as records they take up to twice
as much.
"""


class OnDemand(Mapping[str, What]):
    """Values by episode, each made or read when it is asked for and kept by nobody."""

    def __init__(self, keys: Collection[str], find: Callable[[str], What]) -> None:
        self._keys, self._find = keys, find

    def __getitem__(self, key: str) -> What:
        if key not in self._keys:
            raise KeyError(key)
        return self._find(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        # what `Mapping` does by itself would find the value first
        return key in self._keys


class TracesOnDemand(LazyTraces):
    """Traces that are read on demand.

    Those of a run that fits into `ROOM_BYTES` stay in memory. Of a larger one, what walks through
    all outlines holds one trace at a time, and leaves those that a user looks at where they are.
    """

    def __init__(
        self,
        read: Callable[[str], Trace],
        sizes: Mapping[str, int],
        outline: Callable[[str], Trace] | None = None,
        again: Callable[[str], Trace] | None = None,
    ) -> None:
        # a run that fits is walked through again and again by pages and metrics
        fits = outline is None and sum(sizes.values()) <= ROOM_BYTES
        each = None if fits else OnDemand(sizes, outline or self._glance)
        super().__init__(each, sizes, read, ROOM_BYTES)
        self._outline, self._again = outline, again or read

    def again(self, key: str) -> Trace:
        """Return a trace as it is written by now; only what is new is read, where that is known."""
        return self._again(key)

    def _glance(self, key: str) -> Trace:
        # what a user looks at is there already
        return self._opened.get(key) or self._read(key)

    def only(self, keys: Iterable[str]) -> LazyTraces:
        """Return those of some episodes, in the order of this mapping."""
        chosen = set(keys)
        sizes = {key: size for key, size in self._sizes.items() if key in chosen}
        return TracesOnDemand(self._read, sizes, self._outline, self._again)


def outlines(traces: Mapping[str, Trace]) -> Mapping[str, Trace]:
    """Return the outlines of traces that are read on demand; other traces are already whole.

    For what needs no texts: episodes, paths, decisions, figures of a whole run. See `LazyTraces`.
    """
    return traces.outlines if isinstance(traces, LazyTraces) else traces


def heads(traces: Mapping[str, Trace]) -> Mapping[str, Trace]:
    """Return traces of which only episode and end are wanted; they may lack their steps."""
    return traces.heads if isinstance(traces, LazyTraces) else traces
