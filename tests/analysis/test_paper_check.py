"""Each cell of a paper's tables: equal, differs by so much and why, or no data."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from navviz.analysis import paper_check
from navviz.analysis.paper_check import CellCheck, check_paper, street_graph, summary_of
from navviz.analysis.published import PAPERS, PublishedRow, PublishedTable
from navviz.errors import InputError, SettingsError
from tests.command import invoke
from tests.grids import state_item, straight, write_grid, write_json

PATH = straight()
COLUMNS = {"NE": "NE", "SR": "SR", "nDTW": "SDTW_groke"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two episodes: one ends at its goal, one never moved, 80 m away."""
    states = {"1": state_item(PATH, ["r0c0", "r0c4"]), "2": state_item(PATH, ["r0c0", None])}
    write_json(tmp_path / "runs" / "deep" / "states.json", states)
    write_grid(tmp_path / "map2seq" / "osm")
    return tmp_path / "runs"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch):
    def printed(*rows: PublishedRow, treatment: str = "own") -> None:
        made = PublishedTable("Table 1", COLUMNS, rows, treatment=treatment)
        monkeypatch.setattr(paper_check, "PAPERS", {"toy": (made,)})

    return printed


def checked(folder: Path) -> dict[str, CellCheck]:
    return {cell.column: cell for cell in check_paper("toy", folder)}


def test_equal_cells(folder: Path, table) -> None:
    table(PublishedRow("A", "states.json", figures={"NE": "40.0", "SR": "50.0", "nDTW": "0.500"}))
    cells = checked(folder)
    assert {column: cell.state for column, cell in cells.items()} == dict.fromkeys(COLUMNS, "equal")
    assert cells["NE"].sentence == "Table 1, A, NE: equal (40.0)"
    assert summary_of(list(cells.values())) == ["Table 1: 3 equal, 0 differ, 0 no data"]


def test_a_cell_differs_by_so_much_and_for_a_reason(folder: Path, table) -> None:
    table(PublishedRow("A", "states.json", figures={"NE": "0.0", "SR": "49.0", "nDTW": "0.541"}))
    cells = checked(folder)
    assert {cell.state for cell in cells.values()} == {"differs"}
    assert cells["NE"].sentence == (
        "Table 1, A, NE: differs by +40.0: printed 0.0, here 40.0 "
        "(GROKE's treatment of episodes that never moved gives the print)"
    )
    assert (
        "differs by +1.0: printed 49.0, here 50.0 (no other treatment gives the print"
        in cells["SR"].sentence
    )
    assert cells["nDTW"].why == "it is nDTW that gives the print"


def test_cells_without_data(folder: Path, table) -> None:
    table(
        PublishedRow("A", "states.json", figures={"NE": "40.0"}),
        PublishedRow("B", "gone.json", figures={"NE": "1"}),
    )
    cells = list(check_paper("toy", folder))
    assert Counter(cell.state for cell in cells) == {"equal": 1, "no data": 5}
    said = [cell.sentence for cell in cells]
    assert "Table 1, A, SR: no data (NavViz does not know its printed figure; here 50.0)" in said
    assert "Table 1, B, NE: no data (gone.json is not in the folder)" in said


def test_a_table_without_rows_has_no_data(folder: Path, table) -> None:
    table()
    [cell] = check_paper("toy", folder)
    assert (
        cell.sentence == "Table 1: no data (NavViz knows neither its printed figures nor its runs)"
    )


def test_the_graph_lies_beside_or_is_named(folder: Path, tmp_path: Path, table) -> None:
    table(PublishedRow("A", "states.json", figures={"SR": "50.0"}))
    assert street_graph(folder / "deep") == tmp_path / "map2seq"
    named = list(check_paper("toy", folder, tmp_path / "map2seq"))
    assert named == list(check_paper("toy", folder))
    (tmp_path / "map2seq").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "osm").rename(tmp_path / "elsewhere" / "maps")
    lonely = tmp_path / "a" / "b" / "c" / "d"  # other tests of this worker lie beside `tmp_path`
    lonely.mkdir(parents=True)
    with pytest.raises(
        InputError, match="no graph of Map2Seq lies near it; name its folder with --graphs"
    ):
        street_graph(lonely)


def test_what_cannot_be_asked(folder: Path) -> None:
    with pytest.raises(SettingsError, match="There is no paper 'x': choose one of groke"):
        list(check_paper("x", folder))
    with pytest.raises(InputError, match="is no folder"):
        list(check_paper("groke", folder / "gone"))


def test_the_command_ends_with_1_where_a_cell_differs(folder: Path, table) -> None:
    def run(*more: str) -> tuple[int, str]:
        result = invoke("verify", "--paper", "toy", str(folder), *more)
        return result.exit_code, result.stdout

    table(PublishedRow("A", "states.json", figures={"SR": "50.0"}))
    assert run()[0] == 0
    table(PublishedRow("A", "states.json", figures={"SR": "51.0"}))
    code, text = run("--format", "json")
    document = json.loads(text)
    assert (code, document["paper"], document["summary"]) == (
        1,
        "toy",
        ["Table 1: 0 equal, 1 differ, 2 no data"],
    )
    assert document["cells"][1] | {"why": ""} == {
        "table": "Table 1", "row": "A", "column": "SR", "state": "differs", "printed": "51.0", "ours": "50.0", "why": ""
    }  # fmt: skip
    assert invoke("verify", "--paper", "toy", str(folder), "5").exit_code == 2


def test_every_figure_stands_under_a_heading_of_its_table() -> None:
    for table in PAPERS["groke"]:
        for row in table.rows:
            assert set(row.figures) <= set(table.columns), (table.name, row.name)


@pytest.mark.nightly
@pytest.mark.data
def test_groke_s_published_runs_give_its_printed_figures(data_dir: Path) -> None:
    cells = list(check_paper("groke", data_dir / "groke"))
    assert Counter(cell.state for cell in cells) == {"equal": 43, "no data": 38}
    assert summary_of(cells) == [
        "Table 2: 4 equal, 0 differ, 4 no data",
        "Table 3: 0 equal, 0 differ, 1 no data",
        "Table 4: 10 equal, 0 differ, 0 no data",
        "Table 5: 0 equal, 0 differ, 16 no data",
        "Table 7: 0 equal, 0 differ, 1 no data",
        "Table 9: 0 equal, 0 differ, 1 no data",
        "Table 10: 16 equal, 0 differ, 12 no data",
        "Appendix A.1: 13 equal, 0 differ, 3 no data",
    ]
