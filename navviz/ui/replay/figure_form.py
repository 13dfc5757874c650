"""Replay's form for a paper's figure: its width, the steps that are numbered, the names that are
written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from navviz.analysis.paper_figure import check_steps, figure_of, parsed_steps
from navviz.errors import NavVizError, SettingsError
from navviz.runs.opened import OpenRun
from navviz.support.installation.extras import extra_hint
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import audit

if TYPE_CHECKING:
    from navviz.views.figures.figure import FigureFormat, FigureWidth
    from navviz.views.figures.figure_panels import FigureEpisode
    from navviz.views.figures.view_row import FigureView

_KINDS: tuple[tuple[FigureFormat, str], ...] = (
    ("svg", "image/svg+xml"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
)
_FOREIGN = re.compile("[^\\u0000-\\u024f]")


def figure_form(run: OpenRun, episode: str, stem: str) -> None:
    """Show the button that opens the form; its downloads are named after `stem`."""
    missing = extra_hint("figures")
    with st.popover("Figure", icon=":material/image:", disabled=missing is not None, help=missing):
        width = _width()
        shown, views = _chosen(run, episode), _views(run, episode)
        ready = shown is not None and views is not None and missing is None
        with st.container(horizontal=True, gap="small"):
            for kind, mime in _KINDS:
                audit.download(
                    f"Figure ({kind.upper()})",
                    _drawn(shown, kind, width, views) if shown and views is not None else b"",
                    file_name=f"{stem}.{kind}",
                    mime=mime,
                    icon=":material/download:",
                    on_click="ignore",
                    disabled=not ready,
                )


def _width() -> FigureWidth:
    chosen: FigureWidth = st.segmented_control(
        "Width",
        ["single", "double"],
        format_func={"single": "One column", "double": "Two columns"}.__getitem__,
        default="single",
        required=True,
        key="replay_figure_width",
        help="Of a paper: 3.5 in or 7.16 in, all text 8 pt.",
    )
    return chosen


def _chosen(run: OpenRun, episode: str) -> Callable[[], FigureEpisode] | None:
    """Ask for steps and names, and return what gathers the figure; ``None`` where that cannot
    be.
    """
    steps = st.text_input(
        "Steps to number",
        key="replay_figure_steps",
        placeholder="none; for example 1, 5, 9 or 1-3",
        help="Their numbers are drawn on the agent's path, where each step was decided.",
    )
    all_names = cache.figure_names(run, episode)
    names = st.multiselect(
        "Labels",
        all_names,
        default=all_names,
        # A key for each episode: Streamlit would keep the names of the episode before.
        key=f"replay_figure_labels_{run.name}_{episode}",
        help="A label that fits nowhere without covering something is left out.",
        disabled=not all_names,
    )
    if missing := _missing(names):
        st.caption(plain(missing))
    only = None if len(names) == len(all_names) else names
    try:
        numbered = parsed_steps(steps)
        check_steps(run.trace(episode), numbered)
    except SettingsError as error:
        st.error(plain(error))
        return None
    return lambda: figure_of(run.trace(episode), run.graph(episode), steps=numbered, names=only)


def _views(run: OpenRun, episode: str) -> tuple[FigureView, ...] | None:
    """Ask for steps whose views stand beneath the map; ``None`` where one of them has none."""
    text = st.text_input(
        "Views beneath the map",
        key="replay_figure_views",
        placeholder="none; for example 2, 5, 7",
        help="What the agent saw at up to 5 steps, where the run has pictures.",
    )
    if not text.strip() or extra_hint("figures"):
        return ()
    # matplotlib: no page waits for it before somebody asks for a figure
    from navviz.views.figures.view_row import views_of

    trace = run.trace(episode)
    try:
        wanted = parsed_steps(text)
        check_steps(trace, wanted)
        return views_of(trace, run.graph(episode), run.pictures(episode), wanted)
    except NavVizError as error:
        st.error(plain(error))
        return None


def _missing(names: Sequence[str]) -> str:
    """Name letters that the figure would leave out; empty where all can be drawn."""
    # Latin letters are always there, and to ask costs the import of matplotlib
    if not _FOREIGN.search("".join(names)) or extra_hint("figures"):
        return ""
    from navviz.views.figures.print_type import missing_letters

    return missing_letters(names)


def _drawn(
    shown: Callable[[], FigureEpisode],
    kind: FigureFormat,
    width: FigureWidth,
    views: Sequence[FigureView],
) -> Callable[[], bytes]:
    """Draws the figure when its button is pressed; only then matplotlib is imported, so no page
    waits for it.
    """

    def drawn() -> bytes:
        # an extra: matplotlib
        from navviz.views.figures.figure import episodes_figure, figure_bytes

        episode = shown()
        # a view without its place on the map would say little
        numbered = sorted({*episode.steps, *(view.step for view in views)})
        chosen = [replace(episode, steps=tuple(numbered))]
        return figure_bytes(episodes_figure(chosen, width=width, views=views), kind)

    return drawn
