"""Trace files read and scored as those of any run are, as rows of an index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problems
from navviz.formats import GraphOf
from navviz.formats.world_cache import packed_problems
from navviz.metrics.divergence import find_divergence
from navviz.metrics.path import Ruler
from navviz.metrics.score import score_trace
from navviz.metrics.walked import walked_graph
from navviz.records import Trace
from navviz.records.trace_files import bare_name
from navviz.records.trace_parts import read_part
from navviz.runs.facts import facts_of
from navviz.runs.index.columns import FACT, FACTS, METRIC, NEVER_KEPT, Stage, Table, schema, table_of
from navviz.runs.index.files import FileState
from navviz.runs.map_walks import map_walk
from navviz.runs.tables import EPISODE_COLUMNS, episode_row, outcome

__all__ = ["Measurer"]

_Row = dict[str, Any]


class Measurer:
    """Measures traces; one keeps the graphs for many."""

    def __init__(self, folder: Path, graph_of: GraphOf) -> None:
        self._folder, self._graph_of = folder, graph_of
        self._rulers: dict[str, Ruler] = {}

    def __call__(self, states: Sequence[FileState]) -> Table:
        """Return a row for each file; raises `InputError` where there is no graph for one."""
        rows = [self._row(state) for state in states]
        metrics = list(dict.fromkeys(name for row in rows for name in row if name.startswith(METRIC)))
        names = [*schema().names, *metrics]
        columns = {name: [row.get(name) for row in rows] for name in names}
        return table_of(columns, len(rows), [name.removeprefix(METRIC) for name in metrics])

    def _row(self, state: FileState) -> _Row:
        row: _Row = {**state._asdict(), "stage": Stage.MEASURED}
        if state.size == 0:
            return row | {"stage": Stage.NOT_BEGUN}
        problems = Problems()
        try:
            trace = read_part(self._folder, state.file, problems)
        except InputError as error:
            problems.skip(error.problem)
            return row | {"stage": Stage.UNREADABLE, "problems": _packed(problems)}
        return row | self._measured(trace) | {"problems": _packed(problems)}

    def _measured(self, trace: Trace) -> _Row:
        episode = trace.episode
        if episode.world not in self._rulers:
            self._rulers[episode.world] = Ruler(self._graph_of(episode.world))
        ruler = self._rulers[episode.world]
        metrics = score_trace(trace, ruler.graph, ruler)
        graph = walked_graph(trace, ruler.graph) if trace.header.poses else ruler.graph
        row = episode_row(trace, graph, metrics, find_divergence(trace, graph))
        walk, facts = map_walk(trace, graph, outcome(metrics)), facts_of(trace)
        shown = {column.name: column.value(row) for column in EPISODE_COLUMNS if column.name not in NEVER_KEPT}
        return shown | {
            "run": trace.header.run or bare_name(self._folder.name),
            "world": episode.world,
            "start": episode.start,
            "dataset": episode.dataset,
            "ended": trace.end.status.value if trace.end is not None else None,
            "foreign": trace.header.source is not None,
            "tasks": bool(episode.tasks),
            "posed": bool(trace.header.poses),
            "drawn": walk.path,
            "departures": walk.departures,
            "passed": walk.passed,
            "failed_at": walk.failed_at,
            **{FACT + name: getattr(facts, name) for name in FACTS},
            "metrics": ",".join(metrics),
            **{METRIC + name: value for name, value in metrics.items()},
        }


def _packed(problems: Problems) -> bytes | None:
    return packed_problems(problems).tobytes() if problems.count else None
