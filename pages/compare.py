"""Compare: two to eight runs of an episode on one map, and whole runs."""

import streamlit as st

from navviz.ui.compare import page as compare
from navviz.ui.components import pickers
from navviz.ui.components.browser import copy_link
from navviz.ui.components.neighbours import neighbours, place_in_list, wait_for_list
from navviz.ui.state import shell

shell.page("compare")

with shell.row(top=True):
    run = pickers.choose_run(width=260, sketch="compare")
    episode = pickers.choose_episode(run) if run is not None else None
    buttons = st.container(horizontal=True, vertical_alignment="bottom", width="content")
if run is None or episode is None:
    st.stop()

# from their labels down: the second field grows with its runs
with st.container(horizontal=True, gap="small"):
    others = compare.choose_others(run, episode)
if not others:
    st.stop()

with shell.guard():
    wait_for_list(run)
    place = place_in_list(run, episode, others.values())
    with buttons:
        neighbours(place, "compare", "Of Explore's list, the episodes that all runs walked.")
        copy_link()
    compare.show(run, others, episode, place)
