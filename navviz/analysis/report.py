"""A run's error analysis, to be pasted into a paper: every claim with its n or its quote."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from navviz.analysis.act_counts import ActCount, act_counts
from navviz.analysis.causes.counting import CauseCount, cause_counts, explained_run, share_text
from navviz.analysis.causes.engine import EpisodeCauses, causes_document
from navviz.analysis.compare import Headline, headlines
from navviz.analysis.controls import (
    CONTROLS,
    TRUE_TEXT,
    Control,
    Controls,
    ControlSetup,
    control_record,
    control_sentences,
    control_table,
    controls_of,
    recorded_controls,
    sample_of,
)
from navviz.analysis.counterfactuals.walking import run_navigator, run_walker
from navviz.analysis.findings import RunFinding, kept_findings
from navviz.errors import NavVizError
from navviz.records import Trace
from navviz.records.act import DecisiveAct
from navviz.records.base import plural
from navviz.records.finding import Explanation, Quote
from navviz.records.trace_files import is_trace_name, read_trace
from navviz.runner.batch import SetWalker, run_of_set
from navviz.runner.provenance import Provenance, UsedFile, provenance_of
from navviz.runs.marks import RunMark, marks_document
from navviz.runs.run import OpenRun
from navviz.support.guarded import is_folder, visible
from navviz.systems.base import Navigator


@dataclass(frozen=True, slots=True)
class ReportControls:
    """The controls of a run, or one sentence that says why there are none."""

    controls: Controls | None = None
    navigator: Navigator | None = None
    source: str = ""
    """Where the walks come from, in a sentence."""
    why_not: str = ""


def report_controls(run: OpenRun, limit: int, seed: int = 0) -> ReportControls:
    """Walk or read the controls of a run."""
    try:
        navigator, asks = run_navigator(run)
        kept = _kept(run, navigator)
        if kept:
            walks = recorded_controls(kept, run.graph_of, asks_model=asks)
            source = "The walks of the controls lie beside the run."
            return ReportControls(walks, navigator, source)
        if asks:
            return ReportControls(why_not=_needs_model_sentence(navigator))
        outlines = run.outlines.values()
        judged = [trace.episode for trace in outlines if trace.episode.goal]
        chosen = sample_of(judged, limit, seed)
        # outlines of large runs have no texts, so the chosen episodes are read whole
        episodes = tuple(run.trace(episode.id).episode for episode in chosen)
        with tempfile.TemporaryDirectory(prefix="navviz-controls-") as folder:
            walker = SetWalker(
                navigator=navigator,
                settings=run_walker(run, out=Path(folder)).settings,
                graph_of=run.graph_of,
                graphs=None,
                out=Path(folder),
            )
            controls = controls_of(
                ControlSetup(episodes=episodes, graph_of=run.graph_of, walk=walker, seed=seed)
            )
        how = f"{len(episodes)} of {len(run.outlines)} episodes, drawn with seed {seed}"
        if len(episodes) == len(run.outlines):
            how = f"all {len(episodes)} episodes"
        source = f"Walked for this report on {how}, with the navigator and settings of the run."
        return ReportControls(controls, navigator, source)
    except NavVizError as error:
        return ReportControls(why_not=f"No controls were walked. {error}")


def _needs_model_sentence(navigator: Navigator) -> str:
    name = navigator.name
    return (
        f"No controls were walked, since {name} asks a language model. Walk them with navviz"
        f" diagnose controls --navigator {name} --llm MODEL --episodes FILE --graphs DIR --out"
        " FOLDER, where FOLDER holds the run, and write the report again."
    )


def _kept(run: OpenRun, navigator: Navigator) -> dict[Control, dict[str, Trace]]:
    """Read what ``navviz diagnose controls --out`` has left beside the run."""
    if run.source.results is None:
        return {}
    folder = run.source.results.parent
    walks: dict[Control, dict[str, Trace]] = {}
    for control in CONTROLS:
        place = folder / run_of_set(navigator.name, control)
        if is_folder(place):
            traces = {}
            for path in sorted(place.iterdir()):
                if is_trace_name(path.name):
                    trace = read_trace(path)
                    traces[trace.episode.id] = trace
            walks[control] = traces
    if not walks.get(TRUE_TEXT):
        return {}
    header = next(iter(run.outlines.values())).header
    mine = (header.settings, header.model)
    ids = walks[TRUE_TEXT].keys()
    for control, traces in walks.items():
        if any((trace.header.settings, trace.header.model) != mine for trace in traces.values()):
            return {}
        # paired with the true text: an episode that this lacks has nothing to be compared with
        walks[control] = {key: trace for key, trace in traces.items() if key in ids}
    # a folder of runs may hold the controls of a run on other episodes
    return walks if ids <= run.outlines.keys() else {}


def controls_document(given: ReportControls) -> dict[str, Any]:
    """Return the controls of a report as JSON holds them."""
    if given.controls is None or given.navigator is None:
        return {"why_not": given.why_not}
    controls = given.controls
    return {
        "source": given.source,
        "episodes": len(controls.inference.comparison.episodes),
        "surviving": controls.surviving,
        "leaks": list(controls.leaks),
        "sentences": control_sentences(given.navigator, controls),
        "controls": [control_record(controls, control) for control in controls.scores],
    }


def controls_rows(given: ReportControls) -> tuple[list[list[str]], list[str]]:
    """Return the rows of a table, its head first, and what is said below it."""
    if given.controls is None or given.navigator is None:
        return [], [given.why_not]
    head, rows, notes = control_table(given.controls)
    sentences = [f"{row[0]}: {text}." for row, text in zip(rows, notes, strict=True) if text]
    return [head, *rows], [
        given.source,
        *control_sentences(given.navigator, given.controls),
        *sentences,
    ]


def step_link(run: str, episode: str, step: int | None, site: str = "") -> str:
    """Return the link to a step."""
    place = {"run": run, "episode": episode}
    if step is not None:
        place["step"] = str(step)
    return f"{site.rstrip('#')}#{urlencode(place)}" if site else f"/replay?{urlencode(place)}"


def cited_cause(cause: Explanation, run: str, episode: str, site: str = "") -> dict[str, Any]:
    """Return a cause as JSON holds it, with links for it and for each of its quotes."""
    document = cause.model_dump(mode="json", exclude_none=True)
    document["link"] = step_link(run, episode, cause.step, site)
    for quote, given in zip(document["quotes"], cause.quotes, strict=True):
        quote["verbatim"] = given.is_verbatim
        # a quote of the instruction has no step of its own
        quote["link"] = step_link(run, episode, quote.get("step", cause.step), site)
    return document


def cited_causes(explained: EpisodeCauses, run: str) -> dict[str, Any]:
    """Return the causes of an episode as `causes_document` does, with its run and with links."""
    causes = [cited_cause(cause, run, explained.episode) for cause in explained.causes]
    return {"run": run} | causes_document(explained) | {"causes": causes}


_TYPICAL = 3


@dataclass(frozen=True, slots=True)
class TypicalEpisode:
    """A failure that stands for those whose act was missed in the same way."""

    episode: str
    instruction: str
    act: DecisiveAct
    cause: Explanation | None
    """What explains it."""
    share: int
    """Failures whose act was missed so."""
    is_median: bool = True
    """Whether its error is the median of theirs; false where none of them has one."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a report says of a run."""

    run: str
    summary: str
    figures: tuple[Headline, ...]
    failures: int
    """Failures among the episodes."""
    acts: tuple[ActCount, ...]
    """How the decisive acts were missed."""
    causes: tuple[CauseCount, ...]
    typical: tuple[TypicalEpisode, ...]
    provenance: Provenance
    site: str = ""
    """Address of the published site that links lead to."""
    controls: ReportControls | None = None
    """Missing where they were not asked for."""
    eyes: str | None = None
    """``pictures`` or ``text variant``, as its model saw; see `OpenRun.eyes`."""
    marks: tuple[RunMark, ...] = ()
    kept: tuple[RunFinding, ...] = ()
    """Findings that people keep for the run's folder."""


