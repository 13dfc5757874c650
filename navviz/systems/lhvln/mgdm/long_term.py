"""MGDM's long-term memory: what an expert did where it looked alike (Song et al. 2025, section 5.3;
text stand-in).

The paper compares image features of the training set. Here lines of text are compared by TF-IDF and
cosine; the decision ``a`` becomes ``a * mean(retrieved actions)``, renormalised.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from navviz.observations.agent_pictures import AgentPictures, Camera
from navviz.observations.panorama import DirectionView, look_around, observations_of
from navviz.records import Candidate, Episode, Observation, PicturePart
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

RelativeAction = Literal["stop", "left", "forward", "right", "behind"]

ACTIONS: tuple[RelativeAction, ...] = ("stop", "left", "forward", "right", "behind")

STOP_ID = 0
"""Number of the choice that ends the current sub-task."""

_FRONT_DEG = 30.0
"""Half of the middle camera's 60 degrees."""

_SIDE_DEG = 90.0
"""MGDM has three cameras of 60 degrees at 60 degrees left, ahead, and 60 degrees right; the rest is
behind.
"""

_CAMERAS = (("left", -60.0), ("front", 0.0), ("right", 60.0))

_SIDE_PX = 512
"""Square pictures: the 60 degrees hold across and up."""

_OBJECTS = 5
"""Names told of a view, so that a line of the prompt stays readable."""

_SECTORS = {"left": "Left", "forward": "Front", "right": "Right", "behind": "Behind"}


@dataclass(frozen=True, slots=True)
class NumberedCandidate:
    """One numbered candidate."""

    id: int
    action: RelativeAction
    candidate: Candidate
    text: str
    """What lies that way."""


def relative_action(angle_deg: float) -> RelativeAction:
    """Return the sector of an angle to the agent's heading, positive to the right."""
    if abs(angle_deg) <= _FRONT_DEG:
        return "forward"
    if abs(angle_deg) > _SIDE_DEG:
        return "behind"
    return "right" if angle_deg > 0 else "left"


def look(graph: Graph, node: str, heading_deg: float) -> tuple[NumberedCandidate, ...]:
    """Candidates around a viewpoint, numbered from 1 clockwise from the left."""
    views = look_around(graph, node, heading_deg)
    ways: list[tuple[Candidate, DirectionView]] = []
    for view in views:
        ways += [(way, view) for way in view.candidates]
    # numbers follow the three cameras, so that "(2)" lies to the right of "(1)" in the pictures
    ways.sort(key=_from_the_left)
    # without captions every sector would repeat the same empty sentence
    described = node in observations_of(graph).scenes
    numbered = []
    for k, (way, view) in enumerate(ways, start=1):
        action = relative_action(way.angle_deg or 0.0)
        rise = graph.position(way.node)[2] - graph.position(node)[2]
        stairs = ""
        if abs(rise) >= 0.4:
            stairs = f", {abs(rise):.1f} m {'up' if rise > 0 else 'down'} the stairs"
        parts = [f"{way.distance_m:.1f} m{stairs}"]
        if described and view.scene:
            parts.append(view.scene.rstrip("."))
        names = list(dict.fromkeys(thing.name for thing in view.objects))[:_OBJECTS]
        if names:
            parts.append("near: " + ", ".join(names))
        text = "; ".join(parts)
        numbered.append(NumberedCandidate(k, action, way, text))
    return tuple(numbered)


def _from_the_left(pair: tuple[Candidate, DirectionView]) -> tuple[int, float]:
    angle_deg = pair[0].angle_deg or 0.0
    return ACTIONS.index(relative_action(angle_deg)), angle_deg


def observation_of(choices: tuple[NumberedCandidate, ...]) -> Observation:
    """Return the candidates as an observation with its text, sector by sector."""
    lines = [f"({STOP_ID}) stop: the current part of the task is done here"]
    for action, title in _SECTORS.items():
        inside = [choice for choice in choices if choice.action == action]
        lines.append(f"{title}:" if inside else f"{title}: no way")
        lines += [f"  ({choice.id}) {choice.text}" for choice in inside]
    labelled = []
    for choice in choices:
        names = {"label": str(choice.id), "direction": choice.action}
        labelled.append(choice.candidate.model_copy(update=names))
    return Observation(
        format="mgdm-text",
        text="\n".join(lines),
        visible_nodes=tuple(choice.candidate.node for choice in choices),
        candidates=tuple(labelled),
    )


def three_views(
    pictures: AgentPictures, node: str, heading_deg: float
) -> Iterator[tuple[str, PicturePart | None]]:
    """Yield what MGDM's three cameras see, each with its label."""
    for k, (side, angle_deg) in enumerate(_CAMERAS, start=1):
        camera = Camera((heading_deg + angle_deg) % 360.0, 0.0, 2 * _FRONT_DEG, _SIDE_PX, _SIDE_PX)
        yield f"Image {k} ({side})", pictures.take(node, camera)


def view_line(choices: tuple[NumberedCandidate, ...]) -> str:
    """All that is seen from a viewpoint in one line: the key of the long-term memory."""
    return " | ".join(f"{choice.action}: {choice.text}" for choice in choices)


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
    """Probabilities times the mean retrieved actions, renormalised; as they are if all 0."""
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
