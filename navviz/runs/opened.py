"""What is open: a run with its graph, scores, divergences and problems.

Pages, notebooks (``navviz.open_run``) and the command line share this; `navviz.runs.sources` says
where runs lie.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.errors import InputError, NotFoundError, Problem, Problems, merged_problems
from navviz.formats import (
    GraphOf,
    Run,
    is_results,
    open_episodes,
    open_graph,
    open_worlds,
)
from navviz.formats.mapping.reader import is_in_degrees
from navviz.formats.r2r import missing_scans
from navviz.observations.pictures.files import check_has_pictures
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace_files import TRACE_SUFFIXES
from navviz.runs.folder_states import holds_name
from navviz.runs.graphs import GraphAt, GraphFinder, PlacedEpisode, WorldKind, world_kind
from navviz.runs.index.indexed import open_indexed
from navviz.runs.index.kept import KeptRun
from navviz.runs.logs import all_bare, open_logs
from navviz.runs.reading import read_files, read_traces_of
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.runs.sources import (
    OPEN_VARIABLE,
    catalogue,
    expanded,
    from_folder,
    from_path,
    graphs_beside,
    graphs_of_run,
    holds_traces,
    opened_from_environment,
    path_name,
    samples,
    samples_dir,
    workspace_dir,
    workspace_runs,
)
from navviz.support.guarded import is_folder, taking_notes
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
    "graph_walked_on",
    "graphs_beside",
    "load",
    "load_all",
    "open_run",
    "opened_from_environment",
    "samples",
    "samples_dir",
    "workspace_dir",
    "workspace_runs",
]


def load(source: Source, graph_at: GraphAt = open_graph, graph: Graph | None = None) -> OpenRun:
    """Read a source.

    Raises `InputError` when nothing of it could be read; what could not be read of the rest stands
    in `OpenRun.problems`.
    """
    opened = load_all(source, graph_at, graph)
    if source.method is None and opened:
        return opened[0]
    for each in opened:
        # a run of a folder of traces may have no method; it is chosen by its name then
        if source.method in {each.run.method, None if each.run.method else each.run.name}:
            return each
    names = ", ".join(each.label for each in opened) or "none"
    raise InputError(
        f"has no method {source.method}", f"choose one of: {names}", file=str(source.results)
    )


def load_all(
    source: Source, graph_at: GraphAt = open_graph, graph: Graph | None = None
) -> list[OpenRun]:
    """Read all runs of a source, one for each method of its results; see `load`."""
    if source.results is None:
        with taking_notes() as notes:
            episode_set = open_episodes(source.episodes) if source.episodes is not None else None
            episodes = (
                episode_set.episodes if episode_set is not None else _bare_worlds(source, graph_at)
            )
            problems = Problems()
            graph_of = GraphFinder(source, graph_at, episodes, graph, problems)
            there = _in_known_houses(episodes, graph_of, source, problems)
            run = _without_results(source, there, graph_of, problems)
            graph_of.learn(run.episodes)
            every = [episode_set.problems] if episode_set is not None else []
            every += [problems, run.problems]
            if not all_bare({episode.world for episode in run.episodes.values()}, graph_of):
                every.append(Problems(list(source.folder_problems), len(source.folder_problems)))
            bare = OpenRun(source, run, graph_of, merged_problems(every), episode_set)
        return [replace(bare, read_files=read_files(notes, source.graphs))]
    if not holds_traces(source.results):
        return list(open_logs(source, graph_at, graph))
    with taking_notes() as notes:
        runs = _load_traces(source, source.results, graph_at, graph)
    if any(run.kept_at is not None for run in runs):
        return list(runs)  # to name 50,000 files takes half a second
    files = read_traces_of(notes, source.results)
    return [replace(run, read_files=files) for run in runs]


def _load_traces(
    source: Source, results: Path, graph_at: GraphAt, graph: Graph | None
) -> list[OpenRun]:
    """Open NavViz's own traces; an episode file beside them is compared with what they hold."""
    episode_set = open_episodes(source.episodes) if source.episodes is not None else None
    problems = Problems()
    finder = GraphFinder(source, graph_at, {}, graph, problems)
    place = KeptRun(results, source.graphs, is_kept=graph is None)

    def learn(starts: Mapping[str, str]) -> None:
        finder.learn_starts(starts)
        # before any figure: runs that go on being measured join the same problems again
        if not all_bare(starts, finder):
            problems.extend(Problems(list(source.folder_problems), len(source.folder_problems)))

    runs = open_indexed(source, place, finder, learn, problems)
    if episode_set is not None:
        problems.extend(episode_set.problems)
        for key in dict.fromkeys(itertools.chain.from_iterable(run.traces for run in runs)):
            if key not in episode_set.episodes:
                what, do = "is not in the episodes file", "it is shown as recorded"
                problems.add(Problem(what, do, results.name, key))
    opened = []
    for run in runs:
        merged = merged_problems((run.view.problems, problems))
        opened.append(replace(run, episode_set=episode_set, problems=merged))
    return opened


