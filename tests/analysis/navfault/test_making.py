"""Each log has its one fault and no other, the fault's link ruins the walk, and the set is one."""

from __future__ import annotations

import json
from itertools import takewhile

import pytest

from navviz.analysis.navfault.faults import FAULTS
from navviz.analysis.navfault.making import make_logs, traces_of, write_logs
from navviz.analysis.navfault.voices import voices_in
from navviz.errors import SettingsError
from navviz.formats import open_episodes, open_graph
from navviz.records import EndEvent, MoveEvent, Step
from navviz.systems.registry import get_navigator
from tests.paths import ROOT, SAMPLES

HARBOUR = SAMPLES / "harbour"
HASH = "27ef6fe3180df4a3ade341c29632b6f56d104ecc2d9726f377ca17e231a8aae6"
"""Of 24 logs of the sample, on each machine; it changes with the voices."""


@pytest.fixture(scope="module")
def graph():
    return open_graph(HARBOUR)


@pytest.fixture(scope="module")
def episodes():
    return list(open_episodes(HARBOUR / "splits" / "sample.json").episodes.values())


@pytest.fixture(scope="module")
def logs(graph, episodes):
    return make_logs(episodes, lambda _: graph, voices_in(kept=False), 24)


@pytest.fixture(scope="module")
def told(logs):
    """Return each trace with what is true of it, by name."""
    return {truth["episode"]: (trace, truth) for trace, truth in traces_of(logs)}


@pytest.fixture(params=FAULTS)
def pair(request, told):
    """Return a log of each kind, what is true of it, and its faultless twin."""
    for trace, truth in told.values():
        if truth["kind"] == request.param:
            return trace, truth, told[truth["twin"]][0]
    pytest.fail(f"no log of {request.param}")


def _thoughts(step: Step) -> str:
    return step.calls[0].thoughts or ""


def test_the_fault_is_in_the_log(pair):
    trace, truth, twin = pair
    step, right = trace.steps[truth["step"] - 1], twin.steps[truth["step"] - 1]
    plan = [goal.description for goal in trace.sub_goals]
    correct = [goal.description for goal in twin.sub_goals]
    changed = [k for k, line in enumerate(plan) if line != correct[k]]
    kind, prompt = truth["kind"], step.calls[0].messages[0].text
    assert (len(changed) == 1) is kind.startswith("plan-")
    if kind == "plan-side":
        words = [text[changed[0]].rstrip(".").split() for text in (plan, correct)]
        assert {both for both in zip(*words, strict=True) if len(set(both)) == 2} <= {
            ("left", "right"),
            ("right", "left"),
        }
    elif kind == "plan-landmark":
        lost = {mark.name for mark in twin.landmarks} - {mark.name for mark in trace.landmarks}
        assert [name in correct[changed[0]] and name not in plan[changed[0]] for name in lost] == [
            True
        ]
    elif kind == "closed-early":
        closing = trace.steps[truth["first"] - 1]
        assert closing.decision.sub_goal_status == "COMPLETED"
        assert closing.index < step.index
        assert step.sub_goal == right.sub_goal + 1
    elif kind == "landmark-hidden":
        shown = {poi.name for each in twin.steps for poi in each.observation.pois}
        hidden = shown - {poi.name for each in trace.steps for poi in each.observation.pois}
        name = next(name for name in hidden if name in plan[step.sub_goal])
        assert name in right.observation.text
        assert all(name not in each.observation.text for each in trace.steps)
        assert name in _thoughts(step)
    elif kind == "other-landmark":
        others = [poi.name for poi in step.observation.pois if poi.name in _thoughts(step)]
        assert len(others) == 2
        assert prompt.count(others[0])
        assert prompt.count(others[1])
    elif kind == "misread":
        assert _thoughts(step) == _thoughts(right)
    elif kind == "contradict":
        assert right.path[-1] in _thoughts(step)
        assert step.path[-1] not in _thoughts(step)
        assert step.path[-1] in step.calls[0].reply
    elif kind == "service":
        assert trace.unanswered
        assert not step.calls[0].reply
    elif kind == "repeat":
        assert trace.steps[step.index - 2].decision.sub_goal_status == "IN_PROGRESS"
        assert step.sub_goal == trace.steps[step.index - 2].sub_goal
    elif kind == "early":
        assert step.decision.stop
        assert not right.decision.stop
    elif kind == "past":
        assert truth["fork"] in step.observation.visible_nodes
        assert not step.decision.stop
    else:
        assert kind == "count-off"
        assert _thoughts(step) != _thoughts(right)


