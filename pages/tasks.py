"""Tasks: write tasks of several parts about a world, and cut an expert's walk into step tasks
(NavGen of LH-VLN).
"""

import streamlit as st

from navviz.ui.components import pickers
from navviz.ui.state import shell
from navviz.ui.systems import lhvln as tasks

shell.page("tasks")

with shell.row():
    run = pickers.choose_run()
    episode = pickers.choose_episode(run) if run is not None else None
if run is None or episode is None:
    st.stop()

forward, backward = st.tabs(["Write tasks", "Cut a walk"])
with forward, shell.guard():
    tasks.forward(run, episode)
with backward, shell.guard():
    tasks.backward(run, episode)
