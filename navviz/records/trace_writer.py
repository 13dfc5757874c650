"""Write traces of an agent that NavViz does not run: ``navviz.TraceWriter``."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from navviz.errors import InputError, NavVizError, StoreError
from navviz.records.base import NodeId, Position, as_id
from navviz.records.call import Call, Message, Usage
from navviz.records.episode import Episode, Landmark, SubGoal
from navviz.records.frames import FRAMES, Frame, to_navviz
from navviz.records.provider_messages import messages_of
from navviz.records.trace import (
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    EndStatus,
    EndStatusName,
    Event,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    SeenPoi,
    StepEvent,
    TraceHeader,
)
from navviz.records.trace_files import EventWriter
from navviz.records.view import StepView, keep_picture

_FLAT = 2
"""Coordinates of a place on a street map: latitude and longitude."""
_SPACE = 3


class TraceWriter:
    """Write an agent's walk on one episode, step by step, as a trace to replay and score.

    Each call is on disk when it returns, so a killed agent leaves a trace up to its last step.
    Leaving the ``with`` block ends the trace: as done, as stopped (Ctrl+C), or as an error.

    Parameters
    ----------
    path
        File to write, ``RUN/EPISODE.trace.jsonl``; the traces of one folder are one run.
    episode
        What the agent was asked to do.
    navigator
        Name of the agent.
    run
        Name of the run; the folder's name if not given.
    model, settings
        What is needed to repeat the run; never a key.
    replace
        Whether to replace a trace that is there already.
    frame
        Frame of the positions of episode and steps (``habitat``, ``ned`` ...); NavViz's own if not
        given.

    Raises
    ------
    StoreError
        Where the file cannot be written, or holds a trace already.
    InputError
        For what is no `Episode`, or a frame that there is not.

    Examples
    --------
    >>> import navviz
    >>> graph = navviz.open_graph(navviz.samples_dir() / "harbour")
    >>> route = graph.shortest_path(graph.ids[0], graph.ids[40]) or ()
    >>> episode = navviz.Episode(
    ...     id="7", dataset="mine", instruction="Go on.", start=graph.ids[0], reference_path=route
    ... )
    >>> with navviz.TraceWriter("my-agent/7.trace.jsonl", episode, navigator="my-agent") as trace:
    ...     for node, target in zip(route, route[1:]):
    ...         trace.step(node, target, thoughts="Still on the way.")
    >>> run = navviz.open_run("my-agent", graphs=graph)
    >>> run.scores.means["SR"]
    1.0
    """

    def __init__(
        self,
        path: str | Path,
        episode: Episode,
        navigator: str,
        *,
        run: str | None = None,
        model: str | None = None,
        settings: Mapping[str, Any] | None = None,
        replace: bool = False,
        frame: Frame | None = None,
    ) -> None:
        self.path = Path(path)
        if not isinstance(episode, Episode):
            what = f"must be a navviz.Episode, not {type(episode).__name__}"
            raise InputError(what, "write navviz.Episode(id=..., ...)", field="episode")
        if frame is not None and frame not in FRAMES:
            choices = ", ".join(FRAMES)
            raise InputError(f"there is no frame {frame!r}", f"choose of: {choices}", field="frame")
        # an empty file holds nothing that could be lost
        if self.path.exists() and self.path.stat().st_size and not replace:
            raise StoreError(
                f"{path}: holds a trace already; choose another name, or give replace=True."
            )
        if replace:
            # the events are appended: the old trace would stay in front of the new one
            self.path.unlink(missing_ok=True)
        self._events = EventWriter(self.path)
        self._steps, self._ended = 0, False
        self._node: str | None = episode.start
        self._position: Position | None = None
        self._frame = frame
        if frame is not None:
            places = {name: to_navviz(at, frame) for name, at in episode.places.items()}
            line = tuple(to_navviz(at, frame) for at in episode.reference_positions)
            episode = episode.model_copy(update={"places": places, "reference_positions": line})
        self.write(
            TraceHeader(
                # resolved, as the parent of a bare file name is `.`, which has no name
                run=run or self.path.resolve().parent.name,
                episode=episode,
                navigator=navigator,
                model=model,
                settings=dict(settings or {}),
                frame=frame,
                created=dt.datetime.now().astimezone().isoformat(timespec="seconds"),
            )
        )

    def write(self, event: Event) -> None:
        """Write any event of `navviz.records`, for what `step` has no argument for."""
        self._events.write(event)
        # an agent that writes its moves itself ends where the last of them leads
        if isinstance(event, MoveEvent) and event.path:
            self._node = event.path[-1]

    def plan(
        self,
        sub_goals: Iterable[str],
        *,
        landmarks: Iterable[str] = (),
        **call: Any,  # noqa: ANN401 - passed on to `Call`
    ) -> None:
        """Write the plan, sub-goals in order, and the landmarks that it looks for; `call` takes
        what `step` takes of a model call.
        """
        goals = tuple(SubGoal(description=text) for text in sub_goals)
        marks = tuple(Landmark(name=name) for name in landmarks)
        self.write(PlanEvent(sub_goals=goals, landmarks=marks, calls=_calls("plan", **call)))

    def step(
        self,
        node: NodeId | None = None,
        target: NodeId | None = None,
        *,
        position: Sequence[float] | None = None,
        action: str | None = None,
        path: Sequence[NodeId] = (),
        heading_deg: float | None = None,
        observation: str | None = None,
        candidates: Sequence[NodeId] = (),
        rejected: Mapping[NodeId, str] | None = None,
        shown: Mapping[str, NodeId | None] | None = None,
        reason: str | None = None,
        sub_goal: int | None = None,
        sub_goal_status: Literal["IN_PROGRESS", "COMPLETED"] | None = None,
        panels: Iterable[Panel] = (),
        images: Iterable[Any] = (),
        views: Iterable[StepView] = (),
        **call: Any,  # noqa: ANN401 - passed on to `Call`
    ) -> None:
        """Write one decision and the move that followed.

        Parameters
        ----------
        node
            Where the agent stands; not given where it walks freely. Whole numbers become text.
        target
            Where it decides to go; ``None`` to stay, which in the last step means that it stops.
        position
            Where an agent stands that walks freely: ``(x, y, z)`` in metres of the writer's frame.
        action
            What such an agent does: ``move_forward``, ``turn_left``, ``stop`` ...
        path
            Nodes of the way there, `node` first; straight from `node` to `target` if not given.
        heading_deg
            Where it looks, in degrees clockwise from north (indoors: from +y).
        observation
            What it is shown, as text.
        candidates
            Nodes that it could choose.
        rejected
            Why it did not choose some of them, by node.
        shown
            Landmarks that it is shown, each with the node that it is tied to, or ``None``.
        reason
            Why it decides so, in its own words.
        sub_goal
            Index of the sub-goal that it works on.
        sub_goal_status
            What it says of it after this step: ``"IN_PROGRESS"`` or ``"COMPLETED"``.
        panels
            Inspectors to show beside the step.
        images
            What it sees: paths, bytes of files, Pillow's images, or arrays of ``(height, width,
            3)``. Each is written as ``NAME.views/….webp`` beside the trace, the same one once.
            All of them have `heading_deg`.
        views
            Pictures that lie beside the trace already, or that need more than `heading_deg`: one
            that looks elsewhere is a `StepView` with a heading of its own.
        call
            The model call: ``prompt`` (text, `Message`s, or what was sent to a provider, whose
            pictures are then kept as `images` are), ``thoughts``, ``reply``, ``model``,
            ``seconds``, ``cost_usd``, ``usage``, and whatever else `navviz.records.Call` has.

        Raises
        ------
        InputError
            Where `path` does not begin at `node` or does not end at `target`, where neither node
            nor position is given, where an image is no picture, and for an argument that no field
            has or of a wrong type. Nothing of the step is written then.
        """
        node, target = as_id(node), as_id(target)
        if node is None and position is None:
            raise InputError(
                "says not where the agent stands", "give node or position", field="node"
            )
        place = None if position is None else self._placed(position)
        way = tuple(map(as_id, path))
        if not way and node is not None and target is not None and target != node:
            way = (node, target)
        if way and (way[0] != node or (target is not None and way[-1] != target)):
            raise InputError(
                f"path goes from {way[0]} to {way[-1]}",
                f"let it go from {node} to {target}",
                field="path",
            )
        # pictures first: one that is none refuses the step before a line of it is written
        seen = [keep_picture(self.path, image, heading_deg) for image in images]
        events: list[Event] = [
            StepEvent(
                index=self._steps + 1,
                node=node,
                heading_deg=heading_deg,
                position=place,
                views=(*seen, *views),
                sub_goal=sub_goal,
            )
        ]
        why = {as_id(each): words for each, words in (rejected or {}).items()}
        ids = dict.fromkeys([*map(as_id, candidates), *why])
        if observation is not None or ids or shown:
            offered = [
                Candidate(node=each, state=_state(each, target), reason=why.get(each))
                for each in ids
            ]
            marks = [SeenPoi(name=name, node=as_id(at)) for name, at in (shown or {}).items()]
            seen_now = Observation(
                format="text",
                text=observation or "",
                candidates=tuple(offered),
                pois=tuple(marks),
            )
            events.append(ObservationEvent(observation=seen_now))
        events += [CallEvent(call=made) for made in _calls("decide", **call)]
        events += [PanelEvent(panel=panel) for panel in panels]
        # an agent that walks freely needs no target, so only its action can say that it stops
        stop = target is None if place is None else action == "stop"
        decision = Decision(
            target=target,
            stop=stop,
            action=action,
            reason=reason,
            sub_goal_status=sub_goal_status,
        )
        events.append(DecisionEvent(decision=decision))
        if way:
            events.append(MoveEvent(path=way))
        # only now: a step that is refused for one of its fields leaves no half of itself
        for event in events:
            self.write(event)
        self._steps += 1
        self._node, self._position = way[-1] if way else as_id(node), place

    def _placed(self, position: Sequence[float]) -> Position:
        try:
            place = tuple(map(float, position))
        except (TypeError, ValueError):
            place = ()
        if len(place) not in {_FLAT, _SPACE} or not all(map(math.isfinite, place)):
            what = f"{str(position)[:60]} is no position"
            raise InputError(what, "give (x, y, z) in metres, or (lat, lon)", field="position")
        # degrees on a map have no axes to turn
        if len(place) == _FLAT or self._frame is None:
            return place  # type: ignore[return-value] # of two or three numbers, as said above
        return to_navviz(place, self._frame)

    def end(
        self,
        status: EndStatus | EndStatusName = EndStatus.DONE,
        reason: str | None = None,
        *,
        position: Sequence[float] | None = None,
        figures: Mapping[str, float | None] | None = None,
    ) -> None:
        """End the trace before the ``with`` block does.

        Parameters
        ----------
        status, reason
            How and why it ended, such as ``"limit"`` (`EndStatus.LIMIT`). A walk that was
            ``"stopped"`` or met its ``"budget"`` counts as not finished, not as a failure.
        position
            Where a free walk ended, if not where its last step began.
        figures
            What an evaluator measured, by its own names: ``{"success": 1.0}``.
        """
        if self._ended:
            return
        place = self._position if position is None else self._placed(position)
        # a new place has no name yet: the one who folds the trace finds it
        node = None if position is not None else self._node
        ending = EndEvent(
            status=status,
            reason=reason,
            node=node,
            position=place,
            figures=dict(figures or {}),
        )
        # after the event was made: one with a wrong status must not leave the trace without an end
        self._ended = True
        self.write(ending)

    def close(self) -> None:
        """Close the file; without `end` the trace stays open, as that of a killed agent."""
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            self.end(EndStatus.STOPPED, "Stopped.")
        elif error is not None:
            # the text of a stranger's exception may hold a key
            is_own_error = isinstance(error, NavVizError)
            reason = str(error) if is_own_error else f"The agent failed: {type(error).__name__}."
            self.end(EndStatus.ERROR, reason)
        else:
            self.end()
        self.close()


def _state(node: object, target: object) -> Any:  # noqa: ANN401 - one of `Candidate`'s literals
    return "chosen" if node == target else "rejected"


def _is_own(message: object) -> bool:
    """Tell whether a message has NavViz's form; a provider's has its text in parts."""
    if isinstance(message, Mapping):
        return {"role", "text"} <= message.keys()
    return isinstance(message, Message)


def _calls(purpose: str, **call: Any) -> tuple[Call, ...]:  # noqa: ANN401
    """Return the model call that the arguments describe; none where there are none."""
    fields = {name: value for name, value in call.items() if value is not None}
    if not fields:
        return ()
    prompt = fields.pop("prompt", ())
    unknown = sorted(fields.keys() - Call.model_fields.keys())
    if unknown:
        choices = ", ".join(["prompt", *Call.model_fields])
        raise InputError(
            "is no part of a step or a call", f"choose among: {choices}", field=unknown[0]
        )
    if not isinstance(prompt, Iterable):
        what = f"must be text or a list of messages, not {type(prompt).__name__}"
        raise InputError(what, field="prompt")
    if isinstance(prompt, str):
        prompt = (Message(role="user", text=prompt),)
    elif not all(_is_own(message) for message in prompt):
        prompt = messages_of(prompt)
    if isinstance(fields.get("usage"), Mapping):
        fields["usage"] = Usage(**fields["usage"])
    return (Call(**{"purpose": purpose, "messages": tuple(prompt)} | fields),)
