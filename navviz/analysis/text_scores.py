"""What text metrics say of instructions, beside whether one arrives by them (Shami et al. 2026).

Each instruction of a route is scored against the route's others (leave one out), and these scores
are correlated with a run's success: that of a follower without a model says what the text is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError
from navviz.metrics.intervals import bootstrap_interval
from navviz.metrics.text import PAIRED, POOLED, pooled_scores, text_scores
from navviz.runs.run import OpenRun

_RESAMPLES = 1000
_FEWEST_ROUTES = 10
"""With fewer, draws of whole routes say nothing of the spread."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """One instruction."""

    episode: str
    references: int
    """How many other instructions of its route there are."""
    scores: Mapping[str, float]
    success: float | None
    """Of the run's walk."""


@dataclass(frozen=True, slots=True)
class TextCorrelation:
    """How a text metric goes with success."""

    metric: str
    mean: float
    r: float | None
    """Pearson's r, here the point-biserial coefficient; ``None`` where nothing varies."""
    low: float | None
    """Lower end of the 95 % interval, drawn by whole routes."""
    high: float | None
    episodes: int
    routes: int


@dataclass(frozen=True)
class TextScores:
    """The scores of a run's instructions."""

    rows: tuple[TextRow, ...]
    correlations: tuple[TextCorrelation, ...]
    alone: int
    """Episodes whose route has no other instruction, which are left out."""
    missing: tuple[str, ...] = field(default=())
    """What cannot be computed here, a sentence each."""


def text_scores_of(run: OpenRun, *, coco: bool = False, seed: int = 0) -> TextScores:
    """Score the instructions of a run against the others of their routes.

    `run`: its episodes have to share routes, as R2R's do. Raises `InputError` where no route has
    two instructions; `MissingExtraError` without the extra ``text``.
    """
    routes: dict[tuple[str, ...], list[str]] = {}
    texts: dict[str, str] = {}
    for key in run.facts:
        episode = run.outline(key).episode
        texts[key] = episode.instruction
        route = (episode.world, episode.path_id or "", *episode.reference_path)
        routes.setdefault(route if len(route) > 2 else (key,), []).append(key)
    shared = [keys for keys in routes.values() if len(keys) > 1]
    if not shared:
        raise InputError(
            "no route has two instructions, so that none can be scored against another",
            "open a run over R2R, whose routes have three",
            file=run.name,
        )
    others = {}
    for keys in shared:
        for key in keys:
            others[key] = [texts[other] for other in keys if other != key]
    scores = {key: text_scores(texts[key], references) for key, references in others.items()}
    missing: list[str] = []
    if coco:
        pooled, missing = pooled_scores({key: texts[key] for key in others}, others)
        for key, figures in pooled.items():
            scores[key] |= figures
    rows = []
    for key, references in others.items():
        success = run.scores.rows[key].get("SR") if key in run.scores.rows else None
        rows.append(TextRow(key, len(references), scores[key], success))
    correlations = [
        _correlation(name, rows, shared, seed)
        for name in (*PAIRED, *POOLED)
        if any(name in row.scores for row in rows)
    ]
    return TextScores(tuple(rows), tuple(correlations), len(texts) - len(others), tuple(missing))


def _correlation(
    name: str, rows: Sequence[TextRow], routes: Sequence[Sequence[str]], seed: int
) -> TextCorrelation:
    by_key = {row.episode: row for row in rows if row.success is not None}
    groups = []
    for keys in routes:
        pairs = [(by_key[key].scores[name], by_key[key].success) for key in keys if key in by_key]
        if pairs:
            groups.append(np.array(pairs, dtype=float))
    mean = float(np.mean([row.scores[name] for row in rows]))
    interval = bootstrap_interval(
        lambda picks: _pearson(np.concatenate([groups[k] for k in picks])),
        len(groups),
        resamples=_RESAMPLES if len(groups) >= _FEWEST_ROUTES else 0,
        seed=seed,
    )
    r, low, high = interval.value, interval.low, interval.high
    return TextCorrelation(name, mean, r, low, high, sum(map(len, groups)), len(groups))


def _pearson(pairs: NDArray[np.float64]) -> float | None:
    if len(pairs) < 3 or np.ptp(pairs[:, 0]) == 0 or np.ptp(pairs[:, 1]) == 0:
        return None
    matrix = np.asarray(np.corrcoef(pairs[:, 0], pairs[:, 1]))
    return float(matrix[0, 1])
