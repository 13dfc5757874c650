"""A report as Markdown."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

from navviz.analysis.causes.counting import share_text
from navviz.analysis.citing import step_link
from navviz.analysis.report import RunReport, TypicalEpisode
from navviz.analysis.report_controls import ReportControls, controls_rows
from navviz.records.cause import Quote
from navviz.records.plural import plural
from navviz.runner.provenance import UsedFile

_MOST_FIGURES = ("SR", "OSR", "SPL", "NE", "nDTW", "SDTW", "SR_rec", "SPL_rec", "ISR", "CSR", "RGS")
_QUOTE_LETTERS = 600
_MOST_FILES = 8
"""Files of one role that are listed one by one."""
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~])")


def report_markdown(report: RunReport, pictures: Mapping[str, str] | None = None) -> str:
    """Write a report as Markdown.

    Parameters
    ----------
    report
        From `navviz.analysis.report.report_of`.
    pictures
        Address of a figure by episode id, for the typical episodes that have one.
    """
    parts = [f"# Error analysis of {_text(report.run)}", _walkers_line(report)]
    parts += [f"**{_text(mark.sentence)}**" for mark in report.marks]
    parts += ["## Figures", "\n".join(_figures(report))]
    parts += ["## Why it failed", *_causes(report)]
    if report.typical:
        parts.append("## Typical episodes")
    for one in report.typical:
        parts += _episode(report, one, (pictures or {}).get(one.episode))
    if report.controls is not None:
        parts += ["## What survives without reading", *_controls(report.controls)]
    parts += ["## Where the figures come from", "\n".join(_sources(report))]
    return "\n\n".join(parts) + "\n"


def _text(text: str) -> str:
    """Return a text in which no sign is Markdown's or HTML's, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split())).replace("&", "&amp;")


def _walkers_line(report: RunReport) -> str:
    navigators = ", ".join(map(_text, report.provenance.navigators))
    # a report leaves its page: readers must not take the text variant for the paper's agent
    if report.eyes:
        navigators += f" ({report.eyes})"
    models = ", ".join(map(_text, report.provenance.models)) or "no model stated"
    count = plural(report.provenance.episodes, "episode")
    return f"{navigators}, {models}; {count} ({report.summary})."


def _figures(report: RunReport) -> Iterator[str]:
    yield "| metric | mean | 95 % interval | n |"
    yield "|---|---|---|---|"
    for one in report.figures:
        if one.metric.name in _MOST_FIGURES:
            row = (one.metric.name, one.text, one.span or "–", str(one.interval.episodes))
            yield f"| {' | '.join(map(_text, row))} |"


def _causes(report: RunReport) -> Iterator[str]:
    if not report.failures:
        yield "No episode failed."
        return
    lines = [
        "| likely cause | failures | share of failures with it | of successes |",
        "|---|---|---|---|",
    ]
    for count in report.causes:
        hint = " (hint)" if count.grade == "hint" else ""
        number = f"{count.likely + count.hinted} of {report.failures}"
        shares = (share_text(count.failed), share_text(count.succeeded))
        lines.append(f"| {_text(count.name)}{hint} | {number} | {' | '.join(shares)} |")
    yield "\n".join(lines)
    yield (
        "A likely cause is the first that a detector proves at or before the step that decided the"
        " end; a hint is weaker. Shares with 95 % intervals."
    )


def _episode(report: RunReport, one: TypicalEpisode, picture: str | None) -> Iterator[str]:
    link = step_link(report.run, one.episode, one.cause.step, report.site)
    yield f"### Episode {_text(one.episode)}: {_text(one.cause.name)}"
    which = "The one failure of this kind"
    if one.share > 1:
        which = f"One of {one.share} failures of this kind"
    if one.share > 1 and one.is_median:
        which = f"Of {one.share} failures of this kind that of the median error"
    # in angle brackets, in which an address may have round ones
    yield f"{which} ([step {one.cause.step}](<{link}>))."
    if picture is not None:
        yield f"![Reference path and agent's path of episode {_text(one.episode)}](<{picture}>)"
    yield f"Instruction: “{_text(one.instruction)}”"
    yield f"{_text(one.left)} {_text(one.cause.sentence)}"
    for quote in one.cause.quotes:
        if quote.is_verbatim:
            yield _quote(report, one, quote)
    # what the map or the log say in our words is no quote
    seen = [quote for quote in one.cause.quotes if not quote.is_verbatim]
    if seen:
        yield "\n".join(_evidence_line(report, one, quote) for quote in seen)


def _evidence_line(report: RunReport, one: TypicalEpisode, quote: Quote) -> str:
    where, link = _place(report, one, quote)
    return f"- [{where}](<{link}>): {_text(quote.text)}"


def _quote(report: RunReport, one: TypicalEpisode, quote: Quote) -> str:
    text = " ".join(quote.text.split())
    if len(text) > _QUOTE_LETTERS:
        text = text[:_QUOTE_LETTERS] + " […]"
    where, link = _place(report, one, quote)
    return f"> {_text(text)}\n>\n> — [{where}](<{link}>)"


def _place(report: RunReport, one: TypicalEpisode, quote: Quote) -> tuple[str, str]:
    """Return where a quote stands, in words and as a link."""
    step = quote.step if quote.step is not None else one.cause.step
    link = step_link(report.run, one.episode, step, report.site)
    where = f"{quote.source}, step {quote.step}" if quote.step is not None else str(quote.source)
    return where, link


def _controls(controls: ReportControls) -> Iterator[str]:
    rows, sentences = controls_rows(controls)
    lines = [f"| {' | '.join(map(_text, row))} |" for row in rows]
    if lines:
        lines.insert(1, "|---" * len(rows[0]) + "|")
        yield "\n".join(lines)
    yield " ".join(map(_text, sentences))


def _sources(report: RunReport) -> Iterator[str]:
    provenance = report.provenance
    yield f"- scored with {_text(provenance.scored_with)}"
    for version in provenance.code_versions:
        yield f"- walked with {_text(version)}"
    for settings, count in provenance.settings.items():
        yield f"- settings of {plural(count, 'episode')}: {_text(settings)}"
    by_role: dict[str, list[UsedFile]] = {}
    for file in provenance.files:
        by_role.setdefault(file.role, []).append(file)
    for role, files in by_role.items():
        if len(files) > _MOST_FILES:
            yield f"- {role}: {len(files)} files, SHA-256 of their list {_digest(files)}"
            continue
        for file in files:
            yield f"- {role}: {_text(_name(file))}, SHA-256 {file.sha256 or 'not hashed'}"


def _name(file: UsedFile) -> str:
    """Return a file's name without its folder, which is nobody's business."""
    # by both signs, since a run may come from another system
    return re.split(r"[/\\]", file.path.rstrip("/\\"))[-1]


def _digest(files: Sequence[UsedFile]) -> str:
    """Return the SHA-256 of lines of hash and name, as ``sha256sum * | sha256sum`` gives it."""
    # two blanks between them, as sha256sum writes
    lines = [f"{file.sha256}  {_name(file)}\n" for file in sorted(files, key=_name)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
