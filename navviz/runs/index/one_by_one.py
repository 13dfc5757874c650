"""What a run of traces hands out one at a time: traces from their files, and divergences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError
from navviz.metrics.divergence import Divergence
from navviz.records import Trace
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace_parts import part_named, read_part

ROOM_BYTES = 1 << 26
"""Bytes of the traces of a run that are kept once read (64 MiB); as records they take up to twice
as much.
"""


class _EachRead(Mapping[str, Trace]):
    """Traces by episode, each read on demand and kept by nobody."""

    def __init__(self, keys: Collection[str], read: Callable[[str], Trace]) -> None:
        self._keys, self._read = keys, read

    def __getitem__(self, key: str) -> Trace:
        if key not in self._keys:
            raise KeyError(key)
        return self._read(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys


class TracesOnDemand(LazyTraces):
    """Traces that are read on demand.

    Those of a run that fits into `ROOM_BYTES` stay in memory. Of a larger one, what walks through
    all outlines holds one trace at a time, and leaves those that a user looks at where they are.

    Parameters
    ----------
    read
        Reads a whole trace.
    sizes
        Number of bytes of each trace, by episode.
    outline
        Reads the outline of a trace; ``None`` where a trace is its own.
    """

    def __init__(
        self,
        read: Callable[[str], Trace],
        sizes: Mapping[str, int],
        outline: Callable[[str], Trace] | None = None,
    ) -> None:
        # a run that fits is walked through again and again by pages and metrics
        fits = outline is None and sum(sizes.values()) <= ROOM_BYTES
        each = None if fits else _EachRead(sizes, outline or read)
        super().__init__(each, sizes, read, ROOM_BYTES)
        self._outline = outline

    def only(self, keys: Iterable[str]) -> LazyTraces:
        """Return those of some episodes, in the order of this mapping."""
        chosen = set(keys)
        sizes = {key: size for key, size in self._sizes.items() if key in chosen}
        return TracesOnDemand(self._read, sizes, self._outline)


@dataclass(frozen=True)
class FolderReader:
    """Reads the trace of an episode from its file."""

    folder: Path
    files: Mapping[str, str]
    """Names by episode, as `navviz.records.trace_parts.part_named` takes them."""

    def __call__(self, key: str) -> Trace:
        """Read one; raises `InputError` where it cannot be read, or is another walk by now."""
        trace = read_part(self.folder, self.files[key])
        # the file was replaced since it was listed: its figures are those of the walk before
        if trace.episode.id != key:
            file = part_named(self.files[key])[0] or self.folder.name
            raise InputError(
                f"holds episode {trace.episode.id} where {key} was when it was opened",
                "open it again",
                file=file,
            )
        return trace


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
