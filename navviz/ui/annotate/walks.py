"""Follow it: what becomes of a walk when the annotator says "here"."""

from __future__ import annotations

from navviz.annotation.inbox import DeskAction
from navviz.annotation.records import Follow, Queue
from navviz.annotation.store import Desk
from navviz.errors import InputError
from navviz.metrics.score import score_trace
from navviz.records import Trace
from navviz.records.trace_files import fold, write_trace
from navviz.runner import RunConfig, trace_path, write_config
from navviz.runner.config import now
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.systems.human.navigator import HumanWalk
from navviz.ui.annotate.session import run_of


def walked(desk: Desk, queue: Queue, action: DeskAction) -> Follow:
    """Walk the choices again, write the walk as a trace of the navigator ``human``, and score it.

    Raises
    ------
    NavVizError
        The data is not open, a choice was not in sight, or the trace cannot be written.
    """
    run, item = run_of(queue), action.item
    if run is None or item is None or item.episode not in run.traces:
        raise InputError(
            "the data of this walk is not open here", "open it on the page Explore and walk again"
        )
    graph = run.graph(item.episode)
    walk = HumanWalk(run.trace(item.episode).episode, graph, desk.name)
    # walked again here: no figure of a walk comes from the browser
    for target in action.choices:
        walk.choose(target)
    trace = fold(walk.events(f"human-{desk.name}", now(), gave_up=action.gave_up))
    scores = score_trace(trace, graph)
    success = scores["SR"]
    _keep(run, trace)
    return Follow(
        walk=tuple(walk.path),
        gave_up=action.gave_up,
        distance_m=scores["NE"],
        # who gives up within the goal's radius did not find it
        success=None if success is None else bool(success) and not action.gave_up,
        elapsed_s=round(action.seconds, 1),
    )


def _keep(run: OpenRun, trace: Trace) -> None:
    out, name = workspace_dir() / "runs", str(trace.header.run)
    graphs = tuple(str(path) for path in run.source.graphs)
    # without it the walk would open without its graphs
    write_config(out / name, RunConfig(run=name, navigator="human", graphs=graphs))
    write_trace(trace, trace_path(out, name, trace.episode.id))
