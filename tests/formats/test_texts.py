"""Ids, numbers and flags of foreign logs, however they are written."""

from __future__ import annotations

import pytest

from navviz.formats.texts import as_count, as_flag, as_number, id_text


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
