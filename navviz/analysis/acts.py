"""The decisive act of a failed walk: the first act of its instruction that it did not do.

It comes from instruction, map, reference path and walk alone; what a model wrote never changes it.
`docs/causes.md` defines each *how*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from navviz.analysis.act_words import SLIGHT_TURN_DEG, STRAIGHT_DEG, sentence_of
from navviz.analysis.crossings import HALVES_M
from navviz.analysis.house_acts import (
    HouseRoute,
    ended_in_house,
    missed_free,
    missed_in_house,
    told_house,
)
from navviz.analysis.street_acts import THERE_M, TURN_DEG, street_turns, told_route
from navviz.analysis.told_route import ToldRoute, left_at, lengths_along
from navviz.analysis.turns import WalkedTurn, bend_deg, first_heading_deg, walked_turns
from navviz.metrics.departures import Departure, follow, moves_of, route_of
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.records import Trace
from navviz.records.act import Act, DecisiveAct, How
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

NEAR_M: Final = 32.0

"""Turns of route and walk within this are made at one junction."""

_GOAL_M: Final = 30.0

"""Where less than this is left of the route, what is due is the stop."""

_START_M: Final = 2.0

_BEFORE_M: Final = 5.0

_NEAR_END_M: Final = 10.0

_LOOK_BACK_M: Final = 100.0

_JUMPED_M: Final = 60.0

"""A walk that meets the route again so far on, behind a turn that it did not make, met it by
chance.
"""

_ENDS: Final[dict[str, How]] = {
    "undershoot": "stopped early",
    "did not stop": "did not stop",
    "illegal decision": "broke off",
}


@dataclass(frozen=True, slots=True)
class ActFork:
    """Where a walk left its route, with the turns of both there."""

    route: ToldRoute
    place: int
    """Index into the route."""
    at: int
    """Index into the walk."""
    departure: Departure
    walk: tuple[str, ...]
    walk_m: tuple[float, ...]
    route_turn: WalkedTurn | None
    walk_turn: WalkedTurn | None
    later: WalkedTurn | None
    """The next turn of the walk."""

    @property
    def act(self) -> Act | None:
        """The told turn of the route here."""
        return None if self.route_turn is None else self.route.act_of.get(self.route_turn.place)

    @property
    def next(self) -> Act | None:
        """The next told turn that has a place on the route."""
        here = self.place if self.route_turn is None else self.route_turn.place
        along_m = self.route.along_m
        for act in self.route.acts:
            ahead = act.kind == "turn" and act.at is not None and act.at > here
            if ahead and act.at is not None and along_m[act.at] > along_m[self.place] + _BEFORE_M:
                return act
        return None

    @property
    def last(self) -> Act | None:
        """The last told turn of the route that was made."""
        along_m, last = self.route.along_m, None
        for place in sorted(self.route.act_of):
            if place < self.place and along_m[place] < along_m[self.place] - _BEFORE_M:
                last = self.route.act_of[place]
        return last

    @property
    def left_m(self) -> float:
        """Metres that are left of the route."""
        return self.route.along_m[-1] - self.route.along_m[self.place]

    @property
    def due(self) -> tuple[Act, ...]:
        """What is to be done from here on up to the next told turn, in order; else the stop."""
        return _due(self.route, self.place, 15.0, self.act or self.next)


def decisive_act(
    trace: Trace, graph: Graph, divergence: Divergence | None = None
) -> DecisiveAct | None:
    """Find the act that a failed walk did not do; ``None`` for a success, where the service did not
    answer, and where nobody knows the route.
    """
    if divergence is None:
        divergence = find_divergence(trace, graph)
    episode = trace.episode
    if divergence.kind == "no reference" or trace.unanswered is not None:
        return None
    if trace.is_free and trace.steps:
        return missed_free(trace, divergence)
    if divergence.error_m is None or divergence.error_m <= episode.success_radius_m:
        return None
    reading = told_house if graph.frame == "metric" else told_route
    route = reading(episode, graph)
    walk = trace.path
    departure = _never_repaired(divergence, route, walk, graph)
    if departure is None:
        return _at_the_end(trace, graph, divergence, route)
    if isinstance(route, HouseRoute):
        return missed_in_house(departure, route, trace)
    fork = _fork(departure, route, walk, graph)
    how, act = _how(fork)
    made = _made_before(fork, how, graph)
    if made is not None:
        fork, act = replace(fork, walk_turn=made[0]), fork.act or fork.next
        how = "too early" if made[1] > HALVES_M else "two ways"
    bends_deg = (
        fork.route_turn.angle_deg if fork.route_turn else bend_deg(route.path, graph, fork.place),
        fork.walk_turn.angle_deg if fork.walk_turn else bend_deg(walk, graph, fork.at),
    )
    due_deg, walked_deg = (abs(angle) for angle in bends_deg)
    straight = walked_deg < STRAIGHT_DEG <= due_deg and due_deg - walked_deg >= STRAIGHT_DEG / 2
    if how == "other way" and act is not None and act.kind == "pass" and straight:
        # who is told to pass a junction goes straight on, and not with a route that bends
        how, act = "unsaid turn", None
    step = trace.step_at(departure.step)
    miss = DecisiveAct(
        act=act,
        how=how,
        sentence="-",
        node=walk[fork.at],
        step=departure.step,
        sub_goal=None if step is None else step.sub_goal,
        route_place=fork.place,
        walk_place=fork.at,
        route_side=None if fork.route_turn is None else fork.route_turn.side,
        walked_side=None if fork.walk_turn is None else fork.walk_turn.side,
        last_turn=fork.last,
        due=fork.due,
        acts=route.acts,
        at_m=route.along_m[fork.place],
        off_m=_off_m(fork, how, act),
    )
    parts_left = False
    if how == "other way":
        onward = [
            first_heading_deg(way, graph) for way in (route.path[fork.place :], walk[fork.at :])
        ]
        parts_left = turn_deg(*onward) < 0
    against = _against(fork) if how == "unsaid turn" else None
    turned_at = None
    if fork.walk_turn is not None and fork.walk_turn.node in route.path:
        turned_at = route.path.index(fork.walk_turn.node)
    elif fork.walk_turn is not None:
        near = abs(fork.walk_m[fork.walk_turn.place] - fork.walk_m[fork.at]) <= HALVES_M
        turned_at = fork.place if near else None
    sentence = sentence_of(
        miss, route, walk, graph, episode.instruction, bends_deg, parts_left, against, turned_at
    )
    return miss.model_copy(update={"sentence": sentence})


def _never_repaired(
    divergence: Divergence, route: ToldRoute, walk: tuple[str, ...], graph: Graph
) -> Departure | None:
    """Return the first departure that was not repaired as acts. Of a crossing with two nodes a turn
    at the one is that at the other.
    """
    along_m = route.along_m

    turns: list[WalkedTurn] = []

    def made(turn: WalkedTurn, departure: Departure) -> bool:
        way = {departure.node, *departure.after} - {departure.returned_node}
        if not turns:  # most walks that were repaired missed no turn
            turns.extend(street_turns(walk, graph))
        for walked in turns:
            there = walked.node in way and walked.side == turn.side
            if there and graph.distance_m(walked.node, turn.node) <= HALVES_M:
                return True
        return False

    for departure in divergence.departures:
        if departure.returned_node is None:
            return departure
        back = [
            place
            for place in range(departure.place, len(route.path))
            if route.path[place] == departure.returned_node
        ]
        if not back or along_m[back[0]] - along_m[departure.place] <= _JUMPED_M:
            continue
        for turn in route.turns:
            jumped = turn.angle_deg != 0 and departure.place - 2 <= turn.place < back[0]
            jumped = jumped and along_m[back[0]] - along_m[turn.place] > 3
            if jumped and not made(turn, departure):
                return departure
    return None


def _fork(departure: Departure, route: ToldRoute, walk: tuple[str, ...], graph: Graph) -> ActFork:
    """Look for the turns of route and walk where it left the route."""
    at, place = left_at(departure, walk, route.path)
    along_m, walk_m = route.along_m, lengths_along(walk, graph)
    walked = street_turns(walk, graph)
    made = {
        (turn.node, turn.side) for turn in walked_turns(walk, graph, TURN_DEG) if turn.place < at
    }
    due = [
        turn
        for turn in route.turns
        if turn.place >= place - (2 if turn.angle_deg else 0)
        and abs(along_m[turn.place] - along_m[place]) <= NEAR_M
        and (turn.node, turn.side) not in made
    ]
    # what the route turns too, before the walk left it, was made
    shared = {(turn.node, turn.side) for turn in route.turns if turn.place < place}
    taken = [
        turn
        for turn in walked
        if turn.place >= at - 1 and abs(walk_m[turn.place] - walk_m[at]) <= NEAR_M
        if turn.place >= at or (turn.node, turn.side) not in shared
    ]
    if not taken:
        # a turn that only makes up for one that was due as well was made here
        raw = walked_turns(walk, graph, TURN_DEG)
        taken = [turn for turn in raw if turn.place == at and (turn.node, turn.side) not in shared]
    later = [
        turn for turn in walked if turn.place > at and walk_m[turn.place] - walk_m[at] > NEAR_M
    ]
    return ActFork(
        route,
        place,
        at,
        departure,
        walk,
        walk_m,
        min(due, key=lambda turn: abs(along_m[turn.place] - along_m[place]), default=None),
        min(taken, key=lambda turn: abs(walk_m[turn.place] - walk_m[at]), default=None),
        later[0] if later else None,
    )


def _how(fork: ActFork) -> tuple[How, Act | None]:
    """Compare the turns of route and walk at a fork; the first row that holds says how."""
    turn, walked, route = fork.route_turn, fork.walk_turn, fork.route
    stop, due, loose = route.acts[-1], fork.due[0], _loose_here(fork)
    side = None if walked is None else walked.side
    same = turn is not None and turn.side == side
    turns = side is not None
    # a turn off the route before its end is a turn, however near the end is
    at_goal = fork.next is None and fork.left_m <= (_NEAR_END_M if turns else _GOAL_M)
    # who is told nothing of a slight bend goes by the next turn
    bends = turn is not None and fork.act is None and turns and side != turn.side
    bends = bends and turn is not None and 0 < abs(turn.angle_deg) < SLIGHT_TURN_DEG
    bends = bends and walked is not None and abs(walked.angle_deg) >= SLIGHT_TURN_DEG
    # of two junctions near each other it may have taken the other one
    ahead_m = 0.0
    if turn is not None and walked is not None:
        ahead_m = (route.along_m[turn.place] - route.along_m[fork.place]) - (
            fork.walk_m[walked.place] - fork.walk_m[fork.at]
        )
    later = _is_late(fork)
    rows: list[tuple[bool, How, Act | None]] = [
        (_is_retraced(fork.departure), "turned back", fork.act or fork.next or stop),
        (route.along_m[fork.place] < _START_M, "set out wrong", fork.act or route.acts[0]),
        (loose is not None and not same, "told, not on route", loose),
        (fork.act is None and at_goal, "went on", _last_loose(route, side) or stop),
        (bends and fork.next is not None and fork.next.side == side, "too early", fork.next),
        (turn is not None and fork.act is None, "unsaid turn", None),
        (same and ahead_m > HALVES_M, "too early", fork.act),
        (same and ahead_m < -HALVES_M, "too late", fork.act),
        (same, "two ways", fork.act),
        (turn is not None and turns, "wrong side", fork.act),
        (later, "too late", fork.act),
        (turn is not None, "skipped", fork.act),
        (not turns, "other way", due),
        (fork.next is not None and fork.next.side == side, "too early", fork.next),
        (fork.last is not None and fork.last.side == side, "repeated", due),
    ]
    return next(((how, act) for holds, how, act in rows if holds), ("extra turn", due))


def _is_retraced(departure: Departure) -> bool:
    """Tell whether a walk went back by a link that it had come by."""
    came = pairwise(departure.before)
    return departure.backwards and (departure.taken, departure.node) in came


def _made_before(fork: ActFork, how: How, graph: Graph) -> tuple[WalkedTurn, float] | None:
    """Return the turn that was due next, where the walk made it before it left the route, and by
    how many metres of the route it came too early; 0 where it was made beside the route.
    """
    act = fork.act or fork.next
    doubtful = how == "other way" or fork.departure.backwards
    if not doubtful or act is None or act.at is None:
        return None
    route, here_m = fork.route, fork.walk_m[fork.at]
    if how == "other way" and fork.due[0] != act:
        return None
    shared = {(turn.node, turn.side) for turn in route.turns}
    for turn in reversed(street_turns(fork.walk[: fork.at + 2], graph)):
        early = turn.place < fork.at and turn.side == act.side
        if not early or (turn.node, turn.side) in shared:
            continue
        if here_m - fork.walk_m[turn.place] > _LOOK_BACK_M:
            break
        on = [k for k in range(act.at + 1) if route.path[k] == turn.node]
        return turn, route.along_m[act.at] - route.along_m[on[-1]] if on else 0.0
    return None


def _is_late(fork: ActFork) -> bool:
    """Tell whether the next turn of the walk is the one that was due, and not that of a later act,
    nor one that it made after it had turned back.
    """
    turn, later, along_m = fork.route_turn, fork.later, fork.route.along_m
    if turn is None or later is None or later.side != turn.side:
        return False
    way = fork.walk[fork.at : later.place + 1]
    if len(set(way)) < len(way) or set(way[1:]) & set(fork.walk[: fork.at]):
        return False
    following = fork.next
    if following is None or following.at is None or following.side != turn.side:
        return True
    walked_m = fork.walk_m[later.place] - fork.walk_m[fork.at]
    due_m = along_m[turn.place] - along_m[fork.place]
    next_m = along_m[following.at] - along_m[fork.place]
    return (
        abs(walked_m - due_m) <= abs(walked_m - next_m)
        and fork.route.path[following.at] != later.node
    )


def _last_loose(route: ToldRoute, side: str | None) -> Act | None:
    """Return the last told turn, where it has no place on the route, which ends before it."""
    turns = [act for act in route.acts if act.kind == "turn"]
    made = {act.number for act in route.act_of.values()}
    if not turns or turns[-1].number in made or turns[-1].side in {None, side}:
        return None
    at = turns[-1].at
    near = at is None or route.along_m[-1] - route.along_m[at] <= _GOAL_M
    return turns[-1] if near else None


def _against(fork: ActFork) -> Act | None:
    """Return the told turn to the other side that stands for a turn of the route."""
    if fork.route_turn is None:
        return None
    last = -1 if fork.last is None else fork.last.number
    end = len(fork.route.acts) if fork.next is None else fork.next.number
    along_m, here = fork.route.along_m, fork.route_turn.place
    for act in fork.route.loose:
        there = act.at is None or abs(along_m[act.at] - along_m[here]) <= THERE_M
        if last < act.number < end and there and act.side not in {None, fork.route_turn.side}:
            return act
    return None


def _loose_here(fork: ActFork) -> Act | None:
    """Return the told turn that the walk made here, and that the route does not make."""
    if fork.walk_turn is None:
        return None
    last = -1 if fork.last is None else fork.last.number
    along_m, turn = fork.route.along_m, fork.act or fork.next
    for act in fork.route.loose:
        between = last < act.number and (turn is None or act.number <= turn.number)
        if act.side != fork.walk_turn.side or not between:
            continue
        # without a place it stands for a turn that nothing else asks for
        expected = fork.next is not None and fork.next.side == act.side
        there = fork.route_turn is not None or not expected
        if act.at is not None:
            there = abs(along_m[act.at] - along_m[fork.place]) <= THERE_M
        if there:
            return act
    return None


def _off_m(fork: ActFork, how: How, act: Act | None) -> float | None:
    """Return by how many metres a turn came too early or too late, or what was left of a route."""
    along_m, walk_m = fork.route.along_m, fork.walk_m
    turned = fork.walk_turn or fork.later
    if how not in {"too early", "too late"} or act is None or act.at is None or turned is None:
        return fork.left_m if how == "went on" else None
    if turned.node in fork.route.path:
        return abs(along_m[act.at] - along_m[fork.route.path.index(turned.node)])
    due_m = along_m[act.at] - along_m[fork.place]
    return abs(walk_m[turned.place] - walk_m[fork.at] - due_m)


def _due(route: ToldRoute, place: int, slack_m: float, turn: Act | None) -> tuple[Act, ...]:
    """Return the acts from a place of the route on, up to a turn; the stop where there are none."""
    last = route.acts[-1].number if turn is None else turn.number
    here_m = route.along_m[place] - slack_m
    due = []
    for act in route.acts:
        passed = act.kind in {"pass", "turn"} or act.number == last
        ahead = act.at is not None and route.along_m[act.at] >= here_m and act.number <= last
        made = act.kind == "turn" and act.at is not None and act.at < place
        if passed and ahead and not (made and act != turn):
            due.append(act)
    due = due or [route.acts[-1]]
    done = [act.number for act in route.acts[: due[0].number] if act.at is not None]
    # a told turn without a place is due where the acts around it are
    loose = [act for act in route.loose if act.at is None and act.number < due[0].number]
    return tuple(act for act in (*loose, *due) if act.number > max(done, default=-1))


def _at_the_end(
    trace: Trace, graph: Graph, divergence: Divergence, route: ToldRoute
) -> DecisiveAct | None:
    """Name the first act that a walk along its route did not come to."""
    how = _ENDS.get(divergence.kind)
    if how is None:
        return None
    walk = trace.path
    moves = list(moves_of(trace))
    place = follow(route_of(trace.episode, graph, walk), moves, graph).place
    place = len(route.path) - 1 if place is None else place
    along_m = route.along_m
    made = {(turn.node, turn.side) for turn in walked_turns(walk, graph, TURN_DEG)}
    missing = [
        turn.place
        for turn in route.turns
        if along_m[turn.place] >= along_m[place] - 1
        and (turn.node, turn.side) not in made
        and turn.place in route.act_of
    ]
    turn = route.act_of[missing[0]] if missing else None
    ahead = [act for act in route.acts if act.at is not None and act.at > place]
    rest = [act for act in ahead if _is_ahead(act, route, place, turn)]
    first = (*rest, *(() if turn is None else (turn,)), route.acts[-1])[0]
    step = divergence.step
    if divergence.kind == "illegal decision" and trace.steps:
        step = trace.steps[-1].index
    blamed = [each for each in trace.steps if each.index == step]
    miss = DecisiveAct(
        act=first,
        how=how,
        sentence="-",
        node=walk[-1],
        step=step,
        sub_goal=blamed[0].sub_goal if blamed else None,
        route_place=place,
        walk_place=len(walk) - 1,
        last_turn=_last_made(route, place),
        due=_due(route, place, -10.0, turn),
        acts=route.acts,
        at_m=along_m[place],
        off_m=along_m[-1] - along_m[place],
    )
    if isinstance(route, HouseRoute):
        return ended_in_house(miss, route)
    sentence = sentence_of(miss, route, walk, graph, trace.episode.instruction)
    return miss.model_copy(update={"sentence": sentence})


def _is_ahead(act: Act, route: ToldRoute, place: int, turn: Act | None) -> bool:
    """Tell whether an act outdoors was due before the next turn, and not just there."""
    if act.kind not in {"pass", "landmark"} or act.at is None:
        return False
    # a landmark near the end says where to stop
    near = route.along_m[-1] - route.along_m[act.at] <= _GOAL_M
    if act.kind == "landmark" and near and not isinstance(route, HouseRoute):
        return False
    before = turn is None or turn.at is None or act.at <= turn.at
    return before and route.along_m[act.at] > route.along_m[place] + 10


def _last_made(route: ToldRoute, place: int) -> Act | None:
    made = [route.act_of[at] for at in sorted(route.act_of) if at < place]
    return made[-1] if made else None
