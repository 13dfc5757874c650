"""Failures that are alike by words, as rows with a bar each: a group's words, its share of the
failures, and how a typical text begins.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """One group of failures."""

    value: str
    """What a click tells."""
    words: str
    count: int
    share: str
    """Its share of the failures, in words."""
    example: str
    """Which episode is typical, and how its text begins."""


def cluster_list_html(rows: Sequence[ClusterRow], chosen: Collection[str] = ()) -> str:
    """Draw the list; every text is escaped.

    Parameters
    ----------
    rows
        In the order in which they are shown.
    chosen
        Values that filter already.
    """
    most = max((row.count for row in rows), default=1)
    head = (
        '<div class="row head"><span>Words they share</span><span></span><span class="count">n'
        "</span><span>Share of these failures</span><span>A typical one</span></div>"
    )
    shown = "".join(_row(row, most, row.value in chosen) for row in rows)
    return f'<div class="clusters">{head}{shown}</div>'


def _row(row: ClusterRow, most: int, pressed: bool) -> str:
    width = 100 * row.count / most
    # dir: a text of a script that runs from right to left stands as it is read
    return (
        f'<button class="row" data-value="{escape(row.value, quote=True)}"'
        f' aria-pressed="{str(pressed).lower()}"><span class="name" dir="auto">{escape(row.words)}'
        f'</span><span class="track"><i style="width:{width:.0f}%"></i></span>'
        f'<span class="count">{row.count}</span><span class="share">{escape(row.share)}</span>'
        f'<span class="example" dir="auto" title="{escape(row.example, quote=True)}">'
        f"{escape(row.example)}</span></button>"
    )
