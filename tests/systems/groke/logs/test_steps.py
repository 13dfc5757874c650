"""GROKE's step logs."""

import json

import pytest

from navviz.errors import InputError
from navviz.formats import open_results
from tests.grids import episode, grid, state_item, straight, write_json, write_lines

GRAPH = grid()
PATH = straight()


def _context(node, heading, shown, **more):
    nodes = [
        {"id": a, "type": "waypoint", "heading": heading, "connections": [_link(b)]}
        for a, b in zip(shown, [*shown[1:], None], strict=True)
        if b is not None
    ]
    nodes[-1] |= {
        "type": "intersection",
        "branches": [{"direction": "Left", "heading": 0.0, "nodes": ["r1c3", "r2c3"]}],
        "poi_at_location": {"name": "traffic light", "letter": "T"},
    }
    pois = [
        {
            "name": "Kiosk",
            "letter": "K",
            "nearby_node_id": shown[0],
            "direction": "Left",
            "distance_meters": 7.5,
        }
    ]
    fields = {
        "current_position": {"node_id": node, "heading": heading},
        "previous_path": None,
        "poi_legend": {"T": "traffic light", "K": "Kiosk"},
        "current_path_nodes": nodes,
        "pois": pois,
        **more,
    }
    return json.dumps({"navigation_context": fields})


def _link(target):
    return {"target_node_id": target, "heading": 90.0, "direction": "Forward"}


def _line(
    reply,
    node="r0c0",
    plan="1. Walk (IN_PROGRESS, Iteration: 1)\n2. Stop (TODO)",
    *,
    parts=None,
    key="5",
):
    context = _context(node, 90.0, [f"r0c{c}" for c in range(int(node[-1]), 5)])
    text = f"[TASK]\nInstruction: Walk to the end.\n\nMap:\n```json\n{context}\n```\n\nPlanning State:\n{plan}\n\n[END]\n"
    parts = (
        parts
        if parts is not None
        else [{"text": "I see a street.", "thought": True}, {"text": reply}]
    )
    return {
        "key": key,
        "request": {
            "contents": [{"parts": [{"text": text}], "role": "user"}],
            "systemInstruction": {"parts": [{"text": "You walk."}]},
            "generationConfig": {"responseSchema": {"type": "OBJECT"}},
        },
        "response": {
            "candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}],
            "modelVersion": "some-model",
            "createTime": "2026-01-01T00:00:00Z",
            "usageMetadata": {
                "promptTokenCount": 100,
                "thoughtsTokenCount": 20,
                "candidatesTokenCount": 5,
            },
        },
    }


def _reply(place, status="COMPLETED"):
    return json.dumps({"subplan_status": status, "next_place": place})


SECOND = "1. Walk (COMPLETED)\n2. Stop (IN_PROGRESS, Iteration: 1)"


def _write(folder, steps, method="json"):
    folder.mkdir(parents=True, exist_ok=True)
    for k, lines in enumerate(steps, start=1):
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        write_lines(folder / f"step{k}_{method}.jsonl", texts)
    return folder


@pytest.fixture
def logs(tmp_path):
    steps = [
        [_line(_reply("r0c2"))],
        [_line("", "r0c2", SECOND)],
        [_line(_reply("r0c4"), "r0c2", SECOND)],
    ]
    return _write(tmp_path / "logs", steps)


def test_a_line_becomes_a_whole_step(logs):
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    trace = run.traces["5"]
    step = trace.steps[0]
    assert (step.index, step.node, step.heading_deg, step.sub_goal) == (1, "r0c0", 90.0, 0)
    assert [(goal.description, goal.status, goal.iteration) for goal in step.plan] == [
        ("Walk", "IN_PROGRESS", 1),
        ("Stop", "TODO", None),
    ]
    assert step.path == ("r0c0", "r0c1", "r0c2")
    (call,) = step.calls
    assert [message.role for message in call.messages] == ["system", "user"]
    assert (call.thoughts, call.model, call.finish_reason, call.seconds) == (
        "I see a street.",
        "some-model",
        "STOP",
        None,
    )
    assert (call.usage.prompt_tokens, call.usage.thoughts_tokens, call.usage.output_tokens) == (
        100,
        20,
        5,
    )
    assert call.parsed == {"subplan_status": "COMPLETED", "next_place": "r0c2"}
    assert step.decision.model_dump() == {
        "target": "r0c2",
        "sub_goal_status": "COMPLETED",
        "stop": False,
        "action": None,
        "legal": True,
        "reason": None,
    }


def test_an_empty_reply_is_an_illegal_decision_that_stays(logs):
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    step = run.traces["5"].steps[1]
    assert (step.decision.legal, step.decision.reason, step.path) == (
        False,
        "the reply is empty",
        (),
    )
    assert (step.calls[0].reply, step.calls[0].parse_error) == ("", "the reply is empty")
    assert run.traces["5"].path == PATH
    assert run.traces["5"].waypoints == ("r0c0", "r0c2", "r0c4")
    assert run.traces["5"].end.status == "done"


def test_a_node_that_was_not_shown_is_illegal_and_gone_to_as_groke_does(tmp_path):
    logs = _write(tmp_path / "logs", [[_line(_reply("r5c5"))]])
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    decision = run.traces["5"].steps[0].decision
    assert (decision.target, decision.legal, decision.reason) == (
        "r5c5",
        False,
        "the node named is not on the map shown",
    )
    assert (run.traces["5"].waypoints, run.traces["5"].path[-1]) == (("r0c0", "r5c5"), "r5c5")
    gone = _write(tmp_path / "gone", [[_line(_reply("nowhere"))]])
    (run,) = open_results(gone, GRAPH, {"5": episode(PATH, "5")})
    assert (run.traces["5"].waypoints, run.traces["5"].path) == (("r0c0", "nowhere"), ("r0c0",))


