"""A run of NavViz's own traces: its list comes from an index, and its traces are read on demand.

It is opened in one way, whatever its size. The ends of all traces are read first, which gives the
list. A run of up to `AT_ONCE` traces is then measured at once, in this process, and its index stays
in memory. That of a larger run is kept in the user's cache folder, and a process of its own
measures while the pages show what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from navviz.errors import InputError, NavVizError, Problems, merged_problems
from navviz.formats import GraphOf, Run
from navviz.formats.traces import nothing_read
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.score import RunScore, score_run
from navviz.records import Trace
from navviz.records.lazy_traces import ROOM_BYTES, TracesOnDemand
from navviz.records.trace_parts import part_named, read_part
from navviz.runs.facts import WalkFacts
from navviz.runs.index import build
from navviz.runs.index.build import current, keep, left_to_measure, state_of_file, with_measured
from navviz.runs.index.heads import with_errors
from navviz.runs.index.measure import Measurer, Table, rows_of, starts_of
from navviz.runs.index.run_rows import RunRows, rows_of_run
from navviz.runs.index.store import IndexPlace, load
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.support.guarded import count_entries, is_regular
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class FolderReader:
    """Reads the trace of an episode from its file."""

    folder: Path
    files: Mapping[str, str]
    """Names by episode, as `navviz.records.trace_parts.part_named` takes them."""

    def __call__(self, key: str) -> Trace:
        """Read one; raises `InputError` where it cannot be read, or is another walk by now."""
        trace = read_part(self.folder, self.files[key])
        # the file was replaced since it was listed: its figures are those of the walk before
        if trace.episode.id != key:
            file = part_named(self.files[key])[0] or self.folder.name
            raise InputError(
                f"holds episode {trace.episode.id} where {key} was when it was opened",
                "open it again",
                file=file,
            )
        return trace


class OneByOne(Mapping[str, Divergence]):
    """Divergences by episode, each found on demand."""

    def __init__(self, keys: Mapping[str, object], find: Callable[[str], Divergence]) -> None:
        self._keys, self._find = keys, find

    def __getitem__(self, key: str) -> Divergence:
        if key not in self._keys:
            raise KeyError(key)
        return self._find(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


AT_ONCE = 2500

"""Traces that are measured while a run is opened, in two seconds, and not kept: the index of a
larger run takes 15 MB for 50,000 traces, and minutes to make.
"""


@dataclass(repr=False)
class IndexedRun(OpenRun):
    """A run of NavViz's own traces, of any size.

    `listing` and `scores` are those of any other run; where the index does not hold all of them
    yet, they wait until it does (`known_table` and `known_scores` do not).
    """

    place: IndexPlace = field(kw_only=True)
    view: RunRows = field(kw_only=True)
    """Its rows as they are now; another state of them replaces it as a whole."""
    is_kept: bool = field(kw_only=True)
    """Whether its index is a file, which another process fills."""
    others: Problems = field(kw_only=True)
    """Problems of its episodes and graphs."""
    _scores: tuple[RunRows, RunScore] | None = None
    """Of a view, so that pages that ask again do not wait."""
    _state: tuple[int, int] | None = None
    """Of the index's file, when `view` was taken from it."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    # --- measuring

    @property
    def rows(self) -> Table:
        """Its rows in the index, one an episode, in the order of the files."""
        return self.view.rows

    @property
    def measured(self) -> int:
        """Number of episodes that are read as a whole and scored."""
        return self.view.measured

    @property
    def complete(self) -> bool:
        """Whether all episodes are measured; what is not kept is measured when it is asked for."""
        return not self.is_kept or self.view.complete

    def refresh(self) -> None:
        """Take what another process has measured since."""
        if not self.is_kept or self.view.complete:
            return
        state = state_of_file(self.place)
        if state is None or state == self._state:
            return
        table = load(self.place)
        if table is not None and table["file"].equals(self.view.table["file"]):
            self._take(table)
            self._state = state

    def _take(self, table: Table) -> None:
        """Show another state of the index, unless a faster thread has shown a later one."""
        view = self._rows_of(table)
        with self._lock:
            if view.measured < self.view.measured:
                return
            if view.rows.num_rows != self.view.rows.num_rows:  # one could not be read as a whole
                self.run = replace(self.run, traces=_traces(view, self.place))
            self.problems = merged_problems((view.problems, self.others))
            self.view = view

    def _rows_of(self, table: Table) -> RunRows:
        """Return its rows in an index."""
        return rows_of_run(table, self.run.name, self.place.folder)

    def finish(self) -> None:
        """Measure what is not measured yet; raises `NavVizError` where it cannot be."""
        self.refresh()
        view = self.view
        if view.complete:
            return
        if self.is_kept:
            self._take(build.finish(self.place, len(self) - view.measured))
        else:
            measurer = Measurer(self.place.folder, self.graph_of)
            pieces = build.work_through(left_to_measure(view.table), lambda: measurer, 0)
            self._take(with_measured(view.table, list(pieces)))
        if not self.view.complete:
            raise NavVizError(
                f"{self.name}: traces changed while they were measured; open the run again."
            )

    @property
    def file_count(self) -> int:
        """Number of files in the index."""
        if not self.is_kept:
            return super().file_count
        return 1 if is_regular(self.place.folder) else self.view.table.num_rows

    # --- the list

    @property
    def worlds(self) -> Mapping[str, int]:
        """Number of episodes in each world, the most frequent first."""
        return self.view.worlds

    @property
    def instructions(self) -> Mapping[str, str]:
        """Instructions by episode id, in file order."""
        return self.view.instructions

    @property
    def datasets(self) -> Mapping[str, str]:
        """Data set of each episode, by id, in file order."""
        return self.view.datasets

    @property
    def has_tasks(self) -> bool:
        """Whether any episode has sub-tasks."""
        return self.view.has_tasks

    @property
    def facts(self) -> Mapping[str, WalkFacts]:
        """What tables and charts ask of each walk besides its scores, by id, in file order."""
        self.finish()
        return self.view.facts

    @property
    def drawn(self) -> list[dict[str, Any]]:
        """What a map of single walks shows of those that are measured."""
        return self.view.drawn

    def starts(self, *, walked: bool = False) -> dict[str, str]:
        """Return the start node of each episode; only of those that somebody walked, where
        `walked`.
        """
        rows = rows_of(self.rows, "episode", "start", "walked")
        return {key: start for key, start, moved in rows if moved or not walked}

    def map_walks(self, world: str) -> tuple[Graph, list[AtlasWalk]]:
        """Gather the walks in one world for the atlas; see `OpenRun.map_walks`."""
        self.finish()
        view = self.view
        if any(view.values("posed")):
            return super().map_walks(world)
        walks = zip(view.walks, view.values("world"), strict=True)
        return self.graph_of(world), [walk for walk, own in walks if own == world]

    def graph(self, episode_id: str | int) -> Graph:
        """Graph that an episode is walked on, with the poses of its trace where it has any."""
        episode_id, view = str(episode_id), self.view
        row = view.places.get(episode_id)
        if row is None or view.rows["posed"][row].as_py():
            return super().graph(episode_id)
        return self.graph_of(view.rows["world"][row].as_py())

    # --- figures

    @property
    def scores(self) -> RunScore:
        """Metrics of every episode, and their means."""
        self.finish()
        return self.known_scores()

    def known_scores(self) -> RunScore:
        """Return the scores as far as they are known: until all is measured, means of what the ends
        of traces say.
        """
        view, cache = self.view, self._scores
        if cache is None or cache[0] is not view:
            pooled = view.complete and view.has_tasks
            # means of sub-tasks are pooled over all of them, which no column can tell
            scores = score_run(self.run, self.graph_of) if pooled else view.scores(self.run.name)
            self._scores = cache = (view, scores)
        return cache[1]

    @cached_property
    def divergences(self) -> Mapping[str, Divergence]:
        """Where and how each agent left its reference path; of a large run found on demand."""
        if self.is_kept:
            return OneByOne(self.traces, self.divergence)
        return {key: self.divergence(key) for key in self.traces}

    def divergence(self, episode_id: str | int) -> Divergence:
        """Where and how one agent left its reference path."""
        return find_divergence(self.trace(episode_id), self.graph(episode_id))

    def listing(self) -> pd.DataFrame:
        """Return what Explore lists: the columns are declared in `navviz.runs.tables`."""
        self.finish()
        return self.view.frame.copy(deep=False)

    def known_table(self) -> pd.DataFrame:
        """Return the table as far as it is known; what is not measured yet is missing in it.

        Never changed.
        """
        if not self.is_kept:
            self.finish()
        return self.view.frame


