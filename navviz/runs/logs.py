"""Runs that other programs logged: read once, and kept as NavViz's own traces are.

The first time, a reader translates the log. What it made of it is kept (`navviz.runs.index`), and
so is the row of each episode once it is measured. From then on the list comes from the rows, and an
episode from its own bytes, until any file changes that the run was read from.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

from navviz.errors import (
    InputError,
    NavVizError,
    Problems,
    ReadingStoppedError,
    merged_problems,
)
from navviz.formats import Run, open_episodes, open_graph, open_results
from navviz.records import Trace
from navviz.records.lazy_traces import heads
from navviz.runs.graphs import GraphAt, GraphFinder
from navviz.runs.index.build import ALONE, Measure, with_measured
from navviz.runs.index.inputs import unchanged
from navviz.runs.index.log_store import KeptLog, ReadLogs, load_logs, save_logs
from navviz.runs.index.measure import Table, table_of_walks
from navviz.runs.index.measuring import MeasuredWalks, Take
from navviz.runs.index.run_rows import RunRows
from navviz.runs.reading import read_files
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.support.guarded import note_again, taking_notes
from navviz.world.graph import Graph

_LOG = logging.getLogger(__name__)
_SHARED = 10_000
"""So many walks of a log are measured by several processes; a thousand take a second."""
_CHANGED = "has changed since it was opened"


class _Rows:
    """The rows of all runs of a log, which share one index."""

    def __init__(self, place: KeptLog, table: Table) -> None:
        self.place, self.table = place, table
        self._lock = Lock()

    def add(self, measured: Sequence[Table]) -> Table:
        """Take measured rows and keep all of them."""
        with self._lock:
            # meanwhile another process, or another page, may have measured another method
            kept = self.place.load()
            if kept is not None and kept["file"].equals(self.table["file"]):
                self.table = kept
            self.table = with_measured(self.table, measured)
            self.place.save(self.table)
            return self.table


class LogRows(MeasuredWalks):
    """Rows of a run of another program's log, kept as soon as they are measured."""

    def __init__(
        self, source: Source, run: Run, number: int, graph_of: GraphFinder, shared: _Rows
    ) -> None:
        super().__init__(run, graph_of, number, _truth_of(source, run))
        self._source, self._graph_of, self._shared = source, graph_of, shared

    def first(self) -> RunRows:
        """Return the rows as they were when the log was opened."""
        return self.rows_in(self._shared.table)

    def finish(self, view: RunRows, take: Take) -> None:
        """Measure what is left; raises `InputError` where there is no graph for a walk."""
        # a missing graph is said here, with its own fault, and not by another process
        for world in view.worlds:
            self._graph_of(world)
        pieces: list[Table] = []
        try:
            cores = min(4, os.cpu_count() or 1)
            # others need some seconds to begin, and read the walks from where they are kept
            if self._shared.place.is_kept and cores > 1 and len(view.left) >= _SHARED:
                self._work_elsewhere(view, cores, pieces)
            self.work(view, lambda: self.measure, 0, pieces)
        finally:
            # who stops it, and asks again, goes on from there
            take(self.rows_in(self._shared.add(pieces)))

    def _work_elsewhere(self, view: RunRows, cores: int, pieces: list[Table]) -> None:
        try:
            self.work(view, partial(_KeptMeasurer, self._source, self._number), cores, pieces)
        except ReadingStoppedError:
            raise
        except (NavVizError, BrokenExecutor) as error:
            # the cache may have lost the walks meanwhile: this process can read the log itself
            _LOG.info("%s: measured in this process (%s)", self._run.name, error)


def _truth_of(source: Source, run: Run) -> str:
    # the ground truth is of the episodes' own file, where one is open
    return (source.episodes or run.source).name


class _KeptMeasurer:
    """Measures in another process, which has the walks from where they are kept."""

    def __init__(self, source: Source, number: int) -> None:
        # in the pool's own time: what is raised while a worker begins breaks the pool
        self._source, self._number = source, number

    def __call__(self, keys: Sequence[str]) -> Table:
        """Measure some walks."""
        return self._measure(keys)

    @cached_property
    def _measure(self) -> Measure[str, Table]:
        results = self._source.results or Path()
        place = KeptLog(self._source, results)
        log = _LoggedRuns(self._source, place, open_graph, None)
        kept = load_logs(place, log.trace)
        if kept is None:
            raise InputError("has changed since it was opened", "open it again", file=results.name)
        finder = GraphFinder(self._source, open_graph, {})
        finder.restore(kept.starts, kept.free)
        run = kept.runs[self._number]
        return MeasuredWalks(run, finder, self._number, _truth_of(self._source, run)).measure


