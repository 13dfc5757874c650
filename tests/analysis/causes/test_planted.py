"""Planted causes: one change to a faultless walk is named as its likely cause, and nothing else."""

from __future__ import annotations

import pytest

from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.causes.registry import cause_ids, detectors
from tests.analysis.causes.planted import city, faultless, trace_of
from tests.analysis.causes.plants import PLANTS

OF_OTHER_SYSTEMS = {"navgpt-left-out-way", "pruned-way"}
"""They need a house; `tests/analysis/causes/test_indoors.py` plants them."""


HINTS = {one.id for one in detectors() if one.grade == "hint"}


def _likely(cause, seeds):
    """Return the likely cause of each planted log; of a hint, which never is one, the first."""
    using, names = detectors(), []
    for seed in seeds:
        trace = trace_of(PLANTS[cause](faultless(seed)), seed)
        explained = explain_episode(trace, city(), using=using)
        first = explained.causes[0] if cause in HINTS and explained.causes else explained.likely
        names.append(None if first is None else first.id)
    return names


def test_every_cause_is_planted():
    assert set(PLANTS) | OF_OTHER_SYSTEMS == set(cause_ids())


def test_a_walk_without_a_fault_has_no_cause():
    for seed in range(10):
        explained = explain_episode(trace_of(faultless(seed), seed), city())
        assert explained.success
        assert explained.causes == ()


@pytest.mark.parametrize("cause", PLANTS)
def test_what_was_planted_is_the_likely_cause(cause):
    assert _likely(cause, range(5)) == [cause] * 5


@pytest.mark.nightly
@pytest.mark.parametrize("cause", PLANTS)
def test_of_fifty_planted_at_least_nine_of_ten_are_named_and_one_of_twenty_misnamed(cause):
    names = _likely(cause, range(50))
    assert names.count(cause) >= 45
    assert sum(name not in {cause, None} for name in names) <= 2
