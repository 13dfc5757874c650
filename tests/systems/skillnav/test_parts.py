"""Router, localiser, memory and agents of SkillNav, each by itself."""

from __future__ import annotations

import json
import math

import pytest

from navviz.errors import InputError, ModelError, SettingsError
from navviz.language.skills import SKILLS, Skill
from navviz.llm.scripted import Scripted
from navviz.systems.skillnav.agents import (
    KEY,
    RulesAgent,
    SubgoalProgress,
    first_sub_goal,
    fuse,
    localise_by_rules,
    read_reply,
    softmax,
)
from navviz.systems.skillnav.memory import STOP, GlobalMap, OpenWay, Place, normalised
from navviz.systems.skillnav.navigator import (
    named_in,
    read_confidences,
    route_at_random,
    route_by_rules,
    vote,
)
from navviz.systems.skillnav.served import AskedAgent, imported_agent
from navviz.systems.skillnav.settings import SkillNavSettings

# --- router


def test_the_most_frequent_name_wins_and_the_first_met_a_tie():
    replies = [
        "*****Stop and Pause*****",
        "*****Vertical Movement*****",
        "x *****Vertical Movement***** y",
    ]
    found = vote(replies)
    assert found.named == "Vertical Movement"
    assert found.votes[Skill.VERTICAL] == 2
    assert vote(replies[:2]).named == "Stop and Pause"
    assert vote([replies[1], replies[0]]).named == "Vertical Movement"
    assert named_in("*****A***** and ***** B *****") == ["A", "B"]


def test_a_reply_without_a_name_is_not_valid():
    assert vote(["Vertical Movement", None]).named is None
    assert not vote(["*****Dancing*****"]).valid
    assert vote(["*****Dancing*****"]).named == "Dancing"


@pytest.mark.parametrize(
    "reply",
    [
        '{"Direction Adjustment": 10, "Halt and Pause": 60, "Landmark Detection": 30}',
        'Sure: {"Direction Adjustment": "10%", "Halt and Pause": "60 %"}',
        "Direction Adjustment: 10%\nHalt and Pause: 60%\n",
    ],
)
def test_percentages_choose_the_highest(reply):
    found = read_confidences(reply)
    assert found.named == "Stop and Pause"
    assert found.votes[Skill.DIRECTION] == 10
    assert read_confidences("no idea").named is None


def test_chance_is_reproducible_and_differs_by_step():
    first = [route_at_random(3, "1_0", k).named for k in range(40)]
    assert first == [route_at_random(3, "1_0", k).named for k in range(40)]
    assert first != [route_at_random(4, "1_0", k).named for k in range(40)]
    assert set(first) == {skill.value for skill in SKILLS}


def test_rules_route_by_cue_words():
    assert route_by_rules("Go up the stairs.").named == "Vertical Movement"
    assert route_by_rules("Go on.").named is None


# --- localiser


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Leave the room. Turn left.", "Leave the room."),
        ("Leave the room, and turn left. Stop.", "Leave the room,"),
        ("Go on, then stop", "Go on,"),
        ("Pass the sofa, the lamp. Stop.", "Pass the sofa, the lamp."),
        ("Go", "Go"),
    ],
)
def test_the_first_part_ends_at_the_first_period_or_before_a_joining_word(text, first):
    assert first_sub_goal(text) == first


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"{KEY}": "Turn left.", "Reasoning": "so"}}',
        f'```json\n{{"{KEY}": "Turn left.", "Reasoning": "so"}}\n```',
        f'Here: {{"{KEY}": "Turn left.", "Reasoning": "so",}} done',
        f'{{"{KEY}": "Turn left.", "Reasoning": "so"',
        f'{{"{KEY}": "Turn left.", "Reasoning": "so',
    ],
)
def test_a_reply_is_mended_before_it_is_given_up(reply):
    found = read_reply(reply)
    assert (found.sub_goal, found.reason, found.problem) == ("Turn left.", "so", None)


@pytest.mark.parametrize(("reply", "problem"), [
    ("", "empty"), (None, "empty"), ("Turn left.", "no JSON"), ('{"x": 1}', KEY), (f'{{"{KEY}": " "}}', "names no"),
    (f'{{"{KEY}": 3}}', KEY), ("[1, 2]", "no JSON"),
])  # fmt: skip
def test_a_reply_without_a_sub_goal_says_why(reply, problem):
    found = read_reply(reply)
    assert found.sub_goal == ""
    assert problem in found.problem


