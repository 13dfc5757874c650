"""Tables as columns: the same rows as one by one, in any spelling; large ones as traces on demand."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from navviz.errors import InputError, Problems
from navviz.formats.mapping import engine
from navviz.formats.mapping.engine import TableTraces, walked_of
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import Mapping, mapping_of, save_mapping
from navviz.formats.mapping.structure import lines_of, structure
from navviz.formats.mapping.tables import grouped_table, numbered_columns, read_table
from navviz.records.lazy_traces import heads
from navviz.runs.opened import open_run

ROWS = [
    ("hall", "1", "0.5", "Go on."), ("hall", "2", "0.0", ""), ("hall", "1", "1.5", "Stop."),
    ("attic", "1", "2.0", "Go on."), ("", "9", "2.0", ""), ("attic", "1", "3.0", ""),
    ("attic", "4", "1e999", ""), ("attic", "4", "1", ""),
]  # fmt: skip
FIELDS = {
    "name": "rows",
    "format": "csv",
    "group_by": ["house", "ep"],
    "episode": {"id": "rows[0].ep", "world": "rows[0].house"},
    "walk": {"positions": ["rows[*].x", "rows[*].x", "rows[*].x"], "frame": "enu", "thoughts": "rows[*].why"},
}  # fmt: skip


def _file(folder: Path, text: str = "", name: str = "log.csv") -> Path:
    path = folder / name
    lines = ["house,ep,x,why", *(",".join(row) for row in ROWS)]
    path.write_text(text or "\n".join(lines), encoding="utf-8")
    return path


def _mapping() -> Mapping:
    return mapping_of(FIELDS, "m")


def test_a_large_table_gives_the_same_traces_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _file(tmp_path)
    said, lazy_said = Problems(), Problems()
    whole = engine.read_log(_mapping(), path, None, None, said)
    monkeypatch.setattr(engine, "WHOLE_ROWS", 3)
    lazy = engine.read_log(_mapping(), path, None, None, lazy_said)
    assert isinstance(lazy, TableTraces)
    # two houses have an episode 1: the rows of the two lie apart and are not mixed
    assert list(lazy) == list(whole) == ["hall-1", "2", "attic-1", "9"]
    assert {key: lazy[key] for key in lazy} == whole
    assert {key: trace.episode for key, trace in heads(lazy).items()} == {
        key: trace.episode for key, trace in whole.items()
    }
    assert walked_of(lazy) == walked_of(whole) == 4
    assert list(map(str, lazy_said.kept)) == list(map(str, said.kept))
    assert "episode 4, field rows[*].x: 1 of 2 positions" in str(said.kept[0])


def test_a_large_table_opens_with_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # nothing is kept, so that the table is read both times
    monkeypatch.setenv("NAVVIZ_CACHE", os.devnull)
    path = _file(tmp_path)
    save_mapping(_mapping(), path)
    means = open_run(path).scores.means
    monkeypatch.setattr(engine, "WHOLE_ROWS", 3)
    run = open_run(path)
    assert isinstance(run.traces, TableTraces)
    assert run.scores.means == means
    assert run.traces["hall-1"].steps[0].calls[0].thoughts == "Go on."


def test_a_preview_reads_the_first_entries_alone(tmp_path: Path) -> None:
    traces, is_cut = engine.read_first(_mapping(), _file(tmp_path), None, Problems(), 2)
    assert (list(traces), is_cut) == (["1", "2"], True)
    traces, is_cut = engine.read_first(_mapping(), _file(tmp_path), None, Problems(), 20)
    assert (len(traces), is_cut) == (4, False)


def test_the_head_of_a_table_is_enough_to_guess(tmp_path: Path) -> None:
    rows = [f"e{k // 50},{k % 50}.0,{k},0" for k in range(5_000)]
    path = _file(tmp_path, "\n".join(["episode,x,y,z", *rows]))
    layout = structure(path)
    assert len(layout.documents[0]) == 2_000
    assert lines_of(layout)[0][2] == "list of up to 5,000"
    assert guess(layout).group_by == ("episode",)
    lines = "\n".join('{"episode": 1, "x": 1}' for _ in range(2_001))
    path = _file(tmp_path, lines, "log.jsonl")
    assert lines_of(structure(path))[0][2] == "list of more than 2,000"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n", [("1", "2")]),
        ("\ufeffa,b\r\n1,2\r\n\r\n", [("1", "2")]),
        ('a;b\n"1;5";2,5\n', [("1;5", "2.5")]),
        ("a|b\n1|2", [("1", "2")]),
        ('a,b\n"1\n5","say ""hi"""\n', [("1\n5", 'say "hi"')]),
        ("# by me\n\n// again\na,b\n007,2\n", [("007", "2")]),
        ("a,b\n1\n2,3,4\n", [("1", None)]),
        ("a,b,b\n1,2,3\n", [("1", "3")]),
        ("a,b\n", []),
    ],
)
def test_spellings_of_a_table(text: str, rows: list[tuple[str, ...]], tmp_path: Path) -> None:
    table = read_table(_file(tmp_path, text), "csv")
    assert [(row["a"], row["b"]) for row in table.rows()] == rows


