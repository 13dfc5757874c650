"""Causes of a failure as the player shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from navviz.records import Trace
from navviz.records.cause import Cause, Quote
from navviz.views.player.cut import rounded
from navviz.views.player.schema import CauseEntry, CausesEntry, QuoteEntry
from navviz.views.player.writer import shared
from navviz.world.graph import Graph


def causes_entry(
    causes: Mapping[str, Any] | None, trace: Trace, graph: Graph
) -> CausesEntry | None:
    """Return the causes of a walk for the document.

    Parameters
    ----------
    causes
        ``causes``, a list of `Cause` as JSON holds them; ``likely`` and ``leading``, indices into
        it or ``None``; ``unchecked``, a sentence or ``None``. ``None`` where nobody looked for
        causes. With ``repair`` and ``repairs`` the player offers to walk again
        (`navviz.analysis.counterfactuals.offers`).
    """
    if causes is None:
        return None
    # the player counts steps from 1 in the order of the trace, whatever their indices are
    positions = {step.index: place for place, step in enumerate(trace.steps, start=1)}
    entries = []
    repairs = causes.get("repairs") or [None] * len(causes["causes"])
    for raw, repair in zip(causes["causes"], repairs, strict=True):
        cause = Cause.model_validate(raw)
        quotes = [_quote(quote, positions, graph) for quote in cause.quotes]
        entries.append(
            CauseEntry(
                **shared(cause, CauseEntry, but={"step", "quotes", "repair"}),
                step=positions.get(cause.step, 1),
                quotes=quotes,
                repair=repair,
            )
        )
    return CausesEntry(
        likely=causes["likely"],
        leading=causes.get("leading", causes["likely"]),
        all=entries,
        repair=causes.get("repair"),
        unchecked=causes.get("unchecked"),
    )


def _quote(quote: Quote, positions: Mapping[int, int], graph: Graph) -> QuoteEntry:
    step = None if quote.step is None else positions.get(quote.step)
    fields = shared(quote, QuoteEntry, but={"step"})
    return QuoteEntry(step=step, at=_place(quote, graph), **fields)


def _place(quote: Quote, graph: Graph) -> list[float] | None:
    if quote.position is not None:
        return list(rounded(quote.position, graph.frame))
    if quote.poi is not None and quote.poi in graph.pois:
        return list(rounded(graph.pois[quote.poi].position, graph.frame))
    if quote.node is not None and quote.node in graph:
        return list(rounded(graph.position(quote.node), graph.frame))
    return None
