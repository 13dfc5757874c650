"""Features, junctions and scanners' hits of each trace of a large run, as columns beside its index.

To tell what goes wrong in 50,000 episodes each trace has to be read as a whole, which takes
minutes; so it is done once, and what is kept of a trace are names. `RunMarks` tells the same of a
run of any size.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

import pyarrow as pa

from navviz.analysis.departure_slices import departure_slices, passages
from navviz.analysis.scanners.registry import (
    Scanner,
    get_scanners,
    scan_run,
    scanner_names,
)
from navviz.analysis.slices import (
    Slice,
    area_nodes,
    banded,
    episode_features,
    failed_episodes,
    find_slices,
    run_features,
    third_edges,
)
from navviz.errors import InputError, Problems
from navviz.formats import GraphOf
from navviz.records.finding import Finding
from navviz.records.trace_parts import read_part
from navviz.runs.graphs import graphs_of_starts
from navviz.runs.index.build import current, with_progress, work_through
from navviz.runs.index.files import FileState
from navviz.runs.index.kept import KeptRun
from navviz.runs.index.measure import Stage, Table, rows_of, starts_of
from navviz.runs.index.run_rows import shared_texts
from navviz.runs.run import OpenRun

PROGRAM = "navviz.analysis.kept"
"""The module that works them out as a process of its own."""
_VERSION = 3
"""Raise it with every change of features, junctions or scanners."""
_NAMES = pa.list_(pa.string())
_SCHEMA = pa.schema(
    [
        ("file", pa.string()),
        ("mtime_ns", pa.int64()),
        ("ctime_ns", pa.int64()),
        ("size", pa.int64()),
        ("features", _NAMES),
        ("area", pa.int32()),
        # places on the route of the junctions that the agent came to
        ("junctions", pa.list_(pa.int32())),
        ("left", pa.list_(pa.bool_())),  # whether it left the route there
        ("there", pa.list_(_NAMES)),  # and the features of each
        ("scanners", _NAMES),  # of each hit its scanner, step, sentence and code
        ("steps", pa.list_(pa.int32())),
        ("sentences", _NAMES),
        ("codes", _NAMES),
    ]
)


def marks_place(folder: Path, graphs: Sequence[Path] = ()) -> KeptRun:
    """Return where the columns of a folder of traces lie."""
    return KeptRun(folder, graphs, "marks", f"{_VERSION} {','.join(scanner_names())}")


def keep_marks(place: KeptRun, processes: int = 0) -> Table:
    """Work out the columns of all traces that have none yet, keep them and return all of them."""
    with place.alone():
        index = current(KeptRun(place.results, place.graphs))
        kept = place.load()
        table = kept if kept is not None else _SCHEMA.empty_table()
        there = set(_states(table))
        stages = index["stage"].to_pylist()
        readable = {Stage.HEAD, Stage.MEASURED}
        states = zip(_states(index), stages, strict=True)
        # a file that was changed has another state, and is read again
        wanted = [state for state, stage in states if stage in readable and state not in there]
        make = partial(_Marker, place.results, place.graphs, starts_of(index))
        total = len(wanted) + len(there)
        for pieces in with_progress(
            place, work_through(wanted, make, processes), len(wanted), total
        ):
            table = pa.concat_tables([table, *pieces]).combine_chunks()
            # after each piece, so that work that is broken off is not lost
            place.keep_table(table)
        return table


def _states(table: Table) -> list[FileState]:
    return [FileState(*values) for values in rows_of(table, *FileState._fields)]


class _Marker:
    """Works out the columns of traces; one keeps the graphs for many."""

    def __init__(self, folder: Path, graphs: Sequence[Path], starts: dict[str, str]) -> None:
        self._folder, self._graph_of = folder, graphs_of_starts(graphs, starts)
        self._scanners = get_scanners()

    def __call__(self, states: Sequence[FileState]) -> Table:
        rows = [_row(self._folder, state, self._graph_of, self._scanners) for state in states]
        return pa.Table.from_pylist(rows, _SCHEMA)


def _row(
    folder: Path, state: FileState, graph_of: GraphOf, scanners: Sequence[Scanner]
) -> dict[str, object]:
    try:
        trace = read_part(folder, state.file, Problems())
    except InputError:  # it is reported when the trace is measured
        return state._asdict()
    graph = graph_of(trace.episode.world)
    came_to = passages(trace, graph)
    hits = []
    for name, own in scan_run({trace.episode.id: trace}, graph_of, scanners).items():
        hits += [(name, hit) for hit in own]
    return {
        **state._asdict(),
        "features": sorted(episode_features(trace, graph)),
        "area": area_nodes(trace, graph),
        "junctions": [passage.place for passage in came_to],
        "left": [passage.left for passage in came_to],
        "there": [sorted(passage.features) for passage in came_to],
        "scanners": [name for name, _ in hits],
        "steps": [hit.step for _, hit in hits],
        "sentences": [hit.sentence for _, hit in hits],
        "codes": [hit.code for _, hit in hits],
    }


class RunMarks:
    """What goes wrong in a run, by episode; a kind is looked for when it is first asked for."""

    def __init__(self, run: OpenRun) -> None:
        self.run = run

    @cached_property
    def features(self) -> Mapping[str, Collection[str]]:
        """As `navviz.analysis.slices.run_features` tells them."""
        return run_features(self.run.outlines, self.run.graph_of)

    @cached_property
    def slices(self) -> list[Slice]:
        """On what the run fails more often than on the rest, the clearest first."""
        return find_slices(self.features, failed_episodes(self.run.scores))

    @cached_property
    def departures(self) -> list[Slice]:
        """At which junctions its agents leave the route more often."""
        return departure_slices(self.run.traces, self.run.graph_of)

    @cached_property
    def left_at(self) -> Mapping[str, Collection[str]]:
        """Features of the junction at which each agent left the route."""
        left_at = {}
        for key, trace in self.run.traces.items():
            came_to = passages(trace, self.run.graph_of(trace.episode.world))
            left = [passage.features for passage in came_to if passage.left]
            left_at[key] = frozenset(chain.from_iterable(left))
        return left_at

    @cached_property
    def hits(self) -> Mapping[str, list[Finding]]:
        """What each scanner points at, by its name."""
        return scan_run(self.run.traces, self.run.graph_of, get_scanners())


def known_marks(run: OpenRun) -> RunMarks | None:
    """Return what goes wrong in a run; ``None`` until that is worked out for a large one."""
    place = run.kept_at
    if place is None:
        return RunMarks(run)
    table = marks_place(place.results, place.graphs).load()
    if table is None:
        return None
    rows = {state: k for k, state in enumerate(_states(table))}
    own = [rows.get(state) for state in _states(run.view.rows)]
    if None in own:
        return None
    return _KeptMarks(run, table.take(pa.array(own, pa.int64())).combine_chunks())


def marks_of(run: OpenRun) -> RunMarks:
    """Return what goes wrong in a run; what is missing of a large one is worked out first, with
    four processes at most.
    """
    place = run.kept_at
    if place is not None:
        run.finish()
    marks = known_marks(run)
    if marks is None and place is not None:
        keep_marks(marks_place(place.results, place.graphs), min(4, os.cpu_count() or 1))
        marks = known_marks(run)
    # a trace that changed meanwhile is in no kept table
    return marks or RunMarks(run)


class _KeptMarks(RunMarks):
    """The same out of columns, in the order of the run's rows."""

    def __init__(self, run: OpenRun, rows: Table) -> None:
        super().__init__(run)
        self.rows = rows

    @cached_property
    def _keys(self) -> list[str]:
        return list(self.run.traces)

    @cached_property
    def features(self) -> dict[str, tuple[str, ...]]:
        """As `navviz.analysis.slices.run_features` tells them."""
        areas = [area or 0 for area in self.rows["area"].to_pylist()]
        # the thirds are those of this run's own areas
        edges = third_edges([area for area in areas if area])
        # once for each size of area, and not for each of 50,000 episodes
        names = {area: tuple(banded("nodes around the route", area, edges)) for area in set(areas)}
        listed = shared_texts(self.rows["features"])
        return {
            key: own + names[area] for key, own, area in zip(self._keys, listed, areas, strict=True)
        }

    @cached_property
    def departures(self) -> list[Slice]:
        """At which junctions its agents leave the route more often."""
        features: dict[str, tuple[str, ...]] = {}
        left: dict[str, bool] = {}
        for key, places, gone, there in zip(self._keys, *self._junctions, strict=True):
            for place, here, named in zip(places or (), gone or (), there or (), strict=True):
                name = f"{key} {place}"
                features[name], left[name] = tuple(named), here
        return [replace(row, unit="junction") for row in find_slices(features, left)]

    @cached_property
    def left_at(self) -> dict[str, frozenset[str]]:
        """Features of the junction at which each agent left the route."""
        _, all_gone, all_there = self._junctions
        left_at = {}
        for key, gone, there in zip(self._keys, all_gone, all_there, strict=True):
            features: set[str] = set()
            for left, named in zip(gone or (), there or (), strict=True):
                if left:
                    features.update(named)
            left_at[key] = frozenset(features)
        return left_at

    @property
    def _junctions(self) -> tuple[list[list[int]], list[list[bool]], list[list[list[str]]]]:
        places, gone, there = (
            self.rows[name].to_pylist() for name in ("junctions", "left", "there")
        )
        return places, gone, there

    @cached_property
    def hits(self) -> dict[str, list[Finding]]:
        """What each scanner points at, by its name."""
        hits: dict[str, list[Finding]] = {name: [] for name in scanner_names()}
        columns = (
            self.rows[name].to_pylist() for name in ("scanners", "steps", "sentences", "codes")
        )
        for key, *values_of in zip(self._keys, *columns, strict=True):
            of_key = zip(*(values or () for values in values_of), strict=True)
            for name, step, sentence, code in of_key:
                hit = Finding(
                    kind="scan", id=name, episode=key, step=step, sentence=sentence, code=code
                )
                hits.setdefault(name, []).append(hit)
        return hits
