"""Ways that an agent was not shown: the cause that systems find, and the repair that they take.

NavGPT's text leaves ways out, MSNav prunes places, GROKE's area looks ahead only. Which way was
hidden is each system's own; what follows from it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from navviz.records import Step, Trace
from navviz.records.cause import Cause, Quote, RepairPlan
from navviz.systems.base import CauseContext, CauseDetector

__all__ = ["LeftAt", "left_at", "unhidden_way"]


@dataclass(frozen=True, slots=True)
class LeftAt:
    """A step that left the route, and where the route goes on from there."""

    step: Step
    node: str
    due: str
    """The route's next node."""

    def cause(
        self, detector: CauseDetector, context: CauseContext, sentence: str, proof: str
    ) -> Cause:
        """Return the cause that this way was hidden; `proof` is what the map says of it."""
        place = Quote(
            source="map",
            text=proof,
            step=self.step.index,
            node=self.due,
            position=context.graph.position(self.due),
        )
        return Cause(
            id=detector.id,
            name=detector.name,
            sentence=sentence,
            step=self.step.index,
            quotes=(place,),
            repair=RepairPlan(
                kind="unhide_way",
                step=self.step.index,
                parameters={"node": self.node, "to": self.due},
            ),
            grade=detector.grade,
        )


def left_at(context: CauseContext) -> Iterator[LeftAt]:
    """Yield the logged steps that left the route before its last node."""
    route = context.episode.reference_path
    for departure in context.divergence.departures:
        step = context.step(departure.step)
        if step is not None and departure.place + 1 < len(route):
            yield LeftAt(step, departure.node, route[departure.place + 1])


def unhidden_way(past: Trace | None) -> tuple[str, str] | None:
    """Return the node and the next one whose way a repair shows; ``None`` without such a repair."""
    origin = None if past is None else past.header.forked_from
    if origin is None or origin.repair is None or origin.repair.kind != "unhide_way":
        return None
    way = origin.repair.parameters
    return str(way["node"]), str(way["to"])
