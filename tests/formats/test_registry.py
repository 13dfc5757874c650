"""Choosing a reader by content."""

from __future__ import annotations

import json

import pytest

from navviz.errors import InputError, UnknownFormatError
from navviz.formats import discover, open_episodes, open_graph, open_results, open_worlds
from tests.grids import episode, grid, split_item, state_item, straight, write_grid, write_json

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


@pytest.mark.parametrize(
    "content",
    [
        "hello",
        "[]",
        "{}",
        '{"a": 1}',
        '[{"a": 1}]',
        '{"5": {"osm_path": []}',
        "1,2,3",
        "<xml/>",
        "[1,",
        "\x00",
    ],
)
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
