"""GROKE's state files."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results
from tests.grids import episode, grid, name, state_item, straight, write_json, write_lines

GRAPH = grid()
PATH = straight()


def _run(tmp_path, items, **more):
    return open_results(write_json(tmp_path / "states.json", items), GRAPH, **more)


def test_a_waypoint_is_a_step_and_paths_are_joined(tmp_path):
    (run,) = _run(tmp_path, {"5": state_item(PATH, ["r0c0", "r0c2", "r0c4"])})
    trace = run.traces["5"]
    assert (run.name, run.navigator, run.method, run.problems.count) == (
        "states",
        "groke",
        "json",
        0,
    )
    assert [step.path for step in trace.steps] == [
        ("r0c0", "r0c1", "r0c2"),
        ("r0c2", "r0c3", "r0c4"),
    ]
    assert trace.path == PATH
    assert trace.waypoints == ("r0c0", "r0c2", "r0c4")
    assert trace.end.status == "done"
    assert trace.end.node == "r0c4"
    assert [goal.status for goal in trace.end.plan] == ["COMPLETED", "COMPLETED"]
    assert (trace.landmarks[0].name, trace.sub_goals[1].description) == ("Kiosk", "Stop")
    assert trace.episode.start_heading_deg == 90.0


def test_holes_and_repeats_are_steps_that_stay(tmp_path):
    (run,) = _run(tmp_path, {"5": state_item(PATH, ["r0c0", None, "r0c2", "r0c2"])})
    trace = run.traces["5"]
    assert [step.path for step in trace.steps] == [(), ("r0c0", "r0c1", "r0c2"), ()]
    assert [step.decision.legal for step in trace.steps] == [False, True, True]
    assert trace.path == straight(0, 0, 2)
    assert run.problems.count == 0


def test_unknown_and_unreachable_waypoints_are_told(tmp_path):
    (run,) = _run(tmp_path, {"5": state_item(PATH, ["r0c0", "elsewhere", "r0c1"])})
    trace = run.traces["5"]
    assert [step.decision.reason for step in trace.steps] == ["is not in the graph", None]
    assert trace.path == straight(0, 0, 1)
    assert str(run.problems.kept[0]) == (
        "states.json, episode 5, field json.predicated_path: waypoint 2 is not in the graph; "
        "choose the graph of this run; it is skipped."
    )


def test_the_plan_at_the_end_is_that_of_the_state(tmp_path):
    item = state_item(PATH, ["r0c0", "r0c1"])
    item["json"] |= {
        "current_instruction_index": 1,
        "num_retry_current_instruction": 2,
        "status": "PROGRESS",
    }
    item["json"]["current_instruction_status"] = "IN_PROGRESS"
    (run,) = _run(tmp_path, {"5": item})
    end = run.traces["5"].end
    assert (end.status, [(goal.status, goal.iteration) for goal in end.plan]) == (
        "unknown",
        [("COMPLETED", None), ("IN_PROGRESS", 3)],
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [("Error: Start and End nodes are the same.", "done"), ("Something else broke", "error")],
)
def test_an_error_of_the_log_is_kept(tmp_path, error, status):
    item = state_item(PATH, ["r0c0", "r0c1"])
    item["json"]["error"] = error
    (run,) = _run(tmp_path, {"5": item})
    assert (run.traces["5"].end.status, run.traces["5"].end.reason) == (status, error)


def test_several_methods_give_a_run_each(tmp_path):
    item = state_item(PATH, ["r0c0", "r0c4"])
    item["grid"] = {**item["json"], "predicated_path": ["r0c0", None]}
    runs = _run(tmp_path, {"5": item})
    assert [(run.name, run.method) for run in runs] == [
        ("states-json", "json"),
        ("states-grid", "grid"),
    ]
    assert [run.traces["5"].path for run in runs] == [PATH, ("r0c0",)]


def test_an_episodes_file_counts_for_the_route(tmp_path):
    known = {"5": episode(straight(0, 0, 3), "5", split="test")}
    items = {"5": state_item(PATH, ["r0c0", "r0c4"]), "6": state_item(PATH, ["r0c0"])}
    (run,) = _run(tmp_path, items, episodes=known)
    assert run.traces["5"].episode.reference_path == straight(0, 0, 3)
    assert run.traces["5"].episode.landmarks[0].name == "Kiosk"
    assert run.traces["6"].episode.reference_path == PATH
    assert [(p.episode, p.field) for p in run.problems.kept] == [("5", "osm_path"), ("6", "")]
    assert "is not in the episodes file" in str(run.problems.kept[1])


def test_extra_fields_are_kept_by_their_names(tmp_path):
    item = state_item(PATH, ["r0c0"], human_annotation="1", complexity={"spatial": 2})
    found = open_episodes(write_json(tmp_path / "states.json", {"5": item}))
    assert found.episodes["5"].extra == {"human_annotation": "1", "complexity": {"spatial": 2}}
    assert found.format == "episodes of GROKE states"


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        (state_item((), ["r0c0"]), "episode 6, field osm_path: is an empty path"),
        (state_item(PATH, []), "episode 6, field json.predicated_path: is an empty path"),
        (state_item(PATH, "r0c0"), "episode 6, field json.predicated_path: is no list of node ids"),
        (state_item(PATH, [3.5]), "holds something that is no node id"),
        (state_item(PATH, [None, "r0c1"]), "the first waypoint is no node of the graph"),
        (state_item(PATH, ["nowhere"]), "waypoint 1 is not in the graph"),
        ({"a": 1}, "episode 6: has no osm_path"),
        (["a"], "episode 6: has no osm_path"),
        (
            state_item(PATH, ["r0c0"], sub_instructions=[{"x": 1}]),
            "field sub_instructions: holds something without",
        ),
        (
            state_item(PATH, ["r0c0"], landmarks="all"),
            "field landmarks: holds something without a name",
        ),
        (state_item(PATH, ["r0c0"], full_instructions=None), "field full_instructions: is no text"),
    ],
)
def test_a_bad_episode_is_told_and_the_rest_is_shown(tmp_path, item, sentence):
    (run,) = _run(tmp_path, {"5": state_item(PATH, ["r0c0", "r0c4"]), "6": item})
    assert "5" in run.traces
    assert any(sentence in str(problem) for problem in run.problems.kept)
    assert all(str(problem).startswith("states.json") for problem in run.problems.kept)


def test_duplicate_ids_are_told(tmp_path):
    first, second = (json.dumps(state_item(PATH, ["r0c0", end])) for end in ("r0c4", "r0c1"))
    path = tmp_path / "s.json"
    path.write_text(f'{{"5": {first}, "5": {second}}}')
    (run,) = open_results(path, GRAPH)
    assert run.traces["5"].path == PATH
    assert (
        str(run.problems.kept[0])
        == "s.json, episode 5: this id comes twice; keep one; the first is used."
    )


def test_a_cut_file_shows_what_came_before(tmp_path):
    path = tmp_path / "s.json"
    path.write_text(
        json.dumps({str(k): state_item(PATH, ["r0c0", "r0c4"]) for k in range(4)})[:-200]
    )
    (run,) = open_results(path, GRAPH)
    assert list(run.traces) == ["0", "1", "2"]
    assert "s.json: is no whole JSON: it breaks after 3 items; what came before is shown" in str(
        run.problems.kept[0]
    )


def test_the_wrong_graph_is_told_in_one_sentence(tmp_path):
    path = write_json(tmp_path / "s.json", {"5": state_item(["a", "b"], ["a", "b"])})
    with pytest.raises(
        InputError,
        match=r"s\.json: holds no path that can be shown \(.*waypoint 1 is not in the graph",
    ):
        open_results(path, GRAPH)


def test_planning_requests_beside_the_file_are_joined(tmp_path):
    path = write_json(tmp_path / "s.json", {"5": state_item(PATH, ["r0c0", "r0c4"])})
    request = {"contents": [{"parts": [{"text": "Divide this."}], "role": "user"}]}
    write_lines(tmp_path / "s_instructions.jsonl", [json.dumps({"key": 5, "request": request})])
    (run,) = open_results(path, GRAPH)
    (call,) = run.traces["5"].plan_calls
    assert (call.purpose, call.messages[0].text, call.reply) == ("plan", "Divide this.", None)
    assert call.error == "the log holds the request only"


_NODES = st.none() | st.sampled_from([*(name(r, c) for r in range(7) for c in range(7)), "nowhere"])


@given(st.lists(_NODES, max_size=8))
def test_any_waypoints_give_a_connected_path(tmp_path_factory, waypoints):
    (run,) = _run(tmp_path_factory.mktemp("g"), {"5": state_item(PATH, ["r0c0", *waypoints])})
    trace = run.traces["5"]
    assert len(trace.steps) == len(waypoints)
    assert all(GRAPH.has_link(a, b) for a, b in zip(trace.path, trace.path[1:], strict=False))
    known = [node for node in waypoints if node not in {None, "nowhere"}]
    assert trace.path[-1] == (known[-1] if known else "r0c0")


@pytest.mark.data
def test_published_states(data_dir):
    folder = data_dir / "groke" / "paper_results"
    for file, count in (("main_test_seen", 700), ("test_seen_json", 100), ("test_seen", 100)):
        found = open_episodes(folder / f"{file}.json")
        assert (len(found), found.problems.count) == (count, 0)
    known = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes
    for key, each_episode in open_episodes(folder / "main_test_seen.json").episodes.items():
        given_ = known[key]
        assert (each_episode.reference_path, each_episode.instruction) == (
            given_.reference_path,
            given_.instruction,
        )
        assert each_episode.start_heading_deg == given_.start_heading_deg
