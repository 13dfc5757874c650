"""Each kind of repair with GROKE and a scripted model: one change, and no older call again."""

from __future__ import annotations

import json
from itertools import pairwise
from types import SimpleNamespace

import pytest

from navviz.analysis.counterfactuals.trials import Trial, placebo_of
from navviz.analysis.counterfactuals.walking import RepairWalker, walker_of
from navviz.errors import InputError, SettingsError
from navviz.llm.scripted import Reply, Scripted
from navviz.metrics.divergence import find_divergence
from navviz.records import RepairPlan, TraceHeader
from navviz.records.trace_files import fold, read_trace
from navviz.runner.batch import run_batch
from navviz.runner.budget import Budget
from navviz.runner.episode import trace_path
from navviz.runner.repairs import new_calls, prepare, repaired
from navviz.systems.groke.navigator import Groke, GrokeSettings
from tests.repairs import walk_repaired
from tests.systems.groke.prompts.towns import crossing
from tests.systems.groke.test_navigator import EPISODE, PLAN, reply

GRAPH = crossing()


def recorded(*replies: str, name: str = "scripted"):
    """A walk of GROKE with these replies after the plan."""
    llm = Scripted([PLAN, *replies], name=name)
    header = TraceHeader(
        run="first", episode=EPISODE, navigator="groke", settings={}, model=llm.name
    )
    events = Groke().navigate(EPISODE, GRAPH, llm, GrokeSettings())
    return fold([header, *events])


WRONG = recorded(reply("n1"), reply("n2"))


class Asked:
    """A scripted model that keeps what it was asked."""

    def __init__(self, *replies: str) -> None:
        self.prompts: list[str] = []
        self.replies = iter(replies)
        self.model = Scripted(self.answer)

    def answer(self, request):
        self.prompts.append(request.messages[-1].text)
        return Reply(reply=next(self.replies), cost_usd=0.01)


def run_of(trace):
    return SimpleNamespace(
        name="first",
        source=SimpleNamespace(results=None),
        trace=lambda _: trace,
        graph=lambda _: GRAPH,
        graph_of=lambda _: GRAPH,
        divergence=lambda _: find_divergence(trace, GRAPH),
    )


def walk(plan, *replies):
    llm = Asked(*replies)
    return walk_repaired(WRONG, GRAPH, plan, llm.model), llm.prompts


def step_prompts(trace):
    return [step.calls[0].messages[-1].text for step in trace.steps]


def test_the_same_walk_again_asks_what_was_recorded(tmp_path):
    past = repaired(WRONG, None, GRAPH, 2)
    llm = Asked(reply("n2"))
    trace = _walked_on(tmp_path, past, llm)
    assert llm.prompts == step_prompts(WRONG)[1:]
    assert trace.steps[0].calls == WRONG.steps[0].calls
    assert trace.path == WRONG.path


def test_a_run_walked_anew_under_its_name_is_repaired_anew(tmp_path):
    first = _walked_on(tmp_path, repaired(WRONG, None, GRAPH, 2), Asked(reply("n2")))
    calls = [call.model_copy(update={"reply": "Other words."}) for call in WRONG.steps[0].calls]
    step = WRONG.steps[0].model_copy(update={"calls": tuple(calls)})
    anew = WRONG.model_copy(update={"steps": (step, *WRONG.steps[1:])})
    same = _walked_on(tmp_path, repaired(WRONG, None, GRAPH, 2), Asked())
    other = _walked_on(tmp_path, repaired(anew, None, GRAPH, 2), Asked(reply("n2")))
    assert same.steps == first.steps
    assert other.steps[0].calls[0].reply == "Other words."


def _walked_on(out, past, request, budget=None):
    path = trace_path(out, "again", "1")
    episode = prepare(past, path, "again", GrokeSettings())
    run_batch(
        Groke(), [episode], lambda _: GRAPH, GrokeSettings(), run="again", out=out,
        llm=request.model, budget=budget,
    )  # fmt: skip
    return read_trace(path)


def test_the_right_link_is_taken_once_and_then_it_is_asked_again():
    plan = RepairPlan(kind="take_link", step=1, parameters={"node": "x", "to": "e1"})
    trace, prompts = walk(plan, reply("e2"))
    assert trace.steps[0].path == ("s3", "s2", "s1", "x", "e1")
    assert trace.steps[0].decision.sub_goal_status == WRONG.steps[0].decision.sub_goal_status
    assert len(prompts) == 1
    assert trace.plan_calls == WRONG.plan_calls
    assert trace.header.forked_from.repair == plan
    assert trace.path == ("s3", "s2", "s1", "x", "e1", "e2")


