"""Batches: run a navigator over many episodes, and see how far each batch is."""

import streamlit as st

from navviz.ui.components import pickers
from navviz.ui.live.batches import form
from navviz.ui.live.batches import page as batches
from navviz.ui.state import shell

shell.page("batches")

with shell.row():
    run = pickers.choose_run("Episodes of")

left, right = st.columns((5, 11), gap="medium")
with left, shell.guard():
    if run is not None and (started := form.form(run)) is not None:
        batches.choose(started)
with right, shell.guard():
    batches.watch()