# --- opening


def open_indexed(
    source: Source,
    place: IndexPlace,
    graph_of: GraphOf,
    learn: Callable[[Mapping[str, str]], None],
    others: Problems,
) -> list[IndexedRun]:
    """Open traces, a run for each run name that their headers give."""
    heads = current(place)
    learn(starts_of(heads))
    read: Mapping[str, Trace] = {}
    is_kept = place.is_kept and heads.num_rows > AT_ONCE
    if heads.num_rows <= AT_ONCE:
        measurer = Measurer(place.folder, graph_of, without_graphs=True, kept_bytes=ROOM_BYTES)
        pieces = build.work_through(left_to_measure(heads), lambda: measurer, 0)
        table = with_measured(heads, list(pieces))
        read = measurer.kept
    else:
        table = with_errors(heads, graph_of)
        if table is not heads or state_of_file(place) is None:
            keep(place, table)
    if not is_kept:
        _count_entries(table, place)
    names = dict.fromkeys(name for name in table["run"].to_pylist() if name is not None)
    opened = []
    for name in names:
        view = rows_of_run(table, name, place.folder)
        traces = _traces(view, place)
        for key, file in view.by_episode("file").items():
            if file in read:
                traces.keep(key, read[file])
        run = _run(source, name, view, traces)
        if run is not None:
            problems = merged_problems((view.problems, others))
            opened.append(
                IndexedRun(
                    source,
                    run,
                    graph_of,
                    problems,
                    place=place,
                    view=view,
                    is_kept=is_kept,
                    others=others,
                    _state=state_of_file(place),
                )
            )
    if not opened:
        problems = rows_of_run(table, "", place.folder).problems
        raise InputError(nothing_read(problems), "choose another", file=place.folder.name)
    return opened


def _count_entries(table: Table, place: IndexPlace) -> None:
    """Say how many lines each file holds: those of its parts were read one by one."""
    counts: dict[str, int] = {}
    for name, lines in rows_of(table, "file", "lines"):
        file = part_named(name)[0]
        counts[file] = counts.get(file, 0) + max(lines or 0, 1)
    for file, count in counts.items():
        count_entries(place.folder / file if file else place.folder, count)


def _traces(view: RunRows, place: IndexPlace) -> TracesOnDemand:
    folder = place.folder.absolute()  # a notebook may change its folder
    read = FolderReader(folder, view.by_episode("file"))
    return TracesOnDemand(read, view.by_episode("size"))


def _run(source: Source, name: str, view: RunRows, traces: TracesOnDemand) -> Run | None:
    """Return a run with what the first header that can be read says; ``None`` where none can."""
    for key in traces.outlines:
        try:
            header = traces.outlines[key].header
        except InputError:
            continue
        details = {"model": header.model, "settings": header.settings, "created": header.created}
        file = source.results or Path()
        return Run(name, header.navigator, None, traces, view.problems, file, details)
    return None