def place(
    node: str = "a",
    summary: str = "bare corridor",
    near: tuple[str, ...] = (),
    ways: tuple[OpenWay, ...] = (),
) -> Place:
    return Place(node, 0.0, summary, ways, near=near)


def way(node: str, angle: float, text: str = "", rise: float = 0.0, start: str = "a") -> OpenWay:
    return OpenWay(node, angle % 360, angle, rise, 2.0, (start, node), text)


def test_rules_keep_a_part_until_its_condition_holds():
    parts, progress = (
        ["Turn left.", "Go up the stairs.", "Enter the kitchen.", "Stop by the stove."],
        SubgoalProgress(),
    )
    assert localise_by_rules(parts, progress, place(), 0.0).sub_goal == "Turn left."
    progress.turned, progress.moves = True, 1
    assert localise_by_rules(parts, progress, place(), 0.0).sub_goal == "Go up the stairs."
    progress.moves = 1
    assert localise_by_rules(parts, progress, place(), 0.9).sub_goal == "Go up the stairs.", (
        "less than a metre"
    )
    assert localise_by_rules(parts, progress, place(), 1.4).sub_goal == "Enter the kitchen."
    assert (
        localise_by_rules(parts, progress, place(summary="kitchen with a sink"), 1.4).sub_goal
        == "Stop by the stove."
    )
    last = localise_by_rules(parts, progress, place(summary="kitchen", near=("stove",)), 1.4)
    assert last.finished
    assert last.sub_goal == "Stop by the stove.", "at the goal the last part is given out again"
    assert "stove reached" in last.reason


def test_rules_give_a_part_up_after_four_moves():
    progress = SubgoalProgress()
    progress.begin(0, place(), 0.0)
    progress.moves = 4
    found = localise_by_rules(["Go to the piano.", "Stop."], progress, place(), 0.0)
    assert "given up after 4 moves" in found.reason or found.finished


# --- global map


def test_the_map_finds_ways_through_visited_places_only():
    memory = GlobalMap()
    memory.arrive(place("a", ways=(way("b", 0), way("c", 90))))
    assert memory.frontier == ("b", "c")
    memory.arrive(place("b", ways=(way("a", 180, start="b"), way("d", 0, start="b"))))
    assert memory.frontier == ("c", "d")
    assert memory.way_to("b", "c") == ("b", "a", "c")
    assert memory.way_to("b", "elsewhere") is None
    memory.arrive(place("d", ways=(way("b", 180, start="d"), way("c", 0, start="d"))))
    assert memory.way_to("d", "c") == ("d", "c")
    assert memory.pairs() == [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]


def test_the_best_stop_is_the_visited_place_with_a_higher_probability():
    memory = GlobalMap(stop_prob={"a": 0.3, "b": 0.7, "c": 0.5})
    assert memory.best_stop("c") == "b"
    assert memory.best_stop("b") is None


def test_normalised_scores_sum_to_one():
    assert normalised({"a": 3, "b": 1, "x": 9}, ("a", "b")) == {"a": 0.75, "b": 0.25}
    assert normalised({}, ("a", "b")) == {"a": 0.5, "b": 0.5}
    assert normalised({"a": -1}, ()) == {}


# --- agents


def scored(
    skill: Skill | None, sub_goal: str, *ways: OpenWay, here: str = "bare corridor", **more: object
) -> dict[str, float]:
    spot = place(ways=ways, summary=here, near=more.pop("near", ()))
    memory = GlobalMap(**more)
    memory.arrive(spot)
    found = RulesAgent(skill).score(spot, sub_goal, sub_goal, memory)
    assert math.isclose(sum(found.values()), 1.0)
    return found


def test_direction_prefers_the_wanted_turn():
    ways = (way("l", -90), way("s", 0), way("r", 90), way("b", 180))
    for wanted, node in (("left", "l"), ("right", "r"), ("around", "b")):
        found = scored(Skill.DIRECTION, f"Turn {wanted}.", *ways)
        assert max(found, key=found.get) == node


def test_vertical_prefers_the_rise_that_is_wanted():
    ways = (way("u", 0, rise=1.2), way("d", 0, rise=-1.2))
    for wanted, node in (("up", "u"), ("down", "d")):
        found = scored(Skill.VERTICAL, f"Go {wanted} the stairs.", *ways)
        assert max(found, key=found.get) == node


def test_landmark_and_region_prefer_the_direction_that_names_theirs():
    ways = (way("k", 90, "a kitchen with a sink"), way("s", -90, "a sofa by the wall"))
    region, landmark = (
        scored(Skill.REGION, "Enter the kitchen.", *ways),
        scored(Skill.LANDMARK, "Go to the sofa.", *ways),
    )
    assert max(region, key=region.get) == "k"
    assert max(landmark, key=landmark.get) == "s"


