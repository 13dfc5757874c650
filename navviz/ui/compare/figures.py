"""Figures, plans and instructions of the walks of one episode beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd
import streamlit as st

from navviz.metrics.free_walks import METRICS as FREE_METRICS
from navviz.metrics.registry import format_of_episode, is_near_radius
from navviz.metrics.score import finished_only
from navviz.records import SubGoal, Trace
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.views.compare import (
    column_head,
    cost_rows,
    diff_html,
    outcome_words,
    plan_html,
    short_names,
)
from navviz.world.graph import Graph

_BESIDE = 3
_FIGURES = (
    "NE", "SR", "OSR", "SPL", "nDTW", "SDTW", "TL", "steps", "ISR", "CSR", "CGT",
    *(metric.name for metric in FREE_METRICS),
)  # fmt: skip


def show_side_by_side(traces: Mapping[str, Trace], graph: Graph) -> None:
    """Show figures, plans and instructions of all walks beside each other, by the names of the
    runs.
    """
    scores, costs = {}, {}
    lines: dict[str, dict[str, str]] = {"outcome": {}}
    for name, trace in traces.items():
        scores[name] = finished_only(trace, cache.scores(trace, graph))
        costs[name] = cost_rows(trace)
        lines["outcome"][name] = outcome_words(trace, scores[name])
    for figure in _FIGURES:
        values = {name: scores[name].get(figure) for name in traces}
        if any(value is not None for value in values.values()):
            lines[figure] = {}
            for name, trace in traces.items():
                near = is_near_radius(trace.episode.success_radius_m)
                lines[figure][name] = format_of_episode(figure, values[name], near=near)
    # a figure of cost that a single run has gets a row too
    for figure in dict.fromkeys(chain.from_iterable(costs.values())):
        lines.setdefault(figure, {name: costs[name].get(figure, "–") for name in traces})
    # half a page has room for the columns of three runs
    left, right = (st.container(), st.container())
    if len(traces) <= _BESIDE:
        left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Figures**")
        short = short_names(list(traces))
        frame = pd.DataFrame.from_dict(lines, orient="index", columns=list(traces))
        frame = frame.rename_axis("figure").rename(columns=short)
        # by itself a column is as wide as a short name, and cuts its outcome
        wide = {}
        for name, label in short.items():
            head = column_head(label)
            wide[label] = st.column_config.Column(
                head, width=max(120, 9 * len(head)), help=plain(name)
            )
        show_table(frame, "Figures of the walks beside each other", wide, hide_index=None)
    with right:
        _instructions(traces)
        st.markdown("**Plans**")
        _plans(traces)


def _instructions(traces: Mapping[str, Trace]) -> None:
    """Show what was edited in each instruction against the first one's."""
    short = short_names(list(traces))
    texts = {short[name]: trace.episode.instruction for name, trace in traces.items()}
    (first, mine), *others = texts.items()
    edited = [(name, text) for name, text in others if text != mine]
    if edited:
        st.markdown("**Instructions**")
    for name, text in edited:
        st.caption(f"{plain(name)}, against {plain(first)}")
        st.html(diff_html(mine, text))


def _planless(name: str, first: str, *, has_plan: bool) -> str:
    if has_plan:
        return f"{name} made a plan; {first} made none."
    return f"{name} made no plan."


def _plans(traces: Mapping[str, Trace]) -> None:
    """Show each plan against the first one's."""
    short = short_names(list(traces))
    plans = {
        short[name]: trace.sub_goals or trace.episode.sub_goals for name, trace in traces.items()
    }
    (first, mine), *others = plans.items()
    if all(not plan for plan in plans.values()):
        st.caption("No run made a plan.")
        return
    same = [name for name, plan in others if mine and _words(plan) == _words(mine)]
    if same:
        st.caption(plain(_same_plan(same, first, everyone=len(same) == len(others))))
    for name, plan in others:
        if name in same:
            continue
        if not plan or not mine:
            # a plan against none would be a list of struck or new lines
            st.caption(plain(_planless(name, first, has_plan=bool(plan))))
            continue
        st.caption(f"{plain(name)}, against {plain(first)}")
        st.html(plan_html(mine, plan))


def _words(plan: Sequence[SubGoal]) -> list[str]:
    return [goal.description for goal in plan]


def _same_plan(same: Sequence[str], first: str, *, everyone: bool) -> str:
    """Say once who has the first one's plan: eight lines that say the same hide the one that
    differs.
    """
    if len(same) == 1:
        return f"{same[0]}: the plan of {first}"
    if everyone:
        return f"All have the plan of {first}."
    return f"{', '.join(same)}: the plan of {first}"
