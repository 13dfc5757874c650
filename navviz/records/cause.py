"""Why a step went wrong: a kind, the step where it began, quotes that prove it, and a repair."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from navviz.records.base import Record

__all__ = ["Cause", "Grade", "Quote", "QuoteSource", "RepairKind", "RepairPlan"]

QuoteSource = Literal[
    "instruction", "prompt", "thoughts", "reply", "plan", "map", "decision", "setting"
]
Grade = Literal["cause", "hint"]
_DESCRIBED: Final[frozenset[QuoteSource]] = frozenset({"map", "decision", "setting"})
RepairKind = Literal[
    "show_landmark",
    "reopen_sub_goal",
    "replace_plan_line",
    "swap_instruction_word",
    "unhide_way",
    "take_link",
]


class Quote(Record):
    """One place that proves a cause, with the words that stand there."""

    source: QuoteSource
    """``prompt``: a message of a call. ``plan``: one sub-goal. ``map``: a place, described in
    `text`. ``decision``: what the trace records of a decision or of the end. ``setting``: a setting
    of the navigator.
    """
    text: str = Field(min_length=1)
    """The words themselves; for ``map`` a description of the place."""
    step: int | None = None
    """Index of the step, counted from 1; ``None`` where it is about the plan or the episode."""
    call: int | None = None
    """Index into the step's calls, counted from 0; into the planning calls where `step` is
    ``None``.
    """
    message: int | None = None
    """For ``prompt``: index into the call's messages, counted from 0."""
    sub_goal: int | None = None
    """For ``plan``: index of the sub-goal, counted from 0."""
    start: int | None = None
    """First character of `text` in its source, counted from 0."""
    end: int | None = None
    """One past the last character."""
    node: str | None = None
    """For ``map``: a node."""
    poi: str | None = None
    """For ``map``: id of a place."""
    position: tuple[float, ...] | None = None
    """For ``map``: ``(lat, lon)`` in degrees or ``(x, y, z)`` in metres."""

    @property
    def is_verbatim(self) -> bool:
        """Whether `text` stands in the log; what map, decision or setting say is in our words."""
        return self.source not in _DESCRIBED

    @model_validator(mode="after")
    def _check_span(self) -> Self:
        if self.start is None and self.end is None:
            return self
        if self.start is None or self.end is None or not 0 <= self.start < self.end:
            raise ValueError("a quote has both a start and an end after it, or neither")
        return self


class RepairPlan(Record):
    """The one thing to change, from one step on, so that the cause no longer holds."""

    kind: RepairKind
    step: int = Field(ge=1)
    """The first step that is walked again."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """``show_landmark`` {name, poi, node?}, ``reopen_sub_goal`` {sub_goal}, ``replace_plan_line``
    {sub_goal, line}, ``swap_instruction_word`` {start, end, word}, ``unhide_way`` {node, to},
    ``take_link`` {node, to}.
    """


class Cause(Record):
    """Why a step went wrong."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    """The detector's: lower case with hyphens."""
    name: str
    sentence: str
    """For users, in one sentence."""
    step: int = Field(ge=1)
    """Index of the step where it began, counted from 1; 1 where it lies in instruction or plan."""
    sub_goal: int | None = None
    """Index of the sub-goal that it is about, counted from 0."""
    quotes: tuple[Quote, ...] = Field(min_length=1)
    """A cause without a quote does not exist."""
    repair: RepairPlan | None = None
    grade: Grade = "cause"
    """``hint``: the detector is right too seldom to name a cause (`docs/causes.md`)."""
