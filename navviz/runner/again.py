"""Run the failures again: best of several runs, as Liu et al. 2025 (MSNav) report over five rounds.

What comes out is *best of N*, since only failures get another try: never compare it with a single
run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from navviz.metrics.long_horizon import POOLED
from navviz.metrics.score import RunScore

Scores = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Round:
    """The state after one more round over the failures."""

    number: int
    """From 1."""
    run: str
    """Name of the run that holds this round's walks."""
    walked: int
    """Failures that were walked again."""
    means: Scores
    """Over all episodes, each with its last walk: best of `number` + 1."""

    @property
    def best_of(self) -> int:
        """How many tries a failure has had."""
        return self.number + 1


def failures(rows: Mapping[str, Scores]) -> list[str]:
    """Ids of the episodes that ended outside their success radius; those need a goal."""
    return [key for key, row in rows.items() if row.get("SR") == 0.0]


def round_name(run: str, number: int) -> str:
    """Return the name of the run that holds the walks of a round."""
    return f"{run}-again-{number}"


def rerun_failures(
    first: RunScore, walk: Callable[[str, Sequence[str]], RunScore], rounds: int
) -> list[Round]:
    """Walk what failed again, up to `rounds` times.

    Parameters
    ----------
    first
        Scores of the run, by episode.
    walk
        Walks the episodes of these ids under a run's name and gives their scores.
    rounds
        Most rounds; it ends sooner where nothing failed.
    """
    rows = dict(first.rows)
    done: list[Round] = []
    for number in range(1, rounds + 1):
        failed = failures(rows)
        if not failed:
            break
        name = round_name(first.run, number)
        again = walk(name, failed)
        # a technical error says nothing about the walker, so the earlier walk stands
        rows |= {
            key: row for key, row in again.rows.items() if key in rows and key not in again.errors
        }
        done.append(Round(number, name, len(failed), _means(rows, first)))
    return done


def _means(rows: Mapping[str, Scores], first: RunScore) -> Scores:
    """Means over the episodes that ended without a technical error in the first run, or were mended
    since.
    """
    # by identity: the row of a later round is another object, so that the error is mended
    kept = [
        row for key, row in rows.items() if key not in first.errors or row is not first.rows[key]
    ]
    means: dict[str, float | None] = {}
    for name in first.means:
        if name in POOLED:
            continue
        column = [value for row in kept if (value := row.get(name)) is not None]
        means[name] = sum(column) / len(column) if column else None
    return means
