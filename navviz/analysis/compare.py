"""Compare the scores of runs on the episodes that all of them walked."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

from navviz.analysis.family import (
    Difference,
    differences_from,
    family_sentence,
    head_metrics,
    interval_of,
    paired_test,
)
from navviz.errors import InputError
from navviz.metrics.intervals import Interval, mean_interval
from navviz.metrics.long_horizon import POOLED
from navviz.metrics.registry import Metric, all_metrics, format_value
from navviz.metrics.score import RunScore
from navviz.records.base import plural

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """One metric of two runs, episode by episode."""

    metric: str
    first: str
    second: str
    """The mean is that of `second` minus that of `first`."""
    episodes: int
    """How many have a value in both runs."""
    mean: float | None
    """Mean difference in the metric's unit; ``None`` without such an episode."""
    better: int | None
    """Episodes in which `second` is better; ``None`` where neither direction is better in itself.
    """
    worse: int | None
    equal: int


@dataclass(frozen=True, repr=False)
class Comparison:
    """Means and paired differences of runs, on the episodes that they share."""

    runs: tuple[str, ...]
    episodes: tuple[str, ...]
    """Ids of the episodes that are part of every run's means, in the order of the first run."""
    means: Mapping[str, Mapping[str, float | None]]
    """By metric, then by run: over the shared episodes that have a value in that run."""
    differences: tuple[PairedDifference, ...]
    """Of every pair of runs, in order, by metric."""
    elsewhere: tuple[str, ...] = ()
    """Ids that all runs have, but of episodes of different data sets: they are left out."""
    unanswered: int = 0
    """Episodes that all have, but that the service did not answer in one run: they are left out."""
    notes: tuple[str, ...] = ()
    """How episodes of R2R and VLN-CE were paired, and how many could not be."""

    columns: Mapping[str, Mapping[str, tuple[float | None, ...]]] = field(default_factory=dict)
    """By metric, then by run: the values of `episodes`, in their order."""
    family: tuple[str, ...] = ()
    """Metrics of the head that any run has: p is adjusted over their tests."""

    def __repr__(self) -> str:
        return f"Comparison({', '.join(self.runs)}; {plural(len(self.episodes), 'shared episode')})"

    def table(self) -> pd.DataFrame:
        """Return one row a metric and run, indexed by both.

        Columns: mean, n, low and high (95 % interval); for each run but the first its difference
        from the first with interval, p (McNemar's exact test for rates, else a paired permutation
        test), p_holm (adjusted over the tests of the head's metrics, `family_note`; missing for
        others) and the name of the test. A metric without a value in any run has no row.
        """
        import pandas as pd

        rows: dict[tuple[str, str], dict[str, object]] = {}
        for metric, runs in self.columns.items():
            for run, values in runs.items():
                interval = interval_of(metric, values)
                if interval is not None:
                    rows[metric, run] = {
                        "mean": interval.mean,
                        "n": interval.episodes,
                        "low": interval.low,
                        "high": interval.high,
                    }
        for one in self._differences:
            rows[one.metric, one.run] |= {
                "difference": one.interval.mean,
                "difference_low": one.interval.low,
                "difference_high": one.interval.high,
                "p": one.p,
                "p_holm": one.p_holm,
                "test": one.test,
            }
        index = pd.MultiIndex.from_tuples(list(rows), names=["metric", "run"])
        table = pd.DataFrame(list(rows.values()), index=index).reindex(columns=list(_COLUMNS))
        table = table.astype(dict(_COLUMNS))
        table.attrs["note"] = self.family_note
        return table

    @property
    def family_note(self) -> str:
        """Over which tests p is adjusted."""
        return family_sentence(self._differences)

    def pairs(self) -> pd.DataFrame:
        """Return one row a metric and pair of runs: n, mean difference, interval, p, counts.

        p and p_holm are as in `table`: p_holm stands where `first` is the first run of all. A pair
        without an episode that has a value in both runs has no row.
        """
        import pandas as pd

        adjusted = {(one.metric, one.run): one.p_holm for one in self._differences}
        rows = []
        for difference in self.differences:
            if not difference.episodes:
                continue
            row = {name: getattr(difference, name) for name in PairedDifference.__slots__}
            columns = self.columns[difference.metric]
            tested = paired_test(
                difference.metric, columns[difference.first], columns[difference.second]
            )
            if tested is not None:
                interval, row["p"], row["test"] = tested
                row |= {"low": interval.low, "high": interval.high}
                if difference.first == self.runs[0]:
                    row["p_holm"] = adjusted[difference.metric, difference.second]
            rows.append(row)
        names = [*PairedDifference.__slots__, "low", "high", "p", "p_holm", "test"]
        # a table without any test has these columns, too
        table = pd.DataFrame(rows).reindex(columns=names)
        table.attrs["note"] = self.family_note
        # pandas' own types have room for what is missing
        kinds = dict(_COLUMNS) | dict.fromkeys(("episodes", "better", "worse", "equal"), "Int64")
        kinds |= dict.fromkeys(("metric", "first", "second"), "string")
        return table.astype({name: kinds[name] for name in names})

    @cached_property
    def _differences(self) -> tuple[Difference, ...]:
        return differences_from(self.runs[0], self.columns, self.columns, self.family)

    def _repr_html_(self) -> str:
        table = self.table().to_html(float_format="{:.3f}".format, na_rep="–")
        return f"{table}<p>{html.escape(self.family_note)}</p>"


