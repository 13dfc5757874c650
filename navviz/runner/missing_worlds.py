"""Episodes whose graph, or what describes it, is not there: told before anything is walked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from navviz.errors import InputError
from navviz.formats import open_worlds
from navviz.formats.matterport import SUFFIX
from navviz.records import Episode
from navviz.records.base import plural
from navviz.runner.walk import GraphOf
from navviz.systems.base import Navigator, Settings, check_views, declares_views

_NAMED = 5
"""Worlds that a sentence names; the rest are counted."""


@dataclass(frozen=True, slots=True)
class MissingWorlds:
    """Worlds that episodes name and that no graph folder holds."""

    episodes: dict[str, tuple[str, ...]]
    """Ids of the episodes, by world."""
    episode_count: int
    """How many episodes were to be walked."""
    graphs: tuple[Path, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Ids of all these episodes."""
        return frozenset(chain.from_iterable(self.episodes.values()))

    @property
    def what(self) -> str:
        """What is missing, and for how many episodes."""
        named = []
        for world, keys in self.episodes.items():
            count = plural(len(keys), "episode")
            named.append(f"scan {world} not found ({count})")
        text = ", ".join(named[:_NAMED])
        if len(named) > _NAMED:
            text += f" and {plural(len(named) - _NAMED, 'more scan')}"
        episodes = plural(self.episode_count, "episode")
        return f"{text}, so {len(self.ids)} of {episodes} cannot be walked"

    @property
    def do(self) -> str:
        """What to do about it."""
        file = (
            f"{next(iter(self.episodes))}{SUFFIX}"
            if len(self.episodes) == 1
            else f"SCAN{SUFFIX} of each"
        )
        places = ", ".join(str(path) for path in self.graphs)
        return (
            f"put {file} into the connectivity folder of {places}, or name another folder with"
            " --graphs"
        )

    @property
    def sentence(self) -> str:
        """Both in one."""
        return f"{self.what}; {self.do}."


def missing_worlds(
    graphs: Sequence[Path], episodes: Sequence[Episode], graph_of: GraphOf
) -> MissingWorlds:
    """Return the worlds of episodes that are missing; graphs are read only without names."""
    named: set[str] = set()
    for path in graphs:
        named.update(open_worlds(path).names)
    by_world: dict[str, list[Episode]] = {}
    for episode in episodes:
        by_world.setdefault(episode.world, []).append(episode)
    missing = {}
    for world, in_world in by_world.items():
        if world not in named and not _is_found(world, in_world, graph_of):
            missing[world] = tuple(episode.id for episode in in_world)
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


def check_described(
    navigator: Navigator, settings: Settings, episodes: Sequence[Episode], graph_of: GraphOf
) -> None:
    """Refuse walks, before their first call, whose agent would be shown nothing in some world.

    Raises `InputError`; see `navviz.systems.base.check_views`.
    """
    if settings.blind or not declares_views(navigator):
        return
    for world in dict.fromkeys(episode.world for episode in episodes):
        try:
            graph = graph_of(world)
        except InputError:
            # told of each of its episodes, when they are walked
            continue
        check_views(navigator, graph, settings)
