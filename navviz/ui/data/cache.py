"""Cached loading: graphs and runs are shared by all sessions, bounded, and keyed on path and
modification time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
import pyarrow as pa
import streamlit as st

from navviz.analysis.act_counts import act_slugs
from navviz.analysis.causes.counting import leading_ids
from navviz.analysis.contradictions import Claim
from navviz.analysis.contradictions import contradictions as claims_about
from navviz.analysis.counterfactuals.trials import causes_and_repairs
from navviz.analysis.informed import information_document
from navviz.analysis.landmarks import landmarks_panel, places_or_reasons
from navviz.analysis.moves import turns_apart
from navviz.analysis.paper_figure import figure_of
from navviz.analysis.what_if.document import what_if_document
from navviz.analysis.what_if.kept import quick_what_if, what_if_of
from navviz.errors import NavVizError
from navviz.formats import kind_of, open_episodes, open_graph, open_worlds
from navviz.metrics.score import finished_only, score_trace
from navviz.metrics.walked import walked_graph, with_walks
from navviz.records import Trace
from navviz.records.base import Position
from navviz.records.folding import own_places
from navviz.runs.growth import growth_of
from navviz.runs.opened import OpenRun, load
from navviz.runs.sources import Identity, Source, graphs_beside, side_by_side
from navviz.runs.tables import drawn_outcome, outcome
from navviz.systems.registry import with_panels
from navviz.ui.data import finding, marks, opening
from navviz.ui.data.finding import found_causes
from navviz.ui.data.opening import openings
from navviz.ui.server.visitor import check_source
from navviz.ui.state import state
from navviz.views.figures.figure_panels import names_in
from navviz.views.figures.overview import Overview, Walked
from navviz.views.palette import FURTHER
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable
from navviz.views.player.writer import WalkTexts
from navviz.world.graph import Graph
from navviz.world.scene_graph import with_places

if TYPE_CHECKING:
    from navviz.records.lazy_traces import LazyTraces

# Arrow's usual pool keeps what reading a graph took: 60 MB for a million nodes; the system's gives
# it back. It is the process's, so only the app sets it.
pa.set_memory_pool(pa.system_memory_pool())


@st.cache_resource(max_entries=8, show_spinner="Reading the graph …")
def _graph(path: str, world: str, stamp: tuple[tuple[str, int], ...]) -> Graph:
    del stamp
    read = openings().take_map(Path(path))
    # what a thread has read in the background is handed over, not read twice
    return read if read is not None else open_graph(Path(path), world)


def graph(path: Path, world: str = "") -> Graph:
    """One world of a graph folder, read once for all sessions."""
    return _graph(str(path), world, Source("", "opened", (path,)).stamp)


@st.cache_resource(max_entries=12, show_spinner="Reading the run …")
def _run(identity: Identity, _source: Source) -> OpenRun:
    run = openings().take(identity)
    if run is None:
        run = load(replace(_source, opened_as=identity), graph)
    # a weak reference: it tells that the run is open, and goes with the cache's entry
    openings().open[identity] = run
    return run


def wait_for(source: Source) -> None:
    """Show how far a large run or map is read, with a button that stops it, and end the page's
    script until then.
    """
    if not source.fault:
        check_source(source)
        opening.wait_for_maps(source)
        opening.wait_for(source, graph)


def is_unread(source: Source) -> bool:
    """Whether opening a run takes long: it is large, and nobody has opened it yet."""
    return not source.fault and opening.is_unread(source)


def open_run(source: Source) -> OpenRun:
    """Open a run, read once for all sessions; raises `InputError` where nothing of it may or can be
    read.
    """
    if source.fault:
        raise NavVizError(source.fault)
    check_source(source)
    # all visitors share this cache, so that the right is checked before it
    return _run(source.identity, source)


def episode_table(run: OpenRun, *, disagreements: bool = False) -> pd.DataFrame:
    """Return the run's episode table."""
    table = run.known_table()
    features = state.episode_list().choice("feature")
    if features and run.complete:
        own = marks.marks(run, features)
        table = table.assign(feature=table["episode"].map(own))
    explained = found_causes(run)
    if explained is not None:
        table = table.assign(
            act=table["episode"].map(act_slugs(explained)),
            cause=table["episode"].map(leading_ids(explained)),
        )
    table = finding.with_alike(run, table, state.episode_list())
    if not disagreements:
        return table
    kinds = _disagreements(run.source.identity, run)
    return table.assign(disagreement=table["episode"].map(kinds))


@st.cache_data(max_entries=12, show_spinner="Checking the instructions against their routes …")
def _disagreements(identity: Identity, _run: OpenRun) -> dict[str, str | None]:
    del identity
    kinds: dict[str, str | None] = {}
    for key, episode in _run.episodes.items():
        first = next(iter(claims_about(episode, _run.graph(key))), None)
        kinds[key] = first.kind if first is not None else None
    return kinds


@st.cache_data(max_entries=512, show_spinner=False)
def _contradictions(identity: Identity, episode: str, _run: OpenRun) -> list[Claim]:
    del identity
    return list(claims_about(_run.trace(episode).episode, _run.graph(episode)))


