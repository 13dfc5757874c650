"""Rules indoors: follow an instruction by the words of the eight-direction text, without a model or a map.

It reads what NavGPT's model would read, and nothing else: scene sentences, objects within 3 m, navigable viewpoints
with angle and distance. The instruction is a list of clauses; each is followed until its places and things are reached.
A way is good when its direction names what the clause names, lies where the clause turns, and leads to a new viewpoint.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from navviz.navigators.base import Settings, own_settings
from navviz.navigators.baselines.indoors import place_after
from navviz.navigators.rules.indoors.words import Clause, content_words, read_clauses
from navviz.observe.panorama import look_around, observations_of, observe, summary_of
from navviz.observe.panorama_text import DIRECTIONS, View, views_panel
from navviz.records import (
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    MoveEvent,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    StepEvent,
    SubGoal,
    Trace,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

__all__ = ["RulesIndoor", "RulesIndoorSettings"]

_OPENINGS = frozenset({"door", "arch", "opening", "double", "glass"})
_STAIR_PLACES = frozenset({"stair"})
_UNASKED_STAIRS = 0.8
"""What it costs to take stairs that the clause does not speak of."""
_TURN_WITHIN_DEG = 65.0
_LEADS = re.compile(r"stair\w*[^.,]*?\b(up|down)\b")
_TURN_DEG = {"left": -90.0, "right": 90.0, "straight": 0.0, "around": 180.0}


class RulesIndoorSettings(Settings):
    """How the rules weigh what they read."""

    step_limit: int = Field(25, ge=1, le=500, description="The walk ends after this many steps.")
    patience: int = Field(4, ge=1, le=50, description="A clause that is not reached is given up after this many moves.")
    word_weight: float = Field(1.0, ge=0, description="Weight of a word of the clause that a direction names.")
    turn_weight: float = Field(1.2, ge=0, description="Weight of lying where the clause turns.")
    visited_penalty: float = Field(1.5, ge=0, description="What going back to a viewpoint costs.")


@dataclass
class _Walk:
    node: str
    heading_deg: float
    index: int
    clauses: tuple[Clause, ...]
    current: int = 0
    moves: int = 0
    """Since the current clause began."""
    turned: bool = False
    """Whether the clause's turn was made."""
    began_in: frozenset[str] = frozenset()
    """What the place was when the clause began."""
    visited: dict[str, int] = field(default_factory=dict)

    @property
    def clause(self) -> Clause | None:
        return self.clauses[self.current] if self.current < len(self.clauses) else None

    def plan(self) -> tuple[SubGoal, ...]:
        return tuple(
            SubGoal(
                description=clause.text,
                status="COMPLETED" if k < self.current else "IN_PROGRESS" if k == self.current else "TODO",
                iteration=self.moves + 1 if k == self.current else None,
            )
            for k, clause in enumerate(self.clauses)
        )


