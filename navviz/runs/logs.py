"""Runs that other programs logged: read once, and kept as NavViz's own traces are.

The first time, a reader translates the log. What it made of it is kept in the run's folder of the
cache, and so is the row of each episode once it is measured. In one file stand the traces one
behind the other, each packed; then the contents, which name runs, episodes and what all of it was
read from. From then on the list comes from the rows, and an episode from its own bytes, until any
file changes that the run was read from.
"""

from __future__ import annotations

import logging
import os
import struct
import time
import zlib
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Final

import pyarrow as pa
from pydantic import TypeAdapter

from navviz.errors import (
    InputError,
    NavVizError,
    Problems,
    ReadingStoppedError,
    merged_problems,
)
from navviz.formats import EpisodeSet, Run, open_episodes, open_graph, open_results
from navviz.formats.world_cache import packed_problems, unpacked_problems
from navviz.records import Episode, Trace
from navviz.records.lazy_traces import LazyTraces, OnDemand, TracesOnDemand, heads, outlines
from navviz.runs.graphs import GraphAt, GraphFinder
from navviz.runs.index.build import ALONE, Measure, with_measured
from navviz.runs.index.inputs import code_stamp, inputs_of, unchanged
from navviz.runs.index.kept import KeptRun, digest_of
from navviz.runs.index.measure import Table, table_of_walks
from navviz.runs.index.measuring import MeasuredWalks, Take
from navviz.runs.index.run_rows import RunRows
from navviz.runs.reading import read_files
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.support.guarded import Notes, bytes_at, note_again, size_of, taking_notes
from navviz.world.graph import Graph

_LOG = logging.getLogger(__name__)
_SHARED = 10_000
"""So many walks of a log are measured by several processes; a thousand take a second."""
_VERSION = 3
"""Raise it with every change of the file."""
_ENDING = ".traces"
_WHOLE_BYTES = 1 << 26
"""Logs of so many bytes (64 MiB) are kept with all texts, of larger ones the outlines."""
_MOST_BYTES = 1 << 28
"""Larger files are not kept; the log is read anew each time."""
_PROVED = 3
"""Traces of each run of which it is proved that they come back as they were: a reader makes all of
them in one way.
"""
_END = struct.Struct("<QQI")
"""Where the contents begin, their length and checksum."""


class _NotKeptError(Exception):
    """Something that would not come back as it was."""


@dataclass(frozen=True)
class ReadLogs:
    """What was read of a foreign log."""

    runs: Sequence[Run]
    episode_set: EpisodeSet | None
    """The episode file that was given."""
    starts: Mapping[str, str]
    """A start node of each world."""
    free: Sequence[str]
    """Worlds that need no map."""
    notes: Notes = field(default_factory=Notes)


@dataclass(frozen=True)
class _RunEntry:
    """What the contents say of a run; problems are JSON."""

    name: str
    navigator: str
    method: str | None
    source: Path
    details: dict[str, Any]
    problems: bytes
    whole: bool
    traces: list[tuple[str, int, int, int, int]]
    """Of each its episode, where it begins, its packed and its plain size, and its checksum."""


@dataclass(frozen=True)
class _SetEntry:
    """What the contents say of a file of episodes."""

    name: str
    format: str
    keys: list[str]
    problems: bytes
    source: Path


@dataclass(frozen=True)
class _Contents:
    """What the file holds besides traces."""

    stamp: str
    inputs: dict[str, str]
    runs: list[_RunEntry]
    episode_set: _SetEntry | None
    starts: dict[str, str]
    free: list[str]
    entries: dict[Path, int]
    files: list[Path]
    folders: list[Path]
    changes: dict[Path, dict[str, int]]


_CONTENTS: Final = TypeAdapter(_Contents)
_DETAILS: Final = TypeAdapter(dict[str, Any])


