"""Walk an episode from a script, event by event, with pauses that take edits."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from navviz.analysis.scanners.registry import scan_walk
from navviz.errors import InputError
from navviz.llm.base import LanguageModel
from navviz.llm.registry import close_model, make_model
from navviz.records import Episode, Event, Trace
from navviz.records.breakpoint import Breakpoint
from navviz.records.trace_files import Folder
from navviz.runner.debugging import Debugger, Pause
from navviz.runner.episode import WalkRequest, debugged_episode, walk_in_memory
from navviz.runner.fork import fork
from navviz.systems.base import Navigator
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.graph import Graph


class Walking:
    """A walk that goes on as its events are asked for."""

    def __init__(self, request: WalkRequest, *, writes: bool, closes: bool) -> None:
        self._folder = Folder()
        self._graph = request.graph
        walk = debugged_episode if writes else walk_in_memory
        self._events = _closing(walk(request), request.llm if closes else None)

    def __iter__(self) -> Iterator[Event | Pause]:
        return self

    def __next__(self) -> Event | Pause:
        event = next(self._events)
        if not isinstance(event, Pause):
            self._folder.add(event)
        return event

    @property
    def trace(self) -> Trace:
        """The walk so far; it can be replayed without naming its graph."""
        trace = self._folder.trace
        trace.remember_graphs(lambda _world: self._graph)
        return trace

    def close(self) -> None:
        """Stop the walk; what was written of it says so."""
        self._events.close()


def _closing(
    events: Iterator[Event | Pause], llm: LanguageModel | None
) -> Generator[Event | Pause, None, None]:
    """Hand events on, and close the model at their end."""
    try:
        yield from events
    finally:
        close_model(llm)


def walk(
    episode: Episode | Trace,
    graph: Graph,
    navigator: str | Navigator,
    *,
    llm: LanguageModel | str | None = None,
    settings: Mapping[str, Any] | None = None,
    breakpoints: Iterable[Breakpoint] = (),
    step: int | None = None,
    out: str | Path | None = None,
    run: str = "notebook",
) -> Walking:
    """Walk; see `navviz.walk`."""
    chosen = get_navigator(navigator) if isinstance(navigator, str) else navigator
    past = origin = None
    if isinstance(episode, Trace):
        forked = fork(episode, step or 1)
        episode, past, origin = forked.episode, forked.past, forked.origin
    elif step is not None:
        what = "an episode has no step to go on from"
        raise InputError(what, "give the trace instead", episode=episode.id, field="step")
    if not isinstance(episode, Episode):
        what = f"must be an Episode or a Trace, not {type(episode).__name__}"
        raise InputError(what, 'give run.episodes["ID"] or run.trace("ID")', field="episode")
    request = WalkRequest(
        navigator=chosen,
        settings=settings_from(chosen, settings),
        episode=episode,
        graph=graph,
        run=run,
        out=Path(out or "."),
        llm=make_model(llm) if isinstance(llm, str) else llm,
        past=past,
        forked_from=origin,
        debugger=Debugger(breakpoints, scan=scan_walk),
    )
    return Walking(request, writes=out is not None, closes=isinstance(llm, str))
