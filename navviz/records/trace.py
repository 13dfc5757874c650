"""What one navigator did on one episode: the folded events of a trace file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from navviz.records.base import Position, Record
from navviz.records.call import Call
from navviz.records.episode import START_POSE, Episode, Landmark, SubGoal
from navviz.records.event import EndEvent, TraceHeader
from navviz.records.step import Panel, Step

UNKNOWN_PLACE = "the log does not say which place is meant"
"""`Decision.reason` of a reply in a foreign log after which nobody can tell where the agent stands.
"""
UNSAID_STOP = "the log does not say whether the agent stopped"
"""`EndEvent.reason` of a walk in a foreign log that holds neither stops nor actions."""


_GRAPHS = "graphs of its worlds"
"""No name that a field can have."""


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
    """The path as a foreign log gives it, repeats and holes included; ``None`` for our own traces.
    """

    def __repr__(self) -> str:
        """Name the trace in one line; its text as a whole may have megabytes."""
        status = self.end.status if self.end is not None else "open"
        name = (
            f"run={self.header.run!r}, episode={self.episode.id!r},"
            f" navigator={self.header.navigator!r}"
        )
        return f"Trace({name}, {len(self.steps)} steps, {status})"

    __str__ = __repr__

    def remember_graphs(self, graph_of: Callable[[str], Any]) -> None:
        """Keep what finds the graph of a world, so that the trace alone can be replayed.

        It is no part of the record: neither compared nor written, and copies of the trace keep it.
        """
        # beside the fields, as `functools.cached_property` does: the record itself is frozen
        self.__dict__[_GRAPHS] = graph_of

    @property
    def graphs(self) -> Callable[[str], Any] | None:
        """What finds the graph of a world; ``None`` where nobody has said."""
        finder: Callable[[str], Any] | None = self.__dict__.get(_GRAPHS)
        return finder

    def __getstate__(self) -> dict[Any, Any]:
        """Leave the graphs out of pickles: a city takes more room than its trace."""
        state = super().__getstate__()
        fields = dict(state["__dict__"])
        fields.pop(_GRAPHS, None)
        return {**state, "__dict__": fields}

    @property
    def episode(self) -> Episode:
        """The episode that was walked."""
        return self.header.episode

    @property
    def path(self) -> tuple[str, ...]:
        """All nodes walked, in order, without repeats of the node the agent stands on."""
        nodes: list[str] = [self.episode.start]
        for step in self.steps:
            # a step without a move still says where the agent stands, which fills a hole of a log
            for node in step.path or ((step.node,) if step.node else ()):
                if node != nodes[-1]:
                    nodes.append(node)
        return tuple(nodes)

    @property
    def poses(self) -> dict[str, Position]:
        """Positions of all places of this walk that the world may lack, by name."""
        poses: dict[str, Position] = {**self.header.poses, **self.episode.places}
        for step in self.steps:
            if step.position is not None and step.node is not None:
                poses.setdefault(step.node, step.position)
            if step.end_position is not None and step.path:
                poses.setdefault(step.path[-1], step.end_position)
        if self.end is not None and self.end.position is not None and self.end.node is not None:
            poses.setdefault(self.end.node, self.end.position)
        return poses

    @property
    def is_free(self) -> bool:
        """Whether the agent walks from pose to pose, bound to no links."""
        start = self.episode.start
        return start in self.episode.places or (start == START_POSE and not self.header.poses)

    @property
    def end_is_known(self) -> bool:
        """Whether the trace says where the agent stands after its last step, or has no step."""
        if not self.steps or (last := self.steps[-1]).path:
            return True
        return last.node is not None and (
            last.decision is None or last.decision.reason != UNKNOWN_PLACE
        )

    @property
    def unanswered(self) -> str | None:
        """Why the walk ended without an answer of the service, as ``quota (429)``; else ``None``.

        The last call decides: after a call that was tried again, and answered, the walk went on.
        """
        calls = self.calls
        return calls[-1].unanswered if calls else None

    @property
    def calls(self) -> tuple[Call, ...]:
        """All model calls in order, the planning calls first."""
        calls = list(self.plan_calls)
        for step in self.steps:
            calls += step.calls
        return tuple(calls)
