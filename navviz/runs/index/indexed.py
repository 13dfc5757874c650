"""An opened run whose list comes from an index, and whose traces are read when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from navviz.errors import InputError, NavVizError, Problem, Problems
from navviz.formats import Run
from navviz.formats.world_cache import unpacked_problems
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.score import RunScore, score_run
from navviz.records import Trace, TraceHeader
from navviz.runs.facts import WalkFacts
from navviz.runs.index import build
from navviz.runs.index.columns import METRIC, NEVER_KEPT, Stage, Table, metric_names, rows_of, starts_of
from navviz.runs.index.current import current, keep, state_of_file
from navviz.runs.index.heads import with_errors
from navviz.runs.index.one_by_one import (
    BY_ENDS,
    ColumnScores,
    FileOutlines,
    FolderTraces,
    OneByOne,
    facts_in,
    shared_texts,
)
from navviz.runs.index.store import IndexPlace, load
from navviz.runs.run import OpenRun
from navviz.runs.sources import Source
from navviz.runs.tables import EPISODE_COLUMNS, frame_of
from navviz.support.guarded import is_regular
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DRAWN", "IndexedRun", "open_indexed"]

DRAWN = 1500
"""Episodes of a world that a map of single walks shows."""

GraphOf = Callable[[str], Graph]


_TAKEN = (
    *("_stages", "_places", "_known_table", "_known_scores", "_map_walks"),
    *("worlds", "instructions", "datasets", "has_tasks", "drawn", "facts"),
)
"""What is kept of the rows until there are newer ones."""


@dataclass(repr=False)
class IndexedRun(OpenRun):
    """A run of so many episodes that its figures come from an index, and its traces one by one.

    `table` and `scores` are those of any other run; where the index does not hold all of them yet, they wait until it
    does (`known_table` and `known_scores` do not).
    """

    place: IndexPlace = field(default_factory=lambda: IndexPlace(Path()))
    rows: Table = None
    """The rows of this run in the index, one an episode, in the order of the files."""
    _state: tuple[int, int] | None = None
    """Of the index's file, when `rows` was taken from it."""
    _files: Any = None
    """Names of all files of the folder, in the order of the index."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def measured(self) -> int:
        """Number of episodes that are read as a whole and scored."""
        return self._stages.count(Stage.MEASURED)

    @cached_property
    def _stages(self) -> list[int]:
        return self._values("stage")

    @cached_property
    def _places(self) -> dict[str, int]:
        """Rows by episode."""
        return {key: k for k, key in enumerate(self._values("episode"))}

    @property
    def complete(self) -> bool:
        """Whether all episodes are measured."""
        return Stage.HEAD not in self._stages

    def refresh(self) -> None:
        """Take what another process has measured since."""
        state = state_of_file(self.place)
        if state is None or state == self._state or self.complete:
            return
        table = load(self.place)
        if table is not None and table["file"].equals(self._files):
            self._take(table)
            self._state = state

    def _take(self, table: Table) -> None:
        with self._lock:
            rows, problems = _rows_of_run(table, self.run.name, self.place.folder)
            if rows.num_rows != self.rows.num_rows:  # a trace that could not be read as a whole
                self.run = replace(self.run, traces=_traces(rows, self.place.folder))
            self.rows, self.problems, self._files = rows, problems, table["file"]
            for name in _TAKEN:
                self.__dict__.pop(name, None)

    def finish(self) -> None:
        """Measure what is not measured yet; raises `NavVizError` where it cannot be."""
        self.refresh()
        if self.complete:
            return
        self._take(build.finish(self.place, len(self) - self.measured))
        if not self.complete:
            raise NavVizError(f"{self.name}: traces changed while they were measured; open the run again.")

    @property
    def file_count(self) -> int:
        """Number of files in the index."""
        return 1 if is_regular(self.place.folder) else len(self._files)

    # --- of all episodes at once

    @cached_property
    def worlds(self) -> Mapping[str, int]:
        """Number of episodes in each world, the most frequent first."""
        return dict(Counter(self._values("world")).most_common())

    @cached_property
    def instructions(self) -> Mapping[str, str]:
        """Instructions by episode id, in file order."""
        return dict(rows_of(self.rows, "episode", "instruction"))

    @cached_property
    def datasets(self) -> Mapping[str, str]:
        """Data set of each episode, by id, in file order."""
        return dict(rows_of(self.rows, "episode", "dataset"))

    @cached_property
    def facts(self) -> Mapping[str, WalkFacts]:
        """What tables and charts ask of each walk besides its scores, by id, in file order."""
        self.finish()
        return facts_in(self.rows)

    def map_walks(self, world: str) -> tuple[Graph, list[AtlasWalk]]:
        """Gather the walks in one world for the atlas; see `OpenRun.map_walks`."""
        self.finish()
        if any(self._values("posed")):
            return super().map_walks(world)
        worlds = self._values("world")
        return self.graph_of(world), [walk for walk, own in zip(self._map_walks, worlds, strict=True) if own == world]

    @cached_property
    def _map_walks(self) -> list[AtlasWalk]:
        lists = [shared_texts(self.rows[name]) for name in ("drawn", "departures", "passed")]
        texts = [self._values(name) for name in ("episode", "outcome", "instruction", "failed_at")]
        return [
            AtlasWalk(key, path, ending, words, left, passed, at)
            for key, ending, words, at, path, left, passed in zip(*texts, *lists, strict=True)
        ]

    @cached_property
    def has_tasks(self) -> bool:
        """Whether any episode has sub-tasks."""
        return any(self._values("tasks"))

    def starts(self, *, walked: bool = False) -> dict[str, str]:
        """Return the start node of each episode; only of those that somebody walked, where `walked`."""
        told = rows_of(self.rows, "episode", "start", "steps")
        return {key: start for key, start, steps in told if not walked or steps}

    # --- figures

    @cached_property
    def scores(self) -> RunScore:
        """Metrics of every episode, and their means."""
        self.finish()
        return self.known_scores()

    @cached_property
    def divergences(self) -> Mapping[str, Divergence]:
        """Where and how each agent left its reference path, found when it is asked for."""
        return OneByOne(self)

    def divergence(self, episode_id: str) -> Divergence:
        """Where and how one agent left its reference path."""
        return find_divergence(self.trace(episode_id), self.graph(episode_id))

    def graph(self, episode_id: str) -> Graph:
        """Graph that an episode is walked on, with the poses of its trace where it has any."""
        row = self._places.get(episode_id)
        if row is None or self.rows["posed"][row].as_py():
            return super().graph(episode_id)
        return self.graph_of(self.rows["world"][row].as_py())

    def table(self) -> pd.DataFrame:
        """One row an episode; the columns are declared in `navviz.runs.tables`."""
        self.finish()
        return self.known_table()

    def known_table(self) -> pd.DataFrame:
        """Return the table as far as it is known; what is not measured yet is missing in it. Never changed."""
        return self._known_table

    @cached_property
    def _known_table(self) -> pd.DataFrame:
        empty: list[Any] = [None] * self.rows.num_rows
        names = [column.name for column in EPISODE_COLUMNS]
        return frame_of({name: empty if name in NEVER_KEPT else self._values(name) for name in names})

    def _values(self, name: str) -> list[Any]:
        values: list[Any] = self.rows[name].to_pylist()
        return values

    def known_scores(self) -> RunScore:
        """Return the scores as far as they are known: until all is measured, means of what the ends of traces tell."""
        return self._known_scores

    @cached_property
    def _known_scores(self) -> RunScore:
        if self.complete and self.has_tasks:
            return score_run(self.run, self.graph_of)  # its means are pooled over sub-tasks
        columns = {name: self._values(METRIC + name) for name in metric_names(self.rows)}
        names, keys = self._values("metrics"), self._values("episode")
        if not self.complete:
            columns |= {"NE": self._values("NE"), "SR": [_SUCCESS.get(told) for told in self._values("outcome")]}
        foreign = self._values("foreign")
        ended = [k for k, status in enumerate(self._values("ended")) if status == "error"]
        errors, counted = ([k for k in ended if foreign[k] is told] for told in (False, True))
        means, counts = self._means(columns, names, set(errors))
        return RunScore(
            self.run.name,
            ColumnScores(self._places, names, columns),
            means,
            counts,
            tuple(keys[k] for k in errors),
            tuple(keys[k] for k in counted),
            {
                key: (dataset or "", start or "")
                for key, dataset, start in rows_of(self.rows, "episode", "dataset", "start")
            },
        )

    def _means(
        self, columns: Mapping[str, list[Any]], names: Sequence[str | None], out: set[int]
    ) -> tuple[dict[str, float | None], dict[str, int]]:
        """Return means and counts of the metrics as `score_run` computes them, in its order, of what all rows have."""
        whole = {name: None for told in dict.fromkeys(names) if told is not None for name in told.split(",")}
        order = whole if self.complete else dict.fromkeys(BY_ENDS)
        present = {
            name: [value for k, value in enumerate(columns[name]) if value is not None and k not in out]
            for name in order
            if self.complete or name in {"SR", "NE"}
        }
        means = {name: sum(values) / len(values) if values else None for name, values in present.items()}
        return {name: means.get(name) for name in order}, {name: len(present.get(name, ())) for name in order}

    @cached_property
    def drawn(self) -> list[dict[str, Any]]:
        """Episode, world, way, outcome and instruction of those that are measured, as a map shows them.

        Only `DRAWN` of each world, the first ones.
        """
        told = self.rows.select(["episode", "world", "drawn", "outcome", "instruction", "posed"])
        rows: list[dict[str, Any]] = []
        counts = Counter[str]()
        for k, (world, stage) in enumerate(zip(self._values("world"), self._stages, strict=True)):
            counts[world] += 1
            if stage == Stage.MEASURED and counts[world] <= DRAWN:
                rows.append({name: told[name][k].as_py() for name in told.column_names})
        return rows


_SUCCESS = {"success": 1.0, "failure": 0.0}


def _rows_of_run(table: Table, run: str, folder: Path) -> tuple[Table, Problems]:
    """Return the rows of one run, one an episode, and what could not be read in the folder."""
    stages, runs, keys, told = (table[name].to_pylist() for name in ("stage", "run", "episode", "problems"))
    problems, places = Problems(), dict[str, int]()
    seen: set[tuple[str, str]] = set()
    for k, (stage, key) in enumerate(zip(stages, keys, strict=True)):
        if told[k] is not None:
            _add_all(problems, told[k])
        if key is None or stage in {Stage.UNREADABLE, Stage.NOT_BEGUN}:
            continue
        if (runs[k], key) in seen:
            problems.skip(Problem("has two traces", "keep one; the first is used", folder.name, key))
            continue
        seen.add((runs[k], key))
        if runs[k] == run:
            places[key] = k
    return table.take(list(places.values())), problems


def _add_all(problems: Problems, packed: bytes) -> None:
    problems.extend(unpacked_problems(np.frombuffer(packed, np.uint8)))


def open_indexed(source: Source, graph_of: GraphOf, learn: Callable[[Mapping[str, str]], None]) -> list[IndexedRun]:
    """Open a large folder of traces, a run for each run name that their headers give.

    Parameters
    ----------
    source
        Its results are the folder.
    graph_of
        Gives the graph of a world.
    learn
        Is told a start node of each world before `graph_of` is asked.
    """
    if source.results is None:
        raise InputError("holds no results", "name the folder of the traces", file=source.name)
    place = IndexPlace(source.results, source.graphs)
    heads = current(place)
    learn(starts_of(heads))
    table = with_errors(heads, graph_of)
    if table is not heads or state_of_file(place) is None:
        keep(place, table)
    names = dict.fromkeys(name for name in table["run"].to_pylist() if name is not None)
    opened = [_opened(source, name, table, place, graph_of) for name in names]
    runs = [run for run in opened if run is not None]
    if not runs:
        raise InputError("holds no trace that can be read", "choose another", file=source.results.name)
    return runs


def _traces(rows: Table, folder: Path) -> FolderTraces:
    files = dict(rows_of(rows, "episode", "file"))
    return FolderTraces(FileOutlines(folder, files), dict(rows_of(rows, "episode", "size")))


def _opened(source: Source, name: str, table: Table, place: IndexPlace, graph_of: GraphOf) -> IndexedRun | None:
    rows, problems = _rows_of_run(table, name, place.folder)
    traces = _traces(rows, place.folder)
    header = _first_header(traces.outlines)
    if header is None:
        return None
    details = {"model": header.model, "settings": header.settings, "created": header.created}
    run = Run(name, header.navigator, None, traces, problems, source.results or place.folder, details)
    opened = IndexedRun(source, run, graph_of, problems, None, place=place, rows=rows, _files=table["file"])
    opened._state = state_of_file(place)  # noqa: SLF001 - of this module
    return opened


def _first_header(outlines: Mapping[str, Trace]) -> TraceHeader | None:
    for key in outlines:
        try:
            return outlines[key].header
        except InputError:
            continue
    return None
