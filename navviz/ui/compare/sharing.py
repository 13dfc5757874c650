"""Runs that share episodes: only these can be compared."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from navviz.analysis.paired_runs import PairedRun, paired_with
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity, Source
from navviz.ui.data import cache
from navviz.ui.server import visitor

MOST_RUNS = 8
"""More columns and paths than this nobody tells apart."""


@st.cache_data(max_entries=256, show_spinner="Finding runs that share episodes …")
def _episodes(
    identity: Identity, _source: Source
) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """Return id and start of each episode of a run, and its data sets; kept as long as its files do
    not change.
    """
    del identity
    try:
        run = cache.open_run(_source)
    except NavVizError:
        return frozenset(), frozenset()
    return frozenset(run.starts(walked=True).items()), frozenset(run.datasets.values())


@st.cache_data(max_entries=256, show_spinner="Finding episodes with the same task …")
def _paired(of: tuple[Identity, Identity], _run: OpenRun, _source: Source) -> int:
    """Count the episodes of another data set that ask the same as one of a run."""
    del of
    other = paired_with(_run, cache.open_run(_source))
    return len(other) if isinstance(other, PairedRun) else 0


def _overlap(own: Sequence[Path], others: Sequence[Path]) -> bool:
    """Whether two runs may have walked on one map: a run notes what its user named, which may be
    the map's folder or one above it.
    """
    for one, other in itertools.product(own, others):
        if one == other or one in other.parents or other in one.parents:
            return True
    return False


def sharing(run: OpenRun) -> tuple[dict[str, tuple[Source, int]], list[str]]:
    """List the other runs that walked an episode of this one, and name those that may and are not
    read yet.

    Returns
    -------
    The runs by name, with how many episodes they share (of R2R and VLN-CE: how many ask the same,
    by path and instruction), those that share most first; and the names
    of the runs on the same map that are too large to be read only to find out. Runs on other maps
    are not opened for that.
    """
    own, own_sets = frozenset(run.starts().items()), frozenset(run.datasets.values())
    graphs = run.source.graphs
    shared, unread = dict[str, tuple[Source, int]](), list[str]()
    for source in visitor.sources():
        if source.name == run.name or source.fault or source.results is None:
            continue
        overlaps = _overlap(graphs, source.graphs)
        if graphs and source.graphs and not overlaps:
            continue
        if cache.is_unread(source):
            unread += [source.name] if overlaps else []
            continue
        starts, data_sets = _episodes(source.identity, source)
        # the start belongs to it: data sets number their episodes alike
        count = len(own & starts)
        # within a data set the same task has the same id, so that only another set is worth pairing
        if not count and starts and not own_sets & data_sets:
            count = _paired((run.source.identity, source.identity), run, source)
        if count:
            shared[source.name] = (source, count)
    return dict(sorted(shared.items(), key=lambda item: -item[1][1])), unread
