"""Draw an episode by clicks on the map: a start, then one or several targets; the instruction in
one's own words.
"""

from __future__ import annotations

import streamlit as st

from navviz.errors import InputError
from navviz.records import Episode
from navviz.records.base import plural
from navviz.runner.drawn import drawn_episode
from navviz.ui.components.browser import Mode, pick_node
from navviz.ui.components.plain import plain
from navviz.ui.state.session import Drawing, current, widget
from navviz.views.player.pick import pick_document
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph
from navviz.world.search import tour

_HEIGHT = 620

WAY = "draw"
"""How addresses name drawing, among the ways to a new episode."""


def choose_targets() -> None:
    """Ask how many targets the drawn episode has."""
    st.segmented_control(
        "Targets",
        [1, 2, 3, 4],
        default=1,
        key="live_draw_targets",
        label_visibility="collapsed",
        format_func=lambda count: plural(count, "goal"),
        help=(
            "Click a start and a goal on the map, or move with the arrow keys and press Enter."
            " Several targets make a task of several parts: click them in the order of the visit."
        ),
        persist_state="session",
    )


def is_on() -> bool:
    """Whether the user draws."""
    return st.query_params.get("part") == "new" and st.query_params.get("way", WAY) == WAY


def wanted() -> int:
    """How many targets the user wants to visit."""
    value = widget("live_draw_targets")
    return int(value) if isinstance(value, int) else 1


def _clicked(graph: Graph) -> Drawing:
    drawing = current().live.drawing
    # clicks on another map name nodes that are not on this one
    return drawing if drawing is not None and drawing.world == graph.name else Drawing(graph.name)


def drawn(graph: Graph) -> Episode | None:
    """Return the episode that was drawn on this map; ``None`` while a click is missing, or no way
    leads there.
    """
    drawing = _clicked(graph)
    if drawing.start is None or len(drawing.targets) < wanted():
        return None
    legs = tour(graph, drawing.start, [(target,) for target in drawing.targets])
    return None if legs is None else drawn_episode(graph, drawing.start, legs)


def another() -> None:
    """Show the button that begins a new drawing."""
    st.button(
        "Draw another",
        icon=":material/edit_location_alt:",
        key="live_draw_another",
        on_click=_forget,
    )


def _forget() -> None:
    current().live.drawing = None


def draw(graph: Graph, around: str) -> Episode | None:
    """Show the map to click on; return the episode once start and targets are chosen."""
    drawing = _clicked(graph)
    episode = drawn(graph)
    route = episode.reference_path if episode is not None else ()
    floors = find_floors(graph) if graph.frame == "metric" else None
    floor = _floor(graph, floors, drawing.start or around) if floors is not None else None
    document = pick_document(
        graph,
        around,
        start=drawing.start,
        goal=drawing.goal,
        route=route,
        more=drawing.more,
        floor=floor,
    )
    whole = drawing.start is not None and len(drawing.targets) >= wanted()
    mode: Mode = "again" if whole else "goal"
    if drawing.start is None:
        mode = "start"
    words = (
        f"Click target {len(drawing.targets) + 1} of {wanted()}"
        if mode == "goal" and wanted() > 1
        else None
    )
    if floors is not None and drawing.start is not None and floors.of[drawing.start] != floor:
        request = words or ("Click to choose a new start" if mode == "again" else "Click the goal")
        words = f"{request} · the start is on the {floors.names[floors.of[drawing.start]].lower()}"

    def take(node: str) -> None:
        current().live.drawing = _taken(drawing, node, whole=whole)

    pick_node(
        document,
        key=f"live_pick_{graph.name}",
        mode=mode,
        on_pick=take,
        height=_HEIGHT,
        words=words,
    )
    # after the map is drawn, so that another start can be clicked
    if episode is None and whole:
        ends = ", ".join(drawing.targets)
        raise InputError(
            f"no way leads from {drawing.start} to {ends}", "click another start", field="goal"
        )
    return episode


def _floor(graph: Graph, floors: Floors, around: str) -> int:
    """Let one choose the floor that is drawn; floors over each other would not say which of them is
    clicked.
    """
    if len(floors) < 2:
        return 0
    chosen = st.segmented_control(
        "Floor",
        range(len(floors)),
        format_func=lambda level: plain(floors.names[level]),
        default=floors.of[around],
        required=True,
        key=f"live_draw_floor_{graph.name}",
        label_visibility="collapsed",
        help="Start and targets may stand on different floors.",
        persist_state="session",
    )
    return int(chosen)


def _taken(drawing: Drawing, picked: str, *, whole: bool) -> Drawing:
    """Add a click to the drawing; a whole one begins anew, a click on the last place again takes it
    back.
    """
    last = drawing.targets[-1] if drawing.targets else drawing.start
    if drawing.start is None or whole or (picked == last and not drawing.targets):
        return Drawing(drawing.world, picked)
    targets = drawing.targets[:-1] if picked == last else (*drawing.targets, picked)
    return Drawing(drawing.world, drawing.start, targets[0] if targets else None, targets[1:])
