"""The rows of one run in an index, and what the list of its episodes takes from them.

A `RunRows` never changes. What another process has measured since makes a new one, so that a page
that reads it in one thread sees one state while another thread takes the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from navviz.errors import Problem, Problems
from navviz.formats.world_cache import unpacked_problems
from navviz.metrics.path import METRICS
from navviz.metrics.score import RunScore
from navviz.records.lazy_traces import OnDemand
from navviz.records.walker import is_cut_off
from navviz.runs.facts import WalkFacts
from navviz.runs.index.measure import (
    FACT,
    FACTS,
    METRIC,
    NEVER_KEPT,
    Stage,
    Table,
    metric_names,
    rows_of,
)
from navviz.runs.tables import drawn_outcome, episode_columns, frame_of
from navviz.views.figures.atlas_walk import AtlasWalk

if TYPE_CHECKING:
    import pandas as pd

DRAWN = 1500
"""Episodes of a world that a map of single walks shows."""
_BY_ENDS = tuple(metric.name for metric in METRICS)
_SUCCESS = {"success": 1.0, "failure": 0.0}


@dataclass(frozen=True, eq=False)
class RunRows:
    """One state of the rows of one run."""

    rows: Table
    """One an episode, in the order of the files."""
    problems: Problems
    """What could not be read in the folder."""
    table: Table
    """The index that they were taken from, of all runs of the folder."""

    def own_problems(self) -> Problems:
        """Return what was found while its own rows were measured."""
        problems = Problems()
        for faults in filter(None, self.values("problems")):
            problems.extend(unpacked_problems(faults))
        return problems

    @cached_property
    def stages(self) -> list[int]:
        """How much is known of each episode."""
        return self.values("stage")

    @property
    def measured(self) -> int:
        """Number of episodes that are read as a whole and scored."""
        return self.stages.count(Stage.MEASURED)

    @property
    def complete(self) -> bool:
        """Whether all episodes are measured."""
        return Stage.HEAD not in self.stages

    @cached_property
    def left(self) -> list[str]:
        """Episodes that are not measured yet."""
        stages = zip(self.values("episode"), self.stages, strict=True)
        return [key for key, stage in stages if stage == Stage.HEAD]

    @cached_property
    def places(self) -> dict[str, int]:
        """Rows by episode."""
        return {key: row for row, key in enumerate(self.values("episode"))}

    def values(self, name: str) -> list[Any]:
        """Return a column as Python's own values."""
        values: list[Any] = self.rows[name].to_pylist()
        return values

    def by_episode(self, name: str) -> dict[str, Any]:
        """Return a column by episode."""
        return dict(rows_of(self.rows, "episode", name))

    @cached_property
    def worlds(self) -> Mapping[str, int]:
        """Number of episodes in each world, the most frequent first."""
        return dict(Counter(self.values("world")).most_common())

    @cached_property
    def instructions(self) -> Mapping[str, str]:
        """Instructions by episode."""
        return self.by_episode("instruction")

    @cached_property
    def datasets(self) -> Mapping[str, str]:
        """Data set of each episode."""
        return self.by_episode("dataset")

    @cached_property
    def has_tasks(self) -> bool:
        """Whether any episode has sub-tasks."""
        return any(self.values("tasks"))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The episode table; what is not measured yet is missing in it. Never changed."""
        empty: list[Any] = [None] * self.rows.num_rows
        columns = {}
        for name in episode_columns():
            columns[name] = empty if name in NEVER_KEPT else self.values(name)
        return frame_of(columns)

    @cached_property
    def facts(self) -> dict[str, WalkFacts]:
        """The facts of the walks, by episode; all are measured."""
        columns = {name: self.values(name) for name in ("instruction", "dataset", "world")}
        for name in FACTS:
            values = self.values(FACT + name)
            if name in {"difficulty", "skills"}:
                values = list(map(_as_tuple, values))
            shared: dict[Any, Any] = {}
            columns[name] = [shared.setdefault(value, value) for value in values]
        facts = {}
        for key, *values in zip(self.values("episode"), *columns.values(), strict=True):
            facts[key] = WalkFacts(**dict(zip(columns, values, strict=True)))
        return facts

    @cached_property
    def walks(self) -> list[AtlasWalk]:
        """The walks as the atlas shows them, in the order of the rows; all are measured."""
        lists = [shared_texts(self.rows[name]) for name in ("drawn", "departures", "passed")]
        texts = [self.values(name) for name in ("episode", "outcome", "instruction", "failed_at")]
        walks = []
        for key, outcome, text, at, path, left, passed in zip(*texts, *lists, strict=True):
            shown = drawn_outcome(outcome)
            walks.append(AtlasWalk(key, path, shown, text, left, passed, at))
        return walks

    @cached_property
    def drawn(self) -> list[dict[str, Any]]:
        """Episode, world, way, outcome and instruction of those that are measured, as a map shows
        them; only `DRAWN` of each world, the first ones.
        """
        shown = self.rows.select(["episode", "world", "drawn", "outcome", "instruction", "posed"])
        rows: list[dict[str, Any]] = []
        counts = Counter[str]()
        for row, (world, stage) in enumerate(zip(self.values("world"), self.stages, strict=True)):
            counts[world] += 1
            if stage == Stage.MEASURED and counts[world] <= DRAWN:
                drawn = {name: shown[name][row].as_py() for name in shown.column_names}
                drawn["outcome"] = drawn_outcome(drawn["outcome"])
                rows.append(drawn)
        return rows

    def scores(self, run: str) -> RunScore:
        """Return the scores as known: until all is measured, means of what traces' ends say."""
        columns = {name: self.values(METRIC + name) for name in metric_names(self.rows)}
        if not self.complete:
            columns["NE"] = self.values("NE")
            columns["SR"] = [_SUCCESS.get(outcome) for outcome in self.values("outcome")]
        names, keys = self.values("metrics"), self.values("episode")
        # rows that ended in an error, ours and those of foreign logs; and ours that went on
        errors, counted, unfinished = list[int](), list[int](), list[int]()
        for row, (end, is_foreign) in enumerate(rows_of(self.rows, "ended", "foreign")):
            if end == "error":
                (counted if is_foreign else errors).append(row)
            if is_cut_off(end) and not is_foreign:
                unfinished.append(row)
        # `out` are rows that are part of no mean
        out = set(errors)
        order = dict.fromkeys(_BY_ENDS)
        if self.complete:
            order = {}
            for listed in filter(None, dict.fromkeys(names)):
                order |= dict.fromkeys(listed.split(","))
        means: dict[str, float | None] = {}
        counts: dict[str, int] = {}
        for name in order or dict.fromkeys(_BY_ENDS):
            values: list[float] = []
            if self.complete or name in {"SR", "NE"}:
                values = [
                    value
                    for row, value in enumerate(columns.get(name, []))
                    if value is not None and row not in out
                ]
            means[name] = sum(values) / len(values) if values else None
            counts[name] = len(values)
        origins = {}
        for key, dataset, start in rows_of(self.rows, "episode", "dataset", "start"):
            origins[key] = (dataset or "", start or "")
        return RunScore(
            run,
            _column_scores(self.places, names, columns),
            means,
            counts,
            tuple(keys[row] for row in errors),
            tuple(keys[row] for row in counted),
            origins,
            tuple(keys[row] for row in unfinished),
            {
                key: reason
                for key, reason in zip(keys, self.values(FACT + "unanswered"), strict=True)
                if reason is not None
            },
            {
                key: edits
                for key, edits in zip(keys, self.values(FACT + "edits"), strict=True)
                if edits is not None
            },
        )


