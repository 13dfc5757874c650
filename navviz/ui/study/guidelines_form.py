"""The lead writes how to rate, with worked examples; annotators read it beside each item."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.guidelines import guidelines_of
from navviz.annotation.queues import MOST_GUIDELINES
from navviz.annotation.records import Queue
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.ui.components.browser import mount
from navviz.ui.components.plain import plain
from navviz.ui.state.session import forget_widget, widget
from navviz.ui.study.access import note

__all__ = ["guidelines_form"]

_FIELD = "evaluate_guidelines_field"
_SIGNS = (
    "## headings, - and 1. lists, **bold**, *slanted*, `code`. All else stays as it is written: no"
    " links, no HTML."
)


def guidelines_form(study: Study) -> None:
    """Show the guidelines of a queue to be edited, and beside them how annotators will see them."""
    queues = {queue.name: queue for queue in study.queues.all()}
    if not queues:
        return
    with st.expander(
        "Guidelines and worked examples", icon=":material/menu_book:", key="evaluate_guidelines"
    ):
        name = st.selectbox("Guidelines of", list(queues), key="evaluate_guidelines_queue")
        queue, key = queues[name], f"evaluate_guidelines_text_{name}"
        with st.container(key=_FIELD):
            text = st.text_area(
                "How to rate",
                guidelines_of(queue),
                key=key,
                height=260,
                max_chars=MOST_GUIDELINES,
                persist_state="session",
            )
        st.caption(plain(_SIGNS))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Save",
                type="primary",
                key="evaluate_guidelines_save",
                on_click=_save,
                args=(study, name, key),
            )
            st.button(
                "Take those that come with NavViz",
                key="evaluate_guidelines_drop",
                disabled=not queue.guidelines,
                on_click=_drop,
                args=(study, name, key),
            )
            st.caption(plain(_state(queue, text)), width="content")
        st.caption("So annotators see them:")
        data = {"text": text, "listensTo": f".st-key-{_FIELD} textarea"}
        mount("guide", key="evaluate_guidelines_preview", data=data, on={})


def _state(queue: Queue, text: str) -> str:
    if text.strip() != guidelines_of(queue).strip():
        return "Not saved yet."
    return (
        "Annotators have the study's own."
        if queue.guidelines
        else "Annotators have those that come with NavViz."
    )


def _save(study: Study, name: str, key: str) -> None:
    try:
        study.queues.guide(name, widget(key, ""), study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(f"The guidelines of {name} are saved; annotators see them when they open the queue.")


def _drop(study: Study, name: str, key: str) -> None:
    try:
        study.queues.guide(name, "", study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    forget_widget(key)
    note(f"{name} has the guidelines that come with NavViz again.")
