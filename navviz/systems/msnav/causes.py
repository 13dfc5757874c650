"""Causes that only MSNav's map can have: a place that was pruned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from navviz.records import Step
from navviz.records.finding import Explanation
from navviz.systems.base import CauseContext, Need, hidden_way

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

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the pruned place where the route was left."""
        step, place, route = context.step, context.act.route_place, context.episode.reference_path
        if step is None or place is None or place + 1 >= len(route):
            return
        due = route[place + 1]
        entry = _pruned(step, due)
        if entry is None or _is_seen(step, due, entry):
            return
        note = entry.get("note") or f"{entry.get('state')}"
        left = hidden_way(
            self,
            context,
            f"In step {step.index} the route's next place had been pruned from the map.",
            f"place {entry.get('label', due)} on the agent's map: {note}",
        )
        if left is not None:
            yield left


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
    """Whether the agent was offered a pruned place and saw it."""
    # a linked place stays among the options whatever the map holds. Its view goes in the step that
    # prunes it and comes back in the next one
    if entry.get("state") == "pruned now" or step.observation is None:
        return False
    return any(candidate.node == node for candidate in step.observation.candidates)
