"""Panels of SkillNav's inspector, the same for a live walk and for a log: sub-goal, router, agent, global map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from navviz.language.skills import DEFAULT_INDEX, ROUTER_TITLE, SKILLS, Skill, read_skill
from navviz.records import Panel, Step

__all__ = [
    "AGENT_TITLE",
    "MAP_TITLE",
    "SUB_GOAL_TITLE",
    "agent_panel",
    "best_stop_text",
    "map_panel",
    "router_panel",
    "span_in",
    "sub_goal_data",
    "sub_goal_panel",
    "walk_back_panel",
]

SUB_GOAL_TITLE = "Sub-goal"
AGENT_TITLE = "Agent"
MAP_TITLE = "Map"
_TOP = 10
"""Scores shown; a house of 100 viewpoints would fill the pane, and the tail decides nothing."""
_READS = "the original instruction; the sub-goal only chooses which agent acts"


def span_in(text: str, part: str) -> tuple[int, int] | None:
    """Where a sub-instruction stands in the reordered text, word for word; ``None`` where it does not."""
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
    """Return the sub-instruction of a step: where it stands in the reordered text, why it was chosen, what came before.

    Parameters
    ----------
    sub_goal
        As the localiser gave it; empty where it gave none.
    reordered
        The whole text that it was taken from.
    reason
        The localiser's own.
    views
        How many viewpoints it was given.
    given
        The sub-goals given out before, ``G`` of the paper.
    problem
        Why there is none.
    """
    span = span_in(reordered, sub_goal)
    items: list[list[Any]] = [["Now", sub_goal or "none"]]
    if reordered:
        mark = {"text": reordered, "start": span[0], "end": span[1]} if span else {"text": reordered}
        items.append(["In the reordered text", {"mark": mark, "wrong": bool(sub_goal) and span is None}])
    if sub_goal and span is None and reordered:
        items.append(["Note", "not word for word in the reordered text"])
    items += [["Reason", reason]] if reason else []
    items += [["Failed", problem]] if problem else []
    items += [["Views given", views]] if views is not None else []
    items += [["Given out before", " / ".join(given) or "nothing yet"], ["The agents read", _READS]]
    data = {"items": items, "sub_goal": sub_goal, "given": list(given), "verbatim": span is not None}
    return Panel(kind="keyvalue", title=SUB_GOAL_TITLE, data=data)


def sub_goal_data(step: Step) -> Mapping[str, Any]:
    """Return data of a step's sub-goal panel; empty where it has none."""
    return next((panel.data for panel in step.panels if panel.title == SUB_GOAL_TITLE and "sub_goal" in panel.data), {})


def router_panel(
    named: str | None,
    ran_index: int,
    *,
    votes: Mapping[Skill, float] | None = None,
    note: str | None = None,
    by: str | None = None,
) -> Panel:
    """Return the router's choice as five bars, and a hint where another agent acted than the one it named.

    Parameters
    ----------
    named
        What the router named; ``None`` where the step was not routed.
    ran_index
        Index of the agent that acted.
    votes
        Votes, percentages or cue counts of the skills, where known.
    note
        What else there is to say, for example why nothing was named.
    by
        Who routed: ``model``, ``rules`` ...
    """
    skill, ran = read_skill(named), SKILLS[ran_index] if 0 <= ran_index < len(SKILLS) else SKILLS[DEFAULT_INDEX]
    items = [
        {
            "label": each.value,
            "value": votes.get(each, 0.0) if votes is not None else (1.0 if each is skill else None),
            "chosen": each is skill,
            "skill": each.value,
            **({"note": "this agent acted"} if each is ran and ran is not skill else {}),
        }
        for each in SKILLS
    ]
    data = {
        "items": items,
        "skill": skill.value if skill else named,
        "ran": ran.value,
        "ran_index": ran_index,
        "hint": _hint(named, skill, ran),
        "note": " ".join([f"Index that ran: {SKILLS.index(ran)}, {ran.value}.", *([note] if note else [])]),
        "by": by,
    }
    return Panel(kind="bars", title=ROUTER_TITLE, data={key: value for key, value in data.items() if value is not None})


def _hint(named: str | None, skill: Skill | None, ran: Skill) -> str | None:
    """Why the agent that acted is not the one that was named."""
    if skill is ran:
        return None
    if skill is None:
        what = f"“{named}” is no skill" if named else "no skill was named"
        return f"{what}: the default {DEFAULT_INDEX}, {SKILLS[DEFAULT_INDEX].value}, is used; here {ran.value} acted."
    hint = f"The router named {skill.value}, but the agent of {ran.value} acted."
    if skill is Skill.DIRECTION and ran is SKILLS[DEFAULT_INDEX]:
        hint += " The published code's table spells it “Directional Adjustment”, so the name is not found."
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
    """Scores of stopping and of the nodes, the ten best, with the local and global part where the agent gave them."""
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:_TOP]
    items = []
    for node, value in ranked:
        parts = [
            f"{word} {part[node]:.3f}"
            for word, part in (("local", local_scores), ("global", global_scores))
            if part and node in part
        ]
        told = "; ".join([*([names[node]] if names and node in names else []), *parts])
        items.append({"label": node, "value": round(value, 4), "chosen": node == chosen, "note": told})
    stop = scores.get("stop")
    said = [f"Acts: {agent}", f"sigma {sigma:.3f}" if sigma is not None else "", note or ""]
    data = {"items": items, "agent": agent, "note": "; ".join(part for part in said if part)}
    known = {"sigma": sigma, "stop_prob": stop}
    return Panel(
        kind="bars", title=AGENT_TITLE, data=data | {key: value for key, value in known.items() if value is not None}
    )


def map_panel(
    current: str,
    visited: Sequence[str],
    seen: Sequence[str],
    links: Sequence[Sequence[str]],
    stop: Mapping[str, float],
    walk_back: Sequence[str] = (),
) -> Panel:
    """Draw the global map as a panel of kind ``graph``: visited places, frontier, stored stop probabilities as rings.

    Labels are the stop probabilities; the way back to the best stop, where there is one, is dashed.
    """
    nodes: list[dict[str, Any]] = [
        {
            "id": node,
            "label": f"{stop[node]:.2f}" if node in stop else "",
            "visited": True,
            **({"current": True} if node == current else {}),
            **({"ring": stop[node]} if node in stop else {}),
        }
        for node in visited
    ]
    nodes += [{"id": node, "label": "", "frontier": True} for node in seen if node not in visited]
    data: dict[str, Any] = {"nodes": nodes, "links": [list(link) for link in links], "stop_prob": dict(stop)}
    if walk_back:
        data["way_back"] = list(walk_back)
    return Panel(kind="graph", title=MAP_TITLE, data=data)


def walk_back_panel(path: Sequence[str], here: float | None, there: float | None) -> Panel:
    """Return the extra way to the visited place with the highest stop probability."""
    items: list[list[Any]] = [["Went back to the best stop", path[-1]], ["Stop probability there", there]]
    items += [["Stop probability where it stood", here], ["Way", " → ".join(path)]]
    return Panel(kind="keyvalue", title="Walk back", data={"items": items, "walk_back": list(path)})


def best_stop_text(there: float, here: float) -> str:
    """Return both stop probabilities, with as many digits as tell them apart: ``(0.45 there, 0.41 here)``."""
    digits = next((count for count in (2, 3, 4) if round(there, count) != round(here, count)), 4)
    return f"({there:.{digits}f} there, {here:.{digits}f} here)"
