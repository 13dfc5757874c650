"""Looking into files that may be anything."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import InputError, Problems
from navviz.formats import open_episodes, open_graph, open_results
from navviz.formats.files import json_items, json_lines, peek, placed_lines
from navviz.records.trace_files import unfold
from tests.alphabets import UNICODE
from tests.grids import episode, grid, state_item, straight, trace, write_grid

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(UNICODE, max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(UNICODE, max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


@given(
    value=st.lists(_JSON, max_size=6)
    | st.dictionaries(st.text(UNICODE, max_size=8), _JSON, max_size=6),
    indent=st.sampled_from([None, 1]),
)
def test_items_are_those_of_the_json_module(tmp_path_factory, value, indent):
    path = _write(tmp_path_factory.mktemp("j") / "a.json", json.dumps(value, indent=indent))
    problems = Problems()
    found = list(json_items(path, problems))
    assert problems.count == 0
    if isinstance(value, dict):
        assert dict(found) == value
    else:
        assert [item for _, item in found] == value


@given(
    value=st.lists(
        st.dictionaries(st.text(UNICODE, max_size=4), st.integers(), max_size=3),
        min_size=1,
        max_size=5,
    ),
    data=st.data(),
)
def test_a_file_cut_anywhere_gives_a_prefix_and_one_problem(tmp_path_factory, value, data):
    text = json.dumps(value)
    cut = data.draw(st.integers(min_value=1, max_value=len(text) - 1))
    path = _write(tmp_path_factory.mktemp("j") / "a.json", text[:cut])
    problems = Problems()
    found = [item for _, item in json_items(path, problems)]
    assert found == value[: len(found)]
    assert problems.count == 1
    assert "a.json: is no whole JSON" in str(problems.kept[0])


def test_an_item_longer_than_a_chunk_is_whole(tmp_path):
    value = {"a": "x" * 3_000_000, "b": [1, 2, 3]}
    path = _write(tmp_path / "a.json", json.dumps(value))
    assert dict(json_items(path, Problems())) == value


def test_a_number_at_the_end_of_a_chunk_is_not_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("navviz.formats.files._CHUNK", 7)
    value = [12345678901, 2.5e10, 99]
    assert [
        item for _, item in json_items(_write(tmp_path / "a.json", json.dumps(value)), Problems())
    ] == value


def test_duplicate_keys_are_both_given(tmp_path):
    path = _write(tmp_path / "a.json", '{"a": 1, "a": 2}')
    assert list(json_items(path, Problems())) == [("a", 1), ("a", 2)]


@pytest.mark.parametrize("text", ["hello", "", "   \n", "\x00\x00\x00"])
def test_what_is_no_json_is_refused(tmp_path, text):
    with pytest.raises(InputError, match=r"a\.json: is (no JSON|empty)"):
        list(json_items(_write(tmp_path / "a.json", text), Problems()))


def test_lines_that_are_no_json_are_counted_and_skipped(tmp_path):
    path = _write(tmp_path / "a.jsonl", '{"a": 1}\nnonsense\n\n{"b": 2}\n{"c": ')
    problems = Problems()
    assert list(json_lines(path, problems)) == [(1, {"a": 1}), (4, {"b": 2})]
    assert [str(p).split(":")[1] for p in problems.kept] == ["2", "5"]
    assert "cut off" in str(problems.kept[1])


def test_deep_nesting_is_a_problem_and_no_crash(tmp_path):
    path = _write(tmp_path / "a.json", "[" * 100_000)
    problems = Problems()
    assert list(json_items(path, problems)) == []
    assert problems.count == 1
    assert peek(path).items == ()


def test_peek_sees_the_first_items_without_reading_on(tmp_path):
    path = _write(tmp_path / "a.json", json.dumps({str(i): {"n": i} for i in range(100)}))
    assert peek(path).items[:2] == (("0", {"n": 0}), ("1", {"n": 1}))
    assert len(peek(path).items) == 5


@pytest.mark.parametrize("head", [b"", b"{}\n", b'{"a": {"b": 1}, ', b"[", b"\x89PNG"])
def test_a_file_of_200_mb_is_refused_without_reading_it_all(tmp_path, head):
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.write(head)
        file.truncate(200_000_000)
    graph = grid()
    tracemalloc.start()
    for opened in (lambda: open_episodes(path), lambda: open_results(path, graph)):
        with pytest.raises(InputError, match=r"big\.json: .*; "):
            opened()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def _sparse(path: Path, head: str, size: int = 200_000_000) -> Path:
    with path.open("wb") as file:
        file.write(head.encode())
        file.truncate(size)
    return path


_HEADS = {
    "states.json": json.dumps({"5": state_item(straight(), ["r0c0", "r0c4"])})[:-1] + ",",
    "logs/step1_json.jsonl": json.dumps({"key": "5", "request": {"contents": []}}) + "\n",
    "a.trace.jsonl": next(iter(unfold(trace(episode(straight(), "5"), [])))).model_dump_json()
    + "\n",
}


@pytest.mark.parametrize("name", _HEADS)
def test_a_file_that_turns_into_200_mb_of_nothing_shows_its_beginning(tmp_path, name):
    (tmp_path / "logs").mkdir()
    path, graph = _sparse(tmp_path / name, _HEADS[name]), grid()
    tracemalloc.start()
    (run,) = open_results(path, graph)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert list(run.traces) == ["5"]
    assert run.problems.count > 0
    assert path.name in str(run.problems.kept[0])
    assert peak < 200_000_000


def test_a_table_of_700_mb_is_refused(tmp_path):
    folder = write_grid(tmp_path / "town")
    _sparse(folder / "graph" / "nodes.txt", "r0c0,48.0,11.0\n", 700_000_000)
    with pytest.raises(
        InputError,
        match=r"nodes\.txt: has 700 MB, more than NavViz reads \(600 MB\); cut the graph",
    ):
        open_graph(folder)


@pytest.mark.parametrize("read", [json_lines, placed_lines])
def test_a_line_that_grows_while_it_is_read_is_the_last_one(
    read: Callable[[Path, Problems], Iterator[tuple[object, ...]]], tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"a": 1}\n12')
    lines = read(path, Problems())
    assert next(lines)[-1] == {"a": 1}
    assert next(lines)[-1] == 12
    with path.open("a") as file:
        file.write('34\n{"b": 2}\n')
    assert list(lines) == [], "34 is no line of its own"
