"""What was found in an episode, with the words and places that prove it, and a repair."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from navviz.records.base import Record

__all__ = ["Explanation", "Finding", "Grade", "Quote", "QuoteSource", "RepairKind", "RepairPlan"]

QuoteSource = Literal[
    "instruction", "prompt", "thoughts", "reply", "plan", "map", "decision", "setting"
]
Grade = Literal["likely", "hint"]
Family = Literal["cause", "scan", "contradiction", "hint"]
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


class Finding(Record):
    """One thing that was found in an episode."""

    kind: Family = "cause"
    """What sort of search found it; with `id` it names a mark: ``cause:miscounted``."""
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    """The detector's or scanner's: lower case with hyphens."""
    episode: str = ""
    step: int | None = Field(default=None, ge=1)
    """Index of the step, counted from 1; ``None`` where it is about the plan or the episode."""
    sentence: str
    """For users, in one sentence."""
    quotes: tuple[Quote, ...] = ()
    code: str | None = Field(default=None, exclude_if=lambda code: code is None)
    """Code of the failure taxonomy, where one fits."""
    grade: Grade = "hint"
    """``likely``: right in 85 of 100 hits that nobody had seen before (`docs/causes.md`)."""
    repair: RepairPlan | None = None


class Explanation(Finding):
    """Why the decisive act of a failed walk was not done."""

    name: str
    step: int = Field(ge=1)
    """Index of the step where it began, counted from 1; 1 where it lies in instruction or plan."""
    act: int | None = None
    """Number of the decisive act, of a repeated turn the last turn's; ``None`` for a turn that the
    instruction does not say.
    """
    sub_goal: int | None = None
    """Index of the sub-goal that it is about, counted from 0."""
    quotes: tuple[Quote, ...] = Field(min_length=1)
    """An explanation without a quote does not exist."""

    @model_validator(mode="before")
    @classmethod
    def _read_earlier(cls, raw: Any) -> Any:  # noqa: ANN401 - whatever was kept
        # kept by NavViz 0.1 to 0.3, which called the grade so
        if isinstance(raw, dict) and raw.get("grade") == "cause":
            return {**raw, "grade": "likely"}
        return raw
