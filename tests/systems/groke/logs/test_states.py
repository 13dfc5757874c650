"""What a state file of GROKE says, field by field, and what is said of a field that is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import InputError, Problems
from navviz.formats import open_episodes, open_results
from navviz.records import Landmark, SubGoal
from navviz.systems.groke.logs.states import (
    GrokeEpisodes,
    GrokeStates,
    MethodState,
    end_event,
    is_states,
    joined_episode,
    methods_of,
    read_states,
)
from tests.grids import episode, grid, house, name, state_item, straight, write_json, write_lines

GRAPH = grid()
PATH = straight()
HERE = ["r0c0", "r0c1"]


def _states(tmp_path, items):
    problems = Problems()
    return list(read_states(write_json(tmp_path / "states.json", items), problems)), list(
        map(str, problems.kept)
    )


def test_an_episode_is_read_with_every_field(tmp_path):
    marks = [
        {"name": "Kiosk", "category": "amenity", "relative_position": "left"},
        {"name": "Bank", "category": "", "relative_position": 3},
    ]
    ((state,), said) = _states(
        tmp_path, {"5": state_item(PATH, HERE, landmarks=marks, initial_headings=450.5)}
    )
    own_episode = state.episode
    assert len(said) == 1
    assert said[0].startswith("states.json, episode 5, field relative_position: '3' is not")
    assert (own_episode.id, own_episode.dataset, own_episode.split, own_episode.instruction) == (
        "5",
        "map2seq",
        "states",
        "Walk to the end.",
    )
    assert (
        own_episode.start,
        own_episode.goal,
        own_episode.reference_path,
        own_episode.start_heading_deg,
    ) == ("r0c0", "r0c4", PATH, 90.5)
    assert own_episode.sub_goals == (SubGoal(description="Walk"), SubGoal(description="Stop"))
    assert own_episode.landmarks == (
        Landmark(name="Kiosk", category="amenity", relative_position="left"),
        Landmark(name="Bank", category=None, relative_position=None),
    )
    assert own_episode.extra == {}


def test_fields_of_other_names_are_kept_where_they_say_something(tmp_path):
    more = {
        "a": "", "b": None, "c": {}, "d": [], "e": 0, "f": False, "g": {"x": 1},
        "instruction_id": "9",
    }  # fmt: skip
    ((state,), _) = _states(tmp_path, {"5": state_item(PATH, HERE, **more)})
    assert state.episode.extra == {"e": 0, "f": False, "g": {"x": 1}}


def test_where_a_method_stood(tmp_path):
    item = state_item(PATH, [7, None, "r0c1"])
    item["json"] |= {
        "current_instruction_index": 1,
        "num_retry_current_instruction": 2,
        "status": "PROGRESS",
        "current_instruction_status": "IN_PROGRESS",
        "error": "why",
    }
    item["grid"] = {
        "predicated_path": HERE,
        "status": 1,
        "current_instruction_index": "1",
        "error": "",
    }
    item["grid"]["num_retry_current_instruction"] = "twice"
    ((state,), said) = _states(tmp_path, {"5": item})
    assert ["'1'" in said[0], "'twice'" in said[1], len(said)] == [True, True, 2]
    assert dict(state.methods) == {
        "json": MethodState(
            ("7", None, "r0c1"),
            done=False,
            sub_goal=1,
            sub_goal_status="IN_PROGRESS",
            error="why",
            tries=2,
        ),
        "grid": MethodState(("r0c0", "r0c1"), None, 1, None, None, None),
    }
    ((done,), _) = _states(tmp_path, {"5": state_item(PATH, HERE)})
    assert done.methods["json"].done is True


@pytest.mark.parametrize(("changes", "sentence"), [
    ({"osm_path": 3}, "field osm_path: is no list of node ids; it is left out."),
    ({"osm_path": []}, "field osm_path: is an empty path; it is left out."),
    ({"full_instructions": None}, "field full_instructions: is no text; it is shown as empty."),
    ({"initial_headings": "n"}, "field initial_headings: is no heading in degrees; it is shown as missing."),
    ({"sub_instructions": [{"description": "Walk"}, {"description": 3}]},
        "field sub_instructions: holds something without a description; it is left out."),
    ({"sub_instructions": ["Walk"]},
        "field sub_instructions: holds something without a description; it is left out."),
    ({"sub_instructions": "Walk"},
        "field sub_instructions: holds something without a description; it is left out."),
    ({"landmarks": [{"name": 3}]}, "field landmarks: holds something without a name; it is left out."),
    ({"landmarks": ["Bank"]}, "field landmarks: holds something without a name; it is left out."),
    ({"landmarks": {}}, "field landmarks: holds something without a name; it is left out."),
    ({"json": {"predicated_path": []}},
        "field json.predicated_path: is an empty path; this method of the episode is left out."),
    ({"json": {"predicated_path": "r0c0"}},
        "field json.predicated_path: is no list of node ids; this method of the episode is left out."),
    ({"json": {"predicated_path": ["r0c0", 3.5]}},
        "field json.predicated_path: holds something that is no node id; this method is left out."),
    ({"json": {"predicated_path": ["r0c0", True]}},
        "field json.predicated_path: holds something that is no node id; this method is left out."),
])  # fmt: skip
def test_a_wrong_field_is_told_where_it_stands(tmp_path, changes, sentence):
    states, said = _states(
        tmp_path, {"4": state_item(PATH, HERE), "5": state_item(PATH, HERE, **changes)}
    )
    assert said == [f"states.json, episode 5, {sentence}"]
    assert states[0].episode.id == "4"


def test_fields_that_are_missing_are_no_fault(tmp_path):
    item = {
        "osm_path": list(PATH),
        "full_instructions": "Go.",
        "initial_headings": 0,
        "json": {"predicated_path": HERE},
    }
    ((state,), said) = _states(tmp_path, {"5": item})
    assert (said, state.episode.sub_goals, state.episode.landmarks) == ([], (), ())


def test_items_without_an_id_or_a_route_are_told(tmp_path):
    states, said = _states(tmp_path, {"5": {"a": 1}, "6": [1], "7": state_item(PATH, HERE)})
    assert [state.episode.id for state in states] == ["7"]
    assert said == [
        "states.json, episode 5: has no osm_path; it is left out.",
        "states.json, episode 6: has no osm_path; it is left out.",
    ]
    states, said = _states(tmp_path, [state_item(PATH, HERE), state_item(PATH, HERE)])
    assert states == []
    assert said == [
        "states.json: item 1 has no id; it is left out.",
        "states.json: item 2 has no id; it is left out.",
    ]


def test_an_id_that_comes_twice_is_told_and_what_follows_is_read(tmp_path):
    path = tmp_path / "states.json"
    first, other = json.dumps(state_item(PATH, HERE)), json.dumps(state_item(PATH[:2], HERE))
    path.write_text(f'{{"5": {first}, "5": {other}, "6": {other}}}')
    problems = Problems()
    states = [(state.episode.id, state.episode.goal) for state in read_states(path, problems)]
    assert states == [("5", "r0c4"), ("6", "r0c1")]
    assert list(map(str, problems.kept)) == [
        "states.json, episode 5: this id comes twice; keep one; the first is used."
    ]


def test_the_one_map_of_a_run_has_no_name(tmp_path):
    path = write_json(tmp_path / "states.json", {"5": state_item(PATH, HERE)})
    (run,) = GrokeStates.read(path, {"": GRAPH}.__getitem__)
    assert run.traces["5"].path == tuple(HERE)


def test_what_kind_of_file_it_is(tmp_path):
    item = state_item(PATH, HERE)
    item["grid"] = item["json"]
    good = write_json(tmp_path / "good.json", {"4": {"x": 1}, "5": item})
    assert (methods_of(good), is_states(good), GrokeStates.handles(good)) == (
        ["json", "grid"],
        True,
        True,
    )
    assert GrokeStates.starts(good) == {"": "r0c0"}
    assert GrokeEpisodes.handles(good)
    listed = write_json(tmp_path / "list.json", [item])
    assert (methods_of(listed), is_states(listed), GrokeEpisodes.handles(listed)) == (
        [],
        False,
        False,
    )
    walks = {"5": {"json": item["json"]}}
    for other in (
        {"5": {"osm_path": list(PATH)}},
        walks,
        {"5": [1]},
        {"5": {"osm_path": 1, "json": {}, "x": 3}},
    ):
        path = write_json(tmp_path / "other.json", other)
        assert (methods_of(path), is_states(path), GrokeStates.starts(path)) == ([], False, {})
    assert GrokeEpisodes.handles(
        write_json(tmp_path / "bare.json", {"5": {"osm_path": [], "full_instructions": ""}})
    )
    for other in (
        {"5": {"osm_path": []}},
        {"5": {"full_instructions": ""}},
        {"5": ["osm_path", "full_instructions"]},
    ):
        assert not GrokeEpisodes.handles(write_json(tmp_path / "other.json", other))
    routes = {
        "1": {**item, "osm_path": 3},
        "2": {**item, "osm_path": []},
        "3": {**item, "osm_path": [12, 13]},
    }
    assert GrokeStates.starts(write_json(tmp_path / "routes.json", routes)) == {"": "12"}


SUB_GOALS = (SubGoal(description="a"), SubGoal(description="b"), SubGoal(description="c"))


def _state(**changes):
    fields = {
        "waypoints": ("x",),
        "done": True,
        "sub_goal": 1,
        "sub_goal_status": "IN_PROGRESS",
        "error": None,
    }
    return MethodState(**{**fields, "tries": 0, **changes})


@pytest.mark.parametrize(
    ("changes", "plan"),
    [
        ({}, [("COMPLETED", None), ("IN_PROGRESS", 1), ("TODO", None)]),
        ({"sub_goal_status": "COMPLETED"}, [("COMPLETED", None), ("TODO", None), ("TODO", None)]),
        ({"sub_goal": 0, "tries": 4}, [("IN_PROGRESS", 5), ("TODO", None), ("TODO", None)]),
        ({"tries": None}, [("COMPLETED", None), ("IN_PROGRESS", None), ("TODO", None)]),
        ({"sub_goal": 3}, [("COMPLETED", None)] * 3),
        ({"sub_goal": None}, [("TODO", None)] * 3),
    ],
)
def test_the_plan_at_the_end(changes, plan):
    end = end_event(_state(**changes), SUB_GOALS, "x")
    assert [(goal.status, goal.iteration) for goal in end.plan] == plan
    assert [goal.description for goal in end.plan] == ["a", "b", "c"]


@pytest.mark.parametrize(("done", "error", "status", "reason"), [
    (True, None, "done", None),
    (True, "Error: Start and End nodes are the same.", "done", "Error: Start and End nodes are the same."),
    (False, "Error: Start and End nodes are the same.", "error", "Error: Start and End nodes are the same."),
    (True, "broke", "error", "broke"),
    (False, None, "unknown", "the log stops while the agent was under way"),
    (None, None, "unknown", None),
])  # fmt: skip
def test_how_a_walk_ended(done, error, status, reason):
    end = end_event(_state(done=done, error=error), SUB_GOALS, "x")
    assert (end.status, end.reason, end.node, len(end.plan)) == (status, reason, "x", 3)


def test_a_trace_names_its_run_its_method_and_its_file(tmp_path):
    path = write_json(
        tmp_path / "states.json", {"5": state_item(PATH, ["r0c0", None, "nowhere", "r0c2"])}
    )
    (run,) = open_results(path, GRAPH)
    trace = run.traces["5"]
    header = trace.header
    assert (header.run, header.navigator, header.settings, header.source) == (
        "states",
        "groke",
        {"method": "json"},
        "states.json",
    )
    assert (run.name, run.navigator, run.method, run.source) == ("states", "groke", "json", path)
    assert [
        (step.index, step.node, step.decision.target, step.decision.legal, step.decision.reason)
        for step in trace.steps
    ] == [
        (1, "r0c0", None, False, "the log names no node here"),
        (2, "r0c0", "nowhere", False, "is not in the graph"),
        (3, "r0c0", "r0c2", True, None),
    ]
    assert (trace.end.node, trace.sub_goals, trace.plan_calls) == (
        "r0c2",
        trace.episode.sub_goals,
        (),
    )


def test_a_walk_that_never_moves_ends_where_it_starts(tmp_path):
    (run,) = open_results(
        write_json(tmp_path / "states.json", {"5": state_item(PATH, ["r0c3"])}), GRAPH
    )
    assert (run.traces["5"].steps, run.traces["5"].end.node) == ((), "r0c3")


def test_a_first_waypoint_that_is_no_node_is_told_once(tmp_path):
    items = {
        "4": state_item(PATH, HERE),
        "5": state_item(PATH, [None, "r0c1"]),
        "6": state_item(PATH, ["r0c0"]),
    }
    (run,) = open_results(write_json(tmp_path / "states.json", items), GRAPH)
    assert list(map(str, run.problems.kept)) == [
        (
            "states.json, episode 5, field json.predicated_path: the first waypoint is no node of the graph; "
            "choose the graph of this run."
        ),
        (
            "states.json, field json: 1 of 3 episodes have no walk of json (the first is 5); "
            "its means are those of the other 2."
        ),
    ]


def test_nothing_that_can_be_shown_is_one_sentence(tmp_path):
    path = write_json(tmp_path / "states.json", {"5": state_item(PATH, [None])})
    with pytest.raises(InputError) as caught:
        open_results(path, GRAPH)
    assert str(caught.value) == (
        "states.json: holds no path that can be shown (states.json, episode 5, field json.predicated_path: "
        "the first waypoint is no node of the graph; choose the graph of this run); check file and graph."
    )


def test_a_file_without_any_method_holds_nothing_to_show(tmp_path):
    path = write_json(
        tmp_path / "states.json",
        {"5": {"osm_path": list(PATH), "full_instructions": "", "initial_headings": 0}},
    )
    with pytest.raises(InputError) as caught:
        GrokeStates.read(path, lambda _: GRAPH)
    assert (
        str(caught.value) == "states.json: holds no path that can be shown; check file and graph."
    )


def test_an_episode_that_the_episodes_file_lacks_is_told_with_the_run_file(tmp_path):
    path = write_json(tmp_path / "states.json", {"5": state_item(PATH, HERE)})
    (run,) = open_results(path, GRAPH, {"6": episode(PATH, "6")})
    assert list(map(str, run.problems.kept)) == [
        "states.json, episode 5: is not in the episodes file; it is shown with the route of the run."
    ]


def test_a_house_is_no_street_map(tmp_path):
    path = write_json(tmp_path / "states.json", {"5": state_item(PATH, HERE)})
    with pytest.raises(InputError) as caught:
        open_results(path, house({"a": (0, 0, 0), "b": (1, 0, 0)}, "ab"))
    assert str(caught.value) == (
        "states.json: these results walk on a street map, and the graph is a house's; open them with their street graph."
    )


def test_the_episodes_file_counts_and_what_the_state_adds_is_kept():
    problems = Problems()
    own = episode(
        PATH, "5", sub_goals=SUB_GOALS, landmarks=(Landmark(name="Kiosk"),), extra={"a": 1, "b": 1}
    )
    given = episode(PATH, "5", split="test", extra={"b": 2})
    joined = joined_episode(own, {"5": given}, "states.json", problems)
    assert (joined.split, joined.sub_goals, joined.landmarks) == ("test", SUB_GOALS, own.landmarks)
    assert joined.extra == {"a": 1, "b": 2}
    assert problems.count == 0
    assert joined_episode(own, None, "states.json", problems) is own
    assert joined_episode(own, {}, "states.json", problems) is own
    joined_episode(
        own, {"5": given.model_copy(update={"reference_path": ("x",)})}, "states.json", problems
    )
    assert list(map(str, problems.kept)) == [
        "states.json, episode 5: is not in the episodes file; it is shown with the route of the run.",
        "states.json, episode 5, field osm_path: differs from the route of the episodes file; the episodes file counts.",
    ]


def test_episodes_of_a_state_file(tmp_path):
    path = write_json(
        tmp_path / "map2seq" / "states.json", {"5": state_item(PATH, HERE), "6": {"osm_path": 3}}
    )
    opened = open_episodes(path)
    assert (opened.name, opened.format, opened.source) == (
        "map2seq states",
        "episodes of GROKE states",
        path,
    )
    assert list(opened.episodes) == ["5"]
    assert [str(problem) for problem in opened.problems.kept] == [
        "states.json, episode 6, field osm_path: is no list of node ids; it is left out."
    ]
    broken = write_json(tmp_path / "none.json", {"5": {"osm_path": [], "full_instructions": ""}})
    with pytest.raises(InputError) as caught:
        GrokeEpisodes.read(broken)
    assert str(caught.value) == "none.json: not one of its episodes can be read; check the file."


def test_planning_calls_are_joined_by_their_key(tmp_path):
    items = {key: state_item(PATH, HERE) for key in ("5", "6", "7")}
    path = write_json(tmp_path / "s.json", items)
    request = {"contents": [{"parts": [{"text": "Divide this."}], "role": "user"}]}
    lines = ['{"key": 5, "request": %s}', '{"request": %s}', '{"key": "6", "request": %s}']
    write_lines(tmp_path / "s_instructions.jsonl", [line % json.dumps(request) for line in lines])
    (run,) = open_results(path, GRAPH)
    assert [[call.purpose for call in trace.plan_calls] for trace in run.traces.values()] == [
        ["plan"],
        ["plan"],
        [],
    ]
    write_lines(tmp_path / "s_instructions.jsonl", [lines[0] % json.dumps(request), "{", "[1]"])
    (run,) = open_results(path, GRAPH)
    assert (len(run.traces["5"].plan_calls), run.problems.count) == (1, 0)
    write_lines(tmp_path / "s_instructions.jsonl", ['{"key": 5}'])
    (run,) = open_results(path, GRAPH)
    assert run.traces["5"].plan_calls == ()


def _opened(tmp_path, items, **more):
    return open_results(write_json(tmp_path / "states.json", items), GRAPH, **more)


def test_a_waypoint_is_a_step_and_paths_are_joined(tmp_path):
    (run,) = _opened(tmp_path, {"5": state_item(PATH, ["r0c0", "r0c2", "r0c4"])})
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


def test_several_methods_give_a_run_each(tmp_path):
    item = state_item(PATH, ["r0c0", "r0c4"])
    item["grid"] = {**item["json"], "predicated_path": ["r0c0", None]}
    runs = _opened(tmp_path, {"5": item})
    assert [(run.name, run.method) for run in runs] == [
        ("states-json", "json"),
        ("states-grid", "grid"),
    ]
    assert [run.traces["5"].path for run in runs] == [PATH, ("r0c0",)]


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


_NODES = st.none() | st.sampled_from([*(name(r, c) for r in range(7) for c in range(7)), "nowhere"])


@given(st.lists(_NODES, max_size=8))
def test_any_waypoints_give_a_connected_path(tmp_path_factory, waypoints):
    (run,) = _opened(tmp_path_factory.mktemp("g"), {"5": state_item(PATH, ["r0c0", *waypoints])})
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
