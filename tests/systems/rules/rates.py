"""Success rates of navigators that need no model; of many episodes by two processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from navviz.language.placing.streets import streets_of
from navviz.records import Episode
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.graph import Graph

_MANY = 300
"""From here on: fewer take less than a few seconds, and beside other tests both processors are busy
anyway.
"""
_GRAPH: list[Graph] = []
"""Filled before the processes are forked, so that they share it."""


def success_rate(graph: Graph, episodes: Sequence[Episode], name: str, **settings: Any) -> float:
    """Share of episodes that end within the success radius of the goal."""
    return sum(successes(graph, episodes, name, **settings)) / len(episodes)


def successes(graph: Graph, episodes: Sequence[Episode], name: str, **settings: Any) -> list[bool]:
    """Tell of each episode whether it ends within the success radius of the goal."""
    _GRAPH[:] = [graph]
    streets_of(graph)
    tasks = [(name, settings, episode) for episode in episodes]
    if len(tasks) < _MANY:
        return [_succeeds(task) for task in tasks]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        return list(pool.map(_succeeds, tasks, chunksize=5))


def _succeeds(task: tuple[str, dict[str, Any], Episode]) -> bool:
    name, settings, episode = task
    (graph,) = _GRAPH
    navigator = get_navigator(name)
    stop = episode.start
    for event in navigator.navigate(episode, graph, None, settings_from(navigator, settings)):
        if event.type == "end" and event.node is not None:
            stop = event.node
    return graph.distance_m(stop, str(episode.goal)) <= episode.success_radius_m
