"""The five evaluators of NavNuances, rule by rule on hand-made houses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navviz.metrics.path import Ruler
from navviz.metrics.score import score_trace
from navviz.records import Episode, Step, Trace, TraceHeader
from navviz.systems.skillnav.nuances import (
    Nuance,
    NuanceMeans,
    merged,
    nuance_of,
    nuance_scores,
    score_nuance,
    summarise_nuances,
)
from navviz.systems.skillnav.nuances_table import nuances_of_run, nuances_table
from navviz.world.graph import Graph

# s in the middle; f(orward) north, b(ack) south, l west, r east, all 4 m away; ff 2 m beyond f
PLACES = {"s": (0, 0), "f": (0, 4), "b": (0, -4), "l": (-4, 0), "r": (4, 0), "ff": (0, 6)}


@pytest.fixture
def ruler():
    ids = list(PLACES)
    pairs = [("s", "f"), ("s", "b"), ("s", "l"), ("s", "r"), ("f", "ff")]
    both = [*pairs, *((b, a) for a, b in pairs)]
    graph = Graph(
        name="house",
        frame="metric",
        ids=ids,
        positions=np.array([(*PLACES[node], 1.5) for node in ids], dtype=float),
        sources=np.array([ids.index(a) for a, _ in both], np.int32),
        targets=np.array([ids.index(b) for _, b in both], np.int32),
    )
    return Ruler(graph)


def episode(
    text: str = "", path_id: str = "h-1-path-1", start: str = "s", **more: object
) -> Episode:
    return Episode(id=f"{path_id}_0", dataset="NavNuances", instruction=text, world="house", start=start,
                   path_id=path_id, success_radius_m=3.0, **more)  # fmt: skip


def test_repeated_neighbours_are_merged():
    assert merged(("a", "a", "b", "b", "a")) == ("a", "b", "a")


# --- direction change


@pytest.mark.parametrize(
    ("turn", "path", "success"),
    [
        ("left", "sl", True), ("left", "sr", False), ("left", "sb", False), ("left", "s", False),
        ("right", "sr", True), ("right", "sl", False), ("right", "ssrs", True),
        ("around", "sb", True), ("around", "sl", False), ("around", "sf", False), ("around", "s", False),
    ],
)  # fmt: skip
def test_direction_by_the_first_move(ruler, turn, path, success):
    nuance = Nuance(kind="DC", template=f"turn {turn} and walk", gt_vp=("s", "l"), heading_vp="f")
    score = score_nuance(tuple(path), episode(), nuance, ruler)
    assert (score.success, score.group) == (success, turn)


def test_heading_without_a_viewpoint_is_the_middle_of_both_ways(ruler):
    """West and north: one faces north-west, so north is right and south-west is left."""
    nuance = Nuance(kind="DC", template="turn right", gt_vp=("s", "f"), vp_neg=("s", "l"))
    assert score_nuance(("s", "f"), episode(), nuance, ruler).success
    assert not score_nuance(("s", "l"), episode(), nuance, ruler).success
    bare = Nuance(kind="DC", template="turn right", gt_vp=("s",))
    with pytest.raises(ValueError, match="heading_vp"):
        score_nuance(("s", "f"), episode(), bare, ruler)


def test_around_begins_beyond_120_degrees():
    ids = ["s", "f", "x", "y"]
    at = {name: (math.sin(math.radians(angle)), math.cos(math.radians(angle))) for name, angle in
          (("f", 0), ("x", 119), ("y", 121))}  # fmt: skip
    graph = Graph(
        name="g", frame="metric", ids=ids,
        positions=np.array([(0, 0, 0), *((*at[name], 0) for name in ids[1:])], dtype=float),
        sources=np.array([0, 0, 0], np.int32), targets=np.array([1, 2, 3], np.int32),
    )  # fmt: skip
    right = Nuance(kind="DC", template="turn right", gt_vp=("s",), heading_vp="f")
    around = Nuance(kind="DC", template="turn around", gt_vp=("s",), heading_vp="f")
    assert score_nuance(("s", "x"), episode(), right, Ruler(graph)).success
    assert not score_nuance(("s", "y"), episode(), right, Ruler(graph)).success
    assert score_nuance(("s", "y"), episode(), around, Ruler(graph)).success


def test_pairs_count_where_left_and_right_are_both_right(ruler):
    scores = []
    for start, ways in (("h-1", "lr"), ("h-2", "ll")):
        for end, turn, way in ((1, "left", ways[0]), (0, "right", ways[1]), (2, "around", "l")):
            nuance = Nuance(kind="DC", template=f"turn {turn}", gt_vp=("s",), heading_vp="f")
            scores.append(
                score_nuance(("s", way), episode(path_id=f"{start}-path-{end}"), nuance, ruler)
            )
    (summary,) = summarise_nuances(scores)
    assert summary.total == NuanceMeans(6, 0.5)
    assert summary.by_group == {
        "left": NuanceMeans(2, 1.0),
        "right": NuanceMeans(2, 0.5),
        "around": NuanceMeans(2, 0.0),
    }
    assert (summary.pair_success, summary.pairs) == (0.5, 2)


def test_a_template_that_names_no_turn_takes_the_path_id_s_end(ruler):
    nuance = Nuance(kind="DC", gt_vp=("s",), heading_vp="f")
    for end, way in (("0", "r"), ("1", "l"), ("2", "b")):
        assert score_nuance(("s", way), episode(path_id=f"h-path-{end}"), nuance, ruler).success
    with pytest.raises(ValueError, match="names no turn"):
        score_nuance(("s", "l"), episode(path_id="h"), nuance, ruler)


# --- vertical


def test_vertical_has_the_standard_metrics_and_a_subset(ruler):
    own_episode = episode("Go up.", reference_path=("s", "f", "ff"), goal="ff")
    scores = [
        score_nuance(path, own_episode, Nuance(kind="VM", has_both_dir=both), ruler)
        for path, both in (
            (("s", "f", "ff"), True),
            (("s", "b"), True),
            (("s", "f", "ff", "f", "s"), False),
        )
    ]
    assert [score.success for score in scores] == [True, False, False]
    assert [score.oracle for score in scores] == [True, False, True]
    (summary,) = summarise_nuances(scores)
    both, one = summary.by_group["both directions"], summary.by_group["one direction"]
    assert (both.episodes, both.success, both.oracle, both.spl) == (2, 0.5, 0.5, 0.5)
    assert both.ndtw == pytest.approx((1.0 + scores[1].ndtw) / 2)
    assert (one.episodes, one.success, one.oracle, one.spl) == (1, 0.0, 1.0, 0.0)
    assert summary.total.spl == pytest.approx(1 / 3)
    assert scores[0].ndtw == pytest.approx(1.0)


# --- landmark


def test_towards_is_nearer_than_the_start(ruler):
    nuance = Nuance(kind="LR", obj_center=(0.0, 9.0, 0.4))
    own_episode = episode("Walk towards the lamp.")
    assert score_nuance(("s", "f"), own_episode, nuance, ruler).success
    assert not score_nuance(("s", "b"), own_episode, nuance, ruler).success
    assert not score_nuance(("s",), own_episode, nuance, ruler).success, (
        "as far as the start is not nearer"
    )
    with pytest.raises(ValueError, match="neither"):
        score_nuance(("s",), episode("Fly."), nuance, ruler)


def test_past_needs_the_projection_between_and_the_end_within_three_metres(ruler):
    own_episode = episode("Walk past the lamp.")
    nuance = Nuance(kind="LR", obj_center=(1.0, 3.0))
    assert score_nuance(("s", "f"), own_episode, nuance, ruler).success
    assert not score_nuance(("s", "f", "ff"), own_episode, nuance, ruler).success, (
        "3.16 m from the object"
    )
    ahead = Nuance(kind="LR", obj_center=(0.5, 5.0))
    assert not score_nuance(("s", "f"), own_episode, ahead, ruler).success, "beyond the end"
    assert score_nuance(("s", "f", "ff"), own_episode, ahead, ruler).success
    assert not score_nuance(
        ("s",), own_episode, Nuance(kind="LR", obj_center=(0.0, 0.5)), ruler
    ).success, "no length"
    behind = Nuance(kind="LR", obj_center=(0.0, -1.0))
    assert not score_nuance(("s", "f"), own_episode, behind, ruler).success


# --- region


def test_region_into_and_exit(ruler):
    into = Nuance(kind="RR", valid_ends=("f", "l"))
    own_episode = episode("Go into the kitchen.")
    assert score_nuance(("s", "f"), own_episode, into, ruler).success
    through = score_nuance(("s", "f", "ff"), own_episode, into, ruler)
    assert (through.success, through.oracle, through.group) == (False, True, "into")
    leave = Nuance(kind="RR", region_starts=("s", "f"))
    out = episode("Exit the room.")
    assert score_nuance(("s", "f", "ff"), out, leave, ruler).success
    back = score_nuance(("s", "l", "s"), out, leave, ruler)
    assert (back.success, back.oracle, back.group) == (False, True, "exit")
    assert not score_nuance(("s", "f"), out, leave, ruler).oracle
    (summary,) = summarise_nuances(
        [through, back, score_nuance(("s", "f"), own_episode, into, ruler)]
    )
    assert summary.by_group == {"exit": NuanceMeans(1, 0.0, 1.0), "into": NuanceMeans(2, 0.5, 1.0)}


# --- numerical


SETS = {"1-2": (("s", "l"),), "2-2": (("s", "f"), ("s", "f", "ff"))}


def test_numbers_need_the_end_and_the_likest_path(ruler):
    nuance = Nuance(kind="NU", set_paths=SETS)
    own_episode = episode("Take the second door.", path_id="h-5-2-2")
    right = score_nuance(("s", "f"), own_episode, nuance, ruler)
    assert (right.success, right.ndtw, right.group) == (True, 1.0, "2-2")
    assert not score_nuance(("s", "l"), own_episode, nuance, ruler).success
    first = episode("Take the first door.", path_id="h-5-1-2")
    assert score_nuance(("s", "l"), first, nuance, ruler).success
    detour = score_nuance(("s", "f", "s", "l"), first, nuance, ruler)
    assert detour.oracle, "its end is right"
    assert detour.ndtw == pytest.approx(math.exp(-4 / 2)), (
        "Euclidean, divided by the reference's nodes, 1 m"
    )


def test_the_nearest_true_end_is_the_reference(ruler):
    own_episode = episode("Take the second door.", path_id="h-5-2-2")
    score = score_nuance(("s", "f", "ff"), own_episode, Nuance(kind="NU", set_paths=SETS), ruler)
    assert score.ndtw == 1.0


def test_a_key_without_paths_is_named(ruler):
    with pytest.raises(ValueError, match="set_paths"):
        score_nuance(("s",), episode(path_id="h-5-9-9"), Nuance(kind="NU", set_paths=SETS), ruler)


# --- a run


def test_what_cannot_be_scored_is_a_problem_in_every_class(ruler):
    good = episode("Go into the kitchen.", extra={"nuances": {"kind": "RR", "valid_ends": ["f"]}})
    bare = episode("Go.", path_id="none")
    wrong = episode("Go into the kitchen.", path_id="w", extra={"nuances": {"kind": "RR"}})
    traces = {
        each.id: Trace(
            header=TraceHeader(episode=each, navigator="x"),
            steps=(Step(index=1, node="s", path=("s", "f")),),
        )
        for each in (good, bare, wrong)
    }
    found = nuances_of_run(traces, lambda _world: ruler.graph)
    assert list(found.scores) == [good.id]
    assert {(problem.episode, problem.field) for problem in found.problems.kept} == {
        ("none_0", "nuances"), ("w_0", "valid_ends"),
    }  # fmt: skip
    assert found.summaries[0].total.success == 1.0
    assert nuance_of(bare) is None
    table = nuances_table(found.summaries)
    assert table[["Group", "SR", "OSR"]].to_numpy().tolist() == [
        ["all", 1.0, 1.0],
        ["into", 1.0, 1.0],
    ]


def test_a_run_is_scored_by_class_beside_the_standard_metrics(ruler):
    own_episode = episode("Go into the kitchen.", goal="ff", reference_path=("s", "f", "ff"),
                   extra={"nuances": {"kind": "RR", "valid_ends": ["f"]}})  # fmt: skip
    walk = Trace(
        header=TraceHeader(episode=own_episode, navigator="x"),
        steps=(Step(index=1, node="s", path=("s", "f", "ff")),),
    )
    scores = score_trace(walk, ruler.graph, ruler)
    assert (scores["SR"], scores["SR_nuances"], scores["OSR_nuances"]) == (1.0, 0.0, 1.0)
    assert nuance_scores(("s",), episode("Go."), ruler) == {}
    lacking = episode("Fly.", extra={"nuances": {"kind": "LR", "obj_center": [0, 1]}})
    assert nuance_scores(("s",), lacking, ruler) == {"SR_nuances": None, "OSR_nuances": None}
