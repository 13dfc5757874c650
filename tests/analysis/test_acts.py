"""The decisive act: what a failed walk on streets did not do, on blocks drawn for each case."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import navviz
from navviz.analysis.act_words import quote_of
from navviz.analysis.acts import decisive_act
from navviz.analysis.street_acts import street_turns, told_route
from navviz.records.act import HOWS, Act
from navviz.world.graph import Graph
from navviz.world.pois import Poi
from tests.grids import LAT0, LON0, episode, grid, trace

TEXT = (
    "Go straight through the first light and turn left at the second light. Go through one light."
    " At the next light, turn right. Stop before the next light."
)
ROUTE = ("r3c0", "r3c1", "r3c2", "r4c2", "r5c2", "r5c3", "r5c4")
ACTS = ["pass", "turn", "pass", "turn", "stop"]


def _blocks(size=9, lit=True):
    """Return a grid whose crossings are 80 m apart, with lights."""
    small = grid(size)
    corner = np.array([LAT0, LON0])
    positions = corner + 4 * (small.positions - corner)
    pois = {}
    if lit:
        for node, position in zip(small.ids, positions.tolist(), strict=True):
            pois[node] = Poi(node, tuple(position), {"highway": "traffic_signals"})
    return replace(small, positions=positions, pois=pois)


BLOCKS = _blocks()


def _act(walk, text=TEXT, route=ROUTE, graph=BLOCKS, status="done", **options):
    told = episode(route, instruction=text, start_heading_deg=90.0)
    moves = [[node] for node in walk.split()]
    return decisive_act(trace(told, moves, status, **options), graph)


@pytest.mark.parametrize(
    ("how", "number", "walk", "sentence"),
    [
        (
            "skipped",
            1,
            "r3c1 r3c2 r3c3 r3c4 r3c5",
            (
                "“Turn left at the second light” was not made at the second light; it went straight"
                " on."
            ),
        ),
        (
            "too late",
            1,
            "r3c1 r3c2 r3c3 r4c3 r4c4",
            (
                "“Turn left at the second light” was not made at the second light; it turned left"
                " 80 m further on."
            ),
        ),
        (
            "too early",
            1,
            "r3c1 r4c1 r5c1 r6c1",
            (
                "“Turn left at the second light” was not made at the second light; it turned left"
                " 80 m before that, at the first light."
            ),
        ),
        (
            "wrong side",
            1,
            "r3c1 r3c2 r2c2 r1c2",
            (
                "“Turn left at the second light” was not made at the second light; it turned right"
                " there."
            ),
        ),
        (
            "repeated",
            2,
            "r3c1 r3c2 r4c2 r4c1 r4c0",
            (
                "“Go through one light” was not done next; it turned left again at the first light"
                " after the turn: “Turn left at the second light” had been made."
            ),
        ),
        (
            "extra turn",
            0,
            "r3c1 r2c1 r1c1",
            (
                "“Go straight through the first light” was not done next; it turned right at the first"
                " light, where the route goes straight on."
            ),
        ),
        (
            "went on",
            4,
            "r3c1 r3c2 r4c2 r5c2 r5c3 r5c4 r5c5 r5c6",
            (
                "“Stop before the next light” was not done; it came to the end of the route and went"
                " 160 m on."
            ),
        ),
        (
            "stopped early",
            2,
            "r3c1 r3c2",
            (
                "“Turn left at the second light” was not made; it stopped 320 m before the end of the"
                " route, at the second light."
            ),
        ),
        (
            "set out wrong",
            0,
            "r4c0 r5c0",
            (
                "“Go straight through the first light” was not done; it set out north where the route"
                " goes east."
            ),
        ),
        (
            "turned back",
            1,
            "r3c1 r3c2 r3c1 r2c1",
            (
                "“Turn left at the second light” was not made next; it turned back at the second"
                " light."
            ),
        ),
    ],
)
def test_each_how_has_its_act_and_its_sentence(how, number, walk, sentence):
    found = _act(walk)
    assert [act.kind for act in found.acts] == ACTS
    assert (found.how, found.sentence) == (how, sentence)
    number = 1 if how == "stopped early" else number
    assert found.act == found.acts[number]
    assert found.grade == "hint"


@pytest.mark.parametrize(
    ("how", "status", "legal", "words"),
    [
        ("did not stop", "limit", (), "the run ended without a stop, 320 m before the end"),
        ("broke off", "error", (True, True, False), "the run broke off 320 m before the end"),
    ],
)
def test_an_end_that_nobody_chose_is_no_stop(how, status, legal, words):
    moves = "r3c1 r3c2" if not legal else "r3c1 r3c2 r3c2"
    found = _act(moves, status=status, legal=legal)
    assert (found.how, found.act.number) == (how, 1)
    assert words in found.sentence


def test_a_turn_without_words_is_unsaid_and_has_no_act():
    text = "Go straight past the lights. Stop at the end."
    found = _act("r3c1 r3c2 r3c3 r3c4", text, route=("r3c0", "r3c1", "r3c2", "r4c2", "r5c2"))
    assert (found.how, found.act, found.route_side) == ("unsaid turn", None, "left")
    assert found.sentence == (
        "No words say that the route turns left at the second light; it went straight on."
    )
    assert found.as_document()["text"] is None


def test_a_told_turn_that_the_route_does_not_make_is_no_early_turn():
    text = "Go to the first light and turn right. At the third light, turn left and stop."
    route = ("r3c0", "r3c1", "r3c2", "r3c3", "r4c3", "r5c3")
    found = _act("r3c1 r2c1 r1c1", text, route)
    assert (found.how, found.act.text) == (
        "told, not on route",
        "Go to the first light and turn right",
    )


def _streets(places, *chains):
    """Streets between places, in metres to the east and north."""
    metre = math.degrees(1 / 6_371_000.0)
    positions = [
        (LAT0 + y * metre, LON0 + x * metre / math.cos(math.radians(LAT0)))
        for x, y in places.values()
    ]
    ids = list(places)
    pairs = []
    for chain in chains:
        for a, b in pairwise(chain):
            pairs += [(ids.index(a), ids.index(b)), (ids.index(b), ids.index(a))]
    sources, targets = np.array(pairs, np.int32).T
    return Graph(
        name="streets",
        frame="geo",
        ids=ids,
        positions=np.array(positions),
        sources=sources,
        targets=targets,
    )


FORK = {
    "S": (0, 0), "J": (100, 0), "E": (200, 0), "a": (170, -70), "b": (100, -100), "n": (190, 25),
}  # fmt: skip


@pytest.mark.parametrize(
    ("how", "text", "route", "walk"),
    [
        ("two ways", "Turn right at the intersection and stop.", "SJa", "SJb"),
        ("other way", "Go straight through the intersection and stop.", "SJE", "SJn"),
    ],
)
def test_two_ways_of_one_side_and_two_ways_straight_on(how, text, route, walk):
    graph = _streets(FORK, "SJE", "Ja", "Jb", "Jn")
    found = _act(" ".join(walk[1:]), text, tuple(route), graph)
    assert (found.how, found.act.number) == (how, 0)


def test_a_parallel_street_that_comes_back_behind_a_turn_came_back_by_chance():
    # it skips the left turn, and meets the route again where that has turned right
    found = _act("r3c1 r3c2 r3c3 r4c3 r5c3 r6c3 r7c3")
    assert (found.how, found.node, found.act.number) == ("too late", "r3c2", 1)


def test_a_success_and_a_walk_without_route_have_no_act():
    assert _act("r3c1 r3c2 r4c2 r5c2 r5c3 r5c4") is None
    unknown = episode(ROUTE, instruction=TEXT).model_copy(update={"reference_path": ()})
    assert decisive_act(trace(unknown, [["r3c1"]]), BLOCKS) is None


def test_spelling_and_log_do_not_change_the_act():
    walk = "r3c1 r3c2 r3c3 r3c4 r3c5"
    respelled = TEXT.replace("Go straight through", "go straight  through").replace(".", " .")
    first, second = _act(walk), _act(walk, respelled)
    assert (first.how, first.act.number, first.node) == (second.how, second.act.number, second.node)
    # one step of several links is the same walk
    told = episode(ROUTE, instruction=TEXT, start_heading_deg=90.0)
    one = decisive_act(trace(told, [walk.split()[:3], walk.split()[3:]]), BLOCKS)
    assert (one.how, one.act, one.node, one.sentence) == (
        first.how,
        first.act,
        first.node,
        first.sentence,
    )


def test_the_document_has_what_readers_of_json_need():
    document = _act("r3c1 r4c1 r5c1 r6c1").as_document()
    begin, end = document.pop("span")
    assert TEXT[begin:end] == "turn left at the second light"
    assert document == {
        "how": "too-early",
        "kind": "turn",
        "text": "turn left at the second light",
        "node": "r3c1",
        "step": 2,
        "sub_goal": None,
        "at_m": 80.0,
    }


def test_acts_count_since_the_last_turn_and_stand_in_the_order_of_the_text():
    told = told_route(episode(ROUTE, instruction=TEXT, start_heading_deg=90.0), BLOCKS)
    assert [(act.nth, act.group, act.at) for act in told.acts[:4]] == [
        (1, 0, 1),
        (2, 0, 2),
        (1, 1, 3),
        (2, 1, 4),
    ]
    assert [act.number for act in told.acts] == list(range(len(told.acts)))
    spans = [act.span for act in told.acts]
    assert spans == sorted(spans)


def _words(text, words, kind="turn"):
    begin = text.index(words)
    act = Act(number=0, kind=kind, text=words, span=(begin, begin + len(words)))
    return quote_of(act, text)


@pytest.mark.parametrize(("text", "words", "quote"), [
    ("Walk on. Turn right at the light after the forge and go on.", "Turn right",
        "“Turn right at the light after the forge”"),
    ("Go to the forge. Turn left, then stop.", "Turn left", "“Go to the forge. Turn left”"),
    ("Go on until you see St. Ann's chapel with its two tall towers. Turn left here.", "Turn left",
        "“Go on until you see St. Ann's chapel with its two tall towers. Turn left here”"),
    ("Turn left at the mill which lies behind the very old stone barn by the bank of the quiet river.",
        "Turn left", "“Turn left at the mill which lies behind the very old stone …”"),
    ("Walk on. Turn left by 3 Bros. Mill on W. 4th and go on.", "Turn left",
        "“Turn left by 3 Bros. Mill on W. 4th”"),
    ("Go on to Mill St. Turn left here.", "Turn left", "“Go on to Mill St. Turn left here”"),
    ("Go on to the next light and then stop.", "stop", "“Go on to the next light and then stop”"),
])  # fmt: skip
def test_a_quote_holds_the_place_of_its_act(text, words, quote):
    assert _words(text, words) == quote


def test_only_a_turn_behind_the_end_of_the_route_is_told_of_what_came_after_it():
    places = {
        "S": (0, 0), "J": (100, 0), "E": (100, 30), "n": (100, 110), "e": (180, 30), "w": (200, 0),
    }  # fmt: skip
    graph = _streets(places, "SJEn", "Ee", "Jw")
    text = "Turn left at the intersection and stop."
    straight = _act("J E n", text, ("S", "J", "E"), graph)
    assert straight.sentence.endswith("it came to the end of the route and went 80 m on.")
    turned = _act("J E e", text, ("S", "J", "E"), graph)
    assert turned.sentence.endswith("and went 80 m on, turning right.")


@pytest.mark.parametrize(("ways", "words"), [
    ("En", "it kept right at the first intersection, where the route goes straight on."),
    ("nE", "No words say that the route keeps right at the first intersection; it went straight on."),
    ("Em", "it kept right at the first intersection, where the route keeps left."),
])  # fmt: skip
def test_of_two_ways_the_straighter_one_is_straight_on(ways, words):
    places = {"S": (0, 0), "J": (100, 0), "E": (198, 16), "n": (195, -31), "m": (198, -19)}
    graph = _streets(places, "SJE", "Jn", "Jm")
    text = "Go straight through the intersection and stop."
    assert _act(f"J {ways[1]}", text, ("S", "J", ways[0]), graph).sentence.endswith(words)


def test_who_is_told_nothing_of_a_slight_bend_goes_by_the_next_turn():
    places = {"S": (0, 0), "J": (100, 0), "K": (180, -60), "L": (180, 40), "n": (100, 80)}
    graph = _streets(places | {"R": (260, -120)}, "SJKR", "KL", "Jn")
    found = _act("J n", "Turn left at the second intersection.", tuple("SJKL"), graph)
    assert (found.how, found.act.kind) == ("too early", "turn")


DOUBLE = {
    "S": (0, 0), "a": (100, 0), "b": (112, 0), "c": (212, 0), "d": (312, 0), "x": (100, 80),
    "y": (112, 80), "z": (112, 160), "w": (112, 240), "p": (212, -80), "v": (40, 160),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "route", "walk", "words"),
    [
        ("Turn right at the intersection.", "Sabcp", "abcd", "made at the second intersection; it"),
        ("Turn left and stop.", "Sabyz", "axyzw", "it came to the end of the route and went 80 m"),
        ("Turn left and stop.", "Sabyz", "axv", "it took another way to the left there."),
    ],
)
def test_a_crossing_with_two_nodes_is_one(text, route, walk, words):
    graph = _streets(DOUBLE, "Sabcd", "axyzw", "by", "cp", "xv")
    assert words in _act(" ".join(walk), text, tuple(route), graph).sentence


LOOP = {
    "S": (0, 0), "A": (60, 0), "m": (90, 0), "B": (120, 0), "C": (120, 100), "x": (60, 30),
    "y": (90, 30), "z": (60, 100), "e": (200, 0),
}  # fmt: skip


def test_a_turn_that_was_made_before_the_walk_left_its_route_came_too_early():
    graph = _streets(LOOP, "SAmBC", "Axz", "xym", "Be")
    found = _act("A x y m A", "Turn left at the third intersection.", tuple("SAmBC"), graph)
    assert found.how == "too early"
    assert found.sentence.endswith("it turned left 60 m before that, at the first intersection.")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("You should see a mill on the left. Stop at the forge.", ["stop"]),
        ("The road forks. It'll branch to the left and right. Stop at the forge.", ["stop"]),
        ("There will be a light at the bank. Stop at the forge.", ["stop"]),
        ("At the light, where you will see a mill, turn left. Stop.", ["turn", "stop"]),
    ],
)
def test_what_only_says_what_there_is_is_no_act(text, kinds):
    told = told_route(episode(("r3c0", "r3c1", "r3c2"), instruction=text), BLOCKS)
    assert [act.kind for act in told.acts] == kinds


def test_a_told_turn_behind_the_end_of_the_route_is_due_before_the_stop():
    text = "Turn left at the first light. Turn right at the forge and stop."
    found = _act("r3c1 r4c1 r5c1 r6c1 r7c1", text, ("r3c0", "r3c1", "r4c1", "r5c1"))
    assert (found.how, found.act.kind) == ("went on", "turn")
    assert found.sentence.startswith("“Turn right at the forge” was not made;")


JOG = {
    "S": (0, 0), "A": (100, 0), "B": (100, 16), "C": (140, 16), "E": (200, 16),
    "a": (100, -60), "b": (100, 90), "t": (200, 0),
}  # fmt: skip


def test_two_turns_over_an_offset_junction_cancel_out_unless_they_are_told():
    graph = _streets(JOG, "SABCE", "Aa", "Bb", "At")
    assert street_turns("SABCE", graph) == []
    assert [turn.side for turn in street_turns("SABb", graph)] == ["left"]
    untold, told = (
        told_route(episode(tuple("SABCE"), instruction=text, start_heading_deg=90.0), graph)
        for text in ("Go straight and stop.", "Turn left, then immediately turn right. Stop.")
    )
    assert [len(untold.act_of), len(told.act_of)] == [0, 2]


def test_ways_that_bend_little_are_kept_to_and_not_turned_into():
    graph = _streets(FORK, "SJE", "Ja", "Jb", "Jn")
    found = _act("J n", "Go straight through the intersection and stop.", tuple("SJE"), graph)
    assert found.sentence.endswith(
        "it kept left at the first intersection, where the route goes straight on."
    )
    found = _act("J a", "Turn left at the intersection and stop.", tuple("SJE"), graph)
    assert "it bore right at the first intersection" in found.sentence


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Pass a right side street and stop at the mill.", 0),
        ("Walk past a left then a right side street and stop.", 0),
        ("Keep on the right side of the street. Stop at the mill.", 0),
        ("Cross the street and stop at the mill.", 0),
        ("There should be a mill ahead and to the right. Stop.", 0),
        ("Go straight, ignoring the two right turns. Stop.", 0),
        ("Take the right side street and stop at the mill.", 1),
        ("Cross over to the right and stop at the mill.", 1),
        ("Starbucks is on the corner and you will turn right. Stop.", 1),
    ],
)
def test_a_side_that_is_only_named_is_no_turn(text, turns):
    told = told_route(episode(("r3c0", "r3c1", "r2c1", "r1c1"), instruction=text), BLOCKS)
    assert [act.side for act in told.acts if act.kind == "turn"] == ["right"] * turns


def test_a_landmark_that_names_a_light_stands_for_the_light():
    text = (
        "At the light by the bank, go straight. Go to the light near the mill and turn left. Stop."
    )
    told = told_route(episode(ROUTE[:5], instruction=text, start_heading_deg=90.0), BLOCKS)
    assert [(act.kind, act.at) for act in told.acts] == [("pass", 1), ("turn", 2), ("stop", 4)]
    assert (told.acts[0].text, told.acts[0].place) == ("At the light by the bank", "light")


def test_a_later_turn_that_another_act_tells_is_not_the_one_that_was_due():
    text = "Turn right at the first light. At the next light, turn right. Stop."
    found = _act("r5c1 r5c2 r4c2 r3c2 r2c2", text, ("r5c0", "r5c1", "r4c1", "r4c0"))
    assert (found.how, found.act.number) == ("skipped", 0)


@pytest.mark.parametrize(
    ("walk", "how", "did"),
    [
        ("r3c1 r3c2 r3c3", "unsaid turn", "it went straight on"),
        ("r3c1 r2c1 r1c1", "told, not on route", "it turned right there"),
    ],
)
def test_a_route_that_turns_to_the_other_side_contradicts_its_instruction(walk, how, did):
    text = "Go to the first light and turn right. Stop at the mill."
    found = _act(walk, text, ("r3c0", "r3c1", "r4c1", "r5c1", "r6c1"))
    assert found.how == how
    assert found.sentence == (
        "“Go to the first light and turn right” contradicts the route, which turns left at the first"
        f" light; {did}."
    )


@pytest.mark.data
def test_every_failure_of_published_logs_has_an_act(data_dir):
    folder = data_dir / "groke" / "paper_results" / "ablation_study_json"
    run = navviz.open_run(folder, graphs=data_dir / "map2seq" / "osm" / "graph")
    failures = 0
    for key in run.traces:
        divergence = run.divergence(key)
        if divergence.error_m is None or divergence.error_m <= 25.0:
            continue
        failures += 1
        found = decisive_act(run.trace(key), run.graph(key), divergence)
        assert found.how in HOWS
        assert found.sentence.endswith(".")
        assert (found.act is None) == (found.how == "unsaid turn")
    assert failures
