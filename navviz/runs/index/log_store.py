"""The runs of foreign logs as they were read, kept in the cache folder of the run.

In one file stand the traces one behind the other, each packed; then the contents, which name runs,
episodes and what all of it was read from. The next time, an episode is read from its own bytes, and
the log itself is not opened. The rows of the list lie beside it.
"""

from __future__ import annotations

import logging
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa
from pydantic import TypeAdapter

from navviz.errors import InputError
from navviz.formats import EpisodeSet, Run, open_episodes
from navviz.formats.world_cache import packed_problems, unpacked_problems
from navviz.records import Episode, Trace
from navviz.records.lazy_traces import LazyTraces, OnDemand, TracesOnDemand, outlines
from navviz.runs.index.inputs import code_stamp, inputs_of, unchanged
from navviz.runs.index.kept import KeptRun, digest_of
from navviz.runs.source import Source
from navviz.support.guarded import Notes, bytes_at, size_of

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
_LOG = logging.getLogger(__name__)

Reread = Callable[[int, str], Trace]
"""Reads a trace from its log, by the number of its run and its episode."""


class _NotKeptError(Exception):
    """Something that would not come back as it was."""


class KeptLog(KeptRun):
    """Where the traces of a foreign log are kept, and the rows of its list beside them."""

    def __init__(self, source: Source, results: Path, *, is_kept: bool = True) -> None:
        # its reader notes the files by the names that it was given
        named = digest_of(results, results.absolute(), source.episodes or "")
        super().__init__(results, source.graphs, f"log-{named}", is_kept=is_kept)
        self.source = source
        self.inputs: Mapping[str, str] | None = None
        """What was read, as it was then; ``None`` where nobody can say."""

    @property
    def places(self) -> list[Path]:
        """The results, and the episodes that were given."""
        given = self.source.episodes
        return [self.results] if given is None else [self.results, given]


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


# --- writing


def save_logs(place: KeptLog, read: ReadLogs, begun_ns: int) -> bool:
    """Keep what was read, where it can be; tell whether it is kept."""
    code = code_stamp()
    inputs = inputs_of(place.places, read.notes, begun_ns)
    place.inputs = inputs
    if not place.is_kept or code is None or inputs is None:
        return False

    def write(file: BinaryIO) -> None:
        given, notes = read.episode_set, read.notes
        episodes = None
        if given is not None:
            said = packed_problems(given.problems)
            keys = list(given.episodes)
            episodes = _SetEntry(given.name, given.format, keys, said, given.source)
        contents = _Contents(
            _stamp(place, code),
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
        place.write(_ENDING, write)
    except (_NotKeptError, InputError, OSError, TypeError, ValueError) as error:
        _LOG.info("%s: not kept, the next time it is read anew (%s)", place.results, error)
        return False
    place.version = _token(code, inputs)
    return True


def _token(code: str, inputs: Mapping[str, str]) -> str:
    return digest_of(str(_VERSION), code, *(f"{name} {state}" for name, state in inputs.items()))


def _stamp(place: KeptLog, code: str) -> str:
    """Return what the traces hang on besides the files: walks are joined on the graphs."""
    return f"{_VERSION} {code} {place.graph_states}"


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
    said = packed_problems(run.problems)
    return _RunEntry(run.name, run.navigator, run.method, run.source, details, said, whole, rows)


def _codec() -> Any:  # noqa: ANN401 - pyarrow ships no types
    return pa.Codec("zstd", 1)


# --- reading


def load_logs(place: KeptLog, reread: Reread) -> ReadLogs | None:
    """Return what is kept of a log; ``None`` where nothing is, or the log has changed since."""
    code = code_stamp()
    kept = place.read(_ENDING, _contents) if place.is_kept and code is not None else None
    if code is None or kept is None:
        return None
    if kept.stamp != _stamp(place, code) or not unchanged(kept.inputs):
        return None
    place.version, place.inputs = _token(code, kept.inputs), kept.inputs
    runs = []
    for number, each in enumerate(kept.runs):
        traces = _KeptTraces(place.sibling(_ENDING), number, each, reread).traces()
        problems = unpacked_problems(each.problems)
        details = each.details
        runs.append(
            Run(each.name, each.navigator, each.method, traces, problems, each.source, details)
        )
    given, episodes = kept.episode_set, None
    if given is not None:
        later = _later_episodes(given.source, given.keys)
        said = unpacked_problems(given.problems)
        episodes = EpisodeSet(given.name, given.format, later, said, given.source)
    notes = Notes(entries=kept.entries, changes=kept.changes)
    notes.files, notes.folders = dict.fromkeys(kept.files), dict.fromkeys(kept.folders)
    return ReadLogs(runs, episodes, kept.starts, kept.free, notes)


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


class _KeptTraces:
    """Reads the traces of one run from the bytes that are kept of them."""

    def __init__(self, path: Path, number: int, run: _RunEntry, reread: Reread) -> None:
        self._path, self._number, self._reread, self._whole = path, number, reread, run.whole
        self._places = {key: tuple(place) for key, *place in run.traces}

    def traces(self) -> TracesOnDemand:
        """Return them as a run has them."""
        sizes = {key: place[2] for key, place in self._places.items()}
        if self._whole:
            return TracesOnDemand(self._read, sizes)
        return TracesOnDemand(self._from_log, sizes, self._read)

    def _from_log(self, key: str) -> Trace:
        return self._reread(self._number, key)

    def _read(self, key: str) -> Trace:
        start, length, size, checksum = self._places[key]
        try:
            packed = _proved(bytes_at(self._path, start, length), checksum)
            return Trace.model_validate_json(_codec().decompress(packed, size, asbytes=True))
        # another process may have replaced the file, or newer runs have taken its room
        except (InputError, OSError, ValueError) as error:
            _LOG.info("%s: episode %s is read from its log (%s)", self._path, key, error)
        # a whole trace serves where an outline is lost: it has all of it, and more
        return self._from_log(key)


def _later_episodes(path: Path, keys: Sequence[str]) -> Mapping[str, Episode]:
    """Return the episodes of a file, which is read when the first one is asked for."""
    read: dict[str, Episode] = {}

    def find(key: str) -> Episode:
        if not read:
            read.update(open_episodes(path).episodes)
        if key not in read:
            raise InputError("has changed since it was opened", "open it again", file=path.name)
        return read[key]

    return OnDemand(dict.fromkeys(keys), find)
