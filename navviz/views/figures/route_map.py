"""Maps for annotators, as plotly figures: a route among its streets, and the view of somebody who walks.

Drawn from the graph itself, in metres around the start, north (indoors: +y) up; no tiles, no network.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from navviz.records import Episode, Observation
from navviz.views import palette
from navviz.views.figures.label_places import place_labels
from navviz.world.graph import Graph, Poi

__all__ = ["route_figure", "walk_figure"]

_STREET = "rgba(128,140,152,0.38)"
_MARGIN_M = {"geo": 60.0, "metric": 4.0}
_POI_M = {"geo": 40.0, "metric": 4.0}
_LONGEST_LABEL = 36
_HEIGHT_PX = 640
_WIDTH_PX = 780
"""Width that labels are placed for; a wider figure only leaves more room between them."""


def route_figure(graph: Graph, episode: Episode) -> go.Figure:
    """Return the reference path with its streets and places, and no agent.

    Parameters
    ----------
    graph
        The world; only what lies around the route is drawn.
    episode
        Its route, or, where it has none, its start.
    """
    route = [node for node in episode.reference_path or (episode.start,) if node in graph]
    plane = _Plane(graph, route)
    figure = _figure()
    plane.frame(figure)
    figure.add_trace(_lines(plane.streets(), _STREET, 5))
    x, y = plane.at(route)
    line = {"color": palette.REFERENCE, "width": 5}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, name="route", hoverinfo="skip"))
    _add_places(figure, plane, _places_near(graph, route), plane.along(route))
    _add_goal(figure, plane, graph, episode)
    if route:
        _add_start(figure, plane, route[0], episode.start_heading_deg)
    return figure


def walk_figure(
    graph: Graph,
    observation: Observation,
    choices: Mapping[str, Sequence[str]],
    links: Iterable[tuple[str, str]],
    walked: Sequence[str],
    heading_deg: float,
) -> go.Figure:
    """Return what somebody sees who stands at the end of `walked`, and where they may go.

    Parameters
    ----------
    graph
        Positions only; nothing that is not in sight is drawn.
    observation
        Landmarks in sight.
    choices
        The way to each place that can be chosen, by node id; the points carry the id as ``customdata``.
    links
        Streets in sight.
    walked
        Node ids so far.
    heading_deg
        Where the person faces, clockwise from north.
    """
    seen = [node for node in (walked[-1], *choices) if node in graph]
    plane = _Plane(graph, seen)
    figure = _figure()
    figure.add_trace(_lines(plane.segments(links), _STREET, 8))
    x, y = plane.at(walked)
    figure.add_trace(_dashed(x, y))
    _add_seen(figure, plane, observation)
    _add_choices(
        figure, plane, choices, {c.node: _direction(c.direction, c.distance_m) for c in observation.candidates}
    )
    _add_start(figure, plane, walked[-1], heading_deg, "you")
    return figure


def _direction(direction: str | None, distance_m: float | None) -> str:
    parts = [direction or "", f"{distance_m:.0f} m" if distance_m is not None else ""]
    return ", ".join(part for part in parts if part)


class _Plane:
    """Positions in metres around the first of some nodes, and the box around them."""

    def __init__(self, graph: Graph, nodes: Sequence[str]) -> None:
        self.graph = graph
        places = graph.metric_positions[[graph.index[node] for node in nodes], :2]
        self.origin = places[0] if len(places) else np.zeros(2)
        margin = _MARGIN_M[graph.frame]
        self.low = places.min(axis=0) - margin if len(places) else np.zeros(2)
        self.high = places.max(axis=0) + margin if len(places) else np.zeros(2)

    def at(self, nodes: Iterable[str]) -> tuple[list[float], list[float]]:
        index = [self.graph.index[node] for node in nodes if node in self.graph.index]
        points = self.graph.metric_positions[index, :2] - self.origin
        return points[:, 0].tolist(), points[:, 1].tolist()

    def position(self, position: Sequence[float]) -> tuple[float, float]:
        """Place of any position of the graph's frame."""
        if self.graph.frame == "geo":
            point = self.graph.to_metric(np.array([position], dtype=float))[0]
        else:
            point = np.asarray(position[:2], dtype=float)
        return float(point[0] - self.origin[0]), float(point[1] - self.origin[1])

    def streets(self) -> NDArray[np.float64]:
        """Links inside the box as ``(k, 2, 2)`` segments, each once."""
        points = self.graph.metric_positions[:, :2]
        inside = np.logical_and.reduce((points >= self.low) & (points <= self.high), axis=1)
        keep = (inside[self.graph.sources] | inside[self.graph.targets]) & (self.graph.sources < self.graph.targets)
        ends = np.stack([points[self.graph.sources[keep]], points[self.graph.targets[keep]]], axis=1)
        return np.asarray(ends - self.origin)

    @property
    def px_per_m(self) -> float:
        """Scale at which the box first fills the figure."""
        width, height = np.maximum(self.high - self.low, 1.0)
        return float(min(_WIDTH_PX / width, _HEIGHT_PX / height))

    def frame(self, figure: go.Figure) -> None:
        """Show the box, and what the figure's shape leaves room for around it."""
        (left, bottom), (right, top) = (self.low - self.origin).tolist(), (self.high - self.origin).tolist()
        figure.update_xaxes(range=[left, right])
        figure.update_yaxes(range=[bottom, top])

    def along(self, route: Sequence[str]) -> list[tuple[float, float]]:
        """Points on a route, close enough that no label fits between them."""
        x, y = self.at(route)
        points = np.column_stack([x, y]).reshape(-1, 2)
        pieces = [np.linspace(a, b, 12) for a, b in itertools.pairwise(points)]
        return [(float(p[0]), float(p[1])) for piece in pieces for p in piece]

    def segments(self, links: Iterable[tuple[str, str]]) -> NDArray[np.float64]:
        pairs = [(self.graph.index[a], self.graph.index[b]) for a, b in links if a in self.graph and b in self.graph]
        index = np.array(pairs, dtype=int).reshape(-1, 2)
        return np.asarray(self.graph.metric_positions[:, :2][index] - self.origin)


