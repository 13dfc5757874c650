"""Objects of instructions: F1 and NDCG by hand."""

import math

import pytest

from navviz.systems.msnav.object_lists import (
    ObjectLists,
    ObjectScore,
    mean_objects,
    ndcg,
    overlap,
    score_objects,
)

TRUE = ObjectLists(("door", "sofa"), ("rug",))


def test_overlap_by_hand():
    assert overlap(["a", "b", "b"], ["b", "c", "d"]) == (
        0.5,
        pytest.approx(1 / 3),
        pytest.approx(0.4),
    )
    assert overlap([], []) == (0, 0, 0), "both empty gives 0, not 1"
    assert overlap(["a"], []) == (0, 0, 0)
    assert overlap(["Sofa"], ["sofa"])[2] == 0, "exact texts"


def test_a_perfect_reading_scores_one():
    score = score_objects(TRUE, TRUE)
    assert (score.f1_direct, score.f1_potential, score.f1, score.ndcg) == pytest.approx(
        (1, 1, 1, 1)
    )
    assert score.weighted == pytest.approx(1)


def test_ndcg_by_hand():
    ideal = 2 + 2 / math.log2(3) + 1 / math.log2(4)
    gain = ndcg(ObjectLists(("lamp", "door"), ("rug",)), TRUE)
    assert gain == pytest.approx((2 / math.log2(3) + 1 / math.log2(4)) / ideal)


def test_a_name_predicted_twice_keeps_its_rank():
    """``sofa`` stands among the potential objects too: it counts once, but ``rug`` stays at rank
    2.
    """
    ideal = 2 + 2 / math.log2(3) + 1 / math.log2(4)
    gain = ndcg(ObjectLists(("sofa",), ("sofa", "rug")), TRUE)
    assert gain == pytest.approx((2 + 1 / math.log2(4)) / ideal)


def test_the_order_is_the_models():
    first = ndcg(ObjectLists(("door", "x", "y"), ()), TRUE)
    last = ndcg(ObjectLists(("x", "y", "door"), ()), TRUE)
    assert first > last > 0


def test_edges():
    assert score_objects(None, TRUE) == ObjectScore(0, 0, 0, 0)
    assert score_objects(ObjectLists(), ObjectLists()) == ObjectScore(0, 0, 0, 0)
    assert mean_objects([]) is None
    mean = mean_objects([ObjectScore(1, 0, 0.5, 1), ObjectScore(0, 1, 0.5, 0)])
    assert mean == ObjectScore(0.5, 0.5, 0.5, 0.5)
    assert mean.weighted == pytest.approx(0.5)
