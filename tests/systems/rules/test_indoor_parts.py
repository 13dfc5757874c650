"""The parts of the indoor rules: phrases, texts, places on a route, alignments."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.systems.rules.indoors.deciding import (
    NEVER,
    ExploredHouse,
    PhraseLattice,
    align,
    best,
    lay,
    shares,
)
from navviz.systems.rules.indoors.texts import (
    MOST_PHRASES,
    TABLES,
    build_texts,
    read_phrases,
    stems,
    token_counts,
)
from navviz.systems.rules.indoors.weights import (
    FEATURES,
    INDEX,
    ROLES,
    HouseSurroundings,
    IndexedRoute,
    describe,
    read,
)
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations, NearObject
from tests.alphabets import UNICODE

# --- phrases


def test_an_instruction_is_parted_into_phrases():
    found = read_phrases("Leave the kitchen, turn left and walk past the sofa. Wait by the lamps")
    assert [phrase.text for phrase in found] == [
        "Leave the kitchen",
        "turn left walk",
        "past the sofa",
        "Wait by the lamps",
    ]
    assert read_phrases("turn left")[0].features == ("turn", "left", "turn left")
    assert found[-1].stems[-1] == "lamp"


def test_a_word_that_says_nothing_alone_joins_the_phrase_before():
    assert [phrase.text for phrase in read_phrases("Exit, walk, turn right")] == [
        "Exit walk",
        "turn right",
    ]


@given(st.text(UNICODE, max_size=300))
def test_any_text_gives_phrases_with_words(text):
    found = read_phrases(text)
    assert len(found) <= MOST_PHRASES
    assert all(phrase.stems for phrase in found)
    words = iter(stems(text))  # the words that part phrases ("then", "and") are in none of them
    assert all(stem in words for phrase in found for stem in phrase.stems)


@pytest.mark.parametrize(
    ("word", "stem"), [("stairs", "stair"), ("glass", "glass"), ("bodies", "body"), ("bus", "bus")]
)
def test_stems(word, stem):
    assert stems(word) == [stem]


# --- texts


def test_a_direction_takes_half_of_what_stands_beside_it():
    scenes = {"a": ("A red door.", *("A wall.",) * 7)}
    objects = {"a": ((NearObject("chair_1", 0, 1), NearObject("chair_2", 9, 1)), *((),) * 7)}
    seen = HouseObservations("X", scenes, {"a": "hall with a door."}, objects)
    ahead, scene, near, around, summary = build_texts(["a", "b"], seen, ("door", "chair")).tables
    assert len(TABLES) == 5
    assert ahead.shape == (16, 2)
    assert ahead[[0], [0]].item() == 1.0
    assert ahead[[1], [0]].item() == 0.5
    assert ahead[[2], [0]].item() == 0.0
    assert ahead[[8], [0]].item() == 0.0, "nothing is known of b"
    assert scene[[0], [0]].item() == pytest.approx(3 / 8)
    assert near[[0], [1]].item() == pytest.approx(2 / math.sqrt(2)), (
        "two chairs, over the square root of their number"
    )
    assert around[[0], [1]].item() == pytest.approx(2 / math.sqrt(2))
    assert summary.toarray().tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert token_counts([seen]) == {"red": 1, "door": 1, "wall": 7, "chair": 1}


# --- places on a route


@pytest.fixture
def corner():
    """0 at the origin, 1 north of it, 2 east of 1, 3 above 2; only 0, 1 and 2 were visited."""
    positions = np.array([[0, 0, 0], [0, 2, 0], [2, 2, 0], [4, 2, 1.5]], float)
    return HouseSurroundings(positions, {0: [1], 1: [0, 2], 2: [1, 3]})


def named(columns: list[int]) -> set[str]:
    return {FEATURES[k] for k in columns}


def test_turns_stairs_and_ways_are_described(corner):
    route = (0, 1, 2, 3)
    assert {
        "place: start",
        "turn at the start: 270",
        "turn over two moves: 0",
        "ways: 1",
        "moves before: 0",
    } <= named(describe(corner, route, 0, 90.0))
    assert {"turn: 90", "place: middle", "move: under 3 m", "choice: straightest"} <= named(
        describe(corner, route, 1, 0.0)
    )
    assert {"way on: up", "way on: up a floor", "turn before: 90"} <= named(
        describe(corner, route, 2, 0.0)
    )
    end = named(describe(corner, route, 3, 0.0))
    assert {"place: end", "floor: above the start", "way here: up", "turn before the end: 0"} <= end
    assert not any(name.startswith("ways:") for name in end), "nobody has been there"


def test_texts_are_read_where_one_has_been(corner):
    roles = [name for name, _ in ROLES]
    rows = dict(zip(roles, read(corner, (0, 1, 2), 1, 0.0), strict=True))
    assert (rows["ahead"], rows["left"], rows["right"], rows["behind"]) == (
        8 + 2,
        8 + 0,
        8 + 4,
        8 + 6,
    )
    assert (rows["here"], rows["summary of the next"], rows["summary at the end"]) == (1, 2, -1)
    rows = dict(zip(roles, read(corner, (0, 1, 2, 3), 2, 0.0), strict=True))
    assert rows["summary of the next"] == -1, "the next viewpoint was only seen"
    assert set(read(corner, (0, 1, 2, 3), 3, 0.0)) == {-1}


def test_routes_are_laid_as_arrays(corner):
    laid = lay(corner, [IndexedRoute((0,), 0.0), IndexedRoute((0, 1, 2, 3), 6.5)], 0.0)
    assert laid.features.shape == (2, 4, len(FEATURES))
    assert laid.last.tolist() == [0, 3]
    assert laid.open.tolist() == [False, True]
    assert laid.features[0, 1:].sum() == 0
    assert laid.features[1, 1, INDEX["turn: 90"]] == 1


def test_what_was_not_visited_is_no_way_through():
    positions = np.array([[0, 0, 0], [0, 2, 0], [0, 4, 0]], float)
    pairs = np.array([(0, 1), (1, 0), (1, 2), (2, 1)], np.int32)
    graph = Graph("line", "metric", ["a", "b", "c"], positions, pairs[:, 0], pairs[:, 1])
    explored = ExploredHouse(graph, 0, 0.0)
    assert set(explored.paths_from(0)) == {0, 1}
    explored.visit([1])
    assert explored.paths_from(0)[2] == IndexedRoute((0, 1, 2), 4.0)
    assert [route.nodes for route in explored.routes(most_moves=1)] == [(0, 1)]


# --- alignments


def lattice(rng: np.random.Generator, phrases: int = 3, places: int = 4) -> PhraseLattice:
    """One closed route and one open one, with random scores."""
    steps = rng.normal(size=(2, places, places)).astype(np.float32)
    steps[:, *np.tril_indices(places, -1)] = NEVER
    leaves = np.full((phrases, 2, places), NEVER, np.float32)
    leaves[-1, 0] = rng.normal(size=places)
    leaves[:, 1, : places - 1] = rng.normal(size=(phrases, places - 1))
    silent = np.array([NEVER, rng.normal()], np.float32)
    speaks = rng.normal(size=(phrases, 2, places)).astype(np.float32)
    return PhraseLattice(
        speaks, rng.normal(size=(2, places)).astype(np.float32), steps, leaves, silent
    )


def every_alignment(one: PhraseLattice, route: int) -> dict[tuple[int, ...], float]:
    phrases, _, places = one.speaks.shape
    found = {(): float(one.silent[route])}
    for count in range(1, phrases + 1):
        for at in itertools.combinations_with_replacement(range(places), count):
            score = one.begins[route, at[0]] + sum(
                one.speaks[c, route, j] for c, j in enumerate(at)
            )
            score += (
                sum(one.steps[route, i, j] for i, j in itertools.pairwise(at))
                + one.leaves[count - 1, route, at[-1]]
            )
            found[at] = float(score)
    return {at: score for at, score in found.items() if score > NEVER / 2}


@pytest.mark.parametrize("seed", range(4))
def test_the_sum_and_the_best_are_those_over_every_alignment(seed):
    one = lattice(np.random.default_rng(seed))
    scores = align(one).scores
    for route in range(2):
        by_places = every_alignment(one, route)
        assert scores[route] == pytest.approx(
            math.log(sum(map(math.exp, by_places.values()))), abs=1e-4
        )
        places, score = best(one, route)
        assert tuple(places) == max(by_places, key=by_places.__getitem__)
        assert score == pytest.approx(max(by_places.values()), abs=1e-4)


@pytest.mark.parametrize("name", ["speaks", "begins", "steps", "leaves", "silent"])
def test_shares_are_the_slopes_of_the_scores(name):
    one = lattice(np.random.default_rng(7))
    weight = np.array([0.7, -0.4], np.float32)
    found = getattr(shares(one, align(one), weight), name)
    table = getattr(one, name)
    for at in zip(*np.nonzero(table > NEVER / 2), strict=True):
        up, down = table.copy(), table.copy()
        up[at] += 1e-2
        down[at] -= 1e-2
        slope = (
            align(replace(one, **{name: up})).scores - align(replace(one, **{name: down})).scores
        ) / 2e-2
        assert found[at] == pytest.approx(float(slope @ weight), abs=2e-3)
