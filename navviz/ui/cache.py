"""Cached loading: graphs and runs are shared by all sessions, bounded, and keyed on path and modification time."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import streamlit as st

from navviz.formats import open_graph
from navviz.runs.opened import OpenRun, load
from navviz.runs.sources import Source, catalogue, opened_from_environment
from navviz.runs.tables import outcome
from navviz.views.figures.thumbnails import thumbnail_svg
from navviz.world.graph import Graph

__all__ = ["Stamp", "episode_table", "graph", "open_run", "opened", "sources", "thumbnails"]

Stamp = tuple[tuple[str, int], ...]
"""`Source.stamp`: files with their times of modification, the key under which something read from them is kept."""


@st.cache_resource(show_spinner=False)
def opened() -> list[Source]:
    """What was opened since the server started, so that links to it work in every tab."""
    return opened_from_environment(sys.argv[1:])


def sources() -> list[Source]:
    """Everything that can be chosen."""
    return catalogue(opened())


@st.cache_resource(max_entries=8, show_spinner="Reading the graph …")
def _graph(path: str, world: str, stamp: Stamp) -> Graph:
    del stamp
    return open_graph(Path(path), world)


def graph(path: Path, world: str = "") -> Graph:
    """One world of a graph folder, read once for all sessions."""
    return _graph(str(path), world, Source("", "opened", (path,)).stamp)


@st.cache_resource(max_entries=12, show_spinner="Reading the run …")
def _run(name: str, method: str | None, stamp: Stamp, _source: Source) -> OpenRun:
    del name, method, stamp
    return load(_source, graph)


def open_run(source: Source) -> OpenRun:
    """A run, read once for all sessions; raises `InputError` where nothing of it can be read."""
    return _run(source.name, source.method, source.stamp, source)


@st.cache_data(max_entries=12, show_spinner="Scoring the episodes …")
def _table(name: str, method: str | None, stamp: Stamp, _run: OpenRun) -> pd.DataFrame:
    del name, method, stamp
    return _run.table()


def episode_table(run: OpenRun) -> pd.DataFrame:
    """The run's episode table."""
    return _table(run.source.name, run.source.method, run.source.stamp, run)


@st.cache_data(max_entries=12, show_spinner="Drawing the thumbnails …")
def _thumbnails(name: str, method: str | None, stamp: Stamp, _run: OpenRun) -> dict[str, str]:
    del name, method, stamp
    drawn = {}
    for key, trace in _run.traces.items():
        result = outcome(_run.scores.rows[key])
        title = f"{key}: {result}. {trace.episode.instruction}"
        drawn[key] = thumbnail_svg(_run.graph(key), trace.episode.reference_path, trace.path, result, title)
    return drawn


def thumbnails(run: OpenRun) -> dict[str, str]:
    """An SVG for each episode of a run."""
    return _thumbnails(run.source.name, run.source.method, run.source.stamp, run)
