"""The published runs beside each other, as a site shows them."""

from __future__ import annotations

from collections.abc import Mapping

from navviz.analysis.compare import compare_scores
from navviz.analysis.family import Difference
from navviz.analysis.significance import Inference, compare_to_baseline
from navviz.errors import InputError
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value
from navviz.metrics.score import RunScore
from navviz.records.plural import plural
from navviz.views.site.schema import ComparedFigure, Comparing

_METRICS = ("SR", "OSR", "SPL", "NE", "nDTW", "SDTW", "ISR_paper", "CSR", "SR_rec", "SPL_rec")
_OF_POSES = ("NE_rec", "SR_est", "SPL_est", "NE_est", "nDTW_dense")
"""Where walks go from pose to pose, these may be all figures that there are."""


def comparing(
    scores: Mapping[str, RunScore], *, near: bool = False
) -> tuple[Comparing | None, str]:
    """Compare runs with the first of them; returns what is shown, or why there is nothing.

    Both are empty for a single run. `near` shows lengths with centimetres.
    """
    if len(scores) < 2:
        return None, ""
    try:
        means = compare_scores(scores).means
        # the comparison refuses a metric that no run has
        named = [name for name in (*_METRICS, *_OF_POSES) if any(_values(means, name))]
        if not named:
            return None, "These runs have no figure that could be compared."
        inference = compare_to_baseline(scores, metrics=named)
    except InputError as error:
        return None, str(error)
    figures = []
    for metric, runs in inference.means.items():
        for run, interval in runs.items():
            if interval is not None:
                figures.append(_figure(inference, metric, run, interval, near=near))
    count = len(inference.comparison.episodes)
    note = (
        f"Means over the {plural(count, 'episode')} that all runs walked, with 95 % intervals; p of"
        f" paired tests; {inference.family_note}. The intervals go with the tests as they are"
        " before p is adjusted: one may leave out zero where the adjusted p is above 0.05."
    )
    return Comparing(baseline=inference.baseline, episodes=count, figures=figures, note=note), ""


def _values(means: Mapping[str, Mapping[str, float | None]], metric: str) -> list[bool]:
    return [value is not None for value in means.get(metric, {}).values()]


def _figure(
    inference: Inference, metric: str, run: str, interval: Interval, *, near: bool
) -> ComparedFigure:
    difference = inference.difference(metric, run)
    figure = ComparedFigure(
        metric=metric,
        run=run,
        text=format_value(metric, interval.mean, near=near),
        span=_span(metric, interval, near=near),
        n=interval.episodes,
    )
    if difference is None:
        return figure
    return figure.model_copy(update=_tested(difference, near=near))


def _tested(difference: Difference, *, near: bool) -> dict[str, str | int]:
    interval, metric = difference.interval, difference.metric
    sign = "+" if interval.mean > 0 else ""
    span = _span(metric, interval, near=near) or "no interval"
    # a difference of rates is no per cent of anything
    text = f"{sign}{format_value(metric, interval.mean, near=near)} ({span})".replace(
        " %", " points"
    )
    adjusted = difference.p_holm is not None
    value = difference.p if difference.p_holm is None else difference.p_holm
    p = ("< 0.001" if value < 0.001 else f"{value:.3f}") + ("" if adjusted else ", not adjusted")
    pairs = interval.episodes
    return {"difference": text, "pairs": pairs, "p": p, "test": difference.test}


def _span(metric: str, interval: Interval, *, near: bool) -> str:
    if interval.low is None or interval.high is None:
        return ""
    low, high = [format_value(metric, end, near=near) for end in (interval.low, interval.high)]
    return f"{low} to {high}"
