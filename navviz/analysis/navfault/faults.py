"""The twelve kinds of fault: where each fits into a correct walk, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from navviz.analysis.navfault.routes import FaultRoute, Line, PlaceSight, moves_of, sight_of
from navviz.analysis.turns import Side

OTHER_SIDE: Final[Mapping[Side, Side]] = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that is thought: a slot of a voice, and what stands in it."""

    slot: str
    side: Side | None = None
    nth: int | None = None
    other: str | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class FaultMove:
    """One step of a walk: where it goes, which line is due, and what is thought."""

    path: tuple[str, ...]
    line: int
    """Index of the line that is due when the step begins."""
    sayings: tuple[Said, ...]
    completed: bool = False
    stop: bool = False
    unanswered: bool = False
    """Whether the service gives no answer."""


@dataclass(frozen=True, slots=True)
class FaultWalk:
    """A walk to be told in a voice."""

    route: FaultRoute
    moves: tuple[FaultMove, ...]
    swapped: int | None = None
    """The line of the plan that has the other side."""
    bare: int | None = None
    """The line of the plan that has lost its landmark."""
    hidden: str | None = None
    """The name that no prompt shows."""
    limit: bool = False
    """Whether the limit of steps ends it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault that may ruin a correct walk; `navviz.analysis.navfault.making` proves whether."""

    walk: FaultWalk
    """Up to the step of the fault, which it includes."""
    lines: tuple[int, ...]
    """Lines whose act was not done; of a repeated turn that one, too. Empty for the service."""
    fork: str
    """Where the walk leaves the route, or ends."""
    reference: str | None
    """Where the route goes on from there; ``None`` at the goal."""
    link: str | None
    """Where the walk goes instead; ``None`` where it ends."""
    first: int
    """Number of the first step that differs from the correct log, from 1; 0 where the plan does."""

    @property
    def step(self) -> int:
        """Number of the step whose link ruins the walk, from 1."""
        return len(self.walk.moves)


@dataclass(frozen=True, slots=True)
class Plain:
    """A correct walk, and what a fault needs to know of it."""

    walk: FaultWalk
    sights: tuple[PlaceSight, ...]
    """What each of its prompts shows."""

    @property
    def route(self) -> FaultRoute:
        """The route that is walked."""
        return self.walk.route

    @property
    def turns(self) -> list[tuple[Line, int]]:
        """Lines that turn, each with the index of its move."""
        hits = []
        for k, move in enumerate(self.walk.moves):
            line = self.route.lines[move.line]
            if move.completed and line.side is not None:
                hits.append((line, k))
        return hits

    def passing(self, line: Line) -> list[tuple[int, int]]:
        """Return ``(move, place)`` of the junctions that are passed before a line is done."""
        hits = []
        for k, (_, end) in enumerate(moves_of(self.route)):
            is_passed = end - 1 in self.route.crossings and end - 1 < line.place
            if is_passed and self.walk.moves[k].line == line.number:
                hits.append((k, end - 1))
        return hits

    def with_moves(self, begin: int, *moves: FaultMove) -> Plain:
        """Return the walk with other moves from one on."""
        old = self.walk.moves
        changed = (*old[:begin], *moves, *old[begin + len(moves) :])
        return replace(self, walk=replace(self.walk, moves=changed))

    def taking(
        self,
        k: int,
        place: int,
        side: Side | None,
        *sayings: Said,
        first: int | None = None,
        **changes: int | str,
    ) -> Iterator[Fault]:
        """Yield the fault of taking the link to a side, or straight on, in move `k`, where there is
        one and the prompt shows it; a line is closed where that is said.
        """
        nodes, old = self.route.nodes, self.walk.moves[k]
        link = self.route.link_to(place, side)
        if link is None or link == nodes[place + 1] or link not in self.sights[k].nodes:
            return
        # what is said of going straight on names the node that is gone to
        sayings = tuple(replace(one, node=link) if one.node == "" else one for one in sayings)
        path = (*nodes[nodes.index(old.path[0]) : place + 1], link)
        new = FaultMove(path, old.line, sayings, completed=Said("closed") in sayings)
        walk = replace(self.walk, moves=(*self.walk.moves[:k], new), **changes)  # type: ignore[arg-type]
        at = nodes[place]
        yield Fault(
            walk, (old.line,), at, nodes[place + 1], link, k + 1 if first is None else first
        )

    def stopping(
        self, k: int, *, first: int | None = None, bare: int | None = None
    ) -> Iterator[Fault]:
        """Yield the fault of a stop at the end of move `k`, where no mark of the goal is told."""
        nodes, old = self.route.nodes, self.walk.moves[k]
        if self.sights[k].named.get(self.route.lines[-1].landmark_name) == old.path[-1]:
            return
        new = replace(old, sayings=(Said("stop"),), completed=True, stop=True)
        walk = replace(self.walk, moves=(*self.walk.moves[:k], new), bare=bare)
        end, following = old.path[-1], nodes[nodes.index(old.path[-1]) + 1]
        yield Fault(walk, (old.line,), end, following, None, k + 1 if first is None else first)


