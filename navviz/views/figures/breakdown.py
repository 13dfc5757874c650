"""How a run's episodes ended, as rows with a shape, a count and a bar each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape

_SHAPES = {
    "success": '<path class="line" d="M3 8.5l3.4 3.5L13 4.5"/>',
    "wrong turn": '<path class="line" d="M4.5 14V9.500q0-3 3-3h5M9.8 3.500l3 3-3 3"/>',
    "overshoot": '<path class="line" d="M2 8h11M10 5l3 3-3 3M6.5 3.500v9"/>',
    "undershoot": '<path class="line" d="M1.5 8h7.500M6 5l3 3-3 3M13 3.500v9"/>',
    "gave up": '<path class="line" d="M4 14V2.500h8l-2.2 3 2.2 3H4"/>',
    "illegal decision": (
        '<circle class="line" cx="8" cy="8" r="5.5"/><path class="line" d="M4.2 4.2l7.6 7.6"/>'
    ),
    "other": '<path class="line" d="M4 4l8 8M12 4l-8 8"/>',
}
"""Signs of 16 x 16 units, so that colour is not the only difference."""


def breakdown_html(
    counts: Mapping[str, int], total: int, chosen: Collection[str] = (), *, recorded: bool = False
) -> str:
    """Draw how episodes ended.

    Parameters
    ----------
    counts
        Episodes by ending, in the order of the rows: ``success`` and the ways to fail
        (`navviz.runs.tables.FAILURES`).
    total
        Episodes with an outcome.
    chosen
        Endings of the current filter.
    recorded
        Whether success is what the evaluator wrote, and nothing that NavViz measured.

    Returns
    -------
    A list of buttons whose ``data-value`` is the ending.
    """
    failed = total - counts.get("success", 0)
    head = '<p class="head">No outcome is known</p>'
    if total:
        head = f'<p class="head"><b>{failed:,}</b> of {total:,} failed</p>'
    if total and recorded:
        head = head.replace("failed</p>", "failed, as recorded</p>")
    bar, rows = "", ""
    for name, count in counts.items():
        rows += _row(name, count, total, name in chosen)
        if count:
            bar += f'<i class="{_tone(name)}" style="flex-grow:{count}"></i>'
    return f'{head}<div class="whole" aria-hidden="true">{bar}</div><div class="rows">{rows}</div>'


def _tone(name: str) -> str:
    return "success" if name == "success" else "failure"


def _row(name: str, count: int, total: int, chosen: bool) -> str:
    share = count / total if total else 0.0
    label = escape(name, quote=True)
    state = f'aria-pressed="{str(chosen).lower()}"{"" if count else " disabled"}'
    shape = _SHAPES.get(name, _SHAPES["other"])
    return (
        f'<button class="row {_tone(name)}" data-value="{label}" {state}'
        ' title="Show only these episodes">'
        f'<svg viewBox="0 0 16 16" aria-hidden="true">{shape}</svg>'
        f'<span class="name">{label}</span>'
        f'<span class="track"><i style="width:{100 * share:.1f}%"></i></span>'
        f'<span class="count">{count:,}</span></button>'
    )
