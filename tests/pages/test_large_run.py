"""Explore shows a large run's list before it is measured, and says how far that is."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from navviz.analysis.kept.marks import keep_marks, marks_place
from navviz.formats import open_graph
from navviz.runs.index import build, indexed
from navviz.runs.index.kept import KeptRun
from navviz.runs.opened import OPEN_VARIABLE, load
from navviz.runs.sources import Source
from navviz.support.installation.files import samples_dir
from navviz.ui.components import pickers
from navviz.ui.data import packed_list
from tests.pages.listed import listed

HARBOUR = samples_dir() / "harbour"
GRAPH = HARBOUR / "osm" / "graph"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A run of 14 walks that counts as large, of which only the ends were read; nobody measures by
    himself.
    """
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(indexed, "AT_ONCE", 9)
    monkeypatch.setattr(build, "start", lambda *_: None)
    build._LAST.clear()
    folder = tmp_path / "many"
    folder.mkdir()
    for file in (HARBOUR / "runs" / "rules").glob("*.trace.jsonl"):
        (folder / file.name).write_bytes(file.read_bytes())
    load(Source("many", "opened", (GRAPH,), None, folder), lambda _path, _world: open_graph(GRAPH))
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(GRAPH), "results": str(folder)}))
    return KeptRun(folder, (GRAPH,))


def test_the_list_stands_before_it_is_measured_and_fills(place, page):
    at = page("explore", run="many")
    values = {tile.label: tile.value for tile in at.metric}
    assert values["Success rate"] == "71.4 %"
    assert values["nDTW"] == "–"
    assert at.metric[0].delta.endswith("n 14")
    assert len(listed(at)) == 14
    at.button(key="explore_measure_stop").click().run()
    at.button(key="explore_measure_on").click().run()
    build.build(place)
    at.run()
    assert not [button for button in at.button if str(button.key).startswith("explore_measure")]
    assert {tile.label: tile.value for tile in at.metric}["nDTW"] != "–"
    assert listed(at)["nDTW"].notna().all()


def test_why_nothing_can_be_measured_is_said_and_it_can_be_tried_again(place, page):
    build._note(place, {"sentence": "many: the graph is gone."}, ".fault")
    at = page("explore", run="many")
    assert [error.value for error in at.error] == ["many: the graph is gone."]
    at.button(key="explore_measure_again").click().run()
    assert not at.error
    assert at.button(key="explore_measure_stop")


def test_replay_offers_the_episodes_around(place, page, monkeypatch):
    monkeypatch.setattr(pickers, "_OFFERED", 4)
    at = page("replay", run="many", episode="14")
    offered = at.selectbox(key="pickers_episode").options
    assert [option.partition(" ")[0] for option in offered] == ["11", "12", "13", "14"]
    assert place.file.exists()


def test_what_goes_wrong_is_worked_out_beside_the_page_and_then_filters(place, page):
    build.build(place)
    at = page("explore", run="many", looks="all")
    at.button(key="explore_marks_stop").click().run()
    assert at.button(key="explore_marks_on")
    assert len(listed(at)) == 14
    keep_marks(marks_place(place.results, place.graphs))
    at.run()
    assert not [button for button in at.button if str(button.key).startswith("explore_marks")]
    filtered = page("explore", run="many", feature="scan: other-side")
    assert len(listed(filtered)) == 1


def test_a_column_that_is_as_it_was_is_not_packed_again(monkeypatch):
    made: list[int] = []
    begin = zlib.compressobj

    def counted(*given: int) -> object:
        made.append(1)
        return begin(*given)

    monkeypatch.setattr(packed_list.zlib, "compressobj", counted)
    columns = {
        "episode": ["1", "2"],
        "instruction": ['Go to the "bank".', "直走 ü"],
        "NE": [None, 3],
    }
    first = packed_list._zipped(columns)
    assert json.loads(gzip.decompress(first)) == columns
    assert len(made) == 4, "three columns, and the end"
    measured = columns | {"NE": [2.5, 3], "tags": []}
    assert json.loads(gzip.decompress(packed_list._zipped(measured))) == measured
    assert len(made) == 7, "what changed, what is new, and the end"
    assert packed_list._zipped(columns) == first, "equal rows are equal bytes"
    assert json.loads(gzip.decompress(packed_list._zipped({}))) == {}
