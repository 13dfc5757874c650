"""Charts of runs: success by length, difficulty and sub-goals, cost against success, tokens against
steps, two runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from navviz.analysis.grouped import TableSpec, grouped_table
from navviz.analysis.measures import Cell, Measure, cell_of, measure
from navviz.analysis.significance import Inference
from navviz.analysis.walks import ScoredWalk, bands_of, grouping
from navviz.errors import InputError
from navviz.metrics.intervals import EXACT_BELOW, Interval
from navviz.views.figures.chart import Chart, ChartPoint, ChartSeries

_INTERVALS: Final = (
    f"Bars: 95 %, bootstrap over episodes; exact for rates of fewer than {EXACT_BELOW}"
)
_FEWEST: Final = 2
"""A mean of one episode has no interval and says little; its group is left out of a line."""


def chart_by(walks: Sequence[ScoredWalk], by: str, metric: str = "SR") -> Chart:
    """Chart one metric by groups, one series a run.

    Parameters
    ----------
    walks
        Of all runs.
    by
        Name of a grouping: ``length``, ``difficulty``, ``sub-goals`` ...
    metric
        Name of a measure.

    Raises
    ------
    InputError
        Where no walk is in a group.
    """
    shown, groups = measure(metric), grouping(by)
    spec = TableSpec((groups, grouping("run")), (shown,), totals=False, intervals=True)
    table = grouped_table(walks, spec)
    categories = [group.label for group in bands_of(walks, groups)]
    series = []
    for k, run in enumerate(_runs(walks)):
        points = []
        for (name, of), line in zip(table.rows, table.cells, strict=True):
            cell = line[0]
            if of == run and cell.value is not None:
                # by its place among all bands, so that one without a walk leaves a gap
                points.append(_point(float(categories.index(name)), cell, shown, run))
        # a run keeps its colour where another has no points
        series.append(ChartSeries(run, points, line=by not in _UNORDERED, colour=k))
    drawn = _with_points(series, shown)
    note = ". ".join([_INTERVALS, *table.notes]) + "." + _silent(series, shown)
    title = f"{shown.label} by {groups.label.lower()}"
    names = categories
    if by in _COUNTS:  # the axis says what is counted
        names = [name.partition(" ")[0] for name in categories]
    return Chart(title, groups.label, shown.label, drawn, names, note, y_most=_most(shown))


_COUNTS: Final = frozenset({"sub-goals", "sub-tasks"})
"""The axis says what is counted, so that its places need their numbers only."""
_UNORDERED: Final = frozenset(
    {"tag", "skill", "temporal", "navigator", "model", "format", "split", "dataset", "world"}
)


def _runs(walks: Sequence[ScoredWalk]) -> list[str]:
    return list(dict.fromkeys(walk.run for walk in walks))


def _most(shown: Measure) -> float | None:
    return 100.0 if shown.yes_no else None


def _scaled(value: float | None, shown: Measure) -> float | None:
    return None if value is None else value * shown.scale


def _point(x: float, cell: Cell, shown: Measure, label: str) -> ChartPoint:
    return ChartPoint(
        x,
        (cell.value or 0.0) * shown.scale,
        _scaled(cell.low, shown),
        _scaled(cell.high, shown),
        label=label,
        episodes=cell.episodes,
    )


def _with_points(series: Sequence[ChartSeries], shown: Measure) -> list[ChartSeries]:
    """Return the series that have points; raises `InputError` where none has."""
    drawn = [each for each in series if each.points]
    if not drawn:
        what = f"no run here has {shown.label}"
        raise InputError(what, "choose runs with it, or another chart")
    return drawn


def _silent(series: Sequence[ChartSeries], shown: Measure) -> str:
    """Name the runs that a chart lacks, as a sentence; empty where it lacks none."""
    names = [each.name for each in series if not each.points]
    return f" {shown.label} is not known of {', '.join(names)}." if names else ""


def cost_against_success(walks: Sequence[ScoredWalk]) -> Chart:
    """Chart what an episode costs against how often it succeeds: one point a run, intervals both
    ways.

    Raises `InputError` where no run has counted tokens of a model with a price.
    """
    rate, cost = measure("SR"), measure("cost_usd")
    series = []
    for k, run in enumerate(_runs(walks)):
        group = [walk for walk in walks if walk.run == run]
        success, spent = (cell_of(group, shown, {}, intervals=True) for shown in (rate, cost))
        points = []
        if spent.value is not None and success.value is not None:
            y = _point(spent.value, success, rate, run)
            points = [
                ChartPoint(y.x, y.y, y.low, y.high, spent.low, spent.high, run, success.episodes)
            ]
        series.append(ChartSeries(run, points, colour=k))
    drawn = _with_points(series, cost)
    note = (
        f"{_INTERVALS}. Cost at list price where the log does not state it.{_silent(series, cost)}"
    )
    return Chart(
        "Cost against success", "US dollars an episode", rate.label, drawn, note=note, y_most=100.0
    )


def tokens_against_steps(walks: Sequence[ScoredWalk]) -> Chart:
    """Chart the tokens of an episode against its steps: each episode, and the mean of each number
    of steps.

    Raises `InputError` where no run has counted tokens.
    """
    tokens, steps = measure("tokens"), measure("steps")
    behind, means = [], []
    for k, run in enumerate(_runs(walks)):
        group = [walk for walk in walks if walk.run == run]
        by_steps: dict[float, list[ScoredWalk]] = {}
        single = []
        for walk in group:
            x, y = steps.of(walk), tokens.of(walk)
            if x and y is not None:
                single.append(ChartPoint(x, y, label=walk.key))
                by_steps.setdefault(x, []).append(walk)
        behind.append(ChartSeries(run, single, faint=True, colour=k))
        points = []
        for count, same in sorted(by_steps.items()):
            if len(same) >= _FEWEST:
                points.append(_point(count, cell_of(same, tokens, {}, intervals=True), tokens, run))
        means.append(ChartSeries(run, points, line=True, colour=k))
    drawn = _with_points(behind, tokens)
    drawn += [each for each in means if each.points]
    note = (
        f"{_INTERVALS}; faint: single episodes. Steps of one episode alone have no"
        f" mean.{_silent(behind, tokens)}"
    )
    return Chart(
        "Tokens against steps",
        "Steps",
        "Tokens an episode",
        drawn,
        note=note,
    )


CHARTS: Final[Mapping[str, Callable[[Sequence[ScoredWalk]], Chart]]] = {
    "Success by length": lambda walks: chart_by(walks, "length"),
    "Success by difficulty": lambda walks: chart_by(walks, "difficulty"),
    "Success by number of sub-goals": lambda walks: chart_by(walks, "sub-goals"),
    "Cost against success": cost_against_success,
    "Tokens against steps": tokens_against_steps,
}
"""Charts that need nothing but runs, by name."""


def scatter_of_two(
    walks: Sequence[ScoredWalk],
    first: str,
    second: str,
    metric: str,
    names: Mapping[str, str] | None = None,
) -> Chart:
    """Chart one metric of two runs against each other, one point an episode that both walked.

    Parameters
    ----------
    walks
        Of both runs, and perhaps of others.
    first, second
        Names of the runs on the x and y axes.
    metric
        Name of a measure.
    names
        What the chart calls the runs, where it is not their names.
    """
    shown = measure(metric)
    values: dict[str, dict[str, float]] = {first: {}, second: {}}
    for walk in walks:
        value = shown.of(walk)
        if walk.run in values and value is not None:
            values[walk.run][walk.key] = value
    points = []
    above = below = 0
    for key, x in values[first].items():
        if key in values[second]:
            y = values[second][key]
            points.append(ChartPoint(x * shown.scale, y * shown.scale, label=key))
            above += y > x
            below += y < x
    series = _with_points([ChartSeries("episodes", points)], shown)
    equal = len(points) - above - below
    x_name, y_name = (_called(run, names) for run in (first, second))
    note = (
        f"{len(points)} episodes: higher in {y_name} {above}, in {x_name} {below}, equal {equal}."
    )
    x_label, y_label = f"{shown.label}, {x_name}", f"{shown.label}, {y_name}"
    return Chart(f"{shown.label} of two runs", x_label, y_label, series, note=note, diagonal=True)


def _called(run: str, names: Mapping[str, str] | None) -> str:
    return run if names is None else names[run]


def mean_chart(inference: Inference, metric: str, names: Mapping[str, str] | None = None) -> Chart:
    """Chart the means of one metric with their bootstrap intervals, one point a run."""
    shown, runs = measure(metric), list(inference.comparison.runs)
    series = []
    for k, run in enumerate(runs):
        span = inference.means[metric][run]
        ends = (
            []
            if span is None
            else [ChartPoint(float(k), *_ends(span, shown), label=run, episodes=span.episodes)]
        )
        series.append(ChartSeries(_called(run, names), ends, colour=k))
    note = f"Mean over {len(inference.comparison.episodes)} shared episodes. {_INTERVALS}."
    shown_names = [each.name for each in series]
    return Chart(f"{shown.label} of each run", "", shown.label, series, shown_names, note)


def difference_chart(
    inference: Inference, metric: str, names: Mapping[str, str] | None = None
) -> Chart:
    """Chart the paired differences of one metric from the baseline with their intervals."""
    shown = measure(metric)
    others = [run for run in inference.comparison.runs if run != inference.baseline]
    series = []
    for k, run in enumerate(others):
        difference = inference.difference(metric, run)
        points = []
        if difference is not None:
            ends = _ends(difference.interval, shown)
            points = [ChartPoint(float(k), *ends, label=run, episodes=difference.interval.episodes)]
        # the colour that the run has in the other charts
        colour = inference.comparison.runs.index(run)
        series.append(ChartSeries(_called(run, names), points, colour=colour))
    against = _called(inference.baseline, names)
    note = (
        f"Paired by episode, against {against}. Bars: 95 %, what the paired test does not refuse"
        " (McNemar's exact test for rates, else by permutation). Zero: no difference."
    )
    return Chart(
        f"{shown.label}: difference",
        "",
        f"{shown.label}, difference",
        series,
        [each.name for each in series],
        note,
        from_zero=False,
    )


def _ends(span: Interval, shown: Measure) -> tuple[float, float | None, float | None]:
    return span.mean * shown.scale, _scaled(span.low, shown), _scaled(span.high, shown)
