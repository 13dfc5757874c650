"""What differs between the runs, before anything else: success with intervals, and the episodes
that flipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from navviz.analysis.significance import P_AND_INTERVAL, Inference, compare_to_baseline
from navviz.analysis.tables import FAILED, SUCCEEDED, outcome_matrix
from navviz.errors import NavVizError
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.components.charts import run_colours
from navviz.ui.components.clickable import clickable
from navviz.ui.components.plain import plain
from navviz.ui.state import state
from navviz.views.compare import short_names
from navviz.views.figures.run_differences import RunRow, run_differences_html

_SIGNS = {SUCCEEDED: "✓ solved", FAILED: "✗ failed"}
_CSS = """
.nv-drawn { font: var(--nv-14)/1.4 var(--st-font); color: var(--st-text-color); }
.headline { margin: 0 0 8px; font-size: var(--nv-16); font-weight: 600; }
.rows { overflow-x: auto; }
.row { display: grid; min-width: 980px; gap: 12px; align-items: baseline; padding: 4px 0;
  grid-template-columns: minmax(140px, 2fr) 128px 132px 168px minmax(96px, 2fr) minmax(96px, 2fr)
  88px; border-top: 1px solid var(--st-border-color); font-variant-numeric: tabular-nums; }
.row.head { border-top: 0; font-size: var(--nv-12);
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
.note { margin: 8px 0 0; font-size: var(--nv-13); line-height: 1.35;
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
.name { display: flex; gap: 8px; align-items: baseline; overflow-wrap: anywhere;
  unicode-bidi: plaintext; }
.name i { flex: none; width: 20px; height: 4px; border-radius: 2px; transform: translateY(-3px); }
.episodes { display: flex; flex-wrap: wrap; gap: 4px; max-height: 48px; overflow-y: auto;
  scrollbar-width: thin; }
.episodes b { font-size: var(--nv-14); font-weight: 600; align-self: center; margin-right: 2px; }
.episodes small { font-size: var(--nv-12); align-self: center; }
.episodes button { all: unset; cursor: pointer; padding: 0 6px; border-radius: 4px;
  border: 1px solid var(--st-border-color); font-size: var(--nv-12); line-height: 20px; }
.episodes button:hover, .episodes button:focus-visible { border-color: var(--st-primary-color);
  color: var(--st-primary-color); }
.episodes button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
.episodes button[aria-pressed="true"] { background: var(--st-primary-color);
  border-color: var(--st-primary-color); color: var(--st-background-color); }
.episodes button[aria-pressed="true"]:focus-visible { outline-color: var(--st-background-color); }
"""


@st.cache_data(max_entries=24, show_spinner="Comparing the runs …")
def compared(of: tuple[Identity, ...], baseline: str, _runs: Mapping[str, OpenRun]) -> Inference:
    """Compare runs once for each choice: the resampling of eight runs takes seconds."""
    del of
    return compare_to_baseline({name: run.scores for name, run in _runs.items()}, baseline)


def show(runs: Mapping[str, OpenRun], episode: str) -> None:
    """Show the part; nothing before all runs are measured, which the page below waits for."""
    if not all(run.complete for run in runs.values()):
        return
    names = list(runs)
    try:
        inference = compared(
            tuple(run.source.identity for run in runs.values()), names[0], dict(runs)
        )
    except NavVizError as error:
        st.info(plain(error), icon=":material/info:")
        return
    won = outcome_matrix(
        {name: run.scores for name, run in runs.items()}, inference.comparison.episodes
    )
    rows, short, colours = [], short_names(names), run_colours()
    for number, name in enumerate(names):
        row = _row(inference, won, runs[name], name, colours[number], episode)
        eyes = runs[name].eyes or ""
        rows.append(replace(row, name=short[name], full_name=name, eyes=eyes))
    note = ""
    if inference.differences:
        note = f"{P_AND_INTERVAL} {inference.family_note}."
    html = run_differences_html(rows, _headline(inference, won), episode, note)
    with st.container(border=True, key="compare_headline"):
        clickable("run_differences", html, _CSS, key="compare_flips", on_choose=_open)


def _row(
    inference: Inference, won: pd.DataFrame, run: OpenRun, name: str, colour: str, episode: str
) -> RunRow:
    success = inference.means.get(_success_metric(inference), {}).get(name)
    figures = []
    for metric in (_of_runs(inference, "NE"), _of_runs(inference, "SPL")):
        mean = inference.means.get(metric, {}).get(name)
        if mean is not None:
            figures.append(f"{metric} {format_value(metric, mean.mean, near=run.is_near)}")
    here = "–"
    if episode in won.index:
        here = _SIGNS.get(str(won.loc[episode, name]), "–")
    gained, lost = _flips(won, inference.baseline, name)
    return RunRow(
        name,
        colour,
        _percent(success),
        " · ".join(figures),
        here,
        _difference(inference, name),
        gained,
        lost,
    )


def _flips(won: pd.DataFrame, first: str, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the episodes that only this run solves, and those that only the first one solves."""
    gained = won.index[(won[first] == FAILED) & (won[name] == SUCCEEDED)]
    lost = won.index[(won[first] == SUCCEEDED) & (won[name] == FAILED)]
    return tuple(map(str, gained)), tuple(map(str, lost))


def _success_metric(inference: Inference) -> str:
    """Return the success that outcomes are about: as recorded where none is measured."""
    return "SR" if "SR" in inference.means else "SR_rec"


def _of_runs(inference: Inference, metric: str) -> str:
    """Return the metric, or what stands for it in walks of continuous space."""
    names = (metric, f"{metric}_rec", f"{metric}_est")
    return next((name for name in names if name in inference.means), metric)


def _percent(rate: Interval | None) -> str:
    if rate is None:
        return "–"
    return f"{100 * rate.mean:.1f} % {_ends(rate)}"


def _ends(of: Interval) -> str:
    if of.low is None or of.high is None:
        return ""
    return f"[{100 * of.low:.0f}, {100 * of.high:.0f}]"


def _difference(inference: Inference, name: str) -> str:
    difference = inference.difference(_success_metric(inference), name)
    if difference is None:
        return ""
    points = 100 * difference.interval.mean
    figure = f"{points:+.1f} points {_ends(difference.interval)}".rstrip()
    return f"{figure}, p {_p(difference.p)}, adjusted {_p(difference.p_holm)}"


def _p(p: float | None) -> str:
    if p is None:
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}"


def _headline(inference: Inference, won: pd.DataFrame) -> str:
    """Say in one sentence how far the runs differ and on how many episodes."""
    names, episodes = list(won.columns), plural(len(won), "shared episode")
    differing = int(won.ne(won[names[0]], axis=0).any(axis=1).sum())
    if len(names) > 2:
        return f"{len(names)} runs differ on {differing} of {episodes}."
    difference = inference.difference(_success_metric(inference), names[1])
    if difference is None:
        return f"Nobody knows whether the {episodes} succeeded, so outcomes cannot be compared."
    gained, lost = _flips(won, names[0], names[1])
    sure = "no proven difference"
    if difference.significant:
        sure = f"“{names[1]}” is {'better' if difference.interval.mean > 0 else 'worse'}"
    ends = _ends(difference.interval)
    interval = f"95 % interval {ends}" if ends else "too few for an interval"
    return (
        f"{sure[0].upper()}{sure[1:]} (adjusted p {_p(difference.p_holm)}):"
        f" {100 * difference.interval.mean:+.1f} points of success, {interval}, p"
        f" {_p(difference.p)}, over {episodes}; {len(gained)} won, {len(lost)} lost."
    )


def _open(episode: str) -> None:
    state.select(episode=episode)
