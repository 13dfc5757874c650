"""Scores of traces and runs: path metrics joined with those of the registered families.

An episode without sub-tasks has path metrics and those of each family
(`navviz.metrics.registry.families`); one with sub-tasks has LH-VLN's instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Final, Literal, Protocol

from navviz.metrics.free_walks import free_scores
from navviz.metrics.long_horizon import POOLED, group_scores, task_scores
from navviz.metrics.path import METRICS, Scores, score_path
from navviz.metrics.registry import all_metrics, families
from navviz.metrics.stages import Lengths, Success, outcomes, walk_stages
from navviz.metrics.walked import Ruler, ScoredPath, published_path, unknown_places, walked_graph
from navviz.records import Trace
from navviz.records.base import plural
from navviz.records.lazy_traces import outlines
from navviz.records.walker import edited_steps, is_unfinished, is_unwalked
from navviz.world.graph import Graph
from navviz.world.search import UNREACHED

Evaluation = Literal["published", "walked"]
SCORE_COLUMNS: Final = ("run", "metric", "value", "n", "unit", "title")
"""The fields of `RunScore.records`: rates as fractions, lengths in metres; n episodes each."""


def evaluated_path(
    trace: Trace, graph: Graph, evaluation: Evaluation = "published"
) -> tuple[str, ...]:
    """Return the path that counts: as the source's own scripts evaluate it, or as it was walked.

    They differ for GROKE's logs where the agent came back to an earlier waypoint
    (`published_path`). Where nobody can tell in which place the walk ended there is no path, so
    that nothing is scored.
    """
    if not trace.end_is_known:
        return ()
    waypoints = trace.waypoints
    if evaluation == "walked" or waypoints is None:
        return trace.path
    present = [node for node in waypoints if node is not None and node in graph]
    decisions = [step.decision for step in trace.steps if step.decision is not None]
    unreached = any(decision.reason == UNREACHED for decision in decisions)
    changes = sum(a != b for a, b in pairwise(present))
    # fewer places than changes of place: the agent came back to one of them
    if unreached or len(set(present)) < 1 + changes:
        return published_path(graph, waypoints)
    return trace.path


def score_trace(
    trace: Trace,
    graph: Graph,
    ruler: Ruler | None = None,
    evaluation: Evaluation = "published",
    success: Success = "distance",
    lengths: Lengths = "moves",
) -> Scores:
    """All metrics of a trace: path metrics, then LH-VLN's for sub-tasks, else those of each family.

    Parameters
    ----------
    trace, graph
        The walk and its world; poses that only the trace has are added.
    ruler
        May be shared between traces on one graph.
    evaluation
        See `evaluated_path`.
    success, lengths
        For episodes with sub-tasks, see `navviz.metrics.stages.outcomes`. NE, SR, OSR and SPL are
        then LH-VLN's.

    Returns
    -------
    By name; all of them ``None`` for a walk that ended before its first step
    (`navviz.records.walker.is_unwalked`), all but ``steps`` for one with places that the world
    lacks (`navviz.metrics.walked.unknown_places`).
    """
    if is_unwalked(trace):
        return {m.name: None for m in METRICS}
    if trace.is_free and not trace.episode.tasks:
        scores: Scores = {m.name: None for m in METRICS}
        scores |= free_scores(trace)
        scores["steps"] = float(len(trace.steps)) if trace.steps else None
        return scores
    # the known part alone would be scored as a walk that stopped early, which nobody saw
    if unknown_places(trace, graph):
        return {**{m.name: None for m in METRICS}, "steps": float(len(trace.steps))}
    walked = walked_graph(trace, graph)
    path = evaluated_path(trace, walked, evaluation)
    # a shared ruler lacks the poses that only this walk has
    measure = ruler if ruler is not None and walked is graph else Ruler(walked)
    scores = score_path(path, trace.episode, measure)
    scores["steps"] = float(len(trace.steps))
    if trace.episode.tasks:
        scores.update(task_scores(outcomes(walk_stages(trace, walked), success, lengths)))
    else:
        walk = ScoredPath(trace, graph, path, measure)
        for family in families():
            scores.update(family.score_walk(walk))
    return scores


def finished_only(trace: Trace, scores: Scores) -> Scores:
    """Return the scores of a walk as a result of its run: all but ``steps`` are missing where it
    was cut off.

    A walk that ended in the middle (`navviz.records.walker.is_unfinished`) is neither a success nor
    a failure; `score_trace` measures it as far as it went.
    """
    if not is_unfinished(trace):
        return scores
    return {**dict.fromkeys(scores), "steps": scores["steps"]}


def counted_only(trace: Trace, scores: Scores, *, edited: bool = False) -> Scores:
    """Return the scores of a walk as far as they are part of its run's means.

    Besides `finished_only`, a walk in which a person changed something is no result of its agent:
    it has no figure there, unless `edited` asks for it.
    """
    if trace.edits and not edited:
        return {**dict.fromkeys(scores), "steps": scores["steps"]}
    return finished_only(trace, scores)


def score_result(trace: Trace, graph: Graph) -> Scores:
    """Return the scores of an episode as its run's table has them; see `finished_only`."""
    return finished_only(trace, score_trace(trace, graph))


