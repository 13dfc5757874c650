"""What became of an instruction's landmarks: by hand, and on the worst failures of a published
run.
"""

from __future__ import annotations

import numpy as np
import pytest

from navviz.analysis.landmarks import fate_of_landmarks, landmarks_panel, pois_near_nodes
from navviz.formats import open_graph, open_results
from navviz.metrics.score import score_run
from navviz.records import Landmark, Observation, SeenPoi
from tests.paths import SAMPLES
from tests.replays import full_trace, tiny_graph


def _trace(*names, seen=()):
    made = full_trace()
    steps = tuple(
        step.model_copy(
            update={"observation": Observation(format="json", pois=seen if step.index == 2 else ())}
        )
        for step in made.steps
    )
    return made.model_copy(
        update={"landmarks": tuple(Landmark(name=name) for name in names), "steps": steps}
    )


def test_a_shown_landmark_and_one_that_was_never_shown():
    graph = tiny_graph()
    cafe = next(poi for poi in graph.pois.values() if poi.name == "Blue Door Café")
    never = fate_of_landmarks(_trace("Blue Door café bar"), graph)[0]
    assert (never.poi, never.shown_in) == (cafe.id, None)
    assert never.words(logged=True).endswith("m from the route, never shown")
    shown = fate_of_landmarks(
        _trace("Blue Door", seen=(SeenPoi(name="the café", poi_id=cafe.id),)), graph
    )[0]
    assert shown.words(logged=True).endswith("shown in step 2")


def test_what_is_not_there_and_what_is_no_place():
    fates = fate_of_landmarks(
        _trace("Rosemary's", "the second intersection", "next light"), tiny_graph()
    )
    assert [fate.words(logged=False) for fate in fates[:2]] == [
        "not on the map near the route",
        "part of the street, no place of the map",
    ]
    assert fates[2].poi_name is not None


def test_no_landmarks_or_no_places_make_no_panel():
    assert landmarks_panel(_trace(), tiny_graph()) is None
    panel = landmarks_panel(_trace("Rosemary's"), tiny_graph())
    assert panel.data["rows"] == [["Rosemary's", "–", "not on the map near the route"]]


@pytest.mark.nightly
@pytest.mark.data
def test_the_ten_worst_failures_of_the_published_run(data_dir):
    """Of the landmarks of these instructions (and of 11844) 35 of 43 are found, against 28 of 52 as
    names alone.
    """
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    (run,) = open_results(data_dir / "groke" / "paper_results" / "main_test_seen.json", graph)
    rows = score_run(run, graph).rows
    worst = [*sorted(rows, key=lambda key: -rows[key]["NE"])[:10], "11844"]
    fates = {key: fate_of_landmarks(run.traces[key], graph) for key in worst}
    values = [fate for of in fates.values() for fate in of]
    assert sum(fate.poi is not None for fate in values) >= 35
    assert sum(fate.poi is None and not fate.of_the_street for fate in values) <= 4
    bp = fates["11844"][0]
    assert (bp.name, bp.poi_name, round(bp.route_m)) == ("BP gas station", "BP", 20)
    assert np.isfinite([fate.route_m for fate in values if fate.poi is not None]).all()


def test_places_near_nodes_are_those_of_the_definition_in_the_order_of_the_file():
    graph = open_graph(SAMPLES / "harbour" / "osm" / "graph")
    nodes = list(graph.ids)[:7]
    near = [poi.id for poi in pois_near_nodes(graph, [*nodes, *nodes], 60.0)]
    expected = []
    for poi in graph.pois.values():
        place = graph.to_metric(np.array([poi.position]))[0]
        ends = graph.metric_positions[[graph.index[node] for node in nodes]]
        away_m = np.linalg.norm(ends - place, axis=1)
        if away_m.min() <= 60.0:
            expected.append(poi.id)
    assert near == expected
    assert near
    assert pois_near_nodes(graph, [], 60.0) == []
