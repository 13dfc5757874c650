"""Trace files read and scored as those of any run are, as rows of an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from navviz.errors import InputError, Problems
from navviz.formats import GraphOf
from navviz.formats.world_cache import packed_problems
from navviz.metrics.divergence import find_divergence
from navviz.metrics.path import Ruler
from navviz.metrics.score import counted_only, score_trace
from navviz.metrics.walked import walked_graph
from navviz.records import Trace
from navviz.records.trace_files import bare_name, empty_trace
from navviz.records.trace_parts import part_named, read_part
from navviz.runs.facts import facts_of
from navviz.runs.index.files import FileState
from navviz.runs.tables import WHOLE_NUMBERS, drawn_outcome, episode_columns, episode_row, outcome
from navviz.runs.walks import map_walk, route_faults, walk_faults
from navviz.support.guarded import taking_notes

Table = Any

"""A ``pyarrow.Table`` (pyarrow ships no types)."""

METRIC = "metric "

"""Begins the names of the columns that hold metrics; not all rows have the same ones."""

FACT = "fact "

"""Begins the names of the columns that hold `navviz.runs.facts`, apart from those that stand there
anyway.
"""

_NAMES = pa.list_(pa.string())

FACTS: Mapping[str, Any] = {
    "split": pa.string(),
    "format": pa.string(),
    "navigator": pa.string(),
    "model": pa.string(),
    "sub_goals": pa.int32(),
    "sub_tasks": pa.int32(),
    "calls": pa.int32(),
    "tokens": pa.float64(),
    "prompt_tokens": pa.float64(),
    "thoughts_tokens": pa.float64(),
    "output_tokens": pa.float64(),
    "cost_usd": pa.float64(),
    "seconds": pa.float64(),
    "never_moved": pa.bool_(),
    "difficulty": pa.list_(pa.float64()),
    "skills": _NAMES,
    "original": pa.string(),
    "stand_in": pa.string(),
    "unanswered": pa.string(),
    "edits": pa.string(),
    "nuance": pa.bool_(),
}

"""The facts that have a column of their own, with its type."""

NEVER_KEPT = frozenset({"act", "cause", "disagreement", "feature", "like", "likeness", "words"})

"""Columns of the episode table that are empty until somebody asks for them."""


class Stage(IntEnum):
    """How much is known of a file."""

    HEAD = 0
    """Read at its ends."""
    MEASURED = 1
    """Read as a whole and scored."""
    UNREADABLE = 2
    NOT_BEGUN = 3
    """Empty: the disk was full, or the run was killed before the episode began."""


_OWN = (
    ("file", pa.string()),
    ("mtime_ns", pa.int64()),
    ("ctime_ns", pa.int64()),
    ("size", pa.int64()),
    ("stage", pa.int8()),
    ("run", pa.string()),
    ("world", pa.string()),
    ("start", pa.string()),
    ("dataset", pa.string()),
    ("ended", pa.string()),  # how the walk ended, of an episode that did
    ("foreign", pa.bool_()),  # whether somebody else's log was taken over as this trace
    ("tasks", pa.bool_()),
    ("posed", pa.bool_()),
    ("walked", pa.bool_()),  # whether it has a step or waypoints
    ("problems", pa.binary()),  # as JSON
    ("notes", pa.binary()),  # what was decoded otherwise, as JSON; said once for each file
    ("lines", pa.int32()),  # that were read of it
    ("metrics", pa.string()),  # names of the metrics that the episode has, in their order
    ("stop", pa.string()),  # of a head: where the walk stopped, where the goal is, how near counts
    ("goal", pa.string()),
    ("radius_m", pa.float64()),
    ("drawn", _NAMES),  # the way that a map shows: what was walked, else the reference path
    # nodes where it left its reference path, and junctions as `AtlasWalk` tells them
    ("departures", _NAMES),
    ("passed", _NAMES),
    ("failed_at", pa.string()),
    *((FACT + name, kind) for name, kind in FACTS.items()),
)


@cache
def schema() -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Return the columns of every index, without those of the metrics."""
    kept = [name for name in episode_columns() if name not in NEVER_KEPT]
    shown = [(name, _type(name)) for name in kept]
    return pa.schema([*_OWN, *shown])


def _type(name: str) -> Any:  # noqa: ANN401
    column = episode_columns()[name]
    if column.filter == "tags":
        return pa.list_(pa.string())
    if column.text:
        return pa.string()
    return pa.int64() if name in WHOLE_NUMBERS else pa.float64()


def table_of(
    columns: Mapping[str, Sequence[object]], count: int, metrics: Sequence[str] = ()
) -> Table:
    """Return rows as a table; columns that are not told are empty."""
    fields = [*schema(), *(pa.field(METRIC + name, pa.float64()) for name in metrics)]
    arrays = []
    for each in fields:
        if each.name in columns:
            arrays.append(pa.array(columns[each.name], each.type))
        else:
            arrays.append(pa.nulls(count, each.type))
    return pa.table(arrays, schema=pa.schema(fields))


