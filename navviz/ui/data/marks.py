"""What goes wrong in a run, computed once for all sessions: features, slices, what the scanners
point at.

An episode's marks are what Explore's list can be filtered by: its features, ``left at: ...`` for
the junction where its agent left the route, ``scan: ...`` for the scanners that point at it,
``cause: ...`` for the causes found in it,
``worse than RUN`` where it fails alone, and what the atlas tells of a click
(`navviz.views.figures.atlas`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import streamlit as st

from navviz.analysis.causes.registry import cause_ids, get_detector
from navviz.analysis.departure_slices import departure_slices, passages
from navviz.analysis.kept.marks import KeptMarks, kept_marks, marks_place
from navviz.analysis.scanners.registry import ScanHit, get_scanners, scan_run
from navviz.analysis.slices import Slice, failed_episodes, find_slices, run_features, worse_slices
from navviz.runs.index.build import state_of_file
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.data.finding import found_causes
from navviz.views.figures.atlas_walk import MARKS, PATHS_DRAWN, AtlasWalk, has_mark, mark_words
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.views.figures.atlas import PackedAtlas

LEFT_AT, SCAN, HAS_CAUSE = "left at: ", "scan: ", "cause: "
ON_THE_ATLAS = MARKS
"""Begin the marks that a click on the atlas tells."""


@st.cache_data(max_entries=8, show_spinner="Looking at words, routes and landmarks …")
def _features(identity: Identity, _run: OpenRun) -> dict[str, frozenset[str]]:
    del identity
    return run_features(_run.outlines, _run.graph_of)


@st.cache_data(max_entries=8, show_spinner="Following each walk to where it left its route …")
def _departures(identity: Identity, _run: OpenRun) -> list[Slice]:
    del identity
    return departure_slices(_run.traces, _run.graph_of)


@st.cache_data(max_entries=8, show_spinner="Scanning the transcripts …")
def _hits(identity: Identity, _run: OpenRun) -> dict[str, list[ScanHit]]:
    del identity
    return scan_run(_run.traces, _run.graph_of, get_scanners())


@st.cache_data(max_entries=8, show_spinner=False)
def _left_at(identity: Identity, _run: OpenRun) -> dict[str, frozenset[str]]:
    del identity
    left = {}
    for key, trace in _run.traces.items():
        walked = passages(trace, _run.graph_of(trace.episode.world))
        features = chain.from_iterable(passage.features for passage in walked if passage.left)
        left[key] = frozenset(LEFT_AT + feature for feature in features)
    return left


@st.cache_resource(max_entries=12, show_spinner="Following each walk on the map …")
def _atlas(identity: Identity, world: str, _run: OpenRun) -> tuple[Graph, list[AtlasWalk]]:
    del identity
    return _run.map_walks(world)


@st.cache_resource(max_entries=12, show_spinner="Drawing the streets …")
def _drawn(
    identity: Identity,
    world: str,
    floor: int | None,
    chosen: str,
    _graph: Graph,
    _walks: list[AtlasWalk],
) -> PackedAtlas:
    # takes 0.8 s to import, for one view of Explore
    from navviz.views.figures.atlas import pack_atlas

    del identity, world
    return pack_atlas(_graph, _walks, floor=floor, density=bool(chosen))


@st.cache_resource(max_entries=6, show_spinner=False)
def _kept(identity: Identity, state: tuple[int, int] | None, _run: OpenRun) -> KeptMarks | None:
    del identity, state
    return kept_marks(_run)


def kept(run: OpenRun) -> KeptMarks | None:
    """Return what another process worked out of a large run; ``None`` until it has done all, and
    for a smaller run.
    """
    if run.kept_at is None:
        return None
    # another process writes the file: its state belongs to the key
    state = state_of_file(marks_place(run.kept_at.results, run.kept_at.graphs))
    return _kept(run.source.identity, state, run)


def missing(run: OpenRun) -> bool:
    """Tell whether another process has still to work out what goes wrong in a large run."""
    return run.kept_at is not None and kept(run) is None


def _features_of(run: OpenRun) -> Mapping[str, Collection[str]]:
    if run.kept_at is not None:
        index = kept(run)
        return index.features if index is not None else {}
    return _features(run.source.identity, run)


def _departed(run: OpenRun) -> Mapping[str, Collection[str]]:
    """Return the features of the junction at which each agent left the route, as marks."""
    if run.kept_at is not None:
        index = kept(run)
        left: dict[str, list[str]] = {}
        for key, names in index.left_at.items() if index else ():
            left[key] = [LEFT_AT + name for name in names]
        return left
    return _left_at(run.source.identity, run)


def atlas(run: OpenRun, world: str) -> tuple[Graph, list[AtlasWalk]]:
    """Return one world and the run's walks in it, as the atlas draws them."""
    return _atlas(run.source.identity, world, run)


