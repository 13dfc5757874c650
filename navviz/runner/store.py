"""Where a run's traces go: a folder, or an address of fsspec (``s3://``, ``memory://``).

In a folder a trace grows in its place, line by line. Elsewhere it grows in a spool of this machine
and is put there whole: under its own name when it is finished, under ``NAME.part`` before, so that
whoever lists a million traces knows which are finished without opening one. Workers of a cluster
spool even where all share a disk: a worker that the scheduler has given up may still write, and two
must not write into one file.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from navviz.errors import SettingsError, StoreError
from navviz.records import EndStatus, TraceHeader
from navviz.runner.episode import (
    FINISHED,
    end_of,
    has_begun,
    header_of,
    is_finished,
    set_aside,
    trace_path,
)
from navviz.support.addresses import files_at
from navviz.support.guarded import replacing, write_whole

_PART = ".part"
_BEFORE = "before"
"""Marks the trace of an episode whose content was another one."""
_LOCAL = ("file", "local")
_BUCKETS = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "az"})
"""Protocols of object stores: they have no folders, and to make one there would be to make a bucket
of that name.
"""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A trace that is being written: its local file, and how its beginning is kept safe."""

    out: Path
    """Folder of runs in which it is written."""
    path: Path
    _store: TraceStore
    _run: str

    def save(self) -> None:
        """Put what is there so far where it belongs; nothing to do if written in its place."""
        if self._store.spooled and has_begun(self.path):
            self._store.put(self.path, self._run, finished=is_finished(self.path))


