"""The three baselines of GROKE's Table 2 (Shami et al. 2026): random walker, action sampling, regex
heuristic.

Each stands here twice. Under its plain name it knows nothing of the route and ends by a rule of its
own, whose figures come from Map2Seq's validation split (605 routes: 361 m long on average, standard
deviation 36 m; one turns left at 23 % of the intersections, right at 22 %, goes straight on at 55
%; the goal lies 119 m after the last turn). With ``-route-length`` it is told how long the
reference route is and stops there, as the published ones are. The paper gives no code of its
baselines; these follow its descriptions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from navviz.errors import InputError
from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Event,
    MoveEvent,
    Panel,
    PlanEvent,
    SubGoal,
)
from navviz.systems.base import INDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.baselines.base import (
    LAST_SUB_GOAL,
    Baseline,
    BaselineSettings,
    Choice,
    Situation,
    TurnWord,
    Way,
    at_light,
    describe,
    find_turns,
    turns_of,
)
from navviz.systems.indoors import mark_chosen, place_after, see
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

_IDEAL_DEG = {"Forward": 0.0, "Left": -90.0, "Right": 90.0}


class LengthSettings(BaselineSettings):
    """How far a walk goes that knows nothing of the route."""

    length_mean_m: float = Field(
        361.0, gt=0, description="Mean of the length that it draws (Map2Seq: 361 m)."
    )
    length_sd_m: float = Field(
        36.0, ge=0, description="Standard deviation of that length (Map2Seq: 36 m)."
    )


class ActionSettings(BaselineSettings):
    """Shares of the actions in the data; they need not sum to 1."""

    forward: float = Field(0.55, gt=0, description="Share of going straight on at intersections.")
    left: float = Field(0.23, ge=0, description="Share of turning left.")
    right: float = Field(0.22, ge=0, description="Share of turning right.")


class ActionSamplingSettings(ActionSettings, LengthSettings):
    """Shares of the actions, and how far it goes."""


class RegexSettings(BaselineSettings):
    """When the regex heuristic stops."""

    after_last_turn_m: float = Field(
        119.0, ge=0, description="How far it goes on after the last turn that it reads."
    )


class RandomWalkerRouteLength(Baseline):
    """A random way at each intersection, for as long as the reference route is."""

    name: ClassVar[str] = "random-walker-route-length"
    summary: ClassVar[str] = (
        "Random way at each intersection; stops at the reference route's length, which it is given."
    )
    settings_type: ClassVar[type[Settings]] = BaselineSettings
    knows_length: ClassVar[bool] = True

    def choose(self, at: Situation, settings: Settings) -> Choice:
        """Every way on is as likely as the next; the way back only at a dead end."""
        chosen = at.step_rng.randrange(len(at.ways))
        share = 1 / len(at.ways)
        reason = "There is no other way."
        if len(at.ways) > 1:
            reason = f"One of {len(at.ways)} by chance."
        items = [_bar(way.label, share, chosen=i == chosen) for i, way in enumerate(at.ways)]
        return Choice(
            way=at.ways[chosen],
            reason=reason,
            panel=Panel(kind="bars", title="Chances", data={"items": items}),
            scores=(share,) * len(at.ways),
            remaining_m=_drawn_m(at, settings),
        )


class RandomWalker(RandomWalkerRouteLength):
    """A random way at each intersection, for a length drawn from that of routes in the data."""

    name: ClassVar[str] = "random-walker"
    summary: ClassVar[str] = (
        "Random way at each intersection; draws how far it goes, knows nothing of the route."
    )
    settings_type: ClassVar[type[Settings]] = LengthSettings
    knows_length: ClassVar[bool] = False


class ActionSamplingRouteLength(Baseline):
    """Actions as frequent as in the data, for as long as the reference route is."""

    name: ClassVar[str] = "action-sampling-route-length"
    summary: ClassVar[str] = (
        "Draws turns as often as routes have them; stops at the route's length, which it is given."
    )
    settings_type: ClassVar[type[Settings]] = ActionSettings
    knows_length: ClassVar[bool] = True

    def choose(self, at: Situation, settings: Settings) -> Choice:
        """Draw an action that some way on allows, and take the way that fits it best."""
        shares = _possible(at.ways, settings)
        actions = list(shares)
        action = at.step_rng.choices(actions, list(shares.values()))[0]
        # several ways may allow the action: the one nearest to straight on, or to a right angle
        way = min(at.ways, key=lambda way: abs(way.angle_deg - _IDEAL_DEG[action]))
        items = [_bar(name, share, chosen=name == action) for name, share in shares.items()]
        return Choice(
            way=way,
            reason=f"{action}, by chance.",
            panel=Panel(
                kind="bars",
                title="Chances of the actions that are possible here",
                data={"items": items},
            ),
            scores=tuple(shares.get(w.direction) for w in at.ways),
            remaining_m=_drawn_m(at, settings),
        )


class ActionSampling(ActionSamplingRouteLength):
    """Actions as frequent as in the data, for a length drawn from that of routes in the data."""

    name: ClassVar[str] = "action-sampling"
    summary: ClassVar[str] = (
        "Draws turns as often as routes have them, and how far it goes; knows nothing of the route."
    )
    settings_type: ClassVar[type[Settings]] = ActionSamplingSettings
    knows_length: ClassVar[bool] = False


class RegexHeuristicRouteLength(Baseline):
    """Turn words in order, one an intersection, for as long as the reference route is."""

    name: ClassVar[str] = "regex-heuristic-route-length"
    summary: ClassVar[str] = (
        "Takes the turn words in order; stops at the reference route's length, which it is given."
    )
    settings_type: ClassVar[type[Settings]] = BaselineSettings
    knows_length: ClassVar[bool] = True

    def plan(self, instruction: str) -> PlanEvent:
        """One sub-goal for each turn that a regular expression finds, and one for the end."""
        turns = find_turns(instruction)
        goals = [SubGoal(description=text) for text in (*map(describe, turns), LAST_SUB_GOAL)]
        rows = []
        for turn in turns:
            place = "traffic light" if turn.at_light else "intersection"
            rows.append([turn.words, turn.side, place])
        data = {"columns": ["words", "turn", "at the next"], "rows": rows}
        panel = Panel(kind="table", title="What the regular expressions find", data=data)
        return PlanEvent(sub_goals=tuple(goals), panels=(panel,))

    def choose(self, at: Situation, settings: Settings) -> Choice:
        """Take the next turn as soon as the street allows it, else go straight on."""
        turn = next(iter(turns_of(at.to_do[:1])), None)
        turning = _turning(at, turn)
        way = turning or min(at.ways, key=lambda way: abs(way.angle_deg))
        rows = [["next turn", describe(turn) if turn is not None else "none is left"]]
        rows += [
            ["traffic light here", "yes" if at_light(at.graph, at.walk.node) else "no"],
            ["takes", way.label],
        ]
        left = len(turns_of(at.to_do)) - (turning is not None)
        return Choice(
            way=way,
            reason=_why(turn, turning),
            panel=Panel(kind="keyvalue", title="Rule", data={"items": rows}),
            scores=(None,) * len(at.ways),
            # as long as turns are left, the walk has no end of its own
            remaining_m=(
                None if left else self.remaining_m(at, settings, turned=turning is not None)
            ),
            turned=turning is not None,
        )

    def remaining_m(self, at: Situation, settings: Settings, *, turned: bool) -> float | None:  # noqa: ARG002
        """How far it goes when no turn is left, where it has a rule of its own."""
        return None


class RegexHeuristic(RegexHeuristicRouteLength):
    """Turn words in order, one an intersection, and a fixed distance after the last."""

    name: ClassVar[str] = "regex-heuristic"
    summary: ClassVar[str] = (
        "Takes the turn words in order, then goes on for a fixed distance; no route length."
    )
    settings_type: ClassVar[type[Settings]] = RegexSettings
    knows_length: ClassVar[bool] = False

    def remaining_m(self, at: Situation, settings: Settings, *, turned: bool) -> float | None:
        """Return what is left of the distance after the last turn."""
        if not isinstance(settings, RegexSettings):
            return None
        return max(0.0, settings.after_last_turn_m - (0.0 if turned else at.walk.since_turn_m))


def _drawn_m(at: Situation, settings: Settings) -> float | None:
    """Return what is left of the length drawn at the start."""
    if not isinstance(settings, LengthSettings):
        return None
    # drawn anew at each step, but with a seed that knows no step: one length a walk, also for a
    # fork that remembers nothing
    drawn_m = at.rng("length").gauss(settings.length_mean_m, settings.length_sd_m)
    return max(0.0, drawn_m - at.walk.walked_m)


def _turning(at: Situation, turn: TurnWord | None) -> Way | None:
    """Return the way that takes the turn; ``None`` where it cannot be taken here."""
    if turn is None or (turn.at_light and not at_light(at.graph, at.walk.node)):
        return None
    fitting = [way for way in at.ways if way.direction == turn.side]
    return min(fitting, key=lambda way: abs(way.angle_deg - _IDEAL_DEG[turn.side]), default=None)


def _why(turn: TurnWord | None, turning: Way | None) -> str:
    if turn is None:
        return "No turn is left: straight on."
    if turning is None:
        return f"{describe(turn)}: not possible here, straight on."
    return f"{describe(turn)}: taken here."


def _possible(ways: Sequence[Way], settings: Settings) -> dict[str, float]:
    """Shares of the actions that some way allows, with sum 1; straight on where none is."""
    if not isinstance(settings, ActionSettings):
        return {"Forward": 1.0}
    shares = {"Forward": settings.forward, "Left": settings.left, "Right": settings.right}
    allowed = {way.direction for way in ways}
    possible = {
        action: share for action, share in shares.items() if action in allowed and share > 0
    }
    total = sum(possible.values())
    return {action: share / total for action, share in possible.items()} or {"Forward": 1.0}


def _bar(label: str, value: float, *, chosen: bool) -> dict[str, object]:
    return {"label": label, "value": round(value, 3), "chosen": chosen}


_AHEAD_DEG = 30.0
"""The random agent of R2R sees 60 degrees, and turns on by 30 where no viewpoint lies in sight."""


class OracleSettings(Settings):
    """It has none."""


class RandomSettings(Settings):
    """How the random walker walks."""

    seed: int = Field(0, description="The same seed gives the same walk.")
    moves: int = Field(5, ge=1, le=200, description="It stops after this many moves (R2R: 5).")


class ShortestPathOracle(TaskNavigator[OracleSettings]):
    """The navigator ``shortest-path-oracle``."""

    name: ClassVar[str] = "shortest-path-oracle"
    summary: ClassVar[str] = (
        "Walks the shortest path to the goal, which it is given: the upper bound, not an agent."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = OracleSettings

    def walk(self, task: NavigationTask[OracleSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        episode, graph = task.episode, task.graph
        node, heading, index = place_after(episode, graph, task.past)
        goal = episode.goal
        path = graph.shortest_path(node, goal) if goal is not None and goal in graph else None
        if path is None:
            raise InputError(
                "the goal is unknown or cannot be reached",
                "choose another navigator",
                episode=episode.id,
            )
        for target in path[1:]:
            index += 1
            seen = yield from see(graph, index, node, heading)
            yield DecisionEvent(
                decision=Decision(target=target, reason="Next on the shortest path to the goal."),
                candidates=mark_chosen(seen.candidates, target),
            )
            heading = graph.heading_deg(node, target)
            yield MoveEvent(path=(node, target), heading_deg=heading)
            node = target
        yield from see(graph, index + 1, node, heading)
        yield DecisionEvent(decision=Decision(target=node, stop=True, reason="This is the goal."))
        yield EndEvent(status="done", node=node)


class RandomWalkerIndoors(TaskNavigator[RandomSettings]):
    """The navigator ``random-walker-indoors``."""

    name: ClassVar[str] = "random-walker-indoors"
    summary: ClassVar[str] = (
        "Turns to a random heading and goes ahead five times, as R2R's random agent does."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = RandomSettings

    def walk(self, task: NavigationTask[RandomSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        episode, graph, options, past = task.episode, task.graph, task.settings, task.past
        # a seed of its own for each episode, so that their order changes no walk
        rng = random.Random(f"{options.seed} {episode.id}")  # noqa: S311 - a baseline, no secret
        node, heading, index = place_after(episode, graph, past)
        # only a walk from the start turns at random; a fork goes on as it faces
        facing = rng.uniform(0, 360) if past is None else heading
        while index < options.moves and graph.degree(node):
            index += 1
            seen = yield from see(graph, index, node, heading)
            target, turned = _ahead(graph, node, facing)
            reason = "The way ahead."
            if turned:
                reason = f"Turned {turned:.0f} degrees on to find a way ahead."
            decision = Decision(target=target, reason=reason)
            yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, target))
            facing = heading = graph.heading_deg(node, target)
            yield MoveEvent(path=(node, target), heading_deg=heading)
            node = target
        yield from see(graph, index + 1, node, heading)
        reason = f"{options.moves} moves are done."
        yield DecisionEvent(decision=Decision(target=node, stop=True, reason=reason))
        yield EndEvent(status="done", node=node)


def _ahead(graph: Graph, node: str, facing_deg: float) -> tuple[str, float]:
    """Return the viewpoint nearest to straight ahead, after as many turns to the right as it takes
    to see one.
    """
    links = graph.links(node)
    for k in range(12):
        look = facing_deg + k * _AHEAD_DEG
        seen = [(abs(turn_deg(look, heading)), other) for other, heading in links]
        best = min(seen)
        if best[0] <= _AHEAD_DEG:
            return best[1], k * _AHEAD_DEG
    # twelve looks cover the circle, so only a heading that is no number leads here
    return links[0][0], 360.0
