"""Annotate: rate instructions and label failures, one item after the other."""

import streamlit as st

from navviz.ui.annotate import desk as annotate_desk
from navviz.ui.annotate import session as annotate_sample
from navviz.ui.annotate import session as annotate_session
from navviz.ui.state import shell

shell.page("annotate")

with shell.guard():
    annotate_session.messages()
    with st.container(horizontal=True, gap="medium"):
        desk = annotate_session.desk()
        if desk is None:
            annotate_sample.offer_to_annotators()
    # Without `st.stop()`, after which Streamlit keeps the desk's fragments: what the window sent
    # last as one signs out would run one of them on the form to sign in, which then vanishes.
    work = annotate_session.choose_work(desk) if desk is not None else None
    if work is not None:
        annotate_desk.show(work)
