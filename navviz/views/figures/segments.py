"""A walk as a string of letters with its segments coloured."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from navviz.views.palette import SERIES

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
    """Draw an action string.

    Parameters
    ----------
    letters
        One letter an action.
    spans
        ``(first action, last action, label)`` from 0, in order; the rest belongs to no step task.
    """
    parts: list[str] = []
    at = 0
    for first, last, label in sorted(spans):
        parts.append(_part(letters[at:first], "out", "in no step task"))
        parts.append(_part(letters[first : last + 1], _kind(label), f"{first}-{last}: {label}"))
        at = last + 1
    parts.append(_part(letters[at:], "out", "in no step task"))
    legend = "".join(f'<span class="{kind}">{name}</span>' for kind, name in _LEGEND)
    return f'{_STYLE}<div class="nv-actions">{"".join(parts)}<p>{legend}</p></div>'


def _kind(label: str) -> str:
    return _KINDS.get(label, "left" if "left" in label else "right")


def _part(text: str, kind: str, title: str) -> str:
    return f'<span class="{kind}" title="{escape(title)}">{escape(text)}</span>' if text else ""
