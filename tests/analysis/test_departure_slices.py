"""Junctions where agents leave the route: which are counted, what is told of them, and a planted
effect.
"""

from __future__ import annotations

import numpy as np

from navviz.analysis.departure_slices import departure_slices, passages
from navviz.formats import open_graph
from navviz.records import Landmark, SubGoal
from tests.grids import episode, grid, route, trace
from tests.worlds import ROUTE, write_world

GRAPH = grid(9)
PATH = route(GRAPH, "r0c0", "r0c4", "r4c4")


def test_only_junctions_up_to_the_first_departure_count():
    path = tuple(f"r0c{k}" for k in range(5)) + tuple(f"r{k}c4" for k in range(1, 5))
    walk = trace(episode(path), [["r0c0", "r0c1", "r0c2"], ["r1c2", "r2c2"]])
    counted = passages(walk, GRAPH)
    assert [(one.node, one.left, one.step) for one in counted] == [
        ("r0c1", False, 1),
        ("r0c2", True, 2),
    ]
    assert {
        "a way straight on",
        "a junction of three ways",
        "the first third of the route",
    } <= counted[0].features
    whole = passages(trace(episode(path), [path]), GRAPH)
    assert [one.node for one in whole] == list(path[1:-1])
    assert not any(one.left for one in whole)
    assert "a left turn" in next(one for one in whole if one.node == "r0c4").features
    assert passages(trace(episode(path[:1]), []), GRAPH) == []


def test_what_stands_there_and_what_was_due(tmp_path):
    graph = open_graph(write_world(tmp_path))
    own_episode = episode(ROUTE).model_copy(update={"landmarks": (Landmark(name="light"),)})
    walk = trace(own_episode, [["s1", "s0", "x", "n0"]])
    plan = (SubGoal(description="Turn right at the light"), SubGoal(description="Stop"))
    walk = walk.model_copy(
        update={"steps": (walk.steps[0].model_copy(update={"plan": plan, "sub_goal": 0}),)}
    )
    (one,) = passages(walk, graph)
    assert (one.node, one.left) == ("x", True)
    assert {
        "a right turn",
        "a junction of four ways",
        "a named landmark",
        "landmark there: traffic signals",
        "sub-goal word: light",
        "sub-goal skill: Direction Adjustment",
        "sub-goal 1 due",
    } <= one.features


def test_a_planted_kind_of_junction_comes_first():
    """Agents that leave at two of three right turns and at one of twenty junctions else."""
    rng, walks = np.random.default_rng(5), {}
    for k in range(60):
        row, column = rng.integers(3, 6, 2)
        path = route(GRAPH, f"r{row}c1", f"r{row}c{column}", f"r{row - 3}c{column}")
        left = next(
            (
                n
                for n in range(1, len(path) - 1)
                if rng.random() < (0.66 if path[n] == f"r{row}c{column}" else 0.05)
            ),
            None,
        )
        walked = path
        if left is not None:
            onward = [n for n in GRAPH.neighbours(path[left]) if n not in path]
            walked = (*path[: left + 1], str(rng.choice(onward)))
        walks[str(k)] = trace(episode(path, str(k)), [walked])
    first = departure_slices(walks, lambda _world: GRAPH)[0]
    assert first.feature == "a right turn"
    assert first.p_adjusted < 0.001
    assert first.sentence.startswith("At a right turn, agents leave the route ")
