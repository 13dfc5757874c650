"""Panels of the map of Places: the map, its pruning, options, plans, objects of the instruction.

Pure functions from records to `Panel`; live runs, imported logs and replays of any other agent
share them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from navviz.records import Panel, Step
from navviz.systems.msnav.place_map.memory import (
    Arrival,
    MapMemory,
    PrunedAt,
    PruningRules,
    PruningScore,
)
from navviz.systems.msnav.place_map.prompt import Option, PlacePrompt, read_map

_Node = TypeVar("_Node", int, str)

MAP_TITLE = "Map"
PRUNING_TITLE = "Pruning"
OPTIONS_TITLE = "Options"
PLANNING_TITLE = "Planning over time"

STATES = ("current", "explored", "seen", "candidate now", "pruned now", "pruned before")
"""States of a place on the map panel."""

_PRUNING_COLUMNS = (
    "Place", "Viewpoint", "Score", "Outcome", "Age", "Eff. age", "Degree", "Unvisited", "Hops",
    "Time", "Degree term", "Frontier", "Distance",
)  # fmt: skip


def map_panel(memory: MapMemory) -> Panel:
    """Return the map as it stands after the last arrival, at the nodes' true places."""
    arrival = memory.arrivals[-1]
    scores = {score.node: score.score for score in arrival.scores}
    nodes = [_map_node(memory, arrival, node, scores.get(node)) for node in memory.places]
    links = [list(link) for link in _pairs(memory.links)]
    explored, pruned = len(memory.explored), len(memory.pruned)
    counts = f"{explored} explored, {len(memory.nodes)} on the map, {pruned} pruned"
    data = {"nodes": nodes, "links": links, "states": list(STATES), "note": counts}
    return Panel(kind="graph", title=MAP_TITLE, data=data)


def _map_node(
    memory: MapMemory, arrival: Arrival, node: str, score: float | None
) -> dict[str, Any]:
    state = _state(memory, arrival, node)
    entry: dict[str, Any] = {"id": node, "label": str(memory.places[node]), "state": state}
    if state == "current":
        entry["current"] = True
    off = memory.pruned.get(node)
    if off is not None:
        entry["note"] = str(off)
    elif score is not None:
        entry |= {"score": score, "note": f"pruning score {score:g}"}
    return entry


def _state(memory: MapMemory, arrival: Arrival, node: str) -> str:
    # asked first, since a pruned place may still be offered as a candidate
    if node in memory.pruned:
        return "pruned now" if memory.pruned[node].step == arrival.step else "pruned before"
    if node == arrival.node:
        return "current"
    if node in memory.links:
        return "explored"
    return "candidate now" if node in arrival.candidates else "seen"


def pruning_panel(memory: MapMemory) -> Panel:
    """Return the pruning of the last arrival: scores, or the one sentence why there are none."""
    rules, arrival = memory.rules, memory.arrivals[-1]
    if rules is None:
        return _sentence("Pruning is switched off: the map only grows, as MapGPT's does.")
    if not arrival.started:
        what = f"not started (step {arrival.step} of {rules.start_step})"
        return _sentence(f"Pruning has {what}; steps are counted from 0.")
    rows = [_pruning_row(memory, score) for score in arrival.scores]
    taken = (
        ", ".join(f"Place {memory.places[score.node]}" for score in arrival.removed) or "nothing"
    )
    note = (
        f"Step {arrival.step}: {taken} taken off. A place may go when its age is above"
        f" {max(rules.keep_recent, rules.keep_young)}; the highest score goes first, {rules.remove}"
        f" a step at most{'' if rules.distance_term else ' (distance term off)'}."
        f" {_staying(memory, arrival, rules)}"
    )
    data: dict[str, Any] = {"columns": list(_PRUNING_COLUMNS), "rows": rows, "note": note}
    return Panel(
        # rows are sorted by score: the first one is the place that went
        kind="table",
        title=PRUNING_TITLE,
        data=data | ({"chosen": 0} if arrival.removed else {}),
    )


