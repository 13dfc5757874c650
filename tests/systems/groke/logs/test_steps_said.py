"""What step logs of GROKE say of themselves: which file is whose, which state belongs to them, how
a walk ended.
"""

import json

import pytest

from navviz.errors import InputError
from navviz.formats import open_results
from navviz.systems.groke.logs.steps import GrokeSteps
from tests.grids import episode, grid, house, state_item, straight, write_json, write_lines
from tests.systems.groke.logs.test_steps import SECOND, _line, _reply, _write

GRAPH = grid()
PATH = straight()
THROUGH = "1. Walk (COMPLETED)\n2. Stop (IN_PROGRESS, Iteration: 2)"


def _said(run):
    return list(map(str, run.problems.kept))


def _one(tmp_path, *lines, **more):
    (run,) = open_results(_write(tmp_path / "logs", [[line] for line in lines]), GRAPH, **more)
    return run


def test_a_run_names_its_folder_its_model_and_what_was_joined(tmp_path):
    logs = _write(
        tmp_path / "logs", [[_line(_reply("r0c2"))], [_line(_reply("r0c4"), "r0c2", SECOND)]]
    )
    (run,) = open_results(logs, GRAPH)
    assert (run.name, run.navigator, run.method, run.source) == ("logs", "groke", "json", logs)
    assert run.details == {"joined": None, "model": "some-model"}
    header = run.traces["5"].header
    assert (
        header.run,
        header.navigator,
        header.settings,
        header.model,
        header.created,
        header.source,
    ) == ("logs", "groke", {"method": "json"}, "some-model", "2026-01-01T00:00:00Z", "logs")
    own_episode = header.episode
    assert (
        own_episode.id,
        own_episode.dataset,
        own_episode.instruction,
        own_episode.start,
        own_episode.start_heading_deg,
        own_episode.reference_path,
    ) == ("5", "map2seq", "Walk to the end.", "r0c0", 90.0, ())
    plain = [(goal.description, goal.status, goal.iteration) for goal in own_episode.sub_goals]
    assert plain == [("Walk", "TODO", None), ("Stop", "TODO", None)]
    assert run.traces["5"].sub_goals == own_episode.sub_goals
    assert _said(run) == [
        "logs, episode 5: has no state file or episodes file that knows it; it is shown without a reference path."
    ]


def test_which_files_are_step_logs(tmp_path):
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c2"))]])
    assert GrokeSteps.handles(logs)
    assert GrokeSteps.handles(logs / "step1_json.jsonl")
    assert GrokeSteps.starts(logs) == {"": "r0c0"}
    other = write_lines(logs / "notes.jsonl", [json.dumps(_line(_reply("r0c2")))])
    assert not GrokeSteps.handles(other)
    assert not GrokeSteps.handles(tmp_path)
    assert not GrokeSteps.handles(tmp_path / "nowhere" / "step1_json.jsonl")
    for first in ({"key": 5}, {"request": {}}, [1]):
        assert not GrokeSteps.handles(_write(tmp_path / "bad", [[first]]))
    assert GrokeSteps.starts(_write(tmp_path / "bad", [[{"key": 5}]])) == {}
    blind = _line(_reply("r0c2"))
    blind["request"]["contents"][0]["parts"] = [{"text": "Where to?"}]
    assert GrokeSteps.starts(_write(tmp_path / "blind", [[blind]])) == {}


def test_the_tenth_step_comes_after_the_ninth(tmp_path):
    line = _line(_reply("r0c1"))
    logs = _write(tmp_path / "logs", [[line]] * 10)
    (run,) = open_results(logs, GRAPH)
    assert [step.index for step in run.traces["5"].steps] == list(range(1, 11))


def test_one_file_of_a_method_opens_that_method_alone(tmp_path):
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c1"))]] * 2)
    _write(logs, [[_line(_reply("r0c1"))]], "textual")
    (run,) = open_results(logs / "step1_textual.jsonl", GRAPH)
    assert (run.name, run.method) == ("logs", "textual")
    (run,) = open_results(logs / "step2_json.jsonl", GRAPH)
    assert (run.method, len(run.traces["5"].steps)) == ("json", 2)
    _write(logs, [[{"key": "5", "request": 3}]], "broken")
    assert [run.name for run in open_results(logs, GRAPH)] == ["logs-json", "logs-textual"]


