"""What a run's skills tell: how often each is used, how well episodes end by skill and by tag, how
the router routes.

The paper reports success by skill on its own test sets only. Here everything is counted on any run
whose steps name a skill (a walk of ``skillnav``, a router log), and the tags on any run at all.
Rates are fractions; what has no episode has no rate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from navviz.language.reorder import skill_tags, temporal_tags
from navviz.language.skills import (
    SKILLS,
    Skill,
    router_data,
    skill_by_rules,
    skill_of,
    skill_that_ran,
)
from navviz.records import Trace
from navviz.runs.facts import WalkFacts, stand_in

Success = Mapping[str, bool | None]
"""By episode id; ``None`` where there is no goal."""


@dataclass(frozen=True, slots=True)
class SkillUse:
    """How much of a run one skill has."""

    skill: Skill
    steps: int
    share: float | None
    """Of all steps that name a skill."""
    in_success: float | None
    """Of the steps of episodes that succeed."""
    in_failure: float | None


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """Success of the episodes that share something."""

    label: str
    episodes: int
    rate: float | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the router named each skill, by what somebody else holds right."""

    counts: tuple[tuple[int, ...], ...]
    """Rows: the other's skill in index order; columns: the router's."""
    agree: float | None
    steps: int


@dataclass(frozen=True, slots=True)
class RouterQuality:
    """How well a router does its work."""

    steps: int
    valid: float | None
    """Share of the steps with a sub-goal whose reply is one of the five."""
    labelled: int
    accuracy: float | None
    """Of the labelled steps."""
    other_agent: int
    """Steps in which another agent acted than the one named."""


@dataclass(frozen=True, slots=True)
class SkillDifference:
    """One skill in two runs, over the episodes that both have."""

    skill: Skill
    share: float | None
    other_share: float | None
    rate: float | None
    """Success of the episodes in which the skill acted last."""
    other_rate: float | None


def has_skills(traces: Iterable[Trace]) -> bool:
    """Whether any step names a skill that acted."""
    steps = chain.from_iterable(trace.steps for trace in traces)
    return any(skill_that_ran(step) is not None for step in steps)


def skill_usage(walks: Mapping[str, WalkFacts], success: Success) -> tuple[SkillUse, ...]:
    """Share of the steps of each skill's agent, over all and by outcome; in index order."""
    every, good, bad = Counter[Skill](), Counter[Skill](), Counter[Skill]()
    for name, facts in walks.items():
        acted = Counter(map(Skill, facts.skills))
        every.update(acted)
        outcome = success.get(name)
        if outcome is not None:
            (good if outcome else bad).update(acted)
    uses = []
    for skill in SKILLS:
        shares = [_share(counts, skill) for counts in (every, good, bad)]
        uses.append(SkillUse(skill, every[skill], *shares))
    return tuple(uses)


def _share(counts: Counter[Skill], skill: Skill) -> float | None:
    total = counts.total()
    return counts[skill] / total if total else None


def success_by_skill(
    walks: Mapping[str, WalkFacts], success: Success, which: Literal["first", "last"]
) -> tuple[SuccessRate, ...]:
    """Success rate by the skill that acted first, or last, in an episode; in index order."""
    at = 0 if which == "first" else -1
    outcomes: dict[str, list[bool]] = {}
    for name, facts in walks.items():
        outcome = success.get(name)
        if facts.skills and outcome is not None:
            outcomes.setdefault(facts.skills[at], []).append(outcome)
    return _rates([skill.value for skill in SKILLS], outcomes)


def success_by_tag(
    walks: Mapping[str, WalkFacts], success: Success, kind: Literal["skill", "temporal"]
) -> tuple[SuccessRate, ...]:
    """Success rate by tag of the instruction, under each of its tags or under ``none``."""
    read: Callable[[str], Sequence[str]] = skill_tags if kind == "skill" else temporal_tags
    outcomes: dict[str, list[bool]] = {}
    for name, facts in walks.items():
        outcome = success.get(name)
        if outcome is None:
            continue
        for tag in read(facts.tagged_text) or ("none",):
            outcomes.setdefault(tag, []).append(outcome)
    order = (
        [skill.value for skill in SKILLS]
        if kind == "skill"
        else sorted(outcomes, key=lambda tag: -len(outcomes[tag]))
    )
    # episodes without a tag stand last, however many they are
    return _rates([*(tag for tag in order if tag in outcomes and tag != "none"), "none"], outcomes)


