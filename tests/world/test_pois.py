"""POIs that are made when they are asked for."""

import numpy as np
import pytest

from navviz.formats import open_graph
from navviz.world.pois import Poi, PoiTable, marked_pois, positions_of
from tests.grids import write_grid


def test_tags_are_parsed_once_and_only_of_pois_that_are_asked_for():
    requests = []

    def parse(text):
        requests.append(text)
        return {"name": text}

    table = PoiTable(
        ["a", "b", "c"],
        np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        ["inn", "quay", "old inn"],
        parse,
    )
    assert "b" in table
    assert list(table) == ["a", "b", "c"]
    assert positions_of(table, 2).tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert requests == []
    assert table["b"] == table["b"] == Poi("b", (3.0, 4.0), {"name": "quay"})
    assert [poi.id for poi in marked_pois(table, "inn")] == ["a", "c"]
    assert requests == ["quay", "inn", "old inn"]
    with pytest.raises(KeyError):
        table["z"]


def test_a_graph_knows_its_pois_by_words_and_by_place(tmp_path):
    graph = open_graph(write_grid(tmp_path / "town"))
    assert [poi.id for poi in marked_pois(graph.pois, "traffic_signals")] == ["p2"]
    assert [poi.id for poi in graph.pois_near((48.0, 11.0), 1.0)] == ["p1"]
    assert graph.pois == dict(graph.pois)
