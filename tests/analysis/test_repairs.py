"""Repairs of instructions: on the tiny world by hand, on Map2Seq's validation split as a whole."""

from __future__ import annotations

import pytest

from navviz.analysis.repairs import suggest_repairs
from navviz.formats import open_episodes, open_graph
from navviz.records import Episode
from navviz.world.graph import Graph
from tests.worlds import write_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Graph, Episode]:
    folder = tmp_path_factory.mktemp("repairs")
    graph = open_graph(write_world(folder))
    [episode] = open_episodes(folder / "splits" / "tiny.json").episodes.values()
    return graph, episode


def edited(episode: Episode, text: str) -> Episode:
    return episode.model_copy(update={"instruction": text})


def test_a_side_that_the_route_refutes_is_repaired_first(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    repairs = suggest_repairs(
        edited(episode, "Walk to the light and turn left. Stop by Blue Door Café."), graph
    )
    assert repairs[0].kind == "contradiction"
    assert repairs[0].instruction == "Walk to the light and turn right. Stop by Blue Door Café."
    assert repairs[0].success
    assert repairs[0].error_m <= episode.success_radius_m


def test_a_turn_without_a_word_is_added(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    repairs = suggest_repairs(
        edited(episode, "Go straight through the light and stop after a few steps."), graph
    )
    assert any("right" in repair.instruction and repair.gain > 0 for repair in repairs)


def test_a_text_that_leads_to_the_goal_needs_none(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    assert suggest_repairs(episode, graph) == ()


def test_without_a_route_there_is_nothing_to_repair_by(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    assert suggest_repairs(episode.model_copy(update={"reference_path": ()}), graph) == ()
    gone = episode.model_copy(update={"reference_path": ("s1", "not there")})
    assert suggest_repairs(gone, graph) == ()
