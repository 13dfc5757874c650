"""One episode: the navigator's events, written to disk as they happen, or kept in memory."""

from __future__ import annotations

import hashlib
import itertools
import logging
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from navviz.errors import BudgetError, InputError, NavVizError, StoreError
from navviz.llm.addresses import scrub
from navviz.llm.base import LanguageModel
from navviz.llm.streaming import StreamingModel
from navviz.records import (
    DeltaEvent,
    EndEvent,
    EndStatus,
    Episode,
    Event,
    Fork,
    MoveEvent,
    PlanEvent,
    Step,
    StepEvent,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.records.base import Record
from navviz.records.episode import LONGEST_INSTRUCTION
from navviz.records.trace_files import (
    SUFFIX,
    EventWriter,
    fold,
    read_events,
    read_trace,
    unfold,
    write_trace,
)
from navviz.records.walker import BLIND
from navviz.runner.budget import Budget, GuardedModel
from navviz.runner.config import MODEL_OPTIONS, code_version, now
from navviz.runner.debugging import Debugger, Pause
from navviz.support.cut_texts import whole_length
from navviz.support.guarded import parse_json, tail_bytes
from navviz.systems.base import Navigator, Settings, check_views, missing_views
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkRequest:
    """One episode to be walked; `dataclasses.replace` makes another one of it."""

    navigator: Navigator
    settings: Settings
    episode: Episode
    graph: Graph
    run: str
    out: Path
    """The trace goes to ``<out>/<run>/<episode>.trace.jsonl`` (`trace_path`)."""
    llm: LanguageModel | None = None
    """For navigators that ask one."""
    cancel: threading.Event | None = None
    """When set, the walk stops at once, in the middle of a call too, and ends with status
    ``stopped``.
    """
    budget: Budget | None = None
    """Limit of tokens or money; ends the walk with status ``budget``."""
    slots: threading.Semaphore | None = None
    """Limit on calls at the same time, shared by the episodes of a run."""
    past: Trace | None = None
    """Steps that were walked already (a fork, or a run that was cut off)."""
    forked_from: Fork | None = None
    """Where `past` comes from, if it is a fork."""
    resume: bool = False
    """Whether `past` is already on disk and is only to be gone on with."""
    debugger: Debugger | None = None
    """Where the walk pauses to be edited; `debugged_episode` hands the pauses on."""


_TAIL_BYTES = 1 << 18
"""Read from the end: the last event says whether a long trace is finished."""

FINISHED = frozenset({EndStatus.DONE, EndStatus.LIMIT, EndStatus.UNKNOWN})
"""Ends that another try would not change; ``error``, ``stopped`` and ``budget`` are gone on with.
"""


_CUT = " (cut off)"


def has_begun(path: Path) -> bool:
    """Whether there is anything of a trace; a run killed before its header leaves 0 bytes."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def end_of(path: Path) -> EndEvent | None:
    """Return the end that a trace file has, by its last line only; ``None`` where it has none."""
    lines = tail_bytes(path, _TAIL_BYTES).splitlines()
    try:
        last: Any = (
            parse_json(lines[-1].decode("utf-8", "replace"), path.name, lenient=True)
            if lines
            else None
        )
        return (
            EndEvent.model_validate(last)
            if isinstance(last, dict) and last.get("type") == "end"
            else None
        )
    except (InputError, ValueError):
        return None


def is_finished(path: Path) -> bool:
    """Whether the episode was walked to an end that another try would not change."""
    end = end_of(path)
    return end is not None and end.status in FINISHED


def past_of(path: Path) -> Trace | None:
    """Mend a cut trace, on disk too, and return its whole steps; ``None`` without any.

    Calls of a step that was cut off were paid for, so they are kept with the step before it, marked
    as cut off. A fork is gone on with even before its first step: its header says what it repairs.
    """
    try:
        trace = read_trace(path)
    except InputError:
        return None
    steps = list(trace.steps)
    cut = []
    if steps and not _is_whole(steps[-1]):
        for call in steps.pop().calls:
            cut.append(call.model_copy(update={"purpose": f"{call.purpose}{_CUT}"}))
    origin = trace.header.forked_from
    if not steps and not trace.sub_goals and origin is None:
        return None
    update: dict[str, object] = {"steps": tuple(steps), "end": None, "streaming": {}}
    if origin is not None and steps and steps[-1].index >= origin.step:
        # the states of a fork's plan are those of its first step, and it went on since
        goals = [SubGoal(description=goal.description) for goal in trace.sub_goals]
        update["sub_goals"] = tuple(goals)
    if cut and steps:
        steps[-1] = steps[-1].model_copy(update={"calls": (*steps[-1].calls, *cut)})
        update["steps"] = tuple(steps)
    elif cut:
        update["plan_calls"] = (*trace.plan_calls, *cut)
    past = trace.model_copy(update=update)
    # on disk too: what comes is appended, and would stand behind half a line
    write_trace(past, path)
    return past


def _is_whole(step: Step) -> bool:
    decision = step.decision
    if decision is None:
        return False
    # such a decision leads nowhere, so that a step without a way is whole all the same
    stays = decision.stop or not decision.legal or decision.target in {None, step.node}
    return stays or bool(step.path)


def header_of(path: Path) -> TraceHeader | None:
    """Return the header of a trace file, by its first line; ``None`` where it cannot be read."""
    try:
        first = next(iter(read_events(path)), None)
    except InputError:
        return None
    return first if isinstance(first, TraceHeader) else None


def set_aside(path: Path, mark: str = "cut") -> None:
    """Move a trace that cannot be continued aside, so that nothing paid for is lost."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{mark}{number}")).exists():
        number += 1
    path.replace(aside)


