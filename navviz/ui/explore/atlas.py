"""The atlas on the Explore page: all episodes on one map; a click on it filters the list, and the
list filters it.
"""

from __future__ import annotations

from typing import Literal

import pandas as pd
import streamlit as st
from streamlit_folium import st_folium

from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.finding import FindingPart, begin_one, one_or_bar
from navviz.ui.data import marks
from navviz.ui.data.finding import alikes
from navviz.ui.state import shell, state
from navviz.ui.state.session import widget
from navviz.views.figures.atlas import PackedAtlas, coloured, packed_map, shown_walks, walked_floors
from navviz.views.figures.atlas_walk import PATHS_DRAWN, AtlasWalk
from navviz.world.floors import find_floors
from navviz.world.graph import Graph

_KEY = "explore_atlas_map"
_HEIGHT_PX = 560
_COLOURS = {"outcome": "By outcome", "words": "Failures by words"}
_WORDS = FindingPart("explore_atlas_words", "Alike by words", "Compare failures")


def show(run: OpenRun, shown: pd.DataFrame) -> None:
    """Show the part."""
    with st.container(border=True, key="explore_atlas"), shell.guard():
        with st.container(horizontal=True, vertical_alignment="bottom"):
            world = _world(run)
            graph, walks = marks.atlas(run, world)
            floor = _floor(graph, walks, world)
            by = _colour_by(walks)
        what = "a path, " if len(walks) <= PATHS_DRAWN else ""
        st.caption(
            f"Click {what}a numbered disc (the number of walks that left their route near there)"
            " or a junction to filter the list below; click it again for all. The map shows the"
            " episodes that pass the filters."
        )
        passing = set(shown["episode"].astype(str))
        packed = marks.drawn_atlas(run, world, floor, passing)
        if by == "words":
            packed = _by_words(run, packed)
        theme: Literal["light", "dark"] = "dark" if st.context.theme.type == "dark" else "light"
        single = len(walks) <= PATHS_DRAWN
        st_folium(
            packed_map(packed, theme),
            key=_KEY,
            height=_HEIGHT_PX,
            use_container_width=True,
            # without this each pan and zoom would rerun the page
            returned_objects=["last_active_drawing"],
            # single paths are shown and hidden by the filters without another map
            feature_group_to_add=shown_walks(walks, passing) if single else None,
            on_change=_clicked,
        )


def _world(run: OpenRun) -> str:
    worlds = run.worlds
    names = list(worlds)
    if len(names) == 1:
        return names[0]
    label = "House" if run.graph_of(names[0]).frame == "metric" else "Map"
    return state.box(
        label,
        names,
        name="world",
        key="explore_atlas_world",
        format_func=lambda name: f"{name}: {plural(worlds[name], 'episode')}",
        width=320,
    )


def _floor(graph: Graph, walks: list[AtlasWalk], world: str) -> int | None:
    if graph.frame != "metric":
        return None
    names = find_floors(graph).names
    counted = walked_floors(graph, walks)
    first = next(iter(counted), 0)
    if len(names) < 2:
        return first
    chosen = state.segmented(
        "Floor",
        [str(k) for k in range(len(names))],
        name="floor",
        default=str(first),
        key=f"explore_atlas_floor_{world}",
        format_func=lambda k: f"{names[int(k)]} ({counted.get(int(k), 0)})",
    )
    return int(chosen)


def _colour_by(walks: list[AtlasWalk]) -> str:
    """Choose what colours mean; streets drawn by traffic have one meaning alone."""
    if len(walks) > PATHS_DRAWN:
        return "outcome"
    return state.segmented(
        "Colours",
        list(_COLOURS),
        name="colour",
        key="explore_atlas_colour",
        format_func=_COLOURS.__getitem__,
        help="What the colour of a walk says.",
    )


def _by_words(run: OpenRun, packed: PackedAtlas) -> PackedAtlas:
    """Colour failures by the words that they share; outcomes stay where there are no groups."""
    begin_one(alikes(), run)
    alike = one_or_bar(alikes(), run, _WORDS)
    if alike is None:
        return packed
    if not alike.clusters:
        st.caption("Too few failures share words for groups, so colours show outcomes.")
        return packed
    labels = alike.labels
    return coloured(packed, {key: labels[group] for key, group in alike.ids.items()})


def _clicked() -> None:
    """Filter by what was clicked; clicked again, no longer."""
    clicked = (widget(_KEY) or {}).get("last_active_drawing") or {}
    mark = clicked.get("properties", {}).get("mark")
    if isinstance(mark, str):
        state.toggle_choice("feature", mark)