@dataclass(frozen=True)
class AuthorsMeans:
    """The means that the scripts of a system's authors would print, where they differ."""

    means: Mapping[str, float | None]
    """In metres or as fractions; ``None`` where no episode counts."""
    never_moved: tuple[str, ...]
    """Episodes that they treat apart."""
    counts: Mapping[str, int]
    """How many episodes are part of each mean."""
    rule: str
    """What they do with those episodes, for users."""


Figures = Mapping[str, Mapping[str, float]]
"""Metrics by episode."""


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """A figure that is not the published one."""

    episode: str
    metric: str
    published: float
    ours: float | None


def compare_figures(
    published: Figures, ours: Mapping[str, Mapping[str, float | None]], tolerance: float = 1e-3
) -> tuple[int, list[FigureDifference]]:
    """Count the common episodes, and list the figures that differ by more than `tolerance`.

    The tolerance is in the unit of the metric: metres or fractions.
    """
    common = [key for key in published if key in ours]
    differences = []
    for key in common:
        for name, value in published[key].items():
            figure = ours[key].get(name)
            if not (figure is not None and abs(value - figure) <= tolerance):
                differences.append(FigureDifference(key, name, value, figure))
    return len(common), differences


class HasTraces(Protocol):
    """What `score_run` needs of a run."""

    @property
    def name(self) -> str:
        """Name of the run."""
        ...

    @property
    def traces(self) -> Mapping[str, Trace]:
        """By episode id."""
        ...


@dataclass(frozen=True, slots=True)
class ServiceShare:
    """Success with and without the episodes that the service did not answer.

    Papers count such episodes as failures, so that both belong beside each other.
    """

    unanswered: int
    sr_with: float | None
    """As a paper counts: an episode without an answer counts as it stands, else as a failure."""
    n_with: int
    sr_without: float | None
    """Over the episodes that the model answered."""
    n_without: int


