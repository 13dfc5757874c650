"""Lists of what goes wrong, as rows with a bar each: causes, clusters, slices, endings, runs."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final


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


def cause_list_html(
    rows: Sequence[CauseRow],
    failures: int,
    chosen: Collection[str] = (),
    open_values: int = 6,
    *,
    head: tuple[str, str] = ("Why it failed", "Found in failures"),
) -> str:
    """Draw the list, with its head over name and share of failures; every text is escaped."""
    last = [row for row in rows if row.last and row.count]
    leading = [row for row in rows if row.count and not row.last]
    # a run without failures must not divide by 0
    most = max((row.count for row in rows), default=1) or 1
    opened = leading[:open_values]
    # a row that filters stays in sight, else nobody finds what to switch off
    opened += [row for row in leading[open_values:] if row.value in chosen]
    folded = [row for row in rows if row not in opened and not row.last]
    title, failed = map(escape, head)
    drawn = (
        f'<div class="row head"><b>{title}</b><span></span><span class="count">of'
        f" {failures:,}</span><span>{failed}</span></div>"
    )
    shown = "".join(_row(row, most, row.value in chosen) for row in [*opened, *last])
    if folded:
        hidden = "".join(_row(row, most, row.value in chosen) for row in folded)
        shown += f"<details><summary>{_more(folded)}</summary>{hidden}</details>"
    return f'<div class="causes">{drawn}{shown}</div>'


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
        f'<span class="count">{row.count:,}</span>'
        f'<span class="share">{escape(row.failed)}</span></button>'
    )


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


def cause_changes_html(rows: Sequence[ChangeRow], title: str = "Explanation") -> str:
    """Draw the list; every text is escaped."""
    head = (
        f'<div class="row head"><span></span><span>{escape(title)}</span><span'
        ' class="count">gone</span><span class="count">new</span><span'
        ' class="count">both</span><span class="count">p</span><span class="count">adjusted'
        "</span></div>"
    )
    return f'<div class="changes">{head}{"".join(_change_row(row) for row in rows)}</div>'


def _change_row(row: ChangeRow) -> str:
    strength = " strong" if row.strong else ""
    p, _, adjusted = row.p.partition(" ")
    counts = (len(row.vanished), len(row.came), row.stayed)
    texts = [*map(str, counts), escape(p), escape(adjusted)]
    cells = "".join(f'<span class="count">{text}</span>' for text in texts)
    return (
        f'<details><summary class="row{strength}"><span class="turn"></span><span'
        f' class="name">{escape(row.name)}</span>{cells}</summary>'
        f"{_episodes('Gone in', row.vanished)}{_episodes('New in', row.came)}</details>"
    )


def _episodes(title: str, episodes: Sequence[str]) -> str:
    if not episodes:
        return ""
    links = ""
    for episode in episodes:
        name = escape(episode, quote=True)
        links += f'<button class="episode" data-value="{name}">{name}</button>'
    return f'<p class="episodes"><span>{title}</span>{links}</p>'


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
    """Draw the list; every text is escaped."""
    most = max((row.count for row in rows), default=1)
    head = (
        '<div class="row head"><span>Words they share</span><span></span><span class="count">n'
        "</span><span>Share of these failures</span><span>A typical one</span></div>"
    )
    shown = "".join(_cluster_row(row, most, row.value in chosen) for row in rows)
    return f'<div class="clusters">{head}{shown}</div>'


def _cluster_row(row: ClusterRow, most: int, pressed: bool) -> str:
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
    """Draw the list; every text is escaped."""
    head = (
        '<div class="row head"><span>Slice</span><span class="axis">Odds ratio, 95'
        f" %{_axis()}</span></div>"
    )
    lines = "".join(_slice_row(row, row.value in chosen) for row in rows)
    return f'<div class="slices">{head}{lines}</div>'


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


def _slice_row(row: SliceRow, pressed: bool) -> str:
    strength = "strong" if row.strong else "weak"
    direction = "worse" if row.ratio > 1 else "better"
    upper = f"to {row.high:.1f}" if math.isfinite(row.high) else "upwards"
    label = f"odds ratio {row.ratio:.1f}, from {row.low:.1f} {upper}"
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


_SHAPES = {
    "success": '<path class="line" d="M3 8.5l3.4 3.5L13 4.5"/>',
    "failure": '<path class="line" d="M4 4l8 8M12 4l-8 8"/>',
}
"""Signs of 16 x 16 units, so that colour is not the only difference."""


def breakdown_html(
    counts: Mapping[str, int], total: int, chosen: Collection[str] = (), *, recorded: bool = False
) -> str:
    """Draw how episodes ended."""
    failed = total - counts.get("success", 0)
    head = '<p class="head">No outcome is known</p>'
    if total:
        head = f'<p class="head"><b>{failed:,}</b> of {total:,} failed</p>'
    if total and recorded:
        head = head.replace("failed</p>", "failed, as recorded</p>")
    bar, rows = "", ""
    for name, count in counts.items():
        share = count / total if total else 0.0
        label = escape(name, quote=True)
        state = f'aria-pressed="{str(name in chosen).lower()}"{"" if count else " disabled"}'
        shape = _SHAPES[name]
        rows += (
            f'<button class="row {_tone(name)}" data-value="{label}" {state}'
            ' title="Show only these episodes">'
            f'<svg viewBox="0 0 16 16" aria-hidden="true">{shape}</svg>'
            f'<span class="name">{label}</span>'
            f'<span class="track"><i style="width:{100 * share:.1f}%"></i></span>'
            f'<span class="count">{count:,}</span></button>'
        )
        if count:
            bar += f'<i class="{_tone(name)}" style="flex-grow:{count}"></i>'
    return f'{head}<div class="whole" aria-hidden="true">{bar}</div><div class="rows">{rows}</div>'


def _tone(name: str) -> str:
    return "success" if name == "success" else "failure"


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
    difference: str = ""
    """Of the success rate from the first run, with interval and p; empty for that run."""
    full_name: str = ""
    """Where `name` is short for it."""
    eyes: str = ""
    """``pictures`` or ``text variant``, as its model saw."""


@dataclass(frozen=True, slots=True)
class FlipRow:
    """One episode that some runs solve and others do not."""

    episode: str
    head: str
    """Stands above it, where a group begins."""
    marks: tuple[str, ...]
    """How each run ended, in their order."""
    names: tuple[str, str]
    """A run that failed, and one that did not."""
    failed: str
    """The act that the first of them did not do."""
    solved: str
    """What the other did where the two part."""


def run_differences_html(
    runs: Sequence[RunRow], headline: str, flips: Sequence[FlipRow], shown: str, note: str = ""
) -> str:
    """Draw the sentence, a line for each run, and a row for each flip; every text is escaped."""
    lines = "".join(map(_run_line, runs))
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    rows = "".join(_flip_row(flip, flip.episode == shown) for flip in flips)
    listed = f'<div class="scrolls">{rows}</div>' if rows else ""
    head = f'<p class="headline">{escape(headline)}</p><div class="runs">{lines}</div>'
    return f"{head}{below}{listed}"


def _run_line(row: RunRow) -> str:
    name = escape(f"{row.name} · {row.eyes}" if row.eyes else row.name)
    title = escape(row.full_name or row.name, quote=True)
    return (
        f'<span class="run"><i style="background:{escape(row.colour, quote=True)}"></i>'
        f'<span class="name" title="{title}">{name}</span> <b>{escape(row.success)}</b>'
        f' <span class="quiet">{escape(" · ".join(filter(None, (row.figures, row.difference))))}'
        "</span></span>"
    )


def _flip_row(row: FlipRow, pressed: bool) -> str:
    value = escape(row.episode, quote=True)
    sides = ""
    for name, text, mark in zip(row.names, (row.failed, row.solved), ("✗", "✓"), strict=True):
        title = escape(f"{name}: {text}" if text else name, quote=True)
        sides += (
            f'<span class="side" dir="auto" title="{title}"><b>{mark}</b> {escape(text)}</span>'
        )
    marks = ""
    if len(row.marks) > 2:
        marks = f'<span class="marks">{escape(" ".join(row.marks))}</span>'
    head = f'<p class="group">{escape(row.head)}</p>' if row.head else ""
    return (
        f'{head}<button class="row" data-value="{value}" aria-pressed="{str(pressed).lower()}">'
        f'<span class="episode">{value}{marks}</span>{sides}</button>'
    )
