"""A plan as it stands: parts done, the part in progress, parts to come."""

from __future__ import annotations

from collections.abc import Iterable

from navviz.records import SubGoal

__all__ = ["plan_at"]


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
    return tuple(
        SubGoal(
            description=part,
            status="COMPLETED" if k < done else "IN_PROGRESS" if k == done else "TODO",
            iteration=tries if k == done else None,
        )
        for k, part in enumerate(parts)
    )
