"""A house as a plotly 3-D figure for notebooks and figures: viewpoints, links, floors, paths, start, goal, its sphere.

The player draws the same scene in the browser (``assets/player_scene.js``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from navviz.records import Episode, Trace
from navviz.views import palette
from navviz.world.floors import find_floors
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["house_figure"]

_FLOORS = (palette.MUTE, palette.POI, "#1f2933")

Coordinates = dict[str, list[float | None]]


def house_figure(graph: Graph, trace: Trace | None = None, *, episode: Episode | None = None) -> go.Figure:
    """Draw a house, and a walk through it.

    Parameters
    ----------
    graph
        An indoor graph.
    trace
        Its reference path and the agent's path are drawn, jumps between unlinked viewpoints in red.
    episode
        For a reference path without a walk.

    Returns
    -------
    A figure whose camera stays where the user put it when it is drawn again (``uirevision``).
    """
    import plotly.graph_objects as go

    asked = trace.episode if trace is not None else episode
    figure = go.Figure([_links(graph), *_viewpoints(graph)])
    if asked is not None:
        known = [node for node in asked.reference_path if node in graph]
        figure.add_trace(_line(_at(graph, known), "reference path", color=palette.REFERENCE, width=7, dash="dash"))
        figure.add_traces(_ends(graph, asked))
    if trace is not None:
        walked = [node for node in trace.path if node in graph]
        figure.add_trace(_line(_at(graph, walked), "agent", color=palette.AGENT, width=5))
        jumps = [(a, b) for a, b in pairwise(walked) if a != b and not graph.has_link(a, b)]
        if jumps:
            figure.add_trace(_line(_broken(graph, jumps), "jumps", color=palette.BAD, width=6, dash="dot"))
    hidden = {"visible": False, "showspikes": False}
    figure.update_layout(
        scene={"aspectmode": "data", "xaxis": hidden, "yaxis": hidden, "zaxis": hidden, "uirevision": "stay"},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        uirevision="stay",
        legend={"orientation": "h", "y": 0.02, "x": 0.02},
    )
    return figure


def _at(graph: Graph, nodes: Iterable[str]) -> Coordinates:
    rows = [graph.position(node) for node in nodes]
    return {axis: [float(row[k]) for row in rows] for k, axis in enumerate("xyz")}


def _broken(graph: Graph, pairs: Iterable[tuple[str, str]]) -> Coordinates:
    """Lines that are not joined to each other."""
    coordinates: Coordinates = {"x": [], "y": [], "z": []}
    for a, b in pairs:
        for place in (graph.position(a), graph.position(b)):
            for k, axis in enumerate("xyz"):
                coordinates[axis].append(float(place[k]))
        for axis in "xyz":
            coordinates[axis].append(None)
    return coordinates


def _line(at: Coordinates, name: str, **line: object) -> go.Scatter3d:
    import plotly.graph_objects as go

    return go.Scatter3d(**at, mode="lines", name=name, line=line, hoverinfo="skip")


def _links(graph: Graph) -> go.Scatter3d:
    ids = graph.ids
    pairs = [(ids[a], ids[b]) for a, b in zip(graph.sources.tolist(), graph.targets.tolist(), strict=True) if a < b]
    trace = _line(_broken(graph, pairs), "links", color=palette.NODE, width=1.5)
    trace.showlegend = False
    return trace


def _viewpoints(graph: Graph) -> list[go.Scatter3d]:
    import plotly.graph_objects as go

    floors = find_floors(graph)
    groups: list[Any] = []
    for k, name in enumerate(floors.names):
        nodes = [node for node in graph.ids if floors.of[node] == k]
        marker = {"size": 3, "color": _FLOORS[k % len(_FLOORS)]}
        shown = go.Scatter3d(
            **_at(graph, nodes), mode="markers", name=name, text=nodes, hoverinfo="text", marker=marker
        )
        groups.append(shown)
    return groups


def _ends(graph: Graph, episode: Episode) -> list[Any]:
    import plotly.graph_objects as go

    goal = episode.goal or next(reversed(episode.reference_path), None)
    ends = [(node, name) for node, name in ((episode.start, "Start"), (goal, "Goal")) if node in graph]
    marker = {
        "size": 6,
        "symbol": ["circle-open" if name == "Start" else "diamond" for _, name in ends],
        "color": palette.INK,
    }
    places = _at(graph, [str(node) for node, _ in ends])
    names = [name for _, name in ends]
    marks: list[Any] = [
        go.Scatter3d(**places, mode="markers+text", text=names, name="start, goal", marker=marker, showlegend=False)
    ]
    if goal is not None and goal in graph:
        marks.append(_sphere(graph.position(goal), episode.success_radius_m))
    return marks


def _sphere(middle: Sequence[float], radius_m: float) -> go.Surface:
    """Where a stop may count: the success radius, though the metric measures along the links."""
    import plotly.graph_objects as go

    around, up = np.meshgrid(np.linspace(0, 2 * np.pi, 24), np.linspace(0, np.pi, 12))
    return go.Surface(
        x=middle[0] + radius_m * np.sin(up) * np.cos(around),
        y=middle[1] + radius_m * np.sin(up) * np.sin(around),
        z=middle[2] + radius_m * np.cos(up),
        opacity=0.15,
        showscale=False,
        colorscale=[[0, palette.REFERENCE], [1, palette.REFERENCE]],
        hoverinfo="skip",
        name=f"{radius_m:g} m around the goal",
    )