def _as_tuple(value: list[Any] | None) -> tuple[Any, ...] | None:
    return None if value is None else tuple(value)


def rows_of_run(table: Table, run: str, folder: Path) -> RunRows:
    """Return the rows of one run, one an episode, and what could not be read in the folder."""
    problems, notes = Problems(), dict[tuple[str, str], Problem]()
    places: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    names = ("stage", "run", "episode", "problems", "notes")
    for row, (stage, own_run, key, faults, noted) in enumerate(rows_of(table, *names)):
        if faults is not None:
            problems.extend(unpacked_problems(faults))
        if noted is not None:
            for note in unpacked_problems(noted).kept:
                # of a file of several traces each part tells the same
                notes.setdefault((note.file, note.do), note)
        if key is None or stage in {Stage.UNREADABLE, Stage.NOT_BEGUN}:
            continue
        if (own_run, key) in seen:
            do = "keep one; the first is used"
            problems.skip(Problem("has two traces", do, folder.name, key))
            continue
        seen.add((own_run, key))
        if own_run == run:
            places[key] = row
    for note in notes.values():
        problems.add(note)
    chosen = list(places.values())
    whole = len(chosen) == table.num_rows
    # without a copy where the folder holds one run
    rows = table if whole else table.take(pa.array(chosen, pa.int64()))
    return RunRows(rows, problems, table)


def _column_scores(
    places: Mapping[str, int], names: Sequence[str | None], columns: Mapping[str, list[Any]]
) -> Mapping[str, dict[str, float | None]]:
    """Return metrics by episode, out of columns."""

    def find(key: str) -> dict[str, float | None]:
        row = places[key]
        known = names[row]
        if known is not None:
            return {name: columns[name][row] for name in known.split(",")}
        # only its ends were read
        there = {name: columns[name][row] for name in _BY_ENDS if name in columns}
        return {**dict.fromkeys(_BY_ENDS), **there}

    return OnDemand(places, find)


def shared_texts(column: Any) -> list[tuple[str, ...]]:  # noqa: ANN401 - pyarrow ships no types
    """Return a column of lists of texts, each text once: walks name few nodes."""
    flat = column.combine_chunks()
    if hasattr(flat, "chunks"):
        flat = flat.chunk(0) if flat.num_chunks else flat
    coded = flat.flatten().dictionary_encode()
    names, numbers = coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)
    ends = flat.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).cumsum().tolist()
    words = [names[number] for number in numbers.tolist()]
    return [tuple(words[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
