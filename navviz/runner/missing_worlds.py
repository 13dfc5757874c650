"""Episodes whose graph is not there: named and counted before anything is walked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError
from navviz.formats import open_worlds
from navviz.formats.matterport import SUFFIX
from navviz.records import Episode
from navviz.records.plural import plural
from navviz.runner.walk import GraphOf

__all__ = ["MissingWorlds", "missing_worlds"]

_NAMED = 5
"""Worlds that a sentence names; the rest are counted."""


@dataclass(frozen=True, slots=True)
class MissingWorlds:
    """Worlds that episodes name and that no graph folder holds."""

    episodes: dict[str, tuple[str, ...]]
    """Ids of the episodes, by world."""
    asked: int
    """How many episodes were to be walked."""
    graphs: tuple[Path, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Ids of all these episodes."""
        return frozenset(key for keys in self.episodes.values() for key in keys)

    @property
    def what(self) -> str:
        """What is missing, and for how many episodes."""
        named = [f"scan {world} not found ({plural(len(keys), 'episode')})" for world, keys in self.episodes.items()]
        rest = f" and {plural(len(named) - _NAMED, 'more scan')}" if len(named) > _NAMED else ""
        asked = plural(self.asked, "episode")
        return f"{', '.join(named[:_NAMED])}{rest}, so {len(self.ids)} of {asked} cannot be walked"

    @property
    def do(self) -> str:
        """What to do about it."""
        file = f"{next(iter(self.episodes))}{SUFFIX}" if len(self.episodes) == 1 else f"SCAN{SUFFIX} of each"
        places = ", ".join(str(path) for path in self.graphs)
        return f"put {file} into the connectivity folder of {places}, or name another folder with --graphs"

    @property
    def sentence(self) -> str:
        """Both in one."""
        return f"{self.what}; {self.do}."


def missing_worlds(graphs: Sequence[Path], episodes: Sequence[Episode], graph_of: GraphOf) -> MissingWorlds:
    """Return the worlds of episodes that cannot be found; a graph is read only where its folder names no worlds.

    Parameters
    ----------
    graphs
        Graph folders.
    episodes
        What is to be walked.
    graph_of
        Graph by the name of the world.
    """
    named = {name for path in graphs for name in open_worlds(path).names}
    by_world: dict[str, list[Episode]] = {}
    for episode in episodes:
        by_world.setdefault(episode.world, []).append(episode)
    missing = {
        world: tuple(episode.id for episode in those)
        for world, those in by_world.items()
        if world not in named and not _is_found(world, those, graph_of)
    }
    return MissingWorlds(missing, len(episodes), tuple(graphs))


def _is_found(world: str, episodes: Sequence[Episode], graph_of: GraphOf) -> bool:
    """Whether the one graph that stands for every name is that of these episodes."""
    try:
        graph = graph_of(world)
    except InputError:
        return False
    if graph.frame == "geo" or graph.name == world:
        return True
    return any(episode.start in graph for episode in episodes)
