"""What once broke NavViz, or became wrong data unsaid: each is a sentence, or a named problem."""

from __future__ import annotations

import base64
import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from navviz.annotation.exchange import Format, parse
from navviz.annotation.tickets import read_ticket
from navviz.errors import SENTENCE, InputError
from navviz.formats import open_episodes, open_graph, open_results
from navviz.runs.opened import load
from navviz.runs.sources import from_folder, from_path
from navviz.support.installation.files import samples_dir
from navviz.views.player.cut import cut_graph
from navviz.views.player.floor_plan import floor_shapes, house_of
from navviz.world.floors import find_floors
from tests.grids import grid, split_item, state_item, straight, write_grid, write_json

PATH = straight()
DIFFICULTY = {"cognitive": 3, "spatial": 4, "execution": 2}


def _refused(text: str, form: Format) -> str:
    with pytest.raises(InputError) as caught:
        parse(text, form, file="import")
    return _short(str(caught.value))


def _told(text: str, form: Format) -> tuple[int, list[str]]:
    imported, problems = parse(text, form, file="import")
    return len(imported), [_short(str(problem)) for problem in problems.kept]


def _short(said: str) -> str:
    assert len(said) <= SENTENCE
    assert "report it" not in said
    return said


@pytest.mark.parametrize("label", [[1], {}, [], 2])
def test_groke_ratings_with_lists(label):
    entries = {
        "5": {"complexity": DIFFICULTY, "human_annotation": label},
        "6": {"human_annotation": "1"},
    }
    count, messages = _told(json.dumps(entries), "groke")
    assert count == 2
    assert [one for one in messages if "episode 5" in one]


@pytest.mark.parametrize(
    "levels", [[1, 2], "3", {"cognitive": [3], "spatial": {}, "execution": None}]
)
def test_groke_ratings_with_other_levels(levels):
    count, messages = _told(
        json.dumps({"5": {"complexity": levels, "human_annotation": "1"}}), "groke"
    )
    assert (count, len(messages)) in {(1, 0), (1, 1)}


@pytest.mark.parametrize(
    "task",
    [
        {"data": 5, "annotations": [{"result": []}]},
        {"data": {}, "annotations": 5},
        {"data": {}, "annotations": [5, None, "x"]},
        {"data": {"task": ["difficulty"]}, "annotations": [{"result": 7}]},
        {"data": {"task": "failure"}, "annotations": [{"result": [{"from_name": "failure", "value": {"taxonomy": 5}}]}]},
        {"data": {"task": "failure"}, "annotations": [{"result": [{"from_name": "failure", "value": {"taxonomy": [[]]}}]}]},
        {"data": {"task": "skill"}, "annotations": [{"result": [{"from_name": "skill", "value": {"choices": {}}, "meta": {}}]}]},
        {"data": {"task": "mentions"}, "annotations": [{"result": [{"from_name": "landmark", "value": {}, "meta": [1]}]}]},
        {"data": {"task": "follow"}, "annotations": [{"result": [{"from_name": "walk", "value": {"text": 5}, "meta": 5}]}]},
        {"data": {}, "annotations": [{"result": [{"from_name": [1], "value": {"choices": 3}}]}]},
        {"data": {}, "annotations": [{"result": [{"from_name": "navigable", "value": {"choices": [["yes"]]}}]}]},
    ],
)  # fmt: skip
def test_label_studio_with_other_types_inside(task):
    good = {
        "data": {"task": "navigability", "episode": "5", "dataset": "d"},
        "annotations": [
            {
                "completed_by": 1,
                "result": [{"from_name": "navigable", "value": {"choices": ["yes"]}}],
            }
        ],
    }
    count, messages = _told(json.dumps([task, good]), "label_studio")
    assert count == 1
    assert messages or not isinstance(task["annotations"], list)


def test_a_table_that_csv_refuses():
    long = "x" * (csv.field_size_limit() + 10)
    assert "import:2: is no table (field larger" in _refused(
        f'episode,task,annotator\n"{long}",a,b\n', "csv"
    )
    assert "lacks the column" in _refused("a,b\n1,2\n", "csv")
    assert "lacks the column" in _refused("", "csv")
    text = 'episode,task,annotator,navigable\n5,navigability,ann,true,more,"cells\n6\0,x'
    assert _told(text, "csv") == (1, [])
    assert _told(text.replace("true", "[1]"), "csv")[0] == 0


def test_a_version_that_is_no_number():
    for version in ('"9"', "[1]", "null", "1e300", "2"):
        line = '{"type": "navviz-annotations", "version": ' + version + "}\n"
        assert "has version" in _refused(line, "jsonl")
    count, messages = _told(
        '{"type": "navviz-annotations", "version": 1}\n{"type": "rating", "item": [1]}', "jsonl"
    )
    assert (count, len(messages)) == (0, 1)


def test_an_instruction_that_is_a_number_is_told(tmp_path):
    items = [split_item(PATH, 1), {**split_item(PATH, 2), "instructions": 5}]
    read = open_episodes(write_json(tmp_path / "split.json", items))
    assert read.problems.count == 1
    assert "instructions" in str(read.problems.kept[0])


def test_one_heading_that_is_no_number_leaves_the_others_of_the_split(tmp_path):
    entry = {"scan": "s", "path": ["a", "b"], "heading": 1.5, "instructions": ["Go."], "path_id": 1}
    text = json.dumps(
        [
            entry,
            {**entry, "path_id": 2, "heading": float("nan")},
            {**entry, "path_id": 3, "heading": 10**400},
        ]
    )
    (tmp_path / "R2R_val_seen.json").write_text(text)
    read = open_episodes(tmp_path / "R2R_val_seen.json")
    assert [round(episode.start_heading_deg or 0) for episode in read.episodes.values()] == [86]
    assert [problem.field for problem in read.problems.kept] == ["heading", "heading"]


