"""The plain folium map of an episode: what it draws, and that it needs no network."""

from __future__ import annotations

import re
from typing import Any

import folium
import pytest

import navviz
from navviz.support.installation.files import samples_dir
from navviz.views.episode_map import episode_map
from navviz.views.palette import AGENT, REFERENCE


def _drawn(chart: folium.Map, kind: type) -> list[Any]:
    """Elements of one kind in the map and its layers."""
    below = [
        child for layer in chart._children.values() for child in (layer, *layer._children.values())
    ]
    return [child for child in below if type(child) is kind]


@pytest.fixture(scope="module")
def outdoors():
    return navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")


def test_it_is_a_plain_map_with_both_paths(outdoors):
    chart = navviz.to_folium(outdoors, "2")
    assert type(chart) is folium.Map
    trace, graph = outdoors.trace("2"), outdoors.graph("2")
    lines = {line.options["color"]: line.locations for line in _drawn(chart, folium.PolyLine)}
    assert lines[REFERENCE] == [
        [list(graph.position(node)) for node in trace.episode.reference_path]
    ]
    assert lines[AGENT] == [[list(graph.position(node)) for node in trace.path]]
    assert [layer.layer_name for layer in _drawn(chart, folium.FeatureGroup)] == [
        "streets",
        "reference path",
        "agent",
    ]
    assert len(_drawn(chart, folium.CircleMarker)) == 3


def test_a_house_is_drawn_in_metres():
    house = navviz.open_run(
        samples_dir() / "house" / "runs" / "rules-indoors", graphs=samples_dir() / "house"
    )
    trace, graph = house.trace("101_0"), house.graph("101_0")
    chart = navviz.to_folium(trace, graph=graph)
    line = next(line for line in _drawn(chart, folium.PolyLine) if line.options["color"] == AGENT)
    assert line.locations[0][0] == [
        graph.position(trace.path[0])[1],
        graph.position(trace.path[0])[0],
    ]
    assert "L.CRS.Simple" in chart.get_root().render()


def test_it_carries_what_it_needs_and_names_the_source_of_the_map(outdoors):
    graph = outdoors.graph("1")
    named = type(graph)(**{
        **{name: getattr(graph, name) for name in graph.__dataclass_fields__},
        "info": type(graph.info)(attribution="© OpenStreetMap contributors </script><b>"),
    })  # fmt: skip
    page = episode_map(outdoors.trace("1"), named).get_root().render()
    fetched = [
        url for url in re.findall(r'(?:src|href)="([^"]+)"', page) if not url.startswith("data:")
    ]
    assert fetched == []
    assert "addAttribution" in page
    assert "</script><b>" not in page
    online = episode_map(outdoors.trace("1"), graph, online=True).get_root().render()
    assert "cdn.jsdelivr.net/npm/leaflet" in online


def test_nodes_that_the_graph_lacks_are_left_out(outdoors):
    trace = outdoors.trace("1")
    episode = trace.episode.model_copy(
        update={"reference_path": ("nowhere", *trace.episode.reference_path, "gone")}
    )
    lost = trace.model_copy(update={"header": trace.header.model_copy(update={"episode": episode})})
    chart = episode_map(lost, outdoors.graph("1"))
    drawn = next(
        line for line in _drawn(chart, folium.PolyLine) if line.options["color"] == REFERENCE
    )
    assert len(drawn.locations[0]) == len(trace.episode.reference_path)
