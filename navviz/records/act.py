"""Acts that an instruction asks for, and the decisive one: the first that a failed walk did not do.

An act comes from instruction, map and reference path alone, never from what a model wrote.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from navviz.records.base import Record

__all__ = ["HOWS", "NO_ACT", "Act", "ActGrade", "ActKind", "DecisiveAct", "How", "slug_of"]

ActKind = Literal["turn", "pass", "landmark", "room", "door", "stairs", "stop"]

How = Literal[
    "skipped",
    "too late",
    "wrong side",
    "two ways",
    "too early",
    "repeated",
    "extra turn",
    "told, not on route",
    "unsaid turn",
    "other way",
    "other exit",
    "went on",
    "stopped early",
    "broke off",
    "did not stop",
    "set out wrong",
    "turned back",
]

HOWS: Final[tuple[How, ...]] = get_args(How)


def slug_of(how: How) -> str:
    """Return a *how* as one word of an address, a file or a column."""
    return how.replace(", ", "-").replace(" ", "-")


NO_ACT: Final = "unknown"

"""Stands for the act of a failure of which nobody can tell it, in a column and in an address."""

ActGrade = Literal["fact", "hint"]


class Act(Record):
    """One thing that the instruction tells the agent to do."""

    number: int
    """Its place in the instruction, counted from 0."""
    kind: ActKind
    side: Literal["left", "right"] | None = None
    """Of a turn."""
    place: str = "none"
    """Where the text puts it: ``light``, ``intersection``, ``T``, ``corner``, a room …"""
    text: str
    """Its words in the instruction."""
    span: tuple[int, int] | None = None
    """First character of its words in the instruction, and one past the last."""
    at: int | None = None
    """Index into the reference path; ``None`` where it has no place there."""
    nth: int = 1
    """Its number among the junctions told since the last turn, counted from 1."""
    landmarks: tuple[str, ...] = ()
    """Names that the text ties to it."""
    group: int = 0
    """How many turns come before it."""
    counted: bool = False
    """Whether its words have a number or an order ("the second light", "next")."""


class DecisiveAct(Record):
    """The act that a failed walk did not do, and what it did instead."""

    act: Act | None
    """``None`` for a turn that the instruction does not say."""
    how: How
    sentence: str
    """For users: what was not done, where, and what was done instead."""
    grade: ActGrade = "hint"
    """``hint``: acts of this kind of run are not yet shown to be right in 95 of 100."""
    node: str | None
    """Where the walk left the route, or ended."""
    step: int | None
    """Index of the step that did it, counted from 1."""
    sub_goal: int | None = None
    """The sub-goal of that step, counted from 0."""
    route_place: int | None = None
    """Index into the reference path of `node`."""
    walk_place: int | None = None
    """Index into the walk (`Trace.path`) of `node`."""
    route_side: Literal["left", "right"] | None = None
    """The side to which the route turns there."""
    walked_side: Literal["left", "right"] | None = None
    """The side to which the walk turned there."""
    last_turn: Act | None = None
    """The turn that the walk did last before."""
    due: tuple[Act, ...] = ()
    """Acts that were still to be done there, in order."""
    acts: tuple[Act, ...] = ()
    """All acts of the instruction, in order."""
    at_m: float | None = None
    """Metres from the start to `node`, along the route."""
    off_m: float | None = None
    """``too early`` and ``too late``: how many metres along the way the turn was off; of an end how
    far along the route it was from the goal.
    """

    @property
    def slug(self) -> str:
        """How, as one word of an address or a file."""
        return slug_of(self.how)

    @property
    def features(self) -> tuple[str, str]:
        """What slices count of it."""
        kind = "unsaid" if self.act is None else self.act.kind
        return f"act: {self.how}", f"act kind: {kind}"

    def as_document(self) -> dict[str, Any]:
        """Return what JSON tells of it."""
        act = self.act
        return {
            "how": self.slug,
            "kind": None if act is None else act.kind,
            "text": None if act is None else act.text,
            "span": None if act is None or act.span is None else list(act.span),
            "node": self.node,
            "step": self.step,
            "sub_goal": self.sub_goal,
            "at_m": None if self.at_m is None else round(self.at_m, 1),
        }