def _bare_worlds(source: Source, graph_at: GraphAt) -> dict[str, Episode]:
    """One empty episode for each map or house without any, so that it can be seen and walked on
    (Live, New episode).
    """
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


def _in_known_houses(
    episodes: Mapping[str, Episode], graph_of: GraphOf, source: Source, problems: Problems
) -> Mapping[str, Episode]:
    """Episodes whose house is there, where they walk several (R2R); the missing houses are reported
    once each.

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
        raise InputError(
            f"none of its {len(worlds)} houses is there",
            "open the folder that holds them",
            file=file,
        )
    return {key: episode for key, episode in episodes.items() if episode.world in there}


def _is_there(world: str, graph_of: GraphOf) -> bool:
    try:
        graph = graph_of(world)
    except NotFoundError:
        return False
    return graph.frame == "geo" or graph.name == world


def _without_results(
    source: Source, episodes: Mapping[str, Episode], graph_of: GraphOf, problems: Problems
) -> Run:
    traces = {}
    placing: dict[WorldKind, Callable[[Episode], PlacedEpisode]] = {}
    for key, episode in episodes.items():
        kind = world_kind(episode.world)
        pair: PlacedEpisode = (episode, {})
        if kind is not None:
            # one for all episodes: it says once which worlds are missing
            placing.setdefault(kind, kind.placing(graph_of, problems))
            pair = placing[kind](episode)
        placed, poses = pair
        header = TraceHeader(run=source.name, episode=placed, navigator="none", poses=poses)
        traces[key] = Trace(header=header)
    return Run(source.name, "none", None, traces, Problems(), source.episodes or Path())


def open_run(
    results: str | Path,
    *,
    graphs: str | Path | Graph | nx.Graph | None = None,
    episodes: str | Path | None = None,
    method: str | None = None,
    pictures: str | Path | None = None,
) -> OpenRun:
    """Open a run; ``navviz.open_run`` is this, with causes, and says what the parameters are."""
    path = Path(results)
    graph = None if graphs is None or isinstance(graphs, str | Path) else open_graph(graphs)
    if (
        is_folder(path)
        and not holds_name(path, TRACE_SUFFIXES)
        and (graphs is None or not is_results(path))
    ):
        source = _with_method(from_folder(path), method, path)
        if graphs is not None:
            source = replace(
                source, graphs=(Path(graphs),) if isinstance(graphs, str | Path) else ()
            )
        elif not source.graphs:
            of_run, missing = graphs_of_run(path)
            if not missing:
                source = replace(source, graphs=of_run)
    elif graph is not None:
        source = Source(path.stem, "opened", (), None, path, method)
    else:
        graph_paths, problems = _graphs_for(path, graphs)
        source = Source(
            path_name(path), "opened", graph_paths, None, path, method, folder_problems=problems
        )
    if pictures is not None:
        # a folder without any would be opened in silence, and each step would look as before
        check_has_pictures(Path(pictures))
        source = replace(source, pictures=(Path(pictures),))
    run = load(
        source if episodes is None else replace(source, episodes=Path(episodes)), graph=graph
    )
    find = run.graph_of

    def graph_of(world: str) -> Graph:
        return find(world)

    def remember(trace: Trace) -> None:
        # a function: `copy.deepcopy` would copy an object with all graphs that it has read
        trace.remember_graphs(graph_of)

    if isinstance(run.traces, LazyTraces):
        run.traces.tell(remember)
    else:
        for trace in run.traces.values():
            remember(trace)
    return run


def _graphs_for(
    path: Path, graphs: str | Path | Graph | nx.Graph | None
) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """Return the graph folders of a file or a folder of results, and what is to be said of them."""
    if isinstance(graphs, str | Path):
        return (Path(graphs),), ()
    # the bundled towns are made up: nobody's latitudes and longitudes lie there
    if not holds_traces(path) and is_in_degrees(path):
        return (), ()
    return graphs_of_run(path)


def _with_method(sources: Sequence[Source], method: str | None, folder: Path) -> Source:
    """Return a method's source; the first one, told to open it, where no file lists methods."""
    if method is None:
        return sources[0]
    if sources[0].results is None:
        raise InputError(
            f"holds no results, so no method {method}", "name the result file", file=folder
        )
    named = next((source for source in sources if source.method == method), sources[0])
    return replace(named, method=method)


def graph_walked_on(trace: Trace) -> Graph | None:
    """Graph of a trace that `open_run` read; ``None`` for any other trace."""
    if trace.graphs is None:
        return None
    graph: Graph = trace.graphs(trace.episode.world)
    return graph
