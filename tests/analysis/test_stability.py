"""Stability of several walks: by hand."""

from __future__ import annotations

import pytest

from navviz.analysis.stability import is_sample_of, stability, stability_of_runs
from tests.grids import episode, trace

EAST = tuple(f"r0c{k}" for k in range(5))
NORTH = (*EAST[:3], "r1c2", "r2c2")


def walks(*paths):
    return [trace(episode(EAST), [path]) for path in paths]


def test_two_of_three_agree():
    agreement = stability(walks(EAST, EAST, NORTH))
    assert agreement.same_path == pytest.approx(1 / 3)
    assert agreement.same_end == pytest.approx(1 / 3)
    assert agreement.overlap == pytest.approx((1 + 2 / 6 + 2 / 6) / 3)
    assert agreement.links["r0c0", "r0c1"] == 3
    (junction,) = agreement.junctions
    assert (junction.node, junction.choices) == ("r0c2", (("r0c3", 2), ("r1c2", 1)))
    assert junction.bits == pytest.approx(0.9183, abs=1e-4)
    assert agreement.bits == junction.bits


def test_stopping_is_a_choice():
    (junction,) = stability(walks(EAST, EAST[:4])).junctions
    assert (junction.node, junction.bits) == ("r0c3", 1.0)
    assert dict(junction.choices) == {"r0c4": 1, "stop": 1}


def test_equal_walks_have_no_entropy():
    agreement = stability(walks(EAST, EAST))
    assert (agreement.same_path, agreement.overlap, agreement.bits) == (1.0, 1.0, 0.0)
    still = stability([trace(episode(EAST), []), trace(episode(EAST), [])])
    assert (still.overlap, still.bits) == (1.0, 0.0)
    with pytest.raises(ValueError, match="at least two"):
        stability(walks(EAST))


def test_runs_and_their_samples():
    (a, b) = walks(EAST, NORTH)
    assert list(stability_of_runs([{"e1": a, "e2": a}, {"e1": b}])) == ["e1"]
    assert is_sample_of("town/x-sample-2", "town/x")
    assert not is_sample_of("x-sample-two", "x")
    assert not is_sample_of("y-sample-2", "x")


def test_walks_of_the_same_id_and_different_data_sets_are_not_compared():
    (a, b) = walks(EAST, NORTH)
    far = trace(episode(EAST[1:]).model_copy(update={"dataset": "other"}), [EAST[1:]])
    agreement = stability_of_runs([{"e1": a}, {"e1": far}, {"e1": b}])
    assert agreement["e1"].walks == 2
    assert not stability_of_runs([{"e1": a}, {"e1": far}])
