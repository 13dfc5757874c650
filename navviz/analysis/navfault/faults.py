"""The twelve kinds of fault: where each fits into a correct walk, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from navviz.analysis.navfault.routes import Line, Route, Sight, heading_at, moves_of, sight_of
from navviz.analysis.turns import Side
from navviz.world.graph import Graph

FaultKind = Literal[
    "plan-side",
    "plan-landmark",
    "closed-early",
    "count-off",
    "landmark-hidden",
    "other-landmark",
    "misread",
    "contradict",
    "service",
    "repeat",
    "early",
    "past",
]

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
class Move:
    """One step of a walk: where it goes, which line is due, and what is thought."""

    path: tuple[str, ...]
    line: int
    """Index of the line that is due when the step begins."""
    said: tuple[Said, ...]
    completed: bool = False
    stop: bool = False
    unanswered: bool = False
    """Whether the service gives no answer."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk to be told in a voice."""

    route: Route
    moves: tuple[Move, ...]
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

    kind: FaultKind
    walk: Walk
    """Up to the step of the fault, which it includes."""
    lines: tuple[int, ...]
    """Lines whose act was not done; of a repeated turn that one, too. Empty for the service."""
    fork: str
    """Where the walk leaves the route, or ends."""
    reference: str | None
    """Where the route goes on from there; ``None`` at the goal."""
    link: str | None
    """Where the walk goes instead; ``None`` where it ends."""
    first: int = field(default=0)
    """Number of the first step that differs from the correct log, from 1; 0 where the plan does."""

    @property
    def step(self) -> int:
        """Number of the step whose link ruins the walk, from 1."""
        return len(self.walk.moves)


def correct_walk(route: Route) -> Walk:
    """Return the walk along the whole route, each line closed where it is done."""
    moves = []
    for begin, end in moves_of(route):
        line = route.line_at(begin + 1)
        path = route.nodes[begin : end + 1]
        if end == len(route.nodes) - 1:
            slot = "stop" if line.landmark is None else "stop_landmark"
            moves.append(Move(path, line.number, (Said(slot),), completed=True, stop=True))
        elif end - 1 == line.place:
            moves.append(Move(path, line.number, _turned(line), completed=True))
        else:
            moves.append(Move(path, line.number, (_passed(route, line, end - 1), Said("open"))))
    return Walk(route, tuple(moves))


def _turned(line: Line, side: Side | None = None) -> tuple[Said, ...]:
    slot = "turn_count" if line.landmark is None else "turn_landmark"
    return Said(slot, side=side or line.side, nth=line.nth), Said("closed")


def _passed(route: Route, line: Line, place: int, nth: int | None = None) -> Said:
    node = route.nodes[place + 1]
    if line.side is None:
        return Said("pass_stop", node=node)
    if line.landmark is not None:
        return Said("pass_landmark", side=line.side, node=node)
    return Said("pass_count", side=line.side, nth=nth or route.nth_at(place), node=node)


@dataclass(frozen=True, slots=True)
class Plain:
    """A correct walk, and what a fault needs to know of it."""

    walk: Walk
    sights: tuple[Sight, ...]
    """What each of its prompts shows."""

    @property
    def route(self) -> Route:
        """The route that is walked."""
        return self.walk.route

    def at_turn(self, line: Line) -> int:
        """Return the index of the move that does a line."""
        return next(
            k
            for k, move in enumerate(self.walk.moves)
            if move.line == line.number and move.completed
        )

    def passing(self, line: Line) -> list[tuple[int, int]]:
        """Return ``(move, place)`` of the junctions that are passed before a line is done."""
        found = []
        for k, (begin, end) in enumerate(moves_of(self.route)):
            is_passed = end - 1 in self.route.crossings and end - 1 < line.place
            if self.walk.moves[k].line == line.number and begin < end - 1 and is_passed:
                found.append((k, end - 1))
        return found

    def fault(
        self,
        kind: FaultKind,
        k: int,
        place: int,
        link: str | None,
        said: tuple[Said, ...],
        lines: tuple[int, ...],
        *,
        completed: bool = False,
        first: int | None = None,
        **changes: object,
    ) -> Iterator[Fault]:
        """Yield the fault of move `k`, where the link exists and the prompt shows it."""
        route, old = self.route, self.walk.moves[k]
        reference = route.nodes[place + 1]
        if link is None or link == reference or link not in self.sights[k].nodes:
            return
        begin = route.nodes.index(old.path[0])
        path = (*route.nodes[begin : place + 1], link)
        new = replace(old, path=path, said=said, completed=completed, stop=False)
        moves = (*self.walk.moves[:k], new)
        walk = replace(self.walk, moves=moves, **changes)  # type: ignore[arg-type]
        yield Fault(
            kind,
            walk,
            lines,
            route.nodes[place],
            reference,
            link,
            k + 1 if first is None else first,
        )


