"""What Compare opens with: by how much the runs differ, and the episodes that flip, each with the
act that decided it and what the other walk did there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from navviz.analysis.acts import decisive_act
from navviz.analysis.moves import turns_apart
from navviz.analysis.significance import Inference, compare_to_baseline
from navviz.analysis.tables import FAILED, SUCCEEDED, outcome_matrix
from navviz.errors import NavVizError
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.components.browser import clickable
from navviz.ui.components.charts import run_colours
from navviz.ui.components.plain import plain
from navviz.ui.state import state
from navviz.views.compare import short_names
from navviz.views.figures.lists import FlipRow, RunRow, run_differences_html

_MOST_TOLD = 40
"""Rows whose acts are worked out while the page opens: some 30 ms each."""
_MOST_ROWS = 200
_LISTED = 90
"""Letters of an instruction in a row."""


@st.cache_data(max_entries=24, show_spinner="Comparing the runs …")
def compared(of: tuple[Identity, ...], baseline: str, _runs: Mapping[str, OpenRun]) -> Inference:
    """Compare runs once for each choice: the resampling of eight runs takes seconds."""
    del of
    return compare_to_baseline({name: run.scores for name, run in _runs.items()}, baseline)


@dataclass(frozen=True)
class Flips:
    """How some runs differ, and on which episodes they end differently."""

    inference: Inference
    won: pd.DataFrame
    """Which run (column) succeeds on which episode (row)."""

    @property
    def groups(self) -> list[tuple[str, list[str]]]:
        """Which run solves some episodes that others do not, and their ids; the more first."""
        first = self.won[self.inference.baseline]
        rest = self.won.drop(columns=self.inference.baseline)
        name = str(rest.columns[0]) if len(rest.columns) == 1 else ""
        lost = (first == SUCCEEDED) & (rest == FAILED).any(axis=1)
        # of more than two runs, also where the first is like another one
        gained = ~lost & (self.won == FAILED).any(axis=1) & (self.won == SUCCEEDED).any(axis=1)
        groups = [
            (name, [str(key) for key in self.won.index[gained]]),
            (name and self.inference.baseline, [str(key) for key in self.won.index[lost]]),
        ]
        return sorted(groups, key=lambda group: -len(group[1]))

    @property
    def episodes(self) -> list[str]:
        """The ids, in the order of their rows."""
        return [key for _, keys in self.groups for key in keys]

    def leading(self, names: list[str], episode: str) -> list[str]:
        """Return the runs as the player shows them: of the first two the one that failed leads."""
        if episode in self.won.index:
            ends = [self.won.loc[episode, name] for name in names[:2]]
            if ends == [SUCCEEDED, FAILED]:
                return [names[1], names[0], *names[2:]]
        return names


def flips_of(runs: Mapping[str, OpenRun]) -> Flips | None:
    """Find them; nothing before all runs are measured, which the page below waits for."""
    if not all(run.complete for run in runs.values()):
        return None
    identities = tuple(run.source.identity for run in runs.values())
    try:
        inference = compared(identities, next(iter(runs)), dict(runs))
    except NavVizError as error:
        st.info(plain(error), icon=":material/info:")
        return None
    scores = {name: run.scores for name, run in runs.items()}
    return Flips(inference, outcome_matrix(scores, inference.comparison.episodes))


def show(
    flips: Flips, runs: Mapping[str, OpenRun], order: list[str], episode: str, note: str
) -> None:
    """Show the sentence, the runs with the colours that they have on the map (by `order`), and a
    row for each flip.
    """
    short, colours = short_names(list(runs)), dict(zip(order, run_colours(), strict=False))
    rows = []
    for name, run in runs.items():
        rows.append(_run_row(flips.inference, run, name, short[name], colours.get(name, "")))
    flipped, lines = flips.episodes, list[FlipRow]()
    heads = {}
    for name, keys in flips.groups:
        if keys and name:
            heads[keys[0]] = f"Only “{short[name]}” reaches the goal: {len(keys):,}"
    for number, key in enumerate(flipped[:_MOST_ROWS]):
        marks = [str(mark) for mark in flips.won.loc[key]]
        named = [flips.won.columns[marks.index(mark)] for mark in (FAILED, SUCCEEDED)]
        loser, winner = (runs[name] for name in named)
        if number < _MOST_TOLD:
            texts = _told((loser.source.identity, winner.source.identity), key, loser, winner)
        else:
            text = loser.instructions.get(key, "")
            texts = (text if len(text) <= _LISTED else f"{text[:_LISTED]}…", "")
        names = (short[named[0]], short[named[1]])
        lines.append(FlipRow(key, heads.get(key, ""), tuple(marks), names, *texts))
    html = run_differences_html(rows, headline(flips, short), lines, episode, note)
    with st.container(border=True, key="compare_headline"):
        clickable("run_differences", html, key="compare_flips", on_choose=_open)
        if len(flipped) > _MOST_ROWS:
            st.caption(f"The first {_MOST_ROWS} of {len(flipped):,} are listed.")
        if len(flipped) > 1:
            at = flipped.index(episode) if episode in flipped else -1
            steps = (
                ("Previous flip", "K", flipped[: max(at, 0)][-1:]),
                ("Next flip", "J", flipped[at + 1 :]),
            )
            with st.container(horizontal=True, gap="small"):
                for label, key, keys in steps:
                    st.button(
                        label,
                        key=f"compare_flip_{key}",
                        type="tertiary",
                        shortcut=key,
                        disabled=not keys,
                        on_click=_open,
                        args=tuple(keys[:1]),
                    )


def _open(episode: str) -> None:
    state.select(episode=episode)


@st.cache_data(max_entries=4096, show_spinner="Finding what decided the episodes …")
def _told(
    of: tuple[Identity, Identity], episode: str, _loser: OpenRun, _winner: OpenRun
) -> tuple[str, str]:
    """Return the act that the failed walk did not do, and what the other did where they part."""
    del of
    try:
        lost, won, graph = _loser.trace(episode), _winner.trace(episode), _loser.graph(episode)
        left = _loser.divergence(episode)
        act = decisive_act(lost, graph, left)
        apart = [] if _winner.pairs is not None else turns_apart((lost, won), graph)
    except NavVizError as error:
        return str(error), ""
    did = ""
    if apart:
        (_, failed), (_, went) = apart
        other = f"the other {failed}" if "stopped" in {failed, went} else "they part"
        did = f"{went} where {other}"
    return left.sentence if act is None else act.sentence, did


def _run_row(inference: Inference, run: OpenRun, name: str, short: str, colour: str) -> RunRow:
    success = inference.means.get(_success_metric(inference), {}).get(name)
    figures = []
    for stem in ("NE", "SPL"):
        # what stands for it in walks of continuous space
        names = (stem, f"{stem}_rec", f"{stem}_est")
        metric = next((each for each in names if each in inference.means), stem)
        mean = inference.means.get(metric, {}).get(name)
        if mean is not None:
            figures.append(f"{metric} {format_value(metric, mean.mean, near=run.is_near)}")
    rate = "–" if success is None else f"{100 * success.mean:.1f} % {_ends(success)}"
    difference = inference.difference(_success_metric(inference), name)
    against = ""
    if difference is not None:
        points = f"{100 * difference.interval.mean:+.1f} points {_ends(difference.interval)}"
        against = f"{points.rstrip()}, p {_p(difference.p)}, adjusted {_p(difference.p_holm)}"
    return RunRow(short, colour, rate, " · ".join(figures), against, name, run.eyes or "")


def _success_metric(inference: Inference) -> str:
    """Return the success that outcomes are about: as recorded where none is measured."""
    return "SR" if "SR" in inference.means else "SR_rec"


def _ends(of: Interval) -> str:
    if of.low is None or of.high is None:
        return ""
    return f"[{round(100 * of.low)}, {round(100 * of.high)}]"


def _p(p: float | None) -> str:
    if p is None:
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}"


def headline(flips: Flips, short: Mapping[str, str]) -> str:
    """Say in one sentence how far the runs differ and how many episodes flip."""
    names, inference, n = list(flips.won.columns), flips.inference, len(flips.won)
    flipped = len(flips.episodes)
    flip = f"{plural(flipped, 'episode')} {'flips' if flipped == 1 else 'flip'}"
    if len(names) > 2:
        return f"{len(names)} runs differ on {flipped} of {plural(n, 'shared episode')}."
    first, second = (f"“{short[name]}”" for name in names)
    difference = inference.difference(_success_metric(inference), names[1])
    if difference is None:
        return (
            f"None of {plural(n, 'shared episode')} has an outcome that counts in both runs; edited"
            " and unfinished walks have none."
        )
    interval = difference.interval
    points = 100 * interval.mean
    if round(points, 1) == 0:
        sentence = f"{first} and {second} succeed equally often"
    else:
        better, other = (second, first) if points > 0 else (first, second)
        sentence = f"{better} is {abs(points):.1f} points better than {other}"
    if interval.low is not None and interval.high is not None:
        sign = 100 if points >= 0 else -100
        ends = sorted(round(sign * end) for end in (interval.low, interval.high))
        sentence += f" [{ends[0]}, {ends[1]}]"
    sure = "" if difference.significant else ", no proven difference"
    return f"{sentence}, n {n}{sure}; {flip}."
