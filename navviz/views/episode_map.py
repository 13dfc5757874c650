"""One episode as a plain `folium.Map` that its user may add layers to; it needs no network."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from functools import cache

import folium
import numpy as np

from navviz.records import Trace
from navviz.views.map_script import MapCall
from navviz.views.palette import AGENT, PAPER, REFERENCE, STREET
from navviz.views.player.cut import cut_graph
from navviz.views.player.files import leaflet_css, leaflet_images, leaflet_js
from navviz.world.graph import Graph
from navviz.world.link_lines import line_of

_DOLLAR = """
globalThis.$ ??= (text) => {
  const template = document.createElement("template");
  template.innerHTML = text.trim();
  return template.content.childNodes;
};
"""
"""All that folium's popups use of jQuery: ``$(html)[0]``. A page that has jQuery keeps it."""


def attribution(text: str) -> MapCall:
    """Name the map data in the map's corner; without tiles folium has no place for it."""
    # Leaflet takes an attribution as HTML, and this one comes out of a data file
    return MapCall("MAP.attributionControl.addAttribution(", html.escape(text))


def episode_map(trace: Trace, graph: Graph, *, online: bool = False) -> folium.Map:
    """Draw the streets around an episode, its reference path and the agent's path."""
    reference = [node for node in trace.episode.reference_path if node in graph]
    walked = [node for node in trace.path if node in graph]
    crs = "EPSG3857" if graph.frame == "geo" else "Simple"
    # one canvas, since an SVG element for each of thousands of streets is slow
    chart = folium.Map(tiles=None, crs=crs, prefer_canvas=True)
    if not online:
        offline_files(chart)
    _layer(chart, "streets", _streets(graph, [*reference, *walked]), STREET, weight=2)
    planned = _line(graph, reference)
    _layer(chart, "reference path", [planned], REFERENCE, weight=5, dash_array="8 6")
    _layer(chart, "agent", [_line(graph, walked)], AGENT, weight=4)
    # The stop comes last: where the agent reached the goal, it lies on top.
    marks = [
        ("start", walked[:1], AGENT, PAPER),
        ("goal", reference[-1:], REFERENCE, REFERENCE),
        ("stop", walked[-1:], AGENT, AGENT),
    ]
    for label, nodes, color, fill in marks:
        for node in nodes:
            mark = folium.CircleMarker(
                _place(graph, node), radius=6, color=color, fill_color=fill, fill_opacity=1
            )
            mark.add_child(folium.Tooltip(label))  # type: ignore[no-untyped-call]
            mark.add_to(chart)
    if graph.info.attribution:
        chart.add_child(attribution(graph.info.attribution))
    corners = [*planned, *_line(graph, walked)]
    if not corners:
        corners = [_place(graph, node) for node in graph.ids]
    if corners:
        rows, columns = zip(*corners, strict=True)
        chart.fit_bounds([[min(rows), min(columns)], [max(rows), max(columns)]])
    return chart


def _place(graph: Graph, node: str) -> list[float]:
    """Folium's ``[lat, lon]``; indoors ``[y, x]``."""
    first, second, *_ = graph.position(node)
    return [first, second] if graph.frame == "geo" else [second, first]


def _line(graph: Graph, path: Sequence[str]) -> list[list[float]]:
    """Return a path with the bends of its links, in folium's order."""
    across = line_of(graph, path)[:, :2]
    line: list[list[float]] = (across if graph.frame == "geo" else across[:, ::-1]).tolist()
    return line


def _streets(graph: Graph, around: Sequence[str]) -> list[list[list[float]]]:
    cut = cut_graph(graph, around)
    if graph.frame == "geo":
        # outdoors a cut keeps links of the paths alone: all streets are lines without ids
        return [np.reshape(line, (-1, 2)).tolist() for line in cut.streets]
    ends = [cut.ids[i] for i in cut.links]
    return [_line(graph, pair) for pair in zip(ends[::2], ends[1::2], strict=True)]


def _layer(
    chart: folium.Map,
    name: str,
    lines: list[list[list[float]]],
    color: str,
    *,
    weight: int,
    dash_array: str | None = None,
) -> None:
    group = folium.FeatureGroup(name=name)
    kept = [line for line in lines if len(line) > 1]
    if kept:
        line = folium.PolyLine(kept, color=color, weight=weight, opacity=1, dash_array=dash_array)  # type: ignore[no-untyped-call]
        line.add_to(group)
    # an empty layer is added, too: users look for it by its name
    group.add_to(chart)


@cache
def _script() -> str:
    """Leaflet with its marker's pictures, and with what popups need."""
    pictures = ", ".join(f"{name}: {url!r}" for name, url in leaflet_images().items())
    icons = f"L.Icon.Default.imagePath = ''; L.Icon.Default.mergeOptions({{{pictures}}});"
    return f"{leaflet_js()}\n{icons}\n{_DOLLAR}"


def offline_files(chart: folium.Map, script: str = "", style: str = "") -> None:
    """Let a map carry Leaflet, a script and a style sheet instead of loading them from a CDN."""
    # set anew, not added to: folium's own list names addresses of a CDN
    chart.default_js = [("leaflet", data_url("text/javascript", f"{_script()}\n{script}"))]
    chart.default_css = [("leaflet_css", data_url("text/css", f"{leaflet_css()}\n{style}"))]


def data_url(kind: str, text: str) -> str:
    """Return a text as a ``data:`` address."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode('ascii')}"