def plain_of(route: Route) -> Plain | None:
    """Return the correct walk with what its prompts show; ``None`` where a prompt would not show
    the way of its step, or a landmark of its turn.
    """
    walk = correct_walk(route)
    sights = sights_of(walk, route.graph)
    for move, sight in zip(walk.moves, sights, strict=True):
        line = route.lines[move.line]
        names = {poi.name for poi, _, _ in sight.pois}
        if not set(move.path) <= set(sight.nodes):
            return None
        if move.completed and line.landmark is not None and line.landmark.name not in names:
            return None
    return Plain(walk, sights)


def sights_of(walk: Walk, graph: Graph) -> tuple[Sight, ...]:
    """Return what each prompt of a walk shows, what is hidden included."""
    named = [line.landmark for line in walk.route.lines if line.landmark is not None]
    start_deg = walk.route.episode.start_heading_deg or 0.0
    walked: list[str] = [walk.moves[0].path[0]]
    sights = []
    for move in walk.moves:
        sights.append(sight_of(graph, move.path[0], heading_at(walked, graph, start_deg), named))
        walked += move.path[1:]
    return tuple(sights)


def _plan_side(plain: Plain) -> Iterator[Fault]:
    """Swap the side of one line in the plan, which is followed."""
    for line in plain.route.lines:
        if line.side is not None:
            other = OTHER_SIDE[line.side]
            link = plain.route.link_to(line.place, other)
            said = _turned(line, other)
            k, lines = plain.at_turn(line), (line.number,)
            yield from plain.fault(
                "plan-side",
                k,
                line.place,
                link,
                said,
                lines,
                completed=True,
                first=0,
                swapped=line.number,
            )


def _plan_landmark(plain: Plain) -> Iterator[Fault]:
    """Take the landmark out of a line of the plan: the first street of its side is taken, or the
    walk stops at once.
    """
    for line in plain.route.lines:
        passing = plain.passing(line)
        if line.landmark is None or not passing:
            continue
        k, place = passing[0]
        lines = (line.number,)
        if line.side is not None:
            link = plain.route.link_to(place, line.side)
            said = (Said("turn_bare", side=line.side), Said("closed"))
            yield from plain.fault(
                "plan-landmark",
                k,
                place,
                link,
                said,
                lines,
                completed=True,
                first=0,
                bare=line.number,
            )
        else:
            yield from _stopping(plain, "plan-landmark", k, bare=line.number, first=0)


def _stopping(
    plain: Plain, kind: FaultKind, k: int, *, bare: int | None = None, first: int | None = None
) -> Iterator[Fault]:
    """Yield a stop at the end of move `k`."""
    old, route = plain.walk.moves[k], plain.route
    new = replace(old, said=(Said("stop"),), completed=True, stop=True)
    walk = replace(plain.walk, moves=(*plain.walk.moves[:k], new), bare=bare)
    end = old.path[-1]
    reference = route.nodes[route.nodes.index(end) + 1]
    yield Fault(kind, walk, (old.line,), end, reference, None, k + 1 if first is None else first)


def _closed_early(plain: Plain) -> Iterator[Fault]:
    """Close a turn's line a step before the turn, where the next line is then worked on."""
    for line, after in zip(plain.route.lines, plain.route.lines[1:], strict=False):
        passing = plain.passing(line)
        k = plain.at_turn(line)
        if not passing or passing[-1][0] != k - 1:
            continue
        before = plain.walk.moves[k - 1]
        closing = replace(before, said=(before.said[0], Said("closed")), completed=True)
        moves = list(plain.walk.moves)
        moves[k - 1], moves[k] = closing, replace(moves[k], line=after.number)
        early = Plain(replace(plain.walk, moves=tuple(moves)), plain.sights)
        link = plain.route.link_to(line.place, None)
        if after.nth == 1 and after.side is not None and after.landmark is None:
            said, done = _turned(after), True
            link = plain.route.link_to(line.place, after.side)
        else:
            said, done = (replace(_passed(plain.route, after, line.place, 1), node=link),), False
        yield from early.fault(
            "closed-early", k, line.place, link, said, (line.number,), completed=done, first=k
        )


def _count_off(plain: Plain) -> Iterator[Fault]:
    """Count a junction too many, or leave one out of the count."""
    for line in plain.route.lines:
        if line.side is None or line.landmark is not None or line.nth < 2:
            continue
        lines = (line.number,)
        k, place = plain.passing(line)[-1]
        link = plain.route.link_to(place, line.side)
        yield from plain.fault("count-off", k, place, link, _turned(line), lines, completed=True)
        link = plain.route.link_to(line.place, None)
        said = replace(_passed(plain.route, line, line.place, line.nth - 1), node=link)
        k = plain.at_turn(line)
        yield from plain.fault("count-off", k, line.place, link, (said, Said("open")), lines)


def _landmark_hidden(plain: Plain) -> Iterator[Fault]:
    """Show the landmark of a turn in no prompt; the walk goes on to look for it."""
    for line in plain.route.lines:
        if line.side is None or line.landmark is None:
            continue
        name = line.landmark.name
        shown = [any(poi.name == name for poi, _, _ in sight.pois) for sight in plain.sights]
        link = plain.route.link_to(line.place, None)
        said = (Said("missing"), Said("open"))
        k, lines, first = plain.at_turn(line), (line.number,), shown.index(True) + 1
        yield from plain.fault(
            "landmark-hidden", k, line.place, link, said, lines, first=first, hidden=name
        )


