"""SkillNav's panels, for live walks and logs alike: sub-goal, router, agent, global map."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from navviz.language.reorder import sentences
from navviz.language.skills import DEFAULT_INDEX, ROUTER_TITLE, SKILLS, Skill, read_skill
from navviz.records import Panel, SubGoal
from navviz.records.trace import DUE_PART_TITLE

AGENT_TITLE = "Agent"

MAP_TITLE = "Map"

_TOP = 10
"""Scores shown; a house of 100 viewpoints would fill the pane, and the tail decides nothing."""

_READS = "the original instruction; the sub-goal only chooses which agent acts"


def span_in(text: str, part: str) -> tuple[int, int] | None:
    """Return where a sub-instruction stands in the reordered text, word for word, else ``None``."""
    plain = part.strip()
    at = text.find(plain) if plain else -1
    return (at, at + len(plain)) if at >= 0 else None


def sub_goal_panel(
    sub_goal: str,
    reordered: str,
    *,
    reason: str | None = None,
    views: int | None = None,
    given: Sequence[str] = (),
    problem: str | None = None,
) -> Panel:
    """Return the sub-instruction of a step: its place in the text, its reason, what came before."""
    span = span_in(reordered, sub_goal)
    items: list[list[Any]] = [["Now", sub_goal or "none"]]
    if reordered:
        mark: dict[str, Any] = {"text": reordered}
        if span:
            mark |= {"start": span[0], "end": span[1]}
        wrong = bool(sub_goal) and span is None
        items.append(["In the reordered text", {"mark": mark, "wrong": wrong}])
    if sub_goal and span is None and reordered:
        items.append(["Note", "not word for word in the reordered text"])
    items += [["Reason", reason]] if reason else []
    items += [["Failed", problem]] if problem else []
    items += [["Views given", views]] if views is not None else []
    items += [["Given out before", " / ".join(given) or "nothing yet"], ["The agents read", _READS]]
    data = {
        "items": items,
        "sub_goal": sub_goal,
        "given": list(given),
        "verbatim": span is not None,
    }
    return Panel(kind="keyvalue", title=DUE_PART_TITLE, data=data)


def router_panel(
    named: str | None,
    ran_index: int,
    *,
    votes: Mapping[Skill, float] | None = None,
    note: str | None = None,
    by: str | None = None,
) -> Panel:
    """Return the router's choice as five bars, with a hint where another agent acted."""
    skill = read_skill(named)
    ran = SKILLS[ran_index if 0 <= ran_index < len(SKILLS) else DEFAULT_INDEX]
    items = []
    for each in SKILLS:
        # without votes the other skills have no value: a 0 would look like a count
        value = 1.0 if each is skill else None
        if votes is not None:
            value = votes.get(each, 0.0)
        item: dict[str, Any] = {
            "label": each.value,
            "value": value,
            "chosen": each is skill,
            "skill": each.value,
        }
        if each is ran and ran is not skill:
            item["note"] = "this agent acted"
        items.append(item)
    index_note = f"Index that ran: {SKILLS.index(ran)}, {ran.value}."
    data = {
        "items": items,
        "skill": skill.value if skill else named,
        "ran": ran.value,
        "ran_index": ran_index,
        "hint": _hint(named, skill, ran),
        "note": f"{index_note} {note}" if note else index_note,
        "by": by,
    }
    present = {key: value for key, value in data.items() if value is not None}
    return Panel(kind="bars", title=ROUTER_TITLE, data=present)


def _hint(named: str | None, skill: Skill | None, ran: Skill) -> str | None:
    """Why the agent that acted is not the one that was named."""
    if skill is ran:
        return None
    if skill is None:
        what = f"“{named}” is no skill" if named else "no skill was named"
        default = f"the default {DEFAULT_INDEX}, {SKILLS[DEFAULT_INDEX].value}, is used"
        return f"{what}: {default}; here {ran.value} acted."
    hint = f"The router named {skill.value}, but the agent of {ran.value} acted."
    if skill is Skill.DIRECTION and ran is SKILLS[DEFAULT_INDEX]:
        hint += (
            " The published code's table spells it “Directional Adjustment”, so the name is not"
            " found."
        )
    return hint


