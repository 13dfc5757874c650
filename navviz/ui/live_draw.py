"""Draw an episode: start and goal by two clicks on the map, the instruction in one's own words."""

from __future__ import annotations

import hashlib

import streamlit as st

from navviz.errors import InputError
from navviz.graph import Graph
from navviz.records import Episode
from navviz.ui.pick import Mode, pick_node
from navviz.views.pick_map import pick_document

__all__ = ["DATASET", "draw", "is_on", "switch"]

DATASET = "drawn"
_KEY = "live_drawn"
_RADII_M = {"geo": 25.0, "metric": 3.0}


def switch() -> None:
    """The toggle that turns drawing on."""
    st.toggle(
        "Draw my own",
        key="live_draw",
        help="Click a start and a goal on this map, write the instruction, and see whether it can be followed.",
        persist_state="session",
    )


def is_on() -> bool:
    """Whether the user draws."""
    return bool(st.session_state.get("live_draw"))


def _drawn(graph: Graph) -> tuple[str | None, str | None]:
    world, start, goal = st.session_state.get(_KEY, ("", None, None))
    return (start, goal) if world == graph.name else (None, None)


def draw(graph: Graph, around: str) -> Episode | None:
    """The map to click on; returns the episode once start and goal are chosen."""
    start, goal = _drawn(graph)
    route: tuple[str, ...] = ()
    if start is not None and goal is not None:
        route = graph.shortest_path(start, goal) or ()
    document = pick_document(graph, around, start=start, goal=goal, route=route)
    mode: Mode = "start" if start is None else "goal" if goal is None else "again"
    picked = pick_node(document, key=f"live_pick_{graph.name}", mode=mode, height=520)
    if picked is not None:
        _take(graph, start, goal, picked)
        st.rerun()
    if start is None or goal is None:
        return None
    if not route:
        raise InputError(f"no way leads from {start} to {goal}", "click another start", field="goal")
    return _episode(graph, start, goal, route)


def _take(graph: Graph, start: str | None, goal: str | None, picked: str) -> None:
    chosen = (picked, None) if start is None or goal is not None or picked == start else (start, picked)
    st.session_state[_KEY] = (graph.name, *chosen)


def _episode(graph: Graph, start: str, goal: str, route: tuple[str, ...]) -> Episode:
    name = hashlib.sha256(f"{graph.name}|{start}|{goal}".encode()).hexdigest()[:8]
    heading_deg = graph.heading_deg(route[0], route[1]) if len(route) > 1 else 0.0
    return Episode(
        id=f"drawn-{name}",
        dataset=DATASET,
        instruction="",
        world=graph.name,
        start=start,
        start_heading_deg=round(heading_deg, 2),
        reference_path=route,
        goal=goal,
        success_radius_m=_RADII_M[graph.frame],
    )
