"""Walk a batch with a progress bar, and print what came of it: ``navviz run``, also with
``--go-on``.
"""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from navviz.cli.output import FAILED, PARTIAL, STOPPED, Form, print_data, print_table_as
from navviz.records.base import plural
from navviz.support.notes import tell, warn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from navviz.records import Call, TraceHeader
    from navviz.runner import Outcome
    from navviz.runner.batch import Again
    from navviz.runner.batches import Batch
    from navviz.runner.missing_worlds import MissingWorlds
    from navviz.runner.plan import RunTally
    from navviz.runner.walking import BatchResult
    from navviz.runs.marks import RunMark


def prior_figures(batch: Batch) -> dict[str, Any]:
    """Return the data that the navigator has learned from, and on how many episodes it used their
    route lengths.
    """
    from navviz.systems.base import learned_from
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(batch.plan.navigator)
    settings = settings_from(navigator, batch.plan.settings)
    learned = learned_from(navigator)
    figures: dict[str, Any] = {} if learned is None else {"learned_from": learned}
    resolved = [settings.resolved(episode).get("length_prior") for episode in batch.episodes]
    # navigators without such a prior resolve nothing
    if resolved and resolved[0] is not None:
        figures["length_prior"] = {"used": resolved.count("on"), "episodes": len(resolved)}
    return figures


def prior_lines(batch: Batch, figures: Mapping[str, Any]) -> list[str]:
    """Return the same in words, with the command that walks the controls."""
    lines = []
    if "length_prior" in figures:
        used, episodes = figures["length_prior"]["used"], figures["length_prior"]["episodes"]
        setting = batch.plan.settings.get("length_prior", "auto")
        lines.append(
            f"length prior: used on {used} of {episodes} episodes (length_prior={setting})"
        )
    if "learned_from" in figures:
        plan = batch.plan
        words = ["navviz", "diagnose", "controls", "--navigator", plan.navigator]
        words += ["--episodes", plan.episodes or "FILE"]
        for graphs in plan.graphs:
            words += ["--graphs", graphs]
        lines.append(
            f"learned priors ({figures['learned_from']}): part of these figures survives without"
            f" reading; see {shlex.join(words)}"
        )
    return lines


_HEADLINES = ("SR", "SPL", "OSR", "NE")


class AgainChoice(StrEnum):
    """What is done about episodes that changed since a run walked them."""

    REFUSE = "refuse"
    CHANGED = "changed"


def walk_and_report(batch: Batch, *, pilot: int, again: Again, form: Form) -> None:
    """Walk a batch, print its figures, and end the command as it ended.

    Raises `typer.Exit` with `FAILED` where episodes ended in errors, with `PARTIAL` where budget or
    time ran out, with `STOPPED` where somebody stopped or paused it from outside.
    """
    from navviz.runner.walking import walk_batch

    cancel = threading.Event()
    with _Bars(batch.plan.navigator) as bars, _stopped_by_signal(cancel):
        walked = walk_batch(
            batch,
            pilot=pilot,
            again=again,
            cancel=cancel,
            on_run=bars.begin,
            on_outcome=bars.show,
            on_missing=_warn_of_missing,
        )
    from navviz.runner.batch import changes_sentence

    if walked.changed:
        count = plural(len({each.episode for each in walked.changed}), "episode")
        what = (
            f"{count} changed since this run walked them, and were walked again:"
            f" {changes_sentence(walked.changed)}"
        )
        kept = "their old traces are kept beside the new ones, with .before1 behind the name"
        warn([f"{what}; {kept}"])
    document = _document(walked)
    _print(form, document, walked)
    if walked.state.state in {"stopped", "paused"}:
        tell(f"{walked.state.state.capitalize()}; the same command goes on.", err=True)
        raise typer.Exit(STOPPED)
    if walked.state.state == "failed":
        tell(walked.state.reason or "The batch failed.", err=True)
        raise typer.Exit(FAILED)
    if walked.state.state == "budget":
        tell(f"{walked.state.reason or 'The budget is used up.'}", err=True)
        raise typer.Exit(PARTIAL)
    if document["errors"]:
        tell(f"{document['summary']}; the same command walks the rest.", err=True)
        raise typer.Exit(FAILED)