_COLUMNS: Mapping[str, str] = {
    "mean": "Float64",
    "n": "Int64",
    "low": "Float64",
    "high": "Float64",
    "difference": "Float64",
    "difference_low": "Float64",
    "difference_high": "Float64",
    "p": "Float64",
    "p_holm": "Float64",
    "test": "string",
}
"""Columns of `Comparison.table` with their types, the same of all runs."""


def compare_scores(scores: Mapping[str, RunScore]) -> Comparison:
    """Compare runs by their scores.

    Parameters
    ----------
    scores
        By the name that the run shall have; two or more.

    Returns
    -------
    Comparison
        On the episodes that all runs hold (`same_episode`), without those that in one of them ended
        in a technical error or without an answer of the service, or have no success. Where a
        `RunScore` has no origins, the id alone counts.

    Raises
    ------
    InputError
        For fewer than two runs, or runs without a common episode.
    """
    if len(scores) < 2:
        raise InputError("a comparison needs at least two runs", "give another one")
    first = next(iter(scores.values()))
    shared, elsewhere = [], []
    walked = list(first.rows)
    for each in scores.values():
        walked = [key for key in walked if each.is_scored(key)]
    # foreign logs count such episodes in their means, but they say nothing of the agent
    silent = set[str]().union(*(score.unanswered for score in scores.values()))
    for key in (key for key in walked if key not in silent):
        # data sets number their episodes alike
        origins = [score.origins.get(key) for score in scores.values()]
        if _are_same(origins):
            shared.append(key)
        else:
            elsewhere.append(key)
    if elsewhere and not shared:
        raise InputError(
            f"the runs {', '.join(scores)} share ids, but of different data sets' episodes, which"
            " start elsewhere",
            "choose runs on the same data set",
        )
    if not shared:
        raise InputError(
            f"the runs {', '.join(scores)} share no episode that all of them walked",
            "choose runs on the same episodes",
        )
    means: dict[str, dict[str, float | None]] = {}
    columns: dict[tuple[str, str], list[float | None]] = {}
    # what is counted over sub-tasks has no mean over episodes; `ISR_paper` is ISR's
    for name in [metric.name for metric in all_metrics() if metric.name not in POOLED]:
        # a metric that only one run has is shown too
        if any(name in score.means for score in scores.values()):
            means[name] = {}
            for run, score in scores.items():
                columns[run, name] = [score.rows[key].get(name) for key in shared]
                means[name][run] = _mean(columns[run, name])
    differences = []
    for a, b in combinations(scores, 2):
        for name in means:
            difference = _difference(name, a, b, columns[a, name], columns[b, name])
            differences.append(difference)
    return Comparison(
        runs=tuple(scores),
        episodes=tuple(shared),
        means=means,
        differences=tuple(differences),
        elsewhere=tuple(elsewhere),
        unanswered=len(silent.intersection(walked)),
        columns=_by_metric(columns),
        family=head_metrics(means),
    )


