"""Ids, numbers and flags of foreign logs, however they are written."""

from __future__ import annotations

import pytest

from navviz.errors import Problem, Problems
from navviz.formats.texts import as_count, as_flag, as_number, id_text, say_unlike, whole_lines


@pytest.mark.parametrize("written", [7, 7.0, "7", "7.0", "7.00", " 7 ", " 7.0\n"])
def test_one_id_in_every_spelling(written: object) -> None:
    assert id_text(written) == "7"


@pytest.mark.parametrize(
    "other", ["7.5", "007", "1.10", "v7.0", "7.0_1", "-7.0", "", "2365_0", ".0"]
)
def test_other_ids_stay_what_they_are(other: str) -> None:
    assert id_text(other) == other


@pytest.mark.parametrize(
    ("written", "number"),
    [(2, 2.0), ("2.50", 2.5), (" -1e3 ", -1000.0), ("+.5", 0.5), ("1_000", None), ("nan", None),
     ("inf", None), ("1e999", None), ("", None), ("12 m", None), (True, None), (None, None),
     ("1" * 400, None), (10**400, None)],
)  # fmt: skip
def test_numbers_that_are_written_as_texts(written: object, number: float | None) -> None:
    assert as_number(written) == number


def test_counts_and_flags() -> None:
    assert [as_count(each) for each in (3, "3", "3.0", 3.5, "x", True)] == [
        3,
        3,
        3,
        None,
        None,
        None,
    ]
    said = [as_flag(each) for each in (True, 0, "0.0", "1", "True", " false ", "perhaps", None)]
    assert said == [True, False, False, True, True, False, None, None]


@pytest.mark.parametrize(
    ("kind", "fits", "not_so"),
    [
        ("number", [2, "2.5", None], ["@@", [2], True]),
        ("figure", [2, True, "true"], ["@@", {}]),
        ("numbers", [[], [1, "2"], [None]], [3, [1, "@@"], {"x": 1}]),
        ("id", [7, "7", 7.0], [[7], {"x": 1}, True]),
        ("id or ids", [7, ["7"]], [[[7]], {}]),
        ("values of number", [{}, {"a": 1}], [[1], {"a": "@@"}]),
        ("objects", [[{}]], [[1], {}]),
    ],
)
def test_a_value_of_another_kind_is_named(
    kind: str, fits: list[object], not_so: list[object]
) -> None:
    where = Problem("", "", "log.json", "e1")
    for value in fits:
        say_unlike({"f": value}, {kind: "f, absent"}, where, problems := Problems())
        assert not problems.kept, value
    for value in not_so:
        say_unlike({"f": value}, {kind: "f"}, where, problems := Problems())
        assert str(problems.kept[0]).startswith("log.json, episode e1, field f: "), value


@pytest.mark.parametrize(
    ("lines", "cut"), [(["a\n", "b\n"], 0), (["a\n", "b"], 1), ([], 0), (["\n"], 0)]
)
def test_a_printed_log_that_ends_within_a_line_is_named(lines: list[str], cut: int) -> None:
    problems = Problems()
    assert list(whole_lines(lines, "run.log", problems)) == lines
    assert problems.count == cut