def report_of(name: str, run: OpenRun, *, site: str = "", controls: int = 0) -> RunReport:
    """Gather what a report says."""
    explained = explained_run(run)
    return RunReport(
        run=name,
        summary=run.scores.summary(),
        figures=tuple(headlines(run.scores, near=run.is_near)),
        failures=sum(one.success is False for one in explained.values()),
        acts=tuple(act_counts(explained)),
        causes=tuple(cause_counts(explained)),
        typical=tuple(_typical(run, explained)),
        provenance=provenance_of(run),
        site=site,
        controls=report_controls(run, controls) if controls else None,
        eyes=run.eyes,
        marks=run.marks,
        kept=tuple(kept_findings(run, explained)),
    )


def _typical(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> list[TypicalEpisode]:
    """Choose one failure of each of the most frequent ways: that of the median error."""
    by_act: dict[str, list[str]] = {}
    for key, one in explained.items():
        if one.success is False and one.act is not None:
            by_act.setdefault(one.act.slug, []).append(key)
    frequent = sorted(by_act.values(), key=len, reverse=True)[:_TYPICAL]
    chosen = []
    for keys in frequent:
        errors = {key: _error_m(run.scores.rows[key]) for key in keys}
        # a walk whose error nobody knows is no median, as long as another one has an error
        measured = [key for key, error in errors.items() if error is not None]
        # of equal errors the id decides, so that the same run gets the same example
        by_error = sorted(measured or keys, key=lambda key: (errors[key] or 0.0, key))
        key = by_error[len(by_error) // 2]
        act, leading = explained[key].act, explained[key].leading
        if act is not None:
            instruction = run.trace(key).episode.instruction
            shown = TypicalEpisode(key, instruction, act, leading, len(keys), bool(measured))
            chosen.append(shown)
    return chosen


def _error_m(scores: Mapping[str, float | None]) -> float | None:
    """Return how far from the goal a walk ended; free walks have that under other names."""
    for name in ("NE", "NE_rec", "NE_est"):
        error_m = scores.get(name)
        if error_m is not None:
            return error_m
    return None


def report_document(report: RunReport) -> dict[str, Any]:
    """Return a report as JSON holds it."""
    typical = []
    for one in report.typical:
        cause = None
        if one.cause is not None:
            cause = cited_cause(one.cause, report.run, one.episode, report.site)
        entry = {
            "episode": one.episode,
            "instruction": one.instruction,
            "act": one.act.as_document(),
            "sentence": one.act.sentence,
            "failures_alike": one.share,
            "link": step_link(report.run, one.episode, one.act.step, report.site),
            "cause": cause,
        }
        typical.append(entry)
    controls = {}
    if report.controls is not None:
        controls = {"controls": controls_document(report.controls)}
    return {
        "run": report.run,
        "summary": report.summary,
        "marks": marks_document(report.marks),
        "figures": [_figure(one) for one in report.figures],
        "failures": report.failures,
        "acts": [asdict(count) for count in report.acts],
        "causes": [asdict(count) for count in report.causes],
        "typical": typical,
        **({"kept": [asdict(one) for one in report.kept]} if report.kept else {}),
        **controls,
        "provenance": asdict(report.provenance),
    }


def _figure(one: Headline) -> dict[str, Any]:
    interval = one.interval
    return {
        "metric": one.metric.name,
        "title": one.metric.title,
        "unit": one.metric.unit,
        "mean": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "n": interval.episodes,
    }


_MOST_FIGURES = ("SR", "OSR", "SPL", "NE", "nDTW", "SDTW", "SR_rec", "SPL_rec", "ISR", "CSR", "RGS")

_QUOTE_LETTERS = 600

_MOST_FILES = 8
"""Files of one role that are listed one by one."""

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~])")