def plain_of(route: FaultRoute) -> Plain | None:
    """Return the walk along the whole route, each line closed where it is done; ``None`` where a
    prompt would not show the way of its step, or a landmark of its turn.
    """
    moves = []
    for begin, end in moves_of(route):
        line = route.line_at(begin + 1)
        path, done, sayings = route.nodes[begin : end + 1], True, _turned(line)
        if end == len(route.nodes) - 1:
            sayings = (Said("stop" if line.landmark is None else "stop_landmark"),)
        elif end - 1 != line.place:
            sayings, done = (_passed(line, route.nth_at(end - 1), path[-1]), Said("open")), False
        moves.append(
            FaultMove(path, line.number, sayings, completed=done, stop=path[-1] == route.nodes[-1])
        )
    walk = FaultWalk(route, tuple(moves))
    sights = sights_of(walk)
    for move, sight in zip(moves, sights, strict=True):
        mark = route.lines[move.line].landmark
        is_told = mark is None or mark.name in sight.named
        if not set(move.path) <= set(sight.nodes) or (move.completed and not is_told):
            return None
    return Plain(walk, sights)


def sights_of(walk: FaultWalk) -> tuple[PlaceSight, ...]:
    """Return what each prompt of a walk shows, what is hidden included."""
    route, graph = walk.route, walk.route.graph
    names = {line.landmark.name for line in route.lines if line.landmark is not None}
    walked, sights = [route.nodes[0]], []
    for move in walk.moves:
        sights.append(sight_of(graph, move.path[0], route.heading_after(walked), names))
        walked += move.path[1:]
    return tuple(sights)


def _turned(line: Line, side: Side | None = None) -> tuple[Said, ...]:
    slot = "turn_count" if line.landmark is None else "turn_landmark"
    return Said(slot, side=side or line.side, nth=line.nth), Said("closed")


def _passed(line: Line, nth: int, node: str = "") -> Said:
    slot = "pass_stop"
    if line.side is not None:
        slot = "pass_count" if line.landmark is None else "pass_landmark"
    return Said(slot, side=line.side, nth=nth, node=node)


def _plan_side(plain: Plain) -> Iterator[Fault]:
    """Swap the side of one line in the plan, which is followed."""
    for line, k in plain.turns:
        other = OTHER_SIDE[line.side or "left"]
        sayings = _turned(line, other)
        yield from plain.taking(k, line.place, other, *sayings, first=0, swapped=line.number)


def _plan_landmark(plain: Plain) -> Iterator[Fault]:
    """Take the landmark out of a line of the plan: the first street of its side is taken, or the
    walk stops at once.
    """
    for line in plain.route.lines:
        passing, bare = plain.passing(line)[:1], line.number
        for k, place in passing if line.landmark is not None else ():
            if line.side is None:
                yield from plain.stopping(k, first=0, bare=bare)
            else:
                sayings = (Said("turn_bare", side=line.side), Said("closed"))
                yield from plain.taking(k, place, line.side, *sayings, first=0, bare=bare)


def _closed_early(plain: Plain) -> Iterator[Fault]:
    """Close a turn's line a step before the turn, where the next line is then worked on."""
    for line, k in plain.turns:
        if k - 1 not in [move for move, _ in plain.passing(line)]:
            continue
        after, before = plain.route.lines[line.number + 1], plain.walk.moves[k - 1]
        closing = replace(before, sayings=(before.sayings[0], Said("closed")), completed=True)
        early = plain.with_moves(k - 1, closing, replace(plain.walk.moves[k], line=after.number))
        side: Side | None = None
        sayings: tuple[Said, ...] = (_passed(after, 1),)
        if after.nth == 1 and after.side is not None and after.landmark is None:
            side, sayings = after.side, _turned(after)
        for fault in early.taking(k, line.place, side, *sayings, first=k):
            yield replace(fault, lines=(line.number,))


def _count_off(plain: Plain) -> Iterator[Fault]:
    """Count a junction too many, or leave one out of the count."""
    for line, k in plain.turns:
        if line.landmark is None and line.nth > 1:
            early, place = plain.passing(line)[-1]
            yield from plain.taking(early, place, line.side, *_turned(line))
            sayings = (_passed(line, line.nth - 1), Said("open"))
            yield from plain.taking(k, line.place, None, *sayings)


