"""What a table or a chart may show of a group of walks: metrics, and what the walks cost.

A measure has one number an episode; its figure for a group is the mean over the episodes that have
one. LH-VLN's figures are pooled over sub-tasks instead, as its code does, and the number of
episodes is a count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final, Literal

from navviz.analysis.walks import ScoredWalk
from navviz.errors import SettingsError
from navviz.metrics.intervals import mean_interval
from navviz.metrics.long_horizon import POOLED, group_scores
from navviz.metrics.registry import Metric, all_metrics
from navviz.metrics.score import RunScore
from navviz.metrics.stages import outcomes, walk_stages
from navviz.metrics.walked import walked_graph
from navviz.records import Trace
from navviz.systems.registry import published_of

Treatment = Literal["own", "authors"]
"""``authors``: as the scripts of the system's authors treat episodes that never moved."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One column: what is told of a group of walks, and how it is printed."""

    name: str
    label: str
    """Head of the column, with its unit: ``NE (m)``."""
    title: str
    """Spelled out."""
    of: Callable[[ScoredWalk], float | None]
    """The number of one episode."""
    digits: int = 1
    scale: float = 1.0
    """What the printed figure is multiplied by: 100 for per cent."""
    better: Literal["higher", "lower"] | None = None
    yes_no: bool = False
    prefix: str = ""
    near_digits: int | None = None
    """Digits where success is a matter of few metres; ``None`` where that changes nothing."""

    def where(self, *, near: bool) -> Measure:
        """Return the measure as it is printed of runs in houses, or of others."""
        if not near or self.near_digits is None:
            return self
        return replace(self, digits=self.near_digits)

    def text(self, value: float | None) -> str:
        """Return a figure as it is printed; a dash where it is missing."""
        return "–" if value is None else f"{self.prefix}{value * self.scale:,.{self.digits}f}"


@dataclass(frozen=True, slots=True)
class Cell:
    """The figure of one measure for one group."""

    value: float | None
    episodes: int
    """How many episodes it is made of."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    text: str = "–"
    of: frozenset[tuple[str, str]] = frozenset()
    """Id and start node of these episodes: figures are compared only over the same ones."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """A figure of a group that is no plain mean over its episodes."""

    value: float | None
    episodes: int
    """How many episodes it is made of."""


def _fact(name: str) -> Callable[[ScoredWalk], float | None]:
    def of(walk: ScoredWalk) -> float | None:
        value: float | None = getattr(walk.facts, name)
        return value

    return of


USAGE: Final[tuple[Measure, ...]] = (
    Measure("steps", "Steps", "decisions an episode", lambda w: w.scores.get("steps"), 2),
    # a dash, not 0, for navigators that ask no model
    Measure("calls", "Calls", "model calls an episode", lambda w: float(w.facts.calls) or None, 2),
    Measure(
        "tokens",
        "Tokens",
        "all tokens of all calls of an episode",
        _fact("tokens"),
        0,
        better="lower",
    ),
    Measure("prompt_tokens", "Prompt", "prompt tokens an episode", _fact("prompt_tokens"), 0),
    Measure(
        "thoughts_tokens",
        "Thoughts",
        "tokens of the thoughts an episode",
        _fact("thoughts_tokens"),
        0,
    ),
    Measure(
        "output_tokens", "Reply", "tokens of the replies an episode", _fact("output_tokens"), 0
    ),
    Measure(
        "cost_usd",
        "Cost ($)",
        "US dollars an episode; at list price where the log does not state it",
        _fact("cost_usd"),
        4,
        better="lower",
    ),
    Measure(
        "seconds",
        "Seconds",
        "seconds that the model took, an episode",
        _fact("seconds"),
        1,
        better="lower",
    ),
    Measure(
        "sub_goals",
        "Sub-goals",
        "sub-goals of the plan",
        lambda w: float(w.facts.sub_goals) or None,
        2,
    ),
    Measure(
        "words",
        "Words",
        "words of the instruction",
        lambda w: float(len(w.facts.instruction.split())),
        1,
    ),
)
"""What walks cost, and how long they are."""

_COUNT: Final = Measure("episodes", "Episodes", "number of episodes", lambda _walk: 1.0, 0)


def _of_metric(metric: Metric) -> Measure:
    def of(walk: ScoredWalk) -> float | None:
        return walk.scores.get(metric.name)

    per_cent = metric.per_cent is not None
    digits = 1 if per_cent or metric.unit in {"m", "count"} else 3
    unit = {"m": " (m)"}.get(metric.unit, " (%)" if per_cent else "")
    # GROKE's paper prints its own nDTW and SDTW under the plain names
    label = metric.name.replace("_groke", "") + unit
    return Measure(
        metric.name,
        label,
        metric.title,
        of,
        digits,
        100.0 if per_cent else 1.0,
        metric.better,
        metric.yes_no,
        near_digits=2 if metric.unit == "m" else None,
    )


def measures() -> dict[str, Measure]:
    """All measures by name: the registry's metrics, costs, and the number of episodes."""
    listed = [_COUNT, *(_of_metric(metric) for metric in all_metrics()), *USAGE]
    return {each.name: each for each in listed}