def contradictions(run: OpenRun, episode: str) -> list[Claim]:
    """Where an episode's instruction contradicts its route; found once."""
    return _contradictions(run.source.identity, episode, run)


def _with_contradictions(run: OpenRun, episode: str, sentence: str) -> str:
    """Return a sentence with what speaks against the instruction itself behind it."""
    against = [contradiction.sentence for contradiction in contradictions(run, episode)]
    return " ".join([sentence, "Check the instruction:", *against]) if against else sentence


@st.cache_data(max_entries=64, show_spinner=False)
def _map_of(path: str, modified_ns: int, graphs: tuple[str, ...]) -> str | None:
    del modified_ns
    file = Path(path)
    if kind_of(file) == "graph" or graphs_beside(file):
        return None
    first = next(iter(open_episodes(file).episodes.values()), None)
    if first is None:
        return None
    for place in graphs:
        names = open_worlds(Path(place)).names
        # a map of one world may go by any name: its nodes tell whether it is the one
        if first.world in names or (len(names) == 1 and first.start in graph(Path(place))):
            return place
    return None


def map_of(path: Path, graphs: tuple[Path, ...]) -> Path | None:
    """Which of some maps a file's first episode starts on, where no map lies beside it.

    Raises `InputError` where the file holds no episode that can be read.
    """
    place = _map_of(str(path), path.stat().st_mtime_ns, tuple(str(each) for each in graphs))
    return None if place is None else Path(place)


def scores(trace: Trace, graph: Graph) -> dict[str, float | None]:
    """Metrics of one trace, computed once for each state of it."""
    # the trace of a live run grows: its end and its path tell one state from the next
    end = trace.end.model_dump_json() if trace.end is not None else ""
    place = (graph.name, len(graph.ids))
    return _scores(
        trace.header.model_dump_json(), trace.path, trace.waypoints, end, place, trace, graph
    )


@st.cache_data(max_entries=512, show_spinner=False)
def _scores(
    header: str,
    path: tuple[str, ...],
    waypoints: object,
    end: str,
    place: tuple[str, int],
    _trace: Trace,
    _graph: Graph,
) -> dict[str, float | None]:
    del header, path, waypoints, end, place
    return dict(score_trace(_trace, _graph))


# cache_data would copy the document for each run of the script
@st.cache_resource(max_entries=32, show_spinner=False)
def _document(
    identity: Identity,
    episode: str,
    other: Identity | None,
    more: tuple[Identity, ...],
    variant: str,
    _run: OpenRun,
    _other: OpenRun | None,
    _further: Sequence[OpenRun],
    _change: Callable[[Trace, Graph], Trace] | None,
) -> tuple[dict[str, Any], PictureTable]:
    del identity, other, more, variant
    on = _run.graph(episode)
    trace = _run.trace(episode)
    if _change is not None:
        trace = _change(trace, on)
    panel = landmarks_panel(trace, on)
    trace = (
        trace
        if panel is None
        else trace.model_copy(update={"plan_panels": (*trace.plan_panels, panel)})
    )
    old = _other.trace(episode) if _other is not None else None
    measured = finished_only(old, scores(old, on)) if old is not None else None
    further_walks = [run.trace(episode) for run in _further]
    if old is not None:
        # poses of free walks share their names, so those of the others get names of their own
        old, *further_walks = own_places([old, *further_walks])
        on = with_walks(on, [old, *further_walks])
    runs = [_run, *_further] if _other is None else [_run, _other, *_further]
    label, *labels = side_by_side([run.name for run in runs])
    further = []
    # Not strict: runs beyond the palette's colours are not drawn.
    for name, walk, colour in zip(labels[1:], further_walks, FURTHER, strict=False):
        further.append((name, colour, walk))
    table = PictureTable(_run.pictures(episode))
    left = _run.divergence(episode)
    causes = causes_and_repairs(_run.trace(episode), on, left, _run.source.results)
    if causes is not None and causes["sentence"] is not None:
        causes["sentence"] = _with_contradictions(_run, episode, causes["sentence"])
    apart = None if old is None else turns_apart((trace, old), on)
    made = replay_document(
        trace,
        on,
        divergence=replace(left, sentence=_with_contradictions(_run, episode, left.sentence)),
        causes=causes,
        information=information_document(trace, on),
        places=places_or_reasons(trace, on),
        metrics=finished_only(trace, scores(trace, on)),
        title=f"Episode {episode}",
        running=False,
        compare=old,
        compare_label=labels[0] if labels else None,
        label=label,
        compare_metrics=measured,
        further=further,
        pictures=table,
        compare_pictures=_other.pictures(episode) if _other is not None else None,
        apart=apart,
    )
    return made, table


def document(
    run: OpenRun,
    episode: str,
    change: tuple[str, Callable[[Trace, Graph], Trace]] | None = None,
) -> dict[str, Any]:
    """Return the player's document of an episode; built once for each run, episode and settings,
    and never changed.
    """
    return illustrated(run, episode, change=change)[0]


