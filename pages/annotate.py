"""Annotate: rate instructions and label failures, one item after the other."""

import streamlit as st

from navviz.ui import shell
from navviz.ui.annotate import desk as annotate_desk
from navviz.ui.annotate import sample as annotate_sample
from navviz.ui.annotate import session as annotate_session

shell.page("annotate")

with shell.guard():
    annotate_session.messages()
    with st.container(horizontal=True, gap="medium"):
        desk = annotate_session.desk()
        if desk is None:
            annotate_sample.offer_to_annotators(annotate_session.store())
    if desk is None:
        st.stop()
    work = annotate_session.choose_work(desk)
    if work is not None:
        annotate_desk.show(work)
