"""A walk in memory, at once: a navigator without a model follows text while it is typed."""

from __future__ import annotations

from navviz.errors import NavVizError
from navviz.records import EndEvent, EndStatus, Episode, Event, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.runner.episode import check_episode
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph


def walk_now(navigator: Navigator, settings: Settings, episode: Episode, graph: Graph) -> Trace:
    """Walk an episode without a model and without a file.

    Returns
    -------
    The trace; where the instruction cannot be walked, it ends with status ``error`` and says why.
    """
    header = TraceHeader(
        navigator=navigator.name, settings=settings.model_dump(mode="json"), episode=episode
    )
    events: list[Event] = [header]
    try:
        check_episode(navigator, episode, graph)
        events.extend(navigator.navigate(episode, graph, None, settings))
    except NavVizError as error:
        events.append(EndEvent(status=EndStatus.ERROR, reason=str(error), node=episode.start))
    return fold(events)