def report_markdown(report: RunReport, pictures: Mapping[str, str] | None = None) -> str:
    """Write a report as Markdown."""
    navigators = ", ".join(map(_text, report.provenance.navigators))
    # a report leaves its page: readers must not take the text variant for the paper's agent
    if report.eyes:
        navigators += f" ({report.eyes})"
    models = ", ".join(map(_text, report.provenance.models)) or "no model stated"
    count = plural(report.provenance.episodes, "episode")
    parts = [
        f"# Error analysis of {_text(report.run)}",
        f"{navigators}, {models}; {count} ({report.summary}).",
    ]
    parts += [f"**{_text(mark.sentence)}**" for mark in report.marks]
    parts += ["## Figures", "\n".join(_figures(report))]
    parts += ["## Why it failed", *_acts(report), *_causes(report)]
    if report.kept:
        lines = ["| kept finding | of failures | of successes |", "|---|---|---|"]
        for row in report.kept:
            lines.append(f"| {_text(row.sentence)} | {row.share} | {row.of_successes} |")
        parts += ["## Kept findings", "\n".join(lines)]
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
    return _SIGNS.sub(r"\\\1", visible(" ".join(text.split()))).replace("&", "&amp;")


def _figures(report: RunReport) -> Iterator[str]:
    yield "| metric | mean | 95 % interval | n |"
    yield "|---|---|---|---|"
    for one in report.figures:
        if one.metric.name in _MOST_FIGURES:
            row = (one.metric.name, one.text, one.span or "–", str(one.interval.episodes))
            yield f"| {' | '.join(map(_text, row))} |"


