"""Features of an episode, by which a run's episodes are cut into slices: words, tags, route,
landmarks, area.

All of them were known before anybody walked: a feature must not be a consequence of failing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from navviz.analysis.landmarks import fate_of_landmarks
from navviz.language.tags import instruction_tags, tagged_text
from navviz.records import Trace
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph, Poi

_WORDS: Final = re.compile(r"(?<![\w'-])[a-z][a-z'-]+")
PLAIN_WORDS: Final = frozenset(
    {
        "the", "a", "an", "and", "of", "to", "in", "at", "on", "it", "is", "be", "will", "you",
        "your", "that", "this", "there", "as", "with", "for", "then", "so", "by", "are", "or",
        "if", "do", "not",
    }
)  # fmt: skip
"""Words that carry no direction."""
_AREA_LINKS: Final = 20
"""Links around the route that count as its area: GROKE's published runs cut their map so."""
_KIND_TAGS: Final = (
    "amenity",
    "shop",
    "leisure",
    "tourism",
    "highway",
    "railway",
    "public_transport",
    "cuisine",
    "building",
)
"""Tags of OpenStreetMap that say what a place is, the most telling first."""
_SLIGHT_DEG: Final = 20.0
"""Streets of a grid bend by less at a junction where one goes straight on."""
_TURN_DEG: Final = 45.0
"""Half of a right angle."""
_BACK_DEG: Final = 150.0
"""The reverse of the slightest turn that still leads on (180 - 30 degrees)."""


def run_features(
    traces: Mapping[str, Trace], graph_of: Callable[[str], Graph]
) -> dict[str, frozenset[str]]:
    """List the features of each episode of a run, by id; areas are cut in three at what is usual in
    the run.
    """
    graphs = {key: graph_of(trace.episode.world) for key, trace in traces.items()}
    areas = {key: area_nodes(trace, graphs[key]) for key, trace in traces.items()}
    # 0 stands for an unknown route, which must not move the thirds
    edges = third_edges([area for area in areas.values() if area])
    features = {}
    for key, trace in traces.items():
        area = set(banded("nodes around the route", areas[key], edges))
        features[key] = episode_features(trace, graphs[key]) | area
    return features


def third_edges(areas: Sequence[int]) -> list[int]:
    """Return where areas are cut into thirds: two edges, fewer where they fall together."""
    if not areas:
        return []
    return sorted({int(edge) for edge in np.quantile(areas, (1 / 3, 2 / 3))})


def area_nodes(trace: Trace, graph: Graph) -> int:
    """Count the nodes of the map within 20 links of the reference path; 0 where nobody knows the
    route.
    """
    path = [node for node in trace.episode.reference_path if node in graph]
    return len(graph.hop_ball(path, _AREA_LINKS)) if path else 0


def episode_features(trace: Trace, graph: Graph) -> frozenset[str]:
    """List the features of one episode that need no look at the others.

    Parameters
    ----------
    trace
        Its instruction, plan and landmarks are used, never the walk.
    graph
        For the length of the reference path, its turns and junctions, and the landmarks near it.
    """
    episode = trace.episode
    features = {f"word: {word}" for word in content_words(episode.instruction)}
    features |= {f"phrase: {phrase}" for phrase in _phrases(episode.instruction)}
    features |= set(instruction_tags(tagged_text(episode)))
    features |= set(banded("sub-goals", len(trace.sub_goals or episode.sub_goals), (4, 6, 8)))
    features |= set(banded("words", len(episode.instruction.split()), (30, 45, 60)))
    path = [node for node in episode.reference_path if node in graph]
    if len(path) > 1:
        steps = (200, 400, 600) if graph.frame == "geo" else (8, 10, 12)
        features |= set(banded("metres", round(graph.path_length_m(path)), steps))
        features |= _turns(path, graph)
    return frozenset(features | _landmarks(trace, graph))


def content_words(text: str) -> set[str]:
    """Words of a text in lower case, without those that carry no direction."""
    return {word for word in _WORDS.findall(text.lower()) if word not in PLAIN_WORDS}


def _phrases(text: str) -> set[str]:
    """Two words in a row, both of some meaning."""
    words = _WORDS.findall(text.lower())
    return {f"{a} {b}" for a, b in pairwise(words) if a not in PLAIN_WORDS and b not in PLAIN_WORDS}


def banded(name: str, value: int, edges: Sequence[int]) -> Iterable[str]:
    """Name the band of a number: ``4 to 5 sub-goals``; none for 0."""
    if value <= 0 or not edges:
        return
    below = [edge for edge in edges if edge <= value]
    above = [edge for edge in edges if edge > value]
    if not below:
        yield f"fewer than {above[0]} {name}"
    elif not above:
        yield f"{below[-1]} or more {name}"
    else:
        last = above[0] - 1
        yield f"{below[-1]} {name}" if last == below[-1] else f"{below[-1]} to {last} {name}"


def _turns(path: Sequence[str], graph: Graph) -> set[str]:
    features = set()
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        degree = graph.degree(node)
        if degree > 4:
            features.add(degree_feature(degree))
        turn = turn_feature(graph, before, node, after)
        if degree > 2 and turn not in {"a way straight on", "a slight turn"}:
            features.add(turn)
            if degree == 3:
                features.add("a turn at a T-junction or side street")
    return features


def degree_feature(degree: int) -> str:
    """Name the number of ways that meet at a junction."""
    return (
        "a junction of five or more ways"
        if degree > 4
        else f"a junction of {('three', 'four')[degree > 3]} ways"
    )


def turn_feature(graph: Graph, before: str, node: str, after: str) -> str:
    """Name how a path turns at a node."""
    turn = turn_deg(graph.heading_deg(before, node), graph.heading_deg(node, after))
    if abs(turn) <= _TURN_DEG:
        return "a slight turn" if abs(turn) > _SLIGHT_DEG else "a way straight on"
    if abs(turn) > _BACK_DEG:
        return "a turn back"
    return "a left turn" if turn < 0 else "a right turn"


def _landmarks(trace: Trace, graph: Graph) -> set[str]:
    """Kinds of the landmarks, and whether one is missing on the map, looked for along the route
    alone.
    """
    # the agent's own way must not decide which landmarks are on the map
    fates = fate_of_landmarks(trace.model_copy(update={"steps": (), "waypoints": None}), graph)
    kinds = {
        f"landmark: {poi_kind(graph.pois[fate.poi])}" for fate in fates if fate.poi is not None
    }
    missing = any(fate.poi is None and not fate.of_the_street for fate in fates)
    return kinds | ({"a landmark not on the map"} if missing else set())


def poi_kind(poi: Poi) -> str:
    """Say what a place is: ``bank``, ``traffic signals``; ``place`` where its tags do not tell."""
    return next(
        (str(poi.tags[tag]).replace("_", " ") for tag in _KIND_TAGS if poi.tags.get(tag)), "place"
    )
