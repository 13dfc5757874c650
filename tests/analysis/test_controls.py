"""Controls: what of a navigator's figures survives without reading, and whether it looks at the
reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from navviz.analysis.controls import (
    CONTROLS,
    ControlSetup,
    controls_of,
    false_reference,
    other_instructions,
    sample_of,
    shuffled,
    swapped,
)
from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph, open_worlds
from navviz.records import DecisionEvent, EndEvent, Episode, Event, MoveEvent, StepEvent
from navviz.runner.batch import SetWalker
from navviz.systems.base import EVERYWHERE, Navigator, Settings
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.graph import Graph
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"
HARBOUR = SAMPLES / "harbour"


class _Blind:
    """Walks two links to the first neighbour, whatever it is told."""

    name: ClassVar[str] = "blind"
    summary: ClassVar[str] = "Does not read."
    needs_model: ClassVar[bool] = False
    frames = EVERYWHERE
    settings_type: ClassVar[type[Settings]] = Settings

    def navigate(self, episode: Episode, graph: Graph, *_more: object) -> Iterator[Event]:
        node = episode.start
        for index in (1, 2):
            yield StepEvent(index=index, node=node)
            target = self.target(episode, graph, node)
            yield DecisionEvent.model_validate({"decision": {"target": target}})
            yield MoveEvent(path=(node, target))
            node = target
        yield EndEvent(status="done", node=node)

    def target(self, episode: Episode, graph: Graph, node: str) -> str:
        del episode
        return graph.neighbours(node)[0]


class _Peeks(_Blind):
    """Looks at the goal, as no navigator may."""

    name: ClassVar[str] = "peeks"

    def target(self, episode: Episode, graph: Graph, node: str) -> str:
        path = graph.hops(node, str(episode.goal)) or (node, node)
        return path[1] if len(path) > 1 else graph.neighbours(node)[0]


@pytest.fixture
def setup(tmp_path: Path):
    """Make what is walked, of a sample world."""

    def made(navigator: Navigator, place: str, count: int | None = None) -> ControlSetup:
        files = {
            "house": (HOUSE / "R2R_sample.json", HOUSE),
            "harbour": (HARBOUR / "splits" / "sample.json", HARBOUR),
        }
        split, graphs = files[place]
        graph_of, settings = open_worlds(graphs), settings_from(navigator)
        walk = SetWalker(
            navigator=navigator, settings=settings, graph_of=graph_of, graphs=graphs, out=tmp_path
        )
        return ControlSetup(
            episodes=tuple(open_episodes(split).episodes.values())[:count],
            graph_of=graph_of,
            walk=walk,
        )

    return made


# --- what is walked


def test_left_and_right_change_places_in_their_case() -> None:
    text = "Turn Left, then right; the LEFT-hand door. Leftover brightness, left."
    assert (
        swapped(text) == "Turn Right, then left; the RIGHT-hand door. Leftover brightness, right."
    )
    assert swapped(swapped(text)) == text


def test_words_are_shuffled_by_the_seed_and_none_is_lost() -> None:
    text = "Walk to the light, turn right and stop at the blue door."
    assert shuffled(text, "0 a") == shuffled(text, "0 a") != text
    assert shuffled(text, "1 a") != shuffled(text, "0 a")
    assert Counter(shuffled(text, "0 a").split()) == Counter(text.split())


def _episodes(*specs: tuple[str, str, str, str]) -> list[Episode]:
    return [
        Episode(
            id=key,
            dataset=dataset,
            world=world,
            instruction=f"text {key}",
            start=route,
            reference_path=(route, "z"),
        )
        for key, dataset, world, route in specs
    ]


@pytest.mark.parametrize("seed", range(5))
def test_each_gets_the_text_of_another_route_of_its_own_data_set_and_all_are_used(
    seed: int,
) -> None:
    specs = [
        (f"{n}", "R2R" if n < 20 else "RxR", f"scan{n % 5}", f"route{n // 3}") for n in range(40)
    ]
    episodes = _episodes(*specs)
    by_text = {episode.instruction: episode for episode in episodes}
    others = other_instructions(episodes, seed)
    assert sorted(others.values()) == sorted(by_text)
    for episode in episodes:
        donor = by_text[others[episode.id]]
        assert donor.world != episode.world
        assert donor.dataset == episode.dataset
    assert others == other_instructions(episodes, seed)
    assert others != other_instructions(episodes, seed + 1)


def test_in_one_world_another_route_is_enough() -> None:
    episodes = _episodes(*[(f"{n}", "map2seq", "", f"route{n // 2}") for n in range(12)])
    starts = {episode.instruction: episode.start for episode in episodes}
    others = other_instructions(episodes, 0)
    assert len(set(others.values())) == 12
    assert all(starts[others[episode.id]] != episode.start for episode in episodes)


def test_instructions_of_one_route_alone_have_no_other() -> None:
    assert other_instructions(_episodes(*[(f"{n}", "R2R", "s", "r") for n in range(3)]), 0) == {}


def test_a_false_route_begins_at_the_start_and_ends_elsewhere() -> None:
    house = open_graph(HOUSE)
    for episode in open_episodes(HOUSE / "R2R_sample.json").episodes.values():
        spoilt = false_reference(episode, house, 0)
        assert spoilt.reference_path[0] == episode.start
        assert spoilt.goal == spoilt.reference_path[-1] != episode.goal
        assert spoilt.instruction == episode.instruction
        assert spoilt == false_reference(episode, house, 0)


def test_a_sample_is_seeded_and_keeps_the_order() -> None:
    episodes = _episodes(*[(f"{n}", "d", "w", "r") for n in range(50)])
    keys = [episode.id for episode in sample_of(episodes, 10, 3)]
    assert keys == sorted(keys, key=int)
    assert (
        keys
        == [episode.id for episode in sample_of(episodes, 10, 3)]
        != [e.id for e in sample_of(episodes, 10, 4)]
    )
    assert sample_of(episodes, None, 0) == sample_of(episodes, 99, 0) == tuple(episodes)


# --- what comes of it


def test_a_navigator_that_does_not_read_loses_nothing(setup) -> None:
    found = controls_of(setup(_Blind(), "house"))
    assert list(found.scores) == list(CONTROLS)
    assert set(found.same_walks.values()) == {10}
    assert found.leaks == ()
    for metric in ("SR", "NE", "SPL"):
        assert len({found.mean(control, metric) for control in CONTROLS}) == 1
        difference = found.inference.difference(metric, "other-instruction")
        assert difference is not None
        interval = difference.interval
        assert interval.mean == 0.0
        # ten equal pairs of a rate leave room on both sides, equal metres leave no interval at all
        if interval.low is not None and interval.high is not None:
            assert interval.low == pytest.approx(-interval.high)


def test_a_navigator_that_looks_at_the_goal_is_found(setup) -> None:
    found = controls_of(setup(_Peeks(), "house"))
    assert {"101_0", "106_0"} <= set(found.leaks)
    assert found.same_walks["words-shuffled"] == 10


@pytest.mark.nightly
def test_the_rules_read_and_do_not_look_at_the_reference(setup) -> None:
    found = controls_of(setup(get_navigator("rules"), "harbour"))
    assert found.leaks == ()
    assert found.mean("true-text", "SR") == pytest.approx(10 / 14)
    assert found.mean("other-instruction", "SR") == 0.0
    assert found.surviving == 0.0
    difference = found.inference.difference("SR", "other-instruction")
    assert difference is not None
    assert difference.interval.mean == pytest.approx(-10 / 14)
    assert difference.interval.high < 0
    assert found.changed_texts["sides-swapped"] <= 14
    assert found.scores["false-reference"].rows == found.scores["true-text"].rows, (
        "scored on the true route"
    )


def test_a_text_that_holds_no_directions_counts_as_a_walk_that_stays(setup) -> None:
    result = setup(get_navigator("rules"), "harbour", 2)
    silent = tuple(
        episode.model_copy(update={"instruction": "Lovely weather today."})
        for episode in result.episodes[:1]
    )
    found = controls_of(replace(result, episodes=(*silent, *result.episodes[1:])))
    assert found.stayed["true-text"] == 1
    row = found.scores["true-text"].rows[silent[0].id]
    assert (row["SR"], row["TL"]) == (0.0, 0.0)
    assert len(found.inference.comparison.episodes) == 2


def test_walks_are_kept_as_runs_and_found_again(setup, tmp_path: Path) -> None:
    result = setup(get_navigator("rules-local"), "harbour", 3)
    first = controls_of(result)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"rules-local-{control}" for control in CONTROLS
    )
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.trace.jsonl")}
    assert controls_of(result).scores == first.scores
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_without_a_goal_there_is_nothing_to_compare(setup) -> None:
    result = setup(get_navigator("rules"), "harbour", 2)
    aimless = tuple(
        each.model_copy(update={"goal": None, "reference_path": ()}) for each in result.episodes
    )
    with pytest.raises(InputError, match="no episode has a goal"):
        controls_of(replace(result, episodes=aimless))