class KeptLog(KeptRun):
    """A log of another program: it is read, kept, and read again where a trace is not kept."""

    def __init__(
        self,
        source: Source,
        results: Path,
        graph_at: GraphAt = open_graph,
        graph: Graph | None = None,
    ) -> None:
        # its reader notes the files by the names that it was given
        named = digest_of(results, results.absolute(), source.episodes or "")
        # a graph that lies in no file may be another one the next time, and what a visitor uploads
        # goes with the visit
        is_kept = graph is None and source.origin != "upload"
        super().__init__(results, source.graphs, f"log-{named}", is_kept=is_kept)
        self.source, self._graph_at, self._graph = source, graph_at, graph
        self.inputs: Mapping[str, str] | None = None
        """What was read, as it was then; ``None`` where nobody can say."""
        self.table: Table = None
        """The rows of all of its runs."""
        self._again: Sequence[Run] | None = None
        self._lock, self._rows_lock = Lock(), Lock()

    @property
    def places(self) -> list[Path]:
        """The results, and the episodes that were given."""
        given = self.source.episodes
        return [self.results] if given is None else [self.results, given]

    def finder(self, problems: Problems | None = None) -> GraphFinder:
        """Return what finds the graphs of its episodes, once it has learned where they start."""
        return GraphFinder(self.source, self._graph_at, {}, self._graph, problems)

    def read_all(self, finder: GraphFinder) -> ReadLogs:
        """Read all of it; `finder` learns where its episodes start."""
        given, split = self.source.episodes, None
        with taking_notes() as notes:
            if given is not None:
                split = open_episodes(given)
            episodes = split.episodes if split is not None else {}
            finder.learn(episodes)
            runs = open_results(self.results, finder, episodes or None)
        for run in runs:
            finder.learn(run.episodes)
        return ReadLogs(runs, split, finder.starts, sorted(finder.free), notes)

    def keep(self, read: ReadLogs, begun_ns: int) -> bool:
        """Keep what was read, where it can be; tell whether it is kept."""
        code = code_stamp()
        inputs = inputs_of(self.places, read.notes, begun_ns)
        self.inputs = inputs
        if not self.is_kept or code is None or inputs is None:
            return False

        def write(file: BinaryIO) -> None:
            given, notes = read.episode_set, read.notes
            episodes = None
            if given is not None:
                problems, keys = packed_problems(given.problems), list(given.episodes)
                episodes = _SetEntry(given.name, given.format, keys, problems, given.source)
            contents = _Contents(
                self._code(code),
                inputs,
                [_write_run(file, run) for run in read.runs],
                episodes,
                dict(read.starts),
                list(read.free),
                notes.entries,
                list(notes.files),
                list(notes.folders),
                notes.changes,
            )
            raw, start = zlib.compress(_CONTENTS.dump_json(contents), 1), file.tell()
            file.write(raw + _END.pack(start, len(raw), zlib.crc32(raw)))

        # pydantic's own errors are values, and so are details that are no JSON
        try:
            self.write(_ENDING, write)
        except (_NotKeptError, InputError, OSError, TypeError, ValueError) as error:
            _LOG.info("%s: not kept, the next time it is read anew (%s)", self.results, error)
            return False
        self.version = _token(code, inputs)
        return True

    def _code(self, code: str) -> str:
        """Return what the traces hang on besides the files: walks are joined on the graphs."""
        return f"{_VERSION} {code} {self.graph_states}"

    def restore(self) -> ReadLogs | None:
        """Return what is kept of it; ``None`` where nothing is, or the log has changed since."""
        code = code_stamp()
        kept = self.read(_ENDING, _contents) if self.is_kept and code is not None else None
        if code is None or kept is None:
            return None
        if kept.stamp != self._code(code) or not unchanged(kept.inputs):
            return None
        self.version, self.inputs = _token(code, kept.inputs), kept.inputs
        runs = []
        for number, each in enumerate(kept.runs):
            traces, problems = self._kept_traces(number, each), unpacked_problems(each.problems)
            names = (each.name, each.navigator, each.method)
            runs.append(Run(*names, traces, problems, each.source, each.details))
        given, episodes = kept.episode_set, None
        if given is not None:
            read: dict[str, Episode] = {}

            def find(key: str) -> Episode:
                if not read:
                    read.update(open_episodes(given.source).episodes)
                if key not in read:
                    raise InputError(
                        "has changed since it was opened", "open it again", file=given.source.name
                    )
                return read[key]

            later = OnDemand(dict.fromkeys(given.keys), find)
            problems = unpacked_problems(given.problems)
            episodes = EpisodeSet(given.name, given.format, later, problems, given.source)
        notes = Notes(entries=kept.entries, changes=kept.changes)
        notes.files, notes.folders = dict.fromkeys(kept.files), dict.fromkeys(kept.folders)
        return ReadLogs(runs, episodes, kept.starts, kept.free, notes)

    def _kept_traces(self, number: int, run: _RunEntry) -> TracesOnDemand:
        """Return the traces of one run, read from the bytes that are kept of them."""
        path = self.sibling(_ENDING)
        places = {key: tuple(place) for key, *place in run.traces}

        def read(key: str) -> Trace:
            start, length, size, checksum = places[key]
            try:
                packed = _proved(bytes_at(path, start, length), checksum)
                return Trace.model_validate_json(_codec().decompress(packed, size, asbytes=True))
            # another process may have replaced the file, or newer runs have taken its room
            except (InputError, OSError, ValueError) as error:
                _LOG.info("%s: episode %s is read from its log (%s)", path, key, error)
            # a whole trace serves where an outline is lost: it has all of it, and more
            return self.trace(number, key)

        sizes = {key: place[2] for key, place in places.items()}
        if run.whole:
            return TracesOnDemand(read, sizes)
        return TracesOnDemand(partial(self.trace, number), sizes, read)

    def trace(self, number: int, key: str) -> Trace:
        """Return one trace by reading the log again; raises `InputError` where it has changed."""
        changed = InputError(
            "has changed since it was opened", "open it again", file=self.results.name
        )
        with self._lock:
            if self._again is None:
                again = self.read_all(self.finder()).runs
                # looked at after reading: a log of today beside yesterday's figures is no walk of
                # that run, whatever its episodes are called
                if self.inputs is not None and not unchanged(self.inputs):
                    raise changed
                self._again = again
        try:
            return self._again[number].traces[key]
        except (IndexError, KeyError):
            raise changed from None

    def list_rows(self, runs: Sequence[Run], graph_of: GraphFinder) -> None:
        """Take the rows of all runs, as far as they are known."""
        self.table = self.load()
        if self.table is not None:
            return
        rows = []
        for number, run in enumerate(runs):
            for row in MeasuredWalks(run, graph_of, number).unmeasured(heads(run.traces)):
                # a head may lack its steps, so that nobody knows yet whether it moved or has poses
                rows.append({**row, "posed": True, "walked": None})
        self.table = table_of_walks(rows)
        self.keep_table(self.table)

    def add_rows(self, measured: Sequence[Table]) -> Table:
        """Take measured rows and keep all of them."""
        with self._rows_lock:
            # meanwhile another process, or another page, may have measured another method
            kept = self.load()
            if kept is not None and kept["file"].equals(self.table["file"]):
                self.table = kept
            self.table = with_measured(self.table, measured)
            self.keep_table(self.table)
            return self.table