_DELTA_S = 0.2
"""Pieces of a reply are put together over this time, so that the trace does not grow by a line a
token.
"""

_LONGEST_NAME = 150
"""File systems take names of 255 bytes; a character of an id can take several once it is quoted."""

_LOG = logging.getLogger(__name__)


def trace_path(out: Path, run: str, episode_id: str) -> Path:
    """``<out>/<run>/<episode>.trace.jsonl``, with every unusual character of the id as ``%XX``.

    Ids that would be too long for a file name are cut and marked with a hash; the header holds the
    whole id.
    """
    name = quote(episode_id, safe="")
    # `quote` leaves dots alone: an id of .. would lead out of the run's folder
    name = "%2E" + name[1:] if name.startswith(".") else name or "%"
    if len(name) > _LONGEST_NAME:
        name = name[:_LONGEST_NAME] + "~" + hashlib.sha256(episode_id.encode()).hexdigest()[:16]
    return out / run / (name + SUFFIX)


def run_episode(request: WalkRequest) -> Iterator[Event]:
    """Walk an episode and write its trace; the events are yielded as they are written.

    Raises `StoreError` when a trace of that name is already there (and `resume` is not set).
    """
    with closing(debugged_episode(request)) as events:
        for event in events:
            if not isinstance(event, Pause):
                yield event


def debugged_episode(request: WalkRequest) -> Generator[Event | Pause, None, None]:
    """Walk an episode as `run_episode` does, and yield the pauses of its debugger, too."""
    cancel = request.cancel or threading.Event()
    path = trace_path(request.out, request.run, request.episode.id)
    if has_begun(path) and not request.resume:
        raise StoreError(
            f"{path}: there is a trace of this name already; choose another run name, or delete it."
        )
    here, header = _Here(request.episode.start), _header(request)
    try:
        with EventWriter(path) as writer:
            earlier = _known_events(header, request.past, here)
            news = _news(request, header, here, cancel)
            # these are on disk already: they are shown, and not written again
            if request.resume:
                yield from earlier
            yield from _written(
                writer, news if request.resume else itertools.chain(earlier, news), here
            )
    except StoreError as error:
        yield here.end(EndStatus.ERROR, f"The trace could not be saved: {error}")


def walk_in_memory(request: WalkRequest) -> Iterator[Event | Pause]:
    """Yield what `debugged_episode` does, and write nothing."""
    here, header = _Here(request.episode.start), _header(request)
    yield from _known_events(header, request.past, here)
    yield from _news(request, header, here, request.cancel or threading.Event())


def _news(
    request: WalkRequest, header: TraceHeader, here: _Here, cancel: threading.Event
) -> Generator[Event | Pause, None, None]:
    """Yield what the walk brings, up to an end."""
    clean = request.llm.scrub if isinstance(request.llm, StreamingModel) else scrub
    walk = _walk(request, header, cancel)
    return _to_the_end(walk, here, cancel, request.navigator.name, clean)


