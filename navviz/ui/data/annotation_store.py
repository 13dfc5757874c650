"""The annotation store that all visitors of this server share, and its tasks by name."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.records import Task
from navviz.annotation.store import AnnotationStore, Study, database_url
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import serving
from navviz.ui.state.session import current

TASK_NAMES: dict[Task, str] = {
    "navigability": "Navigability",
    "follow": "Follow it",
    "difficulty": "Difficulty",
    "failure": "Failure labels",
    "mentions": "Landmark mentions",
    "skill": "Right skill?",
    "cause": "Is this the cause?",
}
"""As pages write them."""


@st.cache_resource(show_spinner=False, max_entries=4)
def _store(url: str) -> AnnotationStore:
    return AnnotationStore(url)


def store() -> AnnotationStore:
    """Open the annotation store of this workspace or team; raises `StoreError` where it cannot be
    opened.
    """
    return _store(database_url(workspace_dir()))


def readable_study() -> Study | None:
    """Return the study for whoever looks; ``None`` where a researcher's token is needed first."""
    study = current().evaluate.study
    if study is not None:
        return study
    opened = store()
    # on a server the ratings of others are for researchers alone
    if opened.tokens_required or serving() is not None:
        return None
    return opened.study()
