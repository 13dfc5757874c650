"""Junctions that an instruction speaks of, placed along its route."""

from __future__ import annotations

import pytest

from navviz.analysis.landmarks import names_junction, places_or_reasons, spoken_junctions
from navviz.records import Landmark, Trace, TraceHeader
from tests.analysis.causes.planted import city, faultless, trace_of

SEED = 2


def _episode(text: str):
    return trace_of(faultless(SEED), SEED).episode.model_copy(update={"instruction": text})


def _text() -> str:
    one, two = faultless(SEED).sides
    return (
        f"Turn {one} at the third light. Go through the next light and turn {two} at the following"
        " light."
    )


@pytest.mark.parametrize(("name", "is_one"), [
    ("next light", True), ("T-intersection", True), ("stoplights", True), ("corner store", False),
    ("first building", False), ("Lighthouse Cafe", False),
])  # fmt: skip
def test_which_names_are_junctions(name: str, is_one: bool) -> None:
    assert names_junction(name) == is_one


def test_each_light_stands_where_the_route_comes_to_it() -> None:
    walk = faultless(SEED)
    names = ["third light", "next light", "following light"]
    places = spoken_junctions(_episode(_text()), city(), names)
    first, second = walk.turns
    assert walk.counts == 2  # so that the first turn is at the third light
    assert places["third light"] == walk.route[first]
    assert places["following light"] == walk.route[second]
    assert first < walk.route.index(places["next light"]) < second


def test_a_name_said_twice_has_no_one_place_and_one_within_another_is_not_counted() -> None:
    names = ["light", "third light", "next light", "following light"]
    assert "light" not in spoken_junctions(_episode(_text()), city(), names)
    once = [name for name in names if name != "next light"]
    assert "light" in spoken_junctions(_episode(_text()), city(), once)
    twice = _text().replace("following light", "next light")
    assert "next light" not in spoken_junctions(_episode(twice), city(), ["next light"])


def test_what_follows_a_junction_may_be_missing_in_the_reading() -> None:
    walk = faultless(SEED)
    text = _text().replace("the third light", "the third light directly ahead")
    names = ["third light directly ahead", "following light"]
    places = spoken_junctions(_episode(text), city(), names)
    assert places["third light directly ahead"] == walk.route[walk.turns[0]]


def test_without_a_route_nothing_is_placed() -> None:
    lost = _episode(_text()).model_copy(update={"reference_path": ()})
    assert spoken_junctions(lost, city(), ["third light"]) == {}


def test_the_player_learns_the_junction_before_any_light() -> None:
    episode = _episode(_text())
    marks = (Landmark(name="third light"), Landmark(name="zeppelin"))
    trace = Trace(header=TraceHeader(episode=episode, navigator="x"), landmarks=marks)
    walk = faultless(SEED)
    places = places_or_reasons(trace, city())
    assert places["third light"] == tuple(city().position(walk.route[walk.turns[0]]))
    assert places["zeppelin"] == "not on the map near the route"
