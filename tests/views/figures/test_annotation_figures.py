"""Figures of the annotation pages: what they show, and that they hide what must be hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from navviz.formats import open_graph
from navviz.metrics.correlation import correlation_table
from navviz.navigators.human import HumanWalk
from navviz.records import Episode
from navviz.views.figures.confusion import confusion_figure
from navviz.views.figures.forest_plot import forest_figure
from navviz.views.figures.label_places import place_labels
from navviz.views.figures.route_map import route_figure, walk_figure
from navviz.world.graph import Graph
from tests.worlds import ROUTE, write_world


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return open_graph(write_world(tmp_path))


EPISODE = Episode(
    id="1", dataset="tiny", instruction="Walk to the light.", start="s1", start_heading_deg=0.0,
    reference_path=tuple(ROUTE), goal="e1",
)  # fmt: skip


def test_the_route_is_drawn_in_metres_from_its_start(graph: Graph) -> None:
    figure = route_figure(graph, EPISODE)
    route = next(trace for trace in figure.data if trace.name == "route")
    assert np.allclose(route.x, [0, 0, 0, 30, 60], atol=0.2)
    assert np.allclose(route.y, [0, 30, 60, 60, 60], atol=0.2)
    places = next(trace for trace in figure.data if trace.name == "places")
    assert "Blue Door Café" in places.text
    assert {"goal", "success radius", "start"} <= {trace.name for trace in figure.data}


def test_an_episode_without_a_route_shows_its_start(graph: Graph) -> None:
    figure = route_figure(graph, EPISODE.model_copy(update={"reference_path": (), "goal": None}))
    assert {trace.name for trace in figure.data} >= {"streets", "start"}
    assert "goal" not in {trace.name for trace in figure.data}


def test_a_walk_shows_nothing_that_is_not_in_sight(graph: Graph) -> None:
    walk = HumanWalk(EPISODE, graph, "fox")
    place = walk.place
    figure = walk_figure(graph, place.observation, place.routes, place.links, walk.path, place.heading_deg)
    choices = next(trace for trace in figure.data if trace.name == "choices")
    assert list(choices.customdata) == list(place.routes)
    assert "e2" not in figure.to_json()
    assert not {"route", "goal"} & {trace.name for trace in figure.data}
    assert next(trace for trace in figure.data if trace.name == "landmarks").hovertext == ("light (forward)",)


def test_names_from_data_are_escaped(graph: Graph) -> None:
    poi = graph.pois["p1"]
    named = type(poi)(poi.id, poi.position, {"name": "<img src=x onerror=alert(1)>"})
    graph = replace(graph, pois={**graph.pois, "p1": named})
    assert "<img" not in route_figure(graph, EPISODE).to_json()
    assert "<b>x" not in confusion_figure(np.array([[1]]), ["<b>x"], "<b>x", "y", "black").to_json()


def test_confusion_and_forest_show_their_numbers() -> None:
    figure = confusion_figure(np.array([[3, 1], [0, 4]]), ["no", "yes"], "fox", "owl", "black")
    assert [note.text for note in figure.layout.annotations] == ["3", "1", "0", "4"]
    human = {str(i): float(i % 2) for i in range(12)}
    table = correlation_table(
        human, {"SR": {str(i): float(i % 3) for i in range(12)}, "OSR": dict.fromkeys(human, 1.0)}
    )
    forest = forest_figure(table, {"SR": "success"})
    assert forest.layout.yaxis.ticktext == ("success", "OSR")
    assert [len(trace.x) for trace in forest.data] == [1, 1]


def test_labels_do_not_cover_each_other_or_the_route() -> None:
    points = [(float(x) / 10, 0.0) for x in range(6)] + [(100.0, 0.0), (200.0, 0.0)]
    texts, places = place_labels(points, ["a place"] * 7 + [""], 2.0)
    assert texts[0] == texts[6] == "a place"
    assert "" in texts[1:6]
    assert texts[7] == ""
    assert places[0] == "top center"
    line = [(float(x), 5.0) for x in range(-40, 40)]
    assert place_labels([(0.0, 0.0)], ["a place"], 2.0, line)[1] == ["bottom center"]
