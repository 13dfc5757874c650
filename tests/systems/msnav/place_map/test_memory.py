"""MSNav's memory: the spec's worked example, a walk by hand, and what pruning takes and keeps."""

from __future__ import annotations

import random

import pytest

from navviz.errors import InputError
from navviz.records import Episode, Trace, TraceHeader
from navviz.systems.msnav.place_map.memory import (
    PAPER,
    PARSER,
    SCRIPT,
    MapMemory,
    PruningRules,
    remembered,
    rules_of,
    score_place,
)

LINE = {f"v{k}": [f"v{j}" for j in (k - 1, k + 1) if 0 <= j < 40] for k in range(40)}


def walked(
    path: list[str], near: dict[str, list[str]] = LINE, rules: PruningRules | None = PAPER
) -> MapMemory:
    return remembered(path, near, rules)


def test_the_worked_example():
    score = score_place("n", age=16 - 3, degree=4, unvisited=1, hops=3)
    assert (score.time, score.degree_term, score.frontier, score.distance, score.score) == (
        3,
        -8,
        -5,
        1.5,
        -8.5,
    )
    assert score_place("n", 13, 4, 1, 3, SCRIPT).score == -10
    assert score_place("n", 13, 4, 1, None).distance == 0, "unreachable adds nothing"


def test_three_sets_of_numbers_differ_as_published():
    assert (PAPER.keep_recent, PAPER.keep_young, PAPER.degree_weight, PAPER.distance_term) == (
        3,
        10,
        2.0,
        True,
    )
    assert (PARSER.keep_recent, PARSER.keep_young, PARSER.degree_weight, PARSER.distance_term) == (
        6,
        13,
        2.5,
        False,
    )
    assert (SCRIPT.keep_recent, SCRIPT.keep_young, SCRIPT.degree_weight, SCRIPT.distance_term) == (
        3,
        10,
        2.0,
        False,
    )
    assert {rules.start_step for rules in (PAPER, PARSER, SCRIPT)} == {15}


def test_places_are_numbered_in_the_order_first_seen():
    near = {"a": ["c", "b"], "b": ["a", "d"], "c": ["a"]}
    memory = walked(["a", "b", "a", "c"], near)
    assert memory.places == {"a": 0, "c": 1, "b": 2, "d": 3}
    assert memory.trajectory_text() == "Place 0 2 0 1"
    assert memory.map_lines() == [
        "Place 0 is connected with Places 1, 2",
        "Place 2 is connected with Places 0, 3",
        "Place 1 is connected with Places 0",
    ]
    assert memory.supplementary() == ["d"]


def test_what_is_a_candidate_now_is_not_supplementary():
    near = {"a": ["c", "b"], "b": ["a", "d"], "c": ["a"]}
    assert walked(["a", "b"], near).supplementary() == ["c"]


@pytest.mark.parametrize("steps", [1, 14, 15])
def test_pruning_does_not_start_before_its_step(steps):
    memory = walked([f"v{k}" for k in range(steps)])
    assert not any(arrival.started for arrival in memory.arrivals)
    assert not memory.pruned


def test_a_straight_walk_by_hand():
    """At t = 15 on a line, v0 to v4 are older than 10: v0 has one way, the others two, all
    visited.
    """
    memory = walked([f"v{k}" for k in range(16)])
    arrival = memory.arrivals[15]
    assert arrival.started
    by_hand = {
        "v0": (15, 5, 1, 0, 15, 5 - 2 - 0 + 7.5),
        "v1": (14, 4, 2, 0, 14, 4 - 4 - 0 + 7.0),
        "v2": (13, 3, 2, 0, 13, 3 - 4 - 0 + 6.5),
        "v3": (12, 2, 2, 0, 12, 2 - 4 - 0 + 6.0),
        "v4": (11, 1, 2, 0, 11, 1 - 4 - 0 + 5.5),
    }
    values = {
        s.node: (s.age, s.effective_age, s.degree, s.unvisited, s.hops, s.score)
        for s in arrival.scores
    }
    assert values == by_hand
    assert [s.node for s in arrival.scores] == ["v0", "v1", "v2", "v3", "v4"], "the highest first"
    assert [s.node for s in arrival.removed] == ["v0"]
    assert arrival.stays["v15"] == "current"
    assert {arrival.stays[f"v{k}"] for k in (12, 13, 14)} == {"recent"}
    assert {arrival.stays[f"v{k}"] for k in range(5, 12)} == {"too young"}
    assert memory.links["v1"] == ["v2"], "its edges go too"
    assert "Place 0" not in "\n".join(memory.map_lines())
    assert memory.trajectory_text().startswith("Place 0 1 2"), "the trajectory stays"
    assert memory.pruned["v0"].score == 10.5


