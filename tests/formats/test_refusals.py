"""A refusal says what the file looks like, and the smallest form that opens."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from navviz.errors import UnknownFormatError
from navviz.formats import open_episodes, open_graph, open_results, open_worlds
from navviz.formats.passed_over import look_of, refusal


@pytest.mark.parametrize(
    ("text", "look"),
    [
        (json.dumps({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}), "a JSON object with a, b, c, d …"),
        (json.dumps([{"walk": 1}]), "a JSON list of objects with walk"),
        ("[1, 2]", "a JSON list"), ("{}", "a JSON object with no keys"),
        ('{"a": 1}\n{"a": 2}\n', "JSON lines, a JSON object with a each"),
        ("a,b\n1,2\n", "a table (csv)"), ("<html>", "text or something else than data"),
    ],
)  # fmt: skip
def test_what_a_file_looks_like(tmp_path: Path, text: str, look: str) -> None:
    path = tmp_path / ("log.csv" if "csv" in look else "log.json")
    path.write_text(text)
    assert look_of(path) == look


def test_each_kind_names_its_smallest_form(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps([{"walk": [1]}]))
    with pytest.raises(UnknownFormatError) as results:
        open_results(path, open_worlds)  # type: ignore[arg-type]
    assert "it looks like a JSON list of objects with walk" in str(results.value)
    assert 'the smallest file that opens is [{"instr_id"' in str(results.value)
    assert "navviz data map /" in str(results.value)
    with pytest.raises(UnknownFormatError, match=r'opens is \[\{"scan"'):
        open_episodes(path)
    with pytest.raises(UnknownFormatError, match=r"opens is nodes\.txt"):
        open_graph(path)


def test_the_smallest_forms_do_open(tmp_path: Path) -> None:
    from navviz.formats import format_of
    from navviz.formats.passed_over import _SMALLEST

    for kind in ("episodes", "results"):
        path = tmp_path / f"{kind}.json"
        path.write_text(_SMALLEST[kind])
        assert format_of(kind, path)  # type: ignore[arg-type]


def test_hostile_keys_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"<img src=x onerror=alert(1)>" * 50: 1}))
    assert len(look_of(path)) < 60


def test_a_command_in_a_sentence_can_be_pasted(tmp_path: Path) -> None:
    path = tmp_path / "my $(log) of today, with a name of more than 30 letters.json"
    path.write_text('{"runs": [{"a": 1}]}')
    sentence = str(refusal(path, "results"))
    command = sentence.rpartition("navviz data map ")[2].removesuffix(".")
    assert shlex.split(command) == [str(path)]
