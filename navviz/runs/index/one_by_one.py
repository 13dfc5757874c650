"""What a run of traces hands out one at a time: traces from their files, and divergences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from navviz.metrics.divergence import Divergence
from navviz.records import Trace
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace_parts import read_part

ROOM_BYTES = 1 << 26
"""Bytes of the traces of a run that are kept once read (64 MiB); as records they take up to twice
as much.
"""


class _FileTraces(Mapping[str, Trace]):
    """Traces by episode, each read from its file on demand and kept by nobody."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.folder, self.files = folder, files

    def __getitem__(self, key: str) -> Trace:
        return read_part(self.folder, self.files[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __contains__(self, key: object) -> bool:
        return key in self.files


class FolderTraces(LazyTraces):
    """Traces of a folder, read on demand.

    Those of a run that fits into `ROOM_BYTES` stay in memory. Of a larger one, what walks through
    all outlines holds one trace at a time, and leaves those that a user looks at where they are.

    Parameters
    ----------
    folder
        Where the files lie.
    files, sizes
        Name of the file, and number of its bytes, of each episode.
    """

    def __init__(self, folder: Path, files: Mapping[str, str], sizes: Mapping[str, int]) -> None:
        traces = _FileTraces(folder, files)
        # a run that fits is walked through again and again by pages and metrics
        fits = sum(sizes.values()) <= ROOM_BYTES
        super().__init__(None if fits else traces, sizes, traces.__getitem__, ROOM_BYTES)
        self._traces = traces

    def only(self, keys: Iterable[str]) -> LazyTraces:
        """Return those of some episodes, in the order of this mapping."""
        chosen = set(keys)
        files = {key: file for key, file in self._traces.files.items() if key in chosen}
        sizes = {key: self._sizes[key] for key in files}
        return FolderTraces(self._traces.folder, files, sizes)


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
