"""A placebo of equal help for a repair: one change of the same kind that misses the cause."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from navviz.analysis.causes.ways import shown_nodes
from navviz.analysis.side_words import OTHER_SIDE, SIDE
from navviz.records import RepairPlan, Trace
from navviz.world.graph import Graph

_NEAR_M = 300.0
"""Other places are taken from so near, about three blocks of Manhattan."""
_Choice = TypeVar("_Choice")


def placebo_of(trace: Trace, plan: RepairPlan, graph: Graph, seed: int = 0) -> RepairPlan | None:
    """Return one change of the same kind and size elsewhere; ``None`` where there is none.

    ``show_landmark``: another named place near the landmark. ``take_link``: another link of the map
    at another step, neither the one that was taken there nor one of the reference path.
    ``unhide_way``: such a link that was not shown. ``reopen_sub_goal``: another completed sub-goal.
    ``replace_plan_line`` and ``swap_instruction_word``: another word for a side swapped.

    Parameters
    ----------
    trace, graph
        The recorded walk, and what it was walked on.
    plan
        The repair.
    seed
        Of the choice, together with the episode's id.
    """
    # a seed of its own, so that no trial depends on the others
    draw = random.Random(f"{seed} {trace.episode.id} {plan.kind}")  # noqa: S311 - a reproducible choice, no secret
    if plan.kind in {"take_link", "unhide_way"}:
        return _other_link(trace, plan, graph, draw)
    if plan.kind == "show_landmark":
        return _other_landmark(trace, plan, graph, draw)
    if plan.kind == "reopen_sub_goal":
        return _other_sub_goal(trace, plan, draw)
    if plan.kind == "replace_plan_line":
        return _other_line(trace, plan, draw)
    return _other_word(trace, plan, draw)


def _drawn(draw: random.Random, choices: Sequence[_Choice]) -> _Choice | None:
    return draw.choice(choices) if choices else None


def _other_link(
    trace: Trace, plan: RepairPlan, graph: Graph, draw: random.Random
) -> RepairPlan | None:
    """Return a link at another step that the walk did not take, and that is no help."""
    reference = set(pairwise(trace.episode.reference_path))
    links = []
    back = None
    for step in trace.steps:
        shown = shown_nodes(step) or frozenset()
        for node, taken in pairwise(step.path):
            for target in graph.neighbours(node) if node in graph else ():
                is_help = (node, target) in reference
                is_known = plan.kind == "unhide_way" and target in shown
                if target not in {taken, back} and not is_help and not is_known:
                    links.append((step.index, node, target))
            back = node
    links = [link for link in links if link[0] != plan.step]
    chosen = _drawn(draw, links)
    if chosen is None:
        return None
    index, node, target = chosen
    return RepairPlan(kind=plan.kind, step=index, parameters={"node": node, "to": target})


def _other_landmark(
    trace: Trace, plan: RepairPlan, graph: Graph, draw: random.Random
) -> RepairPlan | None:
    poi = graph.pois.get(str(plan.parameters["poi"]))
    if poi is None:
        return None
    text = trace.episode.instruction.lower()
    others = []
    for other in graph.pois_near(poi.position, _NEAR_M):
        name = str(other.tags.get("name", ""))
        # a place that the text names would be more than a placebo
        if name and other.id != poi.id and name.lower() not in text:
            others.append((name, other.id))
    chosen = _drawn(draw, others)
    if chosen is None:
        return None
    parameters = {"name": chosen[0], "poi": chosen[1]}
    return RepairPlan(kind=plan.kind, step=plan.step, parameters=parameters)


def _other_sub_goal(trace: Trace, plan: RepairPlan, draw: random.Random) -> RepairPlan | None:
    closed: dict[int, int] = {}
    for step in trace.steps:
        for number, goal in enumerate(step.plan):
            if goal.status == "COMPLETED":
                # the first time: later plans repeat the status
                closed.setdefault(number, step.index)
    closed.pop(int(plan.parameters["sub_goal"]), None)
    # sorted, so that the draw does not depend on the order in which they were closed
    chosen = _drawn(draw, sorted(closed))
    if chosen is None:
        return None
    return RepairPlan(kind=plan.kind, step=closed[chosen], parameters={"sub_goal": chosen})


def _other_line(trace: Trace, plan: RepairPlan, draw: random.Random) -> RepairPlan | None:
    lines = []
    for number, goal in enumerate(trace.sub_goals):
        side = SIDE.search(goal.description)
        if side is not None and number != plan.parameters["sub_goal"]:
            lines.append((number, _swapped(goal.description, side.span())))
    chosen = _drawn(draw, lines)
    if chosen is None:
        return None
    parameters = {"sub_goal": chosen[0], "line": chosen[1]}
    return RepairPlan(kind=plan.kind, step=plan.step, parameters=parameters)


def _other_word(trace: Trace, plan: RepairPlan, draw: random.Random) -> RepairPlan | None:
    text = trace.episode.instruction
    start, end = int(plan.parameters["start"]), int(plan.parameters["end"])
    spans = [side.span() for side in SIDE.finditer(text)]
    # not the word that the repair itself changes
    spans = [span for span in spans if span[1] <= start or span[0] >= end]
    chosen = _drawn(draw, spans)
    if chosen is None:
        return None
    word = OTHER_SIDE[text[chosen[0] : chosen[1]].lower()]
    parameters = {"start": chosen[0], "end": chosen[1], "word": word}
    return RepairPlan(kind=plan.kind, step=plan.step, parameters=parameters)


def _swapped(text: str, span: tuple[int, int]) -> str:
    start, end = span
    return text[:start] + OTHER_SIDE[text[start:end].lower()] + text[end:]
