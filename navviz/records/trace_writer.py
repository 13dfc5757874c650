"""Write traces of an agent that NavViz does not run: ``navviz.TraceWriter``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from navviz.errors import InputError, NavVizError, StoreError
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
from navviz.records.step import Candidate, Decision, Observation, Panel
from navviz.records.trace_files import EventWriter

__all__ = ["TraceWriter"]


class TraceWriter:
    """Write what an agent did on one episode, step by step, as a trace that NavViz replays and scores.

    Each call is on disk when it returns, so a killed agent leaves a trace up to its last step. Leaving the ``with``
    block ends the trace: as done, as stopped (Ctrl+C), or as an error.

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
        Whether to write a trace anew that is there already.

    Raises
    ------
    StoreError
        Where the file cannot be written, or holds a trace already.

    Examples
    --------
    >>> import navviz
    >>> graph = navviz.open_graph(navviz.samples_dir() / "harbour")
    >>> route = graph.shortest_path(graph.ids[0], graph.ids[40])
    >>> episode = navviz.Episode(id="7", dataset="mine", instruction="Go on.", start=route[0], reference_path=route)
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
    ) -> None:
        self.path = Path(path)
        if self.path.exists() and self.path.stat().st_size and not replace:
            raise StoreError(f"{path}: holds a trace already; choose another name, or give replace=True.")
        if replace:
            self.path.unlink(missing_ok=True)
        self._events = EventWriter(self.path)
        self._steps, self._node, self._ended = 0, episode.start, False
        self.write(
            TraceHeader(
                run=run or self.path.resolve().parent.name,
                episode=episode,
                navigator=navigator,
                model=model,
                settings=dict(settings or {}),
                created=dt.datetime.now().astimezone().isoformat(timespec="seconds"),
            )
        )

    def write(self, event: Event) -> None:
        """Write any event of `navviz.records`, for what `step` has no argument for."""
        self._events.write(event)

    def plan(self, sub_goals: Iterable[str], **call: Any) -> None:  # noqa: ANN401 - passed on to `Call`
        """Write the plan: what is to be done, in order; `call` is what `step` takes of a model call."""
        goals = tuple(SubGoal(description=text) for text in sub_goals)
        self.write(PlanEvent(sub_goals=goals, calls=_calls("plan", **call)))

    def step(
        self,
        node: str,
        target: str | None = None,
        *,
        path: Sequence[str] = (),
        heading_deg: float | None = None,
        observation: str | None = None,
        candidates: Sequence[str] = (),
        reason: str | None = None,
        sub_goal: int | None = None,
        panels: Iterable[Panel] = (),
        **call: Any,  # noqa: ANN401 - passed on to `Call`
    ) -> None:
        """Write one decision and the move that followed.

        Parameters
        ----------
        node
            Where the agent stands.
        target
            Where it decides to go; ``None`` to stay, which in the last step means that it stops.
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
        call
            The model call: ``prompt`` (text, or a list of `Message`), ``thoughts``, ``reply``, ``model``, ``seconds``,
            ``cost_usd``, ``usage``, and whatever else `navviz.records.Call` has.

        Raises
        ------
        InputError
            Where `path` does not begin at `node` or does not end at `target`.
        """
        way = tuple(path) or ((node, target) if target is not None and target != node else ())
        if way and (way[0] != node or (target is not None and way[-1] != target)):
            raise InputError(
                f"path goes from {way[0]} to {way[-1]}", f"let it go from {node} to {target}", field="path"
            )
        self._steps += 1
        self.write(StepEvent(index=self._steps, node=node, heading_deg=heading_deg, sub_goal=sub_goal))
        if observation is not None or candidates:
            offered = tuple(Candidate(node=each, state=_state(each, target)) for each in candidates)
            self.write(
                ObservationEvent(observation=Observation(format="text", text=observation or "", candidates=offered))
            )
        for made in _calls("decide", **call):
            self.write(CallEvent(call=made))
        for panel in panels:
            self.write(PanelEvent(panel=panel))
        self.write(DecisionEvent(decision=Decision(target=target, stop=target is None, reason=reason)))
        if way:
            self.write(MoveEvent(path=way))
        self._node = way[-1] if way else node

    def end(self, status: EndStatus = EndStatus.DONE, reason: str | None = None) -> None:
        """End the trace before the ``with`` block does, to say why, such as `EndStatus.LIMIT`."""
        if not self._ended:
            self._ended = True
            self.write(EndEvent(status=status, reason=reason, node=self._node))

    def close(self) -> None:
        """Close the file; without `end` the trace stays open, as that of a killed agent."""
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            self.end(EndStatus.STOPPED, "Stopped.")
        elif error is not None:
            # the text of a stranger's exception may hold a key
            known = isinstance(error, NavVizError)
            self.end(EndStatus.ERROR, str(error) if known else f"The agent failed: {type(error).__name__}.")
        else:
            self.end()
        self.close()


def _state(node: str, target: str | None) -> Any:  # noqa: ANN401 - one of `Candidate`'s literals
    return "chosen" if node == target else "rejected"


def _calls(purpose: str, **call: Any) -> tuple[Call, ...]:  # noqa: ANN401
    """Return the model call that the arguments describe; none where there are none."""
    told = {name: value for name, value in call.items() if value is not None}
    if not told:
        return ()
    prompt = told.pop("prompt", ())
    messages = (Message(role="user", text=prompt),) if isinstance(prompt, str) else tuple(prompt)
    if isinstance(told.get("usage"), Mapping):
        told["usage"] = Usage(**told["usage"])
    return (Call(**{"purpose": purpose, "messages": messages} | told),)
