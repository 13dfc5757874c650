"""What is open: a run with its graph, scores, divergences and problems.

Pages, notebooks (``navviz.open_run``) and the command line share this; `navviz.runs.sources` says where runs lie.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.errors import InputError, NotFoundError, Problems, merged_problems
from navviz.formats import GraphOf, Run, is_results, open_episodes, open_graph, open_results, open_worlds, starts_of
from navviz.formats.r2r import missing_scans
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace_files import TRACE_SUFFIXES
from navviz.runs.folder_states import holds_name
from navviz.runs.index.files import is_large
from navviz.runs.index.indexed import open_indexed
from navviz.runs.naming import path_name
from navviz.runs.reading import read_files
from navviz.runs.run import OpenRun
from navviz.runs.sources import (
    OPEN_VARIABLE,
    Source,
    catalogue,
    expanded,
    from_folder,
    from_path,
    graphs_beside,
    graphs_of_run,
    opened_from_environment,
    samples,
    samples_dir,
    workspace_dir,
    workspace_runs,
)
from navviz.support.guarded import is_folder, noted
from navviz.systems.lhvln.logs.folders import SceneFinder, opened_episode
from navviz.systems.lhvln.logs.scenes import PREFIX as SCENE_PREFIX
from navviz.systems.lhvln.logs.scenes import bare_scene
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "OPEN_VARIABLE",
    "OpenRun",
    "Source",
    "catalogue",
    "expanded",
    "from_folder",
    "from_path",
    "graph_finder",
    "graph_walked_on",
    "graphs_beside",
    "graphs_of_starts",
    "load",
    "load_all",
    "open_run",
    "opened_from_environment",
    "samples",
    "samples_dir",
    "workspace_dir",
    "workspace_runs",
]

GraphAt = Callable[[Path, str], Graph]
"""Opens one world of a graph folder."""


def load(source: Source, graph_at: GraphAt = open_graph, graph: Graph | None = None) -> OpenRun:
    """Read a source.

    Parameters
    ----------
    source
        Where things lie.
    graph_at
        Opens one world of a graph folder; pass a cached one to share graphs between runs.
    graph
        The one world of all episodes, where it is open already; the source's graph folders are then not asked.

    Raises
    ------
    InputError
        When nothing of it could be read; what could not be read of the rest stands in `OpenRun.problems`.
    """
    return _chosen(load_all(source, graph_at, graph), source)


def load_all(source: Source, graph_at: GraphAt = open_graph, graph: Graph | None = None) -> list[OpenRun]:
    """Read all runs of a source, one for each method of its results; see `load`."""
    if source.episodes is None and source.results is not None and is_large(source.results):
        finder = _GraphFinder(source, graph_at, {}, graph)
        return list(open_indexed(source, finder, finder.learn_starts))
    with noted() as notes:
        opened = _load_all(source, graph_at, graph)
    files = read_files(notes, source.graphs)
    return [replace(each, read_files=files) for each in opened]


def _load_all(source: Source, graph_at: GraphAt, graph: Graph | None) -> list[OpenRun]:
    known = open_episodes(source.episodes) if source.episodes is not None else None
    episodes = known.episodes if known is not None else {}
    if known is None and source.results is None:
        episodes = _bare_worlds(source, graph_at)
    problems, beside = Problems(), Problems(list(source.beside), len(source.beside))
    graph_of = _GraphFinder(source, graph_at, episodes, graph, problems)
    if source.results is None:
        there = _in_known_houses(episodes, graph_of, source, problems)
        runs = [_without_results(source, there, graph_of, problems)]
    else:
        runs = open_results(source.results, graph_of, episodes or None)
    opened = []
    for run in runs:
        graph_of.learn(run.episodes)
        every = (known.problems if known is not None else Problems(), problems, run.problems, beside)
        opened.append(OpenRun(source, run, graph_of, merged_problems(every), known))
    return opened


def _bare_worlds(source: Source, graph_at: GraphAt) -> dict[str, Episode]:
    """One empty episode for each map or house without any, so that it can be seen and walked on (Live, Draw my own)."""
    episodes: dict[str, Episode] = {}
    for path in source.graphs:
        for world in open_worlds(path).names:
            graph = graph_at(path, world)
            if not graph.ids:
                raise InputError("holds no place to stand on", "get the map again", file=path.name)
            middle = [float(value) for value in graph.positions.mean(axis=0)]
            radius_m = 25.0 if graph.frame == "geo" else 3.0
            episodes[world] = Episode(
                id=world,
                dataset="map",
                instruction="",
                world=world,
                start=graph.nearest(middle)[0],
                success_radius_m=radius_m,
            )
    return episodes


def _chosen(opened: Sequence[OpenRun], source: Source) -> OpenRun:
    if source.method is None and opened:
        return opened[0]
    for each in opened:
        if source.method in {each.run.method, None if each.run.method else each.run.name}:
            return each
    names = ", ".join(each.label for each in opened) or "none"
    raise InputError(f"has no method {source.method}", f"choose one of: {names}", file=str(source.results))


def _in_known_houses(
    episodes: Mapping[str, Episode], graph_of: GraphOf, source: Source, problems: Problems
) -> Mapping[str, Episode]:
    """Episodes whose house is there, where they walk several (R2R); the missing houses are reported once each.

    Raises `InputError` where none of them is there.
    """
    worlds = {episode.world for episode in episodes.values()}
    if len(worlds) < 2:
        return episodes
    there = {world for world in worlds if _is_there(world, graph_of)}
    file = source.episodes.name if source.episodes is not None else source.name
    for problem in missing_scans(episodes.values(), there, file):
        problems.add(problem)
    for episode in episodes.values():
        if episode.world not in there:
            problems.skipped[file, episode.id] += 1
    if not there:
        raise InputError(f"none of its {len(worlds)} houses is there", "open the folder that holds them", file=file)
    return {key: episode for key, episode in episodes.items() if episode.world in there}


def _is_there(world: str, graph_of: GraphOf) -> bool:
    try:
        graph = graph_of(world)
    except NotFoundError:
        return False
    return graph.frame == "geo" or graph.name == world


def _without_results(source: Source, episodes: Mapping[str, Episode], graph_of: GraphOf, problems: Problems) -> Run:
    scenes = SceneFinder(graph_of, problems)
    traces = {}
    for key, episode in episodes.items():
        placed, poses = opened_episode(episode, scenes, problems)
        header = TraceHeader(run=source.name, episode=placed, navigator="none", poses=poses)
        traces[key] = Trace(header=header)
    return Run(source.name, "none", None, traces, Problems(), source.episodes or Path())


def _worlds(graphs: Sequence[Path], problems: Problems) -> dict[Path, tuple[str, ...]]:
    """Return the worlds of each place; a damaged one is reported, raises `InputError` where there is no other."""
    worlds: dict[Path, tuple[str, ...]] = {}
    for path in graphs:
        try:
            worlds[path] = open_worlds(path).names
        except InputError as error:
            if len(graphs) == 1:
                raise
            problems.add(error.problem)
    return worlds


class _GraphFinder:
    """Finds the graph of a world among a source's graph folders.

    Where several folders hold one graph each, a start node tells which of them an episode is walked on. It is asked
    for only then: most often the results are read before any graph is, and need no second look.
    """

    def __init__(
        self,
        source: Source,
        graph_at: GraphAt,
        episodes: Mapping[str, Episode],
        graph: Graph | None = None,
        problems: Problems | None = None,
    ) -> None:
        self._source, self._graph_at, self._graph = source, graph_at, graph
        self._starts: Mapping[str, str] = {}
        self.learn(episodes)
        self._worlds = _worlds(source.graphs, problems if problems is not None else Problems())
        self._by_world: dict[str, Graph] = {}
        self._by_place: dict[tuple[Path, str], Graph] = {}

    def __call__(self, world: str) -> Graph:
        if self._graph is not None:
            return self._graph
        if world not in self._by_world:
            scene = world.startswith(SCENE_PREFIX)
            self._by_world[world] = self._scene(world) if scene else self._read(self._find(world))
        return self._by_world[world]

    def _scene(self, world: str) -> Graph:
        """Return a scene of Habitat-Matterport3D; an empty one where its list is not there, for the walk itself."""
        place = next(((path, world) for path, names in self._worlds.items() if world in names), None)
        return bare_scene(world) if place is None else self._read(place)

    def learn(self, episodes: Mapping[str, Episode]) -> None:
        """Take the start node of each world from episodes."""
        self.learn_starts({episode.world: episode.start for episode in episodes.values()})

    def learn_starts(self, starts: Mapping[str, str]) -> None:
        """Take the start node of each world."""
        self._starts = self._starts or starts

    def _start(self, world: str) -> str | None:
        if not self._starts and self._source.results is not None:
            self._starts = starts_of(self._source.results)
        return self._starts.get(world) or next(iter(self._starts.values()), None)

    def _read(self, place: tuple[Path, str]) -> Graph:
        if place not in self._by_place:
            self._by_place[place] = self._graph_at(*place)
        return self._by_place[place]

    def _find(self, world: str) -> tuple[Path, str]:
        if not self._worlds:
            raise InputError("no graph was given", "name the graph's folder (--graphs DIR)", file=self._source.name)
        named = [(path, world) for path, names in self._worlds.items() if world in names]
        several = [place for place in named if len(self._worlds[place[0]]) > 1]
        if several or len(named) == 1:
            return (several or named)[0]
        single = [(path, names[0]) for path, names in self._worlds.items() if len(names) == 1]
        start = self._start(world) if len(single) > 1 else None
        if start is not None:
            single = [place for place in single if start in self._read(place)] or single
        if not single:
            raise NotFoundError(f"world {world} not found", "add the folder that holds it", file=self._source.name)
        return single[0]


def graph_finder(graphs: Sequence[Path], episodes: Mapping[str, Episode]) -> GraphOf:
    """Return what finds the graph of a world in graph folders; of several, an episode's start tells which it is."""
    if len(graphs) == 1:
        return open_worlds(graphs[0])
    return _GraphFinder(Source("the graphs", "opened", tuple(graphs)), open_graph, episodes)


