"""Skills and temporal relations: cue words, the published index, counts on R2R."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from navviz.language.reorder import (
    aligned,
    instruction_tags,
    reorder_by_rules,
    reorder_panel,
    sentences,
    skill_tags,
    temporal_tags,
    text_of,
)
from navviz.language.skills import (
    SKILLS,
    Relation,
    Skill,
    count_cues,
    index_of,
    read_skill,
    relation_tags,
    skill_by_rules,
)
from navviz.systems.skillnav.panels import (
    agent_panel,
    best_stop_text,
    plan_of,
    router_panel,
    span_in,
    sub_goal_panel,
)


@pytest.mark.parametrize(
    ("text", "skill"),
    [
        ("Turn left.", Skill.DIRECTION),
        ("Go back and face the window.", Skill.DIRECTION),
        ("Climb upstairs.", Skill.VERTICAL),
        ("Walk down the hallway.", Skill.REGION),
        ("Wait and stand still.", Skill.STOP),
        ("Walk past the sofa and the lamp.", Skill.LANDMARK),
        ("Enter the kitchen.", Skill.REGION),
        ("Walk on.", None),
        ("Stopping just in the doorway.", Skill.STOP),
        ("Pausing by the sofa.", Skill.STOP),
        ("Take a right at the first bedroom.", Skill.DIRECTION),
        ("Sit right by the stove.", Skill.LANDMARK),
        ("Leaving the room behind.", Skill.REGION),
    ],
)
def test_cue_words_choose_the_skill(text, skill):
    assert skill_by_rules(text) is skill


def test_ties_go_to_vertical_then_stop_then_direction_then_region_then_landmark():
    order = [
        ("stairs", Skill.VERTICAL), ("stop", Skill.STOP), ("turn", Skill.DIRECTION), ("kitchen", Skill.REGION),
        ("sofa", Skill.LANDMARK),
    ]  # fmt: skip
    for k, (_, first) in enumerate(order):
        text = " ".join(word for word, _ in reversed(order[k:]))
        assert set(count_cues(text).values()) <= {0, 1}
        assert skill_by_rules(text) is first


def test_the_published_table_does_not_find_the_direction_skill():
    assert index_of("Direction Adjustment", index_bug=False) == 0
    assert index_of("Direction Adjustment", index_bug=True) == 1, "Vertical Movement acts"
    assert index_of("Directional Adjustment", index_bug=True) == 0
    for k, skill in enumerate(SKILLS[1:], start=1):
        assert index_of(skill.value, index_bug=True) == index_of(skill.value, index_bug=False) == k
    assert index_of(None, index_bug=False) == index_of("Dancing", index_bug=False) == 1
    assert read_skill("halt and  PAUSE") is Skill.STOP


def test_the_router_panel_shows_the_name_and_the_index_that_ran():
    panel = router_panel("Direction Adjustment", 1, votes={Skill.DIRECTION: 4, Skill.STOP: 1})
    assert panel.data["skill"] == "Direction Adjustment"
    assert panel.data["ran"] == "Vertical Movement"
    assert "Directional Adjustment" in panel.data["hint"]
    assert [item["value"] for item in panel.data["items"]] == [4, 0, 1, 0, 0]
    assert [item["chosen"] for item in panel.data["items"]] == [True, False, False, False, False]
    assert "hint" not in router_panel("Direction Adjustment", 0).data
    unknown = router_panel("Dancing", 1).data
    assert "“Dancing” is no skill" in unknown["hint"]
    assert [item["value"] for item in unknown["items"]] == [None] * 5, (
        "votes that nobody logged are missing, not zero"
    )


def test_the_sub_goal_panel_says_where_it_stands_and_whether_word_for_word():
    text = "Leave the room. Turn left."
    found = sub_goal_panel("Turn left.", text, reason="r", views=3, given=["Leave the room."])
    mark = dict(found.data["items"])["In the reordered text"]
    assert mark == {"mark": {"text": text, "start": 16, "end": 26}, "wrong": False}
    assert found.data["given"] == ["Leave the room."]
    other = sub_goal_panel("turn right", text)
    assert dict(other.data["items"])["In the reordered text"]["wrong"]
    assert span_in(text, "") is None


def test_the_agent_panel_keeps_the_ten_best_and_the_stop_probability():
    scores = {"stop": 0.05} | {f"n{k}": 0.01 * k for k in range(14)}
    panel = agent_panel(
        scores, "n13", agent="x", local_scores={"n13": 0.4}, global_scores={"n13": 0.2}, sigma=0.5
    )
    assert len(panel.data["items"]) == 10
    assert panel.data["items"][0]["label"] == "n13"
    assert "local 0.400" in panel.data["items"][0]["note"]
    assert panel.data["stop_prob"] == 0.05
    assert panel.data["note"] == "Acts: x; sigma 0.500"


def test_two_stop_probabilities_are_told_apart():
    assert best_stop_text(0.45, 0.41) == "(0.45 there, 0.41 here)"
    assert best_stop_text(0.0341, 0.0307) == "(0.034 there, 0.031 here)"


# --- relations


def test_before_and_after_are_backward_at_the_head_of_a_clause_only():
    text = "Walk on before the sofa. Before the door, turn left; after the lamp stop, then wait until noon."
    found = [(tag.cue, tag.relation) for tag in relation_tags(text)]
    assert found == [
        ("before", Relation.FORWARD),
        ("before", Relation.BACKWARD),
        ("after", Relation.BACKWARD),
        ("then", Relation.FORWARD),
        ("until", Relation.DURATION),
    ]
    assert relation_tags("After that, wait.")[0].relation is Relation.FORWARD
    for tag in relation_tags(text):
        assert text[tag.start : tag.end].lower() == tag.cue
    assert [tag.relation.value for tag in relation_tags("Once upstairs wait.")] == [
        "conditional immediacy"
    ]


@pytest.mark.data
def test_counts_on_val_seen_are_those_of_the_specification(data_dir):
    entries = json.loads((data_dir / "r2r" / "R2R_val_seen.json").read_text())
    texts = [text for entry in entries for text in entry["instructions"]]
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({tag.cue for tag in relation_tags(text)})
        cues = {tag.relation for tag in relation_tags(text)}
        counts["duration"] += Relation.DURATION in cues
        counts["immediacy"] += Relation.IMMEDIACY in cues
    assert len(texts) == 1021
    assert (counts["duration"], counts["immediacy"]) == (72, 76)
    assert (counts["then"], counts["before"], counts["after"], counts["finally"]) == (
        176,
        46,
        43,
        1,
    )


def test_tags_serve_a_filter():
    tags = instruction_tags("Walk until the stairs. Go up them and stop.")
    assert "temporal: until" in tags
    assert "temporal: bounded duration" in tags
    assert "skill: Vertical Movement" in tags
    assert temporal_tags("Go on.") == ()
    assert skill_tags("Wait by the sofa. Turn left.") == ("Direction Adjustment", "Stop and Pause")


# --- order


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Turn left after the sofa.", ["Go past the sofa.", "Turn left."]),
        ("Stop before the stairs.", ["Go towards the stairs.", "Stop in front of the stairs."]),
        ("Once you are in the kitchen turn left.", ["Go into the kitchen.", "Turn left."]),
        ("After passing the table, turn right.", ["Pass the table.", "Turn right."]),
        ("Walk until you reach the door.", ["Walk.", "Reach the door."]),
        ("Exit once you've reached the bed.", ["Reach the bed.", "Exit."]),
        ("Go out and then turn right, stop.", ["Go out.", "Turn right.", "Stop."]),
        ("Wait at once.", ["Wait at once."]),
        ("", []),
    ],
)
def test_rules_put_first_what_is_done_first(text, parts):
    assert [part.text for part in reorder_by_rules(text)] == parts


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Before you go through the glass door, turn left.", "Go towards the glass door."),
        ("Turn left before entering through the gate.", "Go towards the gate."),
        ("Wait before stepping on the red carpet.", "Go towards the red carpet."),
        ("Pass the bed before stopping.", "Pass the bed."),
        ("Pass the bed before making a hard right.", "Pass the bed."),
        ("Turn left before you reach the dining table.", "Go towards the dining table."),
    ],
)
def test_before_a_place_one_goes_towards_it_and_before_a_turn_nowhere(text, first):
    assert reorder_by_rules(text)[0].text == first


def test_parts_know_where_they_come_from():
    text = "Turn left after the sofa, then wait."
    parts = reorder_by_rules(text)
    assert [text[p.start : p.end] for p in parts] == ["the sofa", "Turn left", "wait"]
    panel = reorder_panel(text, parts, "rules").data
    assert [part["moved"] for part in panel["parts"]] == [False, True, False]
    assert panel["parts"][0]["words"][:2] == [["Go", True], ["past", True]]
    assert [relation["cue"] for relation in panel["relations"]] == ["after", "then"]


@pytest.mark.data
def test_every_instruction_keeps_its_words(data_dir):
    """What the rules reorder they do not lose: nine tenths of the words that name something
    stay.
    """
    entries = json.loads((data_dir / "r2r" / "R2R_val_seen.json").read_text())
    kept = total = 0
    for text in (text for entry in entries for text in entry["instructions"]):
        words = set(re.findall(r"[a-z]{4,}", text.lower()))
        result = set(re.findall(r"[a-z]{4,}", text_of(reorder_by_rules(text)).lower()))
        kept, total = kept + len(words & result), total + len(words)
    assert kept / total > 0.9


def test_a_model_s_sentences_are_aligned_with_the_clauses_they_come_from():
    original = "Turn left after the grey sofa. Then wait by the lamp."
    parts = aligned(
        original, "Walk past the grey sofa. Turn left. Wait by the lamp. Fly to the moon."
    )
    sources = [None if p.start is None else original[p.start : p.end] for p in parts]
    assert sources == ["the grey sofa", "Turn left", "wait by the lamp", None]


def test_sentences_keep_their_periods():
    text = "Go on.  Turn left . "
    assert [text[a:b] for a, b in sentences(text)] == ["Go on.", "Turn left ."]


def test_a_plan_tells_done_from_skipped():
    text = "Leave the room. Turn left. Go up. Stop."
    goals, now = plan_of(text, ["Leave the room."], "Go up.")
    assert [goal.status for goal in goals] == ["COMPLETED", "SKIPPED", "IN_PROGRESS", "TODO"]
    assert now == 2
    goals, now = plan_of(text, [], "something else entirely")
    assert now is None
    assert {goal.status for goal in goals} == {"TODO"}
    assert plan_of(text, [], "stop there")[1] is None
    assert plan_of(text, [], "turn left now.")[1] == 1, "not word for word, but its words"