def _token(code: str, inputs: Mapping[str, str]) -> str:
    return digest_of(str(_VERSION), code, *(f"{name} {state}" for name, state in inputs.items()))


def _write_run(file: BinaryIO, run: Run) -> _RunEntry:
    """Write the traces of a run; return what the contents say of it."""
    traces, whole = run.traces, True
    if isinstance(traces, LazyTraces) and traces.byte_count > _WHOLE_BYTES:
        # without outlines of its own, such a run would be made as a whole only to be kept
        if traces.outlines is traces:
            raise _NotKeptError("too large")
        traces, whole = outlines(traces), False
    details = dict(run.details)
    if _DETAILS.validate_json(_DETAILS.dump_json(details)) != details:
        raise _NotKeptError(f"details of {run.name}")
    codec, rows = _codec(), list[tuple[str, int, int, int, int]]()
    for key, trace in traces.items():
        raw = trace.model_dump_json(exclude_none=True).encode()
        if len(rows) < _PROVED and Trace.model_validate_json(raw) != trace:
            raise _NotKeptError(f"episode {key}")
        packed = codec.compress(raw, asbytes=True)
        rows.append((key, file.tell(), len(packed), len(raw), zlib.crc32(packed)))
        file.write(packed)
        if file.tell() > _MOST_BYTES:
            raise _NotKeptError("too large")
    problems = packed_problems(run.problems)
    return _RunEntry(
        run.name, run.navigator, run.method, run.source, details, problems, whole, rows
    )


