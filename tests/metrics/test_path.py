"""Path metrics, worked by hand and against plain definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import Problems, SettingsError
from navviz.formats.base import Run
from navviz.metrics.path import METRICS, Ruler, cls, dtw_m, ndtw, ndtw_groke, score_path, spl
from navviz.metrics.registry import all_metrics, format_value, metric
from navviz.metrics.score import evaluated_path, score_run, score_trace
from navviz.metrics.walked import published_path
from navviz.records import Decision
from navviz.world.graph import Graph
from navviz.world.search import UNREACHED
from tests.grids import SPACING_M, episode, grid, name, straight, trace

GRAPH = grid()
RULER = Ruler(GRAPH)


def _plain_dtw(cost):
    """The textbook recurrence."""
    n, m = cost.shape
    total = np.full((n + 1, m + 1), math.inf)
    total[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            total[i, j] = cost[i - 1, j - 1] + min(
                total[i - 1, j], total[i, j - 1], total[i - 1, j - 1]
            )
    return total[n, m]


_COSTS = st.integers(1, 8).flatmap(
    lambda n: st.integers(1, 8).flatmap(
        lambda m: st.lists(
            st.lists(st.floats(0, 1e4), min_size=m, max_size=m), min_size=n, max_size=n
        )
    )
)


@given(_COSTS)
def test_dtw_is_the_textbook_recurrence(rows):
    cost = np.array(rows)
    assert dtw_m(cost) == pytest.approx(_plain_dtw(cost), rel=1e-9, abs=1e-6)


def test_dtw_by_hand():
    assert dtw_m(np.array([[0.0, 1.0], [1.0, 0.0]])) == 0.0
    assert dtw_m(np.array([[0.0], [3.0], [4.0]])) == 7.0
    assert dtw_m(np.array([[1.0, 2.0, 1.0]])) == 4.0
    assert dtw_m(np.empty((0, 3))) == math.inf
    assert dtw_m(np.array([[math.inf]])) == math.inf


def test_a_perfect_walk():
    path = straight()
    scores = score_path(path, episode(path), RULER)
    assert scores["NE"] == pytest.approx(0.0, abs=1e-6)
    assert (scores["SR"], scores["OSR"], scores["SPL"]) == (1.0, 1.0, pytest.approx(1.0))
    assert (scores["nDTW"], scores["SDTW"], scores["nDTW_groke"], scores["CLS"]) == pytest.approx(
        (1, 1, 1, 1)
    )
    assert scores["TL"] == pytest.approx(4 * SPACING_M, rel=1e-3)
    assert scores["PLR"] == pytest.approx(1.0)


def test_a_walk_that_passes_the_goal():
    scores = score_path(straight(0, 0, 6), episode(straight(0, 0, 4), success_radius_m=15.0), RULER)
    assert scores["NE"] == pytest.approx(40.0, rel=1e-3)
    assert (scores["SR"], scores["OSR"], scores["SPL"], scores["SDTW"]) == (0.0, 1.0, 0.0, 0.0)
    assert scores["nDTW"] == pytest.approx(math.exp(-60 / (5 * 15)), rel=1e-3)
    assert scores["nDTW_groke"] == pytest.approx(math.exp(-60 / 80), rel=1e-3)
    assert scores["PC"] == pytest.approx(1.0)
    assert scores["CLS"] == pytest.approx(80 / (80 + 40), rel=1e-3)


def test_a_detour_to_the_goal():
    path = ("r0c0", "r1c0", "r1c1", "r0c1", "r0c2")
    scores = score_path(path, episode(straight(0, 0, 2)), RULER)
    assert scores["SPL"] == pytest.approx(0.5, rel=1e-3)
    assert scores["TL"] == pytest.approx(80, rel=1e-3)


def test_stopping_at_the_start():
    scores = score_path(("r0c0",), episode(straight()), RULER)
    assert scores["NE"] == pytest.approx(80, rel=1e-3)
    assert (scores["TL"], scores["SR"], scores["OSR"], scores["PLR"]) == (0.0, 0.0, 0.0, 0.0)
    assert scores["nDTW"] == pytest.approx(math.exp(-(20 + 40 + 60 + 80) / 125), rel=1e-3)
    assert scores["CLS"] == pytest.approx(scores["PC"] * 0.5)


def test_a_route_of_no_length():
    scores = score_path(("r0c0",), episode(("r0c0",)), RULER)
    assert (scores["NE"], scores["SR"], scores["SPL"], scores["nDTW"], scores["CLS"]) == (
        0.0,
        1.0,
        1.0,
        1.0,
        1.0,
    )
    assert (scores["nDTW_groke"], scores["SDTW_groke"], scores["PLR"]) == (None, None, None)


def test_what_is_missing_is_none_and_never_zero():
    lost = episode(straight()).model_copy(update={"reference_path": (), "goal": None})
    scores = score_path(straight(), lost, RULER)
    assert {key for key, value in scores.items() if value is not None} == {"TL"}
    assert all(value is None for value in score_path((), episode(straight()), RULER).values())
    only_goal = episode(straight()).model_copy(update={"reference_path": ()})
    scores = score_path(straight(), only_goal, RULER)
    assert scores["SR"] == 1.0
    assert scores["nDTW"] is None


def test_nodes_that_the_graph_lacks_are_skipped():
    scores = score_path(("r0c0", "nowhere", "r0c1"), episode(straight()), RULER)
    assert scores["TL"] == pytest.approx(20, rel=1e-3)
    assert score_path(straight(), episode(("r0c0", "nowhere")), RULER)["nDTW"] is None


def test_the_radius_itself_counts_as_success():
    graph = Graph(
        "g",
        "metric",
        ["a", "b"],
        np.array([[0.0, 0, 0], [3.0, 0, 0]]),
        np.array([0, 1]),
        np.array([1, 0]),
    )
    own_episode = episode(("a", "b"), success_radius_m=3.0)
    assert score_path(("a",), own_episode, Ruler(graph))["SR"] == 1.0
    assert (
        score_path(("a",), own_episode.model_copy(update={"success_radius_m": 2.99}), Ruler(graph))[
            "SR"
        ]
        == 0.0
    )


def test_indoors_distances_go_over_the_links():
    positions = np.array([[0.0, 0, 0], [0, 10, 0], [1, 10, 0], [1, 0, 0]])
    sources, targets = np.array([0, 1, 1, 2, 2, 3]), np.array([1, 0, 2, 1, 3, 2])
    graph = Graph("u", "metric", list("abcd"), positions, sources, targets)
    own_episode = episode(("a", "b", "c", "d"), success_radius_m=3.0)
    scores = score_path(("a",), own_episode, Ruler(graph))
    assert (scores["NE"], scores["SR"]) == (21.0, 0.0)
    assert score_path(("a",), own_episode, Ruler(graph, "straight"))["SR"] == 1.0


def test_a_goal_out_of_reach_indoors():
    graph = Graph(
        "g", "metric", ["a", "b"], np.eye(2, 3), np.empty(0, np.int32), np.empty(0, np.int32)
    )
    scores = score_path(("a",), episode(("a", "b"), success_radius_m=3.0), Ruler(graph))
    assert (scores["NE"], scores["SR"], scores["nDTW"]) == (None, 0.0, 0.0)


def test_pieces_in_degenerate_cases():
    assert spl(success=True, length_m=0.0, shortest_m=0.0) == 1.0
    assert spl(success=True, length_m=10.0, shortest_m=math.inf) is None
    assert spl(success=False, length_m=10.0, shortest_m=5.0) == 0.0
    assert ndtw(0.0, 0, 25.0) is None
    assert ndtw_groke(1.0, 0.0) is None
    assert cls(np.zeros((1, 1)), 0.0, 0.0, 25.0) == (1.0, 1.0)
    assert cls(np.zeros((2, 2)), 5.0, 0.0, 25.0) == (0.0, 1.0)


_WALKS = st.lists(
    st.sampled_from([name(r, c) for r in range(7) for c in range(7)]), min_size=1, max_size=10
)


@given(_WALKS, _WALKS)
def test_scores_stay_in_their_ranges(path, reference):
    scores = score_path(path, episode(reference), RULER)
    for key in ("SR", "OSR", "SPL", "nDTW", "SDTW", "nDTW_groke", "SDTW_groke", "CLS", "PC"):
        assert scores[key] is None or 0.0 <= scores[key] <= 1.0 + 1e-9
    assert scores["OSR"] >= scores["SR"] >= (scores["SPL"] or 0.0) - 1e-9
    assert scores["SDTW"] <= scores["nDTW"] + 1e-12


def test_a_run_is_scored_with_means_over_what_is_there():
    path = straight()
    walks = {
        "1": trace(episode(path, "1"), [path]),
        "2": trace(episode(path, "2"), [straight(0, 0, 1)]),
    }
    unknown = episode(path, "3").model_copy(update={"reference_path": (), "goal": None})
    walks["3"] = trace(unknown, [path])
    run = Run("r", "test", None, walks, Problems(), None)
    scores = score_run(run, lambda _world: GRAPH)
    assert len(scores) == 3
    assert scores.means["SR"] == 0.5
    assert scores.counts["SR"] == 2
    assert scores.counts["TL"] == 3
    assert scores.rows["3"]["SR"] is None
    assert scores.means["steps"] == 1.0


def test_an_empty_run_has_no_means():
    scores = score_run(Run("r", "test", None, {}, Problems(), None), GRAPH)
    assert set(scores.means.values()) == {None}


def test_a_published_log_is_evaluated_as_published():
    path = straight(0, 0, 1)
    back = trace(episode(path), [path, path[::-1]]).model_copy(
        update={"waypoints": ("r0c0", "r0c1", "r0c0")}
    )
    assert evaluated_path(back, GRAPH) == path
    assert evaluated_path(back, GRAPH, "walked") == ("r0c0", "r0c1", "r0c0")
    assert score_trace(back, GRAPH)["NE"] == pytest.approx(0.0, abs=1e-6)
    assert score_trace(back, GRAPH, evaluation="walked")["NE"] == pytest.approx(20, rel=1e-3)
    own = back.model_copy(update={"waypoints": None})
    assert evaluated_path(own, GRAPH) == ("r0c0", "r0c1", "r0c0")


def _logged(moves, waypoints, reason=None):
    """A walk as GROKE's log gives it: with waypoints, and with the reason why its last step went
    nowhere.
    """
    made = trace(episode(straight(0, 0, 1)), moves)
    last = made.steps[-1].model_copy(update={"decision": Decision(target="r0c1", reason=reason)})
    return made.model_copy(update={"waypoints": waypoints, "steps": (*made.steps[:-1], last)})


AROUND = ("r0c0", "r1c0", "r1c1", "r0c1")
"""A detour between two waypoints that are linked: the path of fewest links is another."""


@pytest.mark.parametrize(
    "waypoints",
    [
        ("r0c0", "r0c1"),
        ("r0c0", "r0c0", "r0c1"),
        ("r0c0", "r0c1", "r0c1", "r0c1"),
        ("r0c0", None, "r0c1"),
        ("r0c0", None, "r0c0", "r0c1"),
        ("r0c0", "nowhere", "r0c0", "r0c1"),
    ],
)
def test_a_log_that_never_came_back_counts_as_walked(waypoints):
    assert evaluated_path(_logged([AROUND], waypoints), GRAPH) == AROUND


@pytest.mark.parametrize(
    ("waypoints", "path"),
    [
        (("r0c0", "r0c1", "r0c0"), ("r0c0", "r0c1")),
        (("r0c0", None, "r0c1", None, "r0c0"), ("r0c0", "r0c1")),
        (("r0c0", "r0c2", "r0c1", "r0c2"), ("r0c0", "r0c1", "r0c2", "r0c1")),
    ],
)
def test_a_log_that_came_back_counts_as_published(waypoints, path):
    assert evaluated_path(_logged([AROUND], waypoints), GRAPH) == path
    assert evaluated_path(_logged([AROUND], waypoints), GRAPH, "walked") == AROUND


def test_a_waypoint_out_of_reach_makes_a_log_count_as_published():
    logged = _logged([("r0c0", "r1c0", "r1c1"), ()], ("r0c0", "r1c1", "r0c1"), UNREACHED)
    assert evaluated_path(logged, GRAPH) == published_path(GRAPH, logged.waypoints)
    assert evaluated_path(logged, GRAPH)[-1] == "r0c1"
    other = _logged([("r0c0", "r1c0", "r1c1"), ()], ("r0c0", "r1c1", "r0c1"), "is no neighbour")
    assert evaluated_path(other, GRAPH) == ("r0c0", "r1c0", "r1c1")
    undecided = logged.steps[0].model_copy(update={"decision": None})
    later = logged.model_copy(update={"steps": (undecided, logged.steps[1])})
    assert evaluated_path(later, GRAPH)[-1] == "r0c1"


def test_every_metric_says_what_it_is():
    names = [found.name for found in all_metrics()]
    assert len(names) == len(set(names))
    assert set(score_path(straight(), episode(straight()), RULER)) == {
        found.name for found in METRICS
    }
    assert all(found.title and found.formula for found in all_metrics())
    assert all(found.source for found in METRICS if found.name != "steps")
    assert metric("NE").better == "lower"
    with pytest.raises(SettingsError, match="there is no metric 'XY'"):
        metric("XY")


def test_values_as_people_read_them():
    assert format_value("NE", 56.76) == "56.8 m"
    assert format_value("SR", 0.664) == "66.4 %"
    assert format_value("nDTW", 0.6335) == "0.633"
    assert format_value("steps", 5.0) == "5"
    assert format_value("SPL", None) == "–"
