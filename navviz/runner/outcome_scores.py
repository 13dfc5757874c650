"""Figures of a run whose traces do not lie on this machine: from what its workers sent back."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.metrics.score import RunScore, mean_scores
from navviz.records import EndStatus
from navviz.runner.walk import Outcome


def score_of_outcomes(run: str, outcomes: Sequence[Outcome]) -> RunScore:
    """Return the scores that workers sent, for traces that do not lie on this machine."""
    rows = {outcome.episode: dict(outcome.scores or {}) for outcome in outcomes}
    errors = tuple(outcome.episode for outcome in outcomes if outcome.status == EndStatus.ERROR)
    means, counts = mean_scores(rows, frozenset(errors))
    return RunScore(run, rows, means, counts, errors)
