"""Events folded into a trace, and a trace unfolded into events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from navviz.errors import InputError
from navviz.records.call import Call
from navviz.records.event import (
    CallEvent,
    DecisionEvent,
    DeltaEvent,
    EndEvent,
    Event,
    MoveEvent,
    ObservationEvent,
    PanelEvent,
    PlanEvent,
    StepEvent,
    TraceHeader,
    WaypointsEvent,
)
from navviz.records.step import Step
from navviz.records.trace import Trace

__all__ = ["Folder", "fold", "unfold"]


class Folder:
    """Folds events into a `Trace` as they come; `trace` may be asked for at any time."""

    def __init__(self) -> None:
        self._header: TraceHeader | None = None
        self._plan = PlanEvent()
        self._plan_calls: list[Call] = []
        self._steps: list[Step] = []
        self._open: dict[str, Any] = {}
        """Fields of the last step that events have told since it was last made."""
        self._end: EndEvent | None = None
        self._streaming: dict[str, str] = {}
        self._waypoints: tuple[str | None, ...] | None = None

    def add(self, event: Event) -> None:
        """Take one more event."""
        match event:
            case TraceHeader():
                self._header = event
            case PlanEvent():
                panels = self._plan.panels + event.panels
                self._plan = event.model_copy(
                    update={"panels": panels, "landmarks": event.landmarks or self._plan.landmarks}
                )
                self._plan_calls.extend(event.calls)
                self._streaming = {}
            case StepEvent():
                self._close()
                self._steps.append(_begun(event))
            case DeltaEvent():
                self._streaming[event.channel] = self._streaming.get(event.channel, "") + event.text
            case WaypointsEvent():
                self._waypoints = event.waypoints
            case EndEvent():
                self._end = event
            case _:
                self._change(event)

    def _change(self, event: CallEvent | ObservationEvent | DecisionEvent | MoveEvent | PanelEvent) -> None:
        if isinstance(event, CallEvent):
            self._streaming = {}
        if not self._steps:
            if isinstance(event, CallEvent):
                self._plan_calls.append(event.call)
            return
        _change(self._open, self._steps[-1], event)

    def _close(self) -> None:
        """Make the last step anew with what was told of it: once, as copies of records took a third of the time."""
        if self._open:
            self._steps[-1] = self._steps[-1].model_copy(update=self._open)
            self._open = {}

    @property
    def started(self) -> bool:
        """Whether a header was seen."""
        return self._header is not None

    @property
    def trace(self) -> Trace:
        """The trace so far; raises `InputError` before the header was seen."""
        if self._header is None:
            raise InputError("has no header", "open a trace that NavViz wrote")
        self._close()
        return Trace(
            header=self._header,
            sub_goals=self._plan.sub_goals,
            landmarks=self._plan.landmarks,
            plan_calls=tuple(self._plan_calls),
            plan_panels=self._plan.panels,
            steps=tuple(self._steps),
            end=self._end,
            streaming=dict(self._streaming),
            waypoints=self._waypoints,
        )


def _begun(event: StepEvent) -> Step:
    return Step(
        index=event.index, node=event.node, heading_deg=event.heading_deg, plan=event.plan, sub_goal=event.sub_goal
    )


def _change(
    told: dict[str, Any], step: Step, event: CallEvent | ObservationEvent | DecisionEvent | MoveEvent | PanelEvent
) -> None:
    match event:
        case CallEvent():
            told["calls"] = (*told.get("calls", step.calls), event.call)
        case ObservationEvent():
            told["observation"] = event.observation
        case MoveEvent():
            told["path"] = event.path
        case PanelEvent():
            told["panels"] = (*told.get("panels", step.panels), event.panel)
        case DecisionEvent():
            told["decision"] = event.decision
            seen = told.get("observation", step.observation)
            if event.candidates is not None and seen is not None:
                told["observation"] = seen.model_copy(update={"candidates": event.candidates})


def fold(events: Iterable[Event]) -> Trace:
    """Fold events into a trace."""
    folder = Folder()
    for event in events:
        folder.add(event)
    return folder.trace


def unfold(trace: Trace) -> Iterator[Event]:
    """Yield the events that fold into this trace."""
    yield trace.header
    if trace.sub_goals or trace.landmarks or trace.plan_calls or trace.plan_panels:
        yield PlanEvent(
            sub_goals=trace.sub_goals,
            landmarks=trace.landmarks,
            calls=trace.plan_calls,
            panels=trace.plan_panels,
        )
    for step in trace.steps:
        yield from _unfold_step(step)
    if trace.waypoints is not None:
        yield WaypointsEvent(waypoints=trace.waypoints)
    if trace.end is not None:
        yield trace.end


def _unfold_step(step: Step) -> Iterator[Event]:
    yield StepEvent(
        index=step.index, node=step.node, heading_deg=step.heading_deg, plan=step.plan, sub_goal=step.sub_goal
    )
    if step.observation is not None:
        yield ObservationEvent(observation=step.observation)
    for call in step.calls:
        yield CallEvent(call=call)
    for panel in step.panels:
        yield PanelEvent(panel=panel)
    if step.decision is not None:
        yield DecisionEvent(decision=step.decision)
    if step.path:
        yield MoveEvent(path=step.path)
