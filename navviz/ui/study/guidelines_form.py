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
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget, widget
from navviz.ui.study.access import note

_FIELD = "evaluate_guidelines_field"
_SIGNS = (
    "You can write ## heading, - list, 1. list, **bold**, *italic*, `code`; links and HTML stay"
    " plain text."
)


def guidelines_form(study: Study) -> None:
    """Show the guidelines of a queue to be edited, and beside them how annotators will see them."""
    queues = {queue.name: queue for queue in study.queues.all()}
    if not queues:
        shell.empty(
            "No queue yet",
            "Guidelines belong to a queue. Make one under Queues; its annotators read them beside"
            " each item.",
        )
        return
    name = st.selectbox("Guidelines of", list(queues), key="evaluate_guidelines_queue", width=420)
    queue, key = queues[name], f"evaluate_guidelines_text_{name}"
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(key=_FIELD):
            text = st.text_area(
                "How to rate",
                guidelines_of(queue),
                key=key,
                height=300,
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
                "Use NavViz's own",
                key="evaluate_guidelines_drop",
                disabled=not queue.guidelines,
                on_click=_drop,
                args=(study, name, key),
            )
            st.caption(plain(_state(queue, text)), width="content")
    with right:
        st.caption("What annotators see")
        # the browser follows the typing: Streamlit hands a text over when its field is left
        data = {"text": text, "listensTo": f".st-key-{_FIELD} textarea"}
        mount("guide", key="evaluate_guidelines_preview", data=data, on={})


def _state(queue: Queue, text: str) -> str:
    if text.strip() != guidelines_of(queue).strip():
        return "Not saved yet."
    return "Annotators see your text." if queue.guidelines else "Annotators see NavViz's text."


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
    # the field then shows the stored text again
    forget_widget(key)
    note(f"{name} has the guidelines that come with NavViz again.")