def _print(form: Form, document: dict[str, Any], walked: BatchResult) -> None:
    from navviz.metrics.registry import all_metrics, format_value
    from navviz.metrics.score import SCORE_COLUMNS
    from navviz.runs.marks import mark_records

    if form.is_data:
        name = document["run"]
        records = [*walked.scores[walked.batch.name].records(name)]
        records += mark_records(_marks(walked), name)
        # a batch is one document, and one line of it
        print_data(form, SCORE_COLUMNS, [document] if form is Form.JSONL else records, document)
        return
    if form is Form.TABLE:
        names = [metric.name for metric in all_metrics() if metric.name in document]
        ended = ", ".join(f"{count} {status}" for status, count in document["ended"].items())
        walks = f"{document['episodes']} episodes: {document['summary']} ({ended})"
        lines = [f"{walks} in {document['traces']}"]
        lines += [mark["sentence"] for mark in document["marks"]]
        if "missing" in document:
            lines.append(
                f"{document['missing']['episodes']} more were not walked: their scans are not there"
            )
        near = _is_near(walked)
        lines += [f"{name:<12} {format_value(name, document[name], near=near)}" for name in names]
        if "samples" in document:
            lines.append(_samples_line(document["samples"], near=near))
        for round_ in document.get("rounds", []):
            means = _headlines(round_, near=near)
            lines.append(
                f"best of {round_['best_of']} ({round_['walked']} failures walked again in"
                f" {round_['run']}): {means}"
            )
        if walked.state.estimate is not None:
            made = walked.state.estimate
            lines.append(
                f"the other {made.rest} walks will cost about {made.cost_words} and take"
                f" {made.seconds / 60:.0f} min, as {plural(made.pilot, 'episode')} did; the same"
                " command without --pilot walks them"
            )
        lines += prior_lines(walked.batch, document)
        tell(*lines)
        return
    counts = document["counts"]
    rows: list[tuple[str, ...]] = []
    for mark in _marks(walked):
        rows.append((mark.id, *mark.cells, mark.sentence))
    for metric in all_metrics():
        if metric.name in document:
            value = format_value(metric.name, document[metric.name], near=_is_near(walked))
            rows.append((metric.name, value, str(counts.get(metric.name, 0)), metric.title))
    # as `navviz score` writes it, so that both can be joined
    print_table_as(form, ("metric", document["run"], "n", "what it is"), rows)


def _warn_of_missing(missing: MissingWorlds) -> None:
    warn([missing.sentence])


@contextmanager
def _stopped_by_signal(cancel: threading.Event) -> Iterator[None]:
    """Take SIGTERM as a wish to stop, so that open walks end with a line that says so."""
    # Python takes handlers of signals in the main thread alone
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # by default SIGTERM ends a process at once, in the middle of a trace's line
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: cancel.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Bars:
    """A progress bar on stderr for each run of a batch, which also collects what went wrong."""

    def __init__(self, navigator: str) -> None:
        self._navigator = navigator
        self._bar: Any = None
        self._faults: dict[str, list[str]] = {}
        """Episodes by what went wrong in them."""

    def __enter__(self) -> _Bars:
        return self

    def begin(self, tally: RunTally) -> None:
        """Begin the next run."""
        from navviz.cli.output import Counting

        self._end()
        kind = {"first": "", "sample": f" of {tally.run}", "again": f" of {tally.run}"}[tally.kind]
        self._bar = Counting(f"{self._navigator}, {tally.total} episodes{kind}", tally.total)
        # by hand: bars follow each other while the block that holds them goes on
        self._bar.__enter__()

    def show(self, _tally: RunTally, outcome: Outcome) -> None:
        """Take the next outcome."""
        # its graph is damaged
        lost = outcome.status == "unknown" and outcome.scores is None and not outcome.skipped
        if lost or outcome.status in {"error", "budget"}:
            self._faults.setdefault(outcome.reason or outcome.status, []).append(outcome.episode)
        self._bar.advance()

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
        reasons = list(self._faults.items())
        warn(f"{_episode_names(episodes)}: {reason}" for reason, episodes in reasons[:5])
        if len(reasons) > 5:
            count = sum(len(episodes) for _, episodes in reasons[5:])
            warn([f"and {plural(count, 'more episode')} that did not end well"])
        # each run of the batch names its own faults
        self._faults.clear()

    def __exit__(self, *_error: object) -> None:
        self._end()


def _episode_names(episodes: Sequence[str]) -> str:
    """Name the first episodes and count the rest: what they share is said once."""
    if len(episodes) == 1:
        return f"episode {episodes[0]}"
    rest = f" and {len(episodes) - 3} more" if len(episodes) > 3 else ""
    return f"episodes {', '.join(episodes[:3])}{rest}"


def _document(walked: BatchResult) -> dict[str, Any]:
    """Return the figures of the first tries, as ``score`` gives them, and beside them those of
    samples and rounds.
    """
    from navviz.runs.marks import marks_document

    batch, name = walked.batch, walked.batch.name
    score, outcomes = walked.scores[name], walked.outcomes[name]
    ended: dict[str, int] = {}
    for outcome in outcomes:
        ended[outcome.status] = ended.get(outcome.status, 0) + 1
    return {
        "episodes": len(score),
        "run": name if walked.run is None else walked.run.name,
        "method": None,
        "walked": score.walked,
        "errors": len(score.errors),
        "counted_errors": len(score.counted_errors),
        "left_out": score.left_out,
        "summary": score.summary(),
        "marks": marks_document(_marks(walked)),
        **score.figures,
        "counts": {name: score.counts[name] for name in score.figures},
        "problems": _problems(walked),
        "ended": ended,
        **_costs(walked),
        **prior_figures(batch),
        **_missing(walked.missing),
        **(
            {"changed": sorted({each.episode for each in walked.changed})} if walked.changed else {}
        ),
        "traces": str(batch.folder) if "://" not in batch.plan.out else f"{batch.plan.out}/{name}",
        **_samples(walked),
        **_rounds(walked),
        **(
            {"estimate": walked.state.estimate.model_dump()}
            if walked.state.estimate is not None
            else {}
        ),
    }