def _acts(report: RunReport) -> Iterator[str]:
    if not report.failures:
        yield "No episode failed."
        return
    lines = ["| the act that was not done | failures | share of failures |", "|---|---|---|"]
    for count in report.acts:
        number = f"{count.failures} of {report.failures}"
        lines.append(f"| {_text(count.name)} | {number} | {share_text(count.share)} |")
    yield "\n".join(lines)
    yield (
        "The decisive act is the first of the instruction that a failed walk did not do, found from"
        " instruction, map and path alone. Shares with 95 % intervals."
    )


def _causes(report: RunReport) -> Iterator[str]:
    if not report.failures:
        return
    lines = [
        "| likely cause | failures | share of failures with it |",
        "|---|---|---|",
    ]
    for count in report.causes:
        hint = " (hint)" if count.grade == "hint" else ""
        number = f"{count.likely + count.hinted} of {report.failures}"
        lines.append(f"| {_text(count.name)}{hint} | {number} | {share_text(count.failed)} |")
    yield "\n".join(lines)
    yield (
        "A likely cause is the first that a detector proves at or before the step that decided the"
        " end; a hint is weaker. Shares with 95 % intervals."
    )


def _episode(report: RunReport, one: TypicalEpisode, picture: str | None) -> Iterator[str]:
    link = step_link(report.run, one.episode, one.act.step, report.site)
    yield f"### Episode {_text(one.episode)}: {_text(one.act.how)}"
    which = "The one failure of this kind"
    if one.share > 1:
        which = f"One of {one.share} failures of this kind"
    if one.share > 1 and one.is_median:
        which = f"Of {one.share} failures of this kind that of the median error"
    # in angle brackets, in which an address may have round ones
    yield f"{which} ([step {one.act.step}](<{link}>))."
    if picture is not None:
        yield f"![Reference path and agent's path of episode {_text(one.episode)}](<{picture}>)"
    yield f"Instruction: “{_text(one.instruction)}”"
    if one.cause is None:
        yield _text(one.act.sentence)
        return
    hint = "A hint: " if one.cause.grade == "hint" else ""
    yield f"{_text(one.act.sentence)} {hint}{_text(one.cause.sentence)}"
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
    step = quote.step if quote.step is not None else one.act.step
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
