"""What is said of a file that is nearly right: by its name for the fault, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.errors import InputError, Problems
from navviz.formats import open_graph, open_results, open_worlds
from navviz.formats.files import invalid_json, json_items
from navviz.support.installation.files import samples_dir
from tests.worlds import write_states, write_world


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,\n "b": }\n', "is invalid JSON at line 2"),
        ("[1,\n2,\n3 4]", "is invalid JSON at line 3"),
        ('{"a": 1}\n{"b": \n{"c": 3}\n', "is invalid JSON at line 2"),
        ('{"a": 1}\n{"b": 2}\n', None),
        ('{"a": 1}', None),
        ("no JSON at all", None),
        ("", None),
        ("[" * 100_000, "is JSON that is nested too deeply"),
    ],
)
def test_where_a_file_breaks(tmp_path: Path, text: str, said: str | None) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    assert invalid_json(path) == said


def test_a_file_that_breaks_is_called_invalid_and_not_unknown(tmp_path: Path) -> None:
    path = tmp_path / "walks.json"
    path.write_text('{\n"1": {,\n')
    with pytest.raises(
        InputError, match=r"walks.json: is invalid JSON at line 2; mend it or get the file again"
    ):
        open_results(path, open_worlds(write_world(tmp_path)))


def test_what_comes_before_the_break_is_shown_and_the_line_told(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"a": 1,\n"b": 2,\n"c": oh}')
    problems = Problems()
    assert list(json_items(path, problems)) == [("a", 1), ("b", 2)]
    assert "is invalid JSON at line 3: it breaks after 2 items" in str(problems.kept[0])


def test_groke_results_with_a_house_are_told_that_they_walk_on_streets(tmp_path: Path) -> None:
    results = write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "e1"]}})
    houses = samples_dir() / "house" / "connectivity"
    with pytest.raises(
        InputError,
        match=r"walks\.json: these results walk on a street map, and the graph is a house",
    ):
        open_results(results, open_graph(houses))
    with pytest.raises(InputError, match="these results walk on a street map"):
        open_results(results, lambda world: open_graph(houses, world or "no such house"))
