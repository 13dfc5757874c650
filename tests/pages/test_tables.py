"""Evaluate, Tables and Charts: runs chosen, papers' tables, groupings, downloads."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import ran, study_part

RUN = "harbour/rules"


@pytest.fixture
def at(page):
    return page("study", run=RUN)


def test_a_table_of_runs_by_a_grouping(at):
    study_part(at, "tables")
    at.multiselect(key="study_runs").set_value([RUN, "harbour/rules-local"]).run()
    at.selectbox(key="study_columns").set_value("sub-goals").run()
    ran(at.toggle(key="study_best").set_value(True))
    table = at.dataframe[0].value
    assert list(table.iloc[:, 0]) == [RUN, "harbour/rules-local"]
    assert ("all", "SR (%) ↑") in list(table.columns)
    assert table[("all", "SR (%) ↑")].tolist() == ["71.4", "28.6"]
    assert {"LaTeX", "CSV", "Markdown", "SVG"} <= {
        button.label for button in at.get("download_button")
    }


def test_a_papers_table_and_what_it_lacks(at):
    study_part(at, "tables")
    at.selectbox(key="study_table").set_value("groke-3").run()
    table = at.dataframe[0].value
    assert list(table.columns) == [
        "Run",
        "NE (m) ↓",
        "SR (%) ↑",
        "OSR (%) ↑",
        "SDTW ↑",
        "Steps",
        "n",
    ]
    assert any("no run here has Tokens" in caption.value for caption in at.caption)
    ran(at.selectbox(key="study_table").set_value("groke-10"))
    assert any("no episode has a difficulty" in error.value for error in at.error)


def test_charts_are_drawn_or_say_why_not(at):
    study_part(at, "charts")
    assert len(at.get("plotly_chart")) == 2
    ran(at.pills(key="study_charts").set_value(["Success by length", "Cost against success"]))
    assert len(at.get("plotly_chart")) == 1
    assert any("no run here has Cost" in info.value for info in at.info)


def test_the_chosen_runs_hold_for_tables_and_charts(at):
    study_part(at, "tables")
    at.multiselect(key="study_runs").set_value([RUN, "harbour/random-walker"]).run()
    study_part(at, "charts")
    assert at.multiselect(key="study_runs").value == [RUN, "harbour/random-walker"]
    at.multiselect(key="study_runs").set_value([]).run()
    assert any("Choose one or more" in info.value for info in at.info)


def test_cells_of_a_shown_table_are_no_formulas():
    """The toolbar of a table writes its cells as they are."""
    rows = [
        {"text": "=HYPERLINK(1)", "figure": "+40 points [1, 69]", "n": -1},
        {"text": "-2+3+cmd|' /C calc'!A0", "figure": "-0.5", "n": 2},
        {"text": "walk on", "figure": "@SUM(1)", "n": None},
    ]

    def page(rows: list[dict[str, object]]) -> None:
        from navviz.ui.components.widgets import show_table

        show_table(rows, "three rows")

    at = AppTest.from_function(page, kwargs={"rows": rows}).run()
    [shown] = [table.value for table in at.dataframe]
    assert list(shown["text"]) == ["'=HYPERLINK(1)", "'-2+3+cmd|' /C calc'!A0", "walk on"]
    assert list(shown["figure"]) == ["+40 points [1, 69]", "-0.5", "'@SUM(1)"]
    assert list(shown["n"])[:2] == [-1, 2]
