"""MGDM's long-term memory: what an expert did where it looked alike (Song et al. 2025, section 5.3;
text stand-in).

The paper compares image features of the training set. Here lines of text are compared by TF-IDF and
cosine; the decision ``a`` becomes ``a * mean(retrieved actions)``, renormalised.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from navviz.records import Episode
from navviz.systems.lhvln.mgdm.views import (
    ACTIONS,
    RelativeAction,
    look,
    relative_action,
    view_line,
)
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

_WORD = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True, slots=True)
class Experience:
    """What an expert saw, and what it did."""

    line: str
    action: RelativeAction
    episode: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A remembered experience that looks like the present."""

    similarity: float
    """Cosine, 0 to 1."""
    experience: Experience


class LongTerm:
    """Retrieves the experiences most like a line."""

    def __init__(self, training: Iterable[Experience]) -> None:
        self._training = tuple(training)
        words = [Counter(_WORD.findall(each.line.lower())) for each in self._training]
        frequency: Counter[str] = Counter()
        for counted in words:
            frequency.update(counted.keys())
        count = len(self._training)
        self._weights: dict[str, float] = {}
        for word, lines in frequency.items():
            # smoothed, as scikit-learn does it: a word of every line keeps a weight of 1, none gets
            # 0
            self._weights[word] = math.log((1 + count) / (1 + lines)) + 1
        self._vectors = [self._unit(counted) for counted in words]

    def __len__(self) -> int:
        return len(self._training)

    def _unit(self, words: Mapping[str, int]) -> dict[str, float]:
        vector = {word: count * self._weights.get(word, 0.0) for word, count in words.items()}
        length = math.sqrt(math.fsum(value * value for value in vector.values()))
        return {word: value / length for word, value in vector.items()} if length else {}

    @staticmethod
    def _dot(vector: Mapping[str, float], query: Mapping[str, float]) -> float:
        return math.fsum(value * query.get(word, 0.0) for word, value in vector.items())

    def retrieve(self, line: str, count: int) -> tuple[Hit, ...]:
        """Return the `count` most similar experiences, best first; ties in training order."""
        query = self._unit(Counter(_WORD.findall(line.lower())))
        scores = [self._dot(vector, query) for vector in self._vectors]
        order = sorted(range(len(scores)), key=lambda k: (-scores[k], k))[:count]
        return tuple(Hit(scores[k], self._training[k]) for k in order)


def experiences(
    episodes: Iterable[Episode], graph: Graph, besides: Episode
) -> tuple[Experience, ...]:
    """Walk the expert's paths of other episodes in this world; never the episode itself, nor one on
    the same path.
    """
    lived: list[Experience] = []
    for episode in episodes:
        # three instructions share a path in R2R: each would give the others' way away
        same = episode.id == besides.id or (
            bool(besides.reference_path) and _path(episode) == besides.reference_path
        )
        if same or episode.world != graph.name or any(node not in graph for node in _path(episode)):
            continue
        lived.extend(_walked(episode, graph))
    return tuple(lived)


def _path(episode: Episode) -> tuple[str, ...]:
    return episode.reference_path


def _walked(episode: Episode, graph: Graph) -> list[Experience]:
    path = _path(episode)
    heading = episode.start_heading_deg or 0.0
    lived = []
    for here, there in pairwise(path):
        link = graph.heading_deg(here, there)
        line = view_line(look(graph, here, heading))
        lived.append(Experience(line, relative_action(turn_deg(heading, link)), episode.id))
        heading = link
    # where its path ends the expert stops: that is an experience, too
    if path:
        lived.append(Experience(view_line(look(graph, path[-1], heading)), "stop", episode.id))
    return lived


def weighed(
    probabilities: Mapping[int, float], actions: Mapping[int, RelativeAction], hits: Sequence[Hit]
) -> dict[int, float]:
    """Probabilities times the mean of the retrieved actions, renormalised; as they are where that
    leaves nothing.
    """
    if not hits:
        return dict(probabilities)
    share = Counter(hit.experience.action for hit in hits)
    # an action that no expert took gets 0, however sure the model is of it: so does the paper's
    mean = {action: share[action] / len(hits) for action in ACTIONS}
    product = {key: value * mean[actions[key]] for key, value in probabilities.items()}
    total = math.fsum(product.values())
    return (
        {key: value / total for key, value in product.items()} if total > 0 else dict(probabilities)
    )