def _staying(memory: MapMemory, arrival: Arrival, rules: PruningRules) -> str:
    """Say which explored places are no candidates, and why."""
    whys = {
        "current": "current",
        "recent": f"recent, age {rules.keep_recent} or less",
        "too young": f"too young, age {rules.keep_young} or less",
        "shown by a repair": "shown by a repair",
    }
    parts = []
    for why, words in whys.items():
        nodes = [node for node, reason in arrival.stays.items() if reason == why]
        numbers = [str(memory.places[node]) for node in nodes]
        if numbers:
            parts.append(f"{', '.join(numbers)} ({words})")
    return f"No candidates: Place {'; '.join(parts)}."


def _sentence(text: str) -> Panel:
    """Under the same title as the table, so that a reader who steps stays with it."""
    return Panel(kind="text", title=PRUNING_TITLE, data={"text": text})


def _pruning_row(memory: MapMemory, score: PruningScore) -> list[Any]:
    return [
        memory.places[score.node],
        score.node,
        score.score,
        "removed" if score.removed else "stays",
        score.age,
        score.effective_age,
        score.degree,
        score.unvisited,
        score.hops,
        score.time,
        score.degree_term,
        score.frontier,
        score.distance,
    ]


def logged_map_panel(
    prompt: PlacePrompt,
    names: Mapping[int, str],
    scores: Sequence[Mapping[str, Any]],
    taken: Mapping[int, PrunedAt],
) -> Panel:
    """Return the map of a logged prompt."""
    near = read_map(prompt.map)
    walked = [int(number) for number in re.findall(r"\d+", prompt.trajectory)]
    offered = {option.place for option in prompt.options if option.place is not None}
    values = {score.get("place"): score.get("score") for score in scores}
    nodes = []
    for place, name in sorted(names.items()):
        entry: dict[str, Any] = {"id": name, "label": str(place)}
        off = taken.get(place)
        if walked and place == walked[-1]:
            entry |= {"state": "current", "current": True}
        elif off is not None:
            state = "pruned now" if off.step == prompt.step else "pruned before"
            entry |= {"state": state, "note": str(off)}
        elif place in near:
            entry["state"] = "explored"
        else:
            entry["state"] = "candidate now" if place in offered else "seen"
        score = values.get(place)
        if off is None and score is not None:
            entry |= {"score": score, "note": f"pruning score {score:g}"}
        nodes.append(entry)
    ends = [[names[a], names[b]] for a, b in _pairs(near) if a in names and b in names]
    data = {"nodes": nodes, "links": ends, "states": list(STATES)}
    return Panel(kind="graph", title=MAP_TITLE, data=data)


def _pairs(links: Mapping[_Node, Iterable[_Node]]) -> list[tuple[_Node, _Node]]:
    """Return each link once, its ends in order."""
    pairs: set[tuple[_Node, _Node]] = set()
    for a, others in links.items():
        pairs |= {(min(a, b), max(a, b)) for b in others}
    return sorted(pairs)


def no_scores_panel(step: int, start: int) -> Panel:
    """Say that a log prints no pruning scores; `start` is where pruning begins."""
    why = f" (the published script begins at step {start})" if step < start else ""
    return _sentence(
        f"The log prints no pruning scores at step {step}{why}; steps are counted from 0."
    )


def off_the_map(prompt: PlacePrompt) -> set[int]:
    """Return the places of the trajectory that a prompt's map does not show, the last left out."""
    near = read_map(prompt.map)
    walked = [int(number) for number in re.findall(r"\d+", prompt.trajectory)]
    # a place without a line of its own is on the map where another one lists it
    shown = {*walked[-1:], *near}.union(*near.values())
    return set(walked) - shown


def is_map(panel: Panel) -> bool:
    """Whether a panel is a map of Places; other systems call theirs ``Map``, too."""
    return panel.title == MAP_TITLE and "states" in panel.data


def map_size(step: Step) -> tuple[int, int] | None:
    """Count the places on the map of a step, and the explored ones; ``None`` without a map."""
    maps = [panel.data for panel in step.panels if is_map(panel)]
    if not maps:
        return None
    states = [node.get("state") for node in maps[0]["nodes"]]
    explored = sum(state in {"current", "explored"} for state in states)
    return explored + sum(state in {"seen", "candidate now"} for state in states), explored