def test_both_thresholds_are_strict():
    rules = PruningRules(start_step=0, keep_recent=2, keep_young=2)
    assert not walked(["v0", "v1", "v2"], rules=rules).arrivals[-1].scores
    assert [s.node for s in walked(["v0", "v1", "v2", "v3"], rules=rules).arrivals[-1].scores] == [
        "v0"
    ]


def test_of_equal_scores_the_one_explored_earlier_goes():
    near = {
        "s": ["a", "b", "t"], "a": ["s"], "b": ["s"], "t": ["s", "u"], "u": ["t", "w"], "w": ["u"],
    }  # fmt: skip
    rules = PruningRules(
        start_step=6, keep_recent=0, keep_young=0, time_weight=0.0, distance_term=False
    )
    memory = walked(["s", "a", "s", "b", "s", "t", "u"], near, rules)
    scores = {s.node: s.score for s in memory.arrivals[-1].scores}
    assert scores["a"] == scores["b"] == -2
    assert [s.node for s in memory.arrivals[-1].removed] == ["a"]


def test_several_may_go_at_once_and_none_where_none_may():
    path = [f"v{k}" for k in range(16)]
    assert [s.node for s in walked(path, rules=PruningRules(remove=2)).arrivals[-1].removed] == [
        "v0",
        "v1",
    ]
    assert not walked(path, rules=PruningRules(remove=0)).pruned
    assert walked(path, rules=PruningRules(remove=0)).arrivals[-1].scores, (
        "scores are shown all the same"
    )
    assert not walked(path, rules=None).pruned


def test_a_place_that_was_taken_off_comes_back_with_its_number():
    path = [f"v{k}" for k in range(16)]
    memory = walked(
        [*path, *reversed(path[1:15]), "v0"], rules=PruningRules(keep_young=40, keep_recent=3)
    )
    assert not memory.pruned
    memory = walked(path)
    assert "v0" in memory.pruned
    number = memory.places["v0"]
    memory.arrive("v0", LINE["v0"])
    assert "v0" not in memory.pruned
    assert memory.places["v0"] == number
    assert memory.last_visit["v0"] == 16
    assert "v1" in memory.pruned, "in the same step the next one goes"
    assert memory.links["v0"] == []
    assert not any(line.startswith("Place 0 ") for line in memory.map_lines()), (
        "a place without ways has no line"
    )


def test_hops_go_over_explored_places_only():
    """The old place is linked with the new one over a place that was seen but never explored."""
    near = {"a": ["x", "b"], "b": ["a", "c"], "c": ["b", "x"]}
    rules = PruningRules(start_step=2, keep_recent=0, keep_young=0, remove=0)
    scores = {s.node: s for s in walked(["a", "b", "c"], near, rules).arrivals[-1].scores}
    assert scores["a"].hops == 2, "not one less over x"
    assert scores["a"].unvisited == 1


def test_the_map_never_forgets_what_it_should_not():
    rng = random.Random(7)
    node, path = "v20", ["v20"]
    for _ in range(120):
        node = rng.choice(LINE[node])
        path.append(node)
    memory = walked(path)
    assert set(memory.trajectory) <= set(memory.places)
    assert path[-1] in memory.links
    assert not set(memory.pruned) & set(memory.links)
    assert not set(memory.pruned) & {other for near in memory.links.values() for other in near}
    assert set(memory.nodes) | set(memory.pruned) == set(memory.places)


def trace(navigator: str, **settings: object) -> Trace:
    episode = Episode(id="e", dataset="R2R", instruction="go", start="v0")
    return Trace(header=TraceHeader(episode=episode, navigator=navigator, settings=settings))


def test_the_rules_of_a_trace_are_those_of_its_settings():
    own_trace = trace("msnav", pruning=True, start_step=4, keep_young=2, views="auto")
    assert rules_of(own_trace) == PruningRules(start_step=4, keep_young=2)
    assert rules_of(trace("msnav", pruning=False)) is None
    assert rules_of(trace("navgpt", pruning=True)) is None
    as_text = trace("msnav", pruning=True, start_step="4", keep_young=2.0)
    assert rules_of(as_text) == PruningRules(start_step=4, keep_young=2)
    with pytest.raises(InputError, match=r"episode e, field settings\.start_step: .* no number"):
        rules_of(trace("msnav", pruning=True, start_step="four"))