@pytest.mark.parametrize(
    "text",
    [
        "<graphml/>",
        "<graphml><graph><node id='1'/></graph></graphml>",
        "<graphml><graph edgedefault='directed'><node id='1'><data key='x'>a</data></node></graph></graphml>",
        (
            "<graphml><key id='x' for='node' attr.name='x' attr.type='string'/><graph edgedefault='directed'>"
            "<node id='1'><data key='x'>nan</data></node><edge source='1' target='9'/></graph></graphml>"
        ),
        "\0\0",
        "",
        "<" * 100_000,
    ],
)
def test_graphml_that_networkx_cannot_take(tmp_path, text):
    (tmp_path / "town.graphml").write_text(text)
    with pytest.raises(InputError) as caught:
        open_graph(tmp_path / "town.graphml")
    _short(str(caught.value))


def test_links_to_pois_that_are_gone_are_told(tmp_path):
    folder = write_grid(tmp_path / "town")
    (folder / "graph" / "poi_links.txt").write_text("")
    problems = [str(problem) for problem in open_graph(folder).info.problems.kept]
    assert any("poi_links.txt: holds no link; no POI is linked" in one for one in problems)


def test_folders_with_the_names_of_files(tmp_path):
    for name in (
        "split.json",
        "run.trace.jsonl",
        "town.osm",
        "nodes.txt",
        "links.txt",
        "run.json",
        "a.jsonl.gz",
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").write_text("x")
    for path in (tmp_path, *tmp_path.iterdir()):
        for opened in (
            open_graph,
            open_episodes,
            lambda p: open_results(p, grid()),
            from_path,
            from_folder,
        ):
            with pytest.raises(InputError) as caught:
                opened(path)
            _short(str(caught.value))


def test_a_locked_subfolder_leaves_the_rest_of_a_folder(tmp_path, monkeypatch):
    """As on a lab server: neither its name may be looked at nor what it holds; root may all, so it
    is played.
    """
    write_grid(tmp_path / "town")
    write_json(tmp_path / "states.json", {"5": state_item(PATH, ["r0c0", "r0c4"])})
    locked = tmp_path / "locked"
    locked.mkdir()
    write_json(locked / "states.json", {})
    real_stat, real_list = Path.stat, os.scandir

    def stat(self: Path, **more: bool) -> os.stat_result:
        if locked in self.parents:
            raise PermissionError(13, "Permission denied", str(self))
        return real_stat(self, **more)

    def scandir(path: str | Path | int = ".") -> Any:
        # `shutil.rmtree` of the cache's own folders lists by a number
        if not isinstance(path, int) and Path(path) == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return real_list(path)

    monkeypatch.setattr(Path, "stat", stat)
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(
        Path, "iterdir", lambda self: (self / entry.name for entry in list(scandir(self)))
    )
    assert list(load(from_folder(tmp_path)[0]).traces) == ["5"]
    with pytest.raises(InputError, match="Permission denied"):
        from_folder(locked)
    with pytest.raises(InputError, match=r"Permission denied|is not there"):
        from_path(locked / "states.json")


def test_numbers_and_letters_that_json_cannot_carry_leave_table_and_document_whole(tmp_path):
    write_grid(tmp_path / "town")
    state = state_item(PATH, ["r0c0", "r0c2", "r0c4"])
    state |= {
        "full_instructions": "Go \ud83d on.",
        "initial_headings": float("nan"),
        "more": [float("inf"), 10**400],
    }
    write_json(tmp_path / "states.json", {"5": state})
    run = load(from_folder(tmp_path)[0])
    document = run.trace("5").model_dump_json()
    json.loads(document, parse_constant=lambda name: pytest.fail(f"{name} in a document"))
    document.encode()
    assert "Go" in run.table().to_json()


@pytest.mark.parametrize(
    "drawing",
    [
        {"rooms": [{"floor": 0, "box_m": [0, 0, 1, 1]}, 5, {"name": 5, "floor": 9, "box_m": 7}, None]},
        {"rooms": 5, "doors": {}, "floors": "x", "outlines": 5},
        {"outlines": [5, {}, {"node": 1}, {"node": [1], "outline_m": 5}, {"node": "FIRST", "outline_m": [[0, 0], [1, 0], [1, 1]]}]},
        {"outlines": [{"node": "FIRST", "name": 7, "outline_m": [[0, 0], [1, None]]}]},
    ],
)  # fmt: skip
def test_rooms_without_a_name_or_of_another_shape_leave_the_house_whole(tmp_path, drawing):
    house = samples_dir() / "house"
    shutil.copytree(house / "connectivity", tmp_path / "connectivity")
    graph = open_graph(tmp_path / "connectivity")
    (tmp_path / "rooms").mkdir()
    text = json.dumps(drawing).replace("FIRST", graph.ids[0])
    (tmp_path / "rooms" / f"{graph.name}.json").write_text(text)
    graph = open_graph(tmp_path / "connectivity")
    floors = find_floors(graph)
    for floor in range(len(floors)):
        floor_shapes(graph, floors, floor)
    assert house_of(graph, cut_graph(graph, graph.ids[:3])) is not None


@pytest.mark.parametrize(
    "message", ["[" * 50_000, '["fox", NaN]', '["fox", ' + "9" * 5000 + "]", "\ud83d", "5"]
)
def test_a_cookie_that_holds_anything_is_no_ticket(message):
    head = base64.urlsafe_b64encode(message.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    assert read_ticket(f"{head}.signature") is None