def graphs_of_starts(graphs: Sequence[Path], starts: Mapping[str, str]) -> GraphOf:
    """Return what finds the graph of a world in graph folders, where a start node of each world is known."""
    finder = _GraphFinder(Source("the graphs", "opened", tuple(graphs)), open_graph, {})
    finder.learn_starts(starts)
    return finder


def open_run(
    results: str | Path,
    *,
    graphs: str | Path | Graph | nx.Graph | None = None,
    episodes: str | Path | None = None,
    method: str | None = None,
) -> OpenRun:
    """Open a run: what any reader of NavViz reads, whoever made it.

    Parameters
    ----------
    results
        A result file, a folder of traces, or a folder that holds graph, episodes and results together; of several
        result files in such a folder the first one that has `method`.
    graphs
        Where the graph lies, if not beside the results; or the graph itself, from ``navviz.open_graph``, networkx or
        osmnx.
    episodes
        The episode file, if not beside the results.
    method
        One of several methods in the results.

    Returns
    -------
    OpenRun
        With ``.traces``, ``.episodes``, ``.scores``, ``.divergences`` and ``.table()``, a DataFrame.

    Raises
    ------
    InputError
        Where nothing of it can be read; what could not be read of the rest stands in ``.problems``.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> run
    OpenRun('rules', navigator='rules', 14 episodes)
    >>> round(run.scores.means["SR"], 3)
    0.714
    >>> len(run.table())
    14
    """
    path = Path(results)
    graph = None if graphs is None or isinstance(graphs, str | Path) else open_graph(graphs)
    if is_folder(path) and not holds_name(path, TRACE_SUFFIXES) and (graphs is None or not is_results(path)):
        source = _with_method(from_folder(path), method, path)
        if graphs is not None:
            source = replace(source, graphs=(Path(graphs),) if isinstance(graphs, str | Path) else ())
        elif not source.graphs and not (noted := graphs_of_run(path))[1]:
            source = replace(source, graphs=noted[0])
    elif graph is not None:
        source = Source(path.stem, "opened", (), None, path, method)
    else:
        graph_paths, told = ((Path(graphs),), ()) if isinstance(graphs, str | Path) else graphs_of_run(path)
        source = Source(path_name(path), "opened", graph_paths, None, path, method, beside=told)
    return _noted(load(source if episodes is None else replace(source, episodes=Path(episodes)), graph=graph))


