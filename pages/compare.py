"""Compare: two runs of an episode on one map, and what differs."""

import streamlit as st

from navviz.ui import shell
from navviz.ui.compare import page as compare
from navviz.ui.components import pickers

shell.page("compare")

with shell.row():
    run = pickers.choose_run()
    episode = pickers.choose_episode(run) if run is not None else None
    other = compare.choose_other(run, episode) if run is not None and episode is not None else None
if run is None or episode is None or other is None:
    st.stop()

with shell.guard():
    compare.show(run, other, episode)
