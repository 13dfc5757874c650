"""The offer to repair the failures of an explanation, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from navviz.analysis.causes.counting import NO_CAUSE_ID
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.counterfactuals.report import estimate_repairs
from navviz.analysis.counterfactuals.trials import RepairPlans, plan_repairs
from navviz.analysis.counterfactuals.walking import run_navigator, run_walker
from navviz.errors import NavVizError
from navviz.llm.prices import about_usd
from navviz.records.base import plural
from navviz.records.finding import RepairKind
from navviz.runner import Budget
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.installation.serving import is_allowed, require
from navviz.ui.components import run_form
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_progress, show_table
from navviz.ui.data.repair_batches import RepairBatch, repair_batches
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership
from navviz.ui.server.limits import most_workers
from navviz.ui.state import state

_TICK_S = 0.5

_CALLS = 4
"""Walks that ask a model at the same time. Walks without one follow each other in one thread:
processes for three short arms take longer to start (10 s each on two busy cores) than to walk.
"""


def show_repairing(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> None:
    """Offer to repair the failures of the chosen cause, or of all; nothing where nobody may."""
    if not is_allowed("batches"):
        return
    causes = state.episode_list().choice("cause")
    cause = causes[0] if len(causes) == 1 else None
    # by owner: a visitor sees no repairs of another
    batch = repair_batches().get(run, cause, _owner())
    if batch is not None and not batch.ended.is_set():
        st.fragment(_progress_bar, run_every=_TICK_S)(batch)
        return
    if batch is not None:
        if batch.report is not None:
            st.markdown("**Repaired**")
            for row in batch.report.rows:
                st.text(f"{row.name}: {row.sentence}.")
            show_table(
                batch.report.table(), "Repairs by cause, beside chance and placebo", hide_index=None
            )
            st.caption(plain(batch.report.note))
        if batch.fault is not None:
            st.error(plain(batch.fault), icon=":material/error:")
        elif batch.stopped or (batch.report is not None and batch.report.open):
            st.caption("Some walks were broken off; the button below continues them.")
    try:
        _, settings_ask = run_navigator(run)
    except NavVizError:
        return  # a log of another project: nobody can walk it again
    with st.popover("Repair these failures", icon=":material/build:", key="explore_repair"):
        _form(run, explained, cause, asks=settings_ask)


def _owner() -> str:
    mine = ownership()
    return "" if mine is None else mine.owner


@st.cache_resource(max_entries=24, show_spinner="Choosing repairs …")
def _plans(
    identity: Identity,
    cause: str | None,
    _run: OpenRun,
    _explained: Mapping[str, EpisodeCauses],
) -> RepairPlans:
    del identity
    navigator, _ = run_navigator(_run)
    kind: RepairKind | None = None
    chosen: Mapping[str, EpisodeCauses] = _explained
    if cause == NO_CAUSE_ID:  # only the right link once needs no cause
        kind, chosen = "take_link", {}
        chosen = {key: one for key, one in _explained.items() if one.leading is None}
        cause = None
    return plan_repairs(_run, navigator, chosen, cause=cause, kind=kind)


def _form(
    run: OpenRun, explained: Mapping[str, EpisodeCauses], cause: str | None, *, asks: bool
) -> None:
    """Say what is repaired and what it takes, and the button."""
    plans = _plans(run.source.identity, cause, run, explained)
    count = len(plans.trials)
    st.caption(
        plain(
            f"{count} of {plural(plans.failures, 'failure')} have a repair that the navigator"
            " takes. Each is walked again with the repair, unchanged (for chance), and with a"
            " placebo of equal help."
        )
    )
    if not plans.trials:
        return
    model: run_form.ModelChoice | None = None
    budget: Budget | None = None
    estimate = estimate_repairs(run, plans)
    if asks:
        st.caption(
            plain(
                f"{estimate.walks} walks: {estimate.calls:,} calls and {estimate.tokens:,} tokens,"
                f" {about_usd(estimate.usd)}, from what the same steps took when they were"
                " recorded."
            )
        )
        model, budget = run_form.model_form(), run_form.budget_form()
    else:
        st.caption(plain(f"{estimate.walks} walks; no model is asked, so they cost nothing."))
    pressed = st.button(
        f"Repair {plural(count, 'failure')}",
        type="primary",
        icon=":material/build:",
        key="explore_repair_start",
    )
    if pressed:
        begin_repairing(run, cause, plans, model, budget)
        st.rerun()  # the form was drawn already where progress shall stand


def begin_repairing(
    run: OpenRun,
    cause: str | None,
    plans: RepairPlans,
    model: run_form.ModelChoice | None,
    budget: Budget | None,
) -> RepairBatch:
    """Start a batch of repairs, as its button does.

    Raises
    ------
    SettingsError
        Where visitors may not start batches, or another model is named than the run's.
    """
    require("batches")
    llm = None if model is None else model.make(f"repairs of {run.name}")
    limit = most_workers()
    workers = 1 if llm is None else min(_CALLS, limit or _CALLS)
    walker = run_walker(run, llm=llm, workers=workers, budget=budget)
    batch = repair_batches().start(run, cause, plans, walker, ownership(), limit)
    audit.note("ran batch", run.name, episodes=len(plans.trials), samples=3)
    return batch


def _progress_bar(batch: RepairBatch) -> None:
    """Show how far a batch is, with the button that stops it."""
    if batch.ended.is_set():
        st.rerun()  # the page shows the report
    text = f"Repairing: {batch.done} of {batch.total} walks."
    show_progress(text, batch.done, batch.total, "explore_repair", batch.stop)
