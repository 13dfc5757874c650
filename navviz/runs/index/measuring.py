"""How the rows of a run come about, which `navviz.runs.run.OpenRun` shows and waits for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from navviz.formats import GraphOf, Run
from navviz.records import Trace
from navviz.runs.index.build import Measure, with_measured, work_through
from navviz.runs.index.kept import KeptRun
from navviz.runs.index.measure import Table, WalkMeasurer, table_of_walks, unmeasured_row
from navviz.runs.index.run_rows import RunRows, rows_of_run
from navviz.support.guarded import report_walks

Take = Callable[[RunRows], None]
"""Shows another state of a run's rows."""


class Measuring(ABC):
    """Where the rows of one run come from."""

    place: KeptRun | None = None
    """Where they are kept, if another process fills them while pages show what is known."""
    tells_ends = False
    """Whether outcome and navigation error are known before a walk is measured."""

    @abstractmethod
    def first(self) -> RunRows:
        """Return the rows as they are known without measuring."""

    @abstractmethod
    def finish(self, view: RunRows, take: Take) -> None:
        """Measure what `view` lacks; raises `NavVizError` where it cannot be measured."""

    def refreshed(self) -> RunRows | None:
        """Return the rows that another process has changed; ``None`` where it has not."""
        return None

    def traces(self, view: RunRows) -> Mapping[str, Trace] | None:
        """Return the traces of other rows than before; ``None`` where they are always the same."""
        del view
        return None


class MeasuredWalks(Measuring):
    """Rows of the walks that a run holds, measured in this process when somebody asks.

    `number`: its place among the runs that share one table. `file`: names the ground truth in what
    is said of routes; nothing is said without it.
    """

    def __init__(self, run: Run, graph_of: GraphOf, number: int = 0, file: str = "") -> None:
        self._run, self._number, self._file = run, number, file
        # readers promise different names; rows must not hang on that
        self._name = f"{number} {run.name}"
        self._measurer = WalkMeasurer(graph_of)

    def first(self) -> RunRows:
        """Return what the walks tell without their graphs."""
        return self.rows_in(table_of_walks(self.unmeasured(self._run.outlines)))

    def unmeasured(self, traces: Mapping[str, Trace]) -> list[dict[str, Any]]:
        """Return a row for each walk that is not measured."""
        rows = []
        for key, trace in traces.items():
            rows.append({**unmeasured_row(trace, self._name), **self._place_of(key)})
        return rows

    def measure(self, keys: Sequence[str]) -> Table:
        """Return a row for each of some walks, by the keys that the run has them under."""
        rows = []
        # few at once: a row names every place of its walk, and as Python's objects the rows of a
        # million steps take 3 GB, as columns 0.2
        for key in keys:
            trace = self._run.outlines[key]
            row = {**self._measurer.row(trace, self._name), **self._place_of(key)}
            if self._file:
                row["problems"] = self._measurer.route_problems(trace, self._file)
            rows.append(row)
        return table_of_walks(rows)

    def rows_in(self, table: Table) -> RunRows:
        """Return the rows of this run in a table of several."""
        view = rows_of_run(table, self._name, self._run.source)
        # what could not be read stands in the run, and the table holds the other methods, too
        return replace(view, problems=view.own_problems())

    def finish(self, view: RunRows, take: Take) -> None:
        """Measure what is left; raises `InputError` where there is no graph for a walk."""
        pieces: list[Table] = []
        try:
            self.work(view, lambda: self.measure, 0, pieces)
        finally:
            # who stops it, and asks again, goes on from there
            take(self.rows_in(with_measured(view.table, pieces)))

    def work(
        self,
        view: RunRows,
        make: Callable[[], Measure[str, Table]],
        processes: int,
        pieces: list[Table],
    ) -> None:
        """Add the rows of what `view` and `pieces` lack to `pieces`; report how many there are."""
        there = set[str]()
        for piece in pieces:
            there.update(piece["episode"].to_pylist())
        left = [key for key in view.left if key not in there]
        total = view.rows.num_rows
        done = total - len(left)
        with closing(work_through(left, make, processes)) as rows:
            for piece in rows:
                pieces.append(piece)
                done += piece.num_rows
                report_walks(done, total)

    def _place_of(self, key: str) -> dict[str, str]:
        # it stands for the file of an own trace; some logs walk an episode twice, and the key tells
        # the walks apart
        return {"file": f"{self._number} {key}", "episode": key}
