"""The offer to repair the failures of an explanation, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from navviz.analysis.causes.counting import NO_CAUSE_ID
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.counterfactuals.report import estimate_repairs
from navviz.analysis.counterfactuals.trials import RepairPlans, plan_repairs
from navviz.analysis.counterfactuals.walking import ARMS, run_navigator
from navviz.errors import NavVizError
from navviz.records.base import plural
from navviz.records.finding import RepairKind
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.installation.serving import is_allowed
from navviz.ui.components.plain import plain
from navviz.ui.components.walked_again import ask_model, batch_of, begin_again, progress_bar
from navviz.ui.components.widgets import show_table
from navviz.ui.data.repair_batches import repairs_of_plans
from navviz.ui.state import state


def show_repairing(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> None:
    """Offer to repair the failures of the chosen cause, or of all; nothing where nobody may."""
    if not is_allowed("batches"):
        return
    causes = state.episode_list().choice("cause")
    cause = causes[0] if len(causes) == 1 else None
    batch = batch_of(run, cause)
    if batch is not None and not batch.ended.is_set():
        progress_bar(batch, "Repairing", "explore_repair")
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
    model, budget = ask_model(estimate_repairs(run, plans), asks=asks)
    pressed = st.button(
        f"Repair {plural(count, 'failure')}",
        type="primary",
        icon=":material/build:",
        key="explore_repair_start",
    )
    if pressed:
        again = repairs_of_plans(run, cause, plans)
        begin_again(run, again, model, budget, episodes=count, samples=len(ARMS))
        st.rerun()  # the form was drawn already where progress shall stand
