"""Where instruction and route disagree: by hand, on the worst failures of a published run, and measured on `val`."""

from __future__ import annotations

import random
import re

import pytest

from navviz.analysis.contradictions import find_contradictions
from navviz.formats import open_episodes, open_graph
from navviz.metrics.path import Ruler, score_path
from navviz.systems.rules.navigator import Rules, RulesSettings
from tests.grids import episode, grid, route, straight

GRAPH = grid(9)
EAST_THEN_NORTH = route(GRAPH, "r0c0", "r0c4", "r4c4")
SIDES = re.compile(r"\b(left|right)\b", re.IGNORECASE)


def _find(instruction, path=EAST_THEN_NORTH, graph=GRAPH, **changes):
    return find_contradictions(
        episode(path, **{"start_heading_deg": 90.0, **changes}).model_copy(update={"instruction": instruction}), graph
    )


def test_a_turn_the_other_way_is_found_where_it_stands():
    text = "Go straight through three intersections. Turn right at the fourth intersection. Stop at the fourth intersection."
    (found,) = _find(text)
    assert (text[found.start : found.end], found.said, found.shown, found.kind) == ("right", "right", "left", "turn")
    assert found.node == "r0c4"
    assert found.sentence == "The instruction says “Turn right at the fourth intersection”; the route turns left there."


def test_the_right_turn_is_no_contradiction():
    assert (
        _find(
            "Go straight through three intersections. Turn left at the fourth intersection. Stop at the fourth intersection."
        )
        == ()
    )


@pytest.mark.parametrize("text", ["", "Walk on.", "left", "\ud83d\udc48 right \x00 left right left"])
def test_any_text_is_looked_at(text):
    assert isinstance(_find(text), tuple)


def test_a_start_heading_away_from_the_route_is_told():
    (found,) = _find("Go straight.", path=straight(0, 0, 3), start_heading_deg=200.0)
    assert (found.kind, found.start, found.node) == ("heading", None, "r0c0")
    assert found.sentence == "The start heading is 200°, but the route sets out to 90°: 110° apart."


def test_nothing_is_said_where_nobody_knows_the_route():
    told = episode(EAST_THEN_NORTH).model_copy(
        update={"reference_path": (), "goal": None, "instruction": "Turn right."}
    )
    assert find_contradictions(told, GRAPH) == ()
    assert _find("Turn right.", path=("r0c0", "nowhere")) == ()
    assert _find("Turn right.", path=("r0c0", "r5c5", "r5c6")) == ()


@pytest.fixture(scope="module")
def manhattan(data_dir):
    return open_graph(data_dir / "map2seq" / "osm" / "graph")


@pytest.mark.data
def test_the_worst_failures_of_the_published_run_are_errors_of_the_data(data_dir, manhattan):
    known = open_episodes(data_dir / "groke" / "paper_results" / "main_test_seen.json").episodes
    found = {key: find_contradictions(known[key], manhattan) for key in ("1997", "6211", "11144")}
    assert {key: [(one.kind, one.said, one.shown) for one in of] for key, of in found.items()} == {
        "1997": [("turn", "right", "left")],
        "6211": [("heading", "27", "119")],
        "11144": [("straight", "straight", "left")],
    }
    assert found["11144"][0].sentence == (
        "The instruction goes straight on at “two blocks”; the route turns left there."
    )


def _other(text, word):
    other = {"left": "right", "right": "left"}[word[0].lower()]
    return text[: word.start()] + other + text[word.end() :]


@pytest.mark.data
@pytest.mark.parametrize(
    "most",
    [60, *(pytest.param(most, marks=pytest.mark.nightly) for most in (200, 1000))],
    ids=["60 episodes", "200 episodes", "all of val"],
)
def test_recall_and_false_alarms(data_dir, manhattan, most):
    """One left or right swapped where `rules` walks right: recall at least 80 %, false alarms at most 5 %."""
    told = list(open_episodes(data_dir / "map2seq" / "splits" / "val.json").episodes.values())
    chance, ruler = random.Random(5), Ruler(manhattan)
    chance.shuffle(told)
    alarms = recalled = count = 0
    for one in told:
        words = list(SIDES.finditer(one.instruction))
        if count == most or not words:
            continue
        *_, end = Rules().navigate(one, manhattan, None, RulesSettings())
        if not score_path([one.start, end.node], one, ruler)["SR"]:
            continue
        word, count = chance.choice(words), count + 1
        alarms += bool(find_contradictions(one, manhattan))
        swapped = one.model_copy(update={"instruction": _other(one.instruction, word)})
        recalled += any(found.start == word.start() for found in find_contradictions(swapped, manhattan))
    assert count >= min(most, 200)
    assert recalled >= 0.8 * count, (recalled, count)
    assert alarms <= 0.05 * count, (alarms, count)
