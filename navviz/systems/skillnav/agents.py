"""Who scores the moves: the interface of a skill's agent, and stand-ins by rules.

The paper's agents are DUET models fine-tuned on pictures; none of them can run here. What stands in
for them says so, and its success says nothing about the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from navviz.language.skills import Skill
from navviz.systems.rules.indoors.words import content_words
from navviz.systems.skillnav.aims import Aim, read_aim
from navviz.systems.skillnav.localiser import near_words, place_of
from navviz.systems.skillnav.memory import STOP, GlobalMap, OpenWay, Place

BACKBONE = "backbone"

_KAPPA = 4.0
"""Concentration of the von Mises distribution around the wanted turn."""
_VISITED = 1.5
"""Taken off for a place already visited: more than an opening named (0.6), less than a clear turn
(`_KAPPA`).
"""
_STOP_HIGH, _STOP_LOW = 0.8, 0.2
TURN_DEG = {"left": -90.0, "right": 90.0, "around": 180.0, "straight": 0.0}
"""Angle of each wanted turn, relative to the agent's heading."""


class Scores(dict[str, float]):
    """Node id or ``stop`` to probability, summing to 1; with the fused parts, if there are any."""

    def __init__(
        self,
        values: Mapping[str, float],
        *,
        local: Mapping[str, float] | None = None,
        globally: Mapping[str, float] | None = None,
        sigma: float | None = None,
        note: str | None = None,
    ) -> None:
        super().__init__(values)
        self.local, self.globally, self.sigma, self.note = local, globally, sigma, note


class SkillAgent(Protocol):
    """One of the five agents, or the backbone that they share."""

    @property
    def name(self) -> str:
        """One of the five, or ``backbone``."""
        ...

    def score(
        self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap
    ) -> dict[str, float]:
        """Probability of stopping and of each node that may be gone to; they sum to 1."""
        ...


def softmax(scores: Mapping[str, float]) -> dict[str, float]:
    """Probabilities in proportion to the exponentials."""
    if not scores:
        return {}
    # less the greatest score, so that no exponential overflows
    most = max(scores.values())
    raised = {key: math.exp(value - most) for key, value in scores.items()}
    total = sum(raised.values())
    return {key: value / total for key, value in raised.items()}


def fuse(
    globally: Mapping[str, float], local: Mapping[str, float], sigma: float, memory: GlobalMap
) -> dict[str, float]:
    """Fuse the two branches of DUET (Chen et al. 2022, section 3.3.3).

    ``score = sigma * global + (1 - sigma) * local``, the local scores mapped to the global map's
    nodes: those of visited neighbours are added up to one backtrack score, which all nodes that are
    no neighbours share.
    """
    back = sum(value for node, value in local.items() if node in memory.visited)
    fused: dict[str, float] = {}
    for node, value in globally.items():
        fused[node] = sigma * value + (1 - sigma) * local.get(node, back)
    return fused


