"""Figures of a run whose traces do not lie on this machine: from what its workers sent back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from navviz.metrics.score import RunScore
from navviz.records import EndStatus
from navviz.runner.walk import Outcome


def score_of_outcomes(run: str, outcomes: Sequence[Outcome]) -> RunScore:
    """Return the scores that workers sent, for traces that do not lie on this machine."""
    rows = {outcome.episode: dict(outcome.scores or {}) for outcome in outcomes}
    errors = tuple(outcome.episode for outcome in outcomes if outcome.status == EndStatus.ERROR)
    kept = [row for key, row in rows.items() if key not in set(errors)]
    means: dict[str, float | None] = {}
    counts = {}
    for name in dict.fromkeys(chain.from_iterable(rows.values())):
        column = [row.get(name) for row in kept]
        values = [value for value in column if value is not None]
        means[name] = sum(values) / len(values) if values else None
        counts[name] = len(values)
    return RunScore(run, rows, means, counts, errors)
