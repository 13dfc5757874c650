"""Planted causes: one change to a faultless walk leads its causes, and nothing else."""

from __future__ import annotations

import re

import pytest
from scipy.stats import beta

from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.causes.registry import cause_ids, detectors
from navviz.systems.causes import Precision
from tests.analysis.causes.planted import city, faultless, trace_of
from tests.analysis.causes.plants import PLANTS
from tests.paths import ROOT

IN_HOUSES = {"navgpt-left-out-way", "pruned-way", "thing-never-shown", "another-thing-taken"}
"""They need a house; `test_indoors.py` and `test_things.py` beside this file plant them."""


def _leading(cause, seeds):
    """Return what leads each planted log: its likely cause; for a planted hint the first by time.

    A fault that spoils nothing, as a landmark that is not on the map, is the first that is found.
    """
    using, names = detectors(), []
    is_hint = next(one for one in using if one.id == cause).grade == "hint"
    for seed in seeds:
        trace = trace_of(PLANTS[cause](faultless(seed)), seed)
        explained = explain_episode(trace, city(), using=using)
        first = explained.leading
        if (explained.success or is_hint) and explained.causes:
            first = explained.causes[0]
        names.append(None if first is None else first.id)
    return names


def test_every_cause_is_planted():
    assert set(PLANTS) | IN_HOUSES == set(cause_ids())


def test_a_walk_without_a_fault_has_no_cause():
    for seed in range(10):
        explained = explain_episode(trace_of(faultless(seed), seed), city())
        assert explained.success
        assert explained.causes == ()


@pytest.mark.parametrize("cause", PLANTS)
def test_what_was_planted_leads(cause):
    assert _leading(cause, range(5)) == [cause] * 5


@pytest.mark.nightly
@pytest.mark.parametrize("cause", PLANTS)
def test_of_fifty_planted_at_least_nine_of_ten_are_named_and_one_of_twenty_misnamed(cause):
    names = _leading(cause, range(50))
    assert names.count(cause) >= 45
    assert sum(name not in {cause, None} for name in names) <= 2


def test_a_cause_is_right_in_nine_of_ten_of_the_hits_that_were_read_and_all_else_is_a_hint():
    for one in detectors():
        read, right = one.precision.read, one.precision.right + one.precision.mended
        enough = read >= 30 or (one.precision.every and read > 0)
        assert one.grade == ("cause" if enough and right >= 0.9 * read else "hint"), one.id


@pytest.mark.parametrize(
    ("precision", "grade"),
    [
        (Precision(29, 29), "hint"),
        (Precision(30, 27), "cause"),
        (Precision(30, 26), "hint"),
        (Precision(30, 26, mended=1), "cause"),
        (Precision(29, 29, every=True), "cause"),
        (Precision(2, 1, every=True), "hint"),
        (Precision(0, 0), "hint"),
        (Precision(0, 0, every=True), "hint"),
    ],
)
def test_the_rule_of_thirty_hits(precision, grade):
    assert precision.grade == grade


def _exact_interval(read, right):
    """Return the 95 % interval of Clopper and Pearson as the table writes it, by its definition."""
    if not read:
        return "–"
    low = beta.ppf(0.025, right, read - right + 1) if right else 0.0
    high = beta.ppf(0.975, right + 1, read - right) if right < read else 1.0
    # 1 of 1 has 2.5 % as its lower end, which people round up
    return f"{100 * low + 1e-6:.0f} to {100 * high:.0f} %"


def test_the_table_in_the_docs_is_the_one_of_the_classes():
    rows = {}
    for line in (ROOT / "docs" / "causes.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 6:
            for name in re.findall(r"`([a-z-]+)`", cells[0]):
                rows[name] = (int(cells[2]), int(cells[3]), cells[4], "(hint)" in cells[0])
    assert set(rows) == set(cause_ids())
    for one in detectors():
        read, right = one.precision.read, one.precision.right
        interval = _exact_interval(read, right)
        assert rows[one.id] == (read, right, interval, one.grade == "hint"), one.id
