"""Draw several walks of one episode as a bundle: links by walks, junctions by entropy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Final

from navviz.views.figures.marks import Projection
from navviz.views.palette import AGENT, PLACE, REFERENCE
from navviz.world.graph import Graph
from navviz.world.link_lines import metric_line_of

_WIDTH, _HEIGHT, _EDGE = 900.0, 420.0, 26.0
_WIDEST: Final = 9.0
_MOST_BITS: Final = 2.0
"""Entropy in bits at which a junction is drawn largest: four ways, each as likely."""


def bundle_svg(
    graph: Graph,
    links: Mapping[tuple[str, str], int],
    walks: int,
    junctions: Iterable[tuple[str, float, str]],
    reference: Sequence[str] = (),
) -> str:
    """Draw the bundle, 900 x 420 units."""
    drawn = {(a, b): count for (a, b), count in links.items() if a in graph and b in graph}
    planned = [node for node in reference if node in graph]
    nodes = list(dict.fromkeys([*chain.from_iterable(drawn), *planned]))
    if not nodes:
        return ""
    place = _Canvas(graph, nodes)
    at = {node: place([node])[0] for node in nodes}
    street = "".join(_line(place([a, b]), count, max(walks, 1)) for (a, b), count in drawn.items())
    path = _points(place(planned))
    dashed = (
        f'<polyline points="{path}" fill="none" stroke="{REFERENCE}" stroke-width="2"'
        ' stroke-dasharray="5 5"/>'
    )
    rings = "".join(_ring(at[node], bits, text) for node, bits, text in junctions if node in at)
    head = (
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="Bundle of {walks}'
        ' walks">'
    )
    # SVG draws in this order: rings come last, so that nothing covers what has the tooltips
    return f"{head}{street}{dashed if path else ''}{rings}</svg>"


def _points(line: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in line)


def _line(line: Sequence[tuple[float, float]], count: int, walks: int) -> str:
    share = count / walks
    look = f'stroke-width="{1 + (_WIDEST - 1) * share:.1f}" opacity="{0.35 + 0.6 * share:.2f}"'
    title = f"<title>{count} of {walks} walks</title>"
    if len(line) > 2:
        drawn = f'points="{_points(line)}" fill="none" stroke="{AGENT}" stroke-linecap="round"'
        return f"<polyline {drawn} {look}>{title}</polyline>"
    (x1, y1), (x2, y2) = line
    ends = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
    return f'<line {ends} stroke="{AGENT}" stroke-linecap="round" {look}>{title}</line>'


def _ring(at: tuple[float, float], bits: float, tooltip: str) -> str:
    size = 4 + 9 * min(bits, _MOST_BITS) / _MOST_BITS
    return (
        f'<circle cx="{at[0]}" cy="{at[1]}" r="{size:.1f}" fill="{PLACE}" fill-opacity=".28"'
        f' stroke="{PLACE}" stroke-width="2"><title>{escape(tooltip)}</title></circle>'
    )


class _Canvas:
    """Places paths in the picture, north up; of three dimensions the height is left out."""

    def __init__(self, graph: Graph, nodes: Sequence[str]) -> None:
        self.graph = graph
        metric = graph.metric_positions[[graph.index[node] for node in nodes]][:, :2]
        self.project = Projection(metric, (_WIDTH, _HEIGHT), _EDGE, least_m=1e-6)

    def __call__(self, path: Sequence[str]) -> list[tuple[float, float]]:
        line = metric_line_of(self.graph, path)
        return [(round(x, 1), round(y, 1)) for x, y in self.project(line).tolist()]
