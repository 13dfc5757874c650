"""The frame around every page: page list, navigation, theme, notices.

Every page begins with `page`. It is idempotent, because a deep link as the first request after the server starts, and
every page under AppTest, runs the page without ``app.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from navviz.errors import NavVizError, Problems
from navviz.installation.files import app_file, asset, page_file
from navviz.installation.plugins import noticed
from navviz.ui import state

__all__ = ["PAGES", "broken_plugins", "empty", "guard", "page", "problems", "row", "run"]

_ROUTED = "shell_routed"
_BEGUN = "shell_begun"


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One page of the app. Pages have no icon: Streamlit would ask a CDN for it as the tab's picture."""

    name: str
    title: str
    help: str


PAGES: tuple[PageInfo, ...] = tuple(
    info
    for info in (
        PageInfo("explore", "Explore", "The run's figures, its episodes as table and gallery."),
        PageInfo("replay", "Replay", "One episode, step by step, in step with the map."),
        PageInfo("live", "Live", "Edit the instruction and run a navigator now."),
        PageInfo("compare", "Compare", "Two runs of an episode on one map."),
        PageInfo("annotate", "Annotate", "Rate instructions and label failures."),
        PageInfo("evaluate", "Evaluate", "Agreement, and how ratings relate to metrics."),
    )
    if page_file(info.name).exists()
)
"""Pages in the order of the menu; a page is listed once its file is there."""


def _navigation() -> StreamlitPage:
    pages = [
        st.Page(
            page_file(info.name),
            title=info.title,
            help=info.help,
            default=info.name == "explore",
        )
        for info in PAGES
    ]
    return st.navigation(pages, position="top")


def run() -> None:
    """Route to the chosen page; the whole of ``app.py``."""
    st.session_state[_ROUTED] = True
    _navigation().run()


def page(name: str) -> None:
    """Begin a page: title, layout, navigation, logo, and the selection as the URL tells it."""
    info = next(info for info in PAGES if info.name == name)
    st.set_page_config(
        page_title=f"{info.title} · NavViz",
        page_icon=str(asset("icon.svg")),
        layout="wide",
        initial_sidebar_state="auto",
    )
    if not st.session_state.pop(_ROUTED, False):
        _navigation()
        _reroute()
    st.logo(str(asset("logo.svg")), size="medium")
    state.read_url()


def _reroute() -> None:
    """Run a session's first page again through ``app.py``, where there is one: else the next run gives every widget
    another identity, and the first click is lost. Only once, since a second run would forget which button was pressed;
    and only in a server, since AppTest runs the page without ``app.py`` every time.
    """
    context = get_script_run_ctx()
    first = not st.session_state.get(_BEGUN, False)
    st.session_state[_BEGUN] = True
    served = runtime.exists() and type(runtime.get_instance()) is runtime.Runtime
    if first and served and context is not None and Path(context.main_script_path) == app_file():
        st.rerun()


def row() -> DeltaGenerator:
    """A row of widgets that stand on one line, as long as they fit."""
    return st.container(horizontal=True, vertical_alignment="bottom", gap="small")


@contextmanager
def guard() -> Iterator[None]:
    """Show a `NavVizError` as the one sentence it is; the rest of the page goes on."""
    try:
        yield
    except NavVizError as error:
        st.error(str(error), icon=":material/error:")


def problems(found: Problems) -> None:
    """Say how much could not be read, and let the user unfold what."""
    if not found.count:
        return
    noun = "thing" if found.count == 1 else "things"
    with st.expander(f"{found.count} {noun} could not be read; everything else is shown", icon=":material/warning:"):
        for problem in found.kept[:50]:
            st.text(str(problem))
        if found.count > 50:
            st.caption(f"and {found.count - 50} more")


def broken_plugins() -> None:
    """Name the plug-ins that could not be used so far; call it after what loads them."""
    for problem in noticed():
        st.warning(str(problem), icon=":material/extension_off:")


def empty(title: str, text: str) -> None:
    """An empty state that says what to do next."""
    st.info(text, title=title, icon=":material/info:")
