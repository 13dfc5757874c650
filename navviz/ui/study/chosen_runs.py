"""Which runs the tables and charts of the Study page are about, and who rated their episodes'
difficulty.
"""

from __future__ import annotations

from itertools import chain

import streamlit as st

from navviz.analysis.walks import Difficulties, ScoredWalk, difficulties_beside, walks_of
from navviz.annotation.questions import difficulty_ratings
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.metrics.difficulty import bands
from navviz.runs.run import OpenRun
from navviz.ui.components import measuring
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state import state

_MOST = 8


def choose_runs() -> dict[str, OpenRun]:
    """Multiselect of all runs; the choice holds for tables and charts, and stands in the address.

    Runs that cannot be read are named and left out.
    """
    listed = {source.name: source for source in visitor.sources() if not source.fault}
    selected = state.selection().run
    usual = [selected] if selected in listed else list(listed)[:1]
    chosen = st.multiselect(
        "Runs",
        list(listed),
        default=usual,
        key="study_runs",
        bind="query-params",
        persist_state="session",
        max_selections=_MOST,
        placeholder="choose one or more",
        help="Open others on the Explore page.",
    )
    opened: dict[str, OpenRun] = {}
    for name in chosen:
        try:
            opened[name] = cache.open_run(listed[name])
        except NavVizError as error:
            st.error(plain(error), icon=":material/error:")
    measuring.wait_for(*opened.values())
    return opened


def difficulties(study: Study, runs: dict[str, OpenRun]) -> Difficulties:
    """Return the bands by the ratings of this study, else by a file of ratings at the results."""
    rated = difficulty_ratings(study.ratings("difficulty"))
    walked = set(chain.from_iterable(run.traces for run in runs.values()))
    # bands are normalised over these episodes: ratings of others would shift them
    own = {episode: levels for episode, levels in rated.items() if episode in walked}
    if own:
        return Difficulties(bands(own), "the ratings made here")
    places = [run.source.results for run in runs.values() if run.source.results is not None]
    return difficulties_beside(places) or Difficulties()


def walks(study: Study, runs: dict[str, OpenRun]) -> tuple[list[ScoredWalk], Difficulties]:
    """Return the walks of the chosen runs, and the ratings that their bands come from."""
    given = difficulties(study, runs)
    return walks_of(runs, given), given
