"""Where instruction and route contradict each other: each kind on a toy grid, known episodes of
GROKE's run, and recall and false alarms on planted faults.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from navviz.analysis.contradictions import Claim, contradictions
from navviz.formats import open_graph
from navviz.records import Episode
from navviz.world.graph import Graph, Poi
from tests.analysis.planted_faults import (
    PLANTERS,
    claims_of,
    map2seq_episodes,
    panorama_world,
    planted,
    swapped_turn,
)
from tests.grids import LAT0, LON0, episode, grid, route, straight

STREETS = grid(9)
M_LAT = (STREETS.position("r1c0")[0] - LAT0) / 20.0
M_LON = (STREETS.position("r0c1")[1] - LON0) / 20.0


def place(key: str, name: str, east_m: float, north_m: float) -> Poi:
    return Poi(key, (LAT0 + north_m * M_LAT, LON0 + east_m * M_LON), {"shop": "yes", "name": name})


DELI = place("p1", "Corner Deli", 40.0, 12.0)
GRAPH = dataclasses.replace(STREETS, pois={"p1": DELI})
"""The deli stands beside the first street, 12 m to its north: on the left of who walks east."""
EAST_THEN_NORTH = route(GRAPH, "r0c0", "r0c4", "r4c4")
ZIGZAG = route(GRAPH, "r0c0", "r0c3", "r3c3", "r3c6", "r6c6")


def find(
    text: str, path: tuple[str, ...] = EAST_THEN_NORTH, graph: Graph = GRAPH, **changes: Any
) -> tuple[Claim, ...]:
    fields = {"start_heading_deg": 90.0, **changes}
    own_episode = episode(path, **fields).model_copy(update={"instruction": text})
    return contradictions(own_episode, graph)


# --- turns


def test_a_turn_to_the_other_side_is_found_where_it_stands():
    text = "Go through three intersections. Turn right at the fourth intersection. Stop there."
    (claim,) = find(text)
    assert claim.kind == "turn"
    assert claim.words is not None
    assert text[slice(*claim.words)] == claim.named == "right"
    assert claim.shown == "left"
    assert claim.evidence.node == "r0c4"
    assert claim.evidence.along_m == pytest.approx(80, abs=1)
    assert claim.evidence.angle_deg == pytest.approx(-90, abs=1)
    assert claim.sentence == (
        "The instruction says “Turn right at the fourth intersection”;"
        " the route turns left there (-90° after 80 m)."
    )


def test_the_right_turn_is_no_contradiction():
    assert find("Go through three intersections. Turn left at the fourth intersection.") == ()


def test_one_of_several_turns_is_found():
    text = "Turn left. Then turn right at the third intersection. Turn right at the third one."
    (claim,) = find(text, ZIGZAG)
    assert (claim.kind, claim.named, claim.shown) == ("turn", "right", "left")
    assert claim.evidence.node == "r3c6"


def test_a_text_that_fits_in_two_ways_gives_no_claim():
    # three turns on the route, two in the text: the other side may be another turn left out
    assert find("Turn right, and after a while turn left. Stop.", ZIGZAG) == ()


def test_two_turns_in_one_phrase_are_two():
    path = route(GRAPH, "r0c0", "r0c4", "r4c4", "r4c0")
    assert find("Make two left turns and stop at the end.", path) == ()


# --- missing turns


def test_a_turn_that_the_text_leaves_out_is_found():
    (claim,) = find(
        "Turn left at the third intersection. Stop at the third intersection.", ZIGZAG[:10]
    )
    assert (claim.kind, claim.named, claim.shown) == ("missing", None, "right")
    assert claim.evidence.node == "r3c3"
    assert claim.sentence == (
        "The route turns right (+90° after 120 m); the instruction has no turn after “Turn left at"
        " the third intersection”."
    )


def test_a_text_without_any_turn_is_found():
    (claim,) = find("Go straight through all intersections and stop.")
    assert claim.sentence == (
        "The route turns left (-90° after 80 m); the instruction has no turn at all."
    )
    assert claim.words == (0, 47)


@pytest.mark.parametrize(
    "text",
    [
        "Follow the road around and stop.",  # the side stays open
        "Go straight, then turn at the fourth intersection and stop.",
        "Bear left at the fourth intersection and stop.",
    ],
)
def test_words_that_may_be_the_turn_leave_nothing_missing(text: str):
    assert find(text) == ()


def test_a_turn_at_the_end_may_be_where_the_text_stops():
    assert (
        find(
            "Go straight and stop at the fourth intersection.", route(GRAPH, "r0c0", "r0c4", "r1c4")
        )
        == ()
    )


# --- places


def test_a_place_on_the_other_side_is_found():
    text = "Pass Corner Deli on your right and turn left at the fourth intersection. Stop there."
    (claim,) = find(text)
    assert claim.words is not None
    assert (claim.kind, text[slice(*claim.words)], claim.shown) == ("landmark", "right", "left")
    assert claim.evidence.poi == "p1"
    assert claim.evidence.lateral_m == pytest.approx(-12, abs=0.5)
    assert claim.sentence == (
        "The instruction says “Corner Deli on your right”; on the map Corner Deli stands 12 m to"
        " the left of the route, after 40 m."
    )
    assert find(text.replace("right", "left")) == ()


@pytest.mark.parametrize(
    "others",
    [
        [place("p2", "Corner Deli", 20.0, -12.0)],  # two of the name
        [place("p2", "Corner House", 20.0, -12.0)],  # one that may be meant
    ],
)
def test_a_name_that_may_mean_another_place_gives_no_claim(others: list[Poi]):
    graph = dataclasses.replace(STREETS, pois={poi.id: poi for poi in (DELI, *others)})
    assert find("Pass Corner Deli on your right and turn left. Stop.", graph=graph) == ()


@pytest.mark.parametrize(
    "where",
    [
        place("p1", "Corner Deli", 40.0, 2.0),  # on the street's line
        place("p1", "Corner Deli", 68.0, 12.0),  # at the turn: on the left of both legs
        place("p1", "Corner Deli", 92.0, -12.0),  # ahead of one leg, beside no leg
        place("p1", "Corner Park", 40.0, 12.0),  # a park has many sides
    ],
)
def test_a_place_whose_side_is_not_known_gives_no_claim(where: Poi):
    graph = dataclasses.replace(STREETS, pois={"p1": where})
    said = "left" if where.position[1] > DELI.position[1] and where.position[0] > LAT0 else "right"
    name = where.tags["name"]
    assert find(f"Pass {name} on your {said} and turn left. Stop.", graph=graph) == ()


# --- the start


def test_a_start_heading_away_from_the_route_is_found():
    (claim,) = find("Go straight.", path=straight(0, 0, 3), start_heading_deg=200.0)
    assert (claim.kind, claim.words, claim.evidence.node) == ("heading", None, "r0c0")
    assert claim.sentence == (
        "The start heading is 200°, but the route sets out to 90°: 110° apart."
    )


@pytest.mark.parametrize(
    ("text", "heading_deg"),
    [
        ("Turn around and go straight.", 200.0),  # the text says how to stand
        ("Orient yourself so that the bank is behind you. Go on.", 200.0),
        ("Go straight.", 0.0),  # files without a heading hold 0
        ("Go straight.", 140.0),
    ],
)
def test_a_start_that_the_text_or_nobody_knows_gives_no_claim(text: str, heading_deg: float):
    assert find(text, path=straight(0, 0, 3), start_heading_deg=heading_deg) == ()


# --- any input


@pytest.mark.parametrize(
    "text", ["", "Walk on.", "left", "\ud83d\udc48 right \x00 left right left"]
)
def test_any_text_is_looked_at(text: str):
    assert isinstance(find(text), tuple)


def test_nothing_is_claimed_where_nobody_knows_the_route():
    unknown = episode(EAST_THEN_NORTH).model_copy(update={"reference_path": (), "goal": None})
    assert contradictions(unknown, GRAPH) == ()
    assert find("Turn right.", path=("r0c0", "nowhere")) == ()
    assert find("Turn right.", path=("r0c0", "r5c5", "r5c6")) == ()


# --- real episodes


@pytest.fixture(scope="module")
def manhattan(data_dir: Path) -> Graph:
    return open_graph(data_dir / "map2seq" / "osm" / "graph")


@pytest.fixture(scope="module")
def episodes(data_dir: Path) -> dict[str, Episode]:
    return map2seq_episodes(data_dir)


@pytest.mark.data
@pytest.mark.parametrize(
    ("key", "claims"),
    [
        ("1997", [("turn", "right", "left")]),
        ("6211", [("heading", "27", "119")]),
        ("11144", [("missing", None, "left")]),
        ("12287", [("landmark", "left", "right")]),
        ("6165", []),  # "two left turns"
        ("12751", []),  # "two more rights ... the second", and a start of 10 m the other way
        ("2607", []),  # "it'll branch to the left and right"
        ("11693", []),  # "ignore the left and right turn"
        ("7345", []),  # a place that is on the right after the turn
        ("2371", []),  # Washington Square Park is not the hotel of that name
    ],
)
def test_known_episodes(
    key: str,
    claims: list[tuple[str, str | None, str]],
    manhattan: Graph,
    episodes: dict[str, Episode],
):
    found = contradictions(episodes[key], manhattan)
    assert [(claim.kind, claim.named, claim.shown) for claim in found] == claims


@pytest.mark.nightly
@pytest.mark.data
def test_recall_of_swaps_and_false_alarms(manhattan: Graph, episodes: dict[str, Episode]):
    """30 seeded episodes: at least 80 % of swapped turns are found, at most 4 % of untouched
    episodes have a claim.
    """
    faults = list(planted(swapped_turn, episodes.values(), manhattan, 30))
    found = [any(map(fault.is_found_by, claims_of(fault, manhattan))) for fault in faults]
    untouched = [contradictions(episodes[fault.episode.id], manhattan) for fault in faults]
    alarms = [claims for claims in untouched if claims]
    print(f"found {sum(found)} of {len(faults)}, claims in {len(alarms)} untouched episodes")
    assert len(faults) == 30
    assert sum(found) >= 24
    assert len(alarms) <= 1


@pytest.mark.data
@pytest.mark.nightly
@pytest.mark.parametrize("plant", PLANTERS, ids=lambda plant: plant.__name__)
def test_planted_faults_at_large(
    plant: Any, data_dir: Path, manhattan: Graph, episodes: dict[str, Episode]
):
    """Print what docs/instructions.md states; whatever else is claimed would be false."""
    worlds = {"streets": (manhattan, episodes), "panoramas": panorama_world(data_dir, manhattan)}
    for name, (graph, each) in worlds.items():
        faults = list(planted(plant, each.values(), graph, 400))
        found = other = 0
        for fault in faults:
            claims = claims_of(fault, graph)
            sound = {
                (claim.kind, claim.shown) for claim in contradictions(each[fault.episode.id], graph)
            }
            found += any(map(fault.is_found_by, claims))
            wrong = [claim for claim in claims if not fault.is_found_by(claim)]
            other += any((claim.kind, claim.shown) not in sound for claim in wrong)
        print(
            f"{name}, {plant.__name__}: found {found} of {len(faults)}, {other} with another claim"
        )
        assert other <= 0.01 * len(faults)