def walk_now(navigator: Navigator, settings: Settings, episode: Episode, graph: Graph) -> Trace:
    """Walk an episode in memory, without a model: for text that is still typed."""
    header = TraceHeader(
        navigator=navigator.name, settings=settings.model_dump(mode="json"), episode=episode
    )
    events: list[Event] = [header]
    try:
        check_episode(navigator, episode, graph, settings)
        events.extend(navigator.navigate(episode, graph, None, settings))
    except NavVizError as error:
        events.append(EndEvent(status=EndStatus.ERROR, reason=str(error), node=episode.start))
    return fold(events)


def _known_events(header: TraceHeader, past: Trace | None, here: _Here) -> Iterator[Event]:
    yield header
    for event in unfold(past) if past is not None else ():
        # the new walk has a header of its own, and its end is still to come
        if not isinstance(event, TraceHeader | EndEvent):
            here.see(event)
            yield event


def _written(
    writer: EventWriter, events: Iterator[Event | Pause], here: _Here
) -> Iterator[Event | Pause]:
    """Write what comes and hand it on; one that goes away in the middle leaves a trace that says it
    was stopped.
    """
    together = _DeltasTogether()
    try:
        for event in events:
            if isinstance(event, Pause):
                yield event
                continue
            for kept in together.take(event):
                yield writer.write(kept)
    except (GeneratorExit, KeyboardInterrupt):
        for event in (*together.rest(), here.end(EndStatus.STOPPED, "Stopped.")):
            writer.write(event)
        raise


def _header(request: WalkRequest) -> TraceHeader:
    llm = request.llm
    settings = request.settings.model_dump(mode="json")
    if isinstance(llm, StreamingModel):
        settings[MODEL_OPTIONS] = llm.options.model_dump(mode="json", exclude_defaults=True)
    price = llm.price if isinstance(llm, StreamingModel) else None
    return TraceHeader(
        run=request.run,
        episode=request.episode,
        navigator=request.navigator.name,
        settings=settings,
        resolved=_resolved(request),
        model=llm.name if llm is not None else None,
        prices={llm.name: price} if llm is not None and price is not None else {},
        code_version=code_version(),
        created=now(),
        forked_from=request.forked_from,
    )


def _resolved(request: WalkRequest) -> dict[str, Any]:
    """Return what the settings left to the episode and its world."""
    settings = request.settings
    resolved = settings.resolved(request.episode)
    if settings.blind and missing_views(request.navigator, request.graph, settings) is not None:
        resolved = {**resolved, BLIND: True}
    return resolved


def check_episode(
    navigator: Navigator, episode: Episode, graph: Graph, settings: Settings | None = None
) -> None:
    """Raise `InputError` when the navigator cannot even begin.

    Without `settings` it is not asked whether anything describes the views: recorded replies cost
    nothing.
    """
    if graph.frame not in navigator.frames:
        places = {"geo": "outdoors", "metric": "indoors"}
        kinds = " and ".join(places[frame] for frame in sorted(navigator.frames))
        raise InputError(
            f"{navigator.name} walks {kinds} only",
            "choose another navigator",
            episode=episode.id,
            field="world",
        )
    # VLN-CE and its kin begin anywhere in a room, and navigators go from node to node
    if episode.start in episode.places and episode.start not in graph:
        raise InputError(
            f"it starts at a position, and {navigator.name} walks from node to node",
            "open episodes on the graph (of VLN-CE: R2R's, whose path_id is its trajectory_id)",
            episode=episode.id,
            field="start",
        )
    if episode.start not in graph:
        raise InputError(
            f"start node {episode.start} is not in the graph {graph.name}",
            "choose a start on the graph, or the graph that belongs to the episode",
            episode=episode.id,
            field="start",
        )
    if not episode.instruction.strip():
        raise InputError(
            "the instruction is empty", "write one", episode=episode.id, field="instruction"
        )
    length = whole_length(episode.instruction)
    if length > LONGEST_INSTRUCTION:
        raise InputError(
            f"the instruction has {length:,} characters, more than {LONGEST_INSTRUCTION:,}",
            "shorten it",
            episode=episode.id,
            field="instruction",
        )
    if settings is not None:
        check_views(navigator, graph, settings, episode.id)


