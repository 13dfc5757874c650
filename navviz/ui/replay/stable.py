"""Stability: the other samples of a run, as a bundle on the map, with the junctions at which they
part.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from navviz.analysis.stability import JunctionEntropy, Stability, is_sample_of, stability
from navviz.records import Trace
from navviz.runs.opened import OpenRun
from navviz.ui.components.clickable import clickable
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state import shell
from navviz.views.figures.bundle import bundle_svg

_MOST = 12
_CSS = """
.nv-drawn { height: 380px; border: 1px solid var(--st-border-color); border-radius: 6px;
  overflow: hidden; }
.nv-drawn svg { width: 100%; height: 100%; display: block; }
"""


def show(run: OpenRun, episode: str) -> None:
    """Show the part where the run has further samples; they are read when it is opened."""
    samples = [source for source in visitor.sources() if is_sample_of(source.name, run.name)]
    others = [source for source in samples if not source.fault]
    if not others:
        return
    box = st.expander(
        "Do the samples agree?",
        icon=":material/hub:",
        key="replay_stable",
        on_change="rerun",
        bind="query-params",
    )
    if not box.open:
        return
    with box, shell.guard():
        opened = [cache.open_run(source) for source in others]
        # a sample that is still being walked may lack the episode
        having = [sample for sample in (run, *opened) if episode in sample.traces]
        walks: list[Trace] = [sample.traces[episode] for sample in having]
        if len(walks) < 2:
            st.caption("No other sample has walked this episode yet.")
            return
        _agreement(run, stability(walks))


def _agreement(run: OpenRun, stability: Stability) -> None:
    _figures(stability)
    rings = []
    for junction in stability.junctions:
        tooltip = f"{junction.node}: {junction.bits:.2f} bits"
        rings.append((junction.node, junction.bits, tooltip))
    reference = run.trace(stability.episode).episode.reference_path
    drawn = bundle_svg(
        run.graph(stability.episode), stability.links, stability.walks, rings, reference
    )
    clickable("bundle", drawn, _CSS, key="replay_bundle")
    credit = run.graph(stability.episode).info.attribution
    st.caption(
        "The wider a line, the more walks take that way; dashed: the reference path. Rings:"
        " junctions at which the walks part; the larger a ring, the more even the split."
        f" {credit or ''}"
    )
    if stability.junctions:
        _junction_table(stability)


def _figures(stability: Stability) -> None:
    """Show how far the walks agree."""
    with st.container(horizontal=True, gap="medium"):
        st.metric("Walks", stability.walks, width=110)
        st.metric(
            "Links in common",
            f"{100 * stability.overlap:.0f} %",
            width=170,
            help="Mean over pairs of walks (Jaccard).",
        )
        pairs = "Share of pairs of walks."
        st.metric("Same path", f"{100 * stability.same_path:.0f} %", width=140, help=pairs)
        st.metric("Same end", f"{100 * stability.same_end:.0f} %", width=140, help=pairs)
        st.metric(
            "Entropy",
            f"{stability.bits:.2f} bits",
            width=150,
            help="Of all junctions at which the walks part.",
        )


def _junction_table(stability: Stability) -> None:
    """Show the junctions at which the walks part, as many as the page has room for."""
    shown = stability.junctions[:_MOST]
    table = pd.DataFrame(
        {
            "node": [junction.node for junction in shown],
            "bits": [junction.bits for junction in shown],
            "ways": [_ways(junction) for junction in shown],
        }
    )
    st.dataframe(
        table,
        key=f"replay_stable_table_{stability.episode}",
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