def _with_method(sources: Sequence[Source], method: str | None, folder: Path) -> Source:
    """Return the source of a method; the first one, which is then told to open it, where no file lists its methods."""
    if method is None:
        return sources[0]
    if sources[0].results is None:
        raise InputError(f"holds no results, so no method {method}", "name the result file", file=folder)
    named = next((source for source in sources if source.method == method), sources[0])
    return replace(named, method=method)


_walked_on: weakref.WeakValueDictionary[int, Trace] = weakref.WeakValueDictionary()
_graphs_of: dict[int, GraphOf] = {}


def _noted(run: OpenRun) -> OpenRun:
    """Remember the graph of each trace for as long as the trace lives, so that a trace alone can be replayed."""
    graph_of = run.graph_of

    def note(trace: Trace) -> None:
        key = id(trace)
        _walked_on[key], _graphs_of[key] = trace, graph_of
        weakref.finalize(trace, _graphs_of.pop, key, None)

    if isinstance(run.traces, LazyTraces):
        run.traces.tell(note)
    else:
        for trace in run.traces.values():
            note(trace)
    return run


def graph_walked_on(trace: Trace) -> Graph | None:
    """Graph of a trace that `open_run` read; ``None`` for any other trace."""
    if _walked_on.get(id(trace)) is not trace:
        return None
    return _graphs_of[id(trace)](trace.episode.world)
