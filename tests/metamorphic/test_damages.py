"""Damaged and respelled files: no traceback in 8 GB of memory, and nothing lost without a word."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.metamorphic.damages import damage_fault, spelling_fault

PART = 250
SILENT = "changed without a word"


def _tried(kind: str, first: int, count: int) -> list[str]:
    command = [sys.executable, "-m", "tests.metamorphic.damages", kind, str(first), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_each_sample_once_and_some_spellings_by_day():
    faults = [fault for number in range(78) if (fault := damage_fault(number))]
    assert [fault for fault in faults if SILENT not in fault] == []
    assert "".join(map(spelling_fault, range(1, 80, 8))) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(20))
def test_five_thousand_damages_give_no_traceback(part):
    faults = _tried("damages", part * PART, PART)
    assert [fault for fault in faults if SILENT not in fault] == []


@pytest.mark.nightly
@pytest.mark.xfail(
    reason="some 15 in a thousand damages still change content without a word: GROKE's ratings without"
    " a field, EASI's episodes and SkillNav's predictions beside a log that are cut, and regions,"
    " actions and names of fields of another type or spelling"
)
def test_no_damage_changes_content_without_a_word():
    assert [fault for fault in _tried("damages", 0, PART) if SILENT in fault] == []


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_two_thousand_five_hundred_spellings_read_alike(part):
    assert _tried("spellings", part * PART, PART) == []
