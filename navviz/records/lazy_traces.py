"""Traces whose texts stay in their files until an episode is opened.

A run of thousands of episodes has gigabytes of prompts and replies, of which a user looks at a few. So a reader may
hand out `LazyTraces`: every trace as an *outline*, which is small, and the whole one when it is asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock

from navviz.records.trace import Trace

__all__ = ["HELD_BYTES", "LazyTraces", "outlines"]

HELD_BYTES = 1 << 25
"""Bytes in files whose traces are kept once read (32 MiB); as records they take up to twice as much."""


class LazyTraces(Mapping[str, Trace]):
    """Traces by episode id: whole ones are read when they are asked for, and the last ones read are kept.

    Parameters
    ----------
    outlines
        Each trace without messages, thoughts and replies of its calls and without its observations. All else is
        there: header, plan, steps with place, decision and way, tokens, cost and faults of the calls, end, waypoints.
        Path metrics, divergence and the table of episodes need no more.
    sizes
        Bytes of each trace in its files.
    read
        Reads a whole trace; raises `InputError` where it cannot. It may be called from several threads.
    held_bytes
        Traces of so many bytes are kept, at least the last one.
    """

    def __init__(
        self,
        outlines: Mapping[str, Trace],
        sizes: Mapping[str, int],
        read: Callable[[str], Trace],
        held_bytes: int = HELD_BYTES,
    ) -> None:
        self.outlines: Mapping[str, Trace] = outlines
        self._sizes, self._read, self._room = sizes, read, held_bytes
        self._held: OrderedDict[str, Trace] = OrderedDict()
        self._held_bytes = 0
        self._lock = Lock()
        self._told: list[Callable[[Trace], None]] = []

    def __getitem__(self, key: str) -> Trace:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        if key not in self.outlines:
            raise KeyError(key)
        trace = self._read(key)
        for tell in self._told:
            tell(trace)
        return self._kept(key, trace)

    def _kept(self, key: str, trace: Trace) -> Trace:
        """Keep a trace, and drop those that were not asked for the longest; another thread may have been faster."""
        with self._lock:
            if key in self._held:
                return self._held[key]
            self._held[key] = trace
            self._held_bytes += self._sizes[key]
            while self._held_bytes > self._room and len(self._held) > 1:
                oldest, _ = self._held.popitem(last=False)
                self._held_bytes -= self._sizes[oldest]
            return trace

    def __iter__(self) -> Iterator[str]:
        return iter(self.outlines)

    def __len__(self) -> int:
        return len(self.outlines)

    def __contains__(self, key: object) -> bool:
        return key in self.outlines

    def __repr__(self) -> str:
        return f"LazyTraces({len(self)} episodes, {len(self._held)} of them read)"

    def tell(self, of: Callable[[Trace], None]) -> None:
        """Call `of` with every trace that is read from now on."""
        self._told.append(of)

    def only(self, keys: Iterable[str]) -> LazyTraces:
        """Return those of some episodes, in the order of this mapping."""
        chosen = set(keys)
        kept = {key: outline for key, outline in self.outlines.items() if key in chosen}
        return LazyTraces(kept, self._sizes, self._read, self._room)


def outlines(traces: Mapping[str, Trace]) -> Mapping[str, Trace]:
    """Return the outlines of traces that are read when they are asked for; other traces are whole as they are.

    For what needs no texts: episodes, paths, decisions, figures of a whole run. See `LazyTraces`.
    """
    return traces.outlines if isinstance(traces, LazyTraces) else traces
