"""A figure for a paper: one episode's streets, reference path and agent path, as SVG, PDF or PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.installation.extras import needs_extra
from navviz.records import Trace
from navviz.views import palette
from navviz.world.graph import Graph

with needs_extra("figures"):
    import matplotlib as mpl
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

__all__ = ["FigureFormat", "episode_figure", "figure_bytes"]

FigureFormat = Literal["svg", "pdf", "png"]

_MARGIN_M = {"geo": 60.0, "metric": 2.0}
_LABEL_LIMIT = 12


def episode_figure(trace: Trace, graph: Graph, width_in: float = 3.4) -> Figure:
    """Draw one episode, north (indoors: +y) up, one column of a paper wide.

    Parameters
    ----------
    trace
        Whose reference path and agent path are drawn; nodes that the graph does not have are left out.
    graph
        The streets (indoors: the viewpoint graph) around them are drawn in grey.
    width_in
        Width in inches; the height follows from the paths' extent.
    """
    reference, walked = _points(graph, trace.episode.reference_path), _points(graph, trace.path)
    every = np.vstack([p for p in (reference, walked) if len(p)] or [np.zeros((1, 2))])
    margin = _MARGIN_M[graph.frame]
    low, high = every.min(axis=0) - margin, every.max(axis=0) + margin
    span = high - low
    figure = Figure(figsize=(width_in, float(np.clip(width_in * span[1] / span[0], 0.5 * width_in, 1.6 * width_in))))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal", adjustable="datalim")
    axes.axis("off")
    axes.add_collection(
        LineCollection(list(_streets(graph, low - span, high + span)), colors=palette.STREET, linewidths=1.1, zorder=1)
    )
    _paths(axes, reference, walked)
    _goal(axes, trace, graph)
    _landmarks(axes, trace, graph)
    _scale_bar(axes, span, low)
    axes.legend(loc="best", fontsize=6, frameon=True, framealpha=0.85, edgecolor="none", handlelength=2.6)
    return figure


def figure_bytes(figure: Figure, kind: FigureFormat, dpi: int = 300) -> bytes:
    """Return the figure as a file; the same episode gives the same bytes (no date in it)."""
    buffer = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with mpl.rc_context({"svg.hashsalt": "navviz", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure.savefig(buffer, format=kind, dpi=dpi, metadata=metadata)
    return buffer.getvalue()


def _points(graph: Graph, path: Sequence[str]) -> NDArray[np.float64]:
    return graph.metric_positions[[graph.index[node] for node in path if node in graph.index]][:, :2]


def _streets(graph: Graph, low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Links that touch a box, as ``(k, 2, 2)`` segments."""
    p = graph.metric_positions[:, :2]
    inside = np.logical_and.reduce((p >= low) & (p <= high), axis=1)
    keep = (inside[graph.sources] | inside[graph.targets]) & (graph.sources < graph.targets)
    return np.stack([p[graph.sources[keep]], p[graph.targets[keep]]], axis=1)


def _paths(axes: mpl.axes.Axes, reference: NDArray[np.float64], walked: NDArray[np.float64]) -> None:
    if len(reference):
        axes.plot(
            *reference.T,
            color=palette.REFERENCE,
            lw=3.6,
            ls=(0, (1.0, 0.6)),
            dash_capstyle="butt",
            label="reference",
            zorder=3,
        )
    if len(walked):
        axes.plot(*walked.T, color=palette.AGENT, lw=1.4, solid_capstyle="round", label="agent", zorder=4)
        axes.plot(*walked[0], "o", ms=6, mfc="white", mec=palette.INK, mew=1.4, label="start", zorder=6)
        axes.plot(*walked[-1], "s", ms=5.5, color=palette.AGENT, mec="white", mew=0.8, label="stop", zorder=6)


def _goal(axes: mpl.axes.Axes, trace: Trace, graph: Graph) -> None:
    goal = trace.episode.goal
    if goal is None or goal not in graph:
        return
    at = graph.metric_positions[graph.index[goal]][:2]
    axes.add_patch(
        Circle((float(at[0]), float(at[1])), trace.episode.success_radius_m, fc=palette.REFERENCE, alpha=0.12, zorder=2)
    )
    axes.plot(*at, "*", ms=10, color=palette.REFERENCE, mec="white", mew=0.7, label="goal", zorder=5)


def _landmarks(axes: mpl.axes.Axes, trace: Trace, graph: Graph) -> None:
    """Names of the landmarks that the agent was shown, each once, beside the node they are attached to."""
    seen: dict[str, str] = {}
    for step in trace.steps:
        for poi in step.observation.pois if step.observation else ():
            if poi.node in graph and poi.name not in seen and poi.node is not None:
                seen[poi.name] = poi.node
    for name, node in list(seen.items())[:_LABEL_LIMIT]:
        x, y = graph.metric_positions[graph.index[node]][:2]
        axes.plot(x, y, "o", ms=2.6, color=palette.INK, zorder=5)
        axes.annotate(
            name.replace("$", r"\$"),
            (x, y),
            xytext=(3, 3),
            textcoords="offset points",
            fontsize=5,
            color=palette.INK,
            zorder=7,
        )


def _scale_bar(axes: mpl.axes.Axes, span: NDArray[np.float64], low: NDArray[np.float64]) -> None:
    length = next((m for m in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if m >= span[0] / 6), 5000)
    x, y = low[0] + span[0] * 0.04, low[1] + span[1] * 0.04
    axes.plot([x, x + length], [y, y], color=palette.INK, lw=1.6, solid_capstyle="butt", zorder=7)
    axes.annotate(
        f"{length} m", (x + length / 2, y), xytext=(0, 2), textcoords="offset points", ha="center", fontsize=5
    )