@dataclass(frozen=True, repr=False)
class RunScore:
    """The metrics of a run."""

    run: str
    rows: Mapping[str, Scores]
    """By episode id."""
    means: Scores
    """Over the episodes that have a value; ``None`` where none has.

    Episodes in `errors` are left out.
    """
    counts: Mapping[str, int]
    """How many episodes are part of each mean."""
    errors: tuple[str, ...] = ()
    """Ids of episodes that a technical error ended: they show nothing of the agent."""
    counted_errors: tuple[str, ...] = ()
    """Ids of a foreign log's episodes that an error ended; its own scripts count them."""
    origins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Data set and start node by episode id: different data sets may use the same ids."""
    unfinished: tuple[str, ...] = ()
    """Ids of our walks that still run, were killed or stopped, or met the end of the budget: they
    have no figure yet.
    """
    unanswered: Mapping[str, str] = field(default_factory=dict)
    """Why the service did not answer, by the ids of the episodes that this ended. Ours are among
    `errors`; those of foreign logs are part of the means, as published.
    """
    edited: Mapping[str, str] = field(default_factory=dict)
    """What a person changed, by the ids of such walks: they have no figure here, unless
    `with_edited`.
    """
    with_edited: bool = False
    """Whether their figures were asked for, and are part of the means."""

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        means = ", ".join(
            f"{name}={value:.4g}" for name, value in self.means.items() if value is not None
        )
        return f"RunScore({self.run!r}, {len(self)} episodes, {means})"

    @property
    def figures(self) -> dict[str, float]:
        """The means that there are: a metric without a value in any episode is left out."""
        return {name: value for name, value in self.means.items() if value is not None}

    @property
    def left_out(self) -> str:
        """Say which metrics have no value and why; empty where each has one."""
        names = [name for name, value in self.means.items() if value is None]
        if not names:
            return ""
        figures = self.figures
        why = "no episode has what they are measured with, as a goal or a reference path"
        if not figures:
            why = "no episode was walked to its end"
        elif any(name.endswith("_rec") for name in figures) and "TL" not in figures:
            why = (
                "these results are figures that an evaluator recorded (_rec), without the walks"
                " that they are measured on"
            )
        elif any(name.endswith(("_rec", "_est")) for name in figures):
            why = (
                "the walks go from position to position, off any graph, so that they are recorded"
                " (_rec), estimated (_est) or unknown"
            )
        return f"without a value: {', '.join(names)}; {why}"

    @property
    def walked(self) -> int:
        """Number of episodes that the means are over: those whose success is known, without errors.

        In a run where no episode has one, since none has a goal, it is the number of walks that are
        known.
        """
        for name in ("SR", "SR_rec", "TL"):
            if self.counts.get(name):
                return self.counts[name]
        return self.counts.get("TL", self._finished)

    @property
    def _finished(self) -> int:
        apart = {*self.errors, *self.unfinished, *(() if self.with_edited else self.edited)}
        return len(self.rows) - len(apart)

    def is_scored(self, episode: str) -> bool:
        """Whether an episode is part of the means."""
        if episode not in self.rows or episode in self.errors:
            return False
        row = self.rows[episode]
        if self.counts.get("SR"):
            return row.get("SR") is not None
        return not self.counts.get("SR_rec") or row.get("SR_rec") is not None

    def records(self, run: str) -> Iterator[dict[str, Any]]:
        """Yield by `SCORE_COLUMNS` how many episodes there are, then each metric with a figure.

        `run`: what the run is called in a table of several.
        """
        counts = {
            "episodes": (len(self), "Episodes"),
            "walked": (self.walked, "Episodes that the means are over"),
            "errors": (len(self.errors), "Ended in a technical error; no part of the means"),
            "counted_errors": (
                len(self.counted_errors),
                "Ended in an error; part of the means, as published",
            ),
        }
        for name, (count, title) in counts.items():
            figures = {"metric": name, "value": count, "n": len(self), "unit": "count"}
            yield {"run": run} | figures | {"title": title}
        for metric in all_metrics():
            value = self.means.get(metric.name)
            if value is not None:
                n = self.counts.get(metric.name, 0)
                figures = {"metric": metric.name, "value": value, "n": n, "unit": metric.unit}
                yield {"run": run} | figures | {"title": metric.title}

    @property
    def service(self) -> ServiceShare | None:
        """Success with and without episodes that the service left unanswered; ``None``: none."""
        if not self.unanswered:
            return None
        answered, silent = list[float](), list[float]()
        for key, row in self.rows.items():
            rate = row.get("SR")
            if key in self.unanswered:
                # one of ours that ended before its first step is nowhere near the goal
                if rate is not None or key in self.errors:
                    silent.append(rate or 0.0)
            elif rate is not None and key not in self.errors:
                answered.append(rate)
        if not answered and not any(row.get("SR") is not None for row in self.rows.values()):
            silent = []  # no episode has a goal
        every = answered + silent
        return ServiceShare(
            unanswered=len(self.unanswered),
            sr_with=sum(every) / len(every) if every else None,
            n_with=len(every),
            sr_without=sum(answered) / len(answered) if answered else None,
            n_without=len(answered),
        )

    def summary(self) -> str:
        """Say how many episodes the means are over, and name the rest: "11 walked, 1 error"."""
        text = f"{self.walked} walked"
        if self.errors:
            text += f", {plural(len(self.errors), 'error')}"
        silent = len(self.unanswered)
        if silent:
            ours = "of them " if self.errors else ""
            text += f", {silent} {ours}without an answer of the service"
        if self.unfinished:
            text += f", {len(self.unfinished)} not finished"
        if self.edited:
            text += f", {len(self.edited)} {'of them ' if self.with_edited else ''}edited by hand"
        missing = self._finished - self.walked
        if missing:
            text += f", {missing} without a figure"
        counted = len(self.counted_errors)
        if counted:
            text += f" ({counted} of them ended in an error and count as walked to there)"
        return text


def score_run(
    run: HasTraces,
    graph_of: Callable[[str], Graph] | Graph,
    evaluation: Evaluation = "published",
    success: Success = "distance",
    lengths: Lengths = "moves",
    *,
    edited: bool = False,
) -> RunScore:
    """Score all traces of a run; see `score_trace` for the rules.

    Every trace gets a row. Those that ended by ``error`` (a model that could not be asked, a crash)
    are named in `RunScore.errors` and are part of no mean. In logs of other projects they stay part
    of the means, since the published figures count them (74 of the 100 episodes of GROKE's grid
    row); `RunScore.counted_errors` names them. Walks of ours that ended in the middle are named in
    `RunScore.unfinished` and have no figure, nor have those that a person changed, unless `edited`
    asks for them. The means of a run whose episodes all have sub-tasks
    are LH-VLN's: ISR and TAR are pooled over sub-tasks. Where only some have them, what is pooled
    is so over those, and the means are over all.
    """
    traces = outlines(run.traces)
    rulers: dict[str, Ruler] = {}
    rows: dict[str, Scores] = {}
    for key, trace in traces.items():
        world = trace.episode.world
        # one ruler for each world: its searches serve all walks there
        if world not in rulers:
            rulers[world] = Ruler(graph_of if isinstance(graph_of, Graph) else graph_of(world))
        ruler = rulers[world]
        scores = score_trace(trace, ruler.graph, ruler, evaluation, success, lengths)
        rows[key] = counted_only(trace, scores, edited=edited)
    errors, counted = _errors(traces)
    failed = frozenset(errors)
    means, counts = mean_scores(rows, failed)
    # a run without traces has its columns all the same
    if not means:
        for metric in METRICS:
            means[metric.name], counts[metric.name] = None, 0
    finished = []
    for key, trace in traces.items():
        is_counted = edited or not trace.edits
        if is_counted and key not in failed and not is_unwalked(trace) and not is_unfinished(trace):
            finished.append(trace)
    staged = [trace for trace in finished if trace.episode.tasks]
    if staged:
        pooled = _pooled(staged, rulers, success, lengths)
        names = pooled if len(staged) == len(finished) else POOLED
        means.update((name, pooled[name]) for name in names)
    origins = {key: (trace.episode.dataset, trace.episode.start) for key, trace in traces.items()}
    unfinished = tuple(key for key, trace in traces.items() if is_unfinished(trace))
    silent = {key: trace.unanswered for key, trace in traces.items()}
    unanswered = {key: reason for key, reason in silent.items() if reason is not None}
    changes = {key: edited_steps(trace) for key, trace in traces.items()}
    changed = {key: steps for key, steps in changes.items() if steps is not None}
    return RunScore(
        run.name,
        rows,
        means,
        counts,
        errors,
        counted,
        origins,
        unfinished,
        unanswered,
        changed,
        edited,
    )


def _errors(traces: Mapping[str, Trace]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of episodes that ended in an error: of our runs, and of foreign logs."""
    own, foreign = [], []
    for key, trace in traces.items():
        if trace.end is None or trace.end.status != "error":
            continue
        if trace.header.source is None:
            own.append(key)
        else:
            foreign.append(key)
    return tuple(own), tuple(foreign)


def mean_scores(
    rows: Mapping[str, Scores], failed: Collection[str]
) -> tuple[Scores, dict[str, int]]:
    """Return each metric's mean over the episodes that have a value, and how many these are.

    What is counted over sub-tasks (`navviz.metrics.long_horizon.POOLED`) has a number of episodes,
    and no mean. `failed`: ids that are part of no mean; their metrics are named all the same.
    """
    names = dict.fromkeys(chain.from_iterable(rows.values()))
    walked = [row for key, row in rows.items() if key not in failed]
    means: Scores = {}
    counts: dict[str, int] = {}
    for name in names:
        column = [row.get(name) for row in walked]
        values = [value for value in column if value is not None]
        counts[name] = len(values)
        if name not in POOLED:
            means[name] = sum(values) / len(values) if values else None
    return means, counts


def _pooled(
    traces: Iterable[Trace], rulers: Mapping[str, Ruler], success: Success, lengths: Lengths
) -> Scores:
    """LH-VLN's figures of a whole run."""
    tasks = []
    for trace in traces:
        graph = walked_graph(trace, rulers[trace.episode.world].graph)
        tasks.append(outcomes(walk_stages(trace, graph), success, lengths))
    return group_scores(tasks)
