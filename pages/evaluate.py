"""Evaluate: do annotators agree, and how do their ratings relate to the metrics."""

import streamlit as st

from navviz.ui.annotate import sample as annotate_sample
from navviz.ui.state import shell
from navviz.ui.state.shell import page_parts
from navviz.ui.study import access as evaluate_access
from navviz.ui.study import agreement as evaluate_agreement
from navviz.ui.study import charts as evaluate_charts
from navviz.ui.study import progress as evaluate_progress
from navviz.ui.study import progress_actions as evaluate_actions
from navviz.ui.study import relations as evaluate_relations
from navviz.ui.study import study as evaluate_study
from navviz.ui.study import tables as evaluate_tables

shell.page("evaluate")

SECTIONS = {
    "Agreement": evaluate_agreement.agreement,
    "Difficulty": evaluate_relations.difficulty,
    "Correlation": evaluate_relations.correlation,
    "Landmarks": evaluate_relations.landmarks,
    **page_parts("study"),
    "Tables": evaluate_tables.tables,
    "Charts": evaluate_charts.charts,
    "Study": evaluate_study.study_setup,
    "Progress": evaluate_progress.progress,
    "Exchange": evaluate_study.exchange,
}
OF_RATINGS = {"Agreement", "Difficulty", "Correlation", "Landmarks"}

with shell.guard():
    evaluate_access.messages()
    study = evaluate_access.study()
    if study is None:
        st.stop()
    done = evaluate_actions.done_queues(study)
    evaluate_actions.tell_of_done(study, done)
    section = st.segmented_control(
        "Section",
        list(SECTIONS),
        default="Agreement",
        format_func=lambda name: (
            f"Progress · {len(done)} done" if name == "Progress" and done else name
        ),
        key="evaluate_section",
        label_visibility="collapsed",
        required=True,
    )
    if section in OF_RATINGS and not study.ratings():
        annotate_sample.offer_to_researchers(study)
    else:
        SECTIONS[section](study)
