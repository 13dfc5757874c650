"""Causes that only MSNav's map can have: a place that was pruned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from navviz.records import Step
from navviz.records.cause import Cause, Grade, Quote, RepairPlan
from navviz.systems.base import CauseContext, Need, Precision

__all__ = ["PrunedWay"]


class PrunedWay:
    """The route's next place had been pruned from the agent's map."""

    id: ClassVar[str] = "pruned-way"
    name: ClassVar[str] = "Right place pruned"
    summary: ClassVar[str] = (
        "Where the route was left, its next place stood on the agent's own map as pruned and was"
        " not offered; proved by its entry in the map's panel."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route"})
    precision: ClassVar[Precision] = Precision(read=0, right=0)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield the steps that left the route at a pruned place."""
        route = context.episode.reference_path
        for departure in context.divergence.departures:
            step = context.step(departure.step)
            if step is None or departure.place + 1 >= len(route):
                continue
            due = route[departure.place + 1]
            entry = _pruned(step, due)
            if entry is not None and not _offered(step, due):
                yield self._cause(context, step, departure.node, due, entry)

    def _cause(
        self, context: CauseContext, step: Step, node: str, due: str, entry: dict[str, Any]
    ) -> Cause:
        note = entry.get("note") or f"{entry.get('state')}"
        place = Quote(
            source="map",
            text=f"place {entry.get('label', due)} on the agent's map: {note}",
            step=step.index,
            node=due,
            position=context.graph.position(due),
        )
        return Cause(
            id=self.id,
            name=self.name,
            sentence=f"In step {step.index} the route's next place had been pruned from the map.",
            step=step.index,
            quotes=(place,),
            repair=RepairPlan(
                kind="unhide_way", step=step.index, parameters={"node": node, "to": due}
            ),
            grade=self.grade,
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


def _offered(step: Step, node: str) -> bool:
    if step.observation is None:
        return False
    return any(candidate.node == node for candidate in step.observation.candidates)
