"""What every reader is, and what reading gives.

A reader knows one foreign format. It is asked whether it handles a path by its content, and
translates it once into the nouns of NavViz; no raw dictionary goes further. What it cannot read it
reports in a `Problems`, and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from navviz.errors import InputError, NavVizError, Problems
from navviz.records import Episode, Trace
from navviz.records.base import plural
from navviz.records.lazy_traces import heads, outlines
from navviz.support.systems import OfferedPart, PartField
from navviz.world.graph import Graph

GraphOf = Callable[[str], Graph]
"""From a world's name (`Episode.world`) to its graph; a source with one graph ignores it."""


@dataclass(frozen=True, repr=False)
class EpisodeSet:
    """Episodes of one file."""

    name: str
    """For menus: data set and split."""
    format: str
    """Name of the reader that read it."""
    episodes: Mapping[str, Episode]
    """By id, in file order."""
    problems: Problems
    source: Path

    def __len__(self) -> int:
        return len(self.episodes)

    def __repr__(self) -> str:
        return f"EpisodeSet({self.name!r}, format={self.format!r}, {plural(len(self), 'episode')})"


@dataclass(frozen=True, repr=False)
class Run:
    """A named set of traces over episodes, with one configuration."""

    name: str
    """Unique within what was opened; stands in links."""
    navigator: str
    method: str | None
    """The variant where a source holds several (GROKE: ``json``, ``textual``, ``grid``)."""
    traces: Mapping[str, Trace]
    """By episode id, in file order; those of large logs are read on demand (`LazyTraces`)."""
    problems: Problems
    source: Path
    details: Mapping[str, Any] = field(default_factory=dict)
    """What the source adds: model, prices, files that were joined."""

    def __len__(self) -> int:
        return len(self.traces)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, navigator={self.navigator!r}, {plural(len(self), 'episode')})"

    @property
    def episodes(self) -> dict[str, Episode]:
        """The episodes of the traces, by id."""
        return {key: trace.episode for key, trace in heads(self.traces).items()}

    @property
    def outlines(self) -> Mapping[str, Trace]:
        """The traces as far as the whole run's figures need them; see `lazy_traces`."""
        return outlines(self.traces)


@dataclass(frozen=True)
class Discovery:
    """What a folder holds that NavViz can open, found without reading it all."""

    folder: Path
    graphs: tuple[Path, ...] = ()
    episodes: tuple[Path, ...] = ()
    results: tuple[Path, ...] = ()
    problems: Problems = field(default_factory=Problems, compare=False)
    """Files that look like data, and that no reader took; only where they were asked for."""

    def __bool__(self) -> bool:
        return bool(self.graphs or self.episodes or self.results)


class GraphReader(Protocol):
    """Reads one graph format."""

    name: ClassVar[str]

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether this path holds a graph of this format, by names and first bytes."""
        ...

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """Names of the graphs in `path`; one, unless the format keeps several (scans)."""
        ...

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read one graph; `world` chooses where there are several.

        Problems that leave a graph to show stand in ``graph.info.problems``.

        Raises
        ------
        InputError
            Where nothing can be shown: a file is missing, the world is unknown, no row is usable.
        """
        ...


class EpisodeReader(Protocol):
    """Reads one episode format."""

    name: ClassVar[str]

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether this path holds episodes of this format."""
        ...

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes; raises `InputError` where not one can be read."""
        ...


@runtime_checkable
class TellsStarts(Protocol):
    """A results reader that knows from the head of a file where it begins."""

    @classmethod
    def starts(cls, path: Path) -> dict[str, str]:
        """Return a start node of each world, which identifies its graph, by the first bytes."""
        ...


@runtime_checkable
class TellsMethods(Protocol):
    """A results reader that knows from the head of a file which methods it holds."""

    @classmethod
    def methods(cls, path: Path) -> list[str]:
        """Return their names, by the first bytes."""
        ...


class ResultsReader(Protocol):
    """Reads one format of runs."""

    name: ClassVar[str]

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether this path holds runs of this format."""
        ...

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the runs, one for each method; raises `InputError` where not one trace can be read.

        Parameters
        ----------
        path
            A file or a folder that `handles` accepted.
        graph_of
            Gives the graph of a world, to join waypoints to paths.
        episodes
            By id; needed where the results name episodes without holding them.
        """
        ...


Kind = Literal["graph", "episodes", "results"]

READER_FIELDS: Mapping[Kind, tuple[PartField, Any]] = {
    "graph": ("graph_readers", GraphReader),
    "episodes": ("episode_readers", EpisodeReader),
    "results": ("results_readers", ResultsReader),
}
"""Where systems name readers of each kind, and what one has to be."""


class GuardedReader:
    """A reader of another package: its errors become sentences, and the next reader is tried."""

    def __init__(self, part: OfferedPart, reader: Any) -> None:  # noqa: ANN401 - one of the protocols above
        self._part, self._reader = part, reader
        self.name: str = reader.name

    def handles(self, path: Path) -> bool:
        """Whether the reader takes the path; one that fails takes nothing."""
        with self._part.guarded(f"failed to look at {path.name}"):
            return bool(self._reader.handles(path))
        return False

    def worlds(self, path: Path) -> tuple[str, ...]:
        """Names of the graphs in a path."""
        worlds: tuple[str, ...] = tuple(self._call("worlds", path))
        return worlds

    def read(
        self, path: Path, *arguments: GraphOf | Mapping[str, Episode] | str | None
    ) -> Graph | EpisodeSet | list[Run]:
        """Read the path, as the protocol of the reader's kind says."""
        content: Graph | EpisodeSet | list[Run] = self._call("read", path, *arguments)
        return content

    def _call(self, method: str, path: Path, *arguments: object) -> Any:  # noqa: ANN401
        try:
            return getattr(self._reader, method)(path, *arguments)
        except NavVizError:
            raise
        except Exception as error:
            plugin = f"the plug-in {self._part.system.name} ({self.name})"
            what = f"{plugin} failed to read it ({type(error).__name__}: {error})"
            raise InputError(
                what, "tell its authors, or choose another file", file=path.name
            ) from error