def illustrated(
    run: OpenRun,
    episode: str,
    other: OpenRun | None = None,
    change: tuple[str, Callable[[Trace, Graph], Trace]] | None = None,
    further: Sequence[OpenRun] = (),
) -> tuple[dict[str, Any], PictureTable]:
    """Return the player's document of an episode and the table of its pictures; see `document`.

    With another run, the walks stand beside each other.
    """
    other_identity = other.source.identity if other is not None else None
    more = tuple(each.source.identity for each in further)
    name, changed = change if change is not None else ("", None)
    return _document(
        run.source.identity, episode, other_identity, more, name, run, other, further, changed
    )


class _Growing:
    """A walk that goes on, as it was when somebody last looked at it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.texts = WalkTexts()
        self.version = -1
        self.shown: tuple[Trace, dict[str, Any], PictureTable] | None = None


@st.cache_resource(max_entries=8, show_spinner=False)
def _growing(results: Path | None, method: str | None, episode: str) -> _Growing:
    del results, method, episode
    return _Growing()


def growing(run: OpenRun, episode: str) -> tuple[Trace, dict[str, Any], PictureTable]:
    """Return a walk as far as it is written by now, its document and its pictures."""
    results = run.source.results
    version = 0 if results is None else growth_of(results).look()
    walk = _growing(results, run.source.method, episode)
    with walk.lock:
        if walk.shown is None or walk.version != version:
            # only walks of ours grow, and these are read on demand
            trace = cast("LazyTraces", run.traces).again(episode)
            on = walked_graph(trace, run.graph_of(trace.episode.world))
            table = PictureTable(run.pictures(episode))
            made = replay_document(
                with_panels(trace, on),
                on,
                places=places_or_reasons(trace, on),
                title=f"Episode {episode}",
                running=True,
                label=run.name,
                pictures=table,
                strings=walk.texts.of(trace),
            )
            walk.version, walk.shown = version, (trace, made, table)
        return walk.shown


@st.cache_data(max_entries=64, show_spinner="Walking on after other links …")
def _what_if(
    identity: Identity, episode: str, slowly: bool, _run: OpenRun
) -> dict[str, Any] | None:
    del identity
    one = what_if_of(_run, episode) if slowly else quick_what_if(_run, episode)
    part = what_if_document(one, _run.trace(episode), _run.graph(episode))
    return None if part is None else {k: value for k, value in part.items() if value is not None}


def what_if_part(run: OpenRun, episode: str, *, slowly: bool) -> dict[str, Any] | None:
    """Return how an episode ends after other links, for the player; ``None`` where nothing is said.

    Without `slowly` only what is kept or worked out within a second.
    """
    return _what_if(run.source.identity, episode, slowly, run)


@st.cache_data(max_entries=512, show_spinner=False)
def _figure_names(identity: Identity, episode: str, _run: OpenRun) -> list[str]:
    del identity
    return names_in(figure_of(_run.trace(episode), _run.graph(episode)))


def figure_names(run: OpenRun, episode: str) -> list[str]:
    """Return the names that a paper's figure of an episode can write."""
    return _figure_names(run.source.identity, episode, run)


@st.cache_resource(max_entries=24, show_spinner="Drawing the map …")
def _overview(identity: Identity, world: str, _run: OpenRun) -> Overview:
    del identity
    traces = {key: trace for key, trace in _run.outlines.items() if trace.episode.world == world}
    walks = []
    graph, places = _run.graph_of(world), dict[str, Position]()
    for key, trace in traces.items():
        result = drawn_outcome(outcome(_run.scores.rows[key], trace))
        path = trace.path if len(trace.path) > 1 else trace.episode.reference_path
        # poses of different walks share their names
        if trace.poses:
            own = {node: f"{key} {node}" for node in trace.poses}
            places |= {own[node]: place for node, place in trace.poses.items()}
            path = tuple(own.get(node, node) for node in path)
        walks.append(Walked(key, path, result, f"{key}: {result}. {trace.episode.instruction}"))
    return Overview(with_places(graph, places), walks)


@st.cache_resource(max_entries=8, show_spinner="Drawing the map …")
def _large_overview(
    identity: Identity, world: str, count: int, _run: OpenRun
) -> tuple[Overview, list[str]]:
    del identity, count
    drawn = [row for row in _run.view.drawn if row["world"] == world and not row["posed"]]
    walks = []
    for row in drawn:
        title = f"{row['episode']}: {row['outcome']}. {row['instruction']}"
        walks.append(Walked(row["episode"], row["drawn"], row["outcome"], title))
    return Overview(_run.graph_of(world), walks), [walk.episode for walk in walks]


def overview(run: OpenRun, world: str, shown: pd.Series) -> str:
    """Return the map of a run's episodes in one world as an SVG; those that do not pass the filters
    are shaded.

    Of a large run only the first ones that are measured.
    """
    if run.kept_at is not None:
        laid_out, drawn = _large_overview(run.source.identity, world, len(run.view.drawn), run)
        return laid_out.svg(set(shown[shown.isin(drawn)].astype(str)))
    return _overview(run.source.identity, world, run).svg(set(shown.astype(str)))
