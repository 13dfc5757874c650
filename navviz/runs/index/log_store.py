"""The runs of foreign logs as they were read, kept in the user's cache folder.

A file for each place: the traces one behind the other, each packed; then the contents, which name
runs, episodes and what all of it was read from. The next time, an episode is read from its own
bytes, and the log itself is not opened. Whatever is wrong with the file, it counts as not there.
The rows of the list lie in an index beside it, as those of NavViz's own traces do.
"""

from __future__ import annotations

import hashlib
import json
import logging
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from navviz.errors import InputError, Problems
from navviz.formats import EpisodeSet, Run, open_episodes
from navviz.formats.world_cache import packed_problems, unpacked_problems
from navviz.records import Episode, Trace
from navviz.records.lazy_traces import LazyTraces, TracesOnDemand, outlines
from navviz.runs.index.inputs import code_stamp, inputs_of, unchanged
from navviz.runs.index.store import IndexPlace, kept_file
from navviz.runs.source import Source
from navviz.support.guarded import Notes, bytes_at, is_regular, parse_json, size_of
from navviz.support.installation.files import keep_file

_VERSION = 2
"""Raise it with every change of the file."""
_KEPT = 64
"""Logs in the cache; GROKE's 700 episodes take 2 MB."""
_WHOLE_BYTES = 1 << 26
"""Logs of so many bytes (64 MiB) are kept with all texts, of larger ones the outlines."""
_MOST_BYTES = 1 << 28
"""Larger files are not kept; the log is read anew each time."""
_PROVED = 3
"""Traces of each run of which it is proved that they come back as they were: a reader makes all of
them in one way.
"""
_MAGIC = b"navviz logs"
_END = struct.Struct(f"<QQI{len(_MAGIC)}s")
"""Where the contents begin, their length and checksum."""
_LOG = logging.getLogger(__name__)

Reread = Callable[[int, str], Trace]
"""Reads a trace from its log, by the number of its run and its episode."""


class _NotKeptError(Exception):
    """Something that would not come back as it was."""


class LogPlace(IndexPlace):
    """Where the traces of a foreign log are kept, and the rows of its list beside them."""

    def __init__(self, source: Source, results: Path, *, is_kept: bool = True) -> None:
        super().__init__(results, source.graphs, is_kept=is_kept)
        self.source = source
        inputs = (results, results.absolute(), source.episodes or "", *self.graphs)
        self.file = kept_file("logs", inputs)
        self.traces_file = self.sibling(".traces")
        self.inputs: Mapping[str, str] | None = None
        """What was read, as it was then; ``None`` where nobody can say."""

    @property
    def places(self) -> list[Path]:
        """The results, and the episodes that were given."""
        given = self.source.episodes
        return [self.folder] if given is None else [self.folder, given]


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


# --- writing


def save_logs(place: LogPlace, read: ReadLogs, begun_ns: int) -> bool:
    """Keep what was read, where it can be; tell whether it is kept."""
    code = code_stamp()
    inputs = inputs_of(place.places, read.notes, begun_ns)
    place.inputs = inputs
    if not place.is_kept or code is None or inputs is None:
        return False
    token = _token(code, inputs)

    def write(file: BinaryIO) -> None:
        contents = {
            "stamp": _stamp(place, code),
            "inputs": inputs,
            "runs": [_write_run(file, run) for run in read.runs],
            "episode_set": _set_as_json(read.episode_set),
            "starts": dict(read.starts),
            "free": list(read.free),
            "notes": _notes_as_json(read.notes),
        }
        raw, start = zlib.compress(_as_json(contents), 1), file.tell()
        file.write(raw + _END.pack(start, len(raw), zlib.crc32(raw), _MAGIC))

    try:
        keep_file(place.traces_file, write, _KEPT)
    except _NotKeptError as error:
        _LOG.info("%s: the next time it is read anew (%s)", place.folder, error)
        return False
    # pydantic's own errors are values, and so are details that are no JSON
    except (InputError, OSError, TypeError, ValueError) as error:
        _LOG.info("%s: not kept (%s)", place.folder, error)
        return False
    place.version = token
    return True


def _token(code: str, inputs: Mapping[str, str]) -> str:
    return hashlib.blake2b(_as_json([_VERSION, code, inputs]), digest_size=12).hexdigest()


def _stamp(place: LogPlace, code: str) -> str:
    """Return what the traces hang on besides the files: walks are joined on the graphs."""
    return f"{_VERSION} {code} {place.graph_states}"


def _as_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _write_run(file: BinaryIO, run: Run) -> dict[str, Any]:
    """Write the traces of a run; return what the contents say of it."""
    traces, whole = run.traces, True
    if isinstance(traces, LazyTraces) and traces.byte_count > _WHOLE_BYTES:
        # without outlines of its own, such a run would be made as a whole only to be kept
        if traces.outlines is traces:
            raise _NotKeptError("too large")
        traces, whole = outlines(traces), False
    details = dict(run.details)
    if parse_json(_as_json(details).decode(), run.name) != details:
        raise _NotKeptError(f"details of {run.name}")
    codec = _codec()
    rows: list[list[Any]] = []
    for key, trace in traces.items():
        raw = trace.model_dump_json(exclude_none=True).encode()
        if len(rows) < _PROVED and Trace.model_validate_json(raw) != trace:
            raise _NotKeptError(f"episode {key}")
        packed = codec.compress(raw, asbytes=True)
        rows.append([key, file.tell(), len(packed), len(raw), zlib.crc32(packed)])
        file.write(packed)
        if file.tell() > _MOST_BYTES:
            raise _NotKeptError("too large")
    return {
        "name": run.name,
        "navigator": run.navigator,
        "method": run.method,
        "source": str(run.source),
        "details": details,
        "problems": _problems_as_json(run.problems),
        "whole": whole,
        "traces": rows,
    }


