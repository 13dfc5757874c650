"""Figures of a run whose traces do not lie on this machine: from what its workers sent back."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.metrics.score import RunScore
from navviz.records import EndStatus
from navviz.runner.walk import Outcome

__all__ = ["score_of_outcomes"]


def score_of_outcomes(run: str, outcomes: Sequence[Outcome]) -> RunScore:
    """Return the scores that workers sent, for traces that do not lie on this machine."""
    rows = {outcome.episode: dict(outcome.scores or {}) for outcome in outcomes}
    errors = tuple(outcome.episode for outcome in outcomes if outcome.status == EndStatus.ERROR)
    names = dict.fromkeys(name for row in rows.values() for name in row)
    kept = [row for key, row in rows.items() if key not in set(errors)]
    columns = {name: [value for row in kept if (value := row.get(name)) is not None] for name in names}
    means = {name: sum(values) / len(values) if values else None for name, values in columns.items()}
    return RunScore(run, rows, means, {name: len(values) for name, values in columns.items()}, errors)
