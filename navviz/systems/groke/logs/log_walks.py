"""The walk in GROKE's step logs, and how a state file agrees with it.

Three things say where the agent went: the place that a reply names, the place that the next prompt
shows, and the waypoints of the state file. Where they disagree the next prompt counts, since the
walk went on from there; after the last reply the state file does, since it is what GROKE's scripts
score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.records.trace import UNKNOWN_PLACE
from navviz.systems.groke.logs.step_lines import StepLine


@dataclass(frozen=True, slots=True)
class LogWalk:
    """Where the agent was, by the logs alone."""

    lines: tuple[StepLine, ...]
    waypoints: tuple[str | None, ...]
    """As GROKE keeps them: the start, then the place that each reply names; an empty reply adds
    none.
    """
    after: tuple[str | None, ...]
    """For each line the place where it ends; ``None`` where the log does not say."""
    elsewhere: tuple[tuple[int, str, str], ...] = ()
    """``(step, place named, place of the next prompt)`` where these are two."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the waypoints of a state file are those of a log."""

    whole: bool
    """Whether all of them are: repeats of a place aside, which change nothing."""
    last: bool
    """Whether only the place after the last reply may be another one."""
    end: bool
    """Whether both walks end at one place."""
    waypoint: int = 0
    """Number of the first waypoint that is another one, counted from 1."""
    log: str | None = None
    state: str | None = None


def walk_of(lines: Sequence[StepLine]) -> LogWalk:
    """Return the walk in the lines of one episode."""
    waypoints, after, elsewhere = [lines[0].node], [], []
    for line, following in zip(lines, (*lines[1:], None), strict=True):
        target = line.decision.target
        place = target if target is not None else line.node
        if line.decision.reason == UNKNOWN_PLACE:
            place = None
        shown = following.node if following is not None else None
        if shown is not None and place is not None and shown != place:
            if target is not None:
                elsewhere.append((line.step, target, shown))
            # the walk went on from where the next prompt shows the agent
            place = shown
        # an empty reply adds no waypoint, unless the next prompt shows that the agent went on
        if line.answered or place != line.node:
            waypoints.append(place if target is not None or place != line.node else None)
        after.append(place)
    return LogWalk(tuple(lines), tuple(waypoints), tuple(after), tuple(elsewhere))


def agreement(walk: LogWalk, waypoints: Sequence[str | None]) -> Agreement:
    """Compare the waypoints of a state file with those of a log."""
    ours, theirs = moves(walk.waypoints), moves(waypoints)
    if ours == theirs:
        return Agreement(whole=True, last=True, end=True)
    at = 0
    while ours[at : at + 1] == theirs[at : at + 1]:
        at += 1
    stands = moves([line.node for line in walk.lines])
    # the prompts prove every place but the one after the last reply
    last = theirs[: len(stands)] == stands and len(theirs) <= len(stands) + 1
    return Agreement(
        whole=False,
        last=last,
        end=ours[-1:] == theirs[-1:],
        waypoint=at + 1,
        log=ours[at] if at < len(ours) else None,
        state=theirs[at] if at < len(theirs) else None,
    )


def moves(waypoints: Sequence[str | None]) -> list[str]:
    """Return the places without holes and without repeats of the place where the agent stands."""
    places: list[str] = []
    for node in waypoints:
        if node is not None and places[-1:] != [node]:
            places.append(node)
    return places
