"""Where a walk that is debugged pauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from navviz.records.base import Record

Moment = Literal["call", "reply", "decision"]
"""Before a call, after its reply, or at a decision that is not carried out yet."""

MOMENT_WORDS: Final[Mapping[Moment, str]] = {
    "call": "before a call",
    "reply": "after a reply",
    "decision": "at a decision",
}


class Breakpoint(Record):
    """Where a walk pauses: all that is given has to hold.

    Without `at` it pauses at the first moment of a step for which that is so, and once a step.
    """

    at: Moment | None = None
    step: int | None = None
    node: str | None = None
    """The agent stands here."""
    leaves_path: bool = False
    """The step before has left the reference path."""
    closes: int | None = None
    """This sub-goal is completed, counted from 1; 0 for any."""
    prompt: str | None = None
    """The prompt contains this text; upper and lower case are the same here and below."""
    reply: str | None = None
    """The reply contains this text."""
    tokens: int | None = None
    """The walk has used more tokens; pauses once."""
    cost_usd: float | None = None
    """The walk has cost more US dollars; pauses once."""
    finding: str | None = None
    """The scanner of this name finds something at the step; empty for any scanner."""

    @property
    def moment(self) -> Moment | None:
        """The moment at which it is looked at; ``None`` for whichever comes first in a step."""
        if self.at is not None:
            return self.at
        if self.prompt is not None:
            return "call"
        if self.reply is not None or self.tokens is not None or self.cost_usd is not None:
            return "reply"
        return "decision" if self.closes is not None or self.finding is not None else None

    @property
    def words(self) -> str:
        """What it waits for, for lists and pauses."""
        parts = [] if self.at is None else [MOMENT_WORDS[self.at]]
        closes = "any sub-goal" if self.closes == 0 else f"sub-goal {self.closes}"
        words: tuple[tuple[object, str], ...] = (
            (self.step, f"at step {self.step}"),
            (self.node, f"at node {self.node}"),
            (self.leaves_path or None, "leaving the reference path"),
            (self.closes, f"{closes} closes"),
            (self.prompt, f"prompt contains “{self.prompt}”"),
            (self.reply, f"reply contains “{self.reply}”"),
            (self.tokens, f"over {self.tokens or 0:,} tokens"),
            (self.cost_usd, f"over ${self.cost_usd or 0:g}"),
            (self.finding, f"{self.finding or 'any scanner'} finds something"),
        )
        parts += [text for value, text in words if value is not None]
        return ", ".join(parts) or "at each step"
