"""Why episodes failed, as rows with a bar each: how many failures a cause explains, and its share
of failures beside that of successes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class CauseRow:
    """One cause of a run."""

    value: str
    """What a click tells."""
    name: str
    hint: bool
    last: bool
    """Stands open below the others, as the failures without a cause do."""
    count: int
    """Failures whose likely cause it is, or whose first hint where there is none."""
    failed: str
    """Its share of the failures, in words."""
    succeeded: str


def cause_list_html(
    rows: Sequence[CauseRow], failures: int, chosen: Collection[str] = (), open_values: int = 6
) -> str:
    """Draw the list; every text is escaped.

    Parameters
    ----------
    rows
        In the order in which they are shown.
    failures
        Of the run.
    chosen
        Values that filter already.
    open_values
        Rows that are shown at once; the others, and those that are never the likely cause, are
        folded.
    """
    last = [row for row in rows if row.last and row.count]
    leading = [row for row in rows if row.count and not row.last]
    # a run without failures must not divide by 0
    most = max((row.count for row in rows), default=1) or 1
    opened = leading[:open_values]
    # a row that filters stays in sight, else nobody finds what to switch off
    opened += [row for row in leading[open_values:] if row.value in chosen]
    folded = [row for row in rows if row not in opened and not row.last]
    head = (
        '<div class="row head"><b>Why it failed</b><span></span><span class="count">of'
        f" {failures:,}</span><span>Found in failures</span><span>in successes</span></div>"
    )
    shown = "".join(_row(row, most, row.value in chosen) for row in [*opened, *last])
    if folded:
        hidden = "".join(_row(row, most, row.value in chosen) for row in folded)
        shown += f"<details><summary>{_more(folded)}</summary>{hidden}</details>"
    return f'<div class="causes">{head}{shown}</div>'


def _more(rows: Sequence[CauseRow]) -> str:
    if any(row.count for row in rows):
        return f"{len(rows)} more"
    return f"{len(rows)} more, never the likely cause or first hint"


def _row(row: CauseRow, most: int, pressed: bool) -> str:
    hint = " <small>hint</small>" if row.hint else ""
    disabled = "" if row.count else " disabled"
    look = "row last" if row.last else "row"
    if row.hint:
        look += " hint"
    width = 100 * row.count / most
    return (
        f'<button class="{look}" data-value="{escape(row.value, quote=True)}"'
        f' aria-pressed="{str(pressed).lower()}"{disabled}><span class="name"'
        f' title="{escape(row.name, quote=True)}"><span>{escape(row.name)}</span>'
        f'{hint}</span><span class="track"><i style="width:{width:.0f}%"></i></span>'
        f'<span class="count">{row.count:,}</span><span class="share">{escape(row.failed)}</span>'
        f'<span class="share">{escape(row.succeeded)}</span></button>'
    )
