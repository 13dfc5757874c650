"""Each cell of a paper's tables: equal, differs by so much and why, or no data."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from navviz.analysis import paper_check
from navviz.analysis.grouped import preset
from navviz.analysis.paper_check import CellCheck, check_paper, papers, street_graph, summary_of
from navviz.errors import InputError, SettingsError
from navviz.systems.base import PaperRow, PaperTable
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
    def printed(*rows: PaperRow) -> None:
        # its preset counts episodes that never moved as we do
        made = PaperTable("Table 1", COLUMNS, rows, preset="groke-2")
        monkeypatch.setattr(paper_check, "papers", lambda: {"toy": (made,)})

    return printed


def checked(folder: Path) -> dict[str, CellCheck]:
    return {cell.column: cell for cell in check_paper("toy", folder)}


def test_equal_cells(folder: Path, table) -> None:
    table(PaperRow("A", "states.json", "40.0 50.0 0.500", 2))
    cells = checked(folder)
    assert {column: cell.state for column, cell in cells.items()} == dict.fromkeys(COLUMNS, "equal")
    assert cells["NE"].sentence == "Table 1, A, NE: equal (40.0)"
    assert summary_of(list(cells.values())) == ["Table 1: 3 equal, 0 differ, 0 partial, 0 no data"]


def test_a_cell_differs_by_so_much_and_for_a_reason(folder: Path, table) -> None:
    table(PaperRow("A", "states.json", "0.0 49.0 0.541", 2))
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


def test_a_run_with_some_of_the_episodes_is_no_other_figure(folder: Path, table) -> None:
    table(PaperRow("A", "states.json", "40.0 49.0 –", 3))
    cells = checked(folder)
    assert {column: cell.state for column, cell in cells.items()} == {
        "NE": "partial",
        "SR": "partial",
    }
    assert (cells["NE"].n, cells["NE"].ours) == (2, "40.0")
    assert cells["SR"].sentence == (
        "Table 1, A, SR: partial, printed 49.0, here 50.0 (states.json holds 2 of the 3 episodes)"
    )


def test_what_the_folder_lacks_is_named(folder: Path, table) -> None:
    table(
        PaperRow("A", "states.json", "40.0 – –", 2),
        PaperRow("B", "gone.json", "1.0 – –", 2),
        PaperRow("C", "", "– 2.0 –", 2),
    )
    cells = list(check_paper("toy", folder))
    assert Counter(cell.state for cell in cells) == {"equal": 1, "no data": 2}
    said = [cell.sentence for cell in cells]
    assert "Table 1, B, NE: no data (gone.json is not in the folder; printed 1.0)" in said
    assert (
        "Table 1, C, SR: no data (no published file is known for the run of C; printed 2.0)" in said
    )


def test_steps_and_tokens_come_from_logs_alone(folder: Path, monkeypatch) -> None:
    """A state file has waypoints, which are no steps."""
    row = PaperRow("A", "states.json", "1.00", 2, logs="calls")
    made = PaperTable("Table 3", {"steps": "steps"}, (row,), preset="groke-3")
    monkeypatch.setattr(paper_check, "papers", lambda: {"toy": (made,)})
    [cell] = check_paper("toy", folder)
    assert (cell.state, cell.why) == ("no data", "the step logs of calls are not in the folder")


def test_the_graph_lies_beside_or_is_named(folder: Path, tmp_path: Path, table) -> None:
    table(PaperRow("A", "states.json", "– 50.0 –", 2))
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
        result = invoke("diagnose", "verify", "--paper", "toy", str(folder), *more)
        return result.exit_code, result.stdout

    table(PaperRow("A", "states.json", "– 50.0 –", 2))
    assert run()[0] == 0
    table(PaperRow("A", "states.json", "– 51.0 –", 2))
    code, text = run("--format", "json")
    document = json.loads(text)
    assert (code, document["paper"], document["summary"]) == (
        1,
        "toy",
        ["Table 1: 0 equal, 1 differ, 0 partial, 0 no data"],
    )
    assert document["cells"][0] | {"why": ""} == {
        "table": "Table 1", "row": "A", "column": "SR", "state": "differs", "printed": "51.0", "ours": "50.0", "why": "", "n": 2
    }  # fmt: skip
    assert invoke("diagnose", "verify", "--paper", "toy", str(folder), "5").exit_code == 2


def test_csv_holds_numbers(folder: Path, table) -> None:
    table(PaperRow("A", "states.json", "12,340.0 50.0 –", 2))
    result = invoke("diagnose", "verify", "--paper", "toy", str(folder), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [(float(row["printed"]), float(row["ours"])) for row in rows] == [(12340, 40), (50, 50)]


_WORDS = {
    "A": "test_seen", "B": "test_unseen", "NE_m": "NE", "SR_pct": "SR", "OSR_pct": "OSR",
    "thoughts_tokens": "thoughts tokens", "total_tokens": "total tokens",
    "prompt_tokens": "prompt tokens", "pearson": "Pearson", "pearson_p": "Pearson p",
    "spearman": "Spearman", "spearman_p": "Spearman p",
}  # fmt: skip


def _print(data_dir: Path) -> Counter[tuple[str, str, str, float]]:
    """Every cell of the tables that are checked, as the file of the printed figures has it."""
    raw = json.loads((data_dir / "groke" / "paper_tables.json").read_text())
    cells: Counter[tuple[str, str, str, float]] = Counter()
    for table in ("2", "3", "4", "5", "7", "9", "10", "figure 5"):
        name = table.capitalize() if " " in table else f"Table {table}"
        for item in raw[table]:
            for key, value in item.items():
                group, _, column = key.rpartition(".")
                if key == "row":
                    continue
                words = _WORDS.get(column, column)
                # the paper heads this column nDTW
                if words == "SDTW" and table in {"5", "7", "9", "10"}:
                    words = "nDTW"
                row = f"{item['row']}, {_WORDS.get(group, group)}" if group else item["row"]
                # table 3 has a column for each split
                place = (f"GROKE, {words}", item["row"]) if table == "3" else (row, words)
                cells[name, *place, value] += 1
    return cells


@pytest.mark.data
def test_every_cell_is_the_printed_one_and_stands_once(data_dir: Path) -> None:
    ours: Counter[tuple[str, str, str, float]] = Counter()
    for table in papers()["groke"]:
        for row in table.rows:
            for column, figure in table.printed(row).items():
                ours[table.name, row.name, column, float(figure.replace(",", ""))] += 1
    assert ours == _print(data_dir)
    assert sum(ours.values()) == 227


def test_a_preset_prints_the_metrics_of_its_table() -> None:
    for table in papers()["groke"]:
        if table.preset:
            assert set(table.columns.values()) <= set(preset(table.preset).metrics), table.name


@pytest.mark.nightly
@pytest.mark.data
def test_groke_s_published_runs_give_its_printed_figures(data_dir: Path) -> None:
    cells = list(check_paper("groke", data_dir / "groke"))
    assert summary_of(cells) == [
        "Table 2: 4 equal, 0 differ, 0 partial, 28 no data",
        "Table 3: 0 equal, 0 differ, 0 partial, 6 no data",
        "Table 4: 20 equal, 0 differ, 0 partial, 0 no data",
        "Table 5: 60 equal, 0 differ, 0 partial, 0 no data",
        "Table 7: 12 equal, 0 differ, 24 partial, 0 no data",
        "Table 9: 12 equal, 0 differ, 0 partial, 24 no data",
        "Table 10: 8 equal, 0 differ, 0 partial, 16 no data",
        "Figure 5: 13 equal, 0 differ, 0 partial, 0 no data",
    ]
    assert {cell.n for cell in cells if cell.state == "partial"} == {25, 15, 7}
