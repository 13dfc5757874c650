"""A run's error analysis, to be pasted into a paper: every claim with its n or its quote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from navviz.analysis.causes.counting import CauseCount, cause_counts
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.kept import explained_run
from navviz.analysis.citing import cited_cause, step_link
from navviz.analysis.headline import Headline, headlines
from navviz.analysis.report_controls import ReportControls, controls_document, report_controls
from navviz.records.cause import Cause
from navviz.runner.provenance import Provenance, provenance_of
from navviz.runs.marks import Mark, marks_document
from navviz.runs.run import OpenRun

_TYPICAL = 3


@dataclass(frozen=True, slots=True)
class TypicalEpisode:
    """A failure that stands for those with the same cause."""

    episode: str
    instruction: str
    left: str
    """How the walk left its route, in a sentence."""
    cause: Cause
    share: int
    """Failures with this likely cause."""
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
    causes: tuple[CauseCount, ...]
    typical: tuple[TypicalEpisode, ...]
    provenance: Provenance
    site: str = ""
    """Address of the published site that links lead to."""
    controls: ReportControls | None = None
    """Missing where they were not asked for."""
    eyes: str | None = None
    """``pictures`` or ``text variant``, as its model saw; see `OpenRun.eyes`."""
    marks: tuple[Mark, ...] = ()


def report_of(name: str, run: OpenRun, *, site: str = "", controls: int = 0) -> RunReport:
    """Gather what a report says.

    Parameters
    ----------
    name
        As links call the run.
    run
        Its causes are found, or taken from the cache.
    site
        Address of a published site; links are the app's without it.
    controls
        On how many episodes the navigator is walked with spoilt instructions; none for 0.
    """
    explained = explained_run(run)
    return RunReport(
        run=name,
        summary=run.scores.summary(),
        figures=tuple(headlines(run.scores, near=run.is_near)),
        failures=sum(one.success is False for one in explained.values()),
        causes=tuple(cause_counts(explained)),
        typical=tuple(_typical(run, explained)),
        provenance=provenance_of(run),
        site=site,
        controls=report_controls(run, controls) if controls else None,
        eyes=run.eyes,
        marks=run.marks,
    )


def _typical(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> list[TypicalEpisode]:
    """Choose one failure of each of the most frequent causes: that of the median error."""
    by_cause: dict[str, list[str]] = {}
    for key, one in explained.items():
        if one.success is False and one.leading is not None:
            by_cause.setdefault(one.leading.id, []).append(key)
    frequent = sorted(by_cause.values(), key=len, reverse=True)[:_TYPICAL]
    chosen = []
    for keys in frequent:
        errors = {key: _error_m(run.scores.rows[key]) for key in keys}
        # a walk whose error nobody knows is no median, as long as another one has an error
        measured = [key for key, error in errors.items() if error is not None]
        # of equal errors the id decides, so that the same run gets the same example
        by_error = sorted(measured or keys, key=lambda key: (errors[key] or 0.0, key))
        key = by_error[len(by_error) // 2]
        leading = explained[key].leading
        if leading is not None:
            instruction = run.trace(key).episode.instruction
            sentence = run.divergence(key).sentence
            shown = TypicalEpisode(key, instruction, sentence, leading, len(keys), bool(measured))
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
        entry = {
            "episode": one.episode,
            "instruction": one.instruction,
            "departure": one.left,
            "failures_alike": one.share,
            "link": step_link(report.run, one.episode, one.cause.step, report.site),
            "cause": cited_cause(one.cause, report.run, one.episode, report.site),
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
        "causes": [asdict(count) for count in report.causes],
        "typical": typical,
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
