from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.language.mentions import QUERIES, landmark_names
from navviz.systems.groke.prompts.landmarks import (
    assign_letters,
    ground,
    linked_pois,
    mentioned,
    poi_text,
)
from navviz.world.graph import Poi
from tests.alphabets import UNICODE
from tests.systems.groke.prompts.towns import crossing


def poi(**tags: str) -> Poi:
    return Poi("p", (0.0, 0.0), tags)


def test_the_text_of_a_poi_is_its_name_and_what_it_is():
    tags = {
        "amenity": "fast_food",
        "cuisine": "fish_and_chips",
        "name": "The_Net",
        "building": "yes",
        "shop": "deli",
    }
    assert poi_text(poi(**tags)) == "The_Net fast food fish and chips   deli"
    assert poi_text(poi(highway="traffic_signals")) == "traffic signals"
    assert poi_text(poi(building="yes")) == ""


def test_a_landmark_is_found_above_the_threshold_only():
    pois = linked_pois(crossing())
    assert [match.poi.id for match in ground(pois, ["Blue Door"])["Blue Door"].matches] == ["cafe"]
    assert ground(pois, ["Blue Door"], threshold=100.0) == {}
    assert ground(pois, ["Opera"]) == {}
    assert ground(pois, [""]) == {}
    assert ground([], ["Blue Door"]) == {}


def test_case_counts():
    assert not ground([poi(name="IKEA")], ["ikea"])


def test_a_query_stands_for_a_name():
    pois = linked_pois(crossing())
    assert "light" not in ground(pois, ["light"])
    found = ground(pois, ["light"], queries=QUERIES)["light"]
    assert [(match.poi.id, match.score) for match in found.matches] == [("signals", 100.0)]


def test_only_landmarks_of_the_sub_goal_are_shown():
    found = ground(linked_pois(crossing()), ["Harbour Bank", "Blue Door"])
    assert [landmark.name for landmark in mentioned(found, "stop at the blue door")] == [
        "Blue Door"
    ]
    assert mentioned(found, "go on") == ()


def test_letters_come_from_the_name_but_never_s_or_p():
    assert assign_letters(["Sparrow", "Apple", "Pass", "ss pp"]) == {
        "Sparrow": "A",
        "Apple": "L",
        "Pass": "B",
        "ss pp": "C",
    }
    assert assign_letters(["7-Eleven", "éclair"])["7-Eleven"] == "E"
    assert assign_letters(["éclair"]) == {"éclair": "C"}


@given(st.lists(st.text(UNICODE, max_size=6), unique=True, max_size=40))
def test_letters_are_unique_while_there_are_any(names):
    letters = list(assign_letters(names).values())
    given_out = [letter for letter in letters if letter != "?"]
    assert len(given_out) == len(set(given_out)) == min(len(names), 24)
    assert not {"S", "P"} & set(given_out)


@pytest.mark.parametrize(
    ("instruction", "names"),
    [
        ("Walk to the light and turn right by the Blue Door Cafe.", ("light", "Blue Door Cafe")),
        ("Turn left. Stop at Harbour Bank", ("Harbour Bank",)),
        ("Head north past the bike rental, then the park.", ("bike rental", "park")),
        ("Pass Smith & Sons and 9-Till-5 on the right", ("Smith & Sons", "9-Till-5")),
        ("go ahead", ()),
        ("", ()),
        # the end of a sentence ends a name
        ("Walk to Broadway. Starbucks is on the corner.", ("Broadway", "Starbucks")),
        ("Pass the Starbucks. Turn right. Duane Reade... CVS", ("Starbucks", "Duane Reade", "CVS")),
        ("Turn onto Main St. Starbucks is there.", ("Main St", "Starbucks")),
        ("Head W. Starbucks will be ahead", ("Starbucks",)),
        # the full stop of a short form does not
        ("Turn at St. Marks. Stop.", ("St. Marks",)),
        ("Pass Dr. Smith's on the left", ("Dr. Smith's",)),
        ("Go by the Church of St. Luke. CVS is next", ("Church of St. Luke", "CVS")),
        ("Cross W. 4th St. Turn right", ("W. 4th St",)),
        ("At J. Crew. Turn left. Pass U.S. Post Office", ("J. Crew", "U.S. Post Office")),
        ("Warner Bros. Store, then No. 7 Cafe", ("Warner Bros. Store", "No. 7 Cafe")),
    ],
)
def test_names_of_places_are_found_without_a_model(instruction, names):
    assert landmark_names(instruction) == names
