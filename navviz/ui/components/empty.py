"""What a newcomer sees: a page before it has data (a picture of what it will look like, and one
button), and the first look at the sample.

The pictures are ``assets/ui/empty_*.svg``, in the colours of the tokens, so that they follow the
theme. They are sketches without words, since a reader of screens hears the title and the text
beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlsplit

import streamlit as st

from navviz.errors import NavVizError
from navviz.runs.episode_list import EpisodeList
from navviz.runs.sources import samples
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state import state
from navviz.ui.state.session import current
from navviz.ui.state.state import below_server
from navviz.views import palette
from navviz.views.player.files import own_file

Picture = Literal["list", "replay", "live", "compare", "rating", "study"]

_WIDTH_PX = 320


def picture(name: Picture, theme: palette.Theme = "light") -> str:
    """Return a page's sketch as SVG, in the colours of a theme."""
    # Streamlit's HTML drops SVG, and a picture of its own does not see the page's variables
    colours = palette.THEMES[theme]
    drawn = own_file(f"ui/empty_{name}.svg")
    return re.sub(r"var\(--nv-([\w-]+)\)", lambda match: colours[match[1]], drawn)


def show_picture(name: Picture) -> None:
    """Show a page's sketch in the colours of the page."""
    dark = st.context.theme.type == "dark"
    # an empty text marks a picture as decoration: all that it says stands in words next to it
    st.image(picture(name, "dark" if dark else "light"), width=_WIDTH_PX, alt="")


def empty(
    name: Picture,
    title: str,
    text: str,
    *,
    button: str = "",
    on_click: Callable[[], None] | None = None,
) -> None:
    """Show the picture beside what to do next; `on_click` is what the one button does."""
    with st.container(key=f"empty_{name}", horizontal=True, border=True, gap="medium"):
        show_picture(name)
        with st.container(width=420):
            st.markdown(f"**{plain(title)}**")
            st.markdown(plain(text))
            if button:
                key = f"empty_{name}_button"
                st.button(button, key=key, type="primary", on_click=on_click)


def open_sample() -> None:
    """Choose the first of the bundled runs, as the button of an empty page does."""
    first = next(iter(samples()), None)
    if first is not None:
        state.select(run=first.name)


def welcome() -> None:
    """Lead a newcomer from the bare address to the first look; anybody else goes where they
    wanted.
    """
    # once a session: whoever comes back to the bare address later wants that page
    first, current().begun = not current().begun, True
    path = urlsplit(st.context.url or "none").path
    bare = not st.query_params and path.rstrip("/") == below_server("/").rstrip("/")
    if first and bare and visitor.is_newcomer():
        place = first_look()
        if place is not None:
            # who has walked something here knows what NavViz is
            current().is_introduced = all(each.origin == "sample" for each in visitor.sources())
            st.switch_page("pages/replay.py", query_params=place)


_SNIPPET = """from navviz import record

env = record(habitat.Env(config), "my-run")  # any environment with reset() and step()
# your loop stays as it is; before a step, if you like:
env.note(prompt=..., thoughts=..., reply=...)"""


_INTRODUCTION_PX = 600
"""Beside its buttons on a laptop's screen, so that the player's bar is still on it."""


def introduction(on_open: Callable[[], None]) -> None:
    """Say in three sentences what NavViz is, above the first look, with three ways on; `on_open`
    asks what to open.
    """
    if not current().is_introduced:
        return
    with st.container(
        key="introduction", border=True, horizontal=True, vertical_alignment="center", gap="small"
    ):
        st.markdown(
            "**NavViz shows why a navigation agent went wrong.** This one left its route in an"
            " invented town: step with ← and →. In your own runs, find the act that each failure"
            " missed, compare two runs, or change a word and walk again.",
            width=_INTRODUCTION_PX,
        )
        with st.container(horizontal=True, width="content", gap="small"):
            st.button(
                "Open your run",
                type="primary",
                icon=":material/folder_open:",
                on_click=on_open,
                key="introduction_open",
            )
            with st.popover("Log your agent", icon=":material/code:"):
                st.code(_SNIPPET, language="python")
            if st.button(
                "Try the live rerun", icon=":material/play_arrow:", key="introduction_live"
            ):
                st.switch_page("pages/live.py", query_params=state.query(state.selection().episode))


def first_look() -> dict[str, str] | None:
    """Return the link of the wrong turn in the first sample that ended farthest from its goal, at
    its step.

    The link's list is the run's failures, the worst first, so that the next one is a key away.
    ``None`` where the sample has no wrong turn, or cannot be read.
    """
    worst_first = EpisodeList(choices=(("outcome", ("failure",)),), sort="NE", descending=True)
    try:
        run = cache.open_run(samples()[0])
        failures = worst_first.apply(run.known_table())["episode"].map(str)
    except (NavVizError, IndexError):
        return None
    for episode in failures:
        left = run.divergence(episode)
        if left.kind == "wrong turn":
            place = {"run": run.name, "episode": episode, "step": str(left.step or 1)}
            return place | worst_first.to_query()
    return None