def _by_metric(
    columns: Mapping[tuple[str, str], Sequence[float | None]],
) -> dict[str, dict[str, tuple[float | None, ...]]]:
    by_metric: dict[str, dict[str, tuple[float | None, ...]]] = {}
    for (run, metric), values in columns.items():
        by_metric.setdefault(metric, {})[run] = tuple(values)
    return by_metric


def same_episode(first: tuple[str, str], other: tuple[str, str]) -> bool:
    """Tell whether episodes of the same id, of which data set and start node are told, are the
    same.

    They are where one of both agrees: a data set may lie on two maps (Map2Seq on OSM and on
    panoramas), and copies of a file have other names, which become the data set's where a file
    names none.
    """
    return first[1] == other[1] or (bool(first[0]) and first[0].casefold() == other[0].casefold())


def _are_same(origins: Sequence[tuple[str, str] | None]) -> bool:
    # where no run tells an origin, the id alone counts
    first, *rest = [origin for origin in origins if origin is not None] or [("", "")]
    return all(same_episode(first, other) for other in rest)


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return fmean(present) if present else None


def _difference(
    name: str,
    first: str,
    second: str,
    before: Sequence[float | None],
    after: Sequence[float | None],
) -> PairedDifference:
    pairs = zip(before, after, strict=True)
    steps = [b - a for a, b in pairs if a is not None and b is not None]
    direction = next(metric.better for metric in all_metrics() if metric.name == name)
    sign = {"higher": 1, "lower": -1, None: 0}[direction]
    return PairedDifference(
        metric=name,
        first=first,
        second=second,
        episodes=len(steps),
        mean=fmean(steps) if steps else None,
        better=sum(sign * step > 0 for step in steps) if sign else None,
        worse=sum(sign * step < 0 for step in steps) if sign else None,
        equal=sum(step == 0 for step in steps),
    )


_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Headline:
    """One metric of a run."""

    metric: Metric
    interval: Interval
    near: bool = False
    """Whether centimetres may decide, so that lengths are shown with them."""

    @property
    def text(self) -> str:
        """The mean as people read it."""
        return self._shown(self.interval.mean)

    @property
    def span(self) -> str:
        """The interval as people read it; empty where there is none."""
        low, high = self.interval.low, self.interval.high
        if low is None or high is None:
            return ""
        return f"{self._shown(low)} to {self._shown(high)}"

    def _shown(self, value: float) -> str:
        return format_value(self.metric.name, value, near=self.near)


def headlines(
    score: RunScore, metrics: Sequence[str] | None = None, *, near: bool = False
) -> list[Headline]:
    """Return the means of a run with their intervals, of those metrics that have a value.

    Parameters
    ----------
    score
        Of the run; episodes that a technical error ended are part of no mean.
    metrics
        Names as in the registry; all, where not given.
    near
        See `navviz.metrics.registry.is_near_radius`.
    """
    left_out = frozenset(score.errors)
    rows = [row for key, row in score.rows.items() if key not in left_out]
    means = []
    for metric in all_metrics():
        if metrics is not None and metric.name not in metrics:
            continue
        column = [row.get(metric.name) for row in rows]
        values = [value for value in column if value is not None]
        mean = score.means.get(metric.name)
        if mean is None or not values:
            continue
        # LH-VLN's code counts some tasks in its means that have no value of their own
        is_mean = abs(mean - sum(values) / len(values)) <= _SAME * max(1.0, abs(mean))
        # counted over sub-tasks: an interval over episodes would be another figure's
        if metric.name in POOLED or not is_mean:
            means.append(Headline(metric, Interval(mean, None, None, len(values)), near))
        else:
            means.append(Headline(metric, mean_interval(values, yes_no=metric.yes_no), near))
    return means
