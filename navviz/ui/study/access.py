"""The researcher's side of the store, and what the sections of the Study page share."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from navviz.annotation.records import Item, Rating
from navviz.annotation.store import Study
from navviz.annotation.taxonomy import Taxonomy, workspace_taxonomy
from navviz.errors import NavVizError
from navviz.runs.opened import workspace_dir
from navviz.support.installation.serving import serving
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import pick
from navviz.ui.data.annotation_store import readable_study
from navviz.ui.data.annotation_store import store as open_store
from navviz.ui.server.door import fetch_cookie, say_refused, take_invitation
from navviz.ui.state.session import ActionMessage, current, forget_widget, widget


def study() -> Study | None:
    """Return the study; where it requires tokens, show the form for a researcher's first."""
    take_invitation()
    say_refused()
    study = readable_study()
    fetch_cookie(current().annotate.receipt, key="annotate_cookie")
    if study is not None:
        return study
    with st.container(border=True, width=460):
        st.subheader("Researchers only", anchor=False)
        if serving() is not None:
            st.caption(
                "Ratings and walks of others are for researchers with a token; the operator gives"
                " one."
            )
        with st.form("evaluate_sign_in", border=False):
            st.text_input("Pseudonym", key="evaluate_name")
            st.text_input("Token", key="evaluate_secret", type="password")
            st.form_submit_button("Open the study", type="primary", on_click=_sign_in)
    return None


def _sign_in() -> None:
    try:
        current().evaluate.study = open_store().study(
            widget("evaluate_name", ""),
            widget("evaluate_secret") or None,
            shared=serving() is not None,
        )
    except NavVizError as error:
        note(str(error), failed=True)
    # a token must not stay in the session
    forget_widget("evaluate_secret")


def taxonomy() -> Taxonomy:
    """Return the taxonomy of this workspace."""
    return workspace_taxonomy(workspace_dir())


def note(text: str, *, failed: bool = False) -> None:
    """Tell something in the next run of the page."""
    current().evaluate.message = ActionMessage("error" if failed else "done", text)


def messages() -> None:
    """Show what the last action had to say, once."""
    message, current().evaluate.message = current().evaluate.message, None
    if message is None:
        return
    if message.kind == "error":
        st.error(plain(message.text), icon=":material/error:")
    else:
        st.success(plain(message.text), icon=":material/check:")


def queue_filter(study: Study) -> Sequence[Item] | None:
    """Selectbox to look at one queue only; ``None`` for all items."""
    queues = {queue.name: queue for queue in study.queues.all()}
    if not queues:
        return None
    labels = {f"Queue {q.name}": (*q.items, *q.gold) for q in queues.values()}
    chosen = pick("Items", ["All items", *labels], "study_items", width=240)
    return labels.get(chosen)


def of_queue(ratings: Sequence[Rating], items: Sequence[Item] | None) -> list[Rating]:
    """Only the ratings of some items."""
    wanted = None if items is None else set(items)
    return [rating for rating in ratings if wanted is None or rating.item in wanted]
