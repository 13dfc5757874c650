"""Events folded into a trace, and a trace unfolded into events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from navviz.errors import InputError
from navviz.records.base import Position
from navviz.records.call import Call
from navviz.records.trace import (
    CallEvent,
    DecisionEvent,
    DeltaEvent,
    EditEvent,
    EndEvent,
    Event,
    InputEdit,
    MoveEvent,
    ObservationEvent,
    PanelEvent,
    PlanEvent,
    Step,
    StepEvent,
    Trace,
    TraceHeader,
    WaypointsEvent,
)

_STAYED = 1e-6
"""Positions nearer than this are one place: a decimetre in degrees, rounding in metres."""


class Folder:
    """Folds events into a `Trace` as they come; `trace` may be asked for at any time."""

    def __init__(self) -> None:
        self._header: TraceHeader | None = None
        self._plan = PlanEvent()
        self._plan_calls: list[Call] = []
        self._plan_edits: list[InputEdit] = []
        self._steps: list[Step] = []
        self._open: dict[str, Any] = {}
        """Fields of the last step that events have told since it was last made."""
        self._end: EndEvent | None = None
        self._streaming: dict[str, str] = {}
        self._waypoints: tuple[str | None, ...] | None = None
        self._counts: Counter[str] = Counter()
        self._expected: dict[str, int] = {}

    @property
    def lost(self) -> dict[str, int]:
        """Events that the end counts and that did not come, by type."""
        lacking = {kind: count - self._counts[kind] for kind, count in self._expected.items()}
        return {kind: count for kind, count in lacking.items() if count > 0}

    @property
    def added(self) -> dict[str, int]:
        """Events that came more often than the end counts, by type."""
        if not self._expected:
            return {}
        more = {kind: count - self._expected.get(kind, 0) for kind, count in self._counts.items()}
        return {kind: count for kind, count in more.items() if count > 0}

    def add(self, event: Event) -> None:
        """Take one more event."""
        if not isinstance(event, TraceHeader | DeltaEvent | EndEvent):
            self._counts[event.type] += 1
        match event:
            case TraceHeader():
                self._header = event
            case PlanEvent():
                # a navigator may plan again: its panels and calls add up, and of the sub-goals the
                # last plan counts
                panels = self._plan.panels + event.panels
                self._plan = event.model_copy(
                    update={"panels": panels, "landmarks": event.landmarks or self._plan.landmarks}
                )
                self._plan_calls.extend(event.calls)
                self._streaming = {}
            case StepEvent():
                # before the step is closed: in a log of poses alone, this place is where its move
                # ended
                self._arrive(event.node, event.position)
                self._close()
                edits: tuple[InputEdit, ...] = ()
                # with another plan a step begins again, and keeps what was changed in it
                if self._steps and self._steps[-1].index == event.index and self._steps[-1].edits:
                    edits = self._steps.pop().edits
                begun = Step(
                    index=event.index,
                    node=self._place_name(event),
                    heading_deg=event.heading_deg,
                    position=event.position,
                    quaternion=event.quaternion,
                    views=event.views,
                    plan=event.plan,
                    sub_goal=event.sub_goal,
                )
                self._steps.append(begun.model_copy(update={"edits": edits}) if edits else begun)
            case DeltaEvent():
                self._streaming[event.channel] = self._streaming.get(event.channel, "") + event.text
            case WaypointsEvent():
                self._waypoints = event.waypoints
            case EndEvent():
                self._arrive(event.node, event.position)
                # the counts belong to the file: a trace that is written again has its own
                self._expected = dict(event.events)
                self._end = event.model_copy(update={"events": {}}) if event.events else event
            case _:
                self._change(event)

    def _change(
        self,
        event: CallEvent | ObservationEvent | DecisionEvent | MoveEvent | PanelEvent | EditEvent,
    ) -> None:
        # the whole call replaces the pieces that were streamed of it
        if isinstance(event, CallEvent):
            self._streaming = {}
        # before the first step only what belongs to the planning has a place
        if not self._steps:
            if isinstance(event, CallEvent):
                self._plan_calls.append(event.call)
            elif isinstance(event, EditEvent):
                self._plan_edits.append(event.edit)
            return
        _change(self._open, self._steps[-1], event)

    def _place_name(self, event: StepEvent) -> str | None:
        """Return the node that a step begins at; a place that has a position alone gets a name."""
        if event.node is not None or event.position is None:
            return event.node
        # an agent that stayed, or whose move named its end, stands in a place that has a name
        # already
        before = self._last_place()
        if before is not None and is_same_place(before[1], event.position):
            return before[0]
        # the name that the move of the step before gives to its end
        return f"pose {event.index - 1}"

    def _last_place(self) -> tuple[str, Position] | None:
        """Return name and position of the place where the walk has come to."""
        if not self._steps:
            episode = None if self._header is None else self._header.episode
            start = None if episode is None else episode.places.get(episode.start)
            return None if episode is None or start is None else (episode.start, start)
        step = self._steps[-1]
        # the step itself lacks what events said since it was last made
        path = self._open.get("path", step.path)
        position = self._open.get("end_position", step.end_position) or step.position
        node = path[-1] if path else step.node
        return None if node is None or position is None else (node, position)

    def _arrive(self, node: str | None, position: Position | None) -> None:
        """Lead the last step to where the next one begins, where it has no move of its own."""
        if not self._steps or position is None:
            return
        step = self._steps[-1]
        if step.position is None or self._open.get("path", step.path):
            return
        if step.node is None or is_same_place(step.position, position):
            return
        self._open["path"] = (step.node, node or f"pose {step.index}")
        self._open.setdefault("end_position", position)

    def _close(self) -> None:
        """Make the last step anew, once for all its changes: copies took a third of the time."""
        if self._open:
            self._steps[-1] = self._steps[-1].model_copy(update=self._open)
            self._open = {}

    @property
    def misnumbered(self) -> tuple[int, int] | None:
        """The number of the first step that has not the one that is due, and that one."""
        for due, step in enumerate(self._steps, start=1):
            if step.index != due:
                return step.index, due
        return None

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
            plan_edits=tuple(self._plan_edits),
            steps=tuple(self._steps),
            end=self._end,
            streaming=dict(self._streaming),
            waypoints=self._waypoints,
        )


def is_same_place(a: Position, b: Position) -> bool:
    """Tell whether two positions are one place."""
    return all(abs(p - q) < _STAYED for p, q in zip(a, b, strict=False))


def _change(
    changes: dict[str, Any],
    step: Step,
    event: CallEvent | ObservationEvent | DecisionEvent | MoveEvent | PanelEvent | EditEvent,
) -> None:
    match event:
        case EditEvent():
            changes["edits"] = (*changes.get("edits", step.edits), event.edit)
        case CallEvent():
            # `changes` go first here and below: `step` is as it was when it was last made
            changes["calls"] = (*changes.get("calls", step.calls), event.call)
        case ObservationEvent():
            changes["observation"] = event.observation
        case MoveEvent():
            changes |= _moved(step, event)
        case PanelEvent():
            changes["panels"] = (*changes.get("panels", step.panels), event.panel)
        case DecisionEvent():
            changes["decision"] = event.decision
            seen = changes.get("observation", step.observation)
            if event.candidates is not None and seen is not None:
                changes["observation"] = seen.model_copy(update={"candidates": event.candidates})


def _moved(step: Step, event: MoveEvent) -> dict[str, Any]:
    changes: dict[str, Any] = {"path": event.path}
    here, there = step.position, event.position
    if not event.path and step.node is not None and here is not None and there is not None:
        far = not is_same_place(here, there)
        # a path of two places says that the agent moved; an empty one, that it stayed
        changes["path"] = (step.node, f"pose {step.index}") if far else ()
    if event.heading_deg is not None:
        changes["end_heading_deg"] = event.heading_deg
    if event.position is not None:
        changes["end_position"] = event.position
    if event.quaternion is not None:
        changes["end_quaternion"] = event.quaternion
    if event.figures:
        changes["figures"] = event.figures
    return changes


def fold(events: Iterable[Event]) -> Trace:
    """Fold events into a trace."""
    return folded(events).trace


def folded(events: Iterable[Event]) -> Folder:
    """Take all events; the folder gives the trace, and what of it is lost."""
    folder = Folder()
    for event in events:
        folder.add(event)
    return folder


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
    for edit in trace.plan_edits:
        yield EditEvent(edit=edit)
    for step in trace.steps:
        yield from _unfold_step(step)
    if trace.waypoints is not None:
        yield WaypointsEvent(waypoints=trace.waypoints)
    if trace.end is not None:
        yield trace.end


def _unfold_step(step: Step) -> Iterator[Event]:
    yield StepEvent(
        index=step.index,
        node=step.node,
        heading_deg=step.heading_deg,
        position=step.position,
        quaternion=step.quaternion,
        views=step.views,
        plan=step.plan,
        sub_goal=step.sub_goal,
    )
    if step.observation is not None:
        yield ObservationEvent(observation=step.observation)
    for edit in step.edits:
        yield EditEvent(edit=edit)
    for call in step.calls:
        yield CallEvent(call=call)
    for panel in step.panels:
        yield PanelEvent(panel=panel)
    if step.decision is not None:
        yield DecisionEvent(decision=step.decision)
    # a turn on the spot has no path, and still needs its move
    after = (step.end_heading_deg, step.end_position, step.end_quaternion)
    if step.path or step.figures or any(value is not None for value in after):
        yield MoveEvent(
            path=step.path,
            heading_deg=step.end_heading_deg,
            position=step.end_position,
            quaternion=step.end_quaternion,
            figures=step.figures,
        )


def own_places(traces: Iterable[Trace]) -> list[Trace]:
    """Return walks whose poses and own places share no name; those on nodes are as they are."""
    # walk 1 is the one that these are compared with; it keeps its names
    return [with_own_places(trace, f"walk {k}") for k, trace in enumerate(traces, start=2)]


def with_own_places(trace: Trace, label: str) -> Trace:
    """Return a walk whose poses and own places carry a label before their names.

    A walk from node to node comes back as it is.
    """
    poses = trace.poses
    if not poses:
        return trace
    names = {name: f"{label}: {name}" for name in poses}
    episode = trace.episode
    # nodes of the graph keep their names here and below: in both walks they are the same places
    reference = tuple(names.get(node, node) for node in episode.reference_path)
    own = {
        "start": names.get(episode.start, episode.start),
        "goal": names.get(episode.goal or "", episode.goal),
        "reference_path": reference,
        "places": _renamed(episode.places, names),
    }
    header = {
        "episode": episode.model_copy(update=own),
        "poses": _renamed(trace.header.poses, names),
    }
    changes: dict[str, object] = {
        "header": trace.header.model_copy(update=header),
        "steps": tuple(_step(step, names) for step in trace.steps),
    }
    if trace.end is not None:
        node = names.get(trace.end.node or "", trace.end.node)
        changes["end"] = trace.end.model_copy(update={"node": node})
    return trace.model_copy(update=changes)


def _renamed(places: Mapping[str, Position], names: Mapping[str, str]) -> dict[str, Position]:
    return {names.get(name, name): place for name, place in places.items()}


def _step(step: Step, names: Mapping[str, str]) -> Step:
    changes: dict[str, object] = {
        "node": names.get(step.node or "", step.node),
        "path": tuple(names.get(node, node) for node in step.path),
    }
    if step.decision is not None:
        target = names.get(step.decision.target or "", step.decision.target)
        changes["decision"] = step.decision.model_copy(update={"target": target})
    return step.model_copy(update=changes)