def measure(name: str) -> Measure:
    """Return a measure by its name; ``NAME%`` prints a fraction in per cent, ``NAME:2`` with two
    digits.

    Raises `SettingsError` for an unknown name, or digits that are no number from 0 to 6.
    """
    bare, _, digits = name.partition(":")
    per_cent = bare.endswith("%")
    shown = measures().get(bare.removesuffix("%"))
    if shown is None:
        raise SettingsError(f"There is no metric {bare!r}: choose among {', '.join(measures())}.")
    # what is printed in per cent anyway stays as it is
    if per_cent and shown.scale == 1.0:
        shown = replace(shown, scale=100.0, digits=1, label=f"{shown.label} (%)")
    if not digits:
        return shown
    if digits not in set("0123456"):
        raise SettingsError(f"{name!r} asks for {digits!r} digits: write a number from 0 to 6.")
    return replace(shown, digits=int(digits), near_digits=None)


def figures_of(walks: Sequence[ScoredWalk], treatment: Treatment = "own") -> Mapping[str, Pooled]:
    """Return the figures of a group that are no plain means over its episodes.

    LH-VLN's where all walks have sub-tasks, and where some have those that are counted over
    sub-tasks; those of GROKE's scripts where they are asked for and differ.
    """
    staged = [walk for walk in walks if walk.facts.sub_tasks]
    if staged:
        tasks = []
        for walk in staged:
            graph = walked_graph(walk.trace, walk.opened.graph_of(walk.trace.episode.world))
            tasks.append(outcomes(walk_stages(walk.trace, graph)))
        scores = group_scores(tasks)
        names = scores if len(staged) == len(walks) else POOLED
        return {name: Pooled(scores[name], len(tasks)) for name in names}
    still = [walk for walk in walks if walk.facts.never_moved]
    if treatment == "authors" and still:
        # by number, since walks of several runs may have one id
        rows = {str(k): dict(walk.scores) for k, walk in enumerate(walks)}
        published = published_of(still[0].trace.header.navigator)
        run, score = _Walked(_Traces(walks)), RunScore("", rows, {}, {})
        theirs = published.as_authors(run, score) if published is not None else None
        if theirs is not None:
            means = theirs.means.items()
            return {name: Pooled(value, theirs.counts[name]) for name, value in means}
    return {}


class _Traces(Mapping[str, Trace]):
    """The traces of walks by number, each read when it is asked for."""

    def __init__(self, walks: Sequence[ScoredWalk]) -> None:
        self._walks = walks

    def __getitem__(self, key: str) -> Trace:
        return self._walks[int(key)].trace

    def __iter__(self) -> Iterator[str]:
        return map(str, range(len(self._walks)))

    def __len__(self) -> int:
        return len(self._walks)


@dataclass(frozen=True)
class _Walked:
    traces: Mapping[str, Trace]
    name: str = ""


def cell_of(
    walks: Sequence[ScoredWalk],
    shown: Measure,
    figures: Mapping[str, Pooled],
    *,
    intervals: bool = False,
    seed: int = 0,
) -> Cell:
    """Compute one figure of a group."""
    # also by name: `episodes:2` is a copy of it
    if shown is _COUNT or shown.name == "episodes":
        return Cell(float(len(walks)), len(walks), text=shown.text(float(len(walks))))
    pairs = [(walk, value) for walk in walks if (value := shown.of(walk)) is not None]
    if shown.name in figures:
        pooled = figures[shown.name]
        return Cell(
            pooled.value, pooled.episodes, text=shown.text(pooled.value), of=_episodes(walks)
        )
    values = [value for _, value in pairs]
    if not values:
        return Cell(None, 0)
    span = mean_interval(values, yes_no=shown.yes_no, seed=seed) if intervals else None
    mean = fmean(values)
    low, high = (span.low, span.high) if span is not None else (None, None)
    return Cell(
        mean, len(values), low, high, shown.text(mean), _episodes(walk for walk, _ in pairs)
    )


def _episodes(walks: Iterable[ScoredWalk]) -> frozenset[tuple[str, str]]:
    # data sets use the same ids, so that the start node is part of the name
    return frozenset(
        (walk.key, walk.opened.scores.origins.get(walk.key, ("", ""))[1]) for walk in walks
    )
