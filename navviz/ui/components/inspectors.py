"""Inspectors that can be laid over any walk: MSNav's memory, chosen in the Replay page."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from navviz.records import Trace
from navviz.systems.msnav.place_map.memory import PAPER, PARSER, SCRIPT, PruningRules
from navviz.systems.msnav.replayed import can_show_memory, has_own_map, with_memory
from navviz.systems.registry import with_panels
from navviz.ui.state.address import by_hand, choose, chosen
from navviz.ui.state.session import current, set_widget, widget
from navviz.world.graph import Graph

_OFF = "off"
_CHOICES: Mapping[str, tuple[str, PruningRules | None]] = {
    "paper": ("the paper's numbers", PAPER),
    "script": ("the published run script's (no distance term)", SCRIPT),
    "parser": ("the published parser's", PARSER),
    "never": ("a map that is never pruned (MapGPT)", None),
}


def choose_memory(trace: Trace, graph: Graph) -> None:
    """Show a button with the choice of memory, for indoor walks that keep no such map
    themselves.
    """
    if not can_show_memory(trace, graph) or has_own_map(trace):
        return
    names = [_OFF, *_CHOICES]
    current().memory = chosen("memory", names, _OFF)
    with st.popover("Memory", help="The map and the pruning that MSNav would make on this walk."):
        set_widget("replay_memory_choice", current().memory)
        st.radio(
            "MSNav's memory beside this walk",
            names,
            format_func=lambda name: "not shown" if name == _OFF else _CHOICES[name][0],
            key="replay_memory_choice",
            on_change=by_hand(_choose),
            help=(
                "Its map, pruning scores and efficiency join the inspectors of each step. No model"
                " is asked."
            ),
        )


def _choose() -> None:
    name = str(widget("replay_memory_choice"))
    choose("memory", *([] if name == _OFF else [name]))


def inspected(trace: Trace, graph: Graph) -> Trace:
    """Return the trace with the panels of its system, and those of the memory that was chosen."""
    trace = with_panels(trace, graph)
    name = current().memory
    # what the agent kept itself must not stand beside a map that was worked out afterwards
    if name not in _CHOICES or has_own_map(trace):
        return trace
    return with_memory(trace, graph, _CHOICES[name][1])