def _codec() -> Any:  # noqa: ANN401 - pyarrow ships no types
    return pa.Codec("zstd", 1)


def _problems_as_json(problems: Problems) -> str:
    return packed_problems(problems).tobytes().decode()


def _problems_of(packed: str) -> Problems:
    return unpacked_problems(np.frombuffer(packed.encode(), np.uint8))


def _set_as_json(episode_set: EpisodeSet | None) -> dict[str, Any] | None:
    if episode_set is None:
        return None
    return {
        "name": episode_set.name,
        "format": episode_set.format,
        "keys": list(episode_set.episodes),
        "problems": _problems_as_json(episode_set.problems),
        "source": str(episode_set.source),
    }


def _notes_as_json(notes: Notes) -> dict[str, Any]:
    return {
        "entries": {str(path): count for path, count in notes.entries.items()},
        "files": [str(path) for path in notes.files],
        "folders": [str(path) for path in notes.folders],
        "changes": {str(path): changes for path, changes in notes.changes.items()},
    }


# --- reading


def load_logs(place: LogPlace, reread: Reread) -> ReadLogs | None:
    """Return what is kept of a log; ``None`` where nothing is, or the log has changed since."""
    code = code_stamp()
    if not place.is_kept or code is None or not is_regular(place.traces_file):
        return None
    try:
        contents = _contents(place.traces_file)
        if contents["stamp"] != _stamp(place, code) or not unchanged(contents["inputs"]):
            return None
        place.version = _token(code, contents["inputs"])
        place.inputs = contents["inputs"]
        runs = []
        for number, each in enumerate(contents["runs"]):
            reader = _KeptTraces(place.traces_file, number, each, reread)
            runs.append(
                Run(
                    each["name"],
                    each["navigator"],
                    each["method"],
                    reader.traces(),
                    _problems_of(each["problems"]),
                    Path(each["source"]),
                    each["details"],
                )
            )
        starts, free = contents["starts"], contents["free"]
        return ReadLogs(
            runs, _set_of(contents["episode_set"]), starts, free, _notes_of(contents["notes"])
        )
    except (
        InputError,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        zlib.error,
        struct.error,
    ) as error:
        _LOG.info("%s: not used, the log is read anew (%s)", place.traces_file, error)
        return None


def _proved(raw: bytes, checksum: int) -> bytes:
    """Return bytes as they are; raises `ValueError` where they are not those that were written."""
    if zlib.crc32(raw) != checksum:
        raise ValueError("its bytes are not those that were written")
    return raw


def _contents(path: Path) -> dict[str, Any]:
    size = size_of(path, 2 * _MOST_BYTES)
    start, length, checksum, _ = _END.unpack(bytes_at(path, size - _END.size, _END.size))
    raw = _proved(bytes_at(path, start, length), checksum)
    contents: dict[str, Any] = parse_json(zlib.decompress(raw).decode(), path.name)
    return contents


class _KeptTraces:
    """Reads the traces of one run from the bytes that are kept of them."""

    def __init__(self, path: Path, number: int, run: Mapping[str, Any], reread: Reread) -> None:
        self._path, self._number, self._reread = path, number, reread
        self._whole = bool(run["whole"])
        self._places = {str(key): tuple(place) for key, *place in run["traces"]}

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
        # another process may have replaced the file, or newer logs have taken its room
        except (InputError, OSError, ValueError) as error:
            _LOG.info("%s: episode %s is read from its log (%s)", self._path, key, error)
        # a whole trace serves where an outline is lost: it has all of it, and more
        return self._from_log(key)


class _LaterEpisodes(Mapping[str, Episode]):
    """The episodes of a file, which is read when the first one is asked for."""

    def __init__(self, path: Path, keys: Sequence[str]) -> None:
        self._path, self._keys = path, dict.fromkeys(keys)
        self._read: Mapping[str, Episode] | None = None

    def __getitem__(self, key: str) -> Episode:
        if self._read is None:
            self._read = open_episodes(self._path).episodes
        if key in self._keys and key not in self._read:
            raise InputError(
                "has changed since it was opened", "open it again", file=self._path.name
            )
        return self._read[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys


def _set_of(kept: Mapping[str, Any] | None) -> EpisodeSet | None:
    if kept is None:
        return None
    path = Path(kept["source"])
    episodes = _LaterEpisodes(path, kept["keys"])
    return EpisodeSet(kept["name"], kept["format"], episodes, _problems_of(kept["problems"]), path)


def _notes_of(kept: Mapping[str, Any]) -> Notes:
    notes = Notes()
    notes.entries = {Path(path): count for path, count in kept["entries"].items()}
    notes.files = dict.fromkeys(map(Path, kept["files"]))
    notes.folders = dict.fromkeys(map(Path, kept["folders"]))
    notes.changes = {Path(path): changes for path, changes in kept["changes"].items()}
    return notes
