"""Live: edit the instruction, run a navigator, and see what changes."""

from functools import partial

import streamlit as st

from navviz.ui.components import neighbours, pickers
from navviz.ui.live import chosen, stage, start
from navviz.ui.live import draw as live_draw
from navviz.ui.live import fork as live_fork
from navviz.ui.state import shell

shell.page("live")
live_fork.read_url()

with shell.row():
    run = pickers.choose_run()
    episode = pickers.choose_episode(run) if run is not None else None
    if run is not None and episode is not None:
        live_draw.switch()
if run is None or episode is None:
    st.stop()

left, right = st.columns((4, 11), gap="medium")
drawing, walk = right.container(), right.container()
of = None
with drawing, shell.guard():
    of = chosen.setting(run, episode)
if of is not None:
    with left, shell.guard():
        start.start(of, start.edit(of))
    with walk, shell.guard():
        stage.watch(of, partial(neighbours.to, run, episode))
else:
    left.caption("Click a start and a goal on the map.")
