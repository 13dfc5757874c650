"""Runs that other programs logged: read once, and kept as NavViz's own traces are.

The first time, a reader translates the log. What it made of it is kept (`navviz.runs.index`), and
so is the row of each episode once it is measured. From then on the list comes from the rows, and an
episode from its own bytes, until any file changes that the run was read from.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
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
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.score import RunScore
from navviz.records import Trace
from navviz.records.lazy_traces import heads
from navviz.runs.facts import WalkFacts, facts_of
from navviz.runs.graphs import GraphAt, GraphFinder
from navviz.runs.index.build import ALONE, Measure, with_measured, work_through
from navviz.runs.index.indexed import IndexedRun
from navviz.runs.index.inputs import unchanged
from navviz.runs.index.log_store import LogPlace, ReadLogs, load_logs, save_logs
from navviz.runs.index.measure import Stage, Table, WalkMeasurer, table_of_walks, unmeasured_row
from navviz.runs.index.run_rows import RunRows, rows_of_run
from navviz.runs.index.store import load, save
from navviz.runs.reading import read_files
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.support.guarded import measured, noted, replay
from navviz.world.graph import Graph

_LOG = logging.getLogger(__name__)
_SHARED = 10_000
"""So many walks of a log are measured by several processes; a thousand take a second."""
_CHANGED = "has changed since it was opened"


class _Rows:
    """The rows of all runs of a log, which share one index."""

    def __init__(self, place: LogPlace, table: Table) -> None:
        self.place, self.table = place, table
        self._lock = Lock()

    def add(self, measured: Sequence[Table]) -> Table:
        """Take measured rows and keep all of them."""
        with self._lock:
            # meanwhile another process, or another page, may have measured another method
            kept = load(self.place)
            if kept is not None and kept["file"].equals(self.table["file"]):
                self.table = kept
            self.table = with_measured(self.table, measured)
            save(self.place, self.table)
            return self.table


@dataclass(repr=False)
class LogRun(IndexedRun):
    """A run of another program's log; it is measured when its figures are asked for."""

    shared: _Rows = field(kw_only=True)
    number: int = field(kw_only=True)
    """Its place among the runs of the log."""

    def _rows_of(self, table: Table) -> RunRows:
        return _view(table, self.run, self.number)

    def finish(self) -> None:
        """Measure all episodes, unless they are measured; raises `InputError` where there is no
        graph for one.
        """
        left = self._left()
        if not left:
            return
        # a missing graph is said here, with its own fault, and not by another process
        for world in self.worlds:
            self.graph_of(world)
        pieces: list[Table] = []
        try:
            cores = min(4, os.cpu_count() or 1)
            # others need some seconds to begin, and read the walks from where they are kept
            if self.shared.place.is_kept and cores > 1 and len(left) >= _SHARED:
                self._measure_elsewhere(left, cores, pieces)
            there = set[str]()
            for piece in pieces:
                there.update(piece["episode"].to_pylist())
            here = partial(
                _Measurer, self.run, self.number, WalkMeasurer(self.graph_of), self.source
            )
            self._measure([key for key in left if key not in there], here, 0, pieces)
        finally:
            # who stops it, and asks again, goes on from there
            self._take(self.shared.add(pieces))

    def _measure_elsewhere(self, left: Sequence[str], cores: int, pieces: list[Table]) -> None:
        try:
            self._measure(left, partial(_KeptMeasurer, self.source, self.number), cores, pieces)
        except ReadingStoppedError:
            raise
        except (NavVizError, BrokenExecutor) as error:
            # the cache may have lost the walks meanwhile: this process can read the log itself
            _LOG.info("%s: measured in this process (%s)", self.name, error)

    def _measure(
        self,
        left: Sequence[str],
        make: Callable[[], Measure[str]],
        processes: int,
        pieces: list[Table],
    ) -> None:
        """Add the rows of some walks to `pieces`, and report how many of all are measured."""
        total = len(self)
        done = total - len(self._left()) + sum(piece.num_rows for piece in pieces)
        with closing(work_through(left, make, processes)) as rows:
            for piece in rows:
                pieces.append(piece)
                done += piece.num_rows
                measured(done, total)

    def _left(self) -> list[str]:
        """Return the walks that are not measured yet."""
        stages = zip(self.view.values("episode"), self.view.stages, strict=True)
        return [key for key, stage in stages if stage == Stage.HEAD]

    def starts(self, *, walked: bool = False) -> dict[str, str]:
        """Return the start node of each episode; only of those that somebody walked, where
        `walked`.
        """
        # rows tell who walked once they are measured
        if self.view.complete or not walked:
            return super().starts(walked=walked)
        return OpenRun.starts(self, walked=walked)

    @property
    def facts(self) -> Mapping[str, WalkFacts]:
        """What tables and charts ask of each walk besides its scores, by id, in file order."""
        # they need no graph, which may be missing
        return self.view.facts if self.view.complete else self._own_facts

    @cached_property
    def _own_facts(self) -> Mapping[str, WalkFacts]:
        return {key: facts_of(trace) for key, trace in self.outlines.items()}

    def known_scores(self) -> RunScore:
        """Return the scores; the ends of a foreign log tell none."""
        self.finish()
        return super().known_scores()

    @cached_property
    def divergences(self) -> Mapping[str, Divergence]:
        """Where and how each agent left its reference path."""
        return {key: self.divergence(key) for key in self.outlines}

    def divergence(self, episode_id: str | int) -> Divergence:
        """Where and how one agent left its reference path."""
        # the texts of a long log are not read for it
        return find_divergence(self.outline(episode_id), self.graph(episode_id))