def _walk(
    request: WalkRequest, header: TraceHeader, cancel: threading.Event
) -> Iterator[Event | Pause]:
    navigator, llm, past = request.navigator, request.llm, request.past
    # a model that may answer after days has to know again what it was asked
    if llm is not None and (for_walk := getattr(llm, "for_walk", None)) is not None:
        calls = () if past is None else past.calls
        # calls of a step that was cut off are asked again, and answered from what is kept
        count = sum(not call.purpose.endswith(_CUT) for call in calls)
        llm = for_walk(f"{request.run}/{request.episode.id}", count)
    check_episode(navigator, request.episode, request.graph, request.settings)
    model = None if llm is None else GuardedModel(llm, cancel, request.budget, request.slots)
    debugger = request.debugger
    if debugger is None and past is not None and past.edits:
        # what was changed in the agent's memory holds for the prompts that follow
        debugger = Debugger()
    if debugger is not None:
        yield from debugger.walk(header, request.graph, navigator, model, request.settings, past)
        return
    yield from navigator.navigate(request.episode, request.graph, model, request.settings, past)


def _to_the_end(
    walk: Iterator[Event | Pause],
    here: _Here,
    cancel: threading.Event,
    name: str,
    clean: Callable[[str], str],
) -> Generator[Event | Pause, None, None]:
    """Hand on the walk's events and see that it ends with an `EndEvent`, whatever happens."""
    begun = False
    try:
        for event in walk:
            if isinstance(event, Pause):
                yield event
                # whoever answers a pause may have stopped the walk instead
                if cancel.is_set():
                    yield here.end(EndStatus.STOPPED, "Stopped.")
                    return
                continue
            # what is no event cannot be written, and a second header would begin another trace
            if not isinstance(event, Record) or getattr(event, "type", "header") == "header":
                what = f"{name} yielded {type(event).__name__}, which is no event of a walk."
                yield here.end(EndStatus.ERROR, what)
                return
            begun = True
            here.see(event)
            yield event
            # a trace has one end; whatever a navigator sends after it is dropped
            if isinstance(event, EndEvent):
                return
            # rule-based walkers ask no model that would notice the stop
            if cancel.is_set():
                yield here.end(EndStatus.STOPPED, "Stopped.")
                return
        # standing still is a decision, with a step; nothing at all shows nothing of the agent
        if not begun:
            yield here.end(EndStatus.ERROR, f"{name} yielded no event.")
            return
        yield here.end(EndStatus.UNKNOWN, f"{name} ended without saying why.")
    except BudgetError as error:
        yield here.end(EndStatus.BUDGET, clean(str(error)))
    except NavVizError as error:
        # a stop shows as an error of whatever waited at that moment
        yield here.end(EndStatus.STOPPED if cancel.is_set() else EndStatus.ERROR, clean(str(error)))
    except Exception as error:  # noqa: BLE001 - whatever a navigator raises must leave a trace that can be read
        _LOG.error("%s failed:\n%s", name, clean(traceback.format_exc()))
        what = clean(f"{type(error).__name__}: {error}")
        yield here.end(
            EndStatus.ERROR,
            f"{name} failed with an unexpected error ({what}); the log has the details.",
        )
    finally:
        # a call that still streams ends here, and not when the generator is collected
        close = getattr(walk, "close", None)
        if close is not None:
            close()


@dataclass(slots=True)
class _Here:
    """Where the agent stands and what its plan is, for the last event."""

    node: str | None
    plan: tuple[SubGoal, ...] = ()

    def see(self, event: Event) -> None:
        if isinstance(event, MoveEvent) and event.path:
            self.node = event.path[-1]
        elif isinstance(event, StepEvent):
            self.node, self.plan = event.node or self.node, event.plan or self.plan
        elif isinstance(event, PlanEvent):
            self.plan = event.sub_goals

    def end(self, status: EndStatus, reason: str) -> EndEvent:
        return EndEvent(status=status, reason=reason, node=self.node, plan=self.plan)


@dataclass(slots=True)
class _DeltasTogether:
    """Joins pieces of a reply that come within `_DELTA_S`; other events pass at once."""

    pieces: list[DeltaEvent] = field(default_factory=list)
    last_s: float = float("-inf")

    def take(self, event: Event) -> Iterator[Event]:
        if not isinstance(event, DeltaEvent):
            self.pieces.clear()  # the event that ends a call holds all of its text
            yield event
            return
        if self.pieces and self.pieces[0].channel != event.channel:
            yield from self.rest()
        self.pieces.append(event)
        if time.monotonic() - self.last_s >= _DELTA_S:
            self.last_s = time.monotonic()
            yield from self.rest()

    def rest(self) -> list[Event]:
        if not self.pieces:
            return []
        joined = DeltaEvent(
            channel=self.pieces[0].channel, text="".join(delta.text for delta in self.pieces)
        )
        self.pieces.clear()
        return [joined]
