"""Explore: a run's headline figures, its episodes as a table and as a gallery."""

import streamlit as st

from navviz.ui import cache, shell, state
from navviz.ui.components import pickers
from navviz.ui.explore import page as explore

shell.page("explore")

with shell.row():
    run = pickers.choose_run()
if run is None:
    st.stop()

with shell.guard():
    explore.headline(run)
    shell.problems(run.problems)
    shell.broken_plugins()
    table = cache.episode_table(run)
    shown = explore.filters(table)
    view = explore.count(shown, table)
    opened = explore.gallery(run, shown) if view == "Gallery" else explore.table(shown, run.name)
    if opened is not None:
        state.select(episode=opened)
        st.switch_page("pages/replay.py", query_params={"run": run.name, "episode": opened})
