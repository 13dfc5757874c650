"""The whole walk of SkillNav: with rules, with a scripted model, over HTTP, and forked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from navviz.errors import ModelError, SettingsError
from navviz.formats import open_episodes, open_graph
from navviz.language.skills import Skill, skill_of, skill_that_ran
from navviz.llm.base import Request
from navviz.llm.scripted import Scripted
from navviz.metrics.score import score_trace
from navviz.records import Episode, Step, Trace, TraceHeader
from navviz.records.trace import DUE_PART_TITLE
from navviz.records.trace_files import fold
from navviz.runner.fork import fork
from navviz.systems.registry import get_navigator
from navviz.systems.skillnav.agents import KEY
from navviz.systems.skillnav.navigator import SkillNav, SkillNavRules
from navviz.systems.skillnav.panels import AGENT_TITLE
from navviz.systems.skillnav.settings import SkillNavRulesSettings, SkillNavSettings
from navviz.world.graph import Graph
from tests.grids import crossing
from tests.paths import SAMPLES
from tests.worlds import write_world

HOUSE = SAMPLES / "house"


@pytest.fixture
def cross():
    """From s north to the crossing m; a kitchen west, an office east, stairs up to the north."""
    return crossing("corridor", "Stairs going up.", "landing", 3.0)


def episode(text: str, name: str = "1_0") -> Episode:
    return Episode(id=name, dataset="toy", instruction=text, start="s", start_heading_deg=0)


def by_rules(of: Episode, graph: Graph, past: Trace | None = None, **options: object) -> Trace:
    events = SkillNavRules().navigate(of, graph, None, SkillNavRulesSettings(**options), past)
    return fold([TraceHeader(episode=of, navigator="skillnav-rules"), *events])


def panel(step: Step, title: str) -> dict:
    return next(each.data for each in step.panels if each.title == title)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Walk straight. Go into the kitchen. Stop by the stove.", "w"),
        ("Go straight. Turn right. Stop.", "e"),
        ("Go straight. Climb up the stairs. Stop.", "n"),
    ],
)
def test_rules_follow_the_parts(cross, text, end):
    trace = by_rules(episode(text), cross)
    assert trace.end.node == end
    assert trace.end.status == "done"
    assert trace.steps[-1].decision.stop


def test_the_agents_are_told_the_original_instruction(cross):
    requests: list[Request] = []

    def answer(request: Request) -> str:
        requests.append(request)
        return '{"scores": {"m": 1, "stop": 0}}'

    settings = SkillNavSettings(
        reorder="rules", localiser="rules", router="rules", agents="llm", step_limit=2
    )
    of = episode("Turn left after the sofa.")
    list(SkillNav().navigate(of, cross, Scripted(answer), settings))
    assert all(
        "Instruction: Turn left after the sofa." in request.messages[1].text for request in requests
    )
    assert "Due now: Go past the sofa." in requests[0].messages[1].text


def model_that(parts: dict[str, list[str]]) -> Scripted:
    """Answers by purpose, in order, the last one again and again."""

    def answer(request: Request) -> str:
        replies = parts[request.purpose]
        return replies.pop(0) if len(replies) > 1 else replies[0]

    return Scripted(answer)


def by_model(
    of: Episode,
    graph: Graph,
    parts: dict[str, list[str]],
    past: Trace | None = None,
    **options: object,
) -> Trace:
    options = {"agents": "rules"} | options
    events = SkillNav().navigate(of, graph, model_that(parts), SkillNavSettings(**options), past)
    return fold([TraceHeader(episode=of, navigator="skillnav"), *events])


ORDER = "Walk straight. Enter the kitchen. Stop by the stove."
PARTS = {
    "reorder": [ORDER],
    "localise": [json.dumps({KEY: "Enter the kitchen.", "Reasoning": "At the crossing."}), json.dumps({KEY: "Stop by the stove."})],
    "route": ["*****Direction Adjustment*****", "*****Area and Region Identification*****", "*****Stop and Pause*****"],
}  # fmt: skip


def fresh() -> dict[str, list[str]]:
    return {name: list(replies) for name, replies in PARTS.items()}


def test_the_index_defect_is_a_setting(cross):
    of = episode("Walk.")
    assert skill_that_ran(by_model(of, cross, fresh()).steps[0]) is Skill.DIRECTION
    wrong = by_model(of, cross, fresh(), index_bug=True).steps[0]
    assert (skill_of(wrong), skill_that_ran(wrong)) == (Skill.DIRECTION, Skill.VERTICAL)


def test_a_step_without_a_sub_goal_is_not_routed(cross):
    trace = by_model(episode("Walk."), cross, fresh() | {"localise": ["nothing"]}, step_limit=2)
    step = trace.steps[1]
    assert [call.purpose for call in step.calls] == ["localise"]
    assert "no JSON" in step.calls[0].parse_error
    assert skill_of(step) is None
    assert skill_that_ran(step) is Skill.VERTICAL, "the default index"
    assert trace.end.status == "limit"


def test_the_localiser_may_skip_a_part(cross):
    parts = fresh() | {"localise": [json.dumps({KEY: "Stop by the stove."})]}
    step = by_model(episode("Walk."), cross, parts, step_limit=3).steps[1]
    assert [goal.status for goal in step.plan] == ["COMPLETED", "SKIPPED", "IN_PROGRESS"]


def test_reordering_is_tried_three_times(cross):
    trace = by_model(episode("Walk."), cross, fresh() | {"reorder": ["", "", ORDER]}, step_limit=1)
    assert len(trace.plan_calls) == 3
    assert trace.sub_goals
    empty = by_model(
        episode("Walk."), cross, fresh() | {"reorder": [""]}, step_limit=2, localiser="rules"
    )
    assert (len(empty.plan_calls), empty.sub_goals) == (3, ())
    assert [skill_that_ran(step) for step in empty.steps] == [Skill.VERTICAL] * 2, (
        "as the code goes on without a text"
    )
    assert (
        "reordered text is empty" in dict(panel(empty.steps[0], DUE_PART_TITLE)["items"])["Failed"]
    )


def test_modules_are_greedy_as_published_and_several_votes_are_not():
    requests: list[Request] = []

    def answer(request: Request) -> str:
        requests.append(request)
        return PARTS[request.purpose][0]

    of = open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
    house = open_graph(HOUSE / "connectivity")
    for votes in (1, 2):
        settings = SkillNavSettings(agents="rules", step_limit=2, votes=votes)
        list(SkillNav().navigate(of, house, Scripted(answer), settings))
    values = [(request.purpose, request.temperature) for request in requests]
    assert set(values[:4]) == {("reorder", 0.0), ("localise", 0.0), ("route", 0.0)}
    assert ("route", None) in values[4:]


def test_the_router_may_see_the_original(cross):
    of = episode("Wait where the stove is.")
    seen = [
        by_model(of, cross, fresh(), router_sees=sees, step_limit=1)
        .steps[0]
        .calls[0]
        .messages[1]
        .text
        for sees in ("reordered", "original")
    ]
    assert f"Whole instruction: {ORDER}" in seen[0]
    assert f"Whole instruction: {of.instruction}" in seen[1]


def test_votes_are_counted_over_several_replies(cross):
    replies = [
        "*****Stop and Pause*****",
        "*****Vertical Movement*****",
        "*****Vertical Movement*****",
    ]
    trace = by_model(episode("Walk."), cross, fresh() | {"route": replies}, votes=3, step_limit=1)
    assert len(trace.steps[0].calls) == 3
    assert skill_of(trace.steps[0]) is Skill.VERTICAL


def test_confidences_choose_the_highest(cross):
    shares = {"route": ['{"Halt and Pause": 90, "Vertical Movement": 10}']}
    trace = by_model(episode("Walk."), cross, fresh() | shares, router="confidences", step_limit=1)
    assert skill_of(trace.steps[0]) is Skill.STOP


def test_random_routing_is_reproducible(cross):
    of = episode("Walk straight. Go into the kitchen. Stop by the stove.")
    runs = [
        [skill_of(s) for s in by_rules(of, cross, router="random", seed=seed).steps]
        for seed in (1, 1, 2, 3, 4, 5)
    ]
    assert runs[0] == runs[1]
    assert any(run != runs[0] for run in runs[2:])


def test_a_fixed_router_always_names_its_skill(cross):
    trace = by_rules(episode("Go on. Stop."), cross, router="fixed:Landmark Detection")
    assert {skill_of(step) for step in trace.steps} == {Skill.LANDMARK}


def test_it_goes_back_to_the_best_stop(cross):
    scores = [
        '{"scores": {"m": 6, "stop": 4}}',
        '{"scores": {"w": 8, "stop": 2}}',
        '{"scores": {"stop": 1, "e": 5, "n": 4}}',
    ]
    parts = fresh() | {"act": list(scores)}
    trace = by_model(episode("Walk."), cross, parts, agents="llm", step_limit=3, router="rules")
    last = trace.steps[-1]
    assert last.decision.stop
    assert last.path == ("w", "m", "s")
    assert trace.end.node == "s"
    assert "went back to the best stop (0.40 there, 0.10 here)" in last.decision.reason
    assert panel(last, "Walk back")["walk_back"] == ["w", "m", "s"]
    stays = by_model(episode("Walk."), cross, fresh() | {"act": list(scores)}, agents="llm", step_limit=3,
                     router="rules", walk_back=False)  # fmt: skip
    assert stays.end.node == "w"


def test_a_far_place_is_reached_over_the_known_map(cross):
    scores = [
        '{"scores": {"m": 1}}',
        '{"scores": {"w": 1}}',
        '{"scores": {"e": 1}}',
        '{"scores": {"stop": 1}}',
    ]
    trace = by_model(
        episode("Walk."), cross, fresh() | {"act": scores}, agents="llm", router="rules"
    )
    assert trace.steps[2].path == ("w", "m", "e")
    assert trace.path == ("s", "m", "w", "m", "e")
    assert trace.steps[2].observation.candidates[-1].label == "over the known map"


def test_a_fork_restores_what_was_given_out(cross):
    of = episode("Walk straight. Go into the kitchen. Stop by the stove.")
    whole = by_rules(of, cross)
    forked = fork(whole, 3)
    again = by_rules(forked.episode, cross, forked.past)
    assert [step.index for step in again.steps] == [3]
    data = panel(again.steps[0], DUE_PART_TITLE)
    assert (
        data["given"]
        == panel(whole.steps[2], DUE_PART_TITLE)["given"]
        == ["Walk straight.", "Go into the kitchen."]
    )
    assert again.steps[0].panels[:4] == whole.steps[2].panels[:4]
    assert again.end == whole.end


def test_a_fork_with_a_new_instruction_orders_it_anew(cross):
    whole = by_rules(episode("Walk straight. Go into the kitchen. Stop by the stove."), cross)
    forked = fork(whole, 2, instruction="Go to the office and wait.")
    again = by_rules(forked.episode, cross, forked.past)
    assert [goal.description for goal in again.sub_goals] == ["Go to the office.", "Wait."]
    assert panel(again.steps[0], DUE_PART_TITLE)["given"] == ["Walk straight."]


def test_the_walk_stays_in_the_house_without_a_model():
    house = open_graph(HOUSE / "connectivity")
    episodes = list(open_episodes(HOUSE / "R2R_sample.json").episodes.values())
    rates = []
    for of in episodes:
        trace = by_rules(of, house)
        assert all(house.has_link(a, b) for a, b in zip(trace.path, trace.path[1:], strict=False))
        assert len(trace.steps) <= 15
        rates.append(score_trace(trace, house)["SR"])
    assert sum(rates) >= 1


def test_outdoors_it_walks_streets(tmp_path):
    town = open_graph(write_world(tmp_path))
    of = Episode(
        id="1",
        dataset="toy",
        instruction="Walk to the light and turn right. Stop by the café.",
        start="s1",
        start_heading_deg=0,
    )
    trace = by_rules(of, town)
    assert trace.steps[0].path == ("s1", "s0", "x"), "a way leads to the next junction"
    assert trace.path[:4] == ("s1", "s0", "x", "e0")
    assert "along traffic light" in trace.steps[0].observation.text


def test_it_asks_for_a_model_only_where_one_is_needed(cross):
    with pytest.raises(SettingsError, match="needs a language model"):
        list(SkillNav().navigate(episode("Go."), cross, None, SkillNavSettings()))
    assert get_navigator("skillnav").needs_model
    assert not get_navigator("skillnav-rules").needs_model


# --- over HTTP


@pytest.fixture
def served():
    """An agent's server: its address, what it was sent, and what it answers next."""
    got: list[dict] = []
    answers: list[dict | str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            answer = answers.pop(0)
            body = answer if isinstance(answer, str) else json.dumps(answer)
            self.send_response(500 if answer == "fail" else 200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", got, answers
    server.shutdown()
    server.server_close()


def test_a_served_agent_is_sent_the_record_and_fused(cross, served):
    url, got, answers = served
    answers += [{"scores": {"m": 3, "stop": 1}}, {"global": {"w": 0.7, "e": 0.2, "n": 0.1}, "local": {"w": 0.5, "e": 0.5}, "sigma": 0.5},
                {"scores": {"stop": 1}}]  # fmt: skip
    trace = by_rules(episode("Walk straight. Enter the kitchen."), cross, agents="http", url=url)
    assert trace.path == ("s", "m", "w")
    assert got[0]["options"] == ["stop", "m"]
    assert got[0]["place"]["ways"][0]["node"] == "m"
    assert got[1]["memory"] == {"visited": ["s", "m"], "seen": ["n", "e", "w"], "links": [["e", "m"], ["m", "n"], ["m", "s"], ["m", "w"]],
                                "stop_prob": {"s": 0.25}}  # fmt: skip
    assert panel(trace.steps[1], AGENT_TITLE)["sigma"] == 0.5


@pytest.mark.parametrize(("answer", "says"), [
    ("fail", "status 500"), ("no", "no JSON"), ([1], "no JSON object"), ({"scores": {}}, "no score above 0"),
])  # fmt: skip
def test_a_server_that_fails_is_named(cross, served, answer, says):
    url, _, answers = served
    answers.append(json.dumps(answer) if isinstance(answer, list) else answer)
    with pytest.raises(ModelError, match=says):
        by_rules(episode("Walk."), cross, agents="http", url=url)


def test_a_server_that_is_not_there_is_named(cross):
    with pytest.raises(ModelError, match="did not answer"):
        by_rules(episode("Walk."), cross, agents="http", url="http://127.0.0.1:9/")
