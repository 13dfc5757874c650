"""What one more metre, per cent or hundredth costs: GROKE's figure 7 (Shami et al. 2026).

Two runs on the same episodes, one that thinks more. Its extra tokens of thoughts an episode are
divided by what it gains in a metric, and GROKE prices them as output; beside it stands what the
calls cost as a whole at their own prices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from navviz.analysis.grouped import GroupedTable
from navviz.analysis.measures import Cell, Measure, measure
from navviz.analysis.walks import ScoredWalk
from navviz.errors import InputError
from navviz.llm.prices import LIST_PRICES, price_of

FIGURE_7: Final = "groke-figure-7"
"""Its name beside those of `navviz.analysis.presets`."""
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

    Parameters
    ----------
    dear
        Walks of the run that thinks more.
    cheap
        Walks of the other.

    Raises
    ------
    InputError
        Where they share no episode with counted thoughts, or `dear` does not think more.
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