def _other_landmark(plain: Plain) -> Iterator[Fault]:
    """Take another place for the landmark, which is shown: one before it, or behind it."""
    for line in plain.route.lines:
        if line.side is None or line.landmark is None:
            continue
        spots = [(*pair, line.side) for pair in plain.passing(line)]
        for k, place, side in [*spots, (plain.at_turn(line), line.place, None)]:
            sight = plain.sights[k]
            nodes = [node for node, _ in sight.places]
            shown = {poi.name: node for poi, node, _ in sight.pois}
            link = plain.route.link_to(place, side)
            for name, node in shown.items():
                is_decoy = name != line.landmark.name and line.landmark.name in shown
                at_fork = node == plain.route.nodes[place]
                behind = (
                    plain.route.nodes[place] in nodes
                    and node in nodes[nodes.index(plain.route.nodes[place]) + 1 :]
                )
                if is_decoy and (at_fork if side is not None else behind):
                    said = [Said("other", other=name)]
                    if side is not None:
                        said += [Said("turn_bare", side=side), Said("closed")]
                    yield from plain.fault(
                        "other-landmark",
                        k,
                        place,
                        link,
                        tuple(said),
                        (line.number,),
                        completed=side is not None,
                    )


def _misread(plain: Plain) -> Iterator[Fault]:
    """Think of the right turn, and go to the other side."""
    for line in plain.route.lines:
        if line.side is not None:
            link = plain.route.link_to(line.place, OTHER_SIDE[line.side])
            k, lines = plain.at_turn(line), (line.number,)
            yield from plain.fault(
                "misread", k, line.place, link, _turned(line), lines, completed=True
            )


def _contradict(plain: Plain) -> Iterator[Fault]:
    """Choose the node straight on in the thoughts, and another one in the reply."""
    for line in plain.route.lines:
        for k, place in plain.passing(line):
            for side in OTHER_SIDE:
                straight = plain.route.nodes[place + 1]
                said = (plain.walk.moves[k].said[0], Said("choose", node=straight))
                link = plain.route.link_to(place, side)
                yield from plain.fault("contradict", k, place, link, said, (line.number,))


def _service(plain: Plain) -> Iterator[Fault]:
    """End the run at a step where the service gives no answer."""
    for k, move in enumerate(plain.walk.moves[1:], start=1):
        new = Move((move.path[0],), move.line, (), unanswered=True)
        walk = replace(plain.walk, moves=(*plain.walk.moves[:k], new))
        yield Fault("service", walk, (), move.path[0], move.path[1], None, k + 1)


def _repeat(plain: Plain) -> Iterator[Fault]:
    """Leave a turn's line open, and make its turn a second time at the next junction."""
    for line in plain.route.lines:
        later = [place for place in plain.route.crossings if place > line.place]
        if line.side is None or not later:
            continue
        k = plain.at_turn(line)
        if (
            k + 1 >= len(plain.walk.moves)
            or plain.walk.moves[k + 1].path[-2] != plain.route.nodes[later[0]]
        ):
            continue
        turn = plain.walk.moves[k]
        left_open = replace(turn, said=(turn.said[0], Said("open")), completed=False)
        following = replace(plain.walk.moves[k + 1], line=line.number)
        moves = (*plain.walk.moves[:k], left_open, following, *plain.walk.moves[k + 2 :])
        late = Plain(replace(plain.walk, moves=moves), plain.sights)
        said = (Said("turn_bare", side=line.side), Said("closed"))
        link = plain.route.link_to(later[0], line.side)
        lines = (line.number, line.number + 1)
        yield from late.fault(
            "repeat", k + 1, later[0], link, said, lines, completed=True, first=k + 1
        )


def _early(plain: Plain) -> Iterator[Fault]:
    """Stop before the goal."""
    for k, move in enumerate(plain.walk.moves):
        if not move.completed:
            yield from _stopping(plain, "early", k)


def _past(plain: Plain) -> Iterator[Fault]:
    """Walk on along the street where the prompt shows the goal, until the limit of steps."""
    route, last = plain.route, len(plain.walk.moves) - 1
    goal = route.nodes[-1]
    seen = [node for node, _ in plain.sights[last].places]
    if goal not in seen or len(beyond := seen[seen.index(goal) :]) < 3:
        return
    old = plain.walk.moves[last]
    said = (Said("pass_stop", node=beyond[-1]), Said("open"))
    new = replace(old, path=(*old.path, *beyond[1:]), said=said, completed=False, stop=False)
    walk = replace(plain.walk, moves=(*plain.walk.moves[:last], new), limit=True)
    yield Fault("past", walk, (old.line,), goal, None, beyond[1], last + 1)


FAULTS: Final[Mapping[FaultKind, Callable[[Plain], Iterator[Fault]]]] = {
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