def test_the_twin_differs_in_the_fault_alone(pair):
    trace, truth, twin = pair
    same = list(
        takewhile(lambda both: both[0] == both[1], zip(trace.steps, twin.steps, strict=False))
    )
    if truth["first"]:
        assert len(same) == truth["first"] - 1
        assert trace.sub_goals == twin.sub_goals
    # what was walked and thought before is the same even where each prompt shows the fault
    for old, correct in zip(trace.steps[: truth["step"] - 1], twin.steps, strict=False):
        assert old.path == correct.path
    mine, other = trace.episode.model_dump(), twin.episode.model_dump()
    assert mine | {"id": ""} == other | {"id": ""}


def test_the_link_ruins_and_the_reference_link_does_not(pair, graph):
    trace, truth, twin = pair
    goal, radius_m = trace.episode.goal, trace.episode.success_radius_m
    assert graph.distance_m(trace.path[-1], goal) == pytest.approx(truth["ne_m"], abs=0.5)
    assert truth["ne_m"] > radius_m
    assert twin.path == twin.episode.reference_path
    if truth["reference"] is None:
        return
    # the navigator itself goes on from the walk with the reference link
    walked = list(twin.path[: twin.path.index(truth["fork"]) + 2])
    step = Step(index=1, node=walked[0], path=tuple(walked))
    past = trace.model_copy(update={"steps": (step,), "end": None, "sub_goals": ()})
    navigator = get_navigator("rules-local")
    settings = navigator.settings_type()
    end = walked[-1]
    for event in navigator.navigate(trace.episode, graph, None, settings, past):
        if isinstance(event, MoveEvent):
            end = event.path[-1]
    assert graph.distance_m(end, goal) <= radius_m


def test_a_faultless_log_follows_its_route_to_the_goal(told):
    faultless = [trace for trace, truth in told.values() if truth["kind"] is None]
    assert faultless
    for trace in faultless:
        assert trace.path == trace.episode.reference_path
        assert isinstance(trace.end, EndEvent)
        assert trace.end.status == "done"
        assert all(goal.status == "COMPLETED" for goal in trace.end.plan)


def test_a_name_does_not_say_what_is_true_of_the_log(told):
    faulty = [truth["kind"] is not None for _, truth in told.values()]
    assert list(told) == [f"nf-{number:04}" for number in range(1, len(told) + 1)]
    # with and without a fault they stand mixed
    assert False in faulty[:12]
    assert True in faulty[-12:]
    headers = {
        trace.header.model_dump_json(exclude={"episode", "settings"}) for trace, _ in told.values()
    }
    assert len(headers) == 1


def test_the_acts_are_lines_of_the_instruction(told):
    for trace, truth in told.values():
        for begin, end in truth.get("acts", ()):
            line = trace.episode.instruction[begin:end]
            assert line.endswith(".")
            assert line.count(".") <= 2


def test_the_set_is_the_same_on_each_machine(logs, graph, episodes, tmp_path):
    digest = write_logs(logs, tmp_path / "one", seed=0)
    again = make_logs(episodes[::-1], lambda _: graph, voices_in(kept=False), 24)
    assert write_logs(again, tmp_path / "two", seed=0) == digest == HASH
    about = json.loads((tmp_path / "one" / "navfault.json").read_text())
    assert (about["with_a_fault"], about["sha256"]) == (24, digest)
    with pytest.raises(SettingsError, match="is not empty"):
        write_logs(logs, tmp_path / "one", seed=0)


@pytest.mark.nightly
def test_the_fixed_set_has_the_hash_of_the_docs(data_dir, tmp_path):
    graph = open_graph(data_dir / "map2seq")
    found = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes.values()
    digest = write_logs(make_logs(found, lambda _: graph, voices_in(), 500), tmp_path, seed=0)
    page = (ROOT / "docs" / "navfault.md").read_text(encoding="utf-8")
    assert f"`{digest}`" in page


def test_episodes_without_a_route_have_room_for_no_fault(graph, episodes):
    bare = [episode.model_copy(update={"reference_path": ()}) for episode in episodes]
    with pytest.raises(SettingsError, match="room for no fault"):
        make_logs(bare, lambda _: graph, voices_in(kept=False), 1)
