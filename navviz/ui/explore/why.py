"""Why it failed: causes of a run's failures above its list; a click on one filters the list.

Causes are found in a thread of their own; until then a bar tells how far that is. Below them stands
the offer to repair the failures of a cause, and what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from navviz.analysis.act_counts import act_counts
from navviz.analysis.causes.counting import (
    CONFOUNDED,
    NO_CAUSE_ID,
    CauseCount,
    about_errors,
    cause_counts,
    cause_features,
    share_text,
)
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.counterfactuals.report import estimate_repairs
from navviz.analysis.counterfactuals.trials import RepairPlans, plan_repairs
from navviz.analysis.counterfactuals.walking import run_navigator, run_walker
from navviz.analysis.slices import failed_episodes, find_slices
from navviz.errors import NavVizError
from navviz.llm.prices import about_usd
from navviz.records.act import NO_ACT
from navviz.records.base import plural
from navviz.records.finding import RepairKind
from navviz.runner import Budget
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.installation.serving import is_allowed, require
from navviz.ui.components import run_form
from navviz.ui.components.browser import clickable
from navviz.ui.components.finding import MOST_AT_ONCE, begin_finding, found_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_progress, show_table
from navviz.ui.data import marks
from navviz.ui.data.repair_batches import RepairBatch, repair_batches
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership
from navviz.ui.server.limits import most_workers
from navviz.ui.state import shell, state
from navviz.views.figures.lists import CauseRow, SliceRow, cause_list_html, slice_list_html

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


def show(run: OpenRun) -> None:
    """Show the part; nothing for instructions that nobody walked, or a run that is not measured."""
    if run.source.results is None or not run.traces or not run.complete:
        return
    with st.container(border=True, key="explore_why", gap="small"), shell.guard():
        explained = found_or_bar(run, "explore_why", "Why it failed")
        if explained is not None:
            _causes(run, explained)


def begin(run: OpenRun) -> None:
    """Begin to find causes, so that the list can show them.

    Where the list is filtered by one, the page ends here until they are found. Of a large run the
    user says when.
    """
    if run.source.results is None or not run.traces or not run.complete:
        return
    now = state.episode_list()
    by_mark = any(mark.startswith(marks.EXPLAINED) for mark in now.choice("feature"))
    filtered = bool(now.choice("act") or now.choice("cause")) or by_mark
    if filtered or len(run.traces) <= MOST_AT_ONCE:
        begin_finding(run)
    if filtered and found_or_bar(run, "explore_why", "Why it failed") is None:
        st.stop()


def _causes(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> None:
    failures = [one for one in explained.values() if one.success is False]
    if not failures:
        _nothing_failed(explained)
        return
    acts = [
        CauseRow(
            act.slug,
            act.name[:1].upper() + act.name[1:],
            hint=False,
            last=act.slug == NO_ACT,
            count=act.failures,
            failed=share_text(act.share),
        )
        for act in act_counts(explained)
    ]
    now = state.episode_list()
    graded = [one.act.grade for one in failures if one.act is not None]
    hints = " (hints)" if "hint" in graded else ""
    titles = (f"How the decisive act was missed{hints}", "Share of failures")
    drawn = cause_list_html(acts, len(failures), now.choice("act"), head=titles)
    clickable("causes", drawn, key="explore_acts", on_choose=partial(state.toggle_choice, "act"))
    counts = cause_counts(explained)
    rows = [_row(count) for count in counts]
    titles = ("What explains it", "Found in failures")
    drawn = cause_list_html(rows, len(failures), now.choice("cause"), head=titles)
    clickable(
        "causes", drawn, key="explore_causes", on_choose=partial(state.toggle_choice, "cause")
    )
    if note := about_errors(run.scores.errors):
        st.caption(plain(note))
    unlogged = [one for one in failures if "replies" not in one.has]
    headers = [trace.header for trace in run.outlines.values()]
    # a navigator that asks no model has no replies: their absence says nothing
    uses_model = any(header.model is not None or header.source is not None for header in headers)
    if unlogged and uses_model:
        st.caption(
            f"{len(unlogged)} of {plain(plural(len(failures), 'failure'))} came without the model's"
            " replies: prompts, thoughts and plans would show more causes. Open the run with its"
            " logs."
        )
    with st.container(horizontal=True):
        show_repairing(run, explained)
        _slices(run, explained, counts)


def _row(count: CauseCount) -> CauseRow:
    value = count.id if count.id is not None else NO_CAUSE_ID
    name = count.name[:1].upper() + count.name[1:]
    return CauseRow(
        value,
        name,
        count.grade == "hint",
        count.id is None,
        count.likely + count.hinted,
        share_text(count.failed),
    )


def _nothing_failed(explained: Mapping[str, EpisodeCauses]) -> None:
    if any(one.success for one in explained.values()):
        st.caption(
            "**Why it failed**: no episode of this run failed. Open a run with failures to see"
            " their causes."
        )
        return
    st.caption(
        "**Why it failed**: nobody knows whether these episodes succeeded, so there is no failure"
        " to explain. Episodes need a goal; data sets keep it from their test splits."
    )


def _slices(
    run: OpenRun, explained: Mapping[str, EpisodeCauses], counts: Sequence[CauseCount]
) -> None:
    """Show how much more often an episode fails that has a cause, folded."""
    slices = find_slices(cause_features(explained), failed_episodes(run.scores))
    if not slices:
        return
    with st.popover("Causes as features of failure", key="explore_why_slices"):
        st.caption(f"Above 1, episodes with the cause fail more often. {CONFOUNDED}")
        names = {marks.HAS_CAUSE + str(count.id): count.name for count in counts}
        rows = []
        for part in slices:
            name = names.get(part.feature, part.feature)
            # the feature is an id there, and people read its name
            sentence = part.sentence.replace(part.feature, name)
            is_sure = part.p_adjusted < 0.05
            rows.append(
                SliceRow(part.feature, sentence, part.odds_ratio, part.low, part.high, is_sure)
            )
        drawn = slice_list_html(rows, state.episode_list().choice("feature"))
        clickable(
            "cause_slices",
            drawn,
            sheet="slices",
            key="explore_cause_slices",
            on_choose=partial(state.toggle_choice, "feature"),
        )
