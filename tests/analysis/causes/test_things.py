"""Rooms and things of a house: never shown, or another one taken; planted in a house with a fork."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from navviz.analysis.causes.engine import explain_episode
from navviz.records import Observation, Trace
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations, NearObject
from tests.analysis.causes.planted_house import RIGHT, WRONG, fork_house, fork_walk

THINGS = ("piano", "sofas", "fireplaces", "bookshelf", "sinks", "dresser", "treadmill", "crib")
OTHERS = ("vase", "plant", "basket", "radio")


def _walk(path: tuple[str, ...], text: str, texts: dict[str, str]) -> Trace:
    seen = {node: Observation(format="panorama", text=words) for node, words in texts.items()}
    return fork_walk(path, text, seen)


def _planted(cause: str, seed: int, path: tuple[str, ...] = WRONG) -> tuple[Trace, Graph]:
    """A walk that leaves the route at the fork, where one thing decides."""
    random = Random(seed)
    thing, other = random.choice(THINGS), random.choice(OTHERS)
    fields = {random.choice(("a1", "a2")): thing, random.choice(("v0", "v1")): other}
    texts = {"v0": f"A hall with a {other}."}
    if cause == "another-thing-taken":
        fields[random.choice(("b1", "b2"))] = thing
        texts["v2"] = f"A {thing} by a wall."
    text = f"Walk past the {other} and stop by the {thing}."
    return _walk(path, text, texts), fork_house(fields, random.uniform(0, 360))


@pytest.mark.parametrize("cause", ["thing-never-shown", "another-thing-taken"])
def test_what_was_planted_is_named_and_no_other(cause: str) -> None:
    found: Counter[str] = Counter()
    for seed in range(10):
        explained = explain_episode(*_planted(cause, seed))
        assert explained.leading is not None
        found[explained.leading.id] += 1
        assert {each.step for each in explained.causes} == {3}
        assert not explain_episode(*_planted(cause, seed, RIGHT)).causes
    assert found == {cause: 10}


def test_the_cause_quotes_word_and_label_and_repairs_by_the_right_link() -> None:
    trace, graph = _planted("thing-never-shown", 3)
    cause = explain_episode(trace, graph).leading
    assert cause is not None
    word, label = cause.quotes[:2]
    assert trace.episode.instruction[word.start : word.end] == word.text
    assert label.text == f"{word.text}, 1.0 m away: on the route"
    assert label.node in {"a1", "a2"}
    assert cause.repair is not None
    assert cause.repair.parameters == {"node": "v2", "to": "a1"}


def _explained(things: dict[str, str], text: str, texts: dict[str, str]) -> list[str]:
    causes = explain_episode(_walk(WRONG, text, texts), fork_house(things, 30.0)).causes
    return [cause.id for cause in causes]


def test_what_was_shown_or_passed_or_comes_later_is_no_cause() -> None:
    text = "Walk to the piano and stop by the crib."
    assert _explained({"a1": "piano"}, text, {}) == ["thing-never-shown"]
    assert _explained({"a1": "piano"}, text, {"v1": "Two pianos."}) == []
    assert _explained({"v1": "piano", "a1": "piano"}, text, {}) == []
    # the crib stands nearer, but the text comes to the piano first, which nobody places
    assert _explained({"a1": "crib"}, text, {}) == ["thing-never-shown"]
    assert _explained({"a2": "piano", "a1": "crib"}, text, {"v0": "A piano."}) == []


def test_one_thing_that_both_ways_have_beside_them_is_not_another() -> None:
    text = "Stop by the piano."
    seen = {"v2": "A piano."}
    assert _explained({"a1": "piano", "b2": "piano"}, text, seen) == ["another-thing-taken"]
    # between a1 and b1 stands one piano, which each of them measures anew
    near = {
        "a1": ((NearObject("piano", 135.0, 2.1),), *[()] * 7),
        "b1": ((NearObject("piano", 315.0, 2.1),), *[()] * 7),
    }
    house = HouseObservations("fork", scenes={}, objects=near)
    graph = fork_house({}, 0.0)
    graph.info = replace(graph.info, observations=house)
    assert explain_episode(_walk(WRONG, text, seen), graph).causes == ()


def test_pictures_are_not_searched_for_words() -> None:
    trace = _walk(WRONG, "Stop by the piano.", {})
    steps = []
    for step in trace.steps:
        seen = step.observation.model_copy(update={"format": "places-pictures"})
        steps.append(step.model_copy(update={"observation": seen}))
    pictured = trace.model_copy(update={"steps": tuple(steps)})
    assert explain_episode(pictured, fork_house({"a1": "piano"}, 0.0)).causes == ()