def agent_panel(
    scores: Mapping[str, float],
    chosen: str,
    *,
    agent: str,
    names: Mapping[str, str] | None = None,
    local_scores: Mapping[str, float] | None = None,
    global_scores: Mapping[str, float] | None = None,
    sigma: float | None = None,
    note: str | None = None,
) -> Panel:
    """Return the ten best scores of stopping and nodes, with local and global parts if given."""
    # by name among equals, so that the same scores give the same panel
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:_TOP]
    items = []
    for node, value in ranked:
        parts = [names[node]] if names and node in names else []
        for word, branch in (("local", local_scores), ("global", global_scores)):
            if branch and node in branch:
                parts.append(f"{word} {branch[node]:.3f}")
        item = {"label": node, "value": round(value, 4), "chosen": node == chosen}
        items.append(item | {"note": "; ".join(parts)})
    notes = [f"Acts: {agent}"]
    if sigma is not None:
        notes.append(f"sigma {sigma:.3f}")
    if note:
        notes.append(note)
    data: dict[str, Any] = {"items": items, "agent": agent, "note": "; ".join(notes)}
    if sigma is not None:
        data["sigma"] = sigma
    if "stop" in scores:
        data["stop_prob"] = scores["stop"]
    return Panel(kind="bars", title=AGENT_TITLE, data=data)


def map_panel(
    current: str,
    visited: Sequence[str],
    seen: Sequence[str],
    links: Sequence[Sequence[str]],
    stop: Mapping[str, float],
    walk_back: Sequence[str] = (),
) -> Panel:
    """Draw the global map as a panel of kind ``graph``: places, frontier, stop rings.

    Labels are the stop probabilities; the way back to the best stop, where there is one, is dashed.
    """
    nodes: list[dict[str, Any]] = []
    for node in visited:
        entry: dict[str, Any] = {"id": node, "label": "", "visited": True}
        if node == current:
            entry["current"] = True
        if node in stop:
            entry |= {"label": f"{stop[node]:.2f}", "ring": stop[node]}
        nodes.append(entry)
    nodes += [{"id": node, "label": "", "frontier": True} for node in seen if node not in visited]
    data: dict[str, Any] = {
        "nodes": nodes,
        "links": [list(link) for link in links],
        "stop_prob": dict(stop),
    }
    if walk_back:
        data["way_back"] = list(walk_back)
    return Panel(kind="graph", title=MAP_TITLE, data=data)


def walk_back_panel(path: Sequence[str], here: float | None, there: float | None) -> Panel:
    """Return the extra way to the visited place with the highest stop probability."""
    items: list[list[Any]] = [
        ["Went back to the best stop", path[-1]],
        ["Stop probability there", there],
    ]
    items += [["Stop probability where it stood", here], ["Way", " → ".join(path)]]
    return Panel(kind="keyvalue", title="Walk back", data={"items": items, "walk_back": list(path)})


def best_stop_text(there: float, here: float) -> str:
    """Return both stop probabilities, with digits enough to differ: ``(0.45 there, 0.41 here)``."""
    digits = next((count for count in (2, 3, 4) if round(there, count) != round(here, count)), 4)
    return f"({there:.{digits}f} there, {here:.{digits}f} here)"


def plan_of(
    reordered: str, given: Sequence[str], current: str
) -> tuple[tuple[SubGoal, ...], int | None]:
    """Return the sentences of the reordered text as a plan, and the index of the one that is due.

    Given out before: completed; before the current one and never given out: skipped; the rest: to
    do.
    """
    spans = sentences(reordered)
    named = {k for part in given if (k := _sentence_at(reordered, spans, part)) is not None}
    now = _sentence_at(reordered, spans, current)
    latest = max(named | ({now} if now is not None else set()), default=-1)
    goals = []
    for k, (start, end) in enumerate(spans):
        if k == now:
            tries = sum(_sentence_at(reordered, spans, part) == k for part in given) or None
            goals.append(
                SubGoal(description=reordered[start:end], status="IN_PROGRESS", iteration=tries)
            )
        elif k in named:
            goals.append(SubGoal(description=reordered[start:end], status="COMPLETED"))
        else:
            goals.append(
                SubGoal(
                    description=reordered[start:end], status="SKIPPED" if k < latest else "TODO"
                )
            )
    return tuple(goals), now


def _sentence_at(text: str, spans: Sequence[tuple[int, int]], part: str) -> int | None:
    """Find the sentence in which a sub-instruction begins, or, where it is not verbatim, that holds
    its words.
    """
    span = span_in(text, part)
    if span is not None:
        return next((k for k, (start, end) in enumerate(spans) if start <= span[0] < end), None)
    words = set(re.findall(r"\w+", part.lower()))
    if not words:
        return None
    sentences = [set(re.findall(r"\w+", text[start:end].lower())) for start, end in spans]
    # the number is negative, so that of equal shares the first sentence is the greatest
    shares = [(len(words & sentence) / len(words), -k) for k, sentence in enumerate(sentences)]
    best, place = max(shares, default=(0.0, 0))
    return -place if best >= 0.6 else None
