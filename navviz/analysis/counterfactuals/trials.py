"""What is repaired in a run: for each failure its cause, the repair and the placebo."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from navviz.analysis.causes.counting import cause_name
from navviz.analysis.causes.engine import NO_CAUSE, EpisodeCauses, causes_document, explain_episode
from navviz.analysis.causes.texts import shown_nodes
from navviz.analysis.described_route import OTHER_SIDE, SIDE
from navviz.errors import NavVizError
from navviz.llm.prices import usd_of
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.records import Call, Explanation, RepairPlan, Trace
from navviz.records.finding import RepairKind
from navviz.runner.repairs import repair_words
from navviz.runner.verify import settings_as_walked
from navviz.runs.run import OpenRun
from navviz.systems.base import Navigator, repairs_of
from navviz.systems.registry import get_navigator
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


@dataclass(frozen=True, slots=True)
class Trial:
    """One failure that is walked again: repaired, as it was, and with a placebo."""

    episode: str
    cause: str | None
    """Id of its likely cause, else of its first hint; ``None`` where there is neither."""
    name: str
    """The cause in words."""
    repair: RepairPlan
    placebo: RepairPlan | None
    """``None`` where there is nothing of the same kind elsewhere."""


@dataclass(frozen=True, slots=True)
class RepairPlans:
    """What is walked, and what is not."""

    trials: tuple[Trial, ...]
    failures: int
    """Failures of the run, of this cause where one was chosen."""
    without_repair: int
    """Failures whose cause has no repair, or that have no cause."""
    not_taken: int
    """Failures with a repair of a kind that the navigator does not take."""


def plan_repairs(
    run: OpenRun,
    navigator: Navigator,
    explained: Mapping[str, EpisodeCauses],
    *,
    cause: str | None = None,
    kind: RepairKind | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> RepairPlans:
    """Choose what is repaired: the likely cause of each failure, else its first hint."""
    failed = []
    for key, one in explained.items():
        leading = None if one.leading is None else one.leading.id
        # a walk whose end nobody knows is no failure
        if one.success is False and cause in {None, leading}:
            failed.append(key)
    if limit is not None and limit < len(failed):
        sample = set(random.Random(seed).sample(failed, limit))  # noqa: S311 - a reproducible choice, no secret
        # drawn at random, but walked in the order of the run
        failed = [key for key in failed if key in sample]
    trials: list[Trial] = []
    without = not_taken = 0
    for key in failed:
        plan = _plan(run, key, explained[key].leading, kind)
        if plan is None:
            without += 1
        elif plan.kind not in repairs_of(navigator):
            not_taken += 1
        else:
            trials.append(_trial(run, key, explained[key].leading, plan, seed))
    return RepairPlans(tuple(trials), len(failed), without, not_taken)


def right_link(trace: Trace, divergence: Divergence) -> RepairPlan | None:
    """Return the right link once, where a walk left its route for good; ``None`` elsewhere."""
    reference = trace.episode.reference_path
    for departure in divergence.departures:
        # by both, since a step of several links may leave the route twice
        decisive = (departure.step, departure.node) == (divergence.step, divergence.node)
        if decisive and departure.kind == "wrong turn" and departure.place + 1 < len(reference):
            target = reference[departure.place + 1]
            parameters = {"node": departure.node, "to": target}
            return RepairPlan(kind="take_link", step=departure.step, parameters=parameters)
    return None


def _plan(
    run: OpenRun, key: str, leading: Explanation | None, kind: RepairKind | None
) -> RepairPlan | None:
    if kind == "take_link":
        return right_link(run.trace(key), run.divergence(key))
    if leading is None or leading.repair is None:
        return None
    return leading.repair if kind in {None, leading.repair.kind} else None


def _trial(
    run: OpenRun, key: str, leading: Explanation | None, plan: RepairPlan, seed: int
) -> Trial:
    placebo = placebo_of(run.trace(key), plan, run.graph(key), seed)
    if leading is None:
        return Trial(key, None, NO_CAUSE, plan, placebo)
    return Trial(key, leading.id, cause_name(leading), plan, placebo)


@dataclass(frozen=True, slots=True)
class Offer:
    """One repair of a failed walk."""

    plan: RepairPlan
    cause: str | None
    """Id of the cause that it repairs; ``None`` for the right link once, whatever the cause."""

    @property
    def words(self) -> str:
        """What is changed, by name: ``with “BP gas station” shown``."""
        return repair_words(self.plan)


def causes_and_repairs(
    trace: Trace,
    graph: Graph,
    divergence: Divergence | None = None,
    results: Path | None = None,
) -> dict[str, Any] | None:
    """Return the causes of a failed walk as the player takes them, with what can be repaired.

    Beside the keys of `navviz.analysis.causes.engine.causes_document` there are ``repair``, the
    words of the repair that comes first, or ``None``, and ``repairs``, those of each cause.
    `results` is where the run was read from: GROKE's step logs hold their prompt text.
    """
    if divergence is None:
        divergence = find_divergence(trace, graph)
    explained = explain_episode(trace, graph, divergence)
    if explained.success or explained.departure is None:
        return None
    kinds = _kinds(trace, results)
    first = _first(trace, explained, divergence, kinds)
    repairs = []
    for cause in explained.causes:
        offer = _offer(cause, kinds)
        repairs.append(None if offer is None else offer.words)
    document = causes_document(explained)
    return document | {"repair": None if first is None else first.words, "repairs": repairs}


def offer_for(
    trace: Trace, graph: Graph, number: int | None = None, results: Path | None = None
) -> Offer | None:
    """Return a repair that the walk's own navigator takes; ``None`` where there is none."""
    divergence = find_divergence(trace, graph)
    explained = explain_episode(trace, graph, divergence)
    if explained.success or explained.departure is None:
        return None
    kinds = _kinds(trace, results)
    if number is None:
        return _first(trace, explained, divergence, kinds)
    if not 0 <= number < len(explained.causes):
        return None
    return _offer(explained.causes[number], kinds)


def repairs_estimate(trace: Trace, step: int) -> tuple[int, int, float | None]:
    """Estimate a walk from a step on from what the same steps took when they were recorded."""
    calls: list[Call] = []
    for one in trace.steps:
        if one.index >= step:
            calls += one.calls
    tokens = sum(call.tokens or 0 for call in calls)
    return len(calls), tokens, usd_of(calls)


def _first(
    trace: Trace, explained: EpisodeCauses, divergence: Divergence, kinds: frozenset[RepairKind]
) -> Offer | None:
    if explained.leading is not None:
        offer = _offer(explained.leading, kinds)
        if offer is not None:
            return offer
    link = right_link(trace, divergence)
    if link is None or link.kind not in kinds:
        return None
    return Offer(link, None)


def _offer(cause: Explanation, kinds: frozenset[RepairKind]) -> Offer | None:
    if cause.repair is None or cause.repair.kind not in kinds:
        return None
    return Offer(cause.repair, cause.id)


def _kinds(trace: Trace, results: Path | None) -> frozenset[RepairKind]:
    """Return what the walk's navigator takes; nothing where it cannot walk as it walked."""
    try:
        navigator = get_navigator(trace.header.navigator)
        settings_as_walked(trace, navigator, results)
    except NavVizError:
        return frozenset()
    return repairs_of(navigator)
