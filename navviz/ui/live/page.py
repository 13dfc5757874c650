"""The three parts of the Live page: one episode, many episodes, a new episode; which one is shown
stands in the address.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from navviz.runs.opened import OpenRun
from navviz.support.installation.serving import is_allowed, refusal
from navviz.ui.components import neighbours, pickers
from navviz.ui.components.browser import copy_link
from navviz.ui.components.plain import plain
from navviz.ui.live import chosen, stage, start
from navviz.ui.live import draw as live_draw
from navviz.ui.live import pausing as live_pausing
from navviz.ui.live.batches import form as batch_form
from navviz.ui.live.batches import page as batches
from navviz.ui.live.chosen import shown_run
from navviz.ui.state import shell
from navviz.ui.state.state import choose, segmented
from navviz.ui.state.state import chosen as in_address

_PARTS = {"one": "One episode", "many": "Many episodes", "new": "New episode"}


def show() -> None:
    """Show the part that the address names, of the run that it names."""
    # the address decides which pickers stand in the row, before the row is drawn
    part = in_address("part", list(_PARTS), "one")
    episode = None
    with shell.row(top=True):
        run = pickers.choose_run(width=300, sketch="live")
        if run is not None and part != "many":
            episode = pickers.choose_episode(run)
        segmented(
            "Part",
            list(_PARTS),
            name="part",
            key="live_part",
            format_func=_PARTS.__getitem__,
            help="Run a navigator on one episode or on many, or make an episode of your own.",
        )
        copy_link()
    if run is not None and part == "many":
        left, right = st.columns((5, 11), gap="medium")
        with left, shell.guard():
            if not is_allowed("batches"):
                st.error(plain(refusal("batches")), icon=":material/lock:")
            elif (started := batch_form.form(run)) is not None:
                batches.choose(started)
        with right, shell.guard():
            batches.watch()
    elif run is not None and episode is not None and part == "new":
        _new(run, episode)
    elif run is not None and episode is not None:
        _one_episode(run, episode)


def _one_episode(run: OpenRun, episode: str) -> None:
    """Instruction and navigator on the left, the walk on the right."""
    left, right = st.columns((4, 11), gap="medium")
    drawing, walk = right.container(), right.container()
    # a fault in the block below is shown there, and leaves no setting
    of = None
    with drawing, shell.guard():
        of = chosen.setting(run, episode)
    if of is None:
        left.caption("Click a start and a goal on the map.")
        return
    with left, shell.guard():
        shown = shown_run(of)
        live_pausing.paused(shown.live if shown is not None else None, stage.start_again)
        start.start(of, start.edit(of))
    with walk, shell.guard():
        stage.watch(of, partial(neighbours.to, run, episode))


def _new(run: OpenRun, episode: str) -> None:
    """Draw a route, or one of the ways that systems bring; those for other data wait to be asked
    for.
    """
    ways = shell.page_parts("live")
    slugs = {part.slug: part for part in ways.values()}
    way = in_address("way", [live_draw.WAY, *slugs], live_draw.WAY)
    offered = [live_draw.WAY]
    for slug, part in slugs.items():
        if way != live_draw.WAY or part.applies is None or part.applies(run):
            offered.append(slug)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        titles = {live_draw.WAY: "Draw a route"} | {slug: slugs[slug].title for slug in slugs}
        segmented("Way", offered, name="way", key="live_way", format_func=titles.__getitem__)
        if len(offered) == 1 and slugs:
            st.button(
                "Tasks of several parts",
                icon=":material/checklist:",
                key="live_more_ways",
                type="tertiary",
                on_click=choose,
                args=("way", next(iter(slugs))),
                help="Write tasks about the things of this world, or cut a walk into step tasks.",
            )
        if way == live_draw.WAY:
            live_draw.choose_targets()
    if way == live_draw.WAY:
        _one_episode(run, episode)
        return
    with shell.guard():
        slugs[way](run, episode)
