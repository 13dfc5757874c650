"""Step logs with a state file beside them: the episode is always joined, and what disagrees is
named.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from navviz.formats import open_results
from navviz.formats.base import Run
from navviz.metrics.score import score_run
from tests.grids import grid, state_item, straight, write_json
from tests.systems.groke.logs.test_steps import SECOND, _line, _reply, _write

GRAPH = grid()
PATH = straight()
FIRST = "1. Walk (IN_PROGRESS, Iteration: 1)\n2. Stop (TODO)"


def walk(key: str, *replies: str, places: tuple[str, ...]) -> list[dict[str, Any]]:
    """Lines of one episode, a step each."""
    plans = [FIRST, *[SECOND] * (len(places) - 1)]
    parts = zip(replies, places, plans, strict=True)
    return [
        _line(_reply(reply) if reply else "", place, plan, key=key) for reply, place, plan in parts
    ]


def opened(tmp_path: Path, walks: list[list[dict[str, Any]]], states: dict[str, Any]) -> Run:
    steps = [[lines[k] for lines in walks if k < len(lines)] for k in range(max(map(len, walks)))]
    logs = _write(tmp_path / "logs", steps)
    write_json(tmp_path / "states.json", states)
    (run,) = open_results(logs, GRAPH)
    return run


GOOD = walk("1", "r0c2", "r0c4", places=("r0c0", "r0c2"))
GOOD_STATE = state_item(PATH, ["r0c0", "r0c2", "r0c4"])


def said(run: Run) -> list[str]:
    return list(map(str, run.problems.kept))


def test_a_call_repeated_after_an_empty_reply_changes_nothing(tmp_path):
    empty, again = walk("5", "", "r0c2", places=("r0c0", "r0c0"))
    again["request"] = empty["request"]
    last = _line(_reply("r0c4"), "r0c2", SECOND, key="5")
    logs = _write(tmp_path / "logs", [[GOOD[0], empty, again], [GOOD[1], last]])
    write_json(tmp_path / "states.json", {"1": GOOD_STATE, "5": GOOD_STATE})
    (run,) = open_results(logs, GRAPH)
    trace = run.traces["5"]
    assert trace.episode.reference_path == PATH
    assert trace.waypoints == ("r0c0", "r0c2", "r0c4")
    assert [step.path for step in trace.steps] == [straight(0, 0, 2), straight(0, 2, 4)]
    assert [call.reply for call in trace.steps[0].calls] == ["", _reply("r0c2")]
    assert (trace.end.status, [goal.status for goal in trace.end.plan]) == (
        "done",
        ["COMPLETED", "COMPLETED"],
    )
    assert ["step1_json.jsonl:3, episode 5: has this step again" in text for text in said(run)] == [
        True
    ]


def test_an_empty_repeat_does_not_take_the_place_of_a_reply(tmp_path):
    empty = _line("", "r0c0", FIRST, key="1")
    logs = _write(tmp_path / "logs", [[GOOD[0], empty], [GOOD[1]]])
    (run,) = open_results(logs, GRAPH)
    assert run.traces["1"].waypoints == ("r0c0", "r0c2", "r0c4")


@pytest.mark.parametrize(
    "waypoints",
    [
        ["r0c0", "r0c0", "r0c2", "r0c4"],
        ["r0c0", "r0c2", "r0c2", "r0c4"],
        ["r0c0", "r0c2", None, "r0c4", "r0c4"],
    ],
)
def test_a_repeated_waypoint_of_the_state_file_is_no_other_walk(tmp_path, waypoints):
    other = walk("5", "r0c2", "r0c4", places=("r0c0", "r0c2"))
    run = opened(tmp_path, [GOOD, other], {"1": GOOD_STATE, "5": state_item(PATH, waypoints)})
    assert (run.traces["5"].waypoints, run.traces["5"].end.status) == (tuple(waypoints), "done")
    assert said(run) == []


def test_a_reply_that_the_next_prompt_belies_is_named_and_the_walk_follows_the_prompts(tmp_path):
    other = walk("5", "r0c1", "r0c4", places=("r0c0", "r0c2"))
    run = opened(tmp_path, [GOOD, other], {"1": GOOD_STATE, "5": GOOD_STATE})
    trace = run.traces["5"]
    assert (trace.waypoints, trace.path, trace.end.status) == (
        ("r0c0", "r0c2", "r0c4"),
        PATH,
        "done",
    )
    assert trace.steps[0].decision.target == "r0c1"
    assert trace.steps[0].decision.reason == "the next prompt shows the agent at r0c2"
    assert said(run) == [
        "logs, episode 5: step 1 names r0c1, but the next prompt shows the agent at r0c2; the walk follows the prompts."
    ]


def test_the_last_place_is_the_one_that_is_scored(tmp_path):
    other = walk("5", "r0c2", "r0c3", places=("r0c0", "r0c2"))
    run = opened(tmp_path, [GOOD, other], {"1": GOOD_STATE, "5": GOOD_STATE})
    trace = run.traces["5"]
    assert (trace.episode.reference_path, trace.waypoints, trace.path) == (
        PATH,
        ("r0c0", "r0c2", "r0c4"),
        PATH,
    )
    assert (trace.steps[-1].decision.target, trace.end.status) == ("r0c3", "done")
    assert said(run) == [
        (
            "logs, episode 5: waypoint 3 is r0c3 in the step logs and r0c4 in states.json; the walk ends as the state file "
            "has it, which GROKE's scripts score."
        )
    ]


def test_another_walk_of_the_state_file_is_left_out_and_the_episode_is_joined(tmp_path):
    other = walk("5", "r0c2", "r0c3", places=("r0c0", "r0c2"))
    run = opened(
        tmp_path, [GOOD, other], {"1": GOOD_STATE, "5": state_item(PATH, ["r0c0", "r0c1", "r0c0"])}
    )
    trace = run.traces["5"]
    assert (trace.episode.reference_path, trace.waypoints) == (PATH, ("r0c0", "r0c2", "r0c3"))
    assert (trace.path, trace.end.plan) == (straight(0, 0, 3), ())
    assert said(run) == [
        (
            "logs, episode 5: waypoint 2 is r0c2 in the step logs and r0c1 in states.json; the walk is that of the step logs; "
            "how the state file has it end is left out."
        )
    ]


def test_an_end_in_the_same_place_is_joined(tmp_path):
    other = walk("5", "r0c2", "r0c4", places=("r0c0", "r0c2"))
    run = opened(
        tmp_path, [GOOD, other], {"1": GOOD_STATE, "5": state_item(PATH, ["r0c0", "r0c1", "r0c4"])}
    )
    trace = run.traces["5"]
    assert (trace.waypoints, len(trace.end.plan)) == (("r0c0", "r0c2", "r0c4"), 2)
    assert "both end at one place" in said(run)[0]


def test_the_mean_is_over_every_episode(tmp_path):
    walks = [GOOD, walk("5", "r0c2", "r0c1", places=("r0c0", "r0c2"))]
    near = {**state_item(PATH, ["r0c0", "r0c3", "r0c1"])}
    run = opened(tmp_path, walks, {"1": GOOD_STATE, "5": near})
    scored = score_run(run, GRAPH)
    assert (scored.counts["SR"], scored.walked, scored.means["NE"]) == (
        2,
        2,
        pytest.approx(30.0, abs=0.5),
    )


def test_an_episode_of_another_start_or_instruction_is_not_joined(tmp_path):
    states = {"1": GOOD_STATE, "5": state_item(straight(1), ["r1c0", "r1c4"])}
    run = opened(tmp_path, [GOOD, walk("5", "r0c2", places=("r0c0",))], states)
    assert run.traces["5"].episode.reference_path == ()
    other = {**state_item(PATH, ["r0c0", "r0c2"]), "full_instructions": "Turn round."}
    run = opened(
        tmp_path, [GOOD, walk("5", "r0c2", places=("r0c0",))], {"1": GOOD_STATE, "5": other}
    )
    assert run.traces["5"].episode.reference_path == ()
    scored = score_run(run, GRAPH)
    assert (len(scored), scored.counts["SR"], scored.walked) == (2, 1, 1)
    assert scored.summary() == "1 walked, 1 without a figure"


def test_groke_s_loop_ends_where_a_reply_names_the_place_where_the_agent_stands(tmp_path):
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c0", "IN_PROGRESS"), "r0c0", FIRST)]])
    (run,) = open_results(logs, GRAPH)
    end = run.traces["5"].end
    assert (end.status, end.reason, end.node) == (
        "done",
        "Start and End nodes are the same.",
        "r0c0",
    )


@pytest.mark.nightly
@pytest.mark.data
def test_published_logs_with_a_repeated_call_score_as_published(data_dir, tmp_path):
    """Eight episodes get an empty reply before their own in one step: the run's means stay what
    they are.
    """
    from navviz.formats import open_graph

    source = data_dir / "groke" / "paper_results"
    graph = open_graph(data_dir / "map2seq")
    for path in (source / "ablation_study_json").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines()
        if path.name == "step2_json.jsonl":
            lines = [json.dumps(_emptied(json.loads(line))) for line in lines[:8]] + lines
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / "logs" / path.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "test_seen_json.json").symlink_to(source / "test_seen_json.json")
    (run,) = open_results(tmp_path / "logs", graph)
    scored = score_run(run, graph)
    assert (scored.walked, scored.counts["SR"], scored.means["SR"]) == (100, 100, 0.74)
    assert [
        trace.episode.id for trace in run.traces.values() if not trace.episode.reference_path
    ] == []
    assert run.problems.count == 8


def _emptied(line: dict[str, Any]) -> dict[str, Any]:
    line["response"]["candidates"] = [{"content": {"parts": [{"text": "Hm.", "thought": True}]}}]
    return line