def test_groups_keep_the_order_of_their_first_rows(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([{"k": k, "n": n} for n, k in enumerate([3, 1, None, 3, 2, 1])])
    path = tmp_path / "t.parquet"
    parquet.write_table(table, path)
    groups = grouped_table(read_table(path, "parquet"), ["k"])
    numbers = [[row["n"] for row in groups[at]["rows"]] for at in range(len(groups))]
    assert (numbers, groups.nameless) == ([[0, 3], [1, 5], [4]], 1)
    everything = grouped_table(read_table(path, "parquet"), [])
    assert [len(everything[at]["rows"]) for at in range(len(everything))] == [6]


def test_columns_that_count_are_one_list() -> None:
    names = ["id", "x_0", "x_1", "y1", "y2", "z_0", "z_2", "t[0]", "t[1]", "v_0", "v_1", "v"]
    assert numbered_columns(names) == {"x": (1, 2), "y": (3, 4), "t": (7, 8)}


@pytest.mark.parametrize("content", [b"\x00\x01" * 50, b"PAR1garbage", b"\x89PNG\r\n"])
def test_what_is_no_table_is_one_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"log\.csv"):
        read_table(path, "parquet")
    if not content.isascii():
        with pytest.raises(InputError, match=r"log\.csv"):
            read_table(path, "csv")


def test_rows_that_do_not_follow_their_steps_are_named(tmp_path: Path) -> None:
    rows = [f"e{k // 4},{k % 4},{k % 4}.5,0,0" for k in range(12)]
    rows[1], rows[2] = rows[2], rows[1]
    said = Problems()
    path = _file(tmp_path, "\n".join(["episode,Step,x,y,z", *rows]))
    engine.read_log(guess(structure(path)), path, None, None, said)
    [problem] = map(str, said.kept)
    assert problem == (
        f"{path.name}, field Step: the rows of 1 of 3 episodes do not follow their Step; sort the"
        " table by it; the walks are read as the rows stand."
    )
    rows[1], rows[2] = rows[2], rows[1]
    sound = Problems()
    path = _file(tmp_path, "\n".join(["episode,Step,x,y,z", *rows]))
    engine.read_log(guess(structure(path)), path, None, None, sound)
    assert not sound.kept, "each episode begins with step 0 again"


def test_texts_of_parquet_that_are_plain_bytes(tmp_path: Path) -> None:
    """Older writers mark no column as text; pictures are bytes that stay bytes."""
    names = pa.array([b"a", b"a", b"b", b"b"])
    columns = {"episode": names, "x": [0.0, 1.0, 0.0, 2.0], "y": [0.0] * 4, "z": [0.0] * 4}
    path = tmp_path / "walks.parquet"
    parquet.write_table(pa.table({**columns, "picture": pa.array([b"\xff\xd8"] * 4)}), path)
    traces = engine.read_log(guess(structure(path)), path, None, None, Problems())
    assert [len(trace.steps) for trace in traces.values()] == [1, 1]
    assert list(traces) == ["a", "b"]
