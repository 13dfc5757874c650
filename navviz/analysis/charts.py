"""Charts of runs: success by length, difficulty and sub-goals, cost against success, tokens against
steps, two runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from navviz.analysis.grouped import GroupedTable, TableSpec, grouped_table
from navviz.analysis.measures import Cell, Measure, cell_of, measure
from navviz.analysis.significance import Inference
from navviz.analysis.walks import ScoredWalk, bands_of, grouping
from navviz.errors import InputError
from navviz.llm.prices import LIST_PRICES, price_of
from navviz.metrics.intervals import EXACT_BELOW, Interval
from navviz.views.figures.chart import Chart, ChartPoint, ChartSeries

_INTERVALS: Final = (
    f"Bars: 95 %, bootstrap over episodes; exact for rates of fewer than {EXACT_BELOW}"
)

_FEWEST: Final = 2
"""A mean of one episode has no interval and says little; its group is left out of a line."""


def chart_by(walks: Sequence[ScoredWalk], by: str, metric: str = "SR") -> Chart:
    """Chart one metric by groups, one series a run.

    Raises `InputError` where no walk is in a group.
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
    return Chart(
        title, groups.label, shown.label, drawn, names, note, y_most=100.0 if shown.yes_no else None
    )


_COUNTS: Final = frozenset({"sub-goals", "sub-tasks"})
"""The axis says what is counted, so that its places need their numbers only."""

_UNORDERED: Final = frozenset(
    {"tag", "skill", "temporal", "navigator", "model", "format", "split", "dataset", "world"}
)


def _runs(walks: Sequence[ScoredWalk]) -> list[str]:
    return list(dict.fromkeys(walk.run for walk in walks))


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
    """Chart one metric of two runs against each other, one point an episode that both walked."""
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


FIGURE_7: Final = "groke-figure-7"
"""Its name beside those of `navviz.analysis.grouped`."""

_SPENT: Final = "thoughts_tokens"

_UNITS: Final[tuple[tuple[str, float, str], ...]] = (
    ("NE", 1.0, "1 m less"),
    ("SR", 0.01, "1 % more"),
    ("OSR", 0.01, "1 % more"),
    ("nDTW_groke", 0.01, "0.01 more"),
)
"""Metric, size of one unit, and its words; GROKE's figure 7 has these four."""


@dataclass(frozen=True, slots=True)
class Marginal:
    """What one unit of gain costs."""

    metric: str
    unit: str
    gain: float | None
    """In units, positive where the dearer run is better."""
    tokens: float | None
    """Extra tokens of thoughts a unit; ``None`` without a gain."""
    cents_as_output: float | None
    """These tokens at the model's price of output, as GROKE prices them; US cents a unit."""
    cents: float | None
    """The calls' own extra cost, US cents a unit."""


def marginal_cost(extra: float, gain: float) -> float | None:
    """Return the extra effort for one unit of gain; ``None`` where nothing is gained."""
    return extra / gain if gain > 0 else None


def marginal_costs(dear: Sequence[ScoredWalk], cheap: Sequence[ScoredWalk]) -> tuple[Marginal, ...]:
    """Compare two runs on the episodes that both walked.

    Raises `InputError` where they share no episode with counted thoughts, or `dear` does not think
    more.
    """
    spent = measure(_SPENT).of
    others = {walk.key: walk for walk in cheap}
    shared = [(walk, others[walk.key]) for walk in dear if walk.key in others]
    pairs = [(a, b) for a, b in shared if spent(a) is not None and spent(b) is not None]
    if not pairs:
        raise InputError(
            "the two runs share no episode with counted thoughts",
            "give two runs with their logs of calls",
        )
    extra = _difference(pairs, _SPENT) or 0.0
    if extra <= 0:
        names = f"{pairs[0][0].run} spends no more tokens on thoughts than {pairs[0][1].run}"
        raise InputError(names, "name the run that spends more first")
    return tuple(_marginal(pairs, extra, *unit) for unit in _UNITS)


def _marginal(
    pairs: Sequence[tuple[ScoredWalk, ScoredWalk]],
    extra: float,
    metric: str,
    size: float,
    unit: str,
) -> Marginal:
    difference = _difference(pairs, metric)
    if difference is None:
        return Marginal(metric, unit, None, None, None, None)
    gain = (-difference if measure(metric).better == "lower" else difference) / size
    tokens = marginal_cost(extra, gain)
    price, spent = _output_usd(pairs), _difference(pairs, "cost_usd")
    cents = None if spent is None else marginal_cost(100 * spent, gain)
    return Marginal(
        metric,
        unit,
        gain,
        tokens,
        # from dollars a million tokens to cents a token: 100 / 1e6
        None if tokens is None or price is None else tokens * price / 1e4,
        cents,
    )


def _difference(pairs: Sequence[tuple[ScoredWalk, ScoredWalk]], name: str) -> float | None:
    """Mean of the dearer run minus that of the other, over the pairs that have both."""
    of = measure(name).of
    differences = []
    for dear, cheap in pairs:
        a, b = of(dear), of(cheap)
        if a is not None and b is not None:
            differences.append(a - b)
    return fmean(differences) if differences else None


def _output_usd(pairs: Sequence[tuple[ScoredWalk, ScoredWalk]]) -> float | None:
    """List price of a million tokens of output, of the dearer run's model."""
    models = (walk.facts.model for walk, _ in pairs if walk.facts.model)
    price = price_of(next(models, ""), LIST_PRICES)
    return None if price is None else price.output_usd


def marginal_table(dear: Sequence[ScoredWalk], cheap: Sequence[ScoredWalk]) -> GroupedTable:
    """Return `marginal_costs` as a table."""
    costs = marginal_costs(dear, cheap)
    # no walk has these figures by itself: they are made of two runs
    shown = (
        Measure("gain", "Gain", "gain in units", _no_walk, 1),
        Measure("tokens", "Tokens a unit", "extra tokens of thoughts a unit", _no_walk, 0),
        Measure(
            "cents_as_output",
            "Cents, as output",
            "these tokens at the price of output",
            _no_walk,
            2,
        ),
        Measure("cents", "Cents, as billed", "the calls' own extra cost", _no_walk, 2),
    )
    rows = []
    for cost in costs:
        values: Mapping[str, float | None] = {
            "gain": cost.gain,
            "tokens": cost.tokens,
            "cents_as_output": cost.cents_as_output,
            "cents": cost.cents,
        }
        cells = []
        for column in shown:
            value = values[column.name]
            cells.append(Cell(value, len(dear), text=column.text(value)))
        rows.append(tuple(cells))
    extra = fmean(_tokens(dear)) - fmean(_tokens(cheap))
    notes = (
        f"{dear[0].run} spends {extra:,.0f} tokens of thoughts an episode more than {cheap[0].run}",
        (
            "a dash: nothing is gained. GROKE's figure 7 divides the extra tokens of thoughts,"
            " priced as output"
        ),
    )
    labels = tuple((cost.metric.removesuffix("_groke"), cost.unit) for cost in costs)
    title = "GROKE, figure 7: what one more unit costs"
    return GroupedTable(("Metric", "Unit"), labels, ("",), shown, tuple(rows), notes, title)


def _tokens(walks: Sequence[ScoredWalk]) -> list[float]:
    return [value for walk in walks if (value := measure(_SPENT).of(walk)) is not None]


def _no_walk(_walk: ScoredWalk) -> float | None:
    return None
