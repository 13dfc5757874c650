"""What somebody sees who starts NavViz for the first time: a failure, at the step where it left the
route.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from navviz.errors import NavVizError
from navviz.runs.episode_list import EpisodeList
from navviz.runs.sources import samples
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state.address import below_server
from navviz.ui.state.session import current

_LIST = EpisodeList(sort="NE", descending=True).with_choice("outcome", ("failure",))


def welcome() -> None:
    """Lead a newcomer from the bare address to the first look; anybody else goes where they
    wanted.
    """
    # once a session: whoever comes back to the bare address later wants that page
    first, current().begun = not current().begun, True
    path = urlsplit(st.context.url or "none").path
    bare = not st.query_params and path.rstrip("/") == below_server("/").rstrip("/")
    if first and bare and visitor.is_newcomer():
        place = first_look()
        if place is not None:
            st.switch_page("pages/replay.py", query_params=place)


def first_look() -> dict[str, str] | None:
    """Return the link of the wrong turn in the first sample that ended farthest from its goal, at
    its step.

    The link's list is the run's failures, the worst first, so that the next one is a key away.
    ``None`` where the sample has no wrong turn, or cannot be read.
    """
    try:
        run = cache.open_run(samples()[0])
        failures = _LIST.with_choice("failure", ("wrong turn",)).apply(cache.whole_table(run))
    except (NavVizError, IndexError):
        return None
    if failures.empty:
        return None
    episode = str(failures.iloc[0]["episode"])
    step = run.divergence(episode).step
    return {"run": run.name, "episode": episode, "step": str(step or 1)} | _LIST.to_query()
