"""A plan as it stands: parts done, the part in progress, parts to come."""

from __future__ import annotations

from collections.abc import Iterable

from navviz.records import SubGoal


def plan_at(parts: Iterable[str], done: int, tries: int | None = 1) -> tuple[SubGoal, ...]:
    """Return the parts of an instruction as sub-goals.

    Parameters
    ----------
    parts
        What they say, in order.
    done
        How many are completed; the next one is in progress.
    tries
        Steps that the part in progress has had, counted from 1; ``None`` where nobody counts them.
    """
    goals = []
    for k, part in enumerate(parts):
        if k < done:
            goal = SubGoal(description=part, status="COMPLETED")
        elif k == done:
            goal = SubGoal(description=part, status="IN_PROGRESS", iteration=tries)
        else:
            goal = SubGoal(description=part, status="TODO")
        goals.append(goal)
    return tuple(goals)