def test_a_landmark_is_added_to_the_prompt_and_nothing_else():
    parameters = {"name": "Old Anchor", "poi": "far"}
    plan = RepairPlan(kind="show_landmark", step=2, parameters=parameters)
    trace, (prompt,) = walk(plan, reply("n2"))
    before, after = step_prompts(WRONG)[1], prompt
    assert "Old Anchor" not in before
    assert "Old Anchor" in after
    shown = {poi.poi_id for poi in trace.steps[1].observation.pois}
    old = {poi.poi_id for poi in WRONG.steps[1].observation.pois}
    assert shown - old == {"far"}
    entry = after[after.index(', {"name": "Old Anchor"') : after.index('], "summary"')]
    assert json.loads(entry[2:])["distance_meters"] == pytest.approx(70.7)
    less = after.replace(entry, "").replace('"total_pois": 2', '"total_pois": 1')
    less = less.replace(', "O": "Old Anchor"', "").replace(", Old Anchor", "")
    assert less == before


def test_a_second_place_of_one_name_is_shown_beside_the_first():
    plan = RepairPlan(kind="show_landmark", step=2, parameters={"name": "Blue Door", "poi": "far"})
    trace, _ = walk(plan, reply("n2"))
    pois = trace.steps[1].observation.pois
    assert [(poi.poi_id, poi.letter) for poi in pois] == [("cafe", "B"), ("far", "B")]
    assert trace.end.status == "done"


def _area(prompt):
    """The map in a prompt, as the object that it is written from."""
    begin = prompt.index('{"navigation_context"')
    return json.JSONDecoder().raw_decode(prompt[begin:])[0]["navigation_context"]


@pytest.mark.parametrize(("node", "to"), [("x", "s1"), ("e2", "e3")])
def test_a_hidden_way_is_listed_and_nothing_else(node, to):
    plan = RepairPlan(kind="unhide_way", step=1, parameters={"node": node, "to": to})
    trace, prompts = walk(plan, reply(to), reply("n2"))
    before, after = _area(step_prompts(WRONG)[0]), _area(prompts[0])
    nodes = {entry["id"]: entry for entry in after["current_path_nodes"]}
    assert [link["target_node_id"] for link in nodes[node]["connections"]].count(to) == 1
    for entry in before["current_path_nodes"]:
        shown = nodes.pop(entry["id"])
        if entry["id"] == node:
            assert shown["connections"].pop()["direction"] == "Back"
            assert shown["branches"].pop()["nodes"][0] == to
        assert shown == entry
    # the side street shows e2 without an entry of its own, so that it gets one
    assert list(nodes) == ([] if node == "x" else ["e2"])
    after["current_path_nodes"] = before["current_path_nodes"]
    after["summary"] = before["summary"]
    assert after == before
    assert trace.steps[0].decision.legal
    assert trace.path[-1] != WRONG.path[-1] or to in trace.path


def test_a_sub_goal_is_open_again_after_the_step_that_closed_it():
    plan = RepairPlan(kind="reopen_sub_goal", step=1, parameters={"sub_goal": 0})
    trace, prompts = walk(plan, reply("n2"), reply("n3"))
    assert "Current sub-goal: TURN_RIGHT" in prompts[0]
    assert "Current sub-goal: MOVE_FORWARD" in step_prompts(WRONG)[1]
    assert [step.sub_goal for step in trace.steps] == [0, 0, 1]
    assert trace.steps[0].path == WRONG.steps[0].path


def test_a_line_of_the_plan_is_replaced_and_nothing_else():
    line = "TURN_LEFT at the traffic signals"
    plan = RepairPlan(kind="replace_plan_line", step=1, parameters={"sub_goal": 0, "line": line})
    trace, prompts = walk(plan, reply("w1"), reply("w2"))
    was = "TURN_RIGHT at the traffic signals"
    assert prompts[0] == step_prompts(WRONG)[0].replace(was, line)
    assert trace.plan_calls == WRONG.plan_calls


def test_a_word_of_the_instruction_is_swapped_and_the_plan_is_made_anew():
    start = EPISODE.instruction.index("right")
    parameters = {"start": start, "end": start + 5, "word": "left"}
    plan = RepairPlan(kind="swap_instruction_word", step=1, parameters=parameters)
    trace, prompts = walk(plan, PLAN, reply("w1"), reply("w2"))
    planned = WRONG.plan_calls[0].messages[-1].text
    assert prompts[0] == planned.replace("turn right", "turn left")
    assert trace.episode.instruction == EPISODE.instruction.replace("right", "left")
    assert len(trace.plan_calls) == 1
    assert len(new_calls(trace)) == 3


