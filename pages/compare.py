"""Compare: two to eight runs of an episode on one map, and whole runs."""

import streamlit as st

from navviz.ui.compare import flips
from navviz.ui.compare import page as compare
from navviz.ui.components import pickers
from navviz.ui.components.browser import copy_link
from navviz.ui.components.neighbours import neighbours, place_in_list, wait_for_list
from navviz.ui.state import shell

shell.page("compare")

with shell.row(top=True):
    run = pickers.choose_run(width=200, sketch="compare")
    fields = st.container(
        key="compare_fields", horizontal=True, vertical_alignment="center", gap="small"
    )
    buttons = st.container(horizontal=True, vertical_alignment="bottom", width="content")
if run is None:
    st.stop()
with fields:
    others = compare.choose_others(run)
if not others:
    st.stop()

with shell.guard():
    wait_for_list(run)
    flipped = flips.flips_of({run.name: run, **others})
    with fields:
        # without a wish, the first episode that flips
        episode = pickers.choose_episode(run, next(iter(flipped.episodes if flipped else ()), None))
    if episode is not None:
        place = place_in_list(run, episode, others.values())
        with buttons:
            neighbours(place, "compare", "Of Explore's list, the episodes that all runs walked.")
            copy_link()
        compare.show(run, others, episode, flipped, place)
