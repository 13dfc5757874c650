"""Walking a run's walks again in the background: the estimate, the model and its budget, how far it
is. Explore repairs so, and Replay samples other links.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from navviz.analysis.counterfactuals.report import RepairEstimate
from navviz.analysis.counterfactuals.walking import run_walker
from navviz.llm.prices import about_usd
from navviz.runner import Budget
from navviz.runs.opened import OpenRun
from navviz.support.installation.serving import require
from navviz.ui.components import run_form
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_progress
from navviz.ui.data.repair_batches import RepairBatch, WalkedAgain, repair_batches
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership
from navviz.ui.server.limits import most_workers

_TICK_S = 0.5

_CALLS = 4
"""Walks that ask a model at the same time. Walks without one follow each other in one thread:
processes for three short arms take longer to start (10 s each on two busy cores) than to walk.
"""


def ask_model(
    estimate: RepairEstimate, *, asks: bool
) -> tuple[run_form.ModelChoice | None, Budget | None]:
    """Say what the walks will take, and ask for the model and its budget where one is asked."""
    if not asks:
        st.caption(plain(f"{estimate.walks} walks; no model is asked, so they cost nothing."))
        return None, None
    st.caption(
        plain(
            f"{estimate.walks} walks: {estimate.calls:,} calls and {estimate.tokens:,} tokens,"
            f" {about_usd(estimate.usd)}, from what the same steps took when they were recorded."
        )
    )
    return run_form.model_form(), run_form.budget_form()


def begin_again(
    run: OpenRun,
    again: WalkedAgain[Any],
    model: run_form.ModelChoice | None,
    budget: Budget | None,
    *,
    episodes: int,
    samples: int,
) -> RepairBatch[Any]:
    """Start to walk again, as a button does; the audit notes how many episodes and samples.

    Raises
    ------
    SettingsError
        Where visitors may not start batches, or another model is named than the run's.
    """
    require("batches")
    llm = None if model is None else model.make(f"new walks of {run.name}")
    limit = most_workers()
    workers = 1 if llm is None else min(_CALLS, limit or _CALLS)
    walker = run_walker(run, llm=llm, workers=workers, budget=budget)
    batch = repair_batches().start(run, again, walker, ownership(), limit)
    audit.note("ran batch", run.name, episodes=episodes, samples=samples)
    return batch


def batch_of(run: OpenRun, of: object) -> RepairBatch[Any] | None:
    """Return what a visitor walks again of a run, or has: by owner, so nobody sees another's."""
    mine = ownership()
    return repair_batches().get(run, of, "" if mine is None else mine.owner)


@st.fragment(run_every=_TICK_S)
def progress_bar(batch: RepairBatch[Any], doing: str, key: str) -> None:
    """Show how far a batch is, with the button that stops it."""
    if batch.ended.is_set():
        st.rerun()  # the page shows the report
    text = plain(f"{doing}: {batch.done} of {batch.total} walks.")
    show_progress(text, batch.done, batch.total, key, batch.stop)
