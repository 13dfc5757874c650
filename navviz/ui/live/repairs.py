"""A second chance for an instruction that led astray: edits that are applied and walked by one
click.
"""

from __future__ import annotations

import math

import streamlit as st

from navviz.analysis.repairs import Repair, suggest_repairs
from navviz.records import Episode
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.live.chosen import Setting, shown_run, text_key
from navviz.ui.server import audit
from navviz.ui.state.session import current, set_widget
from navviz.world.graph import Graph


@st.cache_data(max_entries=64, show_spinner="Trying edits …")
def _repairs(
    world: str, graphs: tuple[str, ...], episode: Episode, _graph: Graph
) -> tuple[Repair, ...]:
    del world, graphs
    return suggest_repairs(episode, _graph)


def offer(of: Setting, episode: Episode) -> None:
    """Offer repairs where the walk that is shown failed on streets whose route is known."""
    if of.graph.frame != "geo" or len(of.episode.reference_path) < 2 or not _failed(of):
        return
    wanted = current().live.repairs_for
    if wanted != episode.instruction:
        st.button(
            "Suggest repairs",
            icon=":material/build:",
            key="live_repairs",
            width="stretch",
            on_click=_ask,
            args=(episode.instruction,),
            help=(
                "Small edits of the instruction, from how the rules read it along the reference"
                " path."
            ),
        )
        return
    repairs = _repairs(of.graph.name, of.graphs, episode, of.graph)
    with st.container(border=True, gap="small", key="live_repairs_list"):
        if not repairs:
            st.caption("No small edit helps: none brings the stop nearer to the goal.")
        for number, repair in enumerate(repairs):
            _repair(of, repair, number)


def _failed(of: Setting) -> bool:
    """Whether the walk that is shown, or the one before any run, ended outside the goal's
    radius.
    """
    shown = shown_run(of)
    trace = shown.trace if shown is not None else of.old
    if trace is None or (shown is not None and shown.running):
        return False
    # None, where nobody knows, is no failure
    return cache.scores(trace, of.graph).get("SR") == 0


def _repair(of: Setting, repair: Repair, number: int) -> None:
    st.text(repair.sentence)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        color = "green" if repair.success else "orange"
        st.markdown(f":{color}-badge[{plain(_moved(repair))}]", width="content")
        st.button(
            "Apply and run",
            key=f"live_repair_{number}",
            type="tertiary",
            on_click=_apply,
            args=(of, repair.instruction),
        )


def _moved(repair: Repair) -> str:
    """Say how far from the goal `rules` stops with the text as it stands and as edited: one
    navigator, both times.
    """
    before = "" if math.isinf(repair.before_m) else f"{repair.before_m:.0f} m → "
    return f"rules: {before}{repair.error_m:.0f} m from the goal"


def _ask(instruction: str) -> None:
    current().live.repairs_for = instruction


def _apply(of: Setting, instruction: str) -> None:
    set_widget(text_key(of), instruction)
    # what was typed before must not stand in for the repaired text
    current().live.typed = None
    current().live.runs_next = text_key(of)
    audit.note("repaired", of.episode.id)
