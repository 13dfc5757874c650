"""Find the due part of the reordered instruction (Ma et al. 2025, section 3.3), by model or rules.

The published localiser sees pictures; ours reads NavGPT's sentences on the viewpoints passed. The
first sub-goal needs no model in either: it is the text up to its first period.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from navviz.support.guarded import decode_reply
from navviz.systems.rules.indoors.words import content_words
from navviz.systems.skillnav.aims import Aim, read_aim
from navviz.systems.skillnav.memory import Place

KEY = "Sub-instruction to be executed"
REASON = "Reasoning"
FIRST_REASON = "Nothing of the instruction has been carried out yet, so its first part is due."

PATIENCE = 4
"""Indoors a part that is not reached is given up after so many moves."""
PATIENCE_OUTDOORS = 2
"""Outdoors, where a move is some 50 m: chosen on 150 routes of Map2Seq's val (SR 8.0 %, with 4
moves 1.3 %).
"""
_RISE_M = 1.0
"""A climb worth telling; a landing of one or two steps is none."""
_CUT = re.compile(r",(?=\s*(?:and|then|after that|afterwards)\b)", re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)
_TRAILING = re.compile(r",\s*(?=[}\]])")
_STAIR_PLACE = "stair"


@dataclass(frozen=True, slots=True)
class Localised:
    """What the localiser answered."""

    sub_goal: str
    """Empty where it gave none: nothing is added to the list, and the step is not routed."""
    reason: str | None = None
    problem: str | None = None
    finished: bool = False
    """All is done, as far as the rules can tell."""


def first_sub_goal(reordered: str) -> str:
    """Return the text up to its first period, or to a comma before "and", "then", "after that".

    The comma itself stays, as in the published code.
    """
    first = reordered.split(".", maxsplit=1)[0].strip()
    cut = _CUT.search(first)
    if cut is not None:
        return first[: cut.end()]
    return f"{first}." if first and "." in reordered else first


def read_reply(reply: str | None) -> Localised:
    """Read a localiser's reply: JSON, else a fenced block, else its outermost braces, mended.

    Mended: commas before a closing bracket are dropped, and what is open is closed.
    """
    text = (reply or "").strip()
    if not text:
        return Localised("", problem="the reply is empty")
    for candidate in (text, *_FENCE.findall(text), _mended(text)):
        try:
            value = decode_reply(candidate)
        except ValueError:
            continue
        if isinstance(value, dict):
            return _from_object(value)
    return Localised("", problem="the reply is no JSON object")


def _from_object(value: dict[str, object]) -> Localised:
    sub_goal, reason = value.get(KEY), value.get(REASON)
    why = reason.strip() if isinstance(reason, str) and reason.strip() else None
    if not isinstance(sub_goal, str):
        return Localised("", why, f'the reply has no text under "{KEY}"')
    if not sub_goal.strip():
        return Localised("", why, "the reply names no sub-instruction")
    return Localised(sub_goal.strip(), why)


def _mended(text: str) -> str:
    start = text.find("{")
    if start < 0:
        return ""
    end = text.rfind("}")
    piece = text[start : end + 1] if end > start else text[start:]
    piece = _TRAILING.sub("", piece)
    # an odd number of quotes: the reply was cut off within a text
    in_text = len(re.findall(r'(?<!\\)"', piece)) % 2
    if in_text:
        piece += '"'
    piece = _TRAILING.sub("", piece.rstrip().rstrip(","))
    return piece + "}" * max(0, piece.count("{") - piece.count("}"))


# --- by rules


@dataclass
class SubgoalProgress:
    """How far the current sub-goal of the rules has come."""

    index: int = 0
    moves: int = 0
    """Since it began."""
    turned: bool = False
    patience: int = PATIENCE
    began_z_m: float | None = None
    began_in: frozenset[str] = frozenset()

    def begin(self, index: int, place: Place, height_m: float) -> None:
        """Start on a sub-goal."""
        self.index, self.moves, self.turned = index, 0, False
        self.began_z_m, self.began_in = height_m, place_of(place)


def place_of(place: Place) -> frozenset[str]:
    """Words for what a place is: the head of its summary."""
    head = place.summary.split(" with ")[0].split(";")[0]
    return frozenset(content_words(head if place.views == () else head.split(",")[0]))


def near_words(place: Place) -> frozenset[str]:
    """Return the words of the things within 3 m."""
    return frozenset().union(*map(content_words, place.near))


def localise_by_rules(
    parts: Sequence[str], progress: SubgoalProgress, place: Place, height_m: float
) -> Localised:
    """Keep the current part until its condition holds, then go on to the next; keep the last.

    Parameters
    ----------
    parts
        Sentences of the reordered text.
    progress
        Changed here.
    place, height_m
        Where the agent stands.
    """
    if not parts:
        return Localised("", problem="the instruction says nothing that can be followed")
    why = FIRST_REASON if progress.began_z_m is None else "Its condition does not hold yet."
    if progress.began_z_m is None:
        progress.begin(progress.index, place, height_m)
    # one move may fulfil several parts: go on to the first that is not
    while True:
        part = parts[progress.index]
        result = fulfilled(read_aim(part), progress, place, height_m)
        if result is None:
            return Localised(part, why)
        if progress.index + 1 >= len(parts):
            return Localised(parts[-1], f"The last part is done: {result}.", finished=True)
        why = f"“{part}” is done: {result}."
        progress.begin(progress.index + 1, place, height_m)


def fulfilled(aim: Aim, progress: SubgoalProgress, place: Place, height_m: float) -> str | None:
    """Return why a sub-goal is done; ``None`` where it is not."""
    here, near = place_of(place), near_words(place)
    if progress.moves >= progress.patience:
        return f"given up after {progress.moves} moves"
    if aim.stairs is not None:
        return _climbed(aim.stairs, progress, here, height_m)
    # what is in sight does not count before the turn is made
    if aim.turns and not progress.turned:
        return None
    if aim.leave and not aim.words:
        return "the place is left" if progress.moves and here != progress.began_in else None
    return _reached(aim, progress, here | near)


def _climbed(
    way: str, progress: SubgoalProgress, here: frozenset[str], height_m: float
) -> str | None:
    rise_m = (height_m - (progress.began_z_m or 0.0)) * (1 if way == "up" else -1)
    # on the stairs the climb goes on, however high it is already
    return f"{rise_m:.1f} m {way}" if rise_m >= _RISE_M and _STAIR_PLACE not in here else None


def _reached(aim: Aim, progress: SubgoalProgress, present: frozenset[str]) -> str | None:
    """Return what of the sub-goal is here; a stop wants all its words, at least for two moves."""
    reached = aim.words & present
    if reached and (not aim.stop or reached == aim.words or progress.moves >= 2):
        return f"{', '.join(sorted(reached))} reached"
    if aim.words:
        return None
    if progress.turned:
        return "the turn is made"
    if progress.moves:
        return "moved"
    return "it asks for no move" if aim.stop else None