def _rates(
    labels: Iterable[str], outcomes: Mapping[str, Sequence[bool]]
) -> tuple[SuccessRate, ...]:
    rates = []
    for label in labels:
        group = outcomes.get(label)
        if group:
            rates.append(SuccessRate(label, len(group), sum(group) / len(group)))
    return tuple(rates)


def _routed(traces: Mapping[str, Trace]) -> list[tuple[str, int, str, Skill | None, Skill | None]]:
    """Episode, step, sub-goal, named and acting skill, for each step with a sub-goal."""
    routed = []
    for name, trace in traces.items():
        for step in trace.steps:
            if step.due_part and router_data(step):
                row = (name, step.index, step.due_part, skill_of(step), skill_that_ran(step))
                routed.append(row)
    return routed


def router_confusion(
    traces: Mapping[str, Trace], labels: Mapping[tuple[str, int], Skill] | None = None
) -> Confusion:
    """Return the router's choice against the sub-goal's cue words, or against labels."""
    counts = [[0] * len(SKILLS) for _ in SKILLS]
    for name, index, due, named, _ in _routed(traces):
        right = labels.get((name, index)) if labels is not None else skill_by_rules(due)
        if right is not None and named is not None:
            counts[SKILLS.index(right)][SKILLS.index(named)] += 1
    total = sum(map(sum, counts))
    agree = sum(counts[k][k] for k in range(len(SKILLS)))
    return Confusion(tuple(map(tuple, counts)), agree / total if total else None, total)


def router_quality(
    traces: Mapping[str, Trace], labels: Mapping[tuple[str, int], Skill]
) -> RouterQuality:
    """Share of valid replies, and accuracy against labels by episode and step."""
    routed = _routed(traces)
    valid = sum(named is not None for _, _, _, named, _ in routed)
    judged = [(labels[name, k], named) for name, k, _, named, _ in routed if (name, k) in labels]
    return RouterQuality(
        len(routed),
        valid / len(routed) if routed else None,
        len(judged),
        # a reply that names none of the five counts as wrong
        sum(right is named for right, named in judged) / len(judged) if judged else None,
        sum(named is not ran for _, _, _, named, ran in routed),
    )


def misrouted_steps(traces: Mapping[str, Trace]) -> list[tuple[str, int, str | None, str | None]]:
    """Return steps in which another agent acted than the one named: episode, step, named, acted."""
    misrouted = []
    for name, k, _, named, ran in _routed(traces):
        if named is not ran:
            row = (name, k, named.value if named else None, ran.value if ran else None)
            misrouted.append(row)
    return misrouted


def skill_difference(
    walks: Mapping[str, WalkFacts],
    success: Success,
    others: Mapping[str, WalkFacts],
    other_success: Success,
) -> tuple[SkillDifference, ...]:
    """Two runs by skill, over shared episodes: share of steps, and success where it acted last."""
    both = walks.keys() & others.keys()
    mine, theirs = {k: walks[k] for k in both}, {k: others[k] for k in both}
    usage, other_usage = skill_usage(mine, success), skill_usage(theirs, other_success)
    rates = {row.label: row.rate for row in success_by_skill(mine, success, "last")}
    other_rates = {row.label: row.rate for row in success_by_skill(theirs, other_success, "last")}
    differences = []
    for a, b in zip(usage, other_usage, strict=True):
        name = a.skill.value
        row = SkillDifference(a.skill, a.share, b.share, rates.get(name), other_rates.get(name))
        differences.append(row)
    return tuple(differences)


def stand_in_warning(trace: Trace, other: Trace) -> str | None:
    """One sentence where a stand-in is put beside a run that was imported; ``None`` elsewhere."""
    # either of the two may be the stand-in
    for mine, theirs in ((trace, other), (other, trace)):
        label = stand_in(mine)
        if label is not None and (
            theirs.header.source is not None or theirs.header.settings.get("agents") == "imported"
        ):
            name = mine.header.run or mine.header.navigator
            source = theirs.header.run or theirs.header.navigator
            return (
                f"“{name}” walks with {label}: its success says nothing about the paper's agents,"
                f" and is not to be compared with the imported run “{source}”."
            )
    return None
