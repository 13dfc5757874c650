"""Logs that no reader knows, and that a mapping may open: found, previewed and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from navviz.errors import InputError, NotFoundError, Problems
from navviz.formats import format_of, open_worlds
from navviz.formats.mapping.engine import read_first, walked_of
from navviz.formats.mapping.guess_order import order_doubt
from navviz.formats.mapping.model import Mapping as LogMapping
from navviz.formats.mapping.structure import DEPTHS, files_of, format_by_content
from navviz.metrics.walked import walked_graph
from navviz.records import Trace
from navviz.records.base import plural
from navviz.runs.source import Source
from navviz.runs.sources import from_path, graphs_beside, path_name
from navviz.support.guarded import is_folder
from navviz.world.graph import Graph
from navviz.world.scene_graph import bare_world

_OFF_STREETS = 3
"""Coordinates of a place that is on no street map: metres from where the walk begins."""
GraphAt = Callable[[Path, str], Graph]
MOST_PREVIEWED = 200
"""Entries that the mapping view reads at each choice; a log of most makers has fewer."""


def is_unknown_log(path: Path) -> bool:
    """Tell whether no reader knows a file or folder that a mapping could read."""
    # a reader that knows the log reads more of it than a mapping can
    if format_of("results", path) or format_of("episodes", path) or format_of("graph", path):
        return False
    if not is_folder(path):
        return format_by_content(path) is not None
    for depth in DEPTHS:
        if any(format_by_content(file) is not None for file in files_of(path, depth)):
            return True
    return False


def sources_of(path: Path, graphs: Path | None) -> list[Source]:
    """Return what a path holds; a folder of a log that no reader knows is one source."""
    if is_folder(path) and is_unknown_log(path):
        with suppress(InputError):
            return from_path(path, graphs)
        given = (graphs,) if graphs is not None else graphs_beside(path)
        return [Source(path_name(path), "opened", given, None, path)]
    return from_path(path, graphs)


@dataclass(frozen=True, slots=True)
class GraphsByName:
    """The graphs of some folders, found by the name of their world."""

    folders: tuple[Path, ...]
    graph_at: GraphAt

    def __call__(self, world: str) -> Graph:
        """Return the graph of a world; raises `NotFoundError` where no folder has it."""
        folder = self.folder_of(world)
        if folder is None:
            raise NotFoundError(f"world {world} not found", "open the folder that holds it")
        return self.graph_at(folder, world)

    def folder_of(self, world: str) -> Path | None:
        """Return the folder that holds a world; ``None`` where none does."""
        for folder in self.folders:
            try:
                names = open_worlds(folder).names
            # one folder that cannot be read must not hide the worlds of the others
            except InputError:
                continue
            if world in names:
                return folder
        return None

    def near(self, worlds: Sequence[str]) -> list[Graph]:
        """Return the graphs of those worlds that are there; they help to guess fields."""
        return [self(world) for world in worlds if self.folder_of(world) is not None]


@dataclass(frozen=True, slots=True)
class LogPreview:
    """What a mapping reads of a log."""

    traces: Mapping[str, Trace]
    problems: Problems
    fault: str = ""
    """Why nothing could be read; empty where something was."""
    is_cut: bool = False
    """Whether only the first entries were read."""
    doubt: str = ""
    """What nothing in the log tells, and a person may."""

    @property
    def sentence(self) -> str:
        """Say how much it reads."""
        if self.fault:
            return self.fault
        walked = walked_of(self.traces)
        left = ""
        if self.problems.count:
            left = f"; {self.problems.count:,} entries or fields are left out"
        sentence = f"Reads {plural(len(self.traces), 'episode')}, {walked:,} with a walk{left}."
        # the view reads it again at each choice: a large log must not take a minute each time
        if self.is_cut:
            sentence += f" These are of the first {MOST_PREVIEWED:,}; all are read when it opens."
        return f"{sentence} {self.doubt}".rstrip()

    @property
    def first(self) -> Trace | None:
        """The first episode with a walk, else the first one."""
        # a preview without a walk would show nothing of what the mapping does
        walked = (trace for trace in self.traces.values() if trace.steps)
        return next(walked, next(iter(self.traces.values()), None))


def preview(mapping: LogMapping, path: Path, graph_of: Callable[[str], Graph]) -> LogPreview:
    """Read the first entries of a log by a mapping, as far as it goes."""
    problems = Problems()
    if not mapping.has_results:
        fault = f"{path.name}: no field of it is said to be a path or a figure; choose one."
        return LogPreview({}, problems, fault)
    try:
        traces, is_cut = read_first(mapping, path, graph_of, problems, MOST_PREVIEWED)
    except InputError as error:
        return LogPreview({}, problems, str(error))
    read = LogPreview(traces, problems, is_cut=is_cut)
    return replace(read, doubt=doubt_of(mapping, path, read.first))


def doubt_of(mapping: LogMapping, path: Path, first: Trace | None) -> str:
    """Say what nothing in a log tells, by its first walk; see `order_doubt`."""
    here = first.steps[0].position if first is not None and first.steps else None
    # two coordinates stand on an open street map, which has told their order
    if here is None or len(here) < _OFF_STREETS:
        return ""
    return order_doubt(mapping, path)


def ground_of(trace: Trace, graph_of: Callable[[str], Graph]) -> Graph:
    """Return what a walk is drawn on: its graph, else a ground of its own."""
    try:
        graph = graph_of(trace.episode.world)
    except InputError:
        graph = bare_world(trace.episode.world)
    return walked_graph(trace, graph)
