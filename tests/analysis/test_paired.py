"""An edit on the same episodes: flips, rates and a test, by hand."""

from __future__ import annotations

import pytest

from navviz.analysis.significance import paired_result


def test_pairs_by_hand() -> None:
    before = {"a": 0.0, "b": 0.0, "c": 1.0, "d": 1.0, "e": None, "g": 0.0}
    after = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 1.0, "e": 1.0, "f": 1.0, "g": 1.0}
    pairs = paired_result(before, after, ["a", "b", "c", "d", "e", "f", "g"])
    assert pairs is not None
    assert (pairs.gained, pairs.lost, pairs.unpaired) == (("a", "b", "g"), ("c",), ("e", "f"))
    assert pairs.n == 5
    assert (pairs.before.mean, pairs.after.mean) == (0.4, 0.8)
    assert pairs.change.mean == pytest.approx(0.4)
    # three of four flips one way: 2 * (4 + 1) / 16
    assert pairs.p == pytest.approx(0.625)


def test_without_a_pair_there_is_no_result() -> None:
    assert paired_result({"a": None}, {"a": 1.0}, ["a"]) is None
    assert paired_result({}, {}, []) is None


def test_nothing_flips() -> None:
    pairs = paired_result({"a": 1.0}, {"a": 1.0}, ["a"])
    assert pairs is not None
    assert (pairs.gained, pairs.lost, pairs.p) == ((), (), 1.0)
    assert pairs.change.low is None
    three = paired_result(dict.fromkeys("abc", 1.0), dict.fromkeys("abc", 1.0), "abc")
    assert three is not None
    assert (three.change.low, three.change.high) == pytest.approx((-0.7076, 0.7076), abs=1e-4)
