"""Marks of a run: what has to be said beside every figure of it, wherever it is shown.

A mark never changes a figure. `run_marks` gathers them; pages, tables, reports and JSON print what
it returns, so that a new kind of mark is one more function here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from navviz.errors import InputError
from navviz.metrics.score import RunScore
from navviz.records import Trace, TraceHeader
from navviz.records.base import plural
from navviz.records.walker import BLIND, edited_steps, is_blind
from navviz.support.guarded import is_folder, read_json

MarkId = Literal["partial", "blind", "unanswered", "edited"]
_BLIND = "Blind: nothing described the views to the agent"
_COUNT = "episode_count"
"""Field of ``run.json``, and of the plan of a batch that an earlier NavViz began."""
_NAMED = 3
"""Edited walks that a mark names; the column ``edits`` of the table has all."""
_NOTED_IN = ("run.json", ".batch/plan.json")


@dataclass(frozen=True, slots=True)
class RunMark:
    """One thing that is to be said beside the figures of a run."""

    id: MarkId
    label: str
    """In a few words, for a chip: ``12 of 20 walked``."""
    sentence: str
    """What it means for the figures, with a full stop."""
    count: int | None = None
    """Episodes that it counts, such as those that were walked; ``None`` where it is of the whole
    run.
    """
    of: int | None = None
    """Episodes among which they are counted."""
    figures: Mapping[str, float | None] = field(default_factory=dict)
    """What the sentence states, as numbers."""

    @property
    def cells(self) -> tuple[str, str]:
        """Its count and n as two cells of a table of figures."""
        return ("yes" if self.count is None else str(self.count), str(self.of or ""))


def run_marks(
    scores: RunScore,
    header: TraceHeader | None = None,
    planned: int | None = None,
    headers: Callable[[], Iterable[TraceHeader]] | None = None,
) -> tuple[RunMark, ...]:
    """Return the marks of a run; none where its figures are what they seem."""
    whole = max(planned or 0, len(scores))
    walked = len(scores) - len(scores.unfinished)
    marks = (*part_marks(walked, whole, len(scores.errors)), *_unanswered(scores))
    marks += edited_marks(scores.edited, len(scores), counted=scores.with_edited)
    if header is not None and headers is not None and header.settings.get(BLIND):
        marks += blind_marks(headers())
    return marks


def blind_marks(headers: Iterable[TraceHeader]) -> tuple[RunMark, ...]:
    """Return the mark of a run in which nothing described the views to the agent."""
    blind = [is_blind(header) for header in headers]
    return _blind_marks(sum(blind), len(blind))


def _blind_marks(count: int, whole: int) -> tuple[RunMark, ...]:
    if not count:
        return ()
    if count == whole:
        return (RunMark("blind", "blind", f"{_BLIND}.", count, count),)
    part = f"{count:,} of {whole:,}"
    return (RunMark("blind", f"{part} blind", f"{_BLIND} in {part} episodes.", count, whole),)


def edited_marks(
    edited: Mapping[str, str], whole: int, *, counted: bool = False
) -> tuple[RunMark, ...]:
    """Return the mark of walks in which a person changed something at a pause, by episode."""
    count = len(edited)
    if not count:
        return ()
    label = f"{count:,} of {whole:,} edited" if whole > 1 else "edited"
    named = [f"episode {key}, {steps}" for key, steps in edited.items()]
    more = f"; {count - _NAMED:,} more" if count > _NAMED else ""
    what = f"A person changed something in {count:,} of {plural(whole, 'walk')}"
    what += f" ({'; '.join(named[:_NAMED])}{more})"
    rest = "they are part of these means" if counted else "they are part of no mean"
    return (RunMark("edited", label, f"{what}; {rest}.", count, whole),)


def walk_marks(traces: Sequence[Trace]) -> tuple[RunMark, ...]:
    """Return the marks of walks that belong to no run, such as those of variants."""
    ended = sum(trace.end is not None for trace in traces)
    silent = sum(trace.unanswered is not None for trace in traces)
    blind = sum(is_blind(trace.header) for trace in traces)
    edited = {t.episode.id: steps for t in traces if (steps := edited_steps(t)) is not None}
    marks = part_marks(ended, len(traces)) + edited_marks(edited, len(traces), counted=True)
    return marks + counted_marks(len(traces), silent, blind)


def counted_marks(walked: int, unanswered: int, blind: int) -> tuple[RunMark, ...]:
    """Return the marks of walks of which only counts are known."""
    marks = _blind_marks(blind, walked)
    if not unanswered:
        return marks
    sentence = f"The service did not answer in {unanswered:,} of {plural(walked, 'walk')}."
    label = f"{unanswered:,} without an answer"
    return (RunMark("unanswered", label, sentence, unanswered, walked), *marks)


def _unanswered(scores: RunScore) -> tuple[RunMark, ...]:
    """Return the mark of a run in which the service did not answer some episodes."""
    service = scores.service
    if service is None:
        return ()
    count, whole = service.unanswered, len(scores)
    reasons = Counter(scores.unanswered.values()).most_common()
    why = ", ".join(f"{number} {reason}" for reason, number in reasons)
    sentence = f"The service did not answer in {count:,} of {plural(whole, 'episode')} ({why})"
    if service.n_with:
        sentence += f": SR {_rate(service.sr_with, service.n_with)} with them"
        sentence += f", {_rate(service.sr_without, service.n_without)} without"
    figures = {
        "SR_with": service.sr_with,
        "n_with": service.n_with,
        "SR_without": service.sr_without,
        "n_without": service.n_without,
    }
    label = f"{count:,} without an answer"
    return (RunMark("unanswered", label, f"{sentence}.", count, whole, figures),)


def _rate(rate: float | None, count: int) -> str:
    return f"– (n {count:,})" if rate is None else f"{100 * rate:.1f} % (n {count:,})"


def part_marks(walked: int, whole: int, errors: int = 0) -> tuple[RunMark, ...]:
    """Return the mark of a run of which some episodes were never begun, or ended in the middle."""
    # one walk that goes on is no run with a mean
    if walked >= whole or whole < 2:
        return ()
    label = f"{walked:,} of {whole:,} walked"
    over = "these means are over them"
    if errors:
        over = f"these means are over {walked - errors:,} of them, {errors:,} ended in an error"
    return (RunMark("partial", label, f"{label}; {over}.", walked, whole),)


def planned_episodes(folder: Path | None, run: str) -> int | None:
    """Return how many episodes a run was to walk, as its folder notes it."""
    if folder is None or not is_folder(folder):
        return None
    for name in _NOTED_IN:
        try:
            noted = read_json(folder / name)
        except InputError:
            continue
        # a folder may hold several runs, of which it notes one
        if isinstance(noted, dict) and noted.get("run") == run:
            count = noted.get(_COUNT)
            if isinstance(count, int) and count > 0:
                return count
    return None


def mark_records(marks: Sequence[RunMark], run: str) -> Iterator[dict[str, Any]]:
    """Yield marks as rows among the figures of a run; see `navviz.metrics.score.SCORE_COLUMNS`."""
    for mark in marks:
        figures = {"metric": mark.id, "value": mark.count, "n": mark.of, "unit": "count"}
        yield {"run": run} | figures | {"title": mark.sentence}
        for part in ("with", "without"):
            if (value := mark.figures.get(f"SR_{part}")) is not None:
                title = f"success rate {part} the episodes that the service did not answer"
                row: dict[str, Any] = {"run": run, "metric": f"SR_{part}", "value": value}
                yield row | {"n": mark.figures[f"n_{part}"], "unit": "fraction", "title": title}


def marks_document(marks: Sequence[RunMark]) -> list[dict[str, Any]]:
    """Return marks as JSON holds them."""
    return [asdict(mark) for mark in marks]
