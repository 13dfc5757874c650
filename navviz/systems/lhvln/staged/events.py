"""Events of an inner navigator as events of the whole walk: steps are numbered on, panels name
their part.
"""

from __future__ import annotations

from collections.abc import Iterator

from navviz.records import (
    Decision,
    DecisionEvent,
    Event,
    MoveEvent,
    Panel,
    PlanEvent,
    StepEvent,
)


class Renumbered:
    """Takes the events of one part.

    Parameters
    ----------
    offset
        Steps of the parts before.
    part
        Index of the part, from 0.
    node, heading_deg
        Where it begins.
    """

    def __init__(self, offset: int, part: int, node: str, heading_deg: float | None) -> None:
        self.offset, self.part = offset, part
        self.node, self.heading_deg = node, heading_deg
        self.index = offset
        self.stopped = False
        """Whether the last step ended with a stop."""

    def take(self, event: Event) -> Iterator[Event]:
        """One event, with its number in the whole walk."""
        match event:
            case StepEvent():
                self.index, self.stopped = event.index + self.offset, False
                # a navigator may leave the node out where it did not move
                self.node = event.node or self.node
                self.heading_deg = (
                    event.heading_deg if event.heading_deg is not None else self.heading_deg
                )
                yield event.model_copy(update={"index": self.index})
            case PlanEvent():
                yield event.model_copy(
                    update={"panels": tuple(self._named(panel) for panel in event.panels)}
                )
            case DecisionEvent():
                self.stopped = event.decision.stop
                yield event
            case MoveEvent():
                if event.path:
                    self.node = event.path[-1]
                self.heading_deg = (
                    event.heading_deg if event.heading_deg is not None else self.heading_deg
                )
                yield event
            case _:
                yield event

    def _named(self, panel: Panel) -> Panel:
        return panel.model_copy(update={"title": f"Part {self.part + 1}: {panel.title}"})


def stop_step(walk: Renumbered, reason: str | None) -> Iterator[Event]:
    """Yield a step that does nothing but stop, where the inner navigator ended without saying
    so.
    """
    walk.index += 1
    yield StepEvent(index=walk.index, node=walk.node, heading_deg=walk.heading_deg)
    yield DecisionEvent(decision=Decision(target=walk.node, stop=True, reason=reason))