def _codec() -> Any:  # noqa: ANN401 - pyarrow ships no types
    return pa.Codec("zstd", 1)


def _contents(path: Path) -> _Contents:
    size = size_of(path, 2 * _MOST_BYTES)
    start, length, checksum = _END.unpack(bytes_at(path, size - _END.size, _END.size))
    raw = _proved(bytes_at(path, start, length), checksum)
    return _CONTENTS.validate_json(zlib.decompress(raw))


def _proved(raw: bytes, checksum: int) -> bytes:
    """Return bytes as they are; raises `ValueError` where they are not those that were written."""
    if zlib.crc32(raw) != checksum:
        raise ValueError("its bytes are not those that were written")
    return raw


# --- opening


class LogRows(MeasuredWalks):
    """Rows of a run of another program's log, kept as soon as they are measured."""

    def __init__(self, log: KeptLog, run: Run, number: int, graph_of: GraphFinder) -> None:
        super().__init__(run, graph_of, number, _truth_of(log.source, run))
        self._log, self._graph_of = log, graph_of

    def first(self) -> RunRows:
        """Return the rows as they were when the log was opened."""
        return self.rows_in(self._log.table)

    def finish(self, view: RunRows, take: Take) -> None:
        """Measure what is left; raises `InputError` where there is no graph for a walk."""
        # a missing graph is said here, with its own fault, and not by another process
        for world in view.worlds:
            self._graph_of(world)
        pieces: list[Table] = []
        try:
            cores = min(4, os.cpu_count() or 1)
            # others need some seconds to begin, and read the walks from where they are kept
            if self._log.is_kept and cores > 1 and len(view.left) >= _SHARED:
                self._work_elsewhere(view, cores, pieces)
            self.work(view, lambda: self.measure, 0, pieces)
        finally:
            # who stops it, and asks again, goes on from there
            take(self.rows_in(self._log.add_rows(pieces)))

    def _work_elsewhere(self, view: RunRows, cores: int, pieces: list[Table]) -> None:
        try:
            self.work(view, partial(_KeptMeasurer, self._log.source, self._number), cores, pieces)
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
        log = KeptLog(self._source, self._source.results or Path())
        kept = log.restore()
        if kept is None:
            raise InputError(
                "has changed since it was opened", "open it again", file=log.results.name
            )
        finder = log.finder()
        finder.restore(kept.starts, kept.free)
        run = kept.runs[self._number]
        return MeasuredWalks(run, finder, self._number, _truth_of(self._source, run)).measure


def open_logs(source: Source, graph_at: GraphAt, graph: Graph | None) -> list[OpenRun]:
    """Open what another program logged, a run for each method; see `navviz.runs.opened.load`."""
    if source.results is None:
        raise InputError("names no results", "name the result file", file=source.name)
    log, problems = KeptLog(source, source.results, graph_at, graph), Problems()
    finder = log.finder(problems)
    kept = log.restore()
    if kept is None:
        begun_ns = time.time_ns()
        kept = log.read_all(finder)
        log.is_kept = log.keep(kept, begun_ns)
        if log.is_kept and any(len(run) > ALONE for run in kept.runs):
            # as records 50,000 walks take 2 GB: they are read again, one at a time
            kept = log.restore() or kept
    else:
        finder.restore(kept.starts, kept.free)
        note_again(kept.notes)
    log.list_rows(kept.runs, finder)
    files = read_files(kept.notes, source.graphs)
    opened: list[OpenRun] = []
    for number, run in enumerate(kept.runs):
        others = [] if kept.episode_set is None else [kept.episode_set.problems]
        others += [problems, run.problems]
        rows = LogRows(log, run, number, finder)
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
