"""Replay: one episode, step by step, in step with the map."""

import streamlit as st

from navviz.ui.components import pickers, player
from navviz.ui.components.browser import copy_link
from navviz.ui.components.empty import introduction
from navviz.ui.components.neighbours import neighbours, place_in_list, wait_for_list
from navviz.ui.replay import links, talk, words
from navviz.ui.replay import page as replay
from navviz.ui.state import shell

shell.page("replay")

with shell.row(top=True):
    run = pickers.choose_run(width=260, sketch="replay")
    episode = pickers.choose_episode(run) if run is not None else None
    if run is not None and episode is not None:
        wait_for_list(run)
        place = place_in_list(run, episode)
        neighbours(
            place, "replay", "Explore's filters and sort decide which episodes, in which order."
        )
        copy_link()
        with shell.guard():
            player.choose_panels(run.trace(episode), run.graph(episode))
if run is None or episode is None:
    st.stop()

introduction(pickers.ask_open)
with shell.guard():
    replay.show(run, episode)
    replay.take_along(run, episode)
    talk.show()
    words.show(run, episode)
    links.show(run, episode)
    words.show_stable(run, episode)
    shell.problems(run.problems)
