"""What the run that is about to start would cost, in one line."""

from __future__ import annotations

import streamlit as st

from navviz.errors import NavVizError
from navviz.llm.prices import load_prices
from navviz.llm.registry import model_price
from navviz.records import Episode, Trace
from navviz.records.plural import plural
from navviz.runner.estimate import CostEstimate, estimate_run
from navviz.runs.opened import workspace_dir
from navviz.systems.base import Navigator, Settings
from navviz.ui.components.plain import plain
from navviz.ui.live.chosen import Setting, walks_beside
from navviz.ui.state.session import current


def show_estimate(
    of: Setting,
    episode: Episode,
    navigator: Navigator,
    settings: Settings,
    model: str | None,
    walks: int = 1,
) -> float | None:
    """Say it: nothing for a navigator without a model, else calls, tokens and dollars.

    Returns
    -------
    US dollars of one walk; ``None`` where they are not known.
    """
    if model is None:
        st.caption("Costs nothing: no model is asked.")
        return 0.0
    # an estimate makes the first prompts of a walk: it is made again only where something changed
    stamp = (
        f"{navigator.name} {settings!r} {episode.id} {episode.instruction} {model}"
        f" {current().live.run}"
    )
    made = current().live.estimate
    if made is None or made[0] != stamp:
        estimate = _estimate(of, episode, navigator, settings, model)
        usd = estimate.usd if estimate is not None else None
        made = current().live.estimate = (stamp, _cost_text(estimate), usd)
    words = made[1]
    if walks > 1:
        usd = made[2]
        together = "" if usd is None else f", about ${usd * walks:.2f} together"
        words = f"{walks} walks{together}. Each: {words}"
    if of.fork is not None:
        # the steps before the fork are kept, and how many calls that saves is not known before
        words = f"At most, as for whole walks: {words}"
    st.caption(plain(words))
    return made[2]


def _estimate(
    of: Setting, episode: Episode, navigator: Navigator, settings: Settings, model: str
) -> CostEstimate | None:
    walks: list[Trace] = [] if of.old is None else [of.old]
    # replies of another model have another length
    walks += [walk.trace for walk in walks_beside(of.episode) if walk.trace.header.model == model]
    try:
        price = model_price(model, load_prices(workspace_dir() / "prices.json")) if model else None
    except NavVizError:
        price = None  # told when the run is started
    return estimate_run(
        navigator, settings, episode, of.graph, price=price, earlier=walks, model=model
    )


def _cost_text(estimate: CostEstimate | None) -> str:
    if estimate is None:
        return "What it would cost is not known: no prompt can be made of this text yet."
    tokens = (
        f"{_round(estimate.prompt_tokens)} tokens of prompts and {_round(estimate.output_tokens)}"
        " of replies"
    )
    calls = plural(estimate.calls, "call")
    cost = (
        "Price not known, the model has no list price"
        if estimate.usd is None
        else f"About ${estimate.usd:.2f} at list price"
    )
    runs = f"the last {estimate.runs} runs" if estimate.runs > 1 else "the last run"
    basis = f"as {runs} of this episode" if estimate.runs else "from its prompts"
    return f"{cost}: {calls}, {tokens} ({basis})."


def _round(tokens: int) -> str:
    return f"{tokens:,}" if tokens < 1000 else f"{round(tokens, -2):,}"
