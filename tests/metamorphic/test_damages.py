"""Damaged and respelled files: no traceback in 8 GB of memory, and nothing lost without a word."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.metamorphic.damages import FIRST_NEW, NEW, damage_fault, spelling_fault

PART = 250
LATER = (
    5473,
    5523,
    5789,
    5815,
    5991,
    6045,
    6134,
    6211,
    6217,
    6286,
    6368,
    6448,
    6665,
    6877,
    7465,
    7583,
    8099,
    8240,
    8515,
    8979,
    9259,
    9299,
    9525,
    9630,
    9878,
)
"""Of numbers that the night does not try; each changed content without a word."""


def _tried(kind: str, first: int, count: int) -> list[str]:
    command = [sys.executable, "-m", "tests.metamorphic.damages", kind, str(first), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_each_sample_once_and_some_spellings_by_day():
    # the last ones once changed content without a word
    new = range(FIRST_NEW, FIRST_NEW + len(NEW))
    for number in (*range(78), 291, 761, 1137, 2117, 2708, *LATER, *new):
        assert damage_fault(number) == ""
    assert "".join(map(spelling_fault, range(1, 80, 8))) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(20))
def test_five_thousand_damages_are_named_and_give_no_traceback(part):
    assert _tried("damages", part * PART, PART) == []


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(4))
def test_a_thousand_damages_of_guessed_kinds_are_named(part):
    assert _tried("damages", FIRST_NEW + part * PART, PART) == []


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_two_thousand_five_hundred_spellings_read_alike(part):
    assert _tried("spellings", part * PART, PART) == []