def _marks(walked: BatchResult) -> tuple[RunMark, ...]:
    """Return the marks of the first tries."""
    from navviz.runs.marks import run_marks

    first = None if walked.run is None else next(iter(walked.run.outlines.values()), None)
    score = walked.scores[walked.batch.name]
    header = None if first is None else first.header

    def headers() -> list[TraceHeader]:
        return [] if walked.run is None else [each.header for each in walked.run.outlines.values()]

    return run_marks(score, header, walked.batch.plan.episode_count, headers)


def _missing(missing: MissingWorlds) -> dict[str, Any]:
    """Return how many episodes were not walked for want of their graphs, and which these are."""
    if not missing.episodes:
        return {}
    return {"missing": {"episodes": len(missing.ids), "worlds": sorted(missing.episodes)}}


def _rounds(walked: BatchResult) -> dict[str, Any]:
    """Return the rounds over the failures, where they were asked for."""
    if not walked.batch.plan.rerun_failures:
        return {}
    rounds = []
    for each in walked.rounds:
        head = {"best_of": each.best_of, "run": each.run, "walked": each.walked}
        rounds.append(head | dict(each.means))
    return {"rounds": rounds}


def _problems(walked: BatchResult) -> int:
    if walked.run is None or walked.graph_of is None:
        return 0
    # each graph once, however many episodes lie on it
    maps = {trace.episode.world for trace in walked.run.outlines.values()}
    return walked.run.problems.count + sum(
        walked.graph_of(world).info.problems.count for world in maps
    )


def _costs(walked: BatchResult) -> dict[str, Any]:
    """Return calls and cost of the first tries; no cost where that of one call is unknown."""
    if walked.run is not None:
        calls: list[Call] = []
        for trace in walked.run.outlines.values():
            calls += trace.calls
        costs = [call.cost_usd for call in calls if call.cost_usd is not None]
        complete = len(costs) == len(calls)
        return {"calls": len(calls), "cost_usd": sum(costs) if complete else None}
    outcomes = walked.outcomes[walked.batch.name]
    unpriced = any(outcome.unpriced for outcome in outcomes)
    return {
        "calls": sum(outcome.calls for outcome in outcomes),
        "cost_usd": None if unpriced else sum(outcome.cost_usd for outcome in outcomes),
    }


def _samples(walked: BatchResult) -> dict[str, Any]:
    """Return means over the samples, each of all its episodes; first tries are no part."""
    batch = walked.batch
    scores = [walked.scores[run] for run in batch.runs() if run in walked.scores]
    if batch.plan.samples < 2 or len(scores) < 2:
        return {}
    means, deviations = {}, {}
    for name in scores[0].means:
        column = [score.means.get(name) for score in scores]
        values = [value for value in column if value is not None]
        # a metric that one sample lacks has no mean over the samples
        if len(values) == len(scores):
            mean = sum(values) / len(values)
            squares = sum((value - mean) ** 2 for value in values)
            means[name] = mean
            deviations[name] = (squares / (len(values) - 1)) ** 0.5
    runs = batch.runs()[: len(scores)]
    return {"samples": {"count": len(scores), "runs": runs, "mean": means, "sd": deviations}}


def _is_near(walked: BatchResult) -> bool:
    """Whether lengths are printed with centimetres; the first episode decides."""
    from navviz.metrics.registry import is_near_radius

    first = None if walked.run is None else next(iter(walked.run.outlines.values()), None)
    return first is not None and is_near_radius(first.episode.success_radius_m)


def _headlines(means: dict[str, Any], *, near: bool) -> str:
    from navviz.metrics.registry import format_value

    figures = []
    for name in _HEADLINES:
        if name in means:
            figures.append(f"{name} {format_value(name, means[name], near=near)}")
    return ", ".join(figures)


def _samples_line(samples: dict[str, Any], *, near: bool) -> str:
    from navviz.metrics.registry import format_value

    figures = []
    for name in _HEADLINES:
        if name in samples["mean"]:
            mean = format_value(name, samples["mean"][name], near=near)
            deviation = format_value(name, samples["sd"][name], near=near)
            figures.append(f"{name} {mean} (sd {deviation})")
    first, last = samples["runs"][0], samples["runs"][-1]
    return f"mean of {samples['count']} samples ({first} to {last}): {', '.join(figures)}"