@pytest.mark.parametrize(
    ("names", "methods"),
    [
        ({"json": (1, 2), "none": (3,)}, {"json"}),
        ({"json": (1, 2), "none": (4,)}, {"json", "none"}),
        ({"json": (1, 2, 3), "none": (3,)}, {"json", "none"}),
        ({"json": (1, 2), "none": (3, 4)}, {"json"}),
        ({"json": (1, 2), "grid": (1,), "none": (2, 3)}, {"json", "grid"}),
        ({"json": (1, 2), "grid": (1, 2), "none": (3,)}, {"json", "grid", "none"}),
        ({"json": (2, 3), "none": (4,)}, {"json", "none"}),
    ],
)
def test_a_stray_name_joins_the_one_run_that_lacks_it(tmp_path, names, methods):
    (tmp_path / "logs").mkdir()
    for name, steps in names.items():
        for step in steps:
            write_lines(
                tmp_path / "logs" / f"step{step}_{name}.jsonl", [json.dumps(_line(_reply("r0c1")))]
            )
    assert {run.method for run in open_results(tmp_path / "logs", GRAPH)} == methods


def test_the_state_file_that_agrees_with_most_episodes_is_joined(tmp_path):
    lines = [_line(_reply("r0c2"), key=key) for key in ("5", "6", "7", "8")]
    logs = _write(tmp_path / "logs", [lines])
    good, other = state_item(PATH, ["r0c0", "r0c2"]), state_item(PATH, ["r0c0", "r0c3"])
    write_json(tmp_path / "a.json", {"5": good, "6": other, "7": other, "8": other})
    (run,) = open_results(logs, GRAPH)
    assert run.details["joined"] is None
    assert [trace.episode.reference_path for trace in run.traces.values()] == [PATH] * 4
    assert {trace.waypoints for trace in run.traces.values()} == {("r0c0", "r0c2")}
    write_json(tmp_path / "b.json", {"5": good, "6": good, "7": other, "9": good})
    (run,) = open_results(logs, GRAPH)
    assert run.details["joined"] == "b.json"
    assert [trace.episode.reference_path for trace in run.traces.values()] == [PATH] * 4
    write_json(tmp_path / "c.json", {"5": good, "6": good, "7": good})
    write_json(
        tmp_path / "d.json",
        {key: state_item(PATH, ["r0c0", "r0c2"], "grid") for key in ("5", "6", "7", "8")},
    )
    (run,) = open_results(logs, GRAPH)
    assert run.details["joined"] == "c.json"


def test_an_episodes_file_gives_the_route_where_no_state_does(tmp_path):
    known = {"5": episode(PATH, "5", split="test")}
    run = _one(tmp_path, _line(_reply("r0c2")), episodes=known)
    assert (run.traces["5"].episode, _said(run)) == (known["5"], [])
    assert [goal.description for goal in run.traces["5"].sub_goals] == ["Walk", "Stop"]
    write_json(tmp_path / "s.json", {"5": state_item(PATH, ["r0c0", "r0c2"])})
    (run,) = open_results(tmp_path / "logs", GRAPH, known)
    assert (run.traces["5"].episode.split, run.traces["5"].episode.landmarks[0].name) == (
        "test",
        "Kiosk",
    )


@pytest.mark.parametrize(
    ("plan", "status", "end"),
    [
        (THROUGH, "COMPLETED", "done"),
        (THROUGH, "IN_PROGRESS", "unknown"),
        ("1. Walk (IN_PROGRESS, Iteration: 1)\n2. Stop (TODO)", "COMPLETED", "unknown"),
        ("", "COMPLETED", "unknown"),
    ],
)
def test_without_a_state_the_last_reply_tells_how_it_ended(tmp_path, plan, status, end):
    run = _one(tmp_path, _line(_reply("r0c2", status), plan=plan))
    result = run.traces["5"].end
    reason = None if end == "done" else "the log stops while the agent was under way"
    assert (result.status, result.node, result.reason) == (end, "r0c2", reason)


def test_a_step_ends_where_the_next_one_begins(tmp_path):
    run = _one(tmp_path, _line(_reply("r0c3")), _line(_reply("r0c4"), "r0c1", SECOND))
    assert [step.path for step in run.traces["5"].steps] == [
        ("r0c0", "r0c1"),
        ("r0c1", "r0c2", "r0c3", "r0c4"),
    ]
    assert [step.decision.target for step in run.traces["5"].steps] == ["r0c3", "r0c4"]
    stay = _one(tmp_path / "2", _line(_reply("r0c0")))
    assert [(step.path, step.decision.legal) for step in stay.traces["5"].steps] == [((), True)]


def test_nodes_of_another_graph_are_told(tmp_path):
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c4"))]])
    (run,) = open_results(logs, grid(3), {"5": episode(("r0c0",), "5")})
    assert _said(run) == [
        "logs, episode 5: step 1 names a node that is not in the graph; choose the graph of this run."
    ]
    assert run.traces["5"].path == ("r0c0",)
    cut = GRAPH.subgraph(["r0c0", "r0c4"])
    (run,) = open_results(logs, cut, {"5": episode(("r0c0",), "5")})
    assert _said(run) == [
        "logs, episode 5: no links lead to where step 1 ends; choose the graph of this run."
    ]
    with pytest.raises(
        InputError, match=r"logs: these results walk on a street map, and the graph is a house's"
    ):
        open_results(logs, house({"a": (0, 0, 0), "b": (1, 0, 0)}, "ab"))


