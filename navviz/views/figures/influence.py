"""Shade the parts of an instruction by their influence, as markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from navviz.views.palette import AGENT, MUTE


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
    """Shade a text; the strongest of overlapping parts shows, one without effect is underlined.

    Parameters
    ----------
    text
        The instruction; it is escaped.
    parts
        In characters of `text`.
    """
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
