"""Write traces of an agent that NavViz does not run: ``navviz.TraceWriter``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from navviz.errors import InputError, NavVizError, StoreError
from navviz.records.base import Position
from navviz.records.call import Call, Message, Usage
from navviz.records.episode import Episode, SubGoal
from navviz.records.event import (
    CallEvent,
    DecisionEvent,
    EndEvent,
    EndStatus,
    Event,
    MoveEvent,
    ObservationEvent,
    PanelEvent,
    PlanEvent,
    StepEvent,
    TraceHeader,
)
from navviz.records.frames import Frame, to_navviz
from navviz.records.provider_messages import messages_of
from navviz.records.step import Candidate, Decision, Observation, Panel
from navviz.records.trace_files import EventWriter
from navviz.records.view import StepView, keep_picture

_FLAT = 2
"""Coordinates of a place on a street map: latitude and longitude."""


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

    Examples
    --------
    >>> import navviz
    >>> graph = navviz.open_graph(navviz.samples_dir() / "harbour")
    >>> route = graph.shortest_path(graph.ids[0], graph.ids[40])
    >>> task = {"id": "7", "dataset": "mine", "instruction": "Go on.", "reference_path": route}
    >>> episode = navviz.Episode(start=route[0], **task)
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
        if self.path.exists() and self.path.stat().st_size and not replace:
            raise StoreError(
                f"{path}: holds a trace already; choose another name, or give replace=True."
            )
        if replace:
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

    def plan(self, sub_goals: Iterable[str], **call: Any) -> None:  # noqa: ANN401 - passed on to `Call`
        """Write the plan, sub-goals in order; `call` takes what `step` takes of a model call."""
        goals = tuple(SubGoal(description=text) for text in sub_goals)
        self.write(PlanEvent(sub_goals=goals, calls=_calls("plan", **call)))

    def step(
        self,
        node: str | None = None,
        target: str | None = None,
        *,
        position: Sequence[float] | None = None,
        action: str | None = None,
        path: Sequence[str] = (),
        heading_deg: float | None = None,
        observation: str | None = None,
        candidates: Sequence[str] = (),
        reason: str | None = None,
        sub_goal: int | None = None,
        panels: Iterable[Panel] = (),
        images: Iterable[Any] = (),
        views: Iterable[StepView] = (),
        **call: Any,  # noqa: ANN401 - passed on to `Call`
    ) -> None:
        """Write one decision and the move that followed.

        Parameters
        ----------
        node
            Where the agent stands; not given where it walks freely.
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
        reason
            Why it decides so, in its own words.
        sub_goal
            Index of the sub-goal that it works on.
        panels
            Inspectors to show beside the step.
        images
            What it sees: paths, bytes of files, Pillow's images, or arrays of ``(height, width,
            3)``. Each is written as ``NAME.views/….webp`` beside the trace, the same one once.
        views
            Pictures that lie beside the trace already, or that need more than `heading_deg`.
        call
            The model call: ``prompt`` (text, `Message`s, or what was sent to a provider, whose
            pictures are then kept as `images` are), ``thoughts``, ``reply``, ``model``,
            ``seconds``, ``cost_usd``, ``usage``, and whatever else `navviz.records.Call` has.

        Raises
        ------
        InputError
            Where `path` does not begin at `node` or does not end at `target`, where neither node
            nor position is given, or where an image is no picture.
        """
        if node is None and position is None:
            raise InputError(
                "says not where the agent stands", "give node or position", field="node"
            )
        place = None if position is None else self._placed(position)
        way = tuple(path)
        if not way and node is not None and target is not None and target != node:
            way = (node, target)
        if way and (way[0] != node or (target is not None and way[-1] != target)):
            raise InputError(
                f"path goes from {way[0]} to {way[-1]}",
                f"let it go from {node} to {target}",
                field="path",
            )
        calls = _calls("decide", **call)  # before anything is written: it may be refused
        seen = [keep_picture(self.path, image, heading_deg) for image in images]
        self._steps += 1
        self.write(
            StepEvent(
                index=self._steps,
                node=node,
                heading_deg=heading_deg,
                position=place,
                views=(*seen, *views),
                sub_goal=sub_goal,
            )
        )
        if observation is not None or candidates:
            offered = tuple(Candidate(node=each, state=_state(each, target)) for each in candidates)
            shown = Observation(format="text", text=observation or "", candidates=offered)
            self.write(ObservationEvent(observation=shown))
        for made in calls:
            self.write(CallEvent(call=made))
        for panel in panels:
            self.write(PanelEvent(panel=panel))
        stop = target is None if place is None else action == "stop"
        decision = Decision(target=target, stop=stop, action=action, reason=reason)
        self.write(DecisionEvent(decision=decision))
        if way:
            self.write(MoveEvent(path=way))
        self._node, self._position = way[-1] if way else node, place

    def _placed(self, position: Sequence[float]) -> Position:
        if len(position) == _FLAT or self._frame is None:
            return tuple(map(float, position))  # type: ignore[return-value]
        return to_navviz(position, self._frame)

    def end(
        self,
        status: EndStatus = EndStatus.DONE,
        reason: str | None = None,
        *,
        position: Sequence[float] | None = None,
        figures: Mapping[str, float | None] | None = None,
    ) -> None:
        """End the trace before the ``with`` block does.

        Parameters
        ----------
        status, reason
            How and why it ended, such as `EndStatus.LIMIT`.
        position
            Where a free walk ended, if not where its last step began.
        figures
            What an evaluator measured, by its own names: ``{"success": 1.0}``.
        """
        if self._ended:
            return
        self._ended = True
        place = self._position if position is None else self._placed(position)
        node = None if position is not None else self._node
        self.write(
            EndEvent(
                status=status,
                reason=reason,
                node=node,
                position=place,
                figures=dict(figures or {}),
            )
        )

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


def _state(node: str, target: str | None) -> Any:  # noqa: ANN401 - one of `Candidate`'s literals
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
        known = ", ".join(["prompt", *Call.model_fields])
        raise InputError(
            "is no part of a step or a call", f"choose among: {known}", field=unknown[0]
        )
    try:
        if isinstance(prompt, str):
            prompt = (Message(role="user", text=prompt),)
        elif not all(_is_own(message) for message in prompt):
            prompt = messages_of(prompt)
        if isinstance(fields.get("usage"), Mapping):
            fields["usage"] = Usage(**fields["usage"])
        return (Call(**{"purpose": purpose, "messages": tuple(prompt)} | fields),)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(map(str, fault["loc"]))
        what = fault["msg"][:1].lower() + fault["msg"][1:]
        raise InputError(what, "see navviz.records.Call for its form", field=field) from error
