"""A wish to walk again with something repaired, which Replay and Live note for Live."""

from __future__ import annotations

from pathlib import Path

from navviz.analysis.counterfactuals.offers import offer_for
from navviz.records import Trace
from navviz.ui.state.session import ForkPoint, RepairWish, current
from navviz.world.graph import Graph


def wish_repair(
    trace: Trace,
    graph: Graph,
    *,
    run: str,
    opened_run: str = "",
    cause: int | None = None,
    results: Path | None = None,
) -> bool:
    """Note that a walk is to be repaired; returns whether it has a repair.

    Only a key or a button leads here, never a link: without a model Live walks it at once.

    Parameters
    ----------
    trace, graph
        The failed walk, with its texts.
    run, opened_run
        Names of its run, and of the opened run where the walk was made beside that.
    cause
        Which of its causes is repaired, by time, counted from 0; the likely one if not given.
    results
        Where the opened run was read from.
    """
    offer = offer_for(trace, graph, cause, results)
    if offer is None:
        return False
    live = current().live
    wish = RepairWish(offer.plan, offer.words, results)
    live.fork = ForkPoint(run, trace.episode.id, offer.plan.step, opened_run, wish)
    live.repairs_next = True
    live.run = None
    return True
