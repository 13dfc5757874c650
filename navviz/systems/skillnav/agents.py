"""Who scores the moves: the interface of a skill's agent, and stand-ins by rules.

The paper's agents are DUET models fine-tuned on pictures; none of them can run here. What stands in
for them says so, and its success says nothing about the paper's.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from navviz.language.clauses import content_words, read_clauses
from navviz.language.skills import ROOM_WORDS, Skill
from navviz.support.guarded import decode_reply
from navviz.systems.skillnav.memory import STOP, GlobalMap, OpenWay, Place

_OPENINGS = frozenset({"door", "arch", "opening", "double", "glass", "stair"})
"""Ways through: one goes for them, they are not where one arrives."""


@dataclass(frozen=True, slots=True)
class Aim:
    """One sub-goal."""

    words: frozenset[str] = frozenset()
    """Rooms and things that it names, reduced to stems, openings left out."""
    rooms: frozenset[str] = frozenset()
    openings: frozenset[str] = frozenset()
    turn: str | None = None
    """left, right, around, straight: to be made."""
    side: str | None = None
    """Where its things lie."""
    stairs: str | None = None
    leave: bool = False
    past: bool = False
    stop: bool = False

    @property
    def turns(self) -> bool:
        """Whether it wants a change of heading."""
        return self.turn in {"left", "right", "around"}


# as stems, since the words of a sub-goal are reduced to stems, too
_ROOM_STEMS = frozenset(itertools.chain.from_iterable(map(content_words, ROOM_WORDS)))


# agent, progress and every move read the same sub-goal
@lru_cache(maxsize=4096)
def read_aim(sub_goal: str) -> Aim:
    """Read a sub-goal; several clauses in it count as one."""
    clauses = read_clauses(sub_goal)
    words: frozenset[str] = frozenset().union(*(clause.words for clause in clauses))
    kept = words - _OPENINGS
    return Aim(
        words=kept,
        rooms=kept & _ROOM_STEMS,
        openings=words & _OPENINGS,
        turn=next((clause.turn for clause in clauses if clause.turn is not None), None),
        side=next((clause.side for clause in clauses if clause.side is not None), None),
        stairs=next((clause.stairs for clause in clauses if clause.stairs is not None), None),
        leave=any(clause.leave for clause in clauses),
        past=any(clause.past for clause in clauses),
        stop=any(clause.stop for clause in clauses),
    )


KEY = "Sub-instruction to be executed"

REASON = "Reasoning"

FIRST_REASON = "Nothing of the instruction has been carried out yet, so its first part is due."

PATIENCE = 4
"""Indoors a part that is not reached is given up after so many moves."""

PATIENCE_OUTDOORS = 2
"""Outdoors, where a move is some 50 m: chosen on 150 routes of Map2Seq's val (SR 8.0 %, with 4
moves 1.3 %).
"""

_RISE_M = 1.0
"""A climb worth telling; a landing of one or two steps is none."""

_CUT = re.compile(r",(?=\s*(?:and|then|after that|afterwards)\b)", re.IGNORECASE)

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)

_TRAILING = re.compile(r",\s*(?=[}\]])")

_STAIR_PLACE = "stair"


@dataclass(frozen=True, slots=True)
class Localised:
    """What the localiser answered."""

    sub_goal: str
    """Empty where it gave none: nothing is added to the list, and the step is not routed."""
    reason: str | None = None
    problem: str | None = None
    finished: bool = False
    """All is done, as far as the rules can tell."""


def first_sub_goal(reordered: str) -> str:
    """Return the text up to its first period, or to a comma before "and", "then", "after that".

    The comma itself stays, as in the published code.
    """
    first = reordered.split(".", maxsplit=1)[0].strip()
    cut = _CUT.search(first)
    if cut is not None:
        return first[: cut.end()]
    return f"{first}." if first and "." in reordered else first


def read_reply(reply: str | None) -> Localised:
    """Read a localiser's reply: JSON, else a fenced block, else its outermost braces, mended.

    Mended: commas before a closing bracket are dropped, and what is open is closed.
    """
    text = (reply or "").strip()
    if not text:
        return Localised("", problem="the reply is empty")
    for candidate in (text, *_FENCE.findall(text), _mended(text)):
        try:
            value = decode_reply(candidate)
        except ValueError:
            continue
        if isinstance(value, dict):
            sub_goal, reason = value.get(KEY), value.get(REASON)
            why = reason.strip() if isinstance(reason, str) and reason.strip() else None
            if not isinstance(sub_goal, str):
                return Localised("", why, f'the reply has no text under "{KEY}"')
            if not sub_goal.strip():
                return Localised("", why, "the reply names no sub-instruction")
            return Localised(sub_goal.strip(), why)
    return Localised("", problem="the reply is no JSON object")


def _mended(text: str) -> str:
    start = text.find("{")
    if start < 0:
        return ""
    end = text.rfind("}")
    piece = text[start : end + 1] if end > start else text[start:]
    piece = _TRAILING.sub("", piece)
    # an odd number of quotes: the reply was cut off within a text
    in_text = len(re.findall(r'(?<!\\)"', piece)) % 2
    if in_text:
        piece += '"'
    piece = _TRAILING.sub("", piece.rstrip().rstrip(","))
    return piece + "}" * max(0, piece.count("{") - piece.count("}"))


# --- by rules


@dataclass
class SubgoalProgress:
    """How far the current sub-goal of the rules has come."""

    index: int = 0
    moves: int = 0
    """Since it began."""
    turned: bool = False
    patience: int = PATIENCE
    began_z_m: float | None = None
    began_in: frozenset[str] = frozenset()

    def begin(self, index: int, place: Place, height_m: float) -> None:
        """Start on a sub-goal."""
        self.index, self.moves, self.turned = index, 0, False
        self.began_z_m, self.began_in = height_m, place_of(place)


def place_of(place: Place) -> frozenset[str]:
    """Words for what a place is: the head of its summary."""
    head = place.summary.split(" with ")[0].split(";")[0]
    return frozenset(content_words(head if place.views == () else head.split(",")[0]))


def near_words(place: Place) -> frozenset[str]:
    """Return the words of the things within 3 m."""
    return frozenset().union(*map(content_words, place.near))


def localise_by_rules(
    parts: Sequence[str], progress: SubgoalProgress, place: Place, height_m: float
) -> Localised:
    """Keep the current part until its condition holds, then go on to the next; keep the last."""
    if not parts:
        return Localised("", problem="the instruction says nothing that can be followed")
    why = FIRST_REASON if progress.began_z_m is None else "Its condition does not hold yet."
    if progress.began_z_m is None:
        progress.begin(progress.index, place, height_m)
    # one move may fulfil several parts: go on to the first that is not
    while True:
        part = parts[progress.index]
        result = fulfilled(read_aim(part), progress, place, height_m)
        if result is None:
            return Localised(part, why)
        if progress.index + 1 >= len(parts):
            return Localised(parts[-1], f"The last part is done: {result}.", finished=True)
        why = f"“{part}” is done: {result}."
        progress.begin(progress.index + 1, place, height_m)


def fulfilled(aim: Aim, progress: SubgoalProgress, place: Place, height_m: float) -> str | None:
    """Return why a sub-goal is done; ``None`` where it is not."""
    here, near = place_of(place), near_words(place)
    if progress.moves >= progress.patience:
        return f"given up after {progress.moves} moves"
    if aim.stairs is not None:
        rise_m = (height_m - (progress.began_z_m or 0.0)) * (1 if aim.stairs == "up" else -1)
        # on the stairs the climb goes on, however high it is already
        return (
            f"{rise_m:.1f} m {aim.stairs}"
            if rise_m >= _RISE_M and _STAIR_PLACE not in here
            else None
        )
    # what is in sight does not count before the turn is made
    if aim.turns and not progress.turned:
        return None
    if aim.leave and not aim.words:
        return "the place is left" if progress.moves and here != progress.began_in else None
    return _reached(aim, progress, here | near)


def _reached(aim: Aim, progress: SubgoalProgress, present: frozenset[str]) -> str | None:
    """Return what of the sub-goal is here; a stop wants all its words, at least for two moves."""
    reached = aim.words & present
    if reached and (not aim.stop or reached == aim.words or progress.moves >= 2):
        return f"{', '.join(sorted(reached))} reached"
    if aim.words:
        return None
    if progress.turned:
        return "the turn is made"
    if progress.moves:
        return "moved"
    return "it asks for no move" if aim.stop else None


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
    """A stand-in by rules for one skill: words, angles and heights, no model."""

    skill: Skill | None = None
    action_space: str = "global"
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.skill.value if self.skill is not None else BACKBONE

    def score(
        self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap
    ) -> dict[str, float]:
        """Softmax of the skill's scores over the ways, with the share of stopping set apart."""
        # it speaks a little for a way
        aim, ahead = (
            read_aim(sub_goal),
            (frozenset(content_words(instruction)) - frozenset(content_words(sub_goal))),
        )
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
