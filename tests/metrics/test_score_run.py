"""What the options of a score change, and what is said of a run: small walks, figures by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from navviz.analysis.replays import explained_document
from navviz.errors import Problems
from navviz.formats.base import Run
from navviz.metrics.path import Ruler, cls, ndtw, ndtw_groke, score_path, spl
from navviz.metrics.score import RunScore, score_run, score_trace
from navviz.records import Decision, EndEvent, Episode, Step, Task, Trace, TraceHeader
from tests.grids import corridor, episode, grid, house, straight, trace

GRID = grid()
ROOMS = house(
    {"a": (0, 0, 0), "b": (4, 0, 0), "c": (4, 3, 0), "d": (4, 4, 0), "e": (9, 9, 9)}, "abcd"
)
"""A corner of 4 m and 3 m, one metre more, and a place that no door leads to."""


def _run(*traces: Trace, name: str = "r") -> Run:
    return Run(name, "test", None, {made.episode.id: made for made in traces}, Problems(), None)


def _tasks(key: str, walk: str, *goals: str, status: str = "done", world: str = "house") -> Trace:
    """A walk through the rooms by letters; a full stop ends a sub-task."""
    result = Episode(
        id=key,
        dataset="tasks",
        instruction="Go there, then there.",
        world=world,
        start=walk[0],
        success_radius_m=1.0,
        tasks=tuple(Task(description=f"Go to {goal}", goals=(goal,)) for goal in goals),
    )
    steps, here = [], walk[0]
    for k, letter in enumerate(walk[1:], start=1):
        path = () if letter == "." else (here, letter)
        steps.append(
            Step(
                index=k,
                node=here,
                heading_deg=90.0,
                path=path,
                decision=Decision(stop=letter == "."),
            )
        )
        here = here if letter == "." else letter
    header = TraceHeader(episode=result, navigator="test")
    return Trace(header=header, steps=tuple(steps), end=EndEvent(status=status, node=here))


def test_distances_go_straight_outdoors_and_through_doors_indoors():
    assert (Ruler(GRID).distance, Ruler(ROOMS).distance) == ("straight", "geodesic")
    assert Ruler(ROOMS).matrix_m("ab", "cde").tolist() == [
        [7.0, 8.0, math.inf],
        [3.0, 4.0, math.inf],
    ]
    assert Ruler(ROOMS, "straight").matrix_m("ad", "bc").tolist() == [[4.0, 5.0], [4.0, 1.0]]
    assert Ruler(ROOMS).matrix_m((), "ab").shape == (0, 2)
    assert Ruler(ROOMS).matrix_m("ab", ()).shape == (2, 0)


def test_lengths_below_a_metre_count_as_any_other():
    assert ndtw(0.5, 1, 0.5) == pytest.approx(math.exp(-1))
    assert ndtw_groke(0.5, 0.5) == pytest.approx(math.exp(-1))
    assert cls(np.zeros((2, 2)), 0.8, 0.4, 25.0) == (pytest.approx(0.5), 1.0)
    assert cls(np.array([[0.0, 9.0], [7.0, 2.0]]), 4.0, 4.0, 2.0)[1] == pytest.approx(
        (1 + math.exp(-1)) / 2
    )
    near = house({"a": (0, 0, 0), "b": (0.5, 0, 0)}, "ab")
    assert score_path("aba", episode("ab", success_radius_m=3.0), Ruler(near))["PLR"] == 2.0


def test_a_rounding_error_costs_nothing():
    assert spl(success=True, length_m=1.0 + 1e-13, shortest_m=1.0) == 1.0
    assert spl(success=True, length_m=1.0 + 1e-9, shortest_m=1.0) < 1.0


def test_without_a_goal_the_end_of_the_route_is_meant():
    own_episode = episode(straight(0, 0, 4), goal=None)
    assert score_path(straight(0, 0, 1), own_episode, Ruler(GRID))["NE"] == pytest.approx(
        60, rel=1e-3
    )


@pytest.mark.parametrize(
    ("start", "walked", "share"),
    [("a", "bcdc", 1.0), ("b", "bcdc", 3 / 5), ("nowhere", "bcdc", 3 / 5)],
)
def test_the_shortest_path_begins_at_the_start_else_where_the_walk_began(start, walked, share):
    own_episode = episode("abc", success_radius_m=0.5, start=start)
    assert score_path(walked, own_episode, Ruler(ROOMS))["SPL"] == pytest.approx(share)


def test_the_radius_counts_for_the_nearest_node_too():
    own_episode = episode("abc", success_radius_m=4.0)
    assert (
        score_path("ab", own_episode.model_copy(update={"success_radius_m": 3.0}), Ruler(ROOMS))[
            "OSR"
        ]
        == 1.0
    )
    assert score_path("aba", own_episode, Ruler(ROOMS))["OSR"] == 1.0


def test_a_goal_out_of_reach_is_a_failure_of_any_length():
    scores = score_path("ab", episode("ae", success_radius_m=1.0), Ruler(ROOMS))
    assert (scores["NE"], scores["SR"], scores["OSR"], scores["SPL"]) == (None, 0.0, 0.0, 0.0)


def test_grokes_own_ndtw_is_weighted_by_success():
    good = score_path(straight(0, 0, 3), episode(straight(0, 0, 4)), Ruler(GRID))
    assert good["SDTW_groke"] == good["nDTW_groke"] == pytest.approx(math.exp(-20 / 80), rel=1e-3)
    assert (
        score_path(straight(0, 0, 2), episode(straight(0, 0, 4)), Ruler(GRID))["SDTW_groke"] == 0.0
    )


def test_a_ruler_of_ones_own_measures_the_world_it_was_made_for():
    made = trace(episode("abc", success_radius_m=5.0, world="house"), ["a"])
    assert score_trace(made, ROOMS)["NE"] == 7.0
    assert score_trace(made, ROOMS, Ruler(ROOMS, "straight"))["NE"] == 5.0
    poses = made.header.model_copy(update={"poses": {"p": (4.0, 3.0, 2.0)}})
    walked = trace(made.episode, ["ap"]).model_copy(update={"header": poses})
    assert score_trace(walked, ROOMS, Ruler(ROOMS))["TL"] == pytest.approx(math.sqrt(16 + 9 + 4))


def test_indoors_the_agents_map_is_scored_and_its_target_object():
    own_episode = episode("abc", success_radius_m=3.0, extra={"objId": 7})
    made = trace(own_episode, ["abc"])
    named = made.model_copy(
        update={"header": made.header.model_copy(update={"settings": {"predObjId": 7}})}
    )
    scores = score_trace(named, ROOMS)
    assert scores["ME_explored"] == pytest.approx(1 / (1 + 0.25))
    assert (scores["RGS"], scores["RGSPL"]) == (1.0, 1.0)


def test_sub_tasks_are_counted_in_moves_unless_asked_in_metres():
    made = _tasks("1", "abcdcb.", "b")
    assert score_trace(made, ROOMS)["SPL"] == pytest.approx(1 / 5)
    assert score_trace(made, ROOMS, lengths="metres")["SPL"] == pytest.approx(4 / 12)
    scored = score_run(_run(made), ROOMS)
    assert scored.rows["1"]["SPL"] == scored.means["SPL"] == pytest.approx(1 / 5)
    scored = score_run(_run(made), ROOMS, lengths="metres")
    assert scored.rows["1"]["SPL"] == scored.means["SPL"] == pytest.approx(4 / 12)


def test_sub_tasks_may_ask_for_the_target_in_view():
    behind = house({"a": (0, 0, 0), "b": (4, 0, 0), "x": (3.5, 0, 0)}, "abx")
    made = _tasks("1", "ab.", "x")
    assert score_trace(made, behind)["SR"] == 1.0
    assert score_trace(made, behind, success="distance+view")["SR"] == 0.0
    scored = score_run(_run(made), behind, success="distance+view")
    assert (scored.rows["1"]["SR"], scored.means["SR"]) == (0.0, 0.0)
    assert score_run(_run(made), behind).means["SR"] == 1.0
    # an agent that turned round, by whatever angle its turns have, sees the target
    last = made.steps[-1].model_copy(update={"end_heading_deg": 270.0})
    turned = made.model_copy(update={"steps": (*made.steps[:-1], last)})
    assert score_trace(turned, behind, success="distance+view")["SR"] == 1.0


def test_a_run_pools_its_sub_tasks_as_lh_vln_does():
    scored = score_run(_run(_tasks("1", "ab.", "b"), _tasks("2", "ab.c.d.", "b", "a", "d")), ROOMS)
    assert scored.means["ISR"] == pytest.approx(3 / 4)
    assert scored.means["ISR_paper"] == pytest.approx((1 + 2 / 3) / 2)
    mixed = score_run(_run(_tasks("1", "ab.", "b"), trace(episode("abc", "2"), ["abc"])), ROOMS)
    assert mixed.means["stops"] == 1.0
    # pooled over the episodes that have sub-tasks, also where others have none
    three = _tasks("1", "ab.", "b"), _tasks("2", "ab.c.d.", "b", "a", "d")
    mixed_three = score_run(_run(*three, trace(episode("abc", "3"), ["abc"])), ROOMS)
    assert mixed_three.means["ISR"] == pytest.approx(3 / 4)
    assert mixed_three.means["SR"] == pytest.approx((1 + 0 + mixed_three.rows["3"]["SR"]) / 3)
    assert mixed.counts["ISR"] == 1


def test_poses_of_an_agent_that_walks_freely_are_part_of_its_run():
    result = _tasks("1", "bp.", "p")
    free = result.model_copy(
        update={"header": result.header.model_copy(update={"poses": {"p": (4.0, 4.0, 0.5)}})}
    )
    scored = score_run(_run(free), ROOMS)
    assert (scored.rows["1"]["SR"], scored.means["SR"], scored.means["NE"]) == (1.0, 1.0, 0.0)
    assert score_run(_run(result), ROOMS).means["SR"] is None


def test_each_world_is_asked_for_once_by_its_name():
    requests: list[str] = []
    worlds = {"one": corridor("abc", 1.0), "ten": corridor("abc", 10.0)}

    def graph_of(world: str):
        requests.append(world)
        return worlds[world]

    walks = [
        trace(episode("abc", key, world=world), ["abc"])
        for key, world in (("1", "one"), ("2", "ten"), ("3", "one"))
    ]
    scored = score_run(_run(*walks), graph_of)
    assert [row["TL"] for row in scored.rows.values()] == [2.0, 20.0, 2.0]
    assert requests == ["one", "ten"]
    tasks = score_run(
        _run(_tasks("1", "ab.", "b", world="one"), _tasks("2", "ab.", "b", world="ten")), graph_of
    )
    assert tasks.means["SR"] == 1.0


def test_a_run_is_scored_as_published_or_as_walked():
    path = straight(0, 0, 1)
    back = trace(episode(path), [path, path[::-1]]).model_copy(
        update={"waypoints": ("r0c0", "r0c1", "r0c0")}
    )
    assert score_run(_run(back), GRID).means["NE"] == pytest.approx(0.0, abs=1e-6)
    assert score_run(_run(back), GRID, "walked").means["NE"] == pytest.approx(20, rel=1e-3)
    assert score_run(_run(back), GRID, evaluation="walked").means["NE"] == pytest.approx(
        20, rel=1e-3
    )


def _ended(key: str, status: str | None, source: str | None = None) -> Trace:
    made = trace(episode(straight(), key), [straight(0, 0, 1)], status)
    return made.model_copy(update={"header": made.header.model_copy(update={"source": source})})


def test_technical_errors_are_part_of_no_mean_unless_the_log_is_foreign():
    good = trace(episode(straight(), "1"), [straight()])
    scored = score_run(
        _run(good, _ended("2", "error"), _ended("3", "error", "log.json"), _ended("4", None)), GRID
    )
    assert (scored.errors, scored.counted_errors) == (("2",), ("3",))
    assert (scored.means["SR"], scored.counts["SR"], len(scored), scored.walked) == (0.5, 2, 4, 2)
    assert scored.rows["2"]["SR"] == 0.0
    assert scored.run == "r"
    assert (
        scored.summary()
        == "2 walked, 1 error, 1 not finished (1 of them ended in an error and count as walked to there)"
    )


def test_a_run_of_errors_only_has_no_means():
    task = _tasks("1", "ab.", "b", status="error")
    scored = score_run(_run(task), ROOMS)
    assert scored.means["SR"] is None
    assert scored.summary() == "0 walked, 1 error"
    with_one = score_run(_run(task, _tasks("2", "ab.", "a")), ROOMS)
    assert with_one.means["ISR"] == 0.0


@pytest.mark.parametrize(
    ("errors", "words"),
    [((), "2 walked"), (("a",), "1 walked, 1 error"), (("a", "b"), "0 walked, 2 errors")],
)
def test_a_summary_counts_walks_and_errors(errors, words):
    scored = RunScore("x", {"a": {}, "b": {}}, {"SR": 0.5, "NE": None, "TL": 12.3456}, {}, errors)
    assert scored.summary() == words
    assert repr(scored) == "RunScore('x', 2 episodes, SR=0.5, TL=12.35)"
    assert replace(scored, errors=()).walked == 2


@pytest.mark.parametrize("status", ["stopped", "budget", "limit", None])
def test_a_walk_that_ended_before_its_first_step_has_no_score(status):
    good, unwalked = (
        trace(episode(straight(), "1"), [straight()]),
        trace(episode(straight(), "2"), [], status),
    )
    scored = score_run(_run(good, unwalked), GRID)
    assert set(scored.rows["2"].values()) == {None}
    assert scored.means["NE"] == scored.rows["1"]["NE"] == 0.0
    assert (scored.counts["NE"], scored.walked, scored.is_scored("2")) == (1, 1, False)
    # a limit is the navigator's own, so that this walk came to its end
    rest = "without a figure" if status == "limit" else "not finished"
    assert scored.summary() == f"1 walked, 1 {rest}"


def test_a_part_task_that_ended_before_its_first_step_is_in_no_pooled_mean():
    walked, unwalked = _tasks("1", "ab.", "b"), _tasks("2", "a", "b", status="stopped")
    assert score_run(_run(walked, unwalked), ROOMS).means == score_run(_run(walked), ROOMS).means


@pytest.mark.parametrize("status", [None, "stopped", "budget"])
def test_a_walk_that_was_cut_off_is_neither_a_success_nor_a_failure(status):
    """It still runs, was killed or stopped, or the budget ended it: where it stands is no result."""
    good = trace(episode(straight(), "a"), [straight()])
    bad = trace(episode(straight(), "b"), [straight()[:2]])
    still = trace(episode(straight(), "c"), [straight()[:2]], status)
    scored = score_run(_run(good, bad, still), GRID)
    assert (scored.means["SR"], scored.counts["SR"], scored.walked) == (0.5, 2, 2)
    assert scored.unfinished == ("c",)
    assert scored.summary() == "2 walked, 1 not finished"
    assert scored.rows["c"] == {**dict.fromkeys(scored.rows["a"]), "steps": 1.0}
    assert score_trace(still, GRID)["NE"] is not None, "as far as it went it can be measured"
    shown = explained_document(still, GRID)["metrics"]
    assert (shown["SR"], shown["NE"]) == (None, None), "the replay shows what the table says"
    logged = still.model_copy(
        update={"header": still.header.model_copy(update={"source": "their.log"})}
    )
    assert score_run(_run(good, bad, logged), GRID).counts["SR"] == 3, "logs may write no end"


def test_a_metric_without_a_value_is_left_out_and_named():
    score = RunScore("r", {}, {"SR": 0.5, "CLS": None, "NE": 0.0}, {"SR": 2, "CLS": 0, "NE": 2})
    assert score.figures == {"SR": 0.5, "NE": 0.0}
    assert score.left_out.startswith("without a value: CLS; no episode has what they are measured")
    assert replace(score, means={"SR": 0.5}).left_out == ""
    assert replace(score, means={"SR": None}).left_out.endswith("no episode was walked to its end")
    free = replace(score, means={"SR": None, "SR_est": 1.0, "TL": 2.0}).left_out
    assert "recorded (_rec), estimated (_est) or unknown" in free
