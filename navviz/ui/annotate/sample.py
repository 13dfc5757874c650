"""What Annotate says before anybody has rated: what it is for, and a sample study on one click."""

from __future__ import annotations

from itertools import chain, count

import streamlit as st

from navviz.annotation.sample_study import SAMPLE_QUEUES, load_sample_study
from navviz.errors import NavVizError
from navviz.ui.components.empty import show_picture
from navviz.ui.components.plain import plain
from navviz.ui.data.annotation_store import store
from navviz.ui.state.session import ActionMessage, current

SAMPLE_WORDS = (
    "102 invented ratings of the sample town by three invented annotators. Study › Set up"
    " deletes them again."
)
_GUEST = "guest"
_ANNOTATE = """**What this page is for**

- Judge whether an instruction alone leads to its goal, and how hard it is.
- Walk it yourself with only what an agent would see.
- Say why an agent failed, step by step, in the words of a taxonomy.
- Mark the landmarks in a text and link them to the map.

A researcher chooses the episodes on the page Study. One key rates one item."""


def offer_to_annotators() -> None:
    """Say what Annotate is for; offer the sample study where nobody needs a token and no queue is
    there.
    """
    with st.container(border=True, width=560):
        show_picture("rating")
        st.markdown(_ANNOTATE)
        if not offers_sample():
            return
        st.button(
            "Try it on the sample study",
            icon=":material/science:",
            key="annotate_sample",
            on_click=try_sample,
            kwargs={"as_guest": True},
        )
        st.caption(f"{SAMPLE_WORDS} You rate as “{plain(_free_guest())}”.")


def offers_sample() -> bool:
    """Whether the sample study may be loaded from here: nobody needs a token, and no queue of a
    real study is there that its invented ratings would mix with.
    """
    return not (store().tokens_required or store().study().queues.all())


def _free_guest() -> str:
    """Return a pseudonym that nobody has: two visitors who try the sample are not one annotator."""
    taken = {annotator.name for annotator in store().study().annotators.all()}
    names = chain([_GUEST], (f"{_GUEST} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def try_sample(*, as_guest: bool = False) -> None:
    """Load the sample study and open one of its queues, so that the next thing seen is an item to
    rate; a guest is signed in where nobody is.
    """
    opened, state = store(), current().annotate
    try:
        load_sample_study(opened.study())
        if state.desk is None and as_guest:
            state.desk, state.receipt = opened.sign_in(_free_guest(), None), ""
    except NavVizError as error:
        state.message = ActionMessage("error", str(error))
        return
    state.queue = SAMPLE_QUEUES["failure"][0]
