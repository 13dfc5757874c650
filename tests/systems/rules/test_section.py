"""On a large map the rules search a part of it: what they say is what they say of the whole map."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from navviz.formats import open_episodes, open_graph
from navviz.language.placing.streets import cut_around, scale_of
from navviz.records import Episode, Event
from navviz.systems.registry import get_navigator, settings_from
from navviz.systems.rules import search as routes
from navviz.systems.rules.navigator import navigability
from navviz.world.graph import Graph, Poi
from tests.systems.rules.town import episode, position, town, walk

TEXT = "Go to the second light and turn left. Pass the cafe on your right, turn right at the corner and stop by the bank."


IN_PARTS, AS_A_WHOLE = 0, 10**9


@pytest.fixture
def searched(monkeypatch):
    """Sets how large a map may be to be searched as a whole."""
    return lambda nodes: monkeypatch.setattr(routes, "WHOLE_NODES", nodes)


def events_of(graph: Graph, task: Episode, *, length_prior: str = "off", past=None) -> list[Event]:
    navigator = get_navigator("rules")
    settings = settings_from(navigator, {"length_prior": length_prior, "longest_m": 5000.0})
    return list(navigator.navigate(task, graph, None, settings, past))


def one_way_town(seed: int) -> Graph:
    """A town of which some links lead one way only, with shops and long streets without a
    corner.
    """
    chance, whole = random.Random(seed), town(5, without=[("b1", "b2"), ("c2", "d2"), ("a3", "a4")])
    keep = np.array([chance.random() > 0.12 for _ in range(len(whole.sources))])
    shops = {f"s{k}": _shop(chance, k) for k in range(30)}
    return Graph(
        name="town",
        frame="geo",
        ids=whole.ids,
        positions=whole.positions,
        sources=whole.sources[keep],
        targets=whole.targets[keep],
        pois={**whole.pois, **shops},
    )


def _shop(chance: random.Random, number: int) -> Poi:
    kind = chance.choice(["cafe", "bank", "pharmacy"])
    place = position(chance.uniform(-20, 340), chance.uniform(-20, 340))
    return Poi(f"s{number}", place, {"amenity": kind, "name": f"{kind.title()} {number}"})


@pytest.mark.parametrize("seed", range(6))
def test_a_part_of_a_town_gives_the_events_of_the_whole(seed, searched, monkeypatch):
    monkeypatch.setattr("navviz.systems.rules.navigator._REACH_M", 90.0)
    graph, chance = one_way_town(seed), random.Random(seed)
    monkeypatch.setattr("navviz.systems.rules.navigator._REACH_FOR_JUNCTION_M", 15.0)
    cut = 0
    for start in chance.sample(graph.ids, 4):
        task = episode(TEXT, start=start, heading_deg=chance.choice([0.0, 90.0, 180.0]))
        searched(AS_A_WHOLE)
        whole = events_of(graph, task)
        searched(IN_PARTS)
        assert events_of(graph, task) == whole
        cut += len(cut_around(graph, [graph.index[start]], 9)) < len(graph)
    assert cut


def test_a_part_knows_the_ways_of_every_node_in_reach():
    graph = one_way_town(1)
    start = graph.index["c2"]
    part = cut_around(graph, [start], 5)
    assert len(part) < len(graph)
    assert scale_of(part) == scale_of(graph)
    for node in graph.hop_ball(["c2"], 6):
        assert part.links(node) == graph.links(node)
        assert (
            part.metric_positions[part.index[node]].tolist()
            == graph.metric_positions[graph.index[node]].tolist()
        )


def test_a_fork_is_walked_on_in_a_part(searched):
    graph, task = town(5), episode(TEXT)
    searched(AS_A_WHOLE)
    past = walk(get_navigator("rules"), task, graph, length_prior=False)
    past = past.model_copy(update={"steps": past.steps[:1]})
    whole = events_of(graph, task, past=past)
    searched(IN_PARTS)
    assert events_of(graph, task, past=past) == whole
    assert navigability(task, graph) == pytest.approx(_whole_navigability(task, graph, searched))


def _whole_navigability(task: Episode, graph: Graph, searched) -> float:
    searched(AS_A_WHOLE)
    return navigability(task, graph)


def _paths_agree(data_dir: Path, searched, count: int | None) -> None:
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    tasks = list(open_episodes(data_dir / "map2seq" / "splits" / "val.json").episodes.values())[
        :count
    ]
    settings = [(task, prior) for task in tasks for prior in ("on", "off")]
    searched(AS_A_WHOLE)
    whole = [events_of(graph, task, length_prior=prior) for task, prior in settings]
    searched(IN_PARTS)
    for (task, prior), events in zip(settings, whole, strict=True):
        assert events_of(graph, task, length_prior=prior) == events, (task.id, prior)


@pytest.mark.nightly
@pytest.mark.data
def test_parts_of_manhattan_give_the_events_of_the_whole(data_dir, searched):
    _paths_agree(data_dir, searched, 5)


@pytest.mark.data
@pytest.mark.nightly
def test_all_of_val_is_walked_alike(data_dir, searched):
    _paths_agree(data_dir, searched, None)
