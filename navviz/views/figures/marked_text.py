"""Text with marks: words shaded by influence, segments of a walk, the colours of skills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import plotly.graph_objects as go

from navviz.language.skills import SKILLS, Skill
from navviz.views.figures.marks import chart_text, page_margin
from navviz.views.palette import AGENT, MUTE, SERIES, SKILL_COLOURS


@dataclass(frozen=True, slots=True)
class ShadedPart:
    """A changed part of an instruction."""

    start: int
    end: int
    weight: float
    """0 (nothing changed) to 1."""
    tooltip: str
    """The change and its effect."""


def shaded_html(text: str, parts: Sequence[ShadedPart]) -> str:
    """Shade a text; the strongest of overlapping parts shows, one without effect is underlined."""
    edges = {0, len(text)}
    for part in parts:
        edges.update((part.start, part.end))
    # A part may reach beyond the text, where the instruction was shortened since.
    cuts = sorted(edge for edge in edges if 0 <= edge <= len(text))
    pieces = "".join(_piece(text, a, b, parts) for a, b in pairwise(cuts))
    return f'<p style="line-height:2;margin:0" data-testid="shaded-instruction">{pieces}</p>'


def _piece(text: str, start: int, end: int, parts: Sequence[ShadedPart]) -> str:
    shown = escape(text[start:end])
    here = [part for part in parts if part.start <= start and end <= part.end]
    if not here:
        return shown
    here.sort(key=lambda part: -part.weight)
    strongest = here[0].weight
    tooltip = escape("\n".join(part.tooltip for part in here), quote=True)
    share = round(62 * min(max(strongest, 0.0), 1.0))
    look = f"border-bottom:1px dotted {MUTE}"
    if share:
        look = f"background:color-mix(in srgb, {AGENT} {share}%, transparent)"
    style = f"{look};padding:3px 0;border-radius:2px"
    return f'<span title="{tooltip}" data-weight="{strongest:.2f}" style="{style}">{shown}</span>'


_KINDS = {"move_forward": "ahead", "zigzag": "zigzag"}

_LEFT, _RIGHT, _ZIGZAG = SERIES[3], SERIES[2], SERIES[5]

_STYLE = f"""<style>
.nv-actions {{ font: var(--nv-14)/1.9 ui-monospace, monospace; overflow-wrap: anywhere; }}
.nv-actions span {{ padding: 1px 0; border-bottom: 3px solid transparent; }}
.nv-actions .ahead {{ border-color: color-mix(in srgb, currentColor 35%, transparent); }}
.nv-actions .left {{ border-color: {_LEFT}; }}
.nv-actions .left {{ background: color-mix(in srgb, {_LEFT} 30%, transparent); }}
.nv-actions .right {{ border-color: {_RIGHT}; border-bottom-style: double; }}
.nv-actions .right {{ background: color-mix(in srgb, {_RIGHT} 30%, transparent); }}
.nv-actions .zigzag {{ border-color: {_ZIGZAG}; border-bottom-style: dotted; }}
.nv-actions .zigzag {{ background: color-mix(in srgb, {_ZIGZAG} 30%, transparent); }}
.nv-actions .left, .nv-actions .right, .nv-actions .zigzag {{ font-weight: 700; }}
.nv-actions .out {{ opacity: .45; }}
.nv-actions p {{ margin: 6px 0 0; display: flex; gap: 18px; flex-wrap: wrap; }}
.nv-actions p {{ font: var(--nv-13)/1.5 var(--nv-font); }}
</style>"""

_LEGEND = (
    ("ahead", "move forward"),
    ("left", "turn left"),
    ("right", "turn right"),
    ("zigzag", "zigzag"),
    ("out", "in no step task"),
)


def action_string_html(letters: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """Draw an action string."""
    parts: list[str] = []
    at = 0
    for first, last, label in sorted(spans):
        parts.append(_part(letters[at:first], "out", "in no step task"))
        parts.append(
            _part(
                letters[first : last + 1],
                _KINDS.get(label, "left" if "left" in label else "right"),
                f"{first}-{last}: {label}",
            )
        )
        at = last + 1
    parts.append(_part(letters[at:], "out", "in no step task"))
    legend = "".join(f'<span class="{kind}">{name}</span>' for kind, name in _LEGEND)
    return f'{_STYLE}<div class="nv-actions">{"".join(parts)}<p>{legend}</p></div>'


def _part(text: str, kind: str, title: str) -> str:
    return f'<span class="{kind}" title="{escape(title)}">{escape(text)}</span>' if text else ""


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
    """Draw one bar a row, cut into the shares of the five skills."""
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
