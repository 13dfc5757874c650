"""What every metric is: its name, unit, formula and source, in one place for tables, tooltips and the command line."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from navviz.errors import SettingsError

__all__ = ["Metric", "Unit", "all_metrics", "format_value", "metric"]

Unit = Literal["m", "fraction", "count", "ratio"]

_MODULES = (
    "navviz.metrics.path",
    "navviz.systems.msnav.map_efficiency",
    "navviz.metrics.reverie",
    "navviz.systems.skillnav.nuances",
    "navviz.metrics.long_horizon",
)
"""Each defines ``METRICS: tuple[Metric, ...]``; a new family of metrics adds its line."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One number about a trace."""

    name: str
    """Short, as in papers, column heads and JSON: ``SDTW_groke``."""
    title: str
    """Spelled out."""
    unit: Unit
    better: Literal["higher", "lower"] | None
    """``None`` where neither is better in itself."""
    formula: str
    source: str
    """Paper, with DOI or section."""
    yes_no: bool = False
    """0 or 1 for one episode: intervals may be exact, runs are compared by McNemar's test."""
    per_cent: Literal["everywhere", "in tables"] | None = None
    """Where it is told in per cent; papers' tables do so for more metrics than a screen of one episode."""


@cache
def all_metrics() -> tuple[Metric, ...]:
    """All metrics, in the order of tables."""
    listed: list[Metric] = []
    for name in _MODULES:
        metrics: Sequence[Metric] = importlib.import_module(name).METRICS
        listed.extend(metrics)
    return tuple(listed)


def metric(name: str) -> Metric:
    """Return the metric of this name; raises `SettingsError` for an unknown one."""
    for known in all_metrics():
        if known.name == name:
            return known
    raise SettingsError(f"there is no metric {name!r}; choose one of {', '.join(m.name for m in all_metrics())}.")


def format_value(name: str, value: float | None) -> str:
    """Return a value as people read it: rates in per cent, lengths in metres; a dash where it is missing."""
    if value is None:
        return "–"
    measure = metric(name)
    if measure.unit == "m":
        return f"{value:.1f} m"
    if measure.unit == "count":
        return f"{value:.1f}".removesuffix(".0")
    return f"{100 * value:.1f} %" if measure.per_cent == "everywhere" else f"{value:.3f}"
