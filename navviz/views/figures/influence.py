"""An instruction whose parts are shaded by how much each mattered, as markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from navviz.views.palette import AGENT, MUTE

__all__ = ["ShadedPart", "shaded_html"]


@dataclass(frozen=True, slots=True)
class ShadedPart:
    """One part that was changed."""

    start: int
    end: int
    weight: float
    """0 (nothing changed) to 1."""
    told: str
    """What was done and what became of it, shown on pointing."""


def shaded_html(text: str, parts: Sequence[ShadedPart]) -> str:
    """Shade a text; where parts overlap the strongest shows, and a part that was tried without effect is underlined.

    Parameters
    ----------
    text
        The instruction; it is escaped.
    parts
        In characters of `text`.
    """
    cuts = sorted(
        {0, len(text), *(edge for part in parts for edge in (part.start, part.end) if 0 <= edge <= len(text))}
    )
    pieces = "".join(_piece(text, a, b, parts) for a, b in pairwise(cuts))
    return f'<p style="line-height:2;margin:0" data-testid="shaded-instruction">{pieces}</p>'


def _piece(text: str, start: int, end: int, parts: Sequence[ShadedPart]) -> str:
    shown = escape(text[start:end])
    here = [part for part in parts if part.start <= start and end <= part.end]
    if not here:
        return shown
    strongest = max(part.weight for part in here)
    told = escape("\n".join(part.told for part in sorted(here, key=lambda part: -part.weight)), quote=True)
    share = round(62 * min(max(strongest, 0.0), 1.0))
    look = (
        f"background:color-mix(in srgb, {AGENT} {share}%, transparent)" if share else f"border-bottom:1px dotted {MUTE}"
    )
    style = f"{look};padding:3px 0;border-radius:2px"
    return f'<span title="{told}" data-weight="{strongest:.2f}" style="{style}">{shown}</span>'
