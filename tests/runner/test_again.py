"""Failures walked again: best of N."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.metrics.score import RunScore
from navviz.runner.fork import failures, rerun_failures


def scores(run: str, rows: dict[str, float | None], errors: tuple[str, ...] = ()) -> RunScore:
    values = {key: {"SR": value} for key, value in rows.items()}
    known = [value for value in rows.values() if value is not None]
    return RunScore(
        run, values, {"SR": sum(known) / len(known) if known else None}, {"SR": len(known)}, errors
    )


def test_only_failures_are_walked_again():
    first = scores("r", {"a": 1.0, "b": 0.0, "c": 0.0, "d": None})
    requests: list[tuple[str, list[str]]] = []

    def walk(run: str, ids: Sequence[str]) -> RunScore:
        requests.append((run, list(ids)))
        return scores(run, {"b": 1.0} | ({"c": 0.0} if len(ids) > 1 else {}))

    first_round, second_round = rerun_failures(first, walk, 2)
    assert requests == [("r-again-1", ["b", "c"]), ("r-again-2", ["c"])]
    assert (first_round.best_of, first_round.walked, first_round.means["SR"]) == (2, 2, 2 / 3)
    assert (second_round.best_of, second_round.walked) == (3, 1)


def test_it_ends_where_nothing_failed():
    first = scores("r", {"a": 1.0, "b": 0.0})
    rounds = rerun_failures(first, lambda run, _: scores(run, {"b": 1.0}), 5)
    assert [r.means["SR"] for r in rounds] == [1.0]
    assert rerun_failures(scores("r", {"a": 1.0}), lambda run, _: scores(run, {}), 5) == []
    assert rerun_failures(first, lambda run, _: scores(run, {}), 0) == []


def test_a_technical_error_replaces_nothing():
    first = scores("r", {"a": 1.0, "b": 0.0})
    rounds = rerun_failures(first, lambda run, _: scores(run, {"b": 1.0}, errors=("b",)), 1)
    assert rounds[0].means["SR"] == 0.5
    assert failures(first.rows) == ["b"]
