"""Which line of a plan holds which act of the instruction.

A plan says the acts of its instruction in the same order, in its own words. So each act is given a
line by dynamic programming over both lists, in which no later act may stand in an earlier line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from navviz.language.said import sides_of
from navviz.records.act import Act

_WORD: Final = re.compile(r"[a-z0-9]+")
_EMPTY: Final = frozenset({"the", "a", "an", "and", "at", "to", "on", "of", "your", "you"})
_SIDE_SAID: Final = 1.2
_SIDE_LACKING: Final = -0.8
_STOP_SAID: Final = 0.8
_LEFT_OUT: Final = 0.15
"""What a line without an act costs."""
_SURE: Final = 10.0
"""Where both tell the same turns, each has its line."""


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say something; plans write ``TURN_LEFT``, too."""
    return frozenset(_WORD.findall(text.lower())) - _EMPTY


def turn_lines(acts: Sequence[Act], lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Return line and side of each turn, where the plan tells as many as the instruction, at most
    one of them to another side; else nothing, since nobody can say which turn stands for which.
    """
    turns = [act for act in acts if act.side is not None]
    places: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        places += [(number, side) for side in sides_of(line)]
    unlike = [act for act, (_, side) in zip(turns, places, strict=False) if act.side != side]
    if len(turns) != len(places) or len(unlike) > 1:
        return {}
    return {act.number: place for act, place in zip(turns, places, strict=True)}


def plan_map(acts: Sequence[Act], lines: Sequence[str]) -> dict[int, int]:
    """Return the index of the line that holds each act, by the act's number."""
    if not acts or not lines:
        return {}
    spoken = [words_of(line) for line in lines]
    fits = np.array([[_fit(act, words) for words in spoken] for act in acts])
    for number, (line, _) in turn_lines(acts, lines).items():
        row = next(k for k, act in enumerate(acts) if act.number == number)
        fits[row, line] += _SURE
    count = len(lines)
    best, came_from = fits[0].copy(), []
    for row in fits[1:]:
        before = np.empty(count)
        chosen = np.zeros(count, dtype=int)
        for line in range(count):
            skipped = np.maximum(0, line - np.arange(line + 1) - 1)
            ways = best[: line + 1] - _LEFT_OUT * skipped
            # of two that are as good the later one: an act rarely opens a line alone
            chosen[line] = line - int(np.argmax(ways[::-1]))
            before[line] = ways[chosen[line]]
        best = before + row
        came_from.append(chosen)
    line = int(np.argmax(best))
    line_of = {acts[-1].number: line}
    for act, chosen in zip(reversed(acts[:-1]), reversed(came_from), strict=True):
        line = int(chosen[line])
        line_of[act.number] = line
    return line_of


def _fit(act: Act, line: frozenset[str]) -> float:
    """Tell how well a line says an act: the share of its words, and its side."""
    words = words_of(" ".join((act.text, *act.landmarks)))
    fit = len(words & line) / max(1, len(words))
    if act.side is not None:
        fit += _SIDE_SAID if act.side in line else _SIDE_LACKING
    if act.kind == "stop" and "stop" in line:
        fit += _STOP_SAID
    return fit
