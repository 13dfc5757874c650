"""What a run's skills tell, counted by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from navviz.analysis.skills import (
    has_skills,
    misrouted_steps,
    router_confusion,
    router_quality,
    skill_difference,
    skill_usage,
    stand_in_warning,
    success_by_skill,
    success_by_tag,
)
from navviz.language.skills import SKILLS, Skill, index_of, skill_legs
from navviz.records import Episode, Step, Trace, TraceHeader
from navviz.runs.facts import WalkFacts, facts_of, stand_in
from navviz.systems.skillnav.panels import router_panel, sub_goal_panel

D, V, S, L, R = SKILLS


def trace(
    name: str, text: str, steps: list[tuple[str, Skill | None, int | None]], **header: object
) -> Trace:
    """Steps as (sub-goal, named skill, index that ran or None for the named one's)."""
    episode = Episode(id=name, dataset="toy", instruction=text, start="a")
    messages = []
    for k, (due, named, ran) in enumerate(steps, start=1):
        index = index_of(named and named.value, index_bug=False) if ran is None else ran
        panels = (sub_goal_panel(due, text), router_panel(named and named.value, index))
        messages.append(
            Step(
                index=k,
                node="a" if k == 1 else f"n{k - 1}",
                path=("a" if k == 1 else f"n{k - 1}", f"n{k}"),
                panels=panels,
            )
        )
    return Trace(
        header=TraceHeader(episode=episode, navigator="skillnav", **header), steps=tuple(messages)
    )


TRACES = {
    "1": trace("1", "Turn left until the sofa.", [("Turn left.", D, 1), ("Go to the sofa.", L, None)]),
    "2": trace("2", "Enter the kitchen, then stop.", [("Enter the kitchen.", R, None), ("Stop.", S, None)]),
    "3": trace("3", "Enter the hall until the end.", [("Enter the hall.", S, None), ("", None, None)]),
}  # fmt: skip


def facts_by_id(traces: Mapping[str, Trace]) -> dict[str, WalkFacts]:
    return {key: facts_of(trace) for key, trace in traces.items()}


FACTS = facts_by_id(TRACES)
SUCCESS = {"1": True, "2": True, "3": False}


def test_usage_counts_the_agent_that_acted() -> None:
    used = {row.skill: row for row in skill_usage(FACTS, SUCCESS)}
    assert (used[D].steps, used[V].steps) == (0, 2), (
        "the index defect, and the default of the step without a sub-goal"
    )
    assert used[S].share == pytest.approx(2 / 6)
    assert used[V].in_success == pytest.approx(1 / 4)
    assert used[S].in_failure == pytest.approx(1 / 2)
    assert skill_usage({}, {})[0].share is None


def test_success_by_first_and_last_skill() -> None:
    first = {
        row.label: (row.episodes, row.rate) for row in success_by_skill(FACTS, SUCCESS, "first")
    }
    assert first == {V.value: (1, 1.0), R.value: (1, 1.0), S.value: (1, 0.0)}
    last = {row.label: (row.episodes, row.rate) for row in success_by_skill(FACTS, SUCCESS, "last")}
    assert last == {L.value: (1, 1.0), S.value: (1, 1.0), V.value: (1, 0.0)}
    unknown = success_by_skill(FACTS, dict.fromkeys(TRACES), "first")
    assert unknown == ()


def test_success_by_tag() -> None:
    by_skill = {
        row.label: (row.episodes, row.rate) for row in success_by_tag(FACTS, SUCCESS, "skill")
    }
    assert by_skill[R.value] == (2, 0.5)
    assert by_skill[D.value] == (1, 1.0)
    by_time = {
        row.label: (row.episodes, row.rate) for row in success_by_tag(FACTS, SUCCESS, "temporal")
    }
    assert by_time["temporal: until"] == (2, 0.5)
    assert by_time["temporal: forward sequential"] == (1, 1.0)
    plain = {"4": trace("4", "Walk.", [])}
    assert [row.label for row in success_by_tag(facts_by_id(plain), {"4": True}, "temporal")] == [
        "none"
    ]


def test_the_router_against_cue_words_and_against_labels() -> None:
    found = router_confusion(TRACES)
    assert found.steps == 5
    assert found.agree == pytest.approx(4 / 5)
    assert found.counts[SKILLS.index(R)][SKILLS.index(S)] == 1
    labels = {("1", 1): D, ("3", 1): S}
    assert router_confusion(TRACES, labels).agree == 1.0
    quality = router_quality(TRACES, labels | {("2", 1): L})
    assert (quality.steps, quality.labelled, quality.other_agent) == (5, 3, 1)
    assert quality.valid == 1.0
    assert quality.accuracy == pytest.approx(2 / 3)
    assert misrouted_steps(TRACES) == [("1", 1, D.value, V.value)]
    assert router_confusion({}).agree is None


def test_two_runs_by_skill_over_the_episodes_both_have() -> None:
    others = {
        "1": trace("1", "x", [("Stop.", S, None)]),
        "9": trace("9", "x", [("Stop.", S, None)]),
    }
    rows = {
        row.skill: row
        for row in skill_difference(FACTS, SUCCESS, facts_by_id(others), {"1": False, "9": True})
    }
    assert rows[S].share == 0.0
    assert rows[S].other_share == 1.0
    assert rows[S].other_rate == 0.0
    assert rows[L].rate == 1.0


def test_a_walk_is_cut_where_another_skill_acts() -> None:
    assert skill_legs(TRACES["1"]) == [(V, ("a", "n1")), (L, ("n1", "n2"))]
    assert skill_legs(TRACES["3"]) == [(S, ("a", "n1")), (V, ("n1", "n2"))]
    assert has_skills(TRACES.values())
    bare = Trace(
        header=TraceHeader(episode=TRACES["1"].episode, navigator="x"),
        steps=(Step(index=1, node="a", path=("a", "b")),),
    )
    assert skill_legs(bare) == [(None, ("a", "b"))]
    assert not has_skills([bare])


def test_a_stand_in_beside_an_imported_run_is_warned_of() -> None:
    mine = trace("1", "x", [], run="mine", settings={"agents": "rules (stand-in)"})
    read = trace("1", "x", [], run="theirs", source="detail.json")
    assert stand_in(mine) == "agents=rules (stand-in)"
    for pair in ((mine, read), (read, mine)):
        assert "“mine” walks with agents=rules (stand-in)" in stand_in_warning(*pair)
        assert "“theirs”" in stand_in_warning(*pair)
    assert stand_in_warning(mine, mine) is None
    assert stand_in_warning(read, read) is None
    texts = trace("1", "x", [], run="texts", settings={"variant": "text variant, no pictures"})
    assert "“texts” walks with variant=text variant, no pictures" in (
        stand_in_warning(texts, read) or ""
    )