class RulesIndoor:
    """The navigator ``rules-indoors``."""

    name: ClassVar[str] = "rules-indoors"
    summary: ClassVar[str] = (
        "Rules on the words of the eight directions around it; no model, no map, sees linked viewpoints."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[frozenset[Literal["geo", "metric"]]] = frozenset({"metric"})
    settings_type: ClassVar[type[Settings]] = RulesIndoorSettings

    def navigate(
        self,
        episode: Episode,
        graph: Graph,
        llm: LanguageModel | None,  # noqa: ARG002 - needs none
        settings: Settings,
        past: Trace | None = None,
    ) -> Iterator[Event]:
        """Walk the episode; see `navviz.navigators.base.Navigator`."""
        options = own_settings(settings, RulesIndoorSettings, self.name)
        walk = _Walk(*place_after(episode, graph, past), clauses=read_clauses(episode.instruction))
        _remember(walk, past)
        if past is None:
            yield PlanEvent(sub_goals=walk.plan(), panels=(_reading(walk.clauses),))
        while walk.index < options.step_limit:
            stopped = yield from _step(walk, graph, options)
            if stopped is not None:
                yield EndEvent(status="done", reason=stopped, node=walk.node, plan=walk.plan())
                return
        reason = f"the instruction was not finished after {options.step_limit} steps"
        yield EndEvent(status="limit", reason=reason, node=walk.node, plan=walk.plan())


def _remember(walk: _Walk, past: Trace | None) -> None:
    """Take over clause and visited viewpoints from an older trace."""
    walk.visited[walk.node] = 1
    if past is None:
        return
    for node in past.path:
        walk.visited[node] = walk.visited.get(node, 0) + 1
    last = past.steps[-1] if past.steps else None
    if last is not None and last.sub_goal is not None:
        walk.current = min(last.sub_goal, len(walk.clauses))
        walk.moves = (last.plan[last.sub_goal].iteration or 1) if last.sub_goal < len(last.plan) else 0


def _reading(clauses: Sequence[Clause]) -> Panel:
    rows = [
        [c.text, c.turn or c.side or "", c.stairs or "", "leave" if c.leave else "", ", ".join(c.words)]
        for c in clauses
    ]
    columns = ["clause", "turn", "stairs", "", "words"]
    return Panel(kind="table", title="What the rules read", data={"columns": columns, "rows": rows})


def _step(walk: _Walk, graph: Graph, options: RulesIndoorSettings) -> Generator[Event, None, str | None]:
    """One step; gives the reason where the walk stops with it."""
    walk.index += 1
    views = look_around(graph, walk.node, walk.heading_deg)
    seen = observe(views, described=walk.node in observations_of(graph).scenes)
    here = _here(walk, graph, views)
    done = _advance(walk, here, options.patience)
    yield StepEvent(
        index=walk.index,
        node=walk.node,
        heading_deg=walk.heading_deg,
        plan=walk.plan(),
        sub_goal=walk.current if walk.clause is not None else None,
    )
    yield ObservationEvent(observation=seen)
    yield PanelEvent(panel=views_panel(views))
    ranked = _ranked(walk, here, views, options)
    if walk.clause is None or not ranked:
        why = done if walk.clause is None else "no way leads on from here"
        yield DecisionEvent(decision=Decision(target=walk.node, stop=True, reason=why[:1].upper() + why[1:] + "."))
        return why
    yield PanelEvent(panel=_bars(ranked))
    best = ranked[0]
    yield DecisionEvent(
        decision=Decision(target=best.way.node, sub_goal_status="IN_PROGRESS", reason=best.reason),
        candidates=_marked(seen.candidates, ranked),
    )
    heading = graph.heading_deg(walk.node, best.way.node)
    yield MoveEvent(path=(walk.node, best.way.node), heading_deg=heading)
    walk.turned = walk.turned or best.turned
    walk.node, walk.heading_deg, walk.moves = best.way.node, heading, walk.moves + 1
    walk.visited[walk.node] = walk.visited.get(walk.node, 0) + 1
    return None


# --- which clause


@dataclass(frozen=True, slots=True)
class _Here:
    """The words of a place: what it is, what lies within 3 m, what each direction names."""

    place: frozenset[str]
    near: frozenset[str]
    said: tuple[frozenset[str], ...]

    @property
    def named(self) -> frozenset[str]:
        return frozenset().union(*self.said)


def _here(walk: _Walk, graph: Graph, views: Sequence[View]) -> _Here:
    summary = summary_of(graph, walk.node)
    place = summary.split(" with ")[0].split(";")[0].split(",")[0]
    near = (word for view in views for thing in view.objects for word in content_words(thing.name))
    return _Here(frozenset(content_words(place)), frozenset(near), tuple(_words_of(view) for view in views))


def _words_of(view: View) -> frozenset[str]:
    return frozenset(content_words(" ".join([view.scene or "", *(thing.name for thing in view.objects)])))


def _advance(walk: _Walk, here: _Here, patience: int) -> str:
    """Complete the clauses that are fulfilled here; gives the reason of the last one."""
    why = "the instruction says nothing that can be followed"
    while (clause := walk.clause) is not None:
        if walk.moves == 0 and not walk.turned:
            walk.began_in = here.place
        following = walk.clauses[walk.current + 1] if walk.current + 1 < len(walk.clauses) else None
        found = _fulfilled(clause, following, here, walk, patience)
        if found is None:
            break
        why = f'"{clause.text}" is done: {found}'
        walk.current, walk.moves, walk.turned = walk.current + 1, 0, False
    return why


def _fulfilled(clause: Clause, following: Clause | None, here: _Here, walk: _Walk, patience: int) -> str | None:
    """Why a clause is done; ``None`` where it is not."""
    words = frozenset(clause.words) - _OPENINGS
    if walk.moves >= patience:
        return f"given up after {walk.moves} moves"
    if clause.stairs is not None:
        return "off the stairs" if walk.moves >= 2 and not here.place & _STAIR_PLACES else None
    if clause.turn in {"left", "right", "around"} and not walk.turned:
        return None
    if clause.leave or words != frozenset(clause.words):
        through = walk.moves >= 1 and here.place != walk.began_in
        if through or not words:
            return "the place is left" if through else None
    return _reached(clause, words, here, walk) or _overtaken(words, following, here, walk)


def _reached(clause: Clause, words: frozenset[str], here: _Here, walk: _Walk) -> str | None:
    """Return what of a clause is within 3 m, or the place is; a stop wants all its words, at least for two moves."""
    if not words:
        return "moved" if walk.moves >= 1 or clause.stop or walk.turned else None
    if clause.past and walk.moves >= 1 and words & here.named:
        return f"{', '.join(sorted(words & here.named))} passed"
    reached = words & (here.near | here.place)
    if not reached or (clause.stop and reached != words and walk.moves < 2):
        return None
    return f"{', '.join(sorted(reached))} reached"


def _overtaken(words: frozenset[str], following: Clause | None, here: _Here, walk: _Walk) -> str | None:
    """Nothing of the clause can be seen any more, but the next one can."""
    if following is None or walk.moves < 1 or words & here.named:
        return None
    ahead = frozenset(following.words) - _OPENINGS
    return "the next is in sight" if ahead & here.named else None


# --- which way


@dataclass(frozen=True, slots=True)
class _Scored:
    way: Candidate
    score: float
    reason: str
    turned: bool
    """Whether it makes the clause's turn."""


def _ranked(walk: _Walk, here: _Here, views: Sequence[View], options: RulesIndoorSettings) -> list[_Scored]:
    clause = walk.clause
    if clause is None:
        return []
    wanted = _wanted(walk, clause)
    scored = [_scored(walk, clause, way, view, wanted, here, options) for view in views for way in view.candidates]
    return sorted(scored, key=lambda item: (-item.score, item.way.node))


def _wanted(walk: _Walk, clause: Clause) -> dict[str, float]:
    """Words to look out for, with weights; those of the next clause less."""
    wanted = dict.fromkeys(clause.words, 0.4 if clause.past else 1.0)
    if clause.leave:
        wanted |= {"door": 0.6, "arch": 0.4} | dict.fromkeys(walk.began_in, -0.6)
    if clause.stairs is not None:
        wanted |= {"stair": 2.0}
    following = walk.clauses[walk.current + 1] if walk.current + 1 < len(walk.clauses) else None
    for word in following.words if following is not None else ():
        wanted.setdefault(word, 0.4)
    return wanted


def _turn_now(walk: _Walk, clause: Clause, here: _Here) -> str | None:
    """Return the turn that is due at this place: at once, or where the clause's own places are reached."""
    if clause.turn is None or walk.turned:
        return None
    words = frozenset(clause.words) - _OPENINGS
    here_too = not words or bool(words & (here.place | here.near)) or not words & here.named
    return clause.turn if here_too else None


def _scored(
    walk: _Walk,
    clause: Clause,
    way: Candidate,
    view: View,
    wanted: Mapping[str, float],
    here: _Here,
    options: RulesIndoorSettings,
) -> _Scored:
    k = DIRECTIONS.index(view.label)
    beside = here.said[k - 1] | here.said[(k + 1) % len(DIRECTIONS)]
    share = {word: 1.0 if word in here.said[k] else 0.5 for word in wanted if word in here.said[k] | beside}
    named = {word: wanted[word] * part * _rarity(word, here.said) for word, part in share.items()}
    if clause.stairs is not None and "stair" in named and _other_way(view.scene or "", clause.stairs):
        named["stair"] = -2.0
    score = options.word_weight * sum(named.values())
    turn = _turn_now(walk, clause, here) or (clause.side if named.keys() & set(clause.words) else None)
    off = abs(((way.angle_deg or 0.0) - _TURN_DEG[turn or "straight"] + 180) % 360 - 180)
    strength = options.turn_weight if turn else 0.35 * options.turn_weight
    score += strength * math.cos(math.radians(off))
    if clause.stairs is None and "stair" in here.said[k] and not here.place & _STAIR_PLACES:
        score -= _UNASKED_STAIRS
    visits = walk.visited.get(way.node, 0)
    score -= options.visited_penalty * visits
    reasons = [f"names {', '.join(sorted(named))}"] if named else []
    if turn:
        reasons.append(f"{off:.0f} degrees off {turn}")
    if visits:
        reasons.append("has been visited")
    made = turn is not None and turn == _turn_now(walk, clause, here) and off <= _TURN_WITHIN_DEG
    return _Scored(way, score, "; ".join(reasons) or "the way ahead", made)


def _other_way(scene: str, wanted: str) -> bool:
    """Whether the stairs of a scene lead up where down is wanted, or the other way round."""
    found = set(_LEADS.findall(scene.lower()))
    return bool(found) and wanted not in found


def _rarity(word: str, said: Sequence[frozenset[str]]) -> float:
    """Weigh words by how few of the eight directions name them (inverse document frequency)."""
    count = sum(word in words for words in said)
    return math.log((1 + len(said)) / (1 + count)) / math.log((1 + len(said)) / 2)


def _bars(ranked: Sequence[_Scored]) -> Panel:
    items = [
        {
            "label": f"{item.way.node} ({item.way.direction})",
            "value": round(item.score, 3),
            "chosen": k == 0,
            "note": item.reason,
        }
        for k, item in enumerate(ranked)
    ]
    return Panel(kind="bars", title="Scores of the ways", data={"items": items})


def _marked(candidates: Sequence[Candidate], ranked: Sequence[_Scored]) -> tuple[Candidate, ...]:
    scores = {item.way.node: item for item in ranked}
    return tuple(
        way.model_copy(
            update={
                "state": "chosen" if way.node == ranked[0].way.node else "offered",
                "score": round(scores[way.node].score, 3),
                "reason": scores[way.node].reason,
            }
        )
        for way in candidates
    )
