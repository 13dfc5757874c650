"""Runs that share episodes: only these can be compared."""

from __future__ import annotations

import streamlit as st

from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity, Source
from navviz.ui.data import cache

__all__ = ["MOST_RUNS", "sharing"]

MOST_RUNS = 8
"""More columns and paths than this nobody tells apart."""


@st.cache_data(max_entries=256, show_spinner="Looking which runs share episodes …")
def _episodes(identity: Identity, _source: Source) -> frozenset[tuple[str, str]]:
    """Return id and start of each episode of a run; kept as long as its files do not change."""
    del identity
    try:
        run = cache.open_run(_source)
    except NavVizError:
        return frozenset()
    return frozenset(run.starts(walked=True).items())


def sharing(run: OpenRun) -> tuple[dict[str, tuple[Source, int]], list[str]]:
    """List the other runs that walked an episode of this one, and name those that may and are not
    read yet.

    Returns
    -------
    The runs by name, with how many episodes they share, those that share most first; and the names
    of the runs on the same map that are too large to be read only to find out. Runs on other maps
    are not opened for that.
    """
    own = frozenset(run.starts().items())
    graphs = set(run.source.graphs)
    shared, unread = dict[str, tuple[Source, int]](), list[str]()
    for source in cache.sources():
        if source.name == run.name or source.fault or source.results is None:
            continue
        if graphs and source.graphs and not graphs & set(source.graphs):
            continue
        if cache.is_unread(source):
            unread += [source.name] if graphs & set(source.graphs) else []
            continue
        count = len(own & _episodes(source.identity, source))
        if count:
            shared[source.name] = (source, count)
    return dict(sorted(shared.items(), key=lambda item: -item[1][1])), unread
