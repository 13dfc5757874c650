"""A plan of `rules` on a large world: on the part of the map that it can reach, against the whole
map.

Goal on a quiet machine: a first plan on 1,000,000 nodes, 4 million links and 200,000 POIs in 2 s of
the processor's time.
"""

from __future__ import annotations

import time
from pathlib import Path

from navviz.formats import open_graph
from navviz.records import Episode, Event
from navviz.systems.registry import get_navigator
from navviz.systems.rules import search as routes
from navviz.world.graph import Graph
from tools.bench.test_large_world_bench import write_city

TEXT = "Go straight to the second corner and turn left. Pass the cafe on your right, turn right and stop by Corner No. {}."


def _plan(graph: Graph) -> tuple[list[Event], float]:
    """Walk from the middle of the map; the events, and the processor's seconds."""
    middle = len(graph) // 2 + round(len(graph) ** 0.5) // 2
    text, navigator = TEXT.format(middle // 5 * 5), get_navigator("rules")
    task = Episode(
        id="1", dataset="city", instruction=text, start=graph.ids[middle], start_heading_deg=0.0
    )
    start = time.process_time()
    events = list(navigator.navigate(task, graph, None, navigator.settings_type()))
    return events, time.process_time() - start


def test_a_part_of_the_map_is_faster_than_the_whole(tmp_path: Path, monkeypatch, record_property):
    folder = write_city(tmp_path / "city", 400)
    ours, part_s = _plan(open_graph(folder))
    monkeypatch.setattr(routes, "WHOLE_NODES", 10**9)
    theirs, whole_s = _plan(open_graph(folder))
    record_property("part_s", part_s)
    record_property("ratio", whole_s / part_s)
    assert ours == theirs
    assert whole_s / part_s > 2


def test_a_plan_takes_no_longer_on_a_million_nodes(tmp_path: Path, record_property):
    """The first plan of a world; six times as many nodes cost their list of ids and how long the
    links are.
    """
    small = _plan(open_graph(write_city(tmp_path / "small", 400)))[1]
    graph = open_graph(write_city(tmp_path / "large", 1000))
    first, again = _plan(graph)[1], _plan(graph)[1]
    record_property("first_s", first)
    record_property("again_s", again)
    record_property("ratio", first / small)
    assert first / small < 4
    assert again / small < 1.5
