"""The parts of the Compare page: two runs of an episode on one map."""

from __future__ import annotations

import streamlit as st

from navviz.analysis.stand_ins import stand_in_warning
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.ui import cache
from navviz.ui.compare import whole_runs
from navviz.ui.components.player import player
from navviz.ui.live import result as live_result
from navviz.ui.session import current

__all__ = ["choose_other", "show"]


def choose_other(run: OpenRun, episode: str) -> OpenRun | None:
    """Selectbox of the other runs; ``None`` where there is none, or it has not walked the episode."""
    sources = {source.name: source for source in cache.sources() if source.name != run.name}
    if not sources:
        st.info("There is only one run here; open another one, or run a navigator on the Live page.")
        return None
    names = list(sources)
    wanted: str = st.query_params.get("other") or current().compared_with or ""
    chosen = st.selectbox(
        "Compared with",
        names,
        index=names.index(wanted) if wanted in names else _alike(run, names),
        key=f"compare_box_{run.name}",
        on_change=_forget_link,
    )
    current().compared_with = chosen
    st.query_params["other"] = chosen
    try:
        other = cache.open_run(sources[chosen])
    except NavVizError as error:
        st.error(str(error), icon=":material/error:")
        return None
    if episode not in other.traces:
        st.warning(f"Run “{other.name}” has no episode “{episode}”; choose another run or episode.")
        return None
    return other


def _forget_link() -> None:
    st.query_params.pop("other", None)


def _alike(run: OpenRun, names: list[str]) -> int:
    """Index of a run of the same data set, as its name tells."""
    place = run.name.partition("/")[0]
    return next((i for i, name in enumerate(names) if name.partition("/")[0] == place), 0)


def show(run: OpenRun, other: OpenRun, episode: str) -> None:
    """Both walks in one player, and what differs."""
    new, old, graph = run.trace(episode), other.trace(episode), run.graph(episode)
    live_result.changed(old, new, graph)
    warning = stand_in_warning(new, old)
    if warning is not None:
        st.warning(warning, icon=":material/warning:")
    player(cache.document(run, episode, other), key=f"compare_{run.name}_{other.name}_{episode}")
    live_result.details(old, new, graph, other.name, run.name)
    whole_runs.show(run, other, episode)
