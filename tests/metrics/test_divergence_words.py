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


def test_a_step_aside_and_back_is_told_with_both_steps():
    graph = _streets({"W": (-40, 0), "J": (0, 0), "a": (0, -10), "N": (0, 40)}, "WJN", "Ja")
    divergence = _find(("W", "J"), ("a",), ("J", "N"), graph=graph, reference=tuple("WJN"))
    assert divergence.sentence == (
        "In step 2 the agent left the route, got 10 m off it and came back in step 3; "
        "it ended at the goal."
    )


def test_giving_up_is_kept():
    def gave_up(iteration: int | None, moves=PAST_THE_TURN):
        plan = (
            SubGoal(description="Walk", status="COMPLETED"),
            SubGoal(description="Stop", status="IN_PROGRESS", iteration=iteration),
        )
        made = trace(episode(REFERENCE, start_heading_deg=90.0, success_radius_m=25.0), moves)
        return find_divergence(
            made.model_copy(update={"end": EndEvent(status="done", plan=plan)}), GRID
        )

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
    assert "off it" not in _find(("J", "a"), graph=graph, reference=tuple("WJb")).sentence
    wider = _streets({"W": (-40, 0), "J": (0, 0), "a": (0, -1.6), "b": (0, 40)}, "WJb", "Ja")
    assert "got 2 m off it" in _find(("J", "a"), graph=wider, reference=tuple("WJb")).sentence


def test_the_end_is_measured_wherever_the_kind_is_told():
    assert _find(straight(0, 0, 4)).error_m == pytest.approx(80, rel=1e-3)
    near = _streets({"A": (0, 0), "B": (40, 0), "C": (41, 0)}, "ABC")
    assert "1 m from the goal, within" in _find(("B",), graph=near, reference=tuple("ABC")).sentence


def _indoors(
    places: Mapping[str, tuple[float, float]], reference: str, walk: str, *chains: str, **changes
):
    """Walk a plan in metres, where every length is exact."""
    graph = house({node: (x, y, 0.0) for node, (x, y) in places.items()}, *chains)
    return _find(
        tuple(walk), graph=graph, reference=tuple(reference), **{"success_radius_m": 3.0, **changes}
    )


def test_who_strays_beside_the_goal_went_on_from_there():
    places = {"A": (0, 0), "B": (40, 0), "G": (42, 0), "x": (40, 2), "y": (40, 30)}
    divergence = _indoors(places, "ABG", "ABxy", "ABG", "GBxy", success_radius_m=4.0)
    assert (divergence.kind, divergence.node) == ("overshoot", "x")
    assert "left the route, got 30 m off it and never came back" in divergence.sentence


def test_a_goal_that_no_door_leads_to_is_said():
    places = {"A": (0, 0), "B": (40, 0), "G": (42, 0)}
    divergence = _indoors(places, "AB", "AB", "AB", goal="G")
    assert divergence.sentence == (
        "The agent never left the route and ended where no way leads to the goal."
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
    assert "got 1 m off it" in divergence.sentence
    assert (
        "off it"
        not in _indoors(
            {"A": (0, 0), "B": (20, 0), "x": (0, -0.9)}, "AB", "Ax", "AB", "Ax"
        ).sentence
    )
