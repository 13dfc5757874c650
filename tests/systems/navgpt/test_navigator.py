"""NavGPT, live, with scripted models."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from navviz.errors import InputError, SettingsError
from navviz.formats import open_episodes
from navviz.llm.base import Request
from navviz.llm.scripted import Reply, Scripted
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.navgpt.extras import align, read_places
from navviz.systems.navgpt.navigator import NavGpt, NavGptSettings
from navviz.systems.navgpt.prompts.text import is_hidden, published_ways
from navviz.world.graph import Graph
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


@pytest.fixture
def episode():
    return open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]


def go(node: str, thought: str = "On we go.") -> str:
    return f'Thought: {thought}\nAction: action_maker\nAction Input: "{node}"'


DONE = "Thought: Here.\nFinal Answer: Finished!"


def walk(
    episode: Episode,
    graph: Graph,
    replies: list[str | Reply] | Callable[[Request], str | Reply],
    past: Trace | None = None,
    **settings: object,
) -> Trace:
    navigator = NavGpt()
    events = navigator.navigate(episode, graph, Scripted(replies), NavGptSettings(**settings), past)
    return fold([TraceHeader(episode=episode, navigator=navigator.name), *events])


def prompt(trace: Trace, step: int) -> str:
    return "\n".join(message.text for message in trace.steps[step].calls[-1].messages)


def test_an_id_that_is_not_there_is_refused_and_told(episode, house):
    path = episode.reference_path
    trace = walk(episode, house, [go("f" * 32), go(path[3], "too far"), go(path[1]), DONE])
    assert [step.decision.legal for step in trace.steps] == [False, False, True, True]
    assert trace.path == path[:2]
    assert f"ViewpointID '{'f' * 32}' is not valid" in trace.steps[0].decision.reason
    assert path[1] in trace.steps[0].decision.reason, "it is told where it can go"
    assert f"ViewpointID '{'f' * 32}' is not valid" in prompt(trace, 1)


def test_the_first_observation_has_the_form_of_its_code(episode, house):
    path = episode.reference_path
    trace = walk(episode, house, [go(path[1]), DONE], as_published=True)
    seen = [step.observation.text for step in trace.steps]
    assert f"Initial Observation: \n\tCurrent Viewpoint:\n{seen[0]}" in prompt(trace, 0)
    assert f'Observation: \nCurrent Viewpoint "{path[1]}":\n{seen[1]}' in prompt(trace, 1)


@pytest.mark.parametrize("as_published", [False, True])
def test_a_refused_id_is_told_in_the_form_of_its_code(episode, house, as_published):
    path, wrong = episode.reference_path, "f" * 32
    replies = [go(wrong), go(path[1], "second thought"), DONE]
    trace = walk(episode, house, replies, as_published=as_published)
    result = prompt(trace, 1)
    offered = (
        [way.node for way in published_ways(house, path[0])]
        if as_published
        else house.neighbours(path[0])
    )
    assert f"Observation: \nViewpointID '{wrong}' is not valid" in result
    assert f"{offered}.\n\tCurrent Viewpoint:\n{trace.steps[1].observation.text}" in result, (
        "a list, then where it is"
    )
    later = prompt(trace, 2)
    assert f'Observation: ViewpointID "{wrong}" is not valid, ' in later, (
        "of an older turn one line stays"
    )
    assert str(offered) not in later
    forked = walk(episode, house, [DONE], past=trace.model_copy(update={"steps": trace.steps[:2], "end": None}),
                  as_published=as_published)  # fmt: skip
    assert prompt(forked, 0) == later


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("I just think.", "write 'Action:' and 'Action Input:'"),
        (go("x") + "\nFinal Answer: Finished!", "an action and a final answer at once"),
        ("Thought: T.\nAction: fly\nAction Input: x", "fly is not a tool"),
        ("", "write 'Action:' and 'Action Input:'"),
    ],
)
def test_a_reply_in_the_wrong_form_is_refused_and_told(episode, house, reply, says):
    trace = walk(episode, house, [reply, DONE])
    assert not trace.steps[0].decision.legal
    assert says in trace.steps[0].decision.reason
    assert says in prompt(trace, 1)
    assert trace.end.status == "done"


def test_an_observation_that_the_model_makes_up_is_cut_off(episode, house):
    path = episode.reference_path
    trace = walk(episode, house, [go(path[1]) + "\nObservation: a treasure\n" + DONE, DONE])
    assert trace.path == path[:2]
    assert "treasure" not in prompt(trace, 1)


def test_it_ends_at_the_step_limit(episode, house):
    trace = walk(episode, house, lambda _: "Hm.", step_limit=4)
    assert len(trace.steps) == 4
    assert trace.end.status == "limit"
    assert trace.end.reason == "no final answer after 4 turns"


def test_a_failed_call_ends_the_walk(episode, house):
    trace = walk(episode, house, [Reply(error="the server is gone")])
    assert trace.end.status == "error"
    assert "the server is gone" in trace.end.reason


def test_the_history_is_cut_from_its_old_end(episode, house):
    trace = walk(
        episode, house, [*("Hm " + "x" * 400 for _ in range(8)), DONE], history_characters=3000
    )
    text = trace.steps[-1].calls[-1].messages[-1].text
    assert len(text) < 7000
    assert (
        text.rstrip().endswith("Front Left Navigable Viewpoints: None")
        or "Front Left Navigable" in text[-200:]
    )


def test_the_model_can_summarise(episode, house):
    path = episode.reference_path

    def reply(request: Request) -> str:
        if request.purpose == "summarise":
            return "spot of my own."
        return (
            DONE
            if request.messages[-1].text.count("Action Input") >= 2
            else go(path[1 + ("Action Input" in request.messages[-1].text)])
        )

    trace = walk(episode, house, reply, summariser="model")
    assert [call.purpose for call in trace.steps[0].calls] == ["summarise", "decide"]
    assert trace.path == path[:3]
    assert prompt(trace, 2).count("Scene from the viewpoint is a spot of my own.") == 2
    assert not any(text in prompt(trace, 2) for text in house.info.observations.summaries.values())


def test_without_files_it_reads_the_geometry_and_says_so(episode, house):
    bare = house.subgraph(house.ids)
    bare.info = replace(house.info, observations=None)
    trace = walk(episode, bare, [DONE])
    assert "the agent reads its geometry alone" in trace.plan_panels[0].data["text"]
    assert trace.steps[0].observation.format == "panorama-geometry"
    assert "No description" in prompt(trace, 0)


def test_a_fork_goes_on_with_the_same_history(episode, house):
    path = episode.reference_path
    whole = walk(
        episode, house, [go(path[1], "one"), go("f" * 32), go(path[2], "two"), go(path[3]), DONE]
    )
    past = whole.model_copy(update={"steps": whole.steps[:3], "end": None})
    changed = episode.model_copy(update={"instruction": "Go elsewhere."})
    rest = walk(changed, house, [go(path[3]), DONE], past)
    assert [step.index for step in rest.steps] == [4, 5]
    assert rest.steps[0].node == path[2]
    assert prompt(rest, 0) == prompt(whole, 3).replace(episode.instruction, "Go elsewhere.")


def test_the_instruction_of_a_walked_path_never_shows_coordinates(episode, house):
    path = episode.reference_path
    replies = [go(path[1]), go(path[2]), DONE, "Enter and turn left."]
    trace = walk(episode, house, replies, write_instruction=True)
    call = trace.steps[-1].calls[-1]
    assert call.purpose == "write-instruction"
    assert call.messages[-1].text.count("Place ") == 3
    assert not any(node in call.messages[-1].text for node in path)
    panel = trace.steps[-1].panels[-1]
    assert (panel.title, panel.data["text"]) == (
        "Instruction for this walk",
        "Enter and turn left.",
    )


def test_a_map_drawn_from_text_is_compared_with_the_true_one(episode, house):
    path = episode.reference_path[:4]
    true = [house.position(node)[:2] for node in path]
    turned = [{"place": k, "x": -y + 5, "y": x - 2} for k, (x, y) in enumerate(true, start=1)]
    replies = [*(go(node) for node in path[1:]), DONE, json.dumps({"places": turned})]
    trace = walk(episode, house, replies, draw_map=True)
    panel = trace.steps[-1].panels[-1]
    assert panel.kind == "graph"
    assert panel.data["error_m"] == pytest.approx(0, abs=1e-9), (
        "turned and shifted, but the same map"
    )
    assert "0.00 m off" in panel.title
    bad = walk(episode, house, [*(go(node) for node in path[1:]), DONE, "{}"], draw_map=True)
    assert "no map that can be read" in bad.steps[-1].panels[-1].data["text"]


def test_a_mirrored_map_is_not_the_same_map():
    true = np.array([[0, 0], [0, 2], [3, 2], [3, 5]], dtype=float)
    moved, error_m = align(true * [-1, 1], true)
    assert error_m > 0.5
    assert moved.shape == (4, 2)


def test_positions_that_are_none_are_left_out():
    places = [
        {"place": 1, "x": 0, "y": 1},
        {"place": 2, "x": "far"},
        {"y": 2},
        7,
        {"place": 3, "x": float("nan"), "y": 0},
    ]
    assert read_places({"places": places}) == {1: (0.0, 1.0)}
    assert read_places(None) == {}


def test_what_it_needs_is_said(episode, house):
    with pytest.raises(SettingsError, match="needs a language model"):
        list(NavGpt().navigate(episode, house, None, NavGptSettings()))
    with pytest.raises(InputError, match="holds no observations of scan"):
        walk(episode, house, [DONE], observations="/nowhere")
    with pytest.raises(InputError, match="is not in scan"):
        walk(episode.model_copy(update={"start": "q"}), house, [DONE])


def back(node: str) -> str:
    return f'Thought: Lost.\nAction: back_tracer\nAction Input: "{node}"'


def test_the_planner_breaks_the_instruction_into_steps(episode, house):
    path = episode.reference_path
    trace = walk(
        episode, house, ["1. Enter.\n2) Stop at the stove.", go(path[1]), DONE], planner=True
    )
    assert [goal.description for goal in trace.sub_goals] == ["Enter.", "Stop at the stove."]
    assert [call.purpose for call in trace.plan_calls] == ["plan"]
    assert "Action plan: 1. Enter.\n2. Stop at the stove." in prompt(trace, 0)
    assert episode.instruction not in prompt(trace, 0)
    past = trace.model_copy(update={"steps": trace.steps[:1], "end": None})
    rest = walk(episode, house, [DONE], past, planner=True)
    assert prompt(rest, 0) == prompt(trace, 1)


def test_the_back_tracer_goes_to_any_viewpoint_visited_before(episode, house):
    path = episode.reference_path
    replies = [go(path[1]), go(path[2]), back(path[0]), back("f" * 32), DONE]
    trace = walk(episode, house, replies, back_tracer=True)
    assert trace.steps[2].path == (path[2], path[1], path[0])
    assert trace.steps[2].decision.legal
    assert not trace.steps[3].decision.legal
    assert path[2] in trace.steps[3].decision.reason
    assert "went back to a viewpoint visited before" in prompt(trace, 4)
    refused = walk(episode, house, [go(path[1]), back(path[0]), DONE])
    assert "the only tool is action_maker" in refused.steps[1].decision.reason
    past = trace.model_copy(update={"steps": trace.steps[:3], "end": None})
    rest = walk(episode, house, [back("f" * 32), DONE], past, back_tracer=True)
    assert prompt(rest, 1) == prompt(trace, 4)


def test_the_history_chain_writes_the_account_anew(episode, house):
    path = episode.reference_path
    requests: list[Request] = []

    def reply(request: Request) -> str:
        requests.append(request)
        if request.purpose == "history":
            return f"Account {sum(r.purpose == 'history' for r in requests)}."
        moves = sum(r.purpose == "decide" for r in requests)
        return DONE if moves > 2 else go(path[moves])

    trace = walk(episode, house, reply, history="chain")
    assert [call.purpose for call in trace.steps[1].calls] == ["history", "decide"]
    chained = [request.messages[-1].text for request in requests if request.purpose == "history"]
    assert "Navigation start" in chained[0]
    assert "So far:\nAccount 1." in chained[1]
    assert "Account 1." in prompt(trace, 2)
    past = trace.model_copy(update={"steps": trace.steps[:2], "end": None})
    rest = walk(episode, house, reply, past, history="chain")
    assert rest.steps[0].index == 3


def test_objects_are_told_as_the_setting_says(episode, house):
    texts = {
        kind: prompt(walk(episode, house, [DONE], objects=kind), 0)
        for kind in ("none", "names", "distances")
    }
    assert "Objects in 3m" not in texts["none"].replace("the objects within 3 metres", "")
    assert "Objects in 3m: [" in texts["names"]
    assert "Objects in 3m: {" in texts["distances"]
    assert not walk(episode, house, [DONE], objects="none").steps[0].observation.pois


def test_iterations_and_temperature_are_those_of_its_code(episode, house):
    requests: list[Request] = []

    def reply(request: Request) -> str:
        requests.append(request)
        return "Hm."

    trace = walk(episode, house, reply)
    assert len(trace.steps) == 10
    assert {request.temperature for request in requests} == {0.0}


def test_as_published_turns_are_not_wrapped_and_hidden_ways_are_named(episode, house):
    path = episode.reference_path
    facing = episode.model_copy(update={"start_heading_deg": 359.0})
    trace = walk(facing, house, [go(path[1]), go(path[2]), DONE], as_published=True)
    after = published_ways(house, path[0], house.info.observations)
    heading = next(way.heading_deg for way in after if way.node == path[1])
    assert f"Turn heading direction {heading - 359.0:.2f} degrees" in prompt(trace, 2)
    assert trace.steps[0].observation.text.count("): \n'") == 8
    hidden = {
        way.node for node in path[:3] for way in published_ways(house, node, None) if is_hidden(way)
    }
    shown = {way.node for step in trace.steps for way in step.observation.candidates}
    assert not hidden & shown
