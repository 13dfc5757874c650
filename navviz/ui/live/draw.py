"""Draw an episode: start and goal by two clicks on the map, the instruction in one's own words."""

from __future__ import annotations

import hashlib

import streamlit as st

from navviz.errors import InputError
from navviz.records import Episode
from navviz.ui.components.pick import Mode, pick_node
from navviz.ui.session import Drawing, current, widget
from navviz.views.player.pick import pick_document
from navviz.world.graph import Graph

__all__ = ["DATASET", "another", "draw", "drawn", "is_on", "switch"]

DATASET = "drawn"
_HEIGHT = 620
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
    return bool(widget("live_draw"))


def _clicked(graph: Graph) -> tuple[str | None, str | None]:
    drawing = current().live.drawing
    return (drawing.start, drawing.goal) if drawing is not None and drawing.world == graph.name else (None, None)


def drawn(graph: Graph) -> Episode | None:
    """The episode that was drawn on this map; ``None`` while it has no start or goal, or no way leads there."""
    start, goal = _clicked(graph)
    route = graph.shortest_path(start, goal) if start is not None and goal is not None else None
    return _episode(graph, start, goal, route) if start is not None and goal is not None and route else None


def another() -> None:
    """The button that begins a new drawing."""
    st.button("Draw another", icon=":material/edit_location_alt:", key="live_draw_another", on_click=_forget)


def _forget() -> None:
    current().live.drawing = None


def draw(graph: Graph, around: str) -> Episode | None:
    """The map to click on; returns the episode once start and goal are chosen."""
    start, goal = _clicked(graph)
    episode = drawn(graph)
    route = episode.reference_path if episode is not None else ()
    document = pick_document(graph, around, start=start, goal=goal, route=route)
    mode: Mode = "start" if start is None else "goal" if goal is None else "again"
    picked = pick_node(document, key=f"live_pick_{graph.name}", mode=mode, height=_HEIGHT)
    if picked is not None:
        _take(graph, start, goal, picked)
        st.rerun()
    if episode is None and start is not None and goal is not None:
        raise InputError(f"no way leads from {start} to {goal}", "click another start", field="goal")
    return episode


def _take(graph: Graph, start: str | None, goal: str | None, picked: str) -> None:
    chosen = (picked, None) if start is None or goal is not None or picked == start else (start, picked)
    current().live.drawing = Drawing(graph.name, *chosen)


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
