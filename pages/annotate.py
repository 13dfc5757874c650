"""Annotate: rate instructions and label failures, one item after the other."""

import streamlit as st

from navviz.ui import shell
from navviz.ui.annotate import edit_history
from navviz.ui.annotate import failures as annotate_failures
from navviz.ui.annotate import follow as annotate_follow
from navviz.ui.annotate import mentions as annotate_mentions
from navviz.ui.annotate import rate as annotate_rate
from navviz.ui.annotate import sample as annotate_sample
from navviz.ui.annotate import session as annotate_session
from navviz.ui.annotate import skills as annotate_skills

shell.page("annotate")

PARTS = {
    "navigability": annotate_rate.navigability,
    "difficulty": annotate_rate.difficulty,
    "follow": annotate_follow.follow,
    "failure": annotate_failures.failures,
    "mentions": annotate_mentions.mentions,
    "skill": annotate_skills.skills,
}

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
        PARTS[work.queue.task](work)
        edit_history.own_history(work)
