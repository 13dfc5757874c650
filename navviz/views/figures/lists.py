"""Lists of a run as rows: findings, endings, other runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding of a run."""

    value: str
    """What a click tells."""
    sentence: str
    share: str
    """How many failures have it, in words."""
    shares: tuple[float, float | None]
    """Its share of failures and of successes, which may not be comparable."""
    successes: str
    note: str
    hint: bool
    strong: bool
    thumbs: Sequence[tuple[Mapping[str, object], str]]
    """Paths of some of its episodes as the gallery draws them, and how each ended."""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings about one kind of thing."""

    title: str
    rows: Sequence[FindingRow]
    opened: int
    """How many of them stand open; a row that filters does, too."""


def finding_list_html(
    groups: Sequence[FindingGroup],
    failures: int,
    chosen: Collection[str] = (),
    notes: Sequence[str] = (),
) -> str:
    """Draw the list, group by group, with notes below; every text is escaped."""
    drawn = (
        f'<div class="row head"><b>Findings</b><span></span><span>in {failures:,} failures</span>'
        "<span>in successes</span><span></span><span></span></div>"
    )
    for group in groups:
        opened = list(group.rows[: group.opened])
        # a row that filters stays in sight, else nobody finds what to switch off
        opened += [row for row in group.rows[group.opened :] if row.value in chosen]
        folded = [row for row in group.rows if row not in opened]
        for k, row in enumerate(opened):
            drawn += _finding_row(row, "" if k else group.title, row.value in chosen)
        if folded:
            lines = "".join(_finding_row(row, "", pressed=False) for row in folded)
            name = f"{len(folded)} more about {group.title.lower()}"
            drawn += (
                f'<details><summary aria-label="{escape(name, quote=True)}">{len(folded)} more'
                f"</summary>{lines}</details>"
            )
    drawn += "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return f'<div class="findings">{drawn}</div>'


def _finding_row(row: FindingRow, kind: str, pressed: bool) -> str:
    hint = " <small>hint</small>" if row.hint else ""
    bars = ""
    for share, tone in zip(row.shares, ("failure", "success"), strict=True):
        width = 0 if share is None else 100 * share
        bars += f'<i class="{tone}" style="width:{width:.0f}%"></i>'
    title = escape(f"{row.sentence}. {row.note}" if row.note else row.sentence, quote=True)
    # dir: a text of a script that runs from right to left stands as it is read
    return (
        f'<button class="row{" strong" if row.strong else ""}"'
        f' data-value="{escape(row.value, quote=True)}" aria-pressed="{str(pressed).lower()}"'
        f' title="{title}"><span class="kind">{escape(kind)}</span><span class="name"'
        f' dir="auto"><span>{escape(row.sentence)}</span>{hint}'
        f'</span><span class="share">{escape(row.share)}</span>'
        f'<span class="share">{escape(row.successes)}</span><span class="bars">{bars}</span>'
        f'<span class="thumbs">{"".join(map(_thumb, row.thumbs))}</span></button>'
    )


def _thumb(drawn: tuple[Mapping[str, object], str]) -> str:
    """Draw two paths as the gallery does, without what is too small to be seen here."""
    points, outcome = drawn
    lines = ""
    for name, look in (("r", "ref"), ("a", "agent")):
        flat = points.get(name)
        if isinstance(flat, list) and flat:
            pairs = " ".join(f"{flat[k]:g},{flat[k + 1]:g}" for k in range(0, len(flat), 2))
            lines += f'<polyline class="{look}" points="{pairs}"/>'
    return f'<svg class="{_tone(outcome)}" viewBox="0 0 96 96" aria-hidden="true">{lines}</svg>'


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