def logged_pruning_panel(prompt: PlacePrompt, scores: Sequence[Mapping[str, Any]]) -> Panel:
    """Return printed pruning scores, the highest first; places off the prompt's map are removed.

    Each of `scores` holds ``place``, ``node`` and the values of a printed score by the names of
    `PruningScore`.
    """
    near = read_map(prompt.map)
    fields = (
        "age",
        "effective_age",
        "degree",
        "unvisited",
        "hops",
        "time",
        "degree_term",
        "frontier",
        "distance",
    )
    ordered = sorted(scores, key=lambda score: -(score.get("score") or 0.0))
    rows: list[list[Any]] = []
    removed: list[int] = []
    taken: list[str] = []
    for score in ordered:
        place, node = score.get("place"), score["node"]
        # the prompt follows its pruning block: a place without a line there was taken off
        fate = "stays" if place in near else "removed"
        if fate == "removed":
            removed.append(len(rows))
            taken.append(f"Place {place}" if place is not None else str(node))
        values = [_whole(score.get(name)) for name in fields]
        rows.append([place, node, _whole(score.get("score")), fate, *values])
    gone = ", ".join(taken) or "nothing"
    rule = "as the log prints it; the highest score goes first"
    note = f"Step {prompt.step}: {gone} taken off, {rule}."
    data: dict[str, Any] = {"columns": list(_PRUNING_COLUMNS), "rows": rows, "note": note}
    if removed:
        data["chosen"] = removed[0]
    return Panel(kind="table", title=PRUNING_TITLE, data=data)


def _whole(value: float | None) -> float | None:
    # figures of a log are read as floats, but a table should show a count as 3
    return int(value) if value is not None and value == int(value) else value


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option with what is known of it."""

    option: Option
    node: str | None = None
    """``None`` for stopping, and where a log does not tell."""
    view: int | None = None
    """The view that MapGPT keeps."""
    selected: int | None = None
    """The view after MSNav's selection."""
    text: str = ""
    """What the agent read of it."""


def options_panel(rows: Sequence[OptionRow], chosen: str | None, rule: str | None) -> Panel:
    """Return the options; `chosen` is the letter that was taken, `rule` what forced it.

    ``View`` is the view that MapGPT keeps of a place, ``Selected`` the one after MSNav's view
    selection. A stop that is no option (`chosen` is ``None`` and a rule is given) gets a row of its
    own.
    """
    columns = ["", "Decision", "Direction", "Place", "Viewpoint", "View", "Selected", "Text"]
    table = [_option_row(row, chosen, rule) for row in rows]
    if chosen is None and rule is not None:
        table.append(["–", "forced", "stop", None, None, None, None, ""])
    marked = next((k for k, row in enumerate(table) if row[1]), None)
    data: dict[str, Any] = {"columns": columns, "rows": table, "wide": columns.index("Text")}
    if marked is not None:
        data["chosen"] = marked
    if rule is not None:
        data["note"] = f"Forced: {rule}."
    return Panel(kind="table", title=OPTIONS_TITLE, data=data)


def _option_row(row: OptionRow, chosen: str | None, rule: str | None) -> list[Any]:
    option = row.option
    mark = ""
    if option.letter == chosen:
        mark = "forced" if rule else "chosen"
    place, node = option.place, row.node
    if node is None and place is not None:
        node = f"Place {place} (unknown viewpoint)"
    return [
        option.letter,
        mark,
        option.direction or "stop",
        place,
        node,
        row.view,
        row.selected,
        row.text,
    ]


def planning_panel(plans: Sequence[tuple[int, str]]) -> Panel:
    """Return the plans so far as ``(step, New Planning)``, each beside the one before."""
    rows: list[list[Any]] = []
    before = ""
    for step, plan in plans:
        rows.append([step, plan, {"text": plan, "former": before} if before else ""])
        before = plan
    return Panel(
        kind="table",
        title=PLANNING_TITLE,
        data={"columns": ["Step", "New Planning", "Changed"], "rows": rows},
    )


def hint_panel(unmentioned: Sequence[str], quoted: Sequence[str]) -> Panel:
    """Point at a stop that looks early: things not met, and the guessed destination."""
    text = (
        "Perhaps it stopped too early, at a place that looks like the destination: its last"
        f" thought takes up words of the guessed destination ({', '.join(quoted)}), while nothing"
        f" it read or thought on the way spoke of {', '.join(unmentioned)}, which the instruction"
        " names. Liu et al. 2025 report this as the main failure."
    )
    return Panel(kind="text", title="Hint: stopped at a look-alike?", data={"text": text})
