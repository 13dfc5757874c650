"""Router logs of SkillNav: three episodes in one batch, a broken record, the index defect, details
beside.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from navviz.errors import InputError
from navviz.formats import discover, kind_of, open_results
from navviz.language.skills import Skill, router_data, skill_of, skill_that_ran
from navviz.records import Episode
from navviz.records.trace import DUE_PART_TITLE
from navviz.systems.skillnav.logs.router_log import RouterLogs, StepRecord, viewpoints_of, way_on
from navviz.world.graph import Graph

NODES = [f"{k:032x}" for k in range(0xA0, 0xA6)]
A, B, C, D, E, F = NODES
TEXTS = {
    "1_0": "Leave the room. Turn left. Go up the stairs. Stop.",
    "2_0": "Enter the kitchen. Stop by the stove.",
    "3_1": "Go past the sofa. Wait.",
}


@pytest.fixture
def graph():
    """Six viewpoints in a row, 2 m apart."""
    pairs = [(k, k + 1) for k in range(5)]
    both = [*pairs, *((b, a) for a, b in pairs)]
    return Graph(
        name="house",
        frame="metric",
        ids=NODES,
        positions=np.array([[0, 2 * k, 1.5] for k in range(6)], dtype=float),
        sources=np.array([a for a, _ in both], np.int32),
        targets=np.array([b for _, b in both], np.int32),
    )


def entry(
    name: str, seen: list[str], given: list[str], due: str, skill: str, index: int, minute: int = 0
) -> str:
    record = {
        "instr_id": name,
        "scan": "house",
        "full_instruction": TEXTS[name],
        "previous_viewpoints": [f"/pics/{node}/front {{1}}.jpg" for node in seen],
        "previous_sub_instructions": given,
        "sub_instruction": due,
        "reasoning": 'It said "go", and } that is done.',
        "predicted_skill": skill,
        "predicted_skill_index": index,
    }
    return f"2025-06-01 10:{minute:02}:00,123 - {json.dumps(record, indent=2)}\n"


def step(t: int, indices: list[int], obs: list[str]) -> str:
    return f"2025-06-01 10:59:00,000 - Step {t}: Using expert indices: {indices} for obs: {obs}\n"


BATCH = ["1_0", "2_0", "3_1"]
BROKEN = '2025-06-01 10:02:00,123 - {\n  "instr_id": "3_1",\n  "scan": "house",\n  "previous_viewpoints": ["x"\n'


def log(folder: Path, *, broken: bool = True) -> Path:
    path = folder / "val_unseen_router_outputs.log"
    region, vertical, stop = "Area and Region Identification", "Vertical Movement", "Stop and Pause"
    third = BROKEN if broken else entry("3_1", [A, B], ["Go past the sofa."], "Wait.", stop, 2, 2)
    path.write_text(
        entry("1_0", [A], [], "Leave the room.", region, 4)
        + entry("2_0", [C], [], "Enter the kitchen.", region, 4)
        + entry("3_1", [A], [], "Go past the sofa.", "Landmark Detection", 3)
        + step(0, [4, 4, 3], BATCH)
        + entry("1_0", [A, B], ["Leave the room."], "Turn left.", "Direction Adjustment", 1, 1)
        + entry("2_0", [C, D], ["Enter the kitchen."], "Stop by the stove.", stop, 2, 1)
        + third
        + step(1, [1, 2, 2], BATCH)
        + entry(
            "1_0",
            [A, B, C, D],
            ["Leave the room.", "Turn left."],
            "go up the stairs",
            vertical,
            1,
            3,
        )
        + entry("3_1", [A, B, C], ["Go past the sofa."], "Wait.", stop, 2, 3)
        + step(2, [1, 2], BATCH)
    )
    return path


def test_interleaved_episodes_are_joined_by_id_and_the_broken_record_is_named(tmp_path, graph):
    (run,) = open_results(log(tmp_path), graph)
    assert list(run.traces) == BATCH
    assert [len(trace.steps) for trace in run.traces.values()] == [3, 2, 2]
    broken = [problem for problem in run.problems.kept if "JSON" in problem.what]
    assert len(broken) == 1
    assert "val_unseen_router_outputs.log:" in broken[0].file
    assert broken[0].episode == "3_1"
    trace = run.traces["1_0"]
    assert [s.node for s in trace.steps] == [A, B, D]
    assert trace.steps[1].path == (B, C, D)
    assert [dict(p.data["items"])["Now"] for s in trace.steps for p in s.panels if p.title == DUE_PART_TITLE] == [
        "Leave the room.", "Turn left.", "go up the stairs",
    ]  # fmt: skip
    assert trace.end.status == "unknown"
    assert "last move" in trace.end.reason


def test_the_index_defect_shows(tmp_path, graph):
    (run,) = open_results(log(tmp_path), graph)
    routed = run.traces["1_0"].steps[1]
    assert (skill_of(routed), skill_that_ran(routed)) == (Skill.DIRECTION, Skill.VERTICAL)
    assert "Directional Adjustment" in router_data(routed)["hint"]
    assert "hint" not in router_data(run.traces["1_0"].steps[0])


def test_a_step_with_fewer_indices_than_episodes_is_warned_of(tmp_path, graph):
    (run,) = open_results(log(tmp_path), graph)
    warned = [problem for problem in run.problems.kept if "indices" in problem.what]
    assert [problem.what.split(":")[0] for problem in warned] == [
        "step 2 lists 2 indices for 3 episodes"
    ]
    assert "2_0 had no sub-goal" in router_data(run.traces["3_1"].steps[-1])["note"]
    assert "no sub-goal" not in router_data(run.traces["1_0"].steps[-1])["note"], (
        "it comes before the missing one"
    )


def test_a_batch_in_which_several_agents_acted_says_whose_weights_fuse(tmp_path, graph):
    path = log(tmp_path)
    (run,) = open_results(path, graph)
    assert all(
        "last agent's weights" in router_data(trace.steps[0])["note"]
        for trace in run.traces.values()
    )
    stop = "Stop and Pause"
    path.write_text(entry("1_0", [A], [], "Leave the room.", stop, 2) + step(0, [2], ["1_0"]))
    (alone,) = open_results(path, graph)
    assert router_data(alone.traces["1_0"].steps[0])["note"] == "Index that ran: 2, Stop and Pause."


def test_a_sub_goal_that_is_not_verbatim_and_one_that_was_skipped_are_marked(tmp_path, graph):
    (run,) = open_results(log(tmp_path), graph)
    last = run.traces["1_0"].steps[2]
    data = next(p.data for p in last.panels if p.title == DUE_PART_TITLE)
    assert not data["verbatim"]
    assert [goal.status for goal in last.plan] == ["COMPLETED", "COMPLETED", "IN_PROGRESS", "TODO"]


def test_open_episodes_give_the_original_instruction(tmp_path, graph):
    known = {
        name: Episode(
            id=name, dataset="R2R", instruction=f"Original {name}", world="house", start=A, goal=F
        )
        for name in BATCH
    }
    (run,) = open_results(log(tmp_path), graph, known)
    trace = run.traces["1_0"]
    assert trace.episode.instruction == "Original 1_0"
    assert trace.plan_panels[0].data["original"] == "Original 1_0"
    assert trace.sub_goals[0].description == "Leave the room."
    assert trace.header.settings["agents"] == "imported"


def test_a_detail_file_beside_tells_the_last_move_and_the_walk_back(tmp_path, graph):
    path = log(tmp_path, broken=False)
    stops = {A: 0.1, B: 0.9, C: 0.2, D: 0.3}
    (tmp_path / "detail_val_unseen.json").write_text(
        json.dumps([{"instr_id": "1_0", "trajectory": [[A], [B], [C, D], [C, B]], "details": {n: {"stop_prob": p} for n, p in stops.items()}}])
    )  # fmt: skip
    trace = RouterLogs.read(path, lambda _world: graph)[0].traces["1_0"]
    last = trace.steps[-1]
    assert last.path == (D, C, B)
    assert last.decision.stop
    assert "Went back to the best stop (0.90 there, 0.30 here)" in last.decision.reason
    assert trace.end.node == B
    assert trace.end.status == "done"
    assert next(p.data for p in last.panels if p.title == "Walk back")["walk_back"] == [D, C, B]
    rings = {
        node["id"]: node.get("ring")
        for p in trace.steps[1].panels
        if p.kind == "graph"
        for node in p.data["nodes"]
    }
    assert rings[B] == 0.9


LOST = {
    "a part without a place": ([[A], [B], [None], [C, D]], "the trajectory lacks 1 viewpoint"),
    "no place": ([[A], None, [], 7, [C, D]], "the trajectory lacks 3 viewpoints"),
    "another house": ([[A], [B], [C, "9" * 32]], f"viewpoint {'9' * 32} is not in scan house"),
}


@pytest.mark.parametrize("case", LOST)
def test_a_prediction_that_lost_places_is_named_and_not_walked(tmp_path, graph, case):
    """Without the place the walk would end elsewhere, or go on from a place it never came to."""
    path = log(tmp_path, broken=False)
    trajectory, fault = LOST[case]
    entries = [*({"instr_id": "1_0", "trajectory": trajectory},) * 2, {"trajectory": [[A]]}]
    (tmp_path / "submit_val_unseen.json").write_text(json.dumps(entries))
    (run,) = open_results(path, graph)
    trace = run.traces["1_0"]
    assert (trace.end.status, trace.steps[-1].decision) == ("unknown", None)
    said = [str(problem) for problem in run.problems.kept if "submit" in problem.file]
    file = "submit_val_unseen.json"
    shown = "the walk is shown as far as the log goes"
    assert said == [
        f"{file}, episode 1_0: is there twice; the last one is used.",
        f"{file}, entry 3, field instr_id: names no episode; the other predictions are used.",
        f"{file}, episode 1_0, field trajectory: {fault}; {shown}.",
    ]


def test_a_picture_without_a_viewpoint_leaves_its_episode_out(tmp_path, graph):
    """The agent stood somewhere that nobody can name: it would be drawn where it stood before."""
    path = tmp_path / "x.log"
    stop = "Stop and Pause"
    lost = entry("1_0", [A, B], ["Leave the room."], "Stop.", stop, 2).replace(B, "front")
    whole = entry("2_0", [C], [], "Enter the kitchen.", stop, 2)
    path.write_text(entry("1_0", [A], [], "Leave the room.", stop, 2) + lost + whole)
    (run,) = open_results(path, graph)
    assert list(run.traces) == ["2_0"]
    (problem,) = run.problems.kept
    assert (problem.episode, problem.field) == ("1_0", "previous_viewpoints")
    assert problem.what == "1 of 2 pictures name no viewpoint"


def test_what_was_logged_after_the_end_is_left_out(tmp_path, graph):
    """A batch goes on until its last episode has ended, and logs the ended ones as well."""
    path = tmp_path / "x.log"
    stop = "Stop and Pause"
    path.write_text(
        entry("1_0", [A], [], "Leave the room.", stop, 2)
        + entry("1_0", [A, B, C], ["Leave the room."], "Stop.", stop, 2)
        + entry("1_0", [A, B, C, B], ["Leave the room."], "Stop.", stop, 2)
        + entry("1_0", [A, B, C, B], ["Leave the room."], "Stop.", stop, 2)
        + entry("2_0", [D], [], "Enter the kitchen.", stop, 2)
        + entry("2_0", [D], ["Enter the kitchen."], "Stop by the stove.", stop, 2)
    )
    (run,) = open_results(path, graph)
    trace = run.traces["1_0"]
    assert len(trace.steps) == 2
    assert trace.steps[-1].path == (C, B), "the way back to the best stop is the last move"
    assert trace.steps[-1].decision.stop
    assert "Went back" in trace.steps[-1].decision.reason
    assert trace.steps[-1].panels[-1].data["walk_back"] == [C, B]
    assert trace.end.node == B
    assert trace.end.status == "done"
    assert "2 more were logged" in trace.end.reason
    other = run.traces["2_0"]
    assert (len(other.steps), other.end.node, other.steps[0].path) == (1, D, ())


def test_fields_that_do_not_fit_are_named(tmp_path, graph):
    path = tmp_path / "x.log"
    wrong = entry("1_0", [A], [], "Leave the room.", "Landmark Detection", 9)
    lost = entry("2_0", ["f" * 32], [], "Enter the kitchen.", "Stop and Pause", 2)
    nameless = '2025-06-01 10:00:00,123 - {"scan": "house"}\n'
    path.write_text(wrong + lost + nameless + "2025-06-01 10:00:00,123 - free text\n")
    (run,) = open_results(path, graph)
    problems = [(problem.episode, problem.field) for problem in run.problems.kept]
    assert ("1_0", "predicted_skill_index") in problems
    assert ("2_0", "previous_viewpoints") in problems
    assert ("", "instr_id") in problems
    assert skill_that_ran(run.traces["1_0"].steps[0]) is Skill.LANDMARK


def test_a_log_with_nothing_to_show_says_so(tmp_path, graph):
    path = tmp_path / "x.log"
    path.write_text(BROKEN)
    with pytest.raises(InputError, match="holds no step that can be shown"):
        open_results(path, graph)


def test_it_is_recognised_by_content(tmp_path):
    path = log(tmp_path)
    assert kind_of(path) == "results"
    assert discover(tmp_path).results == (path,)
    other = tmp_path / "server.log"
    other.write_text("2025-06-01 10:00:00,123 - started\n")
    assert not RouterLogs.handles(other)


@pytest.mark.parametrize(("before", "after", "way"), [
    ([A], [A, B, C], (A, B, C)), ([A, B], [A, B], ()), ([A, B, C], [B, C, D], (C, D)),
    ([A, B], [E], (B, C, D, E)),
])  # fmt: skip
def test_moves_between_two_lists(graph, before, after, way):
    assert way_on(before, after, graph) == way


def test_viewpoints_are_found_in_folder_or_file_names():
    known = {A: 0, "kitchen": 1}
    record = StepRecord(
        1, {"previous_viewpoints": [f"x/{A}.jpg", f"x/{A}/2.jpg", "y/kitchen/1.png", "nowhere.png"]}
    )
    assert viewpoints_of(record, known) == [A, "kitchen"]
