"""The graphs of a run's source: which folder holds the world that an episode is walked on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from navviz.errors import InputError, NotFoundError, Problems
from navviz.formats import GraphOf, open_graph, open_worlds, starts_of
from navviz.formats.floor_pictures import find_floor_pictures, picture_of_pixels
from navviz.formats.mapping.model import saved_mapping
from navviz.records import Episode
from navviz.records.episode import OFF_MAP, START_POSE
from navviz.records.frames import Position
from navviz.runs.source import Source
from navviz.support.guarded import is_folder
from navviz.support.systems import offered, working
from navviz.world.graph import Graph
from navviz.world.scene_graph import bare_world

GraphAt = Callable[[Path, str], Graph]
"""Opens one world of a graph folder."""


PlacedEpisode = tuple[Episode, dict[str, Position]]
"""An episode, and the places of its world that it names."""


class WorldKind(Protocol):
    """Worlds that a system knows by the beginning of their names."""

    def bare(self, world: str) -> Graph:
        """Return a world of which nothing is known: for walks whose map is not there."""
        ...

    def placing(self, graph_of: GraphOf, problems: Problems) -> Callable[[Episode], PlacedEpisode]:
        """Return what gives an episode that nobody has walked the places that its world tells."""
        ...


def world_kind(world: str) -> WorldKind | None:
    """Return what a system knows of such worlds; ``None`` where none names them."""
    parts = offered("worlds", WorldKind).values()
    named = [part for part in parts if world.startswith(part.name)]
    return next((kind for _, kind in working(named)), None)


def _worlds(graphs: Sequence[Path], problems: Problems) -> dict[Path, tuple[str, ...]]:
    """Return the worlds of each place; a damaged one is reported, raises `InputError` where there
    is no other.
    """
    worlds: dict[Path, tuple[str, ...]] = {}
    for path in graphs:
        try:
            worlds[path] = open_worlds(path).names
        except InputError as error:
            # nothing else can stand in for the only one
            if len(graphs) == 1:
                raise
            problems.add(error.problem)
    return worlds


class GraphFinder:
    """Finds the graph of a world among a source's graph folders.

    Where several folders hold one graph each, a start node tells which of them an episode is walked
    on. It is asked for only then: most often the results are read before any graph is, and need no
    second look.
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
        self._free = set[str]()
        self.learn(episodes)
        self._worlds = _worlds(source.graphs, problems if problems is not None else Problems())
        self._by_world: dict[str, Graph] = {}
        self._by_place: dict[tuple[Path, str], Graph] = {}

    def __call__(self, world: str) -> Graph:
        """Return the graph of a world; raises `InputError` where there is none."""
        if self._graph is not None and world != OFF_MAP:
            return self._graph
        if world not in self._by_world:
            graph = self._opened(world)
            self._by_world[world] = _with_floor_pictures(graph, world, self._source.results)
        return self._by_world[world]

    def is_bare(self, world: str) -> bool:
        """Tell whether no map of a world is there, and its walks need none."""
        if world == OFF_MAP:
            return True
        there = any(world in names for names in self._worlds.values())
        return self._graph is None and world in self._free and not there

    def _opened(self, world: str) -> Graph:
        kind = world_kind(world)
        if kind is not None:
            for path, names in self._worlds.items():
                if world in names:
                    return self._read((path, world))
            # for the walk itself
            return kind.bare(world)
        if self.is_bare(world):
            return bare_world(world)  # another world's map would be a wrong one
        return self._read(self._find(world))

    def learn(self, episodes: Mapping[str, Episode]) -> None:
        """Take the start node of each world from episodes."""
        free = (episode for episode in episodes.values() if episode.start in episode.places)
        self._free.update(episode.world for episode in free)
        self.learn_starts({episode.world: episode.start for episode in episodes.values()})

    def learn_starts(self, starts: Mapping[str, str]) -> None:
        """Take the start node of each world."""
        self._free.update(world for world, start in starts.items() if start == START_POSE)
        # the first to tell wins: results are read before episodes are asked again
        self._starts = self._starts or starts

    @property
    def starts(self) -> Mapping[str, str]:
        """The start node of each world, as far as episodes have told."""
        return self._starts

    @property
    def free(self) -> Set[str]:
        """Worlds that need no map."""
        return self._free

    def restore(self, starts: Mapping[str, str], free: Iterable[str]) -> None:
        """Take what another finder has learned of the same episodes."""
        self._starts, self._free = starts, set(free)

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
            raise InputError(
                "no graph was given",
                "name the folder of its map",
                file=self._source.name,
            )
        named = [(path, world) for path, names in self._worlds.items() if world in names]
        # a folder of many worlds names them; one that holds a single graph may have any name
        several = [place for place in named if len(self._worlds[place[0]]) > 1]
        if several or len(named) == 1:
            return (several or named)[0]
        single = [(path, names[0]) for path, names in self._worlds.items() if len(names) == 1]
        # only now are the results asked, as most sources have one graph
        start = self._start(world) if len(single) > 1 else None
        if start is not None:
            single = [place for place in single if start in self._read(place)] or single
        if not single:
            raise NotFoundError(
                f"world {world} not found", "add the folder that holds it", file=self._source.name
            )
        return single[0]


def _with_floor_pictures(graph: Graph, world: str, results: Path | None) -> Graph:
    """Add the floors that lie beside a run: a recorder's, or that which its mapping names."""
    if results is None or graph.frame != "metric":
        return graph
    folder = results if is_folder(results) else results.parent
    problems = Problems()
    pictures = find_floor_pictures((folder,), world, problems)
    try:
        mapping = saved_mapping(results)
        own = picture_of_pixels(mapping.walk, folder, world) if mapping is not None else None
        pictures += () if own is None else (own,)
    except InputError as error:
        # a walk without its picture is a walk yet
        problems.skip(error.problem)
    if not pictures and not problems.count:
        return graph
    graph.info.problems.extend(problems)
    both = (*graph.info.floor_pictures, *pictures)
    return replace(graph, info=replace(graph.info, floor_pictures=both))


def graph_finder(graphs: Sequence[Path], episodes: Mapping[str, Episode]) -> GraphOf:
    """Return what finds a world's graph in folders; an episode's start tells of several."""
    if len(graphs) == 1:
        return open_worlds(graphs[0])
    return GraphFinder(Source("the graphs", "opened", tuple(graphs)), open_graph, episodes)


def graphs_of_starts(graphs: Sequence[Path], starts: Mapping[str, str]) -> GraphOf:
    """Return what finds a world's graph in folders, where a start node of each is known."""
    finder = GraphFinder(Source("the graphs", "opened", tuple(graphs)), open_graph, {})
    finder.learn_starts(starts)
    return finder
