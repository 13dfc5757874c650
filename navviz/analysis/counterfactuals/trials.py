"""What is repaired in a run: for each failure its cause, the repair and the placebo."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from navviz.analysis.causes.counting import cause_name
from navviz.analysis.causes.engine import NO_CAUSE, EpisodeCauses
from navviz.analysis.counterfactuals.placebo import placebo_of
from navviz.metrics.divergence import Divergence
from navviz.records import Cause, RepairPlan, Trace
from navviz.records.cause import RepairKind
from navviz.runs.run import OpenRun
from navviz.systems.base import Navigator, repairs_of


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
    """Choose what is repaired: the likely cause of each failure, else its first hint.

    Parameters
    ----------
    run, navigator
        The recorded run, and who walked it.
    explained
        Its causes, by episode.
    cause
        Failures with this likely cause or first hint only.
    kind
        ``take_link`` gives every failure the right link once where it left the route, whatever the
        cause; any other kind keeps the repairs of that kind.
    limit
        A seeded sample of so many failures.
    seed
        Of the sample and the placebos.
    """
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
    run: OpenRun, key: str, leading: Cause | None, kind: RepairKind | None
) -> RepairPlan | None:
    if kind == "take_link":
        return right_link(run.trace(key), run.divergence(key))
    if leading is None or leading.repair is None:
        return None
    return leading.repair if kind in {None, leading.repair.kind} else None


def _trial(run: OpenRun, key: str, leading: Cause | None, plan: RepairPlan, seed: int) -> Trial:
    placebo = placebo_of(run.trace(key), plan, run.graph(key), seed)
    if leading is None:
        return Trial(key, None, NO_CAUSE, plan, placebo)
    return Trial(key, leading.id, cause_name(leading), plan, placebo)