@dataclass(frozen=True, slots=True)
class TraceStore:
    """Traces of runs at one address; it can be sent to other processes."""

    address: str
    """A folder, or an address with a protocol."""
    always_spools: bool = False
    """Whether a folder is written to as any other address, for workers of a cluster."""

    @classmethod
    def at(cls, out: str | Path) -> TraceStore:
        """Return the store of a folder or an address; a folder's address is made whole."""
        text = str(out)
        protocol, _, rest = text.partition("://")
        if not rest:
            return cls(str(Path(text).expanduser().resolve()))
        if protocol in _LOCAL:
            return cls(str(Path("/" + rest.lstrip("/"))))
        return cls(text.rstrip("/"))

    def for_cluster(self) -> TraceStore:
        """Return the same place as workers of a cluster write to it."""
        return replace(self, always_spools=True)

    @property
    def folder(self) -> Path | None:
        """The folder, where it is one of this machine."""
        return None if "://" in self.address else Path(self.address)

    @property
    def spooled(self) -> bool:
        """Whether traces grow elsewhere and are put there."""
        return self.always_spools or self.folder is None

    @property
    def _in_bucket(self) -> bool:
        return self.address.partition("://")[0] in _BUCKETS

    def of_run(self, run: str) -> str:
        """Address of a run's traces."""
        return f"{self.address}/{run}"

    def check(self) -> None:
        """Raise `SettingsError` for an address that is of no use here, before any walk."""
        if self.folder is not None:
            return
        files, bucket = self._files(), self.address.partition("://")[2].partition("/")[0]
        if not self._in_bucket:
            return
        try:
            there = files.exists(bucket)
        except Exception as error:
            raise SettingsError(
                f"{self.address}: cannot be reached ({error}); check the address and its keys."
            ) from error
        if not there:
            raise SettingsError(
                f"{self.address}: there is no bucket {bucket}; make it, or check the address."
            )

    def finished(self, run: str, episodes: Iterable[str]) -> dict[str, EndStatus]:
        """Return which episodes have a finished trace, and how it ended (``unknown`` remotely)."""
        if self.folder is not None:
            finished = {}
            for key in episodes:
                end = end_of(trace_path(self.folder, run, key))
                if end is not None and end.status in FINISHED:
                    finished[key] = end.status
            return finished
        # at an address a begun trace has another name, so that the names are enough
        there = self._names(run)
        names = {key: trace_path(Path(), run, key).name for key in episodes}
        return {key: EndStatus.UNKNOWN for key, name in names.items() if name in there}

    def begun(self, run: str, episodes: Iterable[str]) -> Iterator[str]:
        """Yield the episodes of which there is a trace, finished or not."""
        if self.folder is not None:
            folder = self.folder
            yield from (key for key in episodes if has_begun(trace_path(folder, run, key)))
            return
        there = {name.removesuffix(_PART) for name in self._names(run)}
        yield from (key for key in episodes if trace_path(Path(), run, key).name in there)

    def header(self, run: str, episode: str) -> TraceHeader | None:
        """Return the header of an episode's trace; ``None`` where it cannot be read."""
        if self.folder is not None:
            return header_of(trace_path(self.folder, run, episode))
        with self.writing(run, episode) as sheet:
            return header_of(sheet.path)

    def set_aside(self, run: str, episode: str) -> None:
        """Move an episode's trace out of the way, to a name of its own beside it."""
        if self.folder is not None:
            set_aside(trace_path(self.folder, run, episode), _BEFORE)
            return
        files, there = self._files(), self._names(run)
        name = trace_path(Path(), run, episode).name
        for each in (name, name + _PART):
            if each in there:
                taken = (
                    f"{self.of_run(run)}/{each}.{_BEFORE}{number}" for number in itertools.count(1)
                )
                free = next(address for address in taken if not files.exists(address))
                files.mv(f"{self.of_run(run)}/{each}", free)

    def unfinished(self, run: str, episodes: Iterable[str]) -> Iterator[Path]:
        """Yield traces that were begun and cut off, each as a local file while it is looked at."""
        if self.folder is not None:
            paths = (trace_path(self.folder, run, key) for key in episodes)
            yield from (path for path in paths if has_begun(path) and not is_finished(path))
            return
        there = self._names(run)
        for key in episodes:
            name = trace_path(Path(), run, key).name
            if name + _PART in there and name not in there:
                with self.writing(run, key) as sheet:
                    yield sheet.path

    @contextmanager
    def writing(self, run: str, episode: str) -> Iterator[Sheet]:
        """Give the file to write a trace in, with what is there already, and see it get there."""
        if not self.spooled:
            out = Path(self.address)
            yield Sheet(out, trace_path(out, run, episode), self, run)
            return
        with tempfile.TemporaryDirectory(prefix="navviz-spool-") as spool:
            sheet = Sheet(Path(spool), trace_path(Path(spool), run, episode), self, run)
            sheet.path.parent.mkdir(parents=True)
            self._fetch(sheet.path, run)
            # who only looks at a trace writes nothing, and nothing is put back then
            begun = sheet.path.stat().st_mtime_ns if sheet.path.exists() else None
            yield sheet
            if sheet.path.exists() and sheet.path.stat().st_mtime_ns != begun:
                sheet.save()

    def put(self, path: Path, run: str, *, finished: bool) -> None:
        """Put a trace there whole, in one move; a finished one takes the place of its part."""
        try:
            if self.folder is not None:
                _put_in_folder(path, self.folder / run, finished=finished)
            else:
                files, target = self._files(), f"{self.of_run(run)}/{path.name}"
                if not self._in_bucket:
                    files.makedirs(self.of_run(run), exist_ok=True)
                files.pipe_file(
                    files._strip_protocol(target + ("" if finished else _PART)),  # noqa: SLF001
                    path.read_bytes(),
                )
                # after the whole trace is there: a fault between the two leaves one too many,
                # never none
                if finished and files.exists(target + _PART):
                    files.rm_file(files._strip_protocol(target + _PART))  # noqa: SLF001
        except OSError as error:
            raise StoreError(
                f"{self.of_run(run)}/{path.name}: cannot be written ({error.strerror or error});"
                " check the address."
            ) from error

    def bring(self, run: str, folder: Path) -> tuple[int, int]:
        """Copy the traces of a run at an address into a folder; return how many were copied, and
        how many were there.

        One that lies there in the same length is not copied again, and a finished one is not
        replaced by a cut one.
        """
        copied = there = 0
        for name, size in sorted(self._sizes(run).items()):
            target = folder / name.removesuffix(_PART)
            whole = not name.endswith(_PART)
            if target.exists() and (
                target.stat().st_size == size if whole else is_finished(target)
            ):
                there += 1
                continue
            # in one move: half a copy must not look like a trace
            write_whole(target, self._files().cat_file(f"{self.of_run(run)}/{name}"))
            copied += 1
        return copied, there

    def _fetch(self, path: Path, run: str) -> None:
        """Bring what was begun to this machine."""
        if self.folder is not None:
            if has_begun(self.folder / run / path.name):
                with replacing(path) as part:
                    shutil.copyfile(self.folder / run / path.name, part)
            return
        files, target = self._files(), f"{self.of_run(run)}/{path.name}"
        there = next((each for each in (target, target + _PART) if files.exists(each)), None)
        if there is not None:
            write_whole(path, files.cat_file(there))

    def _names(self, run: str) -> set[str]:
        return set(self._sizes(run))

    def _sizes(self, run: str) -> dict[str, int]:
        """Names and sizes in bytes of a run's traces at an address, finished and begun."""
        files = self._files()
        # fsspec remembers listings, and other machines write here too
        files.invalidate_cache()
        try:
            listed = files.ls(self.of_run(run), detail=True)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StoreError(
                f"{self.of_run(run)}: cannot be listed ({error}); check the address."
            ) from error
        sizes = {}
        for entry in listed:
            name = str(entry["name"]).rpartition("/")[2]
            if name.removesuffix(_PART).endswith(".trace.jsonl"):
                sizes[name] = int(entry["size"] or 0)
        return sizes

    def _files(self) -> Any:  # noqa: ANN401 - fsspec has no types
        return files_at(self.address, "dask")[0]


def _put_in_folder(path: Path, folder: Path, *, finished: bool) -> None:
    """Put a trace into a folder in one move; never a cut one in the place of a finished one."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / path.name
    if not finished and is_finished(target):
        return
    with replacing(target) as made:
        shutil.copyfile(path, made)
        with made.open("rb") as file:
            # before the move: a power cut could leave an empty file under the final name
            os.fsync(file.fileno())
