"""Grades from readings: who may be called likely, and that docs and file say the same."""

from __future__ import annotations

import pytest

from navviz.analysis.causes.grades import Readings, grade_of, grades_table, readings
from navviz.analysis.causes.registry import cause_ids
from tests.paths import ROOT


def _row(true, false=0, imprecise=0, *, unseen=True, navfault=False):
    return Readings(
        kind="repeated", logs="x", true=true, false=false, imprecise=imprecise,
        unseen=unseen, navfault=navfault,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "grade"),
    [
        ([_row(10)], "likely"),
        ([_row(9)], "hint"),
        ([_row(17, 3)], "likely"),
        ([_row(16, 4)], "hint"),
        ([_row(17, imprecise=4)], "hint"),
        # two sets of logs count together; seen ones and planted ones never
        ([_row(6), _row(5, 1)], "likely"),
        ([_row(100, unseen=False)], "hint"),
        ([_row(100, navfault=True)], "hint"),
        ([_row(9), _row(100, unseen=False)], "hint"),
        ([], "hint"),
    ],
)
def test_85_of_100_of_at_least_ten_unseen_hits_make_a_kind_likely(rows, grade):
    assert grade_of("repeated", rows) == grade
    assert grade_of("closed-early", rows) == "hint"


def test_the_table_has_each_reading_with_its_exact_interval():
    table = list(grades_table(["repeated"], [_row(8, 2), _row(3, navfault=True)]))
    # Clopper and Pearson: 8 of 10 is 44.4 to 97.5 %
    assert table[2] == "| `repeated` | x | 10 | 8 | 0 | 2 | 44 to 97 % | yes | hint | 3 of 3 |"
    (bare,) = list(grades_table(["repeated"], []))[2:]
    assert bare == "| `repeated` | – | 0 | – | – | – | – | – | hint | – |"


def test_the_table_of_the_docs_is_made_from_the_file():
    lines = (ROOT / "docs" / "causes.md").read_text(encoding="utf-8").splitlines()
    table = list(grades_table(cause_ids()))
    start = lines.index(table[0])
    assert lines[start : start + len(table)] == table


def test_every_reading_is_of_a_kind_that_there_is():
    assert {row.kind for row in readings()} <= set(cause_ids())
