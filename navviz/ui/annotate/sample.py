"""What Annotate says before anybody has rated: what it is for, and a sample study on one click."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.sample_study import SAMPLE_QUEUES, load_sample_study
from navviz.annotation.store import AnnotationStore
from navviz.errors import NavVizError
from navviz.ui.annotate import session as annotate_session
from navviz.ui.components.empty import show_picture
from navviz.ui.data.annotation_store import store
from navviz.ui.state.session import current

_GUEST = "guest"
_ANNOTATE = """**What this page is for**

- Judge whether an instruction alone leads to its goal, and how hard it is.
- Walk it yourself with only what an agent would see.
- Say why an agent failed, step by step, in the words of a taxonomy.
- Mark the landmarks in a text and link them to the map.

A researcher chooses the episodes on the page Study. One key rates one item."""
_SAMPLE = (
    "102 invented ratings of the sample town by three invented annotators. Study › Set up"
    " deletes them again."
)


def offer_to_annotators(store: AnnotationStore) -> None:
    """Say what Annotate is for; offer the sample study where nobody needs a token and no queue is
    there.
    """
    with st.container(border=True, width=560):
        show_picture("rating")
        st.markdown(_ANNOTATE)
        if store.tokens_required or store.study().queues.all():
            return
        st.button(
            "Try it on the sample study",
            icon=":material/science:",
            key="annotate_sample",
            on_click=_try_it,
        )
        st.caption(f"{_SAMPLE} You rate as “{_GUEST}”.")


def _try_it() -> None:
    """Load the sample and sign in, so that the next thing seen is an item to rate."""
    opened = store()
    try:
        load_sample_study(opened.study())
        current().annotate.desk = opened.sign_in(_GUEST, None)
    except NavVizError as error:
        annotate_session.note("error", str(error))
        return
    current().annotate.queue = SAMPLE_QUEUES["failure"][0]
