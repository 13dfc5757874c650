"""Figures on skills: the legend of their colours, and how much of a run each one has."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from navviz.language.skills import SKILLS, Skill
from navviz.views.palette import SKILL_COLOURS

__all__ = ["skill_legend", "usage_figure"]


def skill_legend(title: str = "") -> str:
    """Return the five colours with their names, as HTML."""
    swatch = "display:inline-block;width:0.8em;height:0.8em;border-radius:2px;margin-right:0.35em"
    parts = [
        f'<span style="margin-right:1em;white-space:nowrap"><span style="{swatch};background:{SKILL_COLOURS[skill]}">'
        f"</span>{escape(skill.value)}</span>"
        for skill in SKILLS
    ]
    return f'<div style="font-size:0.85rem">{escape(title)} {"".join(parts)}</div>'


def usage_figure(rows: Sequence[tuple[str, dict[Skill, float | None]]], ink: str) -> go.Figure:
    """One bar a row, cut into the shares of the five skills.

    Parameters
    ----------
    rows
        Name of the row and the share of each skill, 0 to 1; ``None`` where there is no step.
    ink
        Colour of the text, as the page's theme has it.
    """
    figure = go.Figure(
        [
            go.Bar(
                y=[escape(name) for name, _ in rows],
                x=[100 * (shares.get(skill) or 0.0) for _, shares in rows],
                name=skill.value,
                orientation="h",
                marker_color=SKILL_COLOURS[skill],
                hovertemplate="%{y}: %{x:.1f} %<extra>" + escape(skill.value) + "</extra>",
            )
            for skill in SKILLS
        ]
    )
    figure.update_layout(
        barmode="stack",
        height=90 + 34 * len(rows),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        font={"color": ink},
        legend={"orientation": "h", "traceorder": "normal", "y": -0.35},
    )
    figure.update_xaxes(range=[0, 100], ticksuffix=" %", title=None)
    figure.update_yaxes(autorange="reversed")
    return figure