class _Measurer:
    """Makes the rows of walks, by the keys that the run has them under."""

    def __init__(self, run: Run, number: int, measurer: WalkMeasurer, source: Source) -> None:
        self._run, self._number, self._measurer = run, number, measurer
        # the ground truth is of the episodes' own file, where one is open
        self._file = (source.episodes or run.source).name

    def __call__(self, keys: Sequence[str]) -> Table:
        """Measure some walks."""
        rows, name = [], _row_name(self._run, self._number)
        # few at once: a row names every place of its walk, and as Python's objects the rows of a
        # million steps take 3 GB, as columns 0.2
        for key in keys:
            trace = self._run.outlines[key]
            row = self._measurer.row(trace, name)
            faults = self._measurer.route_problems(trace, self._file)
            rows.append({**row, **_place_of(self._number, key), "problems": faults})
        return table_of_walks(rows)


class _KeptMeasurer:
    """The same in another process, which has the walks from where they are kept."""

    def __init__(self, source: Source, number: int) -> None:
        # in the pool's own time: what is raised while a worker begins breaks the pool
        self._source, self._number = source, number

    def __call__(self, keys: Sequence[str]) -> Table:
        """Measure some walks."""
        return self._measure(keys)

    @cached_property
    def _measure(self) -> _Measurer:
        results = self._source.results or Path()
        place = LogPlace(self._source, results)
        log = _LoggedRuns(self._source, place, open_graph, None)
        kept = load_logs(place, log.trace)
        if kept is None:
            raise InputError("has changed since it was opened", "open it again", file=results.name)
        finder = GraphFinder(self._source, open_graph, {})
        finder.restore(kept.starts, kept.free)
        return _Measurer(kept.runs[self._number], self._number, WalkMeasurer(finder), self._source)


def open_logs(source: Source, graph_at: GraphAt, graph: Graph | None) -> list[OpenRun]:
    """Open what another program logged, a run for each method; see `navviz.runs.opened.load`."""
    if source.results is None:
        raise InputError("names no results", "name the result file", file=source.name)
    # a graph that lies in no file may be another one the next time, and what a visitor uploads goes
    # with the visit
    is_kept = graph is None and source.origin != "upload"
    place = LogPlace(source, source.results, is_kept=is_kept)
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
        replay(kept.notes)
    shared = _Rows(place, _table(place, kept.runs))
    files = read_files(kept.notes, source.graphs)
    opened: list[OpenRun] = []
    for number, run in enumerate(kept.runs):
        others = [] if kept.episode_set is None else [kept.episode_set.problems]
        others += [problems, run.problems]
        view = _view(shared.table, run, number)
        if not all_bare(view.worlds, finder):
            others.append(Problems(list(source.folder_problems), len(source.folder_problems)))
        merged = merged_problems(others)
        # an index that was kept tells of routes without measuring them again
        shown = merged_problems((view.problems, merged))
        opened.append(
            LogRun(
                source,
                run,
                finder,
                shown,
                kept.episode_set,
                files,
                place=place,
                view=view,
                is_kept=False,
                others=merged,
                shared=shared,
                number=number,
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
    place: LogPlace
    graph_at: GraphAt
    graph: Graph | None
    _again: Sequence[Run] | None = None
    _lock: Lock = field(default_factory=Lock)

    def read(self, finder: GraphFinder) -> ReadLogs:
        """Read all of it; `finder` learns where its episodes start."""
        with noted() as notes:
            split = (
                open_episodes(self.source.episodes) if self.source.episodes is not None else None
            )
            episodes = split.episodes if split is not None else {}
            finder.learn(episodes)
            runs = open_results(self.place.folder, finder, episodes or None)
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
                    raise InputError(_CHANGED, "open it again", file=self.place.folder.name)
                self._again = again
        try:
            return self._again[number].traces[key]
        except (IndexError, KeyError):
            raise InputError(_CHANGED, "open it again", file=self.place.folder.name) from None


# --- rows


def _row_name(run: Run, number: int) -> str:
    # readers promise different names; rows must not hang on that
    return f"{number} {run.name}"


def _place_of(number: int, key: str) -> dict[str, str | int]:
    """Return the columns that name an episode: it stands for the file of an own trace."""
    # some logs walk an episode twice; the key tells the walks apart
    return {"file": f"{number} {key}", "episode": key}


def _view(table: Table, run: Run, number: int) -> RunRows:
    view = rows_of_run(table, _row_name(run, number), run.source)
    # what could not be read stands in the run, and the table holds the other methods, too
    return replace(view, problems=view.own_problems())


def _table(place: LogPlace, runs: Sequence[Run]) -> Table:
    """Return the rows of all runs, as far as they are known."""
    kept = load(place)
    if kept is not None:
        return kept
    rows = []
    for number, run in enumerate(runs):
        name = _row_name(run, number)
        for key, trace in heads(run.traces).items():
            # a head may lack its steps, so that nobody knows yet whether it has poses
            row = {**unmeasured_row(trace, name), "posed": True}
            rows.append({**row, **_place_of(number, key)})
    table = table_of_walks(rows)
    save(place, table)
    return table
