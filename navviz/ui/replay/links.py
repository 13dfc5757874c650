"""Other links of a walk that asked a model: its own navigator and model walk on after each, so many
times, within a budget.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from navviz.analysis.causes.counting import share_text
from navviz.analysis.what_if.samples import FOLDER, SampledCell, estimate_samples, sample_cells
from navviz.errors import NavVizError
from navviz.runner.recorded_walker import recorded_walker
from navviz.runner.verify import settings_as_walked
from navviz.runs.opened import OpenRun
from navviz.support.installation.serving import is_allowed
from navviz.systems.base import asks_model
from navviz.systems.registry import get_navigator
from navviz.ui.components import run_form
from navviz.ui.components.plain import plain
from navviz.ui.components.walked_again import ask_model, batch_of, begin_again, progress_bar
from navviz.ui.components.widgets import show_table
from navviz.ui.data.repair_batches import RepairBatch, WalkedAgain
from navviz.ui.state import shell
from navviz.ui.state.session import has_widget, set_widget, widget

_KEY = "replay_links"
_WORDS = "replay_words"
"""The part above it, which may ask for a model by the same form: one of them is open."""

_ALL = 0
"""Stands for all steps, which are counted from 1."""


def show(run: OpenRun, episode: str) -> None:
    """Show the part, folded, where the walk asked a model that can be asked here again."""
    trace = run.trace(episode)
    if run.source.results is None or not trace.steps or not is_allowed("batches"):
        return
    try:
        navigator = get_navigator(trace.header.navigator)
        if not asks_model(navigator, settings_as_walked(trace, navigator, run.source.results)):
            return  # *What if* in the player walks these without a cost
    except NavVizError:
        return  # a log of another project: nobody can walk it again
    if widget(_WORDS) and widget(_KEY):
        set_widget(_KEY, value=False)
    box = st.expander(
        "Sample other links", icon=":material/alt_route:", key=_KEY, on_change=_close_words
    )
    if box.open:
        with box, shell.guard():
            _form(run, episode)


def _close_words() -> None:
    set_widget(_WORDS, value=False)


def _form(run: OpenRun, episode: str) -> None:
    st.caption(
        "At each fork the walk's own navigator and model walk on after each other link, and after"
        " the one that it took. What is walked already is not paid for again."
    )
    trace = run.trace(episode)
    first = recorded_walker(trace, run.source.results)
    if not has_widget("live_vendor"):
        run_form.fill_model(first.model, first.model_options)
    if first.sentence:
        st.caption(plain(first.sentence))
    with st.container(horizontal=True, gap="small"):
        numbers = [step.index for step in trace.steps]
        chosen = st.selectbox(
            "Forks of",
            [_ALL, *numbers],
            key=f"{_KEY}_step",
            format_func=lambda number: f"step {number}" if number else "all steps",
            width=160,
        )
        step = chosen or None
        samples = int(
            st.number_input(
                "Walks a link", min_value=1, max_value=20, value=3, key=f"{_KEY}_samples", width=160
            )
        )
    estimate = estimate_samples(run, episode, samples, step)
    if not estimate.walks:
        st.caption("There is no other link.")
        return
    of = ("what if", episode, step)
    batch = batch_of(run, of)
    if batch is not None and not batch.ended.is_set():
        progress_bar(batch, "Sampling", _KEY)
        return
    if batch is not None:
        _result(batch)
    model, budget = ask_model(estimate, asks=True)
    if st.button(
        plain(f"Sample {estimate.walks} walks"),
        type="primary",
        icon=":material/alt_route:",
        key=f"{_KEY}_start",
    ):
        work = partial(sample_cells, run, episode, samples=samples, step=step)
        again = WalkedAgain(of, estimate.walks, (FOLDER,), work)
        begin_again(run, again, model, budget, episodes=1, samples=samples)
        st.rerun()  # the form was drawn already where progress shall stand


def _result(batch: RepairBatch[list[SampledCell]]) -> None:
    """Show the share of walks that succeed after each link, with its interval and n."""
    if batch.fault is not None:
        st.error(plain(batch.fault), icon=":material/error:")
    cells = batch.report or []
    rows = []
    for cell in cells:
        rows.append(
            {
                "step": cell.step,
                "fork": cell.fork,
                "link": cell.link or "stop",
                "which": "taken" if cell.is_taken else "reference" if cell.is_reference else "",
                "success": share_text(cell.success),
                "NE (m)": cell.ne_m,
                "broken off": cell.broken_off,
                "cost (US$)": cell.cost_usd,
            }
        )
    if rows:
        show_table(rows, "Walks after each link, by the model that walked")
    if batch.stopped or any(cell.broken_off for cell in cells):
        st.caption("Some walks were broken off; the button below continues them.")
