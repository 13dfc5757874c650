"""The decisive act in a house, and of free walks: hints, from the clauses of the instruction."""

from __future__ import annotations

import re

import pytest

import navviz
from navviz.analysis.acts import decisive_act
from navviz.records.act import HOWS
from tests.grids import episode, house, trace

PLACES = {
    "s": (0, 0, 1.5), "a": (0, 4, 1.5), "b": (0, 8, 1.5), "r": (4, 8, 1.5), "l": (-4, 8, 1.5),
    "m": (-8, 8, 1.5), "t": (8, 8, 1.5), "u": (12, 8, 1.5), "w": (4, 0, 1.5), "v": (8, 0, 1.5),
    "n": (0, 12, 1.5), "o": (0, 16, 1.5),
}  # fmt: skip
HOUSE = house(PLACES, "sabrtu", "blm", "swv", "bno")
TEXT = "Walk down the hallway. Turn right into the kitchen. Stop by the sink."


def _act(walk, text=TEXT, status="done", **options):
    told = episode(tuple("sabrt"), instruction=text, start_heading_deg=0.0, success_radius_m=3.0)
    return decisive_act(trace(told, [[node] for node in walk], status, **options), HOUSE)


@pytest.mark.parametrize(("how", "walk", "text", "tail"), [
    ("wrong side", "ablm", "Turn right",
        "was not done; it turned left where the route turns right, 8.0 m into the route."),
    ("skipped", "abno", "Turn right",
        "was not done; it went straight on where the route turns right, 8.0 m into the route."),
    ("set out wrong", "wv", "Walk down",
        "it left the route: it turned right where the route goes straight on, at the start."),
    ("turned back", "abas", "Turn right", "it turned back 8.0 m into the route"),
    ("went on", "abrtu", "Stop by the sink", "it came to the end of the route and went 4.0 m on"),
    ("stopped early", "ab", "Turn right",
        "“Turn right into the kitchen” was not done; it stopped 8.0 m before the end"),
])  # fmt: skip
def test_each_how_of_a_house_has_its_clause(how, walk, text, tail):
    found = _act(walk)
    assert (found.how, found.grade) == (how, "hint")
    assert tail in found.sentence
    begin, end = found.act.span
    assert TEXT[begin:end] == found.act.text
    assert found.act.text.startswith(text)


@pytest.mark.parametrize(("walk", "heading_deg", "tail"), [
    ("ac", 0.0, "was done too early: it turned right 4.0 m before the route does, 4.0 m into the route."),
    ("wv", 180.0, "it turned left where the route goes back, at the start."),
    ("kj", 0.0, "it went slightly right where the route goes straight on, at the start."),
])  # fmt: skip
def test_the_way_is_said_as_the_map_has_it(walk, heading_deg, tail):
    places = PLACES | {"c": (4, 4, 1.5), "k": (3, 4, 1.5), "j": (7, 5, 1.5)}
    graph = house(places, "sabrtu", "acm", "swv", "skj")
    told = episode(
        tuple("sabrt"), instruction=TEXT, start_heading_deg=heading_deg, success_radius_m=3.0
    )
    found = decisive_act(trace(told, [[node] for node in walk], "done"), graph)
    assert found.sentence.endswith(tail)


# a hall to the north, a passage to the east, a cellar to the south and down the stairs
TWO = {
    "s": (0, 0, 1.5), "a": (0, 4, 1.5), "b": (0, 6.5, 1.5), "r": (4, 6.5, 1.5), "t": (8, 6.5, 1.5),
    "d": (8, 3, 0.5), "e": (8, 0, -1.0), "c": (3, 4, 1.5), "x": (6, 4, 1.5), "o": (3, 8, 1.5),
    "p": (6, 12, 1.5), "n": (8, 10, 1.5), "m": (8, 14, 1.5), "h": (12, 6.5, 1.5), "k": (-4, 0, 1.5),
    "q": (0, -4, 1.5),
}  # fmt: skip
CELLAR = house(TWO, "sabrtde", "acx", "bop", "tnm", "th", "sk", "sq")
DOWN = "Walk along the hall. Turn right. Turn right, go down the stairs and wait at the bottom."


def _down(walk, text=DOWN, graph=CELLAR, path="sabrtde", heading_deg=0.0):
    told = episode(
        tuple(path), instruction=text, start_heading_deg=heading_deg, success_radius_m=1.0
    )
    return decisive_act(trace(told, [[node] for node in walk], "done"), graph)


@pytest.mark.parametrize(
    ("walk", "span", "sentence"),
    [
        ("abop", 21, "“Turn right” was done by another exit: it went further left than the next"),
        ("acx", 21, "“Turn right” was done too early: it turned right 2.5 m before the route does"),
        ("abrtnm", 33, "“Turn right” was not done; it turned left where the route turns right"),
        ("abrth", 33, "“Turn right” was not done; it went straight on where the route turns right"),
        ("abrtd", 45, "At “go down the stairs” it stopped 3.4 m before the end of the route."),
    ],
)
def test_acts_are_done_in_order_along_the_turns_and_stairs_of_the_route(walk, span, sentence):
    found = _down(walk)
    assert found.act.span[0] == span
    assert found.sentence.startswith(sentence)


