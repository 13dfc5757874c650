"""Tables that a spreadsheet opens: no cell becomes a formula, and every cell comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.support.guarded import as_typed, csv_rows, csv_text
from navviz.support.guarded.tables import harmless

_CELLS = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8
)


@pytest.mark.parametrize(
    "cell", ["=1+1", "+SUM(A1)", "-cmd", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'=1"]
)
def test_free_text_is_no_formula(cell):
    assert str(harmless(cell)).startswith("'")
    assert as_typed(str(harmless(cell))) == cell


@pytest.mark.parametrize("cell", ["-0.5", "+3", 7, -1.5, "", "it's", "'quoted'", "a=b"])
def test_numbers_and_plain_words_stay(cell):
    assert harmless(cell) == cell


@given(
    st.lists(
        st.lists(
            _CELLS | st.sampled_from(["=1", "'=1", "''@", "\r", "a\rb", "-1", "'-1", "x\ny"]),
            min_size=2,
            max_size=3,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_every_cell_comes_back(rows):
    read = [
        [as_typed(cell) for cell in row]
        for row in csv_rows(csv_text([["a", "b"], *rows]), "table.csv")
    ]
    assert read[1:] == rows


def test_long_cells_come_back():
    row = ["x" * 300_000, "y"]
    assert list(csv_rows(csv_text([row]), "table.csv")) == [row]
