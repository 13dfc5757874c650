"""What leaves the server for one item: blind maps hold no agent, and *Follow it* neither route nor
goal.
"""

import json

import pytest

from navviz.annotation.records import Follow, Item, Queue
from navviz.annotation.store import AnnotationStore, DeskAction
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError
from navviz.formats import open_graph, open_results
from navviz.runs.opened import load, open_run, workspace_dir, workspace_runs
from navviz.runs.sources import opened_from_environment, samples
from navviz.systems.human.navigator import HumanWalk
from navviz.ui.annotate.desk import walked
from navviz.ui.annotate.sheets import blind_sheet, route_pictures, sheet_of, walk_sheet


@pytest.fixture
def run(opened):
    return load(next(source for source in opened_from_environment() if source.name == "walks/json"))


@pytest.mark.parametrize("task", ["navigability", "difficulty", "mentions"])
def test_a_blind_sheet_holds_the_route_and_no_walk(run, task):
    document = sheet_of(run, task, "2", None)["document"]  # type: ignore[arg-type]
    ids = document["nodes"]["ids"]
    assert [ids[node] for node in document["reference"]] == ["s1", "s0", "x", "e0", "e1"]
    assert (document["steps"], document["metrics"], document["strings"], document["navigator"]) == (
        [],
        {},
        [],
        "",
    )
    text = json.dumps(document)
    assert "walks" not in text
    assert "json" not in text
    assert document.get("divergence") is None
    assert document.get("end") is None
    assert document["planning"]["sub_goals"] == document["planning"]["landmarks"] == []


def test_words_of_the_text_are_linked_to_their_places(run):
    sheet = sheet_of(run, "mentions", "1", None)
    [mark] = sheet["marks"]
    text = run.trace("1").episode.instruction
    assert text[mark["start"] : mark["end"]] == "light"
    assert [sheet["document"]["pois"][poi]["id"] for poi in mark["pois"]] == ["x"]
    assert {place["id"]: place["name"] for place in sheet["places"]}["p1"] == "Blue Door Café"


def test_following_tells_neither_route_nor_goal(run):
    walk = HumanWalk(run.trace("1").episode, run.graph("1"), "fox")
    sheet = walk_sheet(walk)
    document = sheet["document"]
    assert document["reference"] == []
    assert "goal" not in document["episode"]
    assert document["episode"]["tasks"] == document["streets"][9:] == []
    offered = {node for way in walk.place.routes.values() for node in way}
    in_sight = {*walk.place.observation.visible_nodes, *offered}
    assert set(document["nodes"]["ids"]) == in_sight, "nothing but what can be seen or walked to"
    assert sheet["stand"]["here"] == "s1"
    walk.choose("x")
    assert walk_sheet(walk)["stand"]["taken"] == ["x"]


def test_real_walks_stay_hidden(data_dir):
    run = open_run(
        data_dir / "groke/paper_results/test_seen_json.json", graphs=data_dir / "map2seq/osm/graph"
    )
    for key in list(run.traces)[:5]:
        trace, graph = run.trace(key), run.graph(key)
        text = json.dumps(blind_sheet(trace.episode, graph)["document"])
        assert all(name not in text for name in ("nDTW", "SDTW", "groke", "test_seen_json"))
        followed = walk_sheet(HumanWalk(trace.episode, graph, "fox"))
        ids = set(followed["document"]["nodes"]["ids"])
        assert trace.episode.reference_path[-1] not in ids
        assert len(ids) < 60
        assert followed["document"]["reference"] == []


def test_a_landmark_is_marked_in_one_face_of_a_skybox_the_one_ahead_first():
    house = load(next(source for source in samples() if source.name == "house/rules-indoors"))
    episode = house.trace("108_0").episode
    graph = house.graph("108_0")
    sheet = blind_sheet(episode, graph, route_pictures(house, episode))
    route = list(dict.fromkeys((episode.start, *episode.reference_path)))
    assert len(sheet["pictures"]) == 4 * len(route), "four level faces of each place"
    first = [sheet["pictures"][4 * k] for k in range(len(route))]
    assert all(", ahead, " in picture["caption"] for picture in first)
    lefts = {round(picture["cut"][0] * 6 / 100) for picture in sheet["pictures"]}
    assert lefts == {1, 2, 3, 4}, "neither up nor down"


def test_a_replay_comes_with_its_suggestions(run):
    sheet = sheet_of(run, "failure", "2", bundled_taxonomy())
    assert "E1.1" in [offer["code"] for offer in sheet["suggestions"]]
    assert sheet["document"]["steps"]


def test_a_walk_becomes_a_rating_and_a_trace_that_opens_like_any_other(run, store):
    queue = Queue(
        name="q", task="follow", items=(Item(dataset="map2seq", episode="1"),), source="walks/json"
    )
    action = DeskAction(
        id="window-1", kind="walk", item=queue.items[0], choices=("x", "e1"), seconds=12.34
    )
    rating = walked(store.sign_in("fox"), queue, action)
    assert rating == Follow(
        walk=("s1", "s0", "x", "e0", "e1"),
        distance_m=0.0,
        success=True,
        gave_up=False,
        elapsed_s=12.3,
    )
    [source] = workspace_runs()
    assert source.name == "human-fox"
    [read] = open_results(source.results, open_graph(next(iter(source.graphs))))
    assert read.traces["1"].path == rating.walk
    assert read.traces["1"].header.navigator == "human"
    with pytest.raises(InputError, match="not in sight"):
        walked(store.sign_in("fox"), queue, action.model_copy(update={"choices": ("nowhere",)}))


@pytest.fixture
def store(opened):
    return AnnotationStore(f"sqlite:///{workspace_dir() / 'other.sqlite3'}")
