"""What one navigator did on one episode: the folded events of a trace file."""

from __future__ import annotations

from pydantic import Field

from navviz.records.base import Record
from navviz.records.call import Call
from navviz.records.episode import Episode, Landmark, SubGoal
from navviz.records.event import EndEvent, TraceHeader
from navviz.records.step import Panel, Step

__all__ = ["UNKNOWN_PLACE", "Trace"]

UNKNOWN_PLACE = "the log does not say which place is meant"
"""`Decision.reason` of a reply in a foreign log after which nobody can tell where the agent stands."""


class Trace(Record):
    """What one navigator did on one episode: the folded events of a trace file."""

    header: TraceHeader
    sub_goals: tuple[SubGoal, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    plan_calls: tuple[Call, ...] = ()
    plan_panels: tuple[Panel, ...] = ()
    steps: tuple[Step, ...] = ()
    end: EndEvent | None = None
    """``None`` while it runs, or where it was killed."""
    streaming: dict[str, str] = Field(default_factory=dict)
    """Text of a call that had not ended, by channel."""
    waypoints: tuple[str | None, ...] | None = None
    """The path as a foreign log gives it, repeats and holes included; ``None`` for our own traces."""

    def __repr__(self) -> str:
        """Name the trace in one line; its text as a whole may have megabytes."""
        status = self.end.status if self.end is not None else "open"
        name = f"run={self.header.run!r}, episode={self.episode.id!r}, navigator={self.header.navigator!r}"
        return f"Trace({name}, {len(self.steps)} steps, {status})"

    __str__ = __repr__

    @property
    def episode(self) -> Episode:
        """The episode that was walked."""
        return self.header.episode

    @property
    def path(self) -> tuple[str, ...]:
        """All nodes walked, in order, without repeats of the node the agent stands on."""
        nodes: list[str] = [self.episode.start]
        for step in self.steps:
            for node in step.path or ((step.node,) if step.node else ()):
                if node != nodes[-1]:
                    nodes.append(node)
        return tuple(nodes)

    @property
    def end_is_known(self) -> bool:
        """Whether the trace says where the agent stands after its last step; without a step it stands at the start."""
        if not self.steps or (last := self.steps[-1]).path:
            return True
        return last.node is not None and (last.decision is None or last.decision.reason != UNKNOWN_PLACE)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All model calls in order, the planning calls first."""
        return self.plan_calls + tuple(call for step in self.steps for call in step.calls)
