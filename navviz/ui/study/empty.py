"""What a part of Study shows before there is anything in it: what it will show, and one button."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.sample_study import load_sample_study
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.ui.components.empty import show_picture
from navviz.ui.components.plain import plain
from navviz.ui.study.access import note

_NOTE = "102 invented ratings of the sample town by three invented annotators; Queues deletes them."


def offer_sample(study: Study, title: str, shows: str) -> None:
    """Say what a part will show, and offer the sample study.

    Parameters
    ----------
    study
        Where the sample's ratings go.
    title
        What is missing, as a heading.
    shows
        What the part shows once there are ratings: text and list items, without emphasis.
    """
    with st.container(border=True, width=720):
        show_picture("study")
        st.markdown(f"**{plain(title)}**\n\n{plain(shows)}")
        st.button(
            "Load the sample study",
            icon=":material/science:",
            type="primary",
            key="evaluate_sample",
            on_click=_load,
            args=(study,),
        )
        st.caption(_NOTE)


def _load(study: Study) -> None:
    try:
        count = load_sample_study(study)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(f"The sample study is here: {count} ratings, all of them invented.")