def rows_of(table: Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """Return the values of some columns, row by row."""
    return zip(*(table[name].to_pylist() for name in names), strict=True)


def starts_of(table: Table) -> dict[str, str]:
    """Return a start node of each world."""
    return {world: start for world, start in rows_of(table, "world", "start") if world is not None}


def metric_names(table: Table) -> list[str]:
    """Return the metrics that any row of a table has."""
    return [name.removeprefix(METRIC) for name in table.column_names if name.startswith(METRIC)]


_Row = dict[str, Any]


class Measurer:
    """Measures traces; one keeps the graphs for many."""

    def __init__(
        self,
        folder: Path,
        graph_of: GraphOf,
        *,
        without_graphs: bool = False,
        kept_bytes: int = 0,
    ) -> None:
        self._folder, self._room = folder, kept_bytes
        self._walks = WalkMeasurer(graph_of, without_graphs=without_graphs)
        self.kept: dict[str, Trace] = {}
        """Traces by the names of their files."""

    def __call__(self, states: Sequence[FileState]) -> Table:
        """Return a row for each file; raises `InputError` where there is no graph for one."""
        return table_of_walks([self._row(state) for state in states])

    def _row(self, state: FileState) -> _Row:
        row: _Row = {**state._asdict(), "stage": Stage.MEASURED}
        if state.size == 0:
            problems = Problems()
            problems.skip(empty_trace(state.file))
            return row | {"stage": Stage.NOT_BEGUN, "problems": _packed(problems)}
        problems, trace = Problems(), None
        with taking_notes() as notes:
            try:
                trace = read_part(self._folder, state.file, problems)
            except InputError as error:
                problems.skip(error.problem)
        if trace is not None:
            self._hold_against_map(trace, state.file, problems)
        row |= {"problems": _packed(problems), "notes": _packed(notes.problems)}
        row["lines"] = sum(notes.entries.values())
        if trace is None:
            return row | {"stage": Stage.UNREADABLE}
        # what was read to be scored need not be read again to be shown
        self._room -= state.size
        if self._room >= 0:
            self.kept[state.file] = trace
        return row | self._walks.row(trace, trace.header.run or bare_name(self._folder.name))

    def _hold_against_map(self, trace: Trace, file: str, problems: Problems) -> None:
        """Report what the map contradicts; nothing where the map is missing, which is said once."""
        ruler = self._walks.ruler(trace.episode.world)
        if ruler is None:
            return
        graph = walked_graph(trace, ruler.graph) if trace.poses else ruler.graph
        # of several traces in one file each has a name that no user has seen
        own = part_named(file)[0] or self._folder.name
        for problem in walk_faults(trace, graph, own):
            problems.add(problem)


class WalkMeasurer:
    """Measures traces that are read already; see `Measurer`."""

    def __init__(self, graph_of: GraphOf, *, without_graphs: bool = False) -> None:
        self._graph_of, self._without_graphs = graph_of, without_graphs
        self._rulers: dict[str, Ruler | None] = {}

    def row(self, trace: Trace, run: str) -> _Row:
        """Return the columns of a trace, apart from those of its file."""
        ruler = self.ruler(trace.episode.world)
        if ruler is None:
            return unmeasured_row(trace, run)
        metrics = counted_only(trace, score_trace(trace, ruler.graph, ruler))
        # poses belong to one trace: the shared graph stays as it is
        graph = walked_graph(trace, ruler.graph) if trace.poses else ruler.graph
        divergence = find_divergence(trace, graph)
        row = episode_row(trace, graph, metrics, divergence)
        walk = map_walk(trace, graph, drawn_outcome(outcome(metrics, trace)), divergence.departures)
        facts = facts_of(trace)
        columns: _Row = {"metrics": ",".join(metrics)}
        for name, column in episode_columns().items():
            if name not in NEVER_KEPT:
                columns[name] = column.value(row)
        for name in FACTS:
            columns[FACT + name] = getattr(facts, name)
        for name, value in metrics.items():
            columns[METRIC + name] = value
        columns |= {"drawn": walk.path, "departures": walk.departures, "passed": walk.passed}
        columns["failed_at"] = walk.failed_at
        return _of_header(trace, run) | {"stage": Stage.MEASURED} | columns

    def route_problems(self, trace: Trace, file: str) -> bytes | None:
        """Return what the map lacks of a foreign walk's route, packed for the column `problems`."""
        problems, ruler = Problems(), self.ruler(trace.episode.world)
        if ruler is not None and not trace.is_free:
            graph = walked_graph(trace, ruler.graph)
            for problem in route_faults(trace, graph, file):
                problems.add(problem)
        return _packed(problems)

    def ruler(self, world: str) -> Ruler | None:
        """Return what measures in a world; ``None`` where its graph is missing."""
        if world not in self._rulers:
            try:
                self._rulers[world] = Ruler(self._graph_of(world))
            except InputError:
                if not self._without_graphs:
                    raise
                self._rulers[world] = None
        return self._rulers[world]


def unmeasured_row(trace: Trace, run: str) -> _Row:
    """Return what is known of a trace that is not scored."""
    episode = trace.episode
    row = _of_header(trace, run) | {"stage": Stage.HEAD, "episode": episode.id}
    row["instruction"] = episode.instruction
    return row | {"outcome": "unknown", "steps": len(trace.steps)}


def table_of_walks(rows: Sequence[_Row]) -> Table:
    """Return rows of traces as a table."""
    metrics: dict[str, None] = {}
    for row in rows:
        metrics |= dict.fromkeys(name for name in row if name.startswith(METRIC))
    columns = {}
    for column in (*schema().names, *metrics):
        columns[column] = [row.get(column) for row in rows]
    return table_of(columns, len(rows), [name.removeprefix(METRIC) for name in metrics])


def _of_header(trace: Trace, run: str) -> _Row:
    episode = trace.episode
    return {
        "run": run,
        "world": episode.world,
        "start": episode.start,
        "dataset": episode.dataset,
        "ended": trace.end.status.value if trace.end is not None else None,
        "foreign": trace.header.source is not None,
        "tasks": bool(episode.tasks),
        "posed": bool(trace.poses),
        "walked": bool(trace.steps or trace.waypoints),
    }


def _packed(problems: Problems) -> bytes | None:
    return packed_problems(problems) if problems.count else None
