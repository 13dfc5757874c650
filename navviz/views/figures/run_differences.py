"""What differs between runs of the same episodes: one row a run, with the episodes that flipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_MOST = 24
"""Episodes named in a cell; the table of outcomes on the page has all."""
_FEW = 4
"""So many are counted at a glance."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run beside the others."""

    name: str
    colour: str
    """Of its path on the map."""
    success: str
    """With its interval."""
    figures: str
    """Further means."""
    here: str
    """How it did on the episode that is shown."""
    difference: str = ""
    """Of the success rate from the first run, with interval and p; empty for that run."""
    won: tuple[str, ...] = ()
    """Episodes that it solves and the first run does not."""
    lost: tuple[str, ...] = ()
    full_name: str = ""
    """Where `name` is short for it."""
    eyes: str = ""
    """``pictures`` or ``text variant``, as its model saw."""


def run_differences_html(rows: Sequence[RunRow], headline: str, shown: str, note: str = "") -> str:
    """Draw the list; every text is escaped.

    Parameters
    ----------
    rows
        The first run, then the others.
    headline
        The difference in one sentence.
    shown
        Id of the episode that the page shows below.
    note
        How to read the differences; empty where there is nothing to explain.

    Returns
    -------
    Markup in which a click on an episode has the episode as ``data-value``.
    """
    heads = ("Run", "Success", "Means", "Against the first", "Only it solves", "Only the first")
    head = "".join(f"<span>{name}</span>" for name in (*heads, "This episode"))
    body = "".join(_row(row, shown) for row in rows)
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    return (
        f'<p class="headline">{escape(headline)}</p><div class="rows">'
        f'<div class="row head">{head}</div>{body}</div>{below}'
    )


def _row(row: RunRow, shown: str) -> str:
    name = escape(f"{row.name} · {row.eyes}" if row.eyes else row.name, quote=True)
    title = escape(row.full_name or row.name, quote=True)
    return (
        f'<div class="row"><span class="name" title="{title}">'
        f'<i style="background:{escape(row.colour, quote=True)}"></i>{name}</span>'
        f"<span><b>{escape(row.success)}</b></span><span>{escape(row.figures)}</span>"
        f"<span>{escape(row.difference)}</span>"
        f'<span class="episodes">{_episodes(row.won, shown)}</span>'
        f'<span class="episodes">{_episodes(row.lost, shown)}</span>'
        f"<span>{escape(row.here)}</span></div>"
    )


def _episodes(keys: Sequence[str], shown: str) -> str:
    # a cell shows two lines and scrolls: its number says how many there are
    buttons = f"<b>{len(keys):,}</b>" if len(keys) > _FEW else ""
    for key in keys[:_MOST]:
        value = escape(key, quote=True)
        state = str(key == shown).lower()
        buttons += f'<button data-value="{value}" aria-pressed="{state}">{value}</button>'
    more = len(keys) - _MOST
    if more > 0:
        buttons += f"<small>and {more:,} more</small>"
    return buttons
