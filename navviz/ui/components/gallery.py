"""The gallery of path thumbnails: a click tells Python which episode to open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from navviz.ui.components.clickable import clickable

_CSS = """
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(104px, 1fr));
  gap: 8px; padding: 2px; }
.card { all: unset; cursor: pointer; border: 1px solid var(--st-border-color); border-radius: 6px;
  padding: 4px 6px 5px;
  background: var(--st-background-color); display: block; content-visibility: auto;
  contain-intrinsic-size: 104px 128px; }
.card:hover, .card:focus-visible { border-color: var(--st-primary-color);
  box-shadow: 0 0 0 1px var(--st-primary-color); }
.card .id { font: var(--nv-12)/1.3 var(--st-code-font); color: var(--st-text-color); display: flex;
  gap: 4px;
  justify-content: space-between; }
.card .id span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.card .note { opacity: .65; white-space: nowrap; }
svg.thumb { width: 100%; display: block; aspect-ratio: 1; }
svg polyline { fill: none; stroke-linecap: round; stroke-linejoin: round; }
svg .ref { stroke: var(--nv-quiet); stroke-width: 3.4; stroke-dasharray: 1 5; }
svg .agent { stroke-width: 2.4; }
svg .goal { fill: none; stroke: var(--nv-quiet); stroke-width: 1.6; }
svg .start { fill: var(--st-background-color); stroke-width: 1.8; }
.success .agent, .success .start { stroke: var(--nv-success); }
.success .stop { fill: var(--nv-success); }
.failure .agent, .failure .start { stroke: var(--nv-failure); }
.failure .cross { stroke: var(--nv-failure); }
.cross { stroke-width: 2.2; stroke-linecap: round; }
.unknown .agent, .unknown .start { stroke: var(--nv-unknown); }
.unknown .stop { fill: var(--nv-unknown); }
"""


@dataclass(frozen=True, slots=True)
class Card:
    """One episode in the gallery."""

    episode: str
    svg: str
    note: str
    """A few characters beside the id: the navigation error."""


def _card_html(card: Card) -> str:
    key = escape(card.episode, quote=True)
    return (
        f'<button class="card" data-value="{key}">{card.svg}<span'
        f' class="id"><span>{key}</span><span'
        f' class="note">{escape(card.note)}</span></span></button>'
    )


def gallery(cards: Sequence[Card], key: str) -> str | None:
    """Draw the cards; returns the episode that was clicked in this run of the script, if any."""
    html = "".join(_card_html(card) for card in cards)
    return clickable("gallery", f'<div class="grid">{html}</div>', _CSS, key=key)
