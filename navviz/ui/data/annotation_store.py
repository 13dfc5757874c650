"""The annotation store that all visitors of this server share, and its tasks by name."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.records import Task
from navviz.annotation.store import AnnotationStore, Desk, Study, database_url
from navviz.annotation.tickets import secret_key
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import serving
from navviz.ui.server.identity import door_name
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
    # a lead who came in by a link, or by the door, is asked for nothing again
    name = door_name()
    desk = opened.sit_down(name) if name else current().annotate.desk or returning()
    study = opened.study_of(desk) if desk is not None else None
    if study is not None:
        return study
    # on a server the ratings of others are for researchers alone
    if opened.tokens_required or serving() is not None:
        return None
    return opened.study()


# --- staying signed in: `st.context.cookies` are those with which the visit began


def desk_cookie() -> str:
    """Return the name of the cookie that holds the ticket of an annotator of this study."""
    return f"navviz_annotator_{store().study_id}"


def returning() -> Desk | None:
    """Return the desk of who signed in earlier in this browser; ``None`` where nobody did."""
    if current().annotate.signed_out:
        return None
    ticket = st.context.cookies.to_dict().get(desk_cookie())
    return store().sign_in_again(ticket, secret_key(workspace_dir())) if ticket else None
