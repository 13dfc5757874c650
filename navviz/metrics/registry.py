"""What every metric is: name, unit, formula, source, for tables, tooltips and commands."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, Protocol

from navviz.errors import SettingsError
from navviz.metrics.walked import ScoredPath
from navviz.support.systems import MetricFamily, OfferedPart, offered, working

Unit = Literal["m", "fraction", "count", "ratio"]

_NEAR_RADIUS_M = 10.0
"""Indoors success ends at 3 m or less, outdoors at 25 m and more."""

_OWN_FAMILIES = (
    MetricFamily("navviz.metrics.path", 10),
    MetricFamily("navviz.metrics.reverie", 30),
    MetricFamily("navviz.metrics.goal_progress", 35),
    MetricFamily("navviz.metrics.long_horizon", 50),
    MetricFamily("navviz.metrics.free_walks", 60),
)
"""Metrics that belong to no system; `MetricFamily.order` puts them and the systems' in one row."""


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
    of_episode: bool = False
    """Describes the episode, not the walk: the same in every run, so runs are not tested on it."""
    per_cent: Literal["everywhere", "in tables"] | None = None
    """Where it is shown in per cent; tables of papers do so for more metrics than screens."""
    label: str = ""
    """On screens, where there is room for more than the name: ``Navigation error``."""
    help: str = ""
    """What it tells, for whoever reads no formulas; the title where nothing more is to be said."""
    task_help: str = ""
    """The same of a task of several parts, where it means something else there."""
    digits: int = 2
    """Decimals in the table of episodes."""
    ranged: bool = False
    """Whether the table of episodes is filtered by it, between numbers."""
    shown: Mapping[str, int] = field(default_factory=dict)
    """Where it stands unasked, of `PLACES`, and at which place in the row there."""

    @property
    def short(self) -> str:
        """The name as users know it: ``SPL``, and the label where the name is one of ours."""
        return self.label if "_" in self.name and self.label else self.name


WALKS = ("path", "task", "object", "house", "dialogue")
"""Kinds of runs by what they are judged by: the shape of one path, the parts of a task (LH-VLN), a
target object (REVERIE), a map of a house (MSNav), the place that a dialogue is about (NDH).
"""
PLACES = (
    *WALKS,
    "recorded",
    "estimated",
    "head path",
    "head task",
    "head object",
    "head dialogue",
    "head free",
    "first columns",
    "last columns",
    "compare",
    "compare free",
    "site",
)
"""Where metrics stand unasked: at the top of Explore by the kind of run (of free walks by whether
an evaluator recorded figures), in the head of the player, in the table of episodes, in comparisons,
on published sites.
"""


def shown_in(place: str) -> tuple[Metric, ...]:
    """Return the metrics that stand in one of `PLACES`, in the order there."""
    here = [metric for metric in all_metrics() if place in metric.shown]
    return tuple(sorted(here, key=lambda metric: metric.shown[place]))


class Family(Protocol):
    """A module of metrics that are measured one walk at a time."""

    METRICS: Sequence[Metric]

    def score_walk(self, walk: ScoredPath) -> Mapping[str, float | None]:
        """Measure one walk; empty where metrics do not apply, ``None`` for an unknown value."""
        ...


def all_metrics() -> tuple[Metric, ...]:
    """All metrics, in the order of tables."""
    listed: list[Metric] = []
    for family in _families(tuple(sys.path)):
        listed += family.METRICS
    return tuple(listed)


def families() -> tuple[Family, ...]:
    """Return what measures a walk beyond path metrics: REVERIE's, then those of the systems."""
    return tuple(one for one in _families(tuple(sys.path)) if hasattr(one, "score_walk"))


@cache
def _families(_path: tuple[str, ...]) -> tuple[Family, ...]:
    """Return all families in the order of tables, read once for each ``sys.path``."""
    own = {family.target: family for family in _OWN_FAMILIES}
    loaded: list[Family] = []
    for part, family in working(offered("metric_families", Family, own).values()):
        loaded.append(family if part.is_own else _ForeignFamily(part, family))
    return tuple(loaded)


class _ForeignFamily:
    """A family of another package: where it fails, its metrics are missing, with a note."""

    def __init__(self, part: OfferedPart, family: Family) -> None:
        self.METRICS: Sequence[Metric] = family.METRICS
        self._part, self._family = part, family
        system = part.system
        own = (system.name, *system.navigators, *system.wrappers)
        self._navigators: tuple[str, ...] = part.entry.navigators or own

    def score_walk(self, walk: ScoredPath) -> Mapping[str, float | None]:
        """Measure one walk, see `Family`; empty for a walk of another system."""
        # WRAPPER(NAME) is a walk of both
        names = {*re.split(r"[()]", walk.trace.header.navigator), walk.trace.header.navigator}
        if "*" not in self._navigators and not names.intersection(self._navigators):
            return {}
        with self._part.guarded(f"cannot measure episode {walk.trace.episode.id}"):
            return self._family.score_walk(walk)
        # unknown, not absent: its columns stay in the tables
        return {metric.name: None for metric in self.METRICS}


def metric(name: str) -> Metric:
    """Return the metric of this name; raises `SettingsError` for an unknown one."""
    for candidate in all_metrics():
        if candidate.name == name:
            return candidate
    names = ", ".join(m.name for m in all_metrics())
    raise SettingsError(f"there is no metric {name!r}; choose one of {names}.")


def is_near_radius(success_radius_m: float) -> bool:
    """Whether success is a matter of few metres, as indoors, where centimetres may decide."""
    return success_radius_m < _NEAR_RADIUS_M


def format_value(name: str, value: float | None, *, near: bool = False) -> str:
    """Return a value as people read it: rates in per cent, lengths in metres, or a dash.

    Lengths have decimetres, and centimetres where `near` (`is_near_radius`), as papers on houses
    print them.
    """
    if value is None:
        return "–"
    measure = metric(name)
    if measure.unit == "m":
        return f"{value:.2f} m" if near else f"{value:.1f} m"
    if measure.unit == "count":
        return f"{value:.1f}".removesuffix(".0")
    return f"{100 * value:.1f} %" if measure.per_cent == "everywhere" else f"{value:.3f}"


def format_of_episode(name: str, value: float | None, *, near: bool = False) -> str:
    """Return a value of one episode: as `format_value`, but yes-or-no figures as words.

    "100.0 %" would be the rate of a run.
    """
    if value is None or not metric(name).yes_no:
        return format_value(name, value, near=near)
    if name.partition("_")[0] == "SR":
        return "success" if value else "no success"
    return "yes" if value else "no"