def _figure() -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        height=_HEIGHT_PX,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        showlegend=False,
        dragmode="pan",
        hovermode="closest",
        plot_bgcolor="rgba(0,0,0,0)",
        paper_bgcolor="rgba(0,0,0,0)",
    )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, scaleanchor="x", scaleratio=1)
    return figure


def _lines(segments: NDArray[np.float64], colour: str, width: float) -> go.Scatter:
    """Many segments as one trace, with holes between them."""
    gaps = np.full((len(segments), 1, 2), np.nan)
    points = np.concatenate([segments, gaps], axis=1).reshape(-1, 2)
    line = {"color": colour, "width": width}
    return go.Scatter(x=points[:, 0], y=points[:, 1], mode="lines", line=line, hoverinfo="skip", name="streets")


def _dashed(x: list[float], y: list[float]) -> go.Scatter:
    line = {"color": palette.AGENT, "width": 3, "dash": "dot"}
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="walked")


def _places_near(graph: Graph, route: Sequence[str]) -> list[Poi]:
    """POIs along a route, in walking order, each once."""
    radius_m = _POI_M[graph.frame]
    near = {poi.id: poi for node in route for poi in graph.pois_near(graph.position(node), radius_m)}
    return list(near.values())


def _add_places(figure: go.Figure, plane: _Plane, pois: Sequence[Poi], avoid: Sequence[tuple[float, float]]) -> None:
    if not pois:
        return
    pois = sorted(pois, key=lambda poi: "name" not in poi.tags)  # names are placed before mere kinds
    points = [plane.position(poi.position) for poi in pois]
    texts, places = place_labels(points, [_short(poi.name) for poi in pois], plane.px_per_m, avoid)
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in points],
            y=[y for _, y in points],
            mode="markers+text",
            marker={"size": 7, "color": palette.PLACE, "symbol": "diamond"},
            text=[escape(text) for text in texts],
            textposition=places,
            textfont={"size": 11},
            hovertext=[_hover(poi) for poi in pois],
            hoverinfo="text",
            name="places",
        )
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_LABEL else name[: _LONGEST_LABEL - 1].rstrip() + "…"


def _hover(poi: Poi) -> str:
    tags = [f"{escape(key)}: {escape(str(value))}" for key, value in list(poi.tags.items())[:6]]
    return f"<b>{escape(poi.name)}</b><br>" + "<br>".join(tags)


def _add_seen(figure: go.Figure, plane: _Plane, observation: Observation) -> None:
    """Landmarks in sight: their letters at the node that they are attached to, their names on hover."""
    names: dict[str, list[str]] = {}
    letters: dict[str, list[str]] = {}
    for poi in observation.pois:
        if poi.node is not None and poi.node in plane.graph:
            side = f" ({poi.direction.lower()})" if poi.direction else ""
            names.setdefault(poi.node, []).append(poi.name + side)
            letters.setdefault(poi.node, []).append(poi.letter or poi.name)
    x, y = plane.at(names)
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers+text",
            marker={"size": 24, "color": palette.PLACE, "symbol": "diamond"},
            text=[escape(", ".join(dict.fromkeys(listed))) for listed in letters.values()],
            textposition="top center",
            textfont={"size": 14},
            hovertext=[escape(", ".join(dict.fromkeys(listed))) for listed in names.values()],
            hoverinfo="text",
            name="landmarks",
        )
    )


def _add_choices(
    figure: go.Figure, plane: _Plane, choices: Mapping[str, Sequence[str]], labels: Mapping[str, str]
) -> None:
    nodes = list(choices)
    x, y = plane.at(nodes)
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"size": 15, "color": palette.REFERENCE, "line": {"width": 2, "color": "white"}},
            customdata=nodes,
            hovertext=[escape(labels.get(node, "")) for node in nodes],
            hoverinfo="text",
            name="choices",
        )
    )


def _add_start(figure: go.Figure, plane: _Plane, node: str, heading_deg: float | None, text: str = "start") -> None:
    x, y = plane.at([node])
    marker = {"size": 20, "color": palette.AGENT, "symbol": "arrow" if heading_deg is not None else "circle"}
    if heading_deg is not None:
        marker["angle"] = heading_deg
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers+text",
            marker={**marker, "line": {"width": 1.5, "color": "white"}},
            text=[text],
            textposition="bottom center",
            textfont={"size": 13},
            hoverinfo="skip",
            name=text,
        )
    )


def _add_goal(figure: go.Figure, plane: _Plane, graph: Graph, episode: Episode) -> None:
    if episode.goal is None or episode.goal not in graph:
        return
    (x,), (y,) = plane.at([episode.goal])
    angles = [2 * math.pi * k / 48 for k in range(49)]
    r = episode.success_radius_m
    circle = [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]
    figure.add_trace(
        go.Scatter(
            x=[p for p, _ in circle],
            y=[q for _, q in circle],
            mode="lines",
            fill="toself",
            fillcolor=palette.translucent(palette.REFERENCE, 0.12),
            line={"color": palette.REFERENCE, "width": 1, "dash": "dash"},
            hoverinfo="skip",
            name="success radius",
        )
    )
    marker = {"size": 18, "color": palette.REFERENCE, "symbol": "star", "line": {"width": 1, "color": "white"}}
    figure.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers+text",
            marker=marker,
            text=["goal"],
            textposition="middle right",
            hoverinfo="skip",
            name="goal",
        )
    )
