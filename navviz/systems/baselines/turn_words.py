"""Turns in an instruction, found with regular expressions, and the plan that they make (for the
regex heuristic).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from navviz.records import SubGoal, Trace
from navviz.systems.plan import plan_at

LAST_SUB_GOAL = "Go straight on and stop"

Side = Literal["Left", "Right"]

_VERB = r"(?:turn(?:ing)?|tak(?:e|ing)|mak(?:e|ing)|hang|bear|veer|go|head|keep|swing|cut|leave)"
_BETWEEN = r"(?:(?!\b(?:on|with|to\s+your|past|pass|by)\b)[^.;,]){0,30}?"
_NOT_A_SIDE = r"(?![\w-]*\s+(?:hand\s+)?(?:side|corner|of\s+you))(?!-?hand\b)"
_TURN = re.compile(
    rf"\b{_VERB}\b{_BETWEEN}\b(?P<a>left|right)\b{_NOT_A_SIDE}"
    r"|\b(?:tak(?:e|ing)|leave\s+it\s+by)\b[^.;,]{0,20}?\b(?:street|road|lane|exit|turning|way|way\s+out|one)\s+(?:on|to)"
    r"\s+(?:the|your)\s+(?P<d>left|right)\b"
    r"|\b(?P<b>left|right)\s+turn\b"
    r"|\b(?:a|another|second|first|next|then|and)\s+(?P<c>left|right)\s+at\b",
    re.IGNORECASE,
)
_LIGHT = re.compile(r"\b(?:traffic\s+|stop\s*)?lights?\b|\bstoplights?\b", re.IGNORECASE)
_STRAIGHT = re.compile(
    r"\bright\s+(?:before|after|past|in\s+front|next|at\s+the\s+start|away|there|ahead)\b",
    re.IGNORECASE,
)
"""Where "right" is no side."""


_LIGHT_BEFORE = 45
"""Characters before a turn in which a light belongs to it, beside those of the sentence."""
_LIGHT_AFTER = re.compile(r"[^.;,!?]{0,40}")


@dataclass(frozen=True, slots=True)
class TurnWord:
    """One turn that the instruction speaks of."""

    side: Side
    at_light: bool
    """Whether a light is spoken of near it, since the turn before."""
    words: str
    """The words that it was read from."""


def find_turns(text: str) -> list[TurnWord]:
    """Find the turns of an instruction, in order of mention.

    Landmark sides ("on your left", "the near right corner") are no turns. Ordinals ("the third
    light") are not read.
    """
    turns: list[TurnWord] = []
    begin = 0
    for match in _TURN.finditer(text):
        side = match["a"] or match["b"] or match["c"] or match["d"]
        if _STRAIGHT.match(text, match.end() - len(side)) and side.lower() == "right":
            continue
        # rfind gives -1 where there is no mark, which makes it the beginning of the text
        sentence = max(text.rfind(mark, 0, match.start()) + 1 for mark in ".;!?")
        before = text[max(begin, min(sentence, match.start() - _LIGHT_BEFORE)) : match.end()]
        after = _LIGHT_AFTER.match(text, match.end())
        # a light may follow its turn, too: "turn left at the light"
        near = before + (after[0] if after is not None else "")
        turns.append(
            TurnWord(
                "Left" if side.lower() == "left" else "Right", bool(_LIGHT.search(near)), match[0]
            )
        )
        # a light belongs to one turn: the next one looks for its own only behind it
        begin = after.end() if after is not None else match.end()
    return turns


def describe(turn: TurnWord) -> str:
    """Describe a turn as a sub-goal; `find_turns` reads it back as the same turn."""
    return (
        f"Turn {turn.side.lower()} at the next"
        f" {'traffic light' if turn.at_light else 'intersection'}"
    )


def turns_of(goals: Sequence[SubGoal]) -> list[TurnWord]:
    """Return the turns of a plan, one a sub-goal; a sub-goal without one is passed over."""
    turns: list[TurnWord] = []
    for goal in goals:
        turns += find_turns(goal.description)[:1]
    return turns


def marked(goals: Sequence[SubGoal], done: int) -> tuple[SubGoal, ...]:
    """Return the plan with its first `done` sub-goals completed and the next one in progress."""
    return plan_at((goal.description for goal in goals), done, None)


def completed_in(goals: Sequence[SubGoal], past: Trace | None) -> int:
    """How many sub-goals are completed: as marked, or as the last step of `past` left those that
    are the same.
    """
    done = _leading(goal.status == "COMPLETED" for goal in goals)
    if done or past is None or not past.steps:
        return done
    last = past.steps[-1]
    finished = _leading(goal.status == "COMPLETED" for goal in last.plan)
    finished += last.decision is not None and last.decision.sub_goal_status == "COMPLETED"
    pairs = zip(goals, last.plan[:finished], strict=False)
    return _leading(goal.description == old.description for goal, old in pairs)


def _leading(flags: Iterable[bool]) -> int:
    count = 0
    for flag in flags:
        if not flag:
            break
        count += 1
    return count
