"""Figures on skills: the legend of their colours, and how much of a run each one has."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from navviz.language.skills import SKILLS, Skill
from navviz.views.figures.marks import chart_text, page_margin
from navviz.views.palette import SKILL_COLOURS


def skill_legend(title: str = "") -> str:
    """Return the five colours with their names, as HTML."""
    swatch = "display:inline-block;width:0.8em;height:0.8em;border-radius:2px;margin-right:0.35em"
    parts = []
    for skill in SKILLS:
        square = f'<span style="{swatch};background:{SKILL_COLOURS[skill]}"></span>'
        style = "margin-right:1em;white-space:nowrap"
        parts.append(f'<span style="{style}">{square}{escape(skill.value)}</span>')
    return f'<div style="font-size:var(--nv-12)">{escape(title)} {"".join(parts)}</div>'


def usage_figure(rows: Sequence[tuple[str, dict[Skill, float | None]]], ink: str) -> go.Figure:
    """Draw one bar a row, cut into the shares of the five skills.

    Parameters
    ----------
    rows
        Name of the row and the share of each skill, 0 to 1; ``None`` where there is no step.
    ink
        Colour of the text, as the page's theme has it.
    """
    figure = go.Figure()
    names = [chart_text(name) for name, _ in rows]
    for skill in SKILLS:
        bar = go.Bar(
            y=names,
            x=[100 * (shares.get(skill) or 0.0) for _, shares in rows],
            name=skill.value,
            orientation="h",
            marker_color=SKILL_COLOURS[skill],
            hovertemplate="%{y}: %{x:.1f} %<extra>" + chart_text(skill.value) + "</extra>",
        )
        figure.add_trace(bar)
    figure.update_layout(
        barmode="stack",
        height=90 + 34 * len(rows),
        margin=page_margin(),
        font={"color": ink},
        # plotly lists stacked bars in reverse, and a reader compares the legend with the bar
        legend={"orientation": "h", "traceorder": "normal", "y": -0.35},
    )
    figure.update_xaxes(range=[0, 100], ticksuffix=" %", title=None)
    figure.update_yaxes(autorange="reversed", type="category")
    return figure