@dataclass
class RulesAgent:
    """A stand-in by rules for one skill: words, angles and heights, no model.

    Parameters
    ----------
    skill
        ``None`` for the backbone.
    action_space
        ``global``: all seen and not visited places; ``local``: the neighbours.
    """

    skill: Skill | None = None
    action_space: str = "global"
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.skill.value if self.skill is not None else BACKBONE

    def score(
        self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap
    ) -> dict[str, float]:
        """Softmax of the skill's scores over the ways, with the share of stopping set apart."""
        aim, ahead = read_aim(sub_goal), _words_ahead(sub_goal, instruction)
        spread = _Spread(place)
        scores = {way.node: self._way(way, aim, ahead, spread, place, memory) for way in place.ways}
        if self.action_space == "global":
            scores = {node: score for node, score in scores.items() if node not in memory.visited}
            scores |= self._remembered(aim, place, memory)
        moves, stop = softmax(scores), self._stop(aim, place, memory)
        if not moves:
            return Scores({STOP: 1.0}, note="no place is left to go to")
        return Scores({STOP: stop} | {node: value * (1 - stop) for node, value in moves.items()})

    def _way(
        self,
        way: OpenWay,
        aim: Aim,
        ahead: frozenset[str],
        spread: _Spread,
        place: Place,
        memory: GlobalMap,
    ) -> float:
        score = _backbone(way, aim, ahead, spread, place)
        if self.skill is Skill.DIRECTION and aim.turn is not None:
            off = math.radians(way.angle_deg - TURN_DEG[aim.turn])
            # halved, so that for this skill the angle outweighs the words
            score = 0.5 * score + _KAPPA * math.cos(off)
        elif self.skill is Skill.VERTICAL and aim.stairs is not None:
            score += 2.0 * way.rise_m * (1 if aim.stairs == "up" else -1)
        elif self.skill is Skill.LANDMARK:
            score += max((spread.named(word, way) for word in aim.words - aim.rooms), default=0.0)
        elif self.skill is Skill.REGION:
            if aim.leave and not aim.words:
                # "leave the room" names no aim: ways that still show this room lose
                score -= max((spread.named(word, way) for word in place_of(place)), default=0.0)
            else:
                score += max((spread.named(word, way) for word in aim.rooms), default=0.0)
        return score - _VISITED * (way.node in memory.visited)

    def _remembered(self, aim: Aim, place: Place, memory: GlobalMap) -> dict[str, float]:
        """Score the places seen earlier and not next to this one: words, less for the way back."""
        away = memory.distances_m(place.node)
        scores = {}
        for node in memory.frontier:
            # scored as a way already, or out of reach over the known map
            if place.way(node) is not None or node not in away:
                continue
            words = frozenset(content_words(memory.seen[node].text))
            scores[node] = 0.5 * len(aim.words & words) - _BACK - _BACK_A_M * away[node][0]
        return scores

    def _stop(self, aim: Aim, place: Place, memory: GlobalMap) -> float:
        """High where the sub-goal's condition matches the place and nothing follows it."""
        if memory.finished:
            return _STOP_HIGH
        if self.skill is not Skill.STOP or (memory.remaining or 0) > 0:
            return _STOP_LOW / 4
        matches = not aim.words or bool(aim.words & (place_of(place) | near_words(place)))
        return _STOP_HIGH if matches else _STOP_LOW


_BACK, _BACK_A_M = 1.5, 0.15
"""What going back costs, and what each metre of it does."""


def _words_ahead(sub_goal: str, instruction: str) -> frozenset[str]:
    """Return what the instruction names besides the sub-goal; it speaks a little for a way."""
    return frozenset(content_words(instruction)) - frozenset(content_words(sub_goal))


class _Spread:
    """In how many directions of a place each word is named; a word of all directions counts 0."""

    def __init__(self, place: Place) -> None:
        self.words_of_way = {way.node: frozenset(content_words(way.text)) for way in place.ways}
        # two ways of one direction share its text, which counts once
        by_text = {way.text: self.words_of_way[way.node] for way in place.ways}
        self.directions: Sequence[frozenset[str]] = list(by_text.values())

    def named(self, word: str, way: OpenWay) -> float:
        """Weight of a word for a way; 0 where its direction does not name it."""
        if word not in self.words_of_way[way.node]:
            return 0.0
        count = sum(word in words for words in self.directions)
        total = len(self.directions)
        # with one direction the logarithm below would divide by 0
        if total < 2:
            return 1.0
        return math.log((1 + total) / (1 + count)) / math.log((1 + total) / 2)


def _backbone(
    way: OpenWay, aim: Aim, ahead: frozenset[str], spread: _Spread, place: Place
) -> float:
    """Return what all five share: words of the sub-goal, its turn, stairs that it does not name."""
    score = sum(spread.named(word, way) for word in aim.words)
    score += 0.6 * sum(spread.named(word, way) for word in aim.openings)
    score += 0.15 * sum(spread.named(word, way) for word in ahead)
    # the side on which things lie counts only for a way that shows them
    turn = aim.turn or (aim.side if aim.words & spread.words_of_way[way.node] else None)
    off = math.radians(way.angle_deg - TURN_DEG[turn or "straight"])
    score += (1.2 if turn else 0.4) * math.cos(off)
    if aim.leave and not aim.words:
        score -= 0.6 * sum(spread.named(word, way) for word in place_of(place))
    if aim.stairs is None and abs(way.rise_m) > _STAIR_M:
        score -= _UNASKED_STAIRS
    return score


_STAIR_M, _UNASKED_STAIRS = 0.5, 0.8