def test_lines_that_are_no_step_are_told(tmp_path):
    first = [
        _line(_reply("r0c1")),
        {"key": "6", "request": 3},
        {"request": {}},
        _line(_reply("r0c1")),
        [1],
    ]
    logs = _write(tmp_path / "logs", [first, [], [_line(_reply("r0c2"), "r0c1")]])
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    assert _said(run) == [
        "step1_json.jsonl:2: has no key or no request; it is left out.",
        "step1_json.jsonl:3: has no key or no request; it is left out.",
        (
            "step1_json.jsonl:4, episode 5: has this step again; the last one with a reply is used, as in GROKE's scripts; "
            "the others are shown beside it."
        ),
        "step1_json.jsonl:5: has no key or no request; it is left out.",
        "step3_json.jsonl:1, episode 5: a step before this one is missing; the others are shown.",
    ]
    assert [step.index for step in run.traces["5"].steps] == [1, 3]


def test_a_log_without_its_time_or_instruction_is_read_all_the_same(tmp_path):
    line = _line(_reply("r0c1"))
    line["response"] |= {"createTime": 5, "modelVersion": None}
    line["request"]["contents"][0]["parts"] = [{"text": "Where to?"}]
    run = _one(tmp_path, line)
    header = run.traces["5"].header
    assert (header.created, header.model, run.details["model"]) == ("", None, None)
    assert (header.episode.instruction, header.episode.start) == ("", "")
    later = _line(_reply("r0c2"), "r0c1", SECOND)
    run = _one(tmp_path / "2", {**line, "response": {}}, later)
    assert run.traces["5"].header.model == "some-model"


@pytest.mark.parametrize(("reply", "target", "status", "reason"), [
    ({"next_place": "r0c1", "subplan_status": "IN_PROGRESS"}, "r0c1", "IN_PROGRESS", None),
    ({"next_place": "r0c1", "subplan_status": "FINE"}, "r0c1", None, None),
    ({"next_place": "r0c0"}, "r0c0", None, None),
    ({"next_place": "r2c3"}, "r2c3", None, None),
    ({"next_place": "r6c6"}, "r6c6", None, "the node named is not on the map shown"),
    ({"next_place": ""}, None, None, "next_place names no node"),
    ({"next_place": 5, "subplan_status": "COMPLETED"}, None, "COMPLETED", "next_place names no node"),
    ({}, None, None, "next_place names no node"),
])  # fmt: skip
def test_a_reply_is_judged_by_the_map_that_it_was_shown(tmp_path, reply, target, status, reason):
    decision = _one(tmp_path, _line(json.dumps(reply))).traces["5"].steps[0].decision
    assert (decision.target, decision.sub_goal_status, decision.reason) == (target, status, reason)
    assert decision.legal == (reason is None)


def test_without_a_map_every_node_may_be_named(tmp_path):
    line = _line(_reply("r6c6"))
    line["request"]["contents"][0]["parts"] = [{"text": "Where to?"}]
    assert _one(tmp_path, line).traces["5"].steps[0].decision.legal


def test_landmarks_have_the_letters_of_the_prompts(tmp_path):
    marks = [{"name": "KIOSK"}, {"name": "Bank"}]
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c2"))]])
    write_json(tmp_path / "s.json", {"5": state_item(PATH, ["r0c0", "r0c2"], landmarks=marks)})
    (run,) = open_results(logs, GRAPH)
    assert [(mark.name, mark.letter) for mark in run.traces["5"].landmarks] == [
        ("KIOSK", "K"),
        ("Bank", None),
    ]


def test_the_outline_keeps_counts_and_faults_of_calls(tmp_path):
    run = _one(
        tmp_path, _line("nonsense"), {**_line("", "r0c0", SECOND), "response": {"error": "quota"}}
    )
    first, second = (step.calls[0] for step in run.outlines["5"].steps)
    assert (first.model, first.finish_reason, first.error, first.usage.prompt_tokens) == (
        "some-model",
        "STOP",
        None,
        100,
    )
    assert first.parse_error.startswith("the reply is no JSON (")
    assert (second.error, second.model, second.usage) == ("quota", None, None)
    plans = [step.plan for step in run.outlines["5"].steps]
    assert [[goal.status for goal in plan] for plan in plans] == [
        ["IN_PROGRESS", "TODO"],
        ["COMPLETED", "IN_PROGRESS"],
    ]


def test_a_folder_without_one_step_is_one_sentence(tmp_path):
    logs = _write(tmp_path / "logs", [[{"key": "5", "request": 3}]])
    with pytest.raises(InputError) as caught:
        open_results(logs, GRAPH)
    assert (
        str(caught.value) == f"{logs}: holds no model call that can be read; check the step logs."
    )


