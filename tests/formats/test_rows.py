"""Files of rows as columns: what is irregular is told by its line, and nothing else is lost."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navviz.errors import Problems
from navviz.formats import columns as rows
from navviz.formats.columns import floats, read_rows

NAMES = ("id", "lat", "tags")


def _read(path, text: bytes, problems: Problems | None = None) -> list[list[str]]:
    path.write_bytes(text)
    return [column.to_pylist() for column in read_rows(path, NAMES, problems or Problems())]


def _line_by_line(text: bytes) -> tuple[list[list[str]], list[int]]:
    """Split as a plain script does: at the first two commas of each line; also the lines that have
    fewer.
    """
    lines = text.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    split = [(number, line.split(",", 2)) for number, line in enumerate(lines, start=1) if line]
    good = [row for _, row in split if len(row) == 3]
    return [list(column) for column in zip(*good, strict=True)], [
        number for number, row in split if len(row) < 3
    ]


@pytest.mark.parametrize("piece", [7, 64, 8_000_000])
def test_rows_are_split_like_line_by_line_in_pieces_of_any_size(tmp_path, monkeypatch, piece):
    monkeypatch.setattr(rows, "_PIECE", piece)
    lines = [f'n{i},{i / 7},{{"a": "x, {i}"}}' for i in range(40)]
    lines[3], lines[17], lines[30] = "short", 'ü"n,1,ß,"', "two,columns"
    text = (
        b"\xef\xbb\xbf" + "\n".join([*lines[:20], "", *lines[20:]]).encode() + b"\nbad\xff,2,z\n\n"
    )
    problems = Problems()
    columns, short = _line_by_line(text)
    assert _read(tmp_path / "t.txt", text, problems) == columns
    assert len(columns[0]) == 39
    assert [problem.file for problem in problems.kept] == [f"t.txt:{number}" for number in short]
    assert str(problems.kept[0]) == "t.txt:4: has 1 of 3 columns; write id,lat,tags."


def test_lines_of_windows_are_lines(tmp_path):
    assert _read(tmp_path / "t.txt", b"a,1,x\r\nb,2,y\r\n") == [["a", "b"], ["1", "2"], ["x", "y"]]


def test_an_empty_file_has_empty_columns(tmp_path):
    assert _read(tmp_path / "t.txt", b"") == [[], [], []]


def test_numbers_are_those_of_python_and_the_rest_is_nan(tmp_path):
    texts = [
        "1.5", "-0.1", " 2 ", "1e3", "1_0", "", "north", "nan", "inf", "+7", "0x10", "1.", ".5",
    ]  # fmt: skip
    problems = Problems()
    (tmp_path / "t.txt").write_text("".join(f"n,{text},z\n" for text in texts))
    values = floats(read_rows(tmp_path / "t.txt", NAMES, problems)[1])
    wanted = [
        1.5, -0.1, 2.0, 1000.0, 10.0, math.nan, math.nan, math.nan, math.inf, 7.0, math.nan, 1.0,
        0.5,
    ]  # fmt: skip
    np.testing.assert_array_equal(values, wanted)


def test_thousands_of_short_rows_are_counted_and_not_all_kept(tmp_path):
    problems = Problems()
    _read(tmp_path / "t.txt", b"a,1,x\n" + b"b\n" * 5000, problems)
    assert (problems.count, len(problems.kept)) == (5000, problems.limit)