def drawn_atlas(
    run: OpenRun, world: str, floor: int | None, passing: Collection[str]
) -> PackedAtlas:
    """Return what the atlas draws, worked out once; where walks are drawn as traffic, once for each
    choice of them.
    """
    graph, walks = atlas(run, world)
    if len(walks) <= PATHS_DRAWN:
        return _drawn(run.source.identity, world, floor, "", graph, walks)
    chosen = [walk for walk in walks if walk.episode in passing]
    digest = hashlib.sha256("\0".join(walk.episode for walk in chosen).encode()).hexdigest()
    return _drawn(run.source.identity, world, floor, digest, graph, chosen)


def slices(run: OpenRun) -> list[Slice]:
    """Tell on what the run fails more often than on the rest, the clearest first."""
    index = kept(run)
    if index is not None:
        return index.slices
    return find_slices(_features_of(run), failed_episodes(run.scores))


def departures(run: OpenRun) -> list[Slice]:
    """Tell at which junctions its agents leave the route more often."""
    index = kept(run)
    return index.departures if index is not None else _departures(run.source.identity, run)


def worse(run: OpenRun, other: OpenRun) -> list[Slice]:
    """Tell on what the run is worse than another one."""
    names = (run.name, other.name)
    return worse_slices(
        _features_of(run), failed_episodes(run.scores), failed_episodes(other.scores), names
    )


def hits(run: OpenRun) -> dict[str, list[ScanHit]]:
    """Return what each scanner points at, by its name."""
    index = kept(run)
    return index.hits if index is not None else _hits(run.source.identity, run)


def marks(run: OpenRun, wanted: tuple[str, ...]) -> dict[str, list[str]]:
    """Return which of the marks that are asked for each episode has."""
    # each kind takes a look of its own at all walks, so only the kinds that are asked for are
    # looked at
    plain = any(not mark.startswith((LEFT_AT, SCAN, HAS_CAUSE, *MARKS)) for mark in wanted)
    features = _features_of(run) if plain else {}
    left = _departed(run) if any(mark.startswith(LEFT_AT) for mark in wanted) else {}
    pointed: dict[str, set[str]] = {}
    if any(mark.startswith(SCAN) for mark in wanted):
        for name, scan_hits in hits(run).items():
            for hit in scan_hits:
                pointed.setdefault(hit.episode, set()).add(SCAN + name)
    if any(mark.startswith(HAS_CAUSE) for mark in wanted):
        for key, one in (found_causes(run) or {}).items():
            pointed.setdefault(key, set()).update(HAS_CAUSE + name for name in one.ids)
    for world in _worlds(run) if any(mark.startswith(MARKS) for mark in wanted) else ():
        for walk in atlas(run, world)[1]:
            drawn = [mark for mark in wanted if has_mark(walk, mark)]
            pointed.setdefault(walk.episode, set()).update(drawn)
    marks_of: dict[str, list[str]] = {}
    for key in run.traces:
        own_marks = {*features.get(key, ()), *left.get(key, ()), *pointed.get(key, ())}
        marks_of[key] = [mark for mark in wanted if mark in own_marks]
    return marks_of


def _worlds(run: OpenRun) -> list[str]:
    return list(run.worlds)


def describe(mark: str) -> str:
    """Say a mark in words."""
    if mark.startswith(MARKS):
        return mark_words(mark)
    if mark.startswith(HAS_CAUSE):
        name = mark.removeprefix(HAS_CAUSE)
        return f"“{get_detector(name).name}”" if name in cause_ids() else mark
    if mark.startswith(SCAN):
        title = next(
            (scanner.title for scanner in get_scanners() if SCAN + scanner.name == mark), mark
        )
        return f"“{title}”"
    return mark.replace(": ", " “", 1) + "”" if ": " in mark else mark
