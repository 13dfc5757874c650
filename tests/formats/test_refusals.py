"""Choosing a reader, and what is said of a file that none takes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from navviz import formats
from navviz.errors import InputError, Problems, UnknownFormatError
from navviz.formats import discover, open_episodes, open_graph, open_results, open_worlds
from navviz.formats.files import invalid_json, json_items
from navviz.formats.passed_over import look_of, refusal
from navviz.support.installation.files import samples_dir
from tests.grids import episode, grid, split_item, state_item, straight, write_grid, write_json
from tests.worlds import write_states, write_world


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


def test_a_reader_is_found_while_another_thread_empties_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Forgetful(dict[tuple[object, ...], object]):
        """A cache that another thread empties right after each entry."""

        def __setitem__(self, key: tuple[object, ...], value: object) -> None:
            super().__setitem__(key, value)
            self.clear()

    monkeypatch.setattr(formats, "_RECOGNISED", Forgetful())
    folder: Path = samples_dir() / "harbour" / "runs" / "rules"
    assert formats.is_results(folder)
    assert formats.format_of("results", folder) == "NavViz traces"


PATH = straight()


def test_one_graph_serves_every_world_and_is_read_once(tmp_path):
    worlds = open_worlds(write_grid(tmp_path / "town"))
    assert worlds.names == ("town",)
    assert worlds("") is worlds("anything")


@pytest.mark.parametrize(
    "opened", [open_graph, open_episodes, lambda path: open_results(path, grid())]
)
def test_nothing_there_is_told(tmp_path, opened):
    with pytest.raises(InputError, match="there is no such"):
        opened(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        InputError, match=r"empty: the folder is empty; choose a folder that holds data\."
    ):
        opened(tmp_path / "empty")
    (tmp_path / "empty.json").touch()
    with pytest.raises(InputError, match=r"empty\.json: the file is empty"):
        opened(tmp_path / "empty.json")


@pytest.mark.parametrize("content", [
    "hello", "[]", "{}", '{"a": 1}', '[{"a": 1}]', '{"5": {"osm_path": []}', "1,2,3", "<xml/>",
    "[1,", "\x00",
])  # fmt: skip
def test_a_foreign_file_is_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "foreign.json"
    path.write_text(content)
    for opened in (open_episodes, lambda p: open_results(p, grid())):
        with pytest.raises(UnknownFormatError) as caught:
            opened(path)
        assert str(caught.value).startswith(str(path))
        assert str(caught.value).count("\n") == 0
    with pytest.raises(InputError):
        open_graph(path)


def test_a_folder_of_other_things_is_no_graph(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(UnknownFormatError, match="no graph that NavViz knows"):
        open_graph(tmp_path)


def test_discover_lists_what_a_folder_holds(tmp_path):
    town = write_grid(tmp_path / "town")
    split = write_json(town / "splits" / "a.json", [split_item(PATH)])
    states = write_json(tmp_path / "results" / "s.json", {"1": state_item(PATH, ["r0c0"])})
    write_json(tmp_path / "results" / "foreign.json", {"1": 2})
    found = discover(tmp_path)
    assert found.graphs == (town / "graph",)
    assert found.results == (states,)
    assert set(found.episodes) == {split, states}
    assert bool(found)


def test_discover_of_nothing(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    assert not discover(tmp_path)


def test_html_in_texts_stays_text(tmp_path):
    evil = "<script>alert(1)</script>"
    path = write_json(tmp_path / "s.json", [split_item(PATH, evil, instructions=evil)])
    own_episode = open_episodes(path).episodes[evil]
    assert (own_episode.id, own_episode.instruction) == (evil, evil)
    assert json.loads(own_episode.model_dump_json())["instruction"] == evil


def test_episodes_may_come_from_elsewhere(tmp_path):
    path = write_json(tmp_path / "s.json", {"1": state_item(PATH, ["r0c0", "r0c4"])})
    (run,) = open_results(path, lambda _world: grid(), {"1": episode(PATH, "1")})
    assert run.episodes["1"].dataset == "grid"


@pytest.mark.data
def test_discover_finds_the_published_data(data_dir, tmp_path):
    # the rest of the folder, 8 seconds more, is found by the same rules
    for name in ("map2seq", "map2seq_pano", "groke"):
        (tmp_path / name).symlink_to(data_dir / name)
    found = discover(tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in found.graphs} >= {
        "map2seq/osm/graph",
        "map2seq_pano/graph",
    }
    names = {path.name for path in found.results}
    assert names >= {
        "main_test_seen.json",
        "test_seen.json",
        "test_seen_json.json",
        "ablation_study_json",
    }
    assert {"val.json", "test_seen.json", "dev.json"} <= {path.name for path in found.episodes}
