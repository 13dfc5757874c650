"""What changed between two walks of one episode: a line, and the whole of it."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from navviz.metrics.registry import is_near_radius
from navviz.records import Trace
from navviz.records.base import plural
from navviz.records.walker import same_walker
from navviz.runner.repairs import new_calls
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.views.compare import (
    cost_rows,
    diff_html,
    metric_changes,
    other_walker_sentence,
    plan_html,
    summary_sentence,
    usage_in_words,
)
from navviz.world.graph import Graph

_SIGNS = {True: "better", False: "worse", None: ""}


def _scores(trace: Trace, graph: Graph) -> Mapping[str, float | None]:
    return cache.scores(trace, graph)


def changed(old: Trace, new: Trace, graph: Graph) -> None:
    """One line: where two walks part and what that did to the figures.

    Walks of other navigators, models or settings are unlike: that is said first, and they have no
    before and after. What reads the same in both has no badge.
    """
    before, after = _scores(old, graph), _scores(new, graph)
    unlike = other_walker_sentence(old, new, before, after)
    near = is_near_radius(new.episode.success_radius_m)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(unlike or summary_sentence(old, new, before, after), width="content")
        for change in [] if unlike else metric_changes(before, after, near=near):
            if change.better is not None and change.name in {"SR", "nDTW", "SPL"}:
                color = "green" if change.better else "red"
                # "success" says of itself what it is
                name = "" if change.name == "SR" else f"{change.name} "
                words = f"{name}{change.old} → {change.new}"
                st.markdown(f":{color}-badge[{plain(words)}]", width="content")


def details(
    old: Trace | None,
    new: Trace,
    graph: Graph,
    old_name: str,
    new_name: str,
    text: str = "",
    *,
    expanded: bool = True,
) -> None:
    """Instruction, plan, figures and cost of both walks; without `old`, of the new one beside the
    unedited `text`.
    """
    before = text if old is None else old.episode.instruction
    with st.expander("What changed", icon=":material/difference:", expanded=expanded):
        words, plans, figures = st.columns((5, 5, 6), gap="medium")
        with words:
            st.markdown("**Instruction**")
            if before == new.episode.instruction:
                st.caption("The same in both walks.")
            else:
                st.html(diff_html(before, new.episode.instruction))
        with plans:
            st.markdown("**Plan**")
            goals = new.sub_goals or new.episode.sub_goals
            st.html(
                plan_html(goals if old is None else old.sub_goals or old.episode.sub_goals, goals)
            )
        with figures:
            st.markdown("**Figures**")
            _figures(old, new, graph, old_name, new_name)


def _new_calls(new: Trace) -> str:
    """Say which calls of a fork were made for it: the trace holds the copied ones as well."""
    calls = new_calls(new)
    used = f" · {usage_in_words(calls)}" if calls else ""
    return f"New: {plural(len(calls), 'call')}{used}. Copied: {len(new.calls) - len(calls)}."


def _figures(old: Trace | None, new: Trace, graph: Graph, old_name: str, new_name: str) -> None:
    """Show the figures of both walks; which is better only where the walkers are alike."""
    like = old is not None and same_walker(old, new)
    near = is_near_radius(new.episode.success_radius_m)
    earlier = {} if old is None else _scores(old, graph)
    changes = metric_changes(earlier, _scores(new, graph), near=near)
    rows = []
    for change in changes:
        sign = _SIGNS[change.better if like else None]
        rows.append((change.name, change.old, change.new, sign))
    before = cost_rows(old) if old is not None else {}
    after = cost_rows(new)
    for name in before | after:
        rows.append((name, before.get(name, "–"), after.get(name, "–"), ""))
    # two walks of one run have one name
    names = (old_name, new_name if new_name != old_name else f"{new_name} (new)")
    table = pd.DataFrame(rows, columns=["figure", "before", "now", "change"])
    if old is None:
        table = table.drop(columns=["before", "change"])
    elif not like:
        table = table.drop(columns="change")
    heads = {
        "figure": st.column_config.TextColumn("", width="small"),
        "before": st.column_config.TextColumn(
            "Before" if like else names[0], help=plain(names[0]), width="small"
        ),
        "now": st.column_config.TextColumn(
            "Now" if like else names[1], help=plain(names[1]), width="small"
        ),
        "change": st.column_config.TextColumn("", width="small"),
    }
    if like:
        st.caption(f"Before: {plain(names[0])}. Now: {plain(names[1])}.")
    if new.header.forked_from is not None and new.calls:
        st.caption(plain(_new_calls(new)))
    show_table(
        table,
        f"Figures of {names[0]} and {names[1]}" if old is not None else f"Figures of {names[1]}",
        heads,
        most_rows=12,
    )
