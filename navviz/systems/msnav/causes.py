"""Causes that only MSNav's map can have: a place that was pruned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from navviz.records import Step
from navviz.records.finding import Explanation, Grade
from navviz.systems.base import CauseContext, Need, Precision, left_at

__all__ = ["PrunedWay"]


class PrunedWay:
    """The route's next place had been pruned from the agent's map."""

    id: ClassVar[str] = "pruned-way"
    name: ClassVar[str] = "Right place pruned"
    summary: ClassVar[str] = (
        "Where the route was left, its next place stood on the agent's own map as pruned and was"
        " not offered, or without its view; proved by its entry in the map's panel."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})
    precision: ClassVar[Precision] = Precision(read=0, right=0)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the steps that left the route at a pruned place."""
        for left in left_at(context):
            entry = _pruned(left.step, left.due)
            if entry is None or _is_seen(left.step, left.due, entry):
                continue
            note = entry.get("note") or f"{entry.get('state')}"
            yield left.cause(
                self,
                context,
                sentence=(
                    f"In step {left.step.index} the route's next place had been pruned from the"
                    " map."
                ),
                proof=f"place {entry.get('label', left.due)} on the agent's map: {note}",
            )


def _pruned(step: Step, node: str) -> dict[str, Any] | None:
    """Return a node's entry in the agent's own map, where it says that it was pruned."""
    for panel in step.panels:
        if panel.kind != "graph":
            continue
        for entry in panel.data.get("nodes", ()):
            if entry.get("id") == node and str(entry.get("state", "")).startswith("pruned"):
                return dict(entry)
    return None


def _is_seen(step: Step, node: str, entry: dict[str, Any]) -> bool:
    """Whether the agent was offered a pruned place and saw it.

    A linked place stays among the options whatever the map holds. Its view goes in the step that
    prunes it and comes back in the next one.
    """
    if entry.get("state") == "pruned now" or step.observation is None:
        return False
    return any(candidate.node == node for candidate in step.observation.candidates)