def test_an_episode_that_was_cut_off_goes_on_and_a_finished_one_is_not_asked(tmp_path):
    plan = RepairPlan(kind="reopen_sub_goal", step=1, parameters={"sub_goal": 0})
    run = run_of(WRONG)
    trial = Trial("1", "closed-early", "Closed early", plan, None)

    def walked(*replies):
        llm = Asked(*replies)
        walker = RepairWalker(
            navigator=Groke(), settings=GrokeSettings(), llm=llm.model, out=tmp_path, name="r"
        )
        return walker.walk(run, "repair", [trial])["1"], llm.prompts

    first, prompts = walked(reply("n2"))  # the script ends within the episode
    assert first.success is None
    last, rest = walked(reply("n3"))
    assert len(prompts) == 2
    assert len(rest) == 1
    assert "Current sub-goal: MOVE_FORWARD" in rest[0]
    assert (last.success, last.calls) == (False, 2)
    assert last.cost_usd == pytest.approx(0.02)
    assert walked() == (last, [])


def test_recorded_calls_do_not_count_against_the_budget(tmp_path):
    dear = WRONG.steps[0].calls[0].model_copy(update={"cost_usd": 5.0})
    first = WRONG.steps[0].model_copy(update={"calls": (dear,)})
    trace = WRONG.model_copy(update={"steps": (first, *WRONG.steps[1:])})
    budget = Budget(usd=1.0)
    llm = Asked(reply("n2"))
    walked = _walked_on(tmp_path, repaired(trace, None, GRAPH, 2), llm, budget)
    assert walked.end.status == "done"
    assert budget.spent_usd == pytest.approx(0.01)


def test_another_model_is_refused():
    with pytest.raises(SettingsError, match="asked scripted and not other"):
        walker_of(WRONG, Scripted([], name="other"))
    with pytest.raises(SettingsError, match="name that model"):
        walker_of(WRONG)


def test_a_repair_that_fits_nothing_is_refused():
    plan = RepairPlan(kind="take_link", step=1, parameters={"node": "x", "to": "n5"})
    with pytest.raises(InputError, match="no link leads from x to n5"):
        repaired(WRONG, plan, GRAPH)
    plan = RepairPlan(kind="reopen_sub_goal", step=1, parameters={"sub_goal": 7})
    with pytest.raises(InputError, match="no sub-goal 8"):
        repaired(WRONG, plan, GRAPH)


def test_the_placebo_of_a_landmark_shows_one_other_place_at_the_same_step():
    parameters = {"name": "Blue Door", "poi": "cafe"}
    plan = RepairPlan(kind="show_landmark", step=2, parameters=parameters)
    placebo = placebo_of(WRONG, plan, GRAPH)
    assert (placebo.kind, placebo.step) == ("show_landmark", 2)
    assert placebo.parameters["poi"] in {"bank", "far"}
    assert placebo == placebo_of(WRONG, plan, GRAPH)
    trace, _ = walk(placebo, reply("n2"))
    old = {poi.poi_id for poi in WRONG.steps[1].observation.pois}
    assert {poi.poi_id for poi in trace.steps[1].observation.pois} - old == {
        placebo.parameters["poi"]
    }


def test_the_placebo_of_a_link_is_another_link_at_another_step():
    walked = recorded(reply("s2", "IN_PROGRESS"), reply("n1"), reply("n2"))
    plan = RepairPlan(kind="take_link", step=3, parameters={"node": "n1", "to": "x"})
    placebo = placebo_of(walked, plan, GRAPH)
    assert placebo is not None
    assert placebo == placebo_of(walked, plan, GRAPH), "seeded"
    node, target = placebo.parameters["node"], placebo.parameters["to"]
    assert placebo.step != plan.step
    assert GRAPH.has_link(node, target)
    assert (node, target) not in set(pairwise(walked.path)), "it changes the walk"
    assert (node, target) not in set(pairwise(EPISODE.reference_path)), "it is no help"
    past = repaired(walked, placebo, GRAPH)
    assert past.path[-1] == target
    # a walk of one step has no other step, so that no control is possible
    only = walked.model_copy(update={"steps": walked.steps[:1]})
    first = RepairPlan(kind="take_link", step=1, parameters={"node": "x", "to": "e1"})
    assert placebo_of(only, first, GRAPH) is None
