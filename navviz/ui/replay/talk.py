"""The talk: the steps that somebody will show, each with a caption, kept in the workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from navviz.analysis.site.talk import TALK_FILE, Slide, Talk, first_caption, kept_talk, talk_html
from navviz.runs.opened import OpenRun
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import write_whole
from navviz.support.installation.serving import serving
from navviz.ui.components.plain import plain
from navviz.ui.components.player import Action
from navviz.ui.data import cache
from navviz.ui.server import audit, visitor
from navviz.ui.state import shell
from navviz.ui.state.session import widget

ADD = Action("talk", "")
"""The key t in the player, which has no button for it."""
_Change = Literal["up", "down", "remove", "caption"]


def is_offered() -> bool:
    """Whether there is a talk: visitors of a server share a workspace, and have none."""
    return serving() is None


def show() -> None:
    """Show the part of the page, folded."""
    if not is_offered():
        return
    box = st.expander("Talk", icon=":material/co_present:", key="replay_talk", on_change="rerun")
    if not box.open:
        return
    with box, shell.guard():
        # the player hears the click, and tells the step that it shows
        st.button("Add this step", key="replay_talk_add", icon=":material/add:", help="Key t, too.")
        talk = kept_talk(workspace_dir() / TALK_FILE)
        if not talk.slides:
            st.caption("Each step that you add is a slide with a caption; one key plays on.")
            return
        for number, slide in enumerate(talk.slides):
            _slide(number, slide, len(talk.slides))
        listed = visitor.sources()
        sources = {slide.run: visitor.source_named(slide.run, listed) for slide in talk.slides}
        if missing := sorted(name for name, source in sources.items() if source is None):
            st.caption(plain(f"Not open: {', '.join(missing)}. Open it, or remove its slides."))
        at_hand = {name: source for name, source in sources.items() if source is not None}
        audit.download(
            "Save as one HTML file",
            lambda: talk_html(talk, lambda name: cache.open_run(at_hand[name])).encode(),
            file_name="talk.html",
            mime="text/html",
            icon=":material/slideshow:",
            on_click="ignore",
            disabled=bool(missing),
            help="Space, the right arrow or a clicker goes on. It needs no network.",
        )


def _slide(number: int, slide: Slide, count: int) -> None:
    # a slide that moves or changes gets new widgets, so that none keeps another's caption
    key = f"replay_talk_{number}_{hash((count, slide))}"
    place = f"Slide {number + 1}: {slide.run}, episode {slide.episode}, step {slide.step}"

    def change(what: _Change) -> Callable[[], None]:
        return lambda: _change(number, slide, what, key)

    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        st.text_input(
            plain(place), slide.caption, key=key, max_chars=1_000, on_change=change("caption")
        )
        up, down, remove = (f"{key}_{name}" for name in ("up", "down", "remove"))
        icon = ":material/arrow_upward:"
        st.button("Earlier", key=up, icon=icon, disabled=number == 0, on_click=change("up"))
        icon, last = ":material/arrow_downward:", number == count - 1
        st.button("Later", key=down, icon=icon, disabled=last, on_click=change("down"))
        st.button("Remove", key=remove, icon=":material/delete:", on_click=change("remove"))


def add(run: OpenRun, episode: str, step: int) -> None:
    """Add a step to the talk, with what the player says of the walk as its caption."""
    with shell.guard():
        caption = first_caption(run, episode)[:1_000]
        slides = kept_talk(workspace_dir() / TALK_FILE).slides
        slide = Slide(run=run.name, episode=episode, step=step, caption=caption)
        _keep((*slides, slide))
        st.toast("Added to the talk; its list is below.", icon=":material/co_present:")


def _change(number: int, slide: Slide, what: _Change, key: str) -> None:
    with shell.guard():
        slides = list(kept_talk(workspace_dir() / TALK_FILE).slides)
        if slides[number : number + 1] != [slide]:
            return  # another window was faster
        del slides[number]
        if what == "caption":
            slides.insert(number, slide.model_copy(update={"caption": str(widget(key))}))
        elif what != "remove":
            slides.insert(number - 1 if what == "up" else number + 1, slide)
        _keep(tuple(slides))


def _keep(slides: tuple[Slide, ...]) -> None:
    write_whole(workspace_dir() / TALK_FILE, Talk(slides=slides).model_dump_json(indent=1) + "\n")
