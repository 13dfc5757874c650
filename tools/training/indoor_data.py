"""R2R's training paths with the houses that they lead through, as the indoor rules learn from
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError, Problems
from navviz.formats import open_episodes
from navviz.formats.houses import read_observations
from navviz.formats.matterport import find_scans, read_scan
from navviz.records import Episode
from navviz.systems.rules.indoors.deciding import ExploredHouse, Laid
from navviz.systems.rules.indoors.texts import read_phrases, token_counts
from navviz.systems.rules.indoors.weights import IndexedRoute
from navviz.world.graph import Graph

_WORD_COUNT, _PAIR_COUNT = 10, 100
"""Rarer words and pairs of words are not learned."""
_TOKENS = 600
"""The most frequent tokens of the houses' texts; the others occur in too few houses to be learned.
"""


@dataclass
class PathSample:
    """One path: its instructions, and all routes from its start in the whole house."""

    episodes: list[Episode]
    graph: Graph
    path: tuple[int, ...]
    routes: list[IndexedRoute]
    laid: Laid
    goal_m: dict[int, float]
    """Geodesic distance to the goal, by viewpoint."""

    @property
    def laid_floats(self) -> Laid:
        """The routes as they are scored; kept in single bytes, since there are many."""
        return replace(self.laid, features=self.laid.features.astype(np.float32))

    @property
    def near(self) -> NDArray[np.bool_]:
        """Which routes end within the success radius."""
        radius = self.episodes[0].success_radius_m
        return np.array(
            [self.goal_m.get(route.nodes[-1], np.inf) <= radius for route in self.routes]
        )

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Which routes end at the goal."""
        return np.array([route.nodes[-1] == self.path[-1] for route in self.routes])


def open_houses(connectivity: Path, texts: Path, scans: Sequence[str]) -> dict[str, Graph]:
    """Houses with their observations.

    Raises
    ------
    InputError
        When a house or its texts are missing.
    """
    files = find_scans(connectivity)
    houses = {}
    for scan in scans:
        if scan not in files:
            raise InputError(
                f"scan {scan} not found", "get its connectivity file", file=str(connectivity)
            )
        graph = read_scan(files[scan])
        seen = read_observations(texts, scan, Problems())
        if not seen:
            raise InputError(
                f"holds no observations of scan {scan}",
                "run navviz fetch navgpt-text",
                file=str(texts),
            )
        houses[scan] = replace(graph, info=replace(graph.info, observations=seen))
    return houses


def samples_of(split: Path, connectivity: Path, texts: Path) -> list[PathSample]:
    """All paths of a split of R2R."""
    by_path: dict[str, list[Episode]] = {}
    for episode in open_episodes(split).episodes.values():
        # one sample a path, since its instructions share the routes
        by_path.setdefault(episode.path_id or episode.id, []).append(episode)
    scans = sorted({episodes[0].world for episodes in by_path.values()})
    houses = open_houses(connectivity, texts, scans)
    return [_sample(episodes, houses[episodes[0].world]) for episodes in by_path.values()]


def _sample(episodes: list[Episode], graph: Graph) -> PathSample:
    path = tuple(graph.index[node] for node in episodes[0].reference_path)
    explored = ExploredHouse(graph, path[0], episodes[0].start_heading_deg or 0.0)
    explored.visit(range(len(graph)))
    routes = explored.routes()
    laid = explored.lay(routes)
    compact = Laid(laid.features.astype(np.uint8), laid.rows, laid.last, laid.length_m, laid.open)
    goal_m = graph.geodesics_from(graph.ids[path[-1]], 100.0)
    return PathSample(
        episodes, graph, path, routes, compact, {graph.index[node]: d for node, d in goal_m.items()}
    )


def _is_frequent(word: str, count: int) -> bool:
    return count >= (_PAIR_COUNT if " " in word else _WORD_COUNT)


def vocabulary(samples: Sequence[PathSample]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words and pairs of the instructions, and words of the texts, that stand there often enough,
    often ones first.
    """
    counts: Counter[str] = Counter()
    for sample in samples:
        for episode in sample.episodes:
            for phrase in read_phrases(episode.instruction):
                counts.update(phrase.features)
    words = [word for word, count in counts.most_common() if _is_frequent(word, count)]
    houses = {sample.graph.name: sample.graph.info.observations for sample in samples}
    counted = token_counts(seen for seen in houses.values() if seen is not None)
    # they were counted over sets, whose order changes from run to run: the alphabet breaks ties
    tokens = sorted((-count, token) for token, count in counted.items())
    return tuple(words), tuple(token for _, token in tokens[:_TOKENS])