def _landmark_hidden(plain: Plain) -> Iterator[Fault]:
    """Show the landmark of a turn in no prompt; the walk goes on to look for it."""
    for line, k in plain.turns:
        if line.landmark is not None:
            name, sayings = line.landmark.name, (Said("missing"), Said("open"))
            first = [name in sight.named for sight in plain.sights].index(True) + 1
            yield from plain.taking(k, line.place, None, *sayings, first=first, hidden=name)


def _other_landmark(plain: Plain) -> Iterator[Fault]:
    """Take another place for the landmark, which is shown: one before it, or behind it."""
    for line, k in plain.turns:
        for move, place in (*plain.passing(line), (k, line.place)):
            shown = dict(plain.sights[move].named)
            if line.landmark is None or shown.pop(line.landmark.name, None) is None:
                continue
            nodes = [node for node, _ in plain.sights[move].places]
            here = nodes.index(plain.route.nodes[place])
            for name, node in shown.items():
                other = Said("other", other=name)
                if place == line.place and node in nodes[here + 1 :]:
                    yield from plain.taking(move, place, None, other)
                elif place < line.place and node == nodes[here]:
                    sayings = (other, Said("turn_bare", side=line.side), Said("closed"))
                    yield from plain.taking(move, place, line.side, *sayings)


def _misread(plain: Plain) -> Iterator[Fault]:
    """Think of the right turn, and go to the other side."""
    for line, k in plain.turns:
        yield from plain.taking(k, line.place, OTHER_SIDE[line.side or "left"], *_turned(line))


def _contradict(plain: Plain) -> Iterator[Fault]:
    """Choose the node straight on in the thoughts, and another one in the reply."""
    for line, _ in plain.turns:
        for k, place in plain.passing(line):
            for side in OTHER_SIDE:
                straight = Said("choose", node=plain.route.nodes[place + 1])
                yield from plain.taking(k, place, side, plain.walk.moves[k].sayings[0], straight)


def _service(plain: Plain) -> Iterator[Fault]:
    """End the run at a step where the service gives no answer."""
    for k, move in enumerate(plain.walk.moves[1:], start=1):
        new = FaultMove((move.path[0],), move.line, (), unanswered=True)
        walk = replace(plain.walk, moves=(*plain.walk.moves[:k], new))
        yield Fault(walk, (), move.path[0], move.path[1], None, k + 1)


def _repeat(plain: Plain) -> Iterator[Fault]:
    """Leave a turn's line open, and make its turn a second time at the next junction."""
    for line, k in plain.turns:
        turn, following = plain.walk.moves[k : k + 2]
        place = plain.route.nodes.index(following.path[-2])
        if place in plain.route.crossings:
            left_open = replace(turn, sayings=(turn.sayings[0], Said("open")), completed=False)
            late = plain.with_moves(k, left_open, replace(following, line=line.number))
            sayings = (Said("turn_bare", side=line.side), Said("closed"))
            for fault in late.taking(k + 1, place, line.side, *sayings, first=k + 1):
                yield replace(fault, lines=(line.number, line.number + 1))


def _early(plain: Plain) -> Iterator[Fault]:
    """Stop before the goal."""
    for k, move in enumerate(plain.walk.moves):
        if not move.completed:
            yield from plain.stopping(k)


def _past(plain: Plain) -> Iterator[Fault]:
    """Walk on along the street where the prompt shows the goal, until the limit of steps."""
    last, goal = plain.walk.moves[-1], plain.route.nodes[-1]
    seen = [node for node, _ in plain.sights[-1].places]
    beyond = seen[seen.index(goal) + 1 :] if goal in seen else []
    if beyond:
        sayings = (Said("pass_stop", node=beyond[-1]), Said("open"))
        new = FaultMove((*last.path, *beyond), last.line, sayings)
        walk = replace(plain.walk, moves=(*plain.walk.moves[:-1], new), limit=True)
        yield Fault(walk, (last.line,), goal, None, beyond[0], len(walk.moves))


FAULTS: Final[Mapping[str, Callable[[Plain], Iterator[Fault]]]] = {
    "plan-side": _plan_side,
    "plan-landmark": _plan_landmark,
    "closed-early": _closed_early,
    "count-off": _count_off,
    "landmark-hidden": _landmark_hidden,
    "other-landmark": _other_landmark,
    "misread": _misread,
    "contradict": _contradict,
    "service": _service,
    "repeat": _repeat,
    "early": _early,
    "past": _past,
}
"""What finds the places of each kind in a correct walk, in walking order."""
