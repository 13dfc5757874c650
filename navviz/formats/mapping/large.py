"""Traces of a large table: each is made of its rows when somebody looks at it.

A step takes 2.3 kB as a record, so that a million of them would take 2.3 GB.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from navviz.records import Trace
from navviz.records.lazy_traces import LazyTraces

WHOLE_ROWS = 100_000
"""Tables of fewer rows are traces in memory."""
_ROW_BYTES = 1_000
"""Of a row, as `LazyTraces` counts bytes of a file: as records they take twice as much."""


class TableTraces(LazyTraces):
    """Traces of a table, made on demand. `heads`: each trace without its steps."""

    def __init__(
        self,
        heads: Mapping[str, Trace],
        steps: Mapping[str, int],
        read: Callable[[str], Trace],
    ) -> None:
        sizes = {key: _ROW_BYTES * (count + 1) for key, count in steps.items()}
        super().__init__(None, sizes, read, heads=heads)
        self.walked = sum(count > 0 for count in steps.values())


def walked_of(traces: Mapping[str, Trace]) -> int:
    """Return how many of the traces hold a walk."""
    if isinstance(traces, TableTraces):
        return traces.walked
    return sum(bool(trace.steps) for trace in traces.values())