@pytest.mark.parametrize("place", ["logs", "."])
def test_a_state_file_beside_is_joined_where_its_waypoints_agree(logs, tmp_path, place):
    write_json(tmp_path / "other.json", {"5": state_item(PATH, ["r0c0", "r0c1"])})
    write_json(tmp_path / place / "states.json", {"5": state_item(PATH, ["r0c0", "r0c2", "r0c4"])})
    (run,) = open_results(logs, GRAPH)
    trace = run.traces["5"]
    assert run.details["joined"] == "states.json"
    assert trace.episode.reference_path == PATH
    assert (trace.landmarks[0].name, trace.landmarks[0].letter) == ("Kiosk", "K")
    assert [goal.status for goal in trace.end.plan] == ["COMPLETED", "COMPLETED"]
    assert run.problems.count == 0


def test_a_call_without_a_reply_says_why(tmp_path):
    error = "the log holds the request only"
    line = {**_line(""), "response": {}}
    (run,) = open_results(_write(tmp_path / "logs", [[line]]), GRAPH, {"5": episode(PATH, "5")})
    step = run.traces["5"].steps[0]
    assert (step.calls[0].error, step.decision.legal, step.decision.reason) == (error, False, error)


@pytest.mark.nightly
@pytest.mark.data
def test_published_logs_agree_with_the_published_states(data_dir):
    from navviz.formats import open_graph

    folder = data_dir / "groke" / "paper_results"
    graph = open_graph(data_dir / "map2seq")
    (run,) = open_results(folder / "ablation_study_json", graph)
    (states,) = open_results(folder / "test_seen_json.json", graph)
    assert run.details["joined"] == "test_seen_json.json"
    assert (len(run), run.problems.count) == (100, 0)
    assert {key: trace.path for key, trace in run.traces.items()} == {
        key: states.traces[key].path for key in run.traces
    }
    steps = [step for trace in run.traces.values() for step in trace.steps]
    assert len(steps) == sum(len(step.calls) for step in steps) == 576
    assert sum(not step.decision.legal for step in steps) == 32
    assert sum(step.calls[0].thoughts is not None for step in steps) == 484
    assert all(step.plan and step.sub_goal is not None for step in steps)
    blind = [step for step in steps if not step.observation.candidates]
    assert len(blind) == 10
    assert all(step.observation.visible_nodes == (step.node,) for step in blind)
    assert all(step.calls[0].usage.prompt_tokens for step in steps)
    assert sum(step.calls[0].usage.output_tokens == 0 for step in steps) == 32, (
        "replies without text, told by the total"
    )
    assert all(step.calls[0].tokens for step in steps)
    assert sum(len(step.observation.pois) for step in steps) == 418 + 86


def test_prompts_stay_in_the_file_until_an_episode_is_opened(logs):
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    outline, whole = run.outlines["5"], run.traces["5"]
    assert [(call.messages, call.thoughts, call.reply) for call in outline.calls] == [
        ((), None, None)
    ] * 3
    assert all(step.observation is None for step in outline.steps)
    assert (
        [call.tokens for call in outline.calls]
        == [call.tokens for call in whole.calls]
        == [125] * 3
    )
    assert all(call.messages for call in whole.calls)
    texts = {"observation": None, "calls": outline.steps[0].calls}
    assert whole.steps[0].model_copy(update=texts) == outline.steps[0]
    assert (outline.path, outline.end, outline.waypoints) == (
        whole.path,
        whole.end,
        whole.waypoints,
    )


def test_a_byte_order_mark_and_other_line_ends_are_no_hindrance(logs):
    path = logs / "step1_json.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    assert run.problems.count == 0
    assert run.traces["5"].steps[0].calls[0].thoughts == "I see a street."


@pytest.mark.parametrize("change", ["cut", "other", "gone"])
def test_a_log_that_changed_while_it_was_open_is_one_sentence(logs, change):
    (run,) = open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    path = logs / "step2_json.jsonl"
    if change == "gone":
        path.unlink()
    else:
        size = path.stat().st_size
        path.write_text("{}\n" if change == "cut" else "[1]".ljust(size - 1) + "\n")
    what = (
        "cannot be opened" if change == "gone" else "was changed while it was open; open it again"
    )
    with pytest.raises(InputError, match=f"step2_json.jsonl: {what}"):
        _ = run.traces["5"]
    assert run.outlines["5"].path == PATH


def test_reading_tells_how_far_it_is_and_can_be_stopped(logs):
    from navviz.errors import ReadingStoppedError
    from navviz.support.guarded import ReadProgress, reporting_to

    messages = []
    reading = ReadProgress(report=lambda now: messages.append((now.done_bytes, now.total_bytes)))
    with reporting_to(reading):
        open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    sizes = sum(path.stat().st_size for path in logs.iterdir())
    assert messages[-1] == (sizes, sizes)
    assert reading.part == 1.0
    assert [done for done, _ in messages] == sorted(done for done, _ in messages)
    stopped = ReadProgress(report=lambda now: now.stop())
    with reporting_to(stopped), pytest.raises(ReadingStoppedError, match="was stopped"):
        open_results(logs, GRAPH, {"5": episode(PATH, "5")})
    assert stopped.done_bytes == (logs / "step1_json.jsonl").stat().st_size
