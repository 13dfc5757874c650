"""What goes wrong in a run, computed once for all sessions: features, slices, what the scanners
point at.

An episode's marks are what Explore's list can be filtered by: its features, ``left at: ...`` for
the junction where its agent left the route, ``scan: ...`` for the scanners that point at it,
and what the atlas tells of a
click (`navviz.views.figures.atlas`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import streamlit as st

from navviz.analysis.findings import LEFT_AT, SCAN, WHAT_IF
from navviz.analysis.kept.marks import RunMarks, known_marks, marks_place
from navviz.analysis.own_findings import IN_TEXTS, saying, text_mark_words
from navviz.analysis.scanners.registry import get_scanners
from navviz.errors import NavVizError
from navviz.records.finding import Finding
from navviz.runs.index.build import state_of_file
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.data.finding import Findings, alikes, what_if_counts, what_ifs_of
from navviz.views.figures.atlas_walk import MARKS, PATHS_DRAWN, AtlasWalk, has_mark, mark_words
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.views.figures.atlas import PackedAtlas

ON_THE_ATLAS = MARKS
"""Begin the marks that a click on the atlas tells."""


@st.cache_resource(max_entries=8, show_spinner=False)
def _known(identity: Identity, state: tuple[int, int] | None, _run: OpenRun) -> RunMarks | None:
    del identity, state
    return known_marks(_run)


def known(run: OpenRun) -> RunMarks | None:
    """Return what goes wrong in a run, shared by all sessions; ``None`` until another process has
    worked that out for a large one.
    """
    place, state = run.kept_at, None
    if place is not None:
        # another process writes the file: its state belongs to the key
        state = state_of_file(marks_place(place.results, place.graphs))
    return _known(run.source.identity, state, run)


_LOOKS = ("slices", "departures", "left_at", "hits")


def _look(run: OpenRun, after: Callable[[int], None]) -> RunMarks:
    run_marks = known(run)
    if run_marks is None:
        raise NavVizError("The words, places and transcripts of this run are not read yet.")
    alike = alikes().begin(run)
    for done, kind in enumerate(_LOOKS):
        after(done)
        getattr(run_marks, kind)  # each is worked out when it is first asked for
    alike.ended.wait()
    return run_marks


@st.cache_resource(show_spinner=False)
def looks() -> Findings[RunMarks]:
    """Return what words, places and transcripts tell, for all sessions."""
    return Findings(_look, "words, places and transcripts", lambda _run: len(_LOOKS), unit="parts")


_LOOKING = {
    "features": "Looking at words, routes and landmarks …",
    "left_at": "Following each walk to where it left its route …",
    "hits": "Scanning the transcripts …",
}


@contextmanager
def _looking(run: OpenRun, kind: str) -> Iterator[RunMarks | None]:
    """Say what is looked at, unless it was before."""
    marks = known(run)
    seen = marks is None or kind in vars(marks)
    with nullcontext() if seen else st.spinner(_LOOKING[kind]):
        yield marks


@st.cache_resource(max_entries=48, show_spinner="Searching the transcripts …")
def _saying(identity: Identity, mark: str, _run: OpenRun) -> frozenset[str]:
    del identity
    return saying(_run, mark)


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


def _features_of(run: OpenRun) -> Mapping[str, Collection[str]]:
    with _looking(run, "features") as run_marks:
        return {} if run_marks is None else run_marks.features


def hits(run: OpenRun) -> Mapping[str, list[Finding]]:
    """Return what each scanner points at, by its name."""
    with _looking(run, "hits") as run_marks:
        return {} if run_marks is None else run_marks.hits


def _found(run: OpenRun, wanted: tuple[str, ...]) -> Iterator[tuple[str, Collection[str]]]:
    """Yield episodes with the marks of what a thread of this process finds in them."""
    if any(mark.startswith(WHAT_IF) for mark in wanted):
        finding = what_ifs_of().get(run)
        counts = what_if_counts(run, None if finding is None else finding.result)
        for kind in ("none", "one", "several"):
            for key in getattr(counts, kind):
                yield key, {WHAT_IF + kind}


def marks(run: OpenRun, wanted: tuple[str, ...]) -> dict[str, list[str]]:
    """Return which of the marks that are asked for each episode has."""
    # each kind takes a look of its own at all walks, so only the kinds that are asked for are
    # looked at
    plain = any(not mark.startswith((LEFT_AT, SCAN, WHAT_IF, *IN_TEXTS, *MARKS)) for mark in wanted)
    features = _features_of(run) if plain else {}
    pointed: dict[str, set[str]] = {}
    if any(mark.startswith(LEFT_AT) for mark in wanted):
        with _looking(run, "left_at") as run_marks:
            for key, names in run_marks.left_at.items() if run_marks else ():
                pointed[key] = {LEFT_AT + name for name in names}
    if any(mark.startswith(SCAN) for mark in wanted):
        for name, scan_hits in hits(run).items():
            for hit in scan_hits:
                pointed.setdefault(hit.episode, set()).add(SCAN + name)
    for mark in wanted:
        for key in _saying(run.source.identity, mark, run) if mark.startswith(IN_TEXTS) else ():
            pointed.setdefault(key, set()).add(mark)
    for key, own in _found(run, wanted):
        pointed.setdefault(key, set()).update(own)
    for world in list(run.worlds) if any(mark.startswith(MARKS) for mark in wanted) else ():
        for walk in atlas(run, world)[1]:
            drawn = [mark for mark in wanted if has_mark(walk, mark)]
            pointed.setdefault(walk.episode, set()).update(drawn)
    marks_of: dict[str, list[str]] = {}
    for key in run.traces:
        own_marks = {*features.get(key, ()), *pointed.get(key, ())}
        marks_of[key] = [mark for mark in wanted if mark in own_marks]
    return marks_of


def describe(mark: str) -> str:
    """Say a mark in words."""
    if mark.startswith(MARKS):
        return mark_words(mark)
    if mark.startswith(IN_TEXTS):
        return text_mark_words(mark)
    if mark.startswith(WHAT_IF):
        kind = mark.removeprefix(WHAT_IF)
        return (
            "no decisive step" if kind == "none" else f"{kind} decisive step{'s' * (kind != 'one')}"
        )
    if mark.startswith(SCAN):
        title = next(
            (scanner.title for scanner in get_scanners() if SCAN + scanner.name == mark), mark
        )
        return f"“{title}”"
    return mark.replace(": ", " “", 1) + "”" if ": " in mark else mark