def test_who_came_from_another_side_goes_on_as_they_stand():
    # who came by b would turn right by 135 degrees
    graph = house(PLACES | {"c": (-4, 4, 1.5), "k": (-8, 8, 1.5)}, "sabln", "sc", "cl", "lk")
    path, text = tuple("sabln"), "Walk along the hall. Turn left. Stop by the sink."
    told = episode(path, instruction=text, start_heading_deg=0.0, success_radius_m=1.0)
    found = decisive_act(trace(told, [["c"], ["l"], ["k"]], "done"), graph)
    assert "turned left where the route goes slightly right" in found.sentence


def test_metres_after_the_end_begin_where_the_walk_was_nearest():
    places = PLACES | {"g": (8, 9, 1.5), "j": (12, 9, 1.5)}
    graph = house(places, "sabrt", "rgj", "gt")
    told = episode(tuple("sabrt"), instruction=TEXT, start_heading_deg=0.0, success_radius_m=3.0)
    found = decisive_act(trace(told, [[node] for node in "abrgj"], "done"), graph)
    assert found.sentence.endswith("it came to within 1.0 m of the goal and went 4.0 m on.")
    # who comes to the end and walks back has gone on, too
    back = _act("abrtrbs")
    assert back.sentence.endswith("it came to the end of the route and went 16.0 m on.")


def test_a_turn_within_two_metres_is_made_at_its_place():
    graph = house(TWO | {"b": (0, 5.5, 1.5), "r": (4, 5.5, 1.5)}, "sabrtde", "acx")
    assert _down("acx", graph=graph).sentence.startswith("At “turn right” it left the route")


def test_a_way_beside_the_route_is_the_route():
    beside = {"f": (0.8, 4, 1.5), "g": (0.9, 7, 1.5)}
    graph = house(TWO | beside, "sabrtde", "sfgn", "fa", "gb")
    found = _down("fgn", graph=graph)
    assert (found.node, found.walk_place, found.step) == ("g", 2, 3)
    assert found.at_m == pytest.approx(6.5)
    # behind a wall, nobody sees the one from the other
    walled = _down("fgn", graph=house(TWO | beside, "sabrtde", "sfgn"))
    assert (walled.node, walled.how) == ("s", "set out wrong")


@pytest.mark.parametrize(
    ("heading_deg", "walk", "sentence"),
    [
        (180.0, "q", "“Turn around” was not done; it went straight on where the route goes back"),
        (0.0, "k", "At “turn around” it left the route: it turned left where"),
    ],
)
def test_the_first_turn_begins_at_the_start_heading(heading_deg, walk, sentence):
    text = "Turn around. Walk along the hall and turn right."
    found = _down(walk, text, heading_deg=heading_deg)
    assert found.act.text == "Turn around"
    assert found.sentence.startswith(sentence)


def test_acts_that_no_place_tells_apart_are_both_named():
    # a straight hall without a turn, and words that nobody learned
    line = {letter: (0, 3.0 * k, 1.5) for k, letter in enumerate("sabdef")}
    graph = house(line | {"w": (3, 6, 1.5)}, "sabdef", "bw")
    text = "Walk forward. Pass the gong. Pass the zither. Pass the lute. Wait at the harp."
    found = _down("abw", text, graph, "sabdef")
    assert re.match(
        r"(At “[^”]+” or “[^”]+”|Between “[^”]+” and “[^”]+”) it left the route:", found.sentence
    )


@pytest.mark.parametrize(
    ("how", "status", "legal"),
    [("did not stop", "limit", ()), ("broke off", "error", (True, True, False))],
)
def test_an_end_that_nobody_chose_is_no_stop(how, status, legal):
    walk = "ab" if not legal else "abb"
    assert _act(walk, status=status, legal=legal).how == how


def test_kinds_and_the_place_to_stop_are_read_from_clauses():
    text = (
        "Leave the bedroom. Go up the stairs. Turn left. Stop in front of the table, by the sofa."
    )
    acts = _act("wv", text).acts
    assert [act.kind for act in acts] == ["room", "stairs", "turn", "stop"]
    assert acts[-1].text == "Stop in front of the table, by the sofa"
    assert acts[2].side == "left"
    assert _act("wv", "Go up. Enter the den.").acts[-1].span is None


def test_success_has_no_act():
    assert _act("abrt") is None


@pytest.mark.parametrize("name", ["navgpt-by-hand", "random-walker-indoors", "rules-indoors"])
def test_every_failure_of_a_sample_in_the_house_has_an_act(name):
    run = navviz.open_run(navviz.samples_dir() / "house" / "runs" / name)
    for key in run.traces:
        divergence = run.divergence(key)
        if divergence.error_m is None or divergence.kind == "no reference":
            continue
        found = decisive_act(run.trace(key), run.graph(key), divergence)
        failed = divergence.error_m > run.trace(key).episode.success_radius_m
        assert (found is not None) == failed
        assert found is None or (found.how in HOWS and found.sentence.endswith("."))