def test_calls_share_system_prompt_and_schema_where_they_are_the_same(tmp_path):
    lines = [_line(_reply("r0c1"), key=key) for key in "5678"]
    lines[2]["request"]["systemInstruction"] = {"parts": [{"text": "You run."}]}
    lines[2]["request"]["generationConfig"]["responseSchema"] = {"type": "ARRAY"}
    del lines[3]["request"]["generationConfig"]
    (run,) = open_results(_write(tmp_path / "logs", [lines]), GRAPH)
    one, other, third, fourth = (trace.calls[0] for trace in run.traces.values())
    assert one.messages[0] is other.messages[0]
    assert one.response_schema is other.response_schema
    assert [call.messages[0].text for call in (one, third)] == ["You walk.", "You run."]
    schemas = [call.response_schema for call in (one, third, fourth)]
    assert schemas == [{"type": "OBJECT"}, {"type": "ARRAY"}, None]


def test_of_state_files_that_agree_alike_the_first_is_joined_and_less_than_half_is_too_little(
    tmp_path,
):
    keys = "56789"
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c2"), key=key) for key in keys]])
    good = state_item(PATH, ["r0c0", "r0c2"])
    write_json(tmp_path / "b.json", dict.fromkeys(keys[:2], good))
    assert open_results(logs, GRAPH)[0].details["joined"] is None
    for name in ("c", "b"):
        broken = {"x": {**good, "osm_path": 3}, "y": {**good, "json": {"predicated_path": []}}}
        write_json(tmp_path / f"{name}.json", {**dict.fromkeys(keys[:3], good), **broken})
    assert open_results(logs, GRAPH)[0].details["joined"] == "b.json"


def test_a_joined_walk_ends_where_its_steps_do(tmp_path):
    blind = _line(_reply("r0c2"))
    blind["request"]["contents"][0]["parts"] = [{"text": "Where to?"}]
    logs = _write(tmp_path / "logs", [[_line(_reply("r0c2")), {**blind, "key": "6"}]])
    states = {"5": state_item(PATH, ["r0c0", "r0c2"]), "6": state_item(PATH, [None, "r0c2"])}
    write_json(tmp_path / "s.json", states)
    (run,) = open_results(logs, GRAPH, {"5": episode(straight(0, 0, 3), "5")})
    assert [(trace.end.node, trace.path) for trace in run.traces.values()] == [
        ("r0c2", straight(0, 0, 2)),
        ("", ("r0c0",)),
    ]
    assert _said(run) == [
        "logs, episode 5, field osm_path: differs from the route of the episodes file; the episodes file counts.",
        "logs, episode 6: is not in the episodes file; it is shown with the route of the run.",
    ]


def test_what_two_steps_have_in_common_is_kept_once_and_letters_add_up(tmp_path):
    plans = (
        "1. Walk (TODO)\n2. Stop (TODO)",
        "1. Walk (TODO)\n2. Stop (TODO)",
        "1. Walk (TODO)\n2. Stop (COMPLETED)",
    )
    lines = [_line(_reply("r0c0"), plan=plan) for plan in plans]
    part = lines[1]["request"]["contents"][0]["parts"][0]
    part["text"] = part["text"].replace("Kiosk", "Bank").replace('"K"', '"B"')
    logs = _write(tmp_path / "logs", [[line] for line in lines])
    marks = [{"name": "Kiosk"}, {"name": "Bank"}]
    write_json(tmp_path / "s.json", {"5": state_item(PATH, ["r0c0"] * 4, landmarks=marks)})
    (run,) = open_results(logs, GRAPH)
    first, second, third = (step.plan for step in run.outlines["5"].steps)
    assert all(one is other for one, other in zip(first, second, strict=True))
    assert third[0] is first[0]
    assert (third[1].description, third[1].status) == ("Stop", "COMPLETED")
    assert [(mark.name, mark.letter) for mark in run.traces["5"].landmarks] == [
        ("Kiosk", "K"),
        ("Bank", "B"),
    ]


def test_a_prompt_may_come_in_several_messages(tmp_path):
    line = _line(_reply("r0c1"))
    (part,) = line["request"]["contents"][0]["parts"]
    before, after = part["text"].split("Planning State:")
    texts = (before.rstrip(), "Planning State:" + after)
    line["request"]["contents"] = [{"role": "user", "parts": [{"text": text}]} for text in texts]
    (step,) = _one(tmp_path, line).traces["5"].steps
    assert (step.node, [goal.description for goal in step.plan]) == ("r0c0", ["Walk", "Stop"])
    assert [message.role for message in step.calls[0].messages] == ["system", "user", "user"]
