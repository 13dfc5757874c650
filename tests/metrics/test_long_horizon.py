"""Worked values of the LH-VLN metrics and their edge cases."""

import math

import pytest

from navviz.metrics.long_horizon import (
    SubtaskOutcome,
    cgt,
    cgt_terms,
    contest_score,
    csr,
    csr_terms,
    group_scores,
    tar,
    tar_term,
    task_scores,
)

DONE, FAILED = True, False


@pytest.mark.parametrize(
    ("successes", "reference", "conditional", "weighted"),
    [
        ([1, 0], [10, 20], 0.5, 1 / 3),
        ([0, 1], [10, 20], 0.25, 1 / 3),
        ([1, 1], [10, 20], 1.0, 1.0),
        ([0, 1, 1], [10, 20, 30], 4 / 9, 11 / 18),
        ([1, 1, 0], [10, 20, 30], 2 / 3, 0.5),
        ([1, 0, 1, 1], [10, 20, 30, 40], 0.5625, 0.575),
        ([1], [10], 1.0, 1.0),
        ([0], [10], 0.0, 0.0),
    ],
)
def test_csr_and_cgt_of_one_task(successes, reference, conditional, weighted):
    done = [bool(value) for value in successes]
    assert csr(done) == pytest.approx(conditional)
    assert cgt(done, reference) == pytest.approx(weighted)


def test_terms_say_why_cgt_is_a_third():
    assert csr_terms([True, False]) == pytest.approx((0.5, 0.0))
    assert cgt_terms([True, False], [10, 20]) == pytest.approx((1 / 3, 0.0))
    assert cgt_terms([False, True], [10, 20]) == pytest.approx((0.0, 1 / 3))


def _task(
    successes: list[int], reference: list[float], walked: list[float]
) -> list[SubtaskOutcome]:
    return [
        SubtaskOutcome(bool(s), g, p, error_m=0.5, begin_m=4.0, oracle=True)
        for s, g, p in zip(successes, reference, walked, strict=True)
    ]


def test_two_tasks_with_different_outcomes():
    first, second = (
        _task([1, 1, 1], [5, 5, 5], [7, 8, 7.5]),
        _task([1, 0, 1], [5, 10, 5], [5, 10, 5]),
    )
    scores = group_scores([first, second])
    assert scores["SR"] == pytest.approx(0.5)
    assert scores["SPL"] == pytest.approx(1 / 3)  # G / P of the first is 15 / 22.5
    assert scores["ISR"] == pytest.approx(5 / 6)
    assert scores["ISR_paper"] == pytest.approx(5 / 6)
    assert scores["CSR"] == pytest.approx(0.7222, abs=5e-5)
    assert scores["CGT"] == pytest.approx(0.6667, abs=5e-5)


def test_isr_pools_where_the_paper_takes_the_mean_of_shares():
    scores = group_scores(
        [_task([1, 1], [5, 5], [5, 5]), _task([1, 0, 0, 0], [5, 5, 5, 5], [5, 5, 5, 5])]
    )
    assert scores["ISR"] == pytest.approx(3 / 6)
    assert scores["ISR_paper"] == pytest.approx((1 + 0.25) / 2)


def test_tar_and_contest_score():
    outcomes = [
        SubtaskOutcome(DONE, error_m=0.5, begin_m=4.0),
        SubtaskOutcome(FAILED, error_m=3.0, begin_m=2.0),
    ]
    assert tar(outcomes) == pytest.approx(2 / 3)
    assert contest_score({"TAR": 0.5, "ISR": 0.25, "CSR": 0.5, "CGT": 1.0}) == pytest.approx(0.55)
    assert contest_score({"TAR": 0.5, "ISR": 0.25, "CSR": 0.5, "CGT": None}) is None


@pytest.mark.parametrize(("error_m", "begin_m", "value"), [
    (0.0, 0.0, 1.0), (2.0, 0.0, 0.0), (math.inf, 4.0, 0.0), (math.inf, math.inf, 0.0),
    (0.9, 5.0, 1.0), (5.0, 5.0, 0.2),
])  # fmt: skip
def test_tar_at_its_edges(error_m, begin_m, value):
    assert tar_term(error_m, begin_m) == pytest.approx(value)


def test_what_is_missing_is_not_zero():
    assert tar_term(None, 3.0) is None
    assert cgt([True, False], [10, None]) is None
    assert cgt([True, False], [0, 0]) is None
    scores = task_scores([SubtaskOutcome(DONE, oracle=True), SubtaskOutcome(None)])
    assert scores["SR"] is None
    assert scores["CSR"] is None
    assert scores["SPL"] is None
    assert scores["TAR"] is None
    assert scores["contest"] is None


def test_a_cut_task_counts_its_rest_as_failed_but_without_error():
    outcomes = [
        SubtaskOutcome(DONE, 10, 12, error_m=0.4, begin_m=6.0, oracle=True),
        SubtaskOutcome(FAILED, 20, 30, error_m=5.0, begin_m=8.0, oracle=True),
        SubtaskOutcome(FAILED, 30, oracle=False, ended=False),
    ]
    scores = task_scores(outcomes)
    assert scores["ISR"] == pytest.approx(1 / 3)
    assert scores["CSR"] == pytest.approx(3 / 9)
    assert scores["NE"] == pytest.approx(2.7)
    assert scores["TAR"] == pytest.approx((1 + 0.5) / 2)
    assert scores["stops"] == 2
    assert scores["OSR"] == 0


def test_an_unreachable_target_costs_tar_and_has_no_error():
    scores = task_scores(
        [
            SubtaskOutcome(FAILED, 5, 5, error_m=math.inf, begin_m=math.inf),
            SubtaskOutcome(DONE, 5, 5, 0.0, 3.0),
        ]
    )
    assert scores["TAR"] == pytest.approx(0.5)
    assert scores["NE"] == 0.0


def test_tasks_without_sub_tasks_or_ends_count_as_in_the_released_code():
    never = [SubtaskOutcome(FAILED, 5, ended=False), SubtaskOutcome(FAILED, 5, ended=False)]
    scores = group_scores([_task([1, 1], [5, 5], [5, 5]), [], never])
    assert scores["CSR"] == pytest.approx(1 / 3)
    assert scores["CGT"] == pytest.approx(1 / 3)
    assert scores["NE"] == pytest.approx(0.5 / 3)
    assert task_scores(never)["NE"] is None
    assert task_scores([])["SR"] is None


def test_nothing_walked_has_no_spl():
    assert task_scores([SubtaskOutcome(DONE, 5, 0, 0.0, 0.0, oracle=True)])["SPL"] == 0.0
    assert group_scores([])["ISR"] is None


def test_steps_that_a_log_does_not_count_leave_spl_missing():
    assert task_scores([SubtaskOutcome(DONE, 5, None, 0.0, 0.0, oracle=True)])["SPL"] is None
    never_begun = SubtaskOutcome(success=False, reference=5, ended=False)
    assert (
        task_scores([SubtaskOutcome(DONE, 5, 5, 0.0, 0.0, oracle=True), never_begun])["SPL"] == 0.0
    )