def open_logs(source: Source, graph_at: GraphAt, graph: Graph | None) -> list[OpenRun]:
    """Open what another program logged, a run for each method; see `navviz.runs.opened.load`."""
    if source.results is None:
        raise InputError("names no results", "name the result file", file=source.name)
    # a graph that lies in no file may be another one the next time, and what a visitor uploads goes
    # with the visit
    is_kept = graph is None and source.origin != "upload"
    place = KeptLog(source, source.results, is_kept=is_kept)
    problems = Problems()
    log = _LoggedRuns(source, place, graph_at, graph)
    kept = load_logs(place, log.trace)
    finder = GraphFinder(source, graph_at, {}, graph, problems)
    if kept is None:
        begun_ns = time.time_ns()
        kept = log.read(finder)
        place.is_kept = save_logs(place, kept, begun_ns)
        if place.is_kept and any(len(run) > ALONE for run in kept.runs):
            # as records 50,000 walks take 2 GB: they are read again, one at a time
            kept = load_logs(place, log.trace) or kept
    else:
        finder.restore(kept.starts, kept.free)
        note_again(kept.notes)
    shared = _Rows(place, _table(place, kept.runs, finder))
    files = read_files(kept.notes, source.graphs)
    opened: list[OpenRun] = []
    for number, run in enumerate(kept.runs):
        others = [] if kept.episode_set is None else [kept.episode_set.problems]
        others += [problems, run.problems]
        rows = LogRows(source, run, number, finder, shared)
        view = rows.first()
        if not all_bare(view.worlds, finder):
            others.append(Problems(list(source.folder_problems), len(source.folder_problems)))
        merged = merged_problems(others)
        # an index that was kept tells of routes without measuring them again
        shown = merged_problems((view.problems, merged))
        opened.append(
            OpenRun(
                source, run, finder, shown, kept.episode_set, files, measuring=rows, others=merged
            )
        )
    return opened


def all_bare(worlds: Collection[str], graph_of: GraphFinder) -> bool:
    """Tell whether no world has a map, and its walks need none: nothing is to be said of maps."""
    return bool(worlds) and all(graph_of.is_bare(world) for world in worlds)


@dataclass
class _LoggedRuns:
    """Reads a log, also a second time where a trace of it is not kept."""

    source: Source
    place: KeptLog
    graph_at: GraphAt
    graph: Graph | None
    _again: Sequence[Run] | None = None
    _lock: Lock = field(default_factory=Lock)

    def read(self, finder: GraphFinder) -> ReadLogs:
        """Read all of it; `finder` learns where its episodes start."""
        with taking_notes() as notes:
            split = (
                open_episodes(self.source.episodes) if self.source.episodes is not None else None
            )
            episodes = split.episodes if split is not None else {}
            finder.learn(episodes)
            runs = open_results(self.place.results, finder, episodes or None)
        for run in runs:
            finder.learn(run.episodes)
        return ReadLogs(runs, split, finder.starts, sorted(finder.free), notes)

    def trace(self, number: int, key: str) -> Trace:
        """Return one trace of a log that was read before."""
        inputs = self.place.inputs
        with self._lock:
            if self._again is None:
                finder = GraphFinder(self.source, self.graph_at, {}, self.graph)
                again = self.read(finder).runs
                # looked at after reading: a log of today beside yesterday's figures is no walk of
                # that run, whatever its episodes are called
                if inputs is not None and not unchanged(inputs):
                    raise InputError(_CHANGED, "open it again", file=self.place.results.name)
                self._again = again
        try:
            return self._again[number].traces[key]
        except (IndexError, KeyError):
            raise InputError(_CHANGED, "open it again", file=self.place.results.name) from None


def _table(place: KeptLog, runs: Sequence[Run], graph_of: GraphFinder) -> Table:
    """Return the rows of all runs, as far as they are known."""
    kept = place.load()
    if kept is not None:
        return kept
    rows = []
    for number, run in enumerate(runs):
        for row in MeasuredWalks(run, graph_of, number).unmeasured(heads(run.traces)):
            # a head may lack its steps, so that nobody knows yet whether it moved or has poses
            rows.append({**row, "posed": True, "walked": None})
    table = table_of_walks(rows)
    place.save(table)
    return table
