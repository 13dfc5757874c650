"""A house in the player's document: floors, stairs, rooms, doors, and how far it is to the goal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navviz.formats import open_episodes, open_worlds
from navviz.records import EndEvent, Episode, Step, Trace, TraceHeader
from navviz.views.player.cut import cut_graph
from navviz.views.player.document import replay_document
from navviz.views.player.floor_plan import house_of
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


@pytest.fixture
def episode():
    return open_episodes(HOUSE / "R2R_sample.json").episodes["102_0"]


def jumping(episode: Episode) -> Trace:
    step = Step(index=1, node=episode.start, path=(episode.start, episode.goal))
    end = EndEvent(status="done", node=episode.goal)
    return Trace(header=TraceHeader(episode=episode, navigator="walk"), steps=(step,), end=end)


def test_the_document_tells_floors_stairs_rooms_and_doors(house, episode):
    document = replay_document(jumping(episode), house)
    inside = document["indoor"]
    assert [floor["name"] for floor in inside["floors"]] == ["Ground floor", "Upper floor"]
    assert len(inside["floor_of"]) == len(document["nodes"]["ids"]) == len(house)
    assert all(document["nodes"]["at"][3 * k + 2] > 1.0 for k in inside["stairs"])
    assert {room["name"] for room in inside["rooms"]} >= {"hall", "kitchen", "bathroom"}
    assert all(door["floor"] in {0, 1} for door in inside["doors"])
    assert document["steps"][0]["jumps"] == [0]
    assert document["steps"][0]["to_goal_m"] == 0.0


def test_the_distance_to_the_goal_is_walked_not_flown(house, episode):
    step = Step(index=1, node=episode.start)
    trace = Trace(
        header=TraceHeader(episode=episode, navigator="w"),
        steps=(step,),
        end=EndEvent(status="done"),
    )
    value = replay_document(trace, house)["steps"][0]["to_goal_m"]
    assert value == pytest.approx(house.geodesic_m(episode.start, episode.goal), abs=0.06)
    assert value > house.distance_m(episode.start, episode.goal) + 5


def test_drawings_that_do_not_fit_are_passed_over(house):
    graph = house.subgraph(house.ids)
    bad = {
        "rooms": [{"name": "x", "floor": 9, "box_m": [0, 0, 1, 1]}, {"floor": 0}, 3],
        "doors": "none",
    }
    graph.info = replace(house.info, rooms=bad)
    inside = house_of(graph, cut_graph(graph, []))
    assert inside is not None
    assert inside.rooms == []
    assert inside.doors == []


@pytest.mark.data
def test_all_scans_become_documents(data_dir):
    worlds = open_worlds(data_dir / "mp3d")
    for scan in worlds.names:
        graph = worlds(scan)
        episode = Episode(
            id="1", dataset="R2R", instruction="Look.", world=scan, start=graph.ids[0]
        )
        document = replay_document(
            Trace(header=TraceHeader(episode=episode, navigator="none")), graph
        )
        assert len(document["indoor"]["floor_of"]) == len(graph)
        assert len(document["links"]) == len(graph.targets)
