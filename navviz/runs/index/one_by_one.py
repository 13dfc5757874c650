"""What an indexed run hands out one at a time: traces from their files, metrics and facts from columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from navviz.metrics.divergence import Divergence
from navviz.metrics.path import METRICS
from navviz.records import Trace
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace_parts import read_part
from navviz.runs.facts import WalkFacts
from navviz.runs.index.columns import FACT, FACTS, Table
from navviz.runs.run import OpenRun

__all__ = ["BY_ENDS", "ColumnScores", "FileOutlines", "FolderTraces", "OneByOne", "facts_in", "shared_texts"]


class FileOutlines(Mapping[str, Trace]):
    """Traces by episode, each read from its file when it is asked for and kept by nobody."""

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
    """Traces of a folder; what walks through all of them holds one at a time."""

    def __init__(self, outlines: FileOutlines, sizes: Mapping[str, int]) -> None:
        super().__init__(outlines, sizes, outlines.__getitem__)
        self._files, self._all_sizes = outlines, sizes

    def only(self, keys: Iterable[str]) -> LazyTraces:
        """Return those of some episodes, in the order of this mapping."""
        chosen = set(keys)
        files = {key: file for key, file in self._files.files.items() if key in chosen}
        return FolderTraces(FileOutlines(self._files.folder, files), self._all_sizes)


class ColumnScores(Mapping[str, dict[str, float | None]]):
    """Metrics by episode, out of columns."""

    def __init__(
        self, places: Mapping[str, int], names: Sequence[str | None], columns: Mapping[str, list[Any]]
    ) -> None:
        self._places, self._names, self._columns = places, names, columns

    def __getitem__(self, key: str) -> dict[str, float | None]:
        row = self._places[key]
        told = self._names[row]
        if told is None:  # only its ends were read
            return {name: self._columns[name][row] if name in self._columns else None for name in BY_ENDS}
        return {name: self._columns[name][row] for name in told.split(",")}

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


BY_ENDS = tuple(metric.name for metric in METRICS)


class OneByOne(Mapping[str, Divergence]):
    """Divergences by episode, each found when it is asked for."""

    def __init__(self, run: OpenRun) -> None:
        self._run = run

    def __getitem__(self, key: str) -> Divergence:
        if key not in self._run.traces:
            raise KeyError(key)
        return self._run.divergence(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.traces)

    def __len__(self) -> int:
        return len(self._run.traces)


def facts_in(rows: Table) -> dict[str, WalkFacts]:
    """Return the facts of the walks of an index, by episode."""
    named = {name: rows[name].to_pylist() for name in ("instruction", "dataset", "world")}
    told = {name: rows[FACT + name].to_pylist() for name in FACTS}
    for name in ("difficulty", "skills"):
        told[name] = [None if values is None else tuple(values) for values in told[name]]
    columns = named | {name: _texts(values) for name, values in told.items()}
    each = zip(*columns.values(), strict=True)
    return {
        key: WalkFacts(**dict(zip(columns, values, strict=True)))
        for key, values in zip(rows["episode"].to_pylist(), each, strict=True)
    }


def _texts(values: list[Any]) -> list[Any]:
    """Return a column in which equal values are one object."""
    known: dict[Any, Any] = {}
    return [known.setdefault(value, value) for value in values]


def shared_texts(column: Any) -> list[tuple[str, ...]]:  # noqa: ANN401 - pyarrow ships no types
    """Return a column of lists of texts, of which each text is there once: a city has fewer nodes than walks name."""
    flat = column.combine_chunks()
    if hasattr(flat, "chunks"):
        flat = flat.chunk(0) if flat.num_chunks else flat
    coded = flat.flatten().dictionary_encode()
    names, numbers = coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)
    ends = flat.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).cumsum()
    words = [names[number] for number in numbers.tolist()]
    return [tuple(words[start:end]) for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]
