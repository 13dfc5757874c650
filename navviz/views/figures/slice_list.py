"""A list of slices as markup: each a sentence that can be clicked, its odds ratio with the interval
beside it.
"""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_TICKS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_LOW, _HIGH = math.log(0.16), math.log(12.0)
"""Ends of the axis; intervals that reach further are cut there."""
_WIDTH, _HEIGHT = 220.0, 22.0


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One line of the list."""

    value: str
    """What a click on it tells."""
    sentence: str
    ratio: float
    low: float
    high: float
    strong: bool
    """Whether its adjusted p is below 0.05."""


def slice_list_html(rows: Sequence[SliceRow], chosen: Collection[str] = ()) -> str:
    """Draw the list; every text is escaped.

    Parameters
    ----------
    rows
        In the order in which they are shown.
    chosen
        Values that filter already.
    """
    head = (
        '<div class="row head"><span>Slice</span><span class="axis">Odds ratio, 95'
        f" %{_axis()}</span></div>"
    )
    return (
        f'<div class="slices">{head}{"".join(_row(row, row.value in chosen) for row in rows)}</div>'
    )


def _x(ratio: float) -> float:
    """Where a ratio stands on the logarithmic axis, in pixels."""
    # an odds ratio of 0 has no logarithm
    at = min(max(math.log(max(ratio, 1e-9)), _LOW), _HIGH)
    return round((at - _LOW) / (_HIGH - _LOW) * _WIDTH, 1)


def _axis() -> str:
    ticks = "".join(
        f'<text x="{_x(tick)}" y="12" text-anchor="middle">{tick:g}</text>' for tick in _TICKS
    )
    return f'<svg viewBox="0 0 {_WIDTH:g} 16" aria-hidden="true">{ticks}</svg>'


def _row(row: SliceRow, pressed: bool) -> str:
    strength = "strong" if row.strong else "weak"
    direction = "worse" if row.ratio > 1 else "better"
    label = f"odds ratio {row.ratio:.1f}, from {row.low:.1f} to {row.high:.1f}"
    return (
        f'<button class="row {strength} {direction}" data-value="{html.escape(row.value)}"'
        f' aria-pressed="{str(pressed).lower()}"><span>{html.escape(row.sentence)}</span><svg'
        f' viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img"'
        f' aria-label="{label}">{"".join(_marks(row))}</svg></button>'
    )


def _marks(row: SliceRow) -> Iterator[str]:
    middle = _HEIGHT / 2
    for tick in _TICKS:
        kind = "even" if tick == 1.0 else "tick"
        yield f'<line class="{kind}" x1="{_x(tick)}" x2="{_x(tick)}" y1="0" y2="{_HEIGHT:g}"/>'
    yield (
        f'<line class="interval" x1="{_x(row.low)}" x2="{_x(row.high)}" y1="{middle:g}"'
        f' y2="{middle:g}"/>'
    )
    yield f'<circle cx="{_x(row.ratio)}" cy="{middle:g}" r="4"/>'
