"""The annotation store that all visitors of this server share, and its tasks by name."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.records import Task
from navviz.annotation.store import AnnotationStore, database_url
from navviz.runs.sources import workspace_dir

__all__ = ["TASK_NAMES", "store"]

TASK_NAMES: dict[Task, str] = {
    "navigability": "Navigability",
    "follow": "Follow it",
    "difficulty": "Difficulty",
    "failure": "Failure labels",
    "mentions": "Landmark mentions",
    "skill": "Right skill?",
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
