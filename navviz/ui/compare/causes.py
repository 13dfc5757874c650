"""Why two runs fail: which likely causes vanished and which came, episode by episode."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from navviz.analysis.causes.changes import CauseChange, CauseChanges, cause_changes
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.paired_runs import PairedRun
from navviz.errors import NavVizError
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.clickable import clickable
from navviz.ui.components.finding import MOST_AT_ONCE, begin_finding, found_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.state import address, state
from navviz.views.compare import short_names
from navviz.views.figures.cause_changes import ChangeRow, cause_changes_html

_CSS = """
.nv-drawn { font: var(--nv-13)/1.35 var(--st-font); color: var(--st-text-color); max-width: 900px; }
.row { display: grid; grid-template-columns: 12px minmax(160px, 1fr) repeat(5, 72px); gap: 10px;
  align-items: center; padding: 3px 8px; border-radius: 5px; }
.head, .episodes > span {
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
summary { list-style: none; cursor: pointer; } summary::-webkit-details-marker { display: none; }
summary:hover, summary:focus-visible { background: var(--st-secondary-background-color); }
summary:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
.turn::before { content: "›"; display: inline-block; }
details[open] .turn::before { transform: rotate(90deg); }
.count { text-align: right; font-variant-numeric: tabular-nums; }
.strong .name { font-weight: 600; }
.episodes { display: flex; flex-wrap: wrap; gap: 4px; align-items: baseline;
  margin: 2px 8px 6px 30px; }
.episodes > span { width: 84px; }
.episode { all: unset; cursor: pointer; padding: 1px 6px; border-radius: 4px;
  border: 1px solid var(--st-border-color); font-variant-numeric: tabular-nums; }
.episode:hover, .episode:focus-visible { border-color: var(--st-primary-color);
  color: var(--st-primary-color); }
"""


def show(runs: Mapping[str, OpenRun]) -> None:
    """Show how the likely causes of failures differ between the first run and another one."""
    if not all(run.complete for run in runs.values()):
        return
    with st.container(border=True, key="compare_causes"):
        names = list(runs)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Why they fail**", width="content")
            second = names[1]
            if len(names) > 2:
                second = address.box(
                    "Compared with",
                    names[1:],
                    name="causes",
                    format_func=short_names(names).__getitem__,
                    key="compare_causes_second",
                    width=320,
                )
        both: list[Mapping[str, EpisodeCauses]] = []
        for name in (names[0], second):
            # causes of a larger run take minutes: the bar below lets the user say when
            if len(runs[name].traces) <= MOST_AT_ONCE:
                begin_finding(runs[name])
            explained = found_or_bar(runs[name], f"compare_causes_{name}", name)
            if explained is None:
                return
            both.append(_by_ids_of_the_first(runs[name], explained))
        try:
            changes = cause_changes(*both)
        except NavVizError as error:
            st.caption(plain(error))
            return
        short = short_names(names)
        _changes(changes, short[names[0]], short[second])


def _by_ids_of_the_first(
    run: OpenRun, explained: Mapping[str, EpisodeCauses]
) -> Mapping[str, EpisodeCauses]:
    """Return the causes of a paired run under the ids of the run beside it."""
    if not isinstance(run, PairedRun):
        return explained
    return {key: explained[own] for key, own in run.partners.items() if own in explained}


def _changes(causes: CauseChanges, first: str, second: str) -> None:
    count = plural(len(causes.episodes), "episode")
    if not causes.changes:
        st.caption(f"Neither run fails in any of the {plain(count)} that both walked.")
        return
    rows = [_row(change) for change in causes.changes]
    clickable(
        "cause_changes", cause_changes_html(rows), _CSS, key="compare_cause_rows", on_choose=_open
    )
    st.caption(
        plain(
            f"Over the {count} that both walked. Vanished: “{first}” failed for this likely cause,"
            f" “{second}” did not; came: the other way round. McNemar's exact p, adjusted over the"
            " table (Holm). A cause that vanished may have become another one. Open a row for its"
            " episodes."
        )
    )


def _row(change: CauseChange) -> ChangeRow:
    return ChangeRow(
        change.name,
        change.vanished,
        change.came,
        len(change.stayed),
        f"{_p(change.p)} {_p(change.p_holm)}",
        change.p_holm < 0.05,
    )


def _p(p: float) -> str:
    return "<.001" if p < 0.001 else f"{p:.3f}"


def _open(episode: str) -> None:
    state.select(episode=episode)
