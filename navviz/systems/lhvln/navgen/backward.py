"""NavGen backward: an expert's actions cut into stretches and labelled segments, for step-by-step
instructions.

Exact as in the released ``nav_gen/split_task.py`` of LH-VLN (Song et al. 2025, section 3.3): on the
one episode that is public it gives the two published step tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

from navviz.errors import InputError

Action = Literal["move_forward", "turn_left", "turn_right"]

LETTERS: Mapping[str, Action] = {"F": "move_forward", "L": "turn_left", "R": "turn_right"}
ACTIONS: tuple[Action, ...] = ("move_forward", "turn_left", "turn_right")

_SHORTEST = 6
"""Actions of the shortest stretch that becomes a step task."""
_WINDOW = 3
"""LH-VLN's code judges actions three at a time."""
_GAP = 3
"""Marks of one turn this close are one."""
_MANY = 3
"""A segment with more turns than this is called a whole turn."""
_ZIGZAG = "zigzag"
_DROPPED_TAGS = ("ceiling", "floor")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a step task in which the agent does one thing."""

    start: int
    """Index of its first action in the episode, from 0."""
    end: int
    """Index of its last action."""
    label: str
    """``move_forward``, ``turn_left``, ``turn_right``, ``make a left turn``, ``make a right turn``
    or ``zigzag``.
    """


@dataclass(frozen=True, slots=True)
class BackwardTask:
    """A stretch of a long-horizon episode that becomes a short task of its own."""

    target: str
    segments: tuple[Segment, ...]

    @property
    def start(self) -> int:
        """Index of its first action in the episode."""
        return self.segments[0].start

    @property
    def end(self) -> int:
        """Index of its last action."""
        return self.segments[-1].end


def actions_of(text: str) -> tuple[Action, ...]:
    """Actions from a string of F, L and R; blanks are passed over.

    Raises `InputError` for any other letter.
    """
    letters = [letter for letter in text.upper() if not letter.isspace()]
    wrong = sorted(set(letters) - LETTERS.keys())
    if wrong:
        raise InputError(f"{wrong[0]!r} is no action", "write F, L and R", field="actions")
    return tuple(LETTERS[letter] for letter in letters)


def string_of(actions: Iterable[str]) -> str:
    """Actions as a string of F, L and R; others as a dot."""
    letters: dict[str, str] = {action: letter for letter, action in LETTERS.items()}
    return "".join(letters.get(action, ".") for action in actions)


def split(actions: Sequence[str], targets: Sequence[str]) -> tuple[BackwardTask, ...]:
    """Cut an episode into step tasks, one a target at most."""
    if len(actions) != len(targets):
        raise InputError(
            f"{len(targets)} targets for {len(actions)} actions", "give one each", field="targets"
        )
    step_tasks = []
    # a target visited twice gives two runs: the code compares neighbours, not names
    edges = [0, *(k for k, (a, b) in enumerate(pairwise(targets), start=1) if a != b), len(targets)]
    for first, after in list(pairwise(edges)) if targets else []:
        # the released loop ends one action early; with it the two public step tasks come out
        start, end = _begin(actions, first, after), min(after, len(actions) - 1)
        if end - start >= _SHORTEST:
            step_tasks.append(BackwardTask(targets[start], segments(actions[start:end], start)))
    return tuple(step_tasks)


def _begin(actions: Sequence[str], first: int, after: int) -> int:
    """Where three forwards in a row begin, but for the last three actions."""
    start = first
    while start < after and start < len(actions) - _WINDOW:
        if all(action == "move_forward" for action in actions[start : start + _WINDOW]):
            break
        start += 1
    return start


def segments(actions: Sequence[str], offset: int = 0) -> tuple[Segment, ...]:
    """Label the parts of one stretch; `offset` is the index of its first action in the episode."""
    parts: list[Segment] = []
    last = -1
    # where at least two of three actions in a row are the same turn
    marks: list[_Mark] = []
    for turn in ("turn_left", "turn_right"):
        at = 0
        while at <= len(actions) - _WINDOW:
            turns = [k for k in range(at, at + _WINDOW) if actions[k] == turn]
            if len(turns) >= 2:
                marks.append((turns[0], turns[-1], turn))
                # the window moves on to the last turn found, so one turn is never marked twice
                at = turns[-1]
            at += 1
    for start, end, label in _crossed(_merged(sorted(marks))):
        # a stretch of NavGen begins with forwards; one given by hand may not
        begin = max(start - 1, 0)
        if last + 2 < start:
            parts.append(Segment(last + 1 + offset, start - 2 + offset, "move_forward"))
        parts.append(
            Segment(begin + offset, end + offset, _called(label, actions[begin : end + 1]))
        )
        last = end
    if last < len(actions) - 1:
        parts.append(Segment(last + 1 + offset, len(actions) - 1 + offset, "move_forward"))
    return tuple(parts)


_Mark = tuple[int, int, str]


def _merged(marks: Sequence[_Mark]) -> list[_Mark]:
    """Return marks of one turn that nearly touch, put together."""
    merged: list[_Mark] = []
    for start, end, label in marks:
        if merged and merged[-1][2] == label and start <= merged[-1][1] + _GAP:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end), label)
        else:
            merged.append((start, end, label))
    return merged


def _crossed(marks: list[_Mark]) -> list[_Mark]:
    """Neighbouring marks that touch become a zigzag; a zigzag is not compared again."""
    crossed, at = list[_Mark](), 0
    while at < len(marks):
        start, end, label = marks[at]
        if at + 1 < len(marks) and end + 1 >= marks[at + 1][0]:
            following = marks[at + 1]
            crossed.append((min(start, following[0]), max(end, following[1]), _ZIGZAG))
            at += 2
        else:
            crossed.append((start, end, label))
            at += 1
    return crossed


def _called(label: str, actions: Sequence[str]) -> str:
    if list(actions).count(label) <= _MANY:
        return label
    return f"make a {label.removeprefix('turn_')} turn"


def top_tags(tags: Iterable[Iterable[str]], count: int = 5) -> tuple[str, ...]:
    """Return a segment's most frequent tags, no ceilings or floors; the first seen wins ties."""
    counted = Counter(chain.from_iterable(tags))
    # a copy, since the counter loses tags on the way
    for tag in list(counted):
        if any(word in tag for word in _DROPPED_TAGS):
            del counted[tag]
    return tuple(tag for tag, _ in counted.most_common(count))
