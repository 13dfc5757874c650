"""What the rules understand of one sub-goal: turn, stairs, rooms, things, stop."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

from navviz.language.skills import ROOM_WORDS
from navviz.systems.rules.indoors.words import content_words, read_clauses

_OPENINGS = frozenset({"door", "arch", "opening", "double", "glass", "stair"})
"""Ways through: one goes for them, they are not where one arrives."""


@dataclass(frozen=True, slots=True)
class Aim:
    """One sub-goal."""

    words: frozenset[str] = frozenset()
    """Rooms and things that it names, reduced to stems, openings left out."""
    rooms: frozenset[str] = frozenset()
    openings: frozenset[str] = frozenset()
    turn: str | None = None
    """left, right, around, straight: to be made."""
    side: str | None = None
    """Where its things lie."""
    stairs: str | None = None
    leave: bool = False
    past: bool = False
    stop: bool = False

    @property
    def turns(self) -> bool:
        """Whether it wants a change of heading."""
        return self.turn in {"left", "right", "around"}


# as stems, since the words of a sub-goal are reduced to stems, too
_ROOM_STEMS = frozenset(itertools.chain.from_iterable(map(content_words, ROOM_WORDS)))


# agent, progress and every move read the same sub-goal
@lru_cache(maxsize=4096)
def read_aim(sub_goal: str) -> Aim:
    """Read a sub-goal; several clauses in it count as one."""
    clauses = read_clauses(sub_goal)
    words: frozenset[str] = frozenset().union(*(clause.words for clause in clauses))
    kept = words - _OPENINGS
    return Aim(
        words=kept,
        rooms=kept & _ROOM_STEMS,
        openings=words & _OPENINGS,
        turn=next((clause.turn for clause in clauses if clause.turn is not None), None),
        side=next((clause.side for clause in clauses if clause.side is not None), None),
        stairs=next((clause.stairs for clause in clauses if clause.stairs is not None), None),
        leave=any(clause.leave for clause in clauses),
        past=any(clause.past for clause in clauses),
        stop=any(clause.stop for clause in clauses),
    )
