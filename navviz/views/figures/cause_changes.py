"""Likely causes of two runs, as rows: where each vanished and came, episodes as buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One cause."""

    name: str
    vanished: Sequence[str]
    came: Sequence[str]
    stayed: int
    p: str
    """Of McNemar's test, and adjusted, in words."""
    strong: bool
    """Whether the adjusted p is below 0.05."""


def cause_changes_html(rows: Sequence[ChangeRow]) -> str:
    """Draw the list; every text is escaped.

    Returns
    -------
    Rows that unfold; the ``data-value`` of a button is an episode.
    """
    head = (
        '<div class="row head"><span></span><span>Likely cause</span><span'
        ' class="count">vanished</span><span class="count">came</span><span'
        ' class="count">stayed</span><span class="count">p</span><span class="count">adjusted'
        "</span></div>"
    )
    return f'<div class="changes">{head}{"".join(_row(row) for row in rows)}</div>'


def _row(row: ChangeRow) -> str:
    strength = " strong" if row.strong else ""
    p, _, adjusted = row.p.partition(" ")
    counts = (len(row.vanished), len(row.came), row.stayed)
    texts = [*map(str, counts), escape(p), escape(adjusted)]
    cells = "".join(f'<span class="count">{text}</span>' for text in texts)
    return (
        f'<details><summary class="row{strength}"><span class="turn"></span><span'
        f' class="name">{escape(row.name)}</span>{cells}</summary>'
        f"{_episodes('Vanished in', row.vanished)}{_episodes('Came in', row.came)}</details>"
    )


def _episodes(title: str, episodes: Sequence[str]) -> str:
    if not episodes:
        return ""
    links = ""
    for episode in episodes:
        name = escape(episode, quote=True)
        links += f'<button class="episode" data-value="{name}">{name}</button>'
    return f'<p class="episodes"><span>{title}</span>{links}</p>'
