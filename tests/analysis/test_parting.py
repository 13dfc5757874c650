"""Where walks of one episode part."""

from __future__ import annotations

import pytest

from navviz.analysis.stability import find_parting
from navviz.errors import InputError
from navviz.records import Decision, Episode, Step, Trace, TraceHeader


def walk(*steps: tuple[str, ...], start: str = "a") -> Trace:
    """One step a tuple: where it stands, and what it walks over."""
    episode = Episode(id="1", dataset="made", instruction="Go.", start=start)
    made = tuple(
        Step(index=k, node=nodes[0], path=nodes, decision=Decision(target=nodes[-1]))
        for k, nodes in enumerate(steps, 1)
    )
    return Trace(header=TraceHeader(episode=episode, navigator="made"), steps=made)


def test_each_run_is_asked_for_its_own_step_there() -> None:
    single = walk(("a", "b"), ("b", "c"), ("c", "d"))
    leaps = walk(("a", "b", "c"), ("c", "e", "f"))
    parting = find_parting({"single": single, "leaps": leaps})
    assert (parting.node, parting.nodes, parting.apart) == ("c", 3, True)
    assert parting.onward == {"single": "d", "leaps": "e"}
    assert {name: step.index for name, step in parting.steps.items()} == {"single": 3, "leaps": 2}


def test_a_step_that_walks_over_the_node_is_the_one() -> None:
    parting = find_parting({"over": walk(("a", "b", "x")), "single": walk(("a", "b"), ("b", "c"))})
    assert parting.node == "b"
    assert {name: step.index for name, step in parting.steps.items()} == {"over": 1, "single": 2}


def test_who_stops_there_is_asked_for_the_last_step() -> None:
    parting = find_parting({"on": walk(("a", "b"), ("b", "c")), "stops": walk(("a", "b"), ("b",))})
    assert parting.apart
    assert parting.onward == {"on": "c", "stops": None}
    assert parting.steps["stops"].index == 2


def test_the_same_way_does_not_part() -> None:
    parting = find_parting({"one": walk(("a", "b"), ("b", "c")), "two": walk(("a", "b", "c"))})
    assert not parting.apart
    assert parting.node == "c"


def test_three_part_where_the_first_two_of_them_do() -> None:
    runs = {"one": walk(("a", "b", "c")), "two": walk(("a", "b", "c")), "three": walk(("a", "x"))}
    assert find_parting(runs).node == "a"


def test_a_log_without_ways_tells_the_step_before() -> None:
    """Where a step tells only where it stands, the step before it chose to go there."""
    header = walk(("a",)).header
    bare = Trace(
        header=header, steps=tuple(Step(index=k, node=node) for k, node in enumerate("abc", 1))
    )
    other = Trace(
        header=header, steps=tuple(Step(index=k, node=node) for k, node in enumerate("abd", 1))
    )
    parting = find_parting({"bare": bare, "other": other})
    assert (parting.node, parting.steps["bare"].index) == ("b", 2)


def test_what_cannot_part_is_a_sentence() -> None:
    with pytest.raises(InputError, match="needs at least two walks"):
        find_parting({"one": walk(("a", "b"))})
    with pytest.raises(InputError, match="start at different nodes"):
        find_parting({"one": walk(("a", "b")), "two": walk(("z", "b"), start="z")})
    nobody = Trace(header=walk(("a",)).header)
    assert find_parting({"one": walk(("a", "b")), "nobody": nobody}).steps["nobody"] is None