def test_stop_is_likely_where_the_place_matches():
    onward = way("n", 0)
    assert scored(Skill.STOP, "Stop by the stove.", onward, near=("stove",))[STOP] == pytest.approx(
        0.8
    )
    assert scored(Skill.STOP, "Stop by the stove.", onward)[STOP] == pytest.approx(0.2)
    assert scored(Skill.REGION, "Enter the kitchen.", onward)[STOP] < 0.2
    assert scored(Skill.REGION, "Enter the kitchen.", onward, finished=True)[STOP] == pytest.approx(
        0.8
    )


def test_visited_places_are_no_choice_in_the_global_action_space():
    memory = GlobalMap(visited={"b": None})
    spot = place(ways=(way("b", 0), way("c", 90)))
    memory.arrive(spot)
    assert "b" not in RulesAgent(None).score(spot, "Go on.", "Go on.", memory)
    local = RulesAgent(None, "local").score(spot, "Go on.", "Go on.", memory)
    assert local["b"] < local["c"]


def test_softmax_and_fusion():
    assert softmax({"a": 0.0, "b": 0.0}) == {"a": 0.5, "b": 0.5}
    assert softmax({}) == {}
    memory = GlobalMap(visited={"v": None, "w": None})
    fused = fuse(
        {"stop": 0.1, "n": 0.4, "far": 0.5},
        {"stop": 0.2, "n": 0.3, "v": 0.3, "w": 0.2},
        0.5,
        memory,
    )
    assert fused["n"] == pytest.approx(0.35)
    assert fused["far"] == pytest.approx(0.5 * 0.5 + 0.5 * 0.5), (
        "the visited neighbours' scores added up"
    )


def test_a_model_as_agent_scores_the_options_it_was_given():
    spot = place(ways=(way("b", 0, "a sofa"), way("c", 90)))
    memory = GlobalMap()
    memory.arrive(spot)
    reply = json.dumps({"scores": {"b": 30, "c": 10, "stop": 0, "zz": 50}})
    agent = AskedAgent(Skill.LANDMARK, Scripted([reply, "what?"]))
    assert agent.score(spot, "Go to the sofa.", "Go to the sofa.", memory) == {
        "stop": 0.0,
        "b": 0.75,
        "c": 0.25,
    }
    even = agent.score(spot, "Go to the sofa.", "Go to the sofa.", memory)
    assert set(even.values()) == {1 / 3}
    assert "count alike" in even.note
    request = agent.request(spot, "Go to the sofa.", "Go to the sofa.", memory)
    assert "b: right 0.00 degrees" in request.messages[1].text
    with pytest.raises(ModelError):
        agent.score(spot, "x", "x", memory)


def test_an_imported_agent_repeats_its_prediction(tmp_path):
    file = tmp_path / "detail_x.json"
    details = {"a": {"stop_prob": 0.1}, "b": {"stop_prob": 0.2}}
    file.write_text(
        json.dumps([{"instr_id": "1_0", "trajectory": [["a"], ["b"], ["c"]], "details": details}])
    )
    agent = imported_agent(str(file), "1_0", Skill.STOP)
    memory = GlobalMap()
    memory.arrive(place("a"))
    assert agent.score(place("a"), "", "", memory) == {"b": 0.9, "stop": 0.1}
    memory.arrive(place("b"))
    memory.arrive(place("c"))
    assert agent.score(place("c"), "", "", memory) == {"stop": 1.0}
    with pytest.raises(InputError, match="never was at z"):
        agent.score(place("z"), "", "", memory)
    with pytest.raises(InputError, match="no trajectory"):
        imported_agent(str(file), "9_9", None)
    with pytest.raises(InputError, match="predictions"):
        imported_agent("", "1_0", None)


def test_settings_name_a_stand_in_as_what_it_is():
    assert SkillNavSettings(agents="rules").agents == "rules (stand-in)"
    assert SkillNavSettings().asks_model
    assert not SkillNavSettings(
        reorder="rules", localiser="rules", router="random", agents="http"
    ).asks_model
    with pytest.raises(ValueError, match="agents"):
        SkillNavSettings(agents="duet")


def test_an_agent_behind_http_needs_an_address():
    from navviz.systems.skillnav.served import ServedAgent

    with pytest.raises(SettingsError, match="url"):
        ServedAgent(None, "").score(place(), "", "", GlobalMap())
