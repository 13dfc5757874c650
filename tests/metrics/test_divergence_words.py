"""What the sentence of a divergence says, to the letter: on streets drawn for each case."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pytest

from navviz.metrics.divergence import find_divergence
from navviz.records import EndEvent, SubGoal
from navviz.world.graph import Graph
from tests.grids import LAT0, LON0, episode, grid, house, route, straight, trace

GRID = grid(9)
REFERENCE = route(GRID, "r0c0", "r0c4", "r4c4")
"""East for four blocks of 20 m, then north for four."""
PAST_THE_TURN = (straight(0, 0, 4), straight(0, 4, 7))


def _find(*moves, graph=GRID, reference=REFERENCE, status="done", **changes):
    own_episode = episode(
        reference, **{"success_radius_m": 25.0, "start_heading_deg": 90.0, **changes}
    )
    return find_divergence(trace(own_episode, moves, status), graph)


def _streets(places: Mapping[str, tuple[float, float]], *chains: str) -> Graph:
    """Draw two-way streets; places are metres to the east and north, a chain is letters of
    places.
    """
    metre = math.degrees(1 / 6_371_000.0)
    positions = {
        k: (LAT0 + y * metre, LON0 + x * metre / math.cos(math.radians(LAT0)))
        for k, (x, y) in places.items()
    }
    ids = list(places)
    pairs = [pair for chain in chains for a, b in pairwise(chain) for pair in ((a, b), (b, a))]
    headings = [
        math.degrees(math.atan2(places[b][0] - places[a][0], places[b][1] - places[a][1])) % 360.0
        for a, b in pairs
    ]
    return Graph(
        name="streets",
        frame="geo",
        ids=ids,
        positions=np.array([positions[k] for k in ids]),
        sources=np.array([ids.index(a) for a, _ in pairs], np.int32),
        targets=np.array([ids.index(b) for _, b in pairs], np.int32),
        headings_deg=np.array(headings),
    )


def _how(graph: Graph, reference: str, walk: str, heading_deg: float | None = 90.0) -> str:
    """Return the words between "the agent" and the distances."""
    divergence = _find(
        tuple(walk),
        graph=graph,
        reference=tuple(reference),
        start_heading_deg=heading_deg,
        success_radius_m=5.0,
    )
    return divergence.sentence.split("the agent ", 1)[1].split(",", 1)[0].split(" and never")[0]


def test_a_street_is_judged_over_thirty_metres():
    places = {
        "W": (-40, 0),
        "J": (0, 0),
        "a": (10, 0),
        "b": (10, -19.5),
        "c": (60, -19.5),
        "N": (0, 40),
    }
    assert (
        _how(_streets(places, "WJN", "Jabc"), "WJN", "WJabc")
        == "went straight on where the route turns left"
    )
    longer = {**places, "b": (10, -20.5)}
    assert (
        _how(_streets(longer, "WJN", "Jabc"), "WJN", "WJabc")
        == "turned right where the route turns left"
    )


def test_a_street_ends_at_the_next_junction_but_not_within_a_crossing():
    places = {"W": (-40, 0), "J": (0, 0), "a": (10, 0), "b": (10, -40), "x": (30, 0), "N": (0, 40)}
    assert (
        _how(_streets(places, "WJN", "Jab"), "WJN", "WJab")
        == "turned right where the route turns left"
    )
    assert (
        _how(_streets(places, "WJN", "Jab", "ax"), "WJN", "WJab")
        == "went straight on where the route turns left"
    )
    crossing = {**places, "a": (5, 0)}
    assert (
        _how(_streets(crossing, "WJN", "Jab", "ax"), "WJN", "WJab")
        == "turned right where the route turns left"
    )


def test_a_step_aside_and_back_is_judged_by_its_first_link():
    graph = _streets({"W": (-40, 0), "J": (0, 0), "a": (0, -10), "N": (0, 40)}, "WJN", "Ja")
    divergence = _find(("W", "J"), ("a",), ("J", "N"), graph=graph, reference=tuple("WJN"))
    assert divergence.sentence == (
        "In step 2 the agent turned right where the route turns left, got 10 m off the route and came back to it in step 3; "
        "it ended at the goal."
    )


def test_two_ways_in_one_direction_are_told_apart_without_a_word_for_them():
    graph = _streets({"W": (-40, 0), "J": (0, 0), "a": (40, 8), "b": (40, -8)}, "WJa", "Jb")
    assert _how(graph, "WJa", "WJb") == "went a different way from the route"
    assert _how(graph, "Ja", "Jb", None) == "went a different way from the route"


def test_the_route_that_is_walked_backwards_is_told_from_turning_back():
    assert _find(straight(0, 0, 2), ("r1c2",), ("r1c3", "r0c3"), ("r0c2", "r0c1")).sentence == (
        "In step 4 the agent walked the route backwards where the route turns left and never came back; it ended 100 m from "
        "the goal, outside the success radius of 25 m. It had left the route before, in step 2, and come back."
    )
    back = _find(straight(0, 0, 3), straight(0, 3, 1))
    assert back.sentence.startswith(
        "In step 2 the agent turned back where the route goes straight on and never came back;"
    )


def test_the_last_two_repaired_departures_are_named_in_the_order_of_steps():
    aside = [(f"r1c{k}", f"r0c{k}") for k in range(9)]
    graph = grid(12)
    reference = straight(0, 0, 11)
    moves = [
        aside[0],
        *(((f"r0c{k}",), aside[k])[i] for k in (1, 2, 3, 4, 5) for i in (0, 1)),
        ("r1c5", "r2c5", "r3c5"),
    ]
    divergence = _find(*moves, graph=graph, reference=reference)
    assert divergence.step == 12
    assert divergence.sentence.endswith(
        " It had left the route before, in step 9 and 11, and come back."
    )


def test_giving_up_is_told_with_the_try_and_kept():
    def gave_up(iteration: int | None, moves=PAST_THE_TURN):
        plan = (
            SubGoal(description="Walk", status="COMPLETED"),
            SubGoal(description="Stop", status="IN_PROGRESS", iteration=iteration),
        )
        made = trace(episode(REFERENCE, start_heading_deg=90.0, success_radius_m=25.0), moves)
        return find_divergence(
            made.model_copy(update={"end": EndEvent(status="done", plan=plan)}), GRID
        )

    assert gave_up(None).sentence.endswith(" It gave up in sub-goal 2 of 2 (“Stop”).")
    assert gave_up(3).sentence.endswith(" It gave up in sub-goal 2 of 2 (“Stop”, try 3).")
    assert gave_up(3).gave_up == 1
    assert gave_up(3, (straight(0, 0, 4),)).gave_up == 1
    assert gave_up(3, (REFERENCE,)).gave_up is None


def test_a_missing_route_is_said():
    nobody = _find(reference=("r0c0", "nowhere"))
    assert (
        nobody.sentence == "The map lacks 1 of 2 places of this route, so nothing can be compared."
    )


def test_hardly_off_the_route_is_not_measured():
    graph = _streets({"W": (-40, 0), "J": (0, 0), "a": (0, -0.6), "b": (0, 40)}, "WJb", "Ja")
    assert "off the route" not in _find(("J", "a"), graph=graph, reference=tuple("WJb")).sentence
    wider = _streets({"W": (-40, 0), "J": (0, 0), "a": (0, -1.6), "b": (0, 40)}, "WJb", "Ja")
    assert (
        "got 2 m off the route" in _find(("J", "a"), graph=wider, reference=tuple("WJb")).sentence
    )


def test_the_end_is_measured_wherever_the_kind_is_told():
    assert _find(straight(0, 0, 4)).error_m == pytest.approx(80, rel=1e-3)
    near = _streets({"A": (0, 0), "B": (40, 0), "C": (41, 0)}, "ABC")
    assert "1 m from the goal, within" in _find(("B",), graph=near, reference=tuple("ABC")).sentence


@pytest.mark.parametrize(
    ("sub_goal", "words"),
    [(0, " (sub-goal 1: “Walk”)"), (1, " (sub-goal 2: “Stop”)"), (2, ""), (-1, "")],
)
def test_only_a_sub_goal_of_the_plan_is_named(sub_goal, words):
    made = trace(episode(REFERENCE), [straight(0, 0, 2)])
    plan = (SubGoal(description="Walk"), SubGoal(description="Stop"))
    steps = tuple(
        step.model_copy(update={"plan": plan, "sub_goal": sub_goal}) for step in made.steps
    )
    divergence = find_divergence(made.model_copy(update={"steps": steps}), GRID)
    assert divergence.sentence.startswith(f"In step 1{words} it stopped too early")


def _indoors(
    places: Mapping[str, tuple[float, float]], reference: str, walk: str, *chains: str, **changes
):
    """Walk a plan in metres, where every length is exact."""
    graph = house({node: (x, y, 0.0) for node, (x, y) in places.items()}, *chains)
    return _find(
        tuple(walk), graph=graph, reference=tuple(reference), **{"success_radius_m": 3.0, **changes}
    )


@pytest.mark.parametrize(("far_m", "words"), [(20.0, "went straight on"), (19.5, "turned right")])
def test_thirty_metres_are_a_street(far_m, words):
    places = {
        "W": (-40, 0),
        "J": (0, 0),
        "a": (10, 0),
        "b": (10 + far_m, 0),
        "c": (10 + far_m, -80),
        "N": (0, 40),
    }
    divergence = _indoors(places, "WJN", "WJabc", "WJN", "Jabc")
    assert f"the agent {words} where the route turns left" in divergence.sentence


@pytest.mark.parametrize(("far_m", "words"), [(8.0, "went straight on"), (7.5, "turned right")])
def test_junctions_less_than_eight_metres_apart_are_one_crossing(far_m, words):
    places = {
        "W": (-40, 0),
        "J": (0, 0),
        "a": (far_m, 0),
        "b": (far_m, -60),
        "x": (40, 9),
        "N": (0, 40),
    }
    divergence = _indoors(places, "WJN", "WJab", "WJN", "Jab", "ax")
    assert f"the agent {words} where the route turns left" in divergence.sentence


@pytest.mark.parametrize(("turn_deg", "words"), [(45.5, "turned right"), (-45.5, "turned left")])
def test_a_turn_begins_at_45_degrees_from_the_way_one_came(turn_deg, words):
    x, y = 40 * math.cos(math.radians(turn_deg)), -40 * math.sin(math.radians(turn_deg))
    places = {"W": (-40, 0), "J": (0, 0), "a": (x, y), "E": (40, 0)}
    for heading_deg in (None, 0.0):
        divergence = _indoors(places, "WJE", "WJa", "WJE", "Ja", start_heading_deg=heading_deg)
        assert f"the agent {words} where the route goes straight on" in divergence.sentence


def test_turning_back_after_one_link_or_many():
    places = {"A": (0, 0), "B": (40, 0), "C": (80, 0), "D": (120, 0), "E": (160, 0)}
    for walk in ("ABA", "ABCB", "ABCDC"):
        divergence = _indoors(places, "ABCDE", walk, "ABCDE")
        assert (
            "the agent turned back where the route goes straight on and never came back"
            in divergence.sentence
        )


def test_who_strays_beside_the_goal_went_on_from_there():
    places = {"A": (0, 0), "B": (40, 0), "G": (42, 0), "x": (40, 2), "y": (40, 30)}
    divergence = _indoors(places, "ABG", "ABxy", "ABG", "GBxy", success_radius_m=4.0)
    assert (divergence.kind, divergence.node) == ("overshoot", "x")
    assert (
        "the agent came within 4 m of the goal and then went on, got 30 m off the route"
        in divergence.sentence
    )


def test_a_goal_that_no_door_leads_to_is_said():
    places = {"A": (0, 0), "B": (40, 0), "G": (42, 0)}
    divergence = _indoors(places, "AB", "AB", "AB", goal="G")
    assert divergence.sentence == (
        "In step 1 it stopped too early: the agent never left the route and ended where no way leads to the goal."
    )


@pytest.mark.parametrize(
    ("away_m", "words"),
    [(0.5, "at the goal"), (0.6, "1 m from the goal, within the success radius of 3 m")],
)
def test_half_a_metre_is_at_the_goal(away_m, words):
    divergence = _indoors({"A": (0, 0), "B": (10, 0), "G": (10 + away_m, 0)}, "ABG", "AB", "ABG")
    assert divergence.sentence == f"The agent never left the route and ended {words}."


GAVE_UP = EndEvent(status="done", plan=(SubGoal(description="Walk", status="IN_PROGRESS"),))


@pytest.mark.parametrize(
    ("away_m", "kind", "gave_up"), [(3.0, "none", None), (3.5, "undershoot", 0)]
)
def test_the_radius_itself_is_at_the_goal(away_m, kind, gave_up):
    graph = house(
        {"A": (0, 0, 0), "B": (10, 0, 0), "G": (10 + away_m, 0, 0), "x": (4, 9, 0)}, "ABG", "AxB"
    )
    own_episode = episode(tuple("ABG"), success_radius_m=3.0)
    straight_on = find_divergence(
        trace(own_episode, [tuple("AB")]).model_copy(update={"end": GAVE_UP}), graph
    )
    assert (straight_on.kind, straight_on.gave_up) == (kind, gave_up)
    assert ("within the success radius" in straight_on.sentence) == (kind == "none")
    aside = find_divergence(
        trace(own_episode, [tuple("AxB")]).model_copy(update={"end": GAVE_UP}), graph
    )
    assert (aside.kind, aside.gave_up) == (
        "wrong turn" if kind == "none" else "undershoot",
        gave_up,
    )
    refused = find_divergence(
        trace(own_episode, [tuple("AB"), ()], "error", legal=(True, False)), graph
    )
    assert refused.kind == ("did not stop" if kind == "none" else "illegal decision")


def test_one_metre_off_the_route_is_measured():
    divergence = _indoors({"A": (0, 0), "B": (20, 0), "x": (0, -1)}, "AB", "Ax", "AB", "Ax")
    assert "got 1 m off the route" in divergence.sentence
    assert (
        "off the route"
        not in _indoors(
            {"A": (0, 0), "B": (20, 0), "x": (0, -0.9)}, "AB", "Ax", "AB", "Ax"
        ).sentence
    )
