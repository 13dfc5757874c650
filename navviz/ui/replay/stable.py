"""Stability: the other samples of a run, as a bundle on the map, with the junctions at which they part."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from navviz.analysis.stability import JunctionEntropy, Stability, is_sample_of, stability
from navviz.records import Trace
from navviz.runs.opened import OpenRun
from navviz.ui.components.clickable import clickable
from navviz.ui.data import cache
from navviz.ui.state import shell
from navviz.views.figures.bundle import bundle_svg

__all__ = ["show"]

_MOST = 12
_CSS = """
.nv-drawn { height: 380px; border: 1px solid var(--st-border-color); border-radius: 6px; overflow: hidden; }
.nv-drawn svg { width: 100%; height: 100%; display: block; }
"""


def show(run: OpenRun, episode: str) -> None:
    """Show the part where the run has further samples; they are read when it is opened."""
    others = [source for source in cache.sources() if is_sample_of(source.name, run.name) and not source.fault]
    if not others:
        return
    box = st.expander("Do the samples agree?", icon=":material/hub:", key="replay_stable", on_change="rerun")
    if not box.open:
        return
    with box, shell.guard():
        opened = [cache.open_run(source) for source in others]
        walks: list[Trace] = [one.traces[episode] for one in (run, *opened) if episode in one.traces]
        if len(walks) < 2:
            st.caption("No other sample has walked this episode yet.")
            return
        _agreement(run, stability(walks))


def _agreement(run: OpenRun, told: Stability) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.metric("Walks", told.walks, width=110)
        st.metric(
            "Links in common", f"{100 * told.overlap:.0f} %", width=170, help="Mean over pairs of walks (Jaccard)."
        )
        st.metric("Same path", f"{100 * told.same_path:.0f} %", width=140, help="Share of pairs of walks.")
        st.metric("Same end", f"{100 * told.same_end:.0f} %", width=140, help="Share of pairs of walks.")
        st.metric("Entropy", f"{told.bits:.2f} bits", width=150, help="Of all junctions at which the walks part.")
    rings = [(one.node, one.bits, f"{one.node}: {one.bits:.2f} bits") for one in told.junctions]
    reference = run.trace(told.episode).episode.reference_path
    drawn = bundle_svg(run.graph(told.episode), told.links, told.walks, rings, reference)
    clickable("bundle", drawn, _CSS, key="replay_bundle")
    credit = run.graph(told.episode).info.attribution
    st.caption(
        "The wider, the more walks take the way; dashed: the reference path. Rings: junctions at which the walks part, "
        f"the larger the more evenly. {credit or ''}"
    )
    if told.junctions:
        table = pd.DataFrame(
            {
                "node": [one.node for one in told.junctions[:_MOST]],
                "bits": [one.bits for one in told.junctions[:_MOST]],
                "ways": [_ways(one) for one in told.junctions[:_MOST]],
            }
        )
        st.dataframe(
            table,
            key=f"replay_stable_table_{told.episode}",
            hide_index=True,
            column_config={
                "node": st.column_config.TextColumn("Junction", width="medium"),
                "bits": st.column_config.NumberColumn("Entropy (bits)", format="%.2f", width="small"),
                "ways": st.column_config.TextColumn("Next node (walks)", width="large"),
            },
            alt="Junctions at which the walks part",
        )


def _ways(junction: JunctionEntropy) -> str:
    return ", ".join(f"{after} ({count})" for after, count in junction.choices)
