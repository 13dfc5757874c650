"""What can be repaired in one failed walk: for the player's key, and for whoever walks it again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from navviz.analysis.causes.engine import EpisodeCauses, causes_document, explain_episode
from navviz.analysis.counterfactuals.trials import right_link
from navviz.errors import NavVizError
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.records import Call, Cause, RepairPlan, Trace
from navviz.records.cause import RepairKind
from navviz.runner.repairs import repair_words
from navviz.runner.verify import settings_as_walked
from navviz.systems.base import repairs_of
from navviz.systems.registry import get_navigator
from navviz.world.graph import Graph


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
    """Return a repair that the walk's own navigator takes; ``None`` where there is none.

    Parameters
    ----------
    trace, graph
        The failed walk, with its texts.
    number
        Which of its causes is repaired, by time, counted from 0. Without one it is the likely
        cause, else the first hint; where that has no repair, the right link once where the walk
        left its route.
    results
        Where the run was read from.
    """
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
    """Estimate a walk from a step on from what the same steps took when they were recorded.

    Returns
    -------
    Calls, tokens, and US dollars; ``None`` where some recorded call has no price.
    """
    calls: list[Call] = []
    for one in trace.steps:
        if one.index >= step:
            calls += one.calls
    tokens = sum(call.tokens or 0 for call in calls)
    prices = [call.cost_usd for call in calls if call.cost_usd is not None]
    return len(calls), tokens, sum(prices) if len(prices) == len(calls) else None


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


def _offer(cause: Cause, kinds: frozenset[RepairKind]) -> Offer | None:
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
