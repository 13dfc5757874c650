"""Setting up a study: queues, annotators, tokens."""

from __future__ import annotations

from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from navviz.annotation.progress import queue_counts
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.ui.components.plain import plain
from navviz.ui.data.annotation_store import TASK_NAMES, store
from navviz.ui.server import audit
from navviz.ui.state.address import below_server
from navviz.ui.state.session import current, set_widget, widget
from navviz.ui.study.access import note
from navviz.ui.study.queue_form import new_queue


def study_setup(study: Study) -> None:
    """Show the form for a queue on the left, queues and people on the right."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        new_queue(study)
    with right:
        _queues(study)
        _annotators(study)


def _queues(study: Study) -> None:
    st.subheader("Queues", anchor=False)
    queues = study.queues.all()
    if not queues:
        st.info(
            "No queue yet. Make one on the left; annotators find it on the page Annotate.",
            icon=":material/info:",
        )
        return
    rows: list[dict[str, object]] = []
    for queue in queues:
        counts = queue_counts(study, queue)
        rated, total = sum(count.rated for count in counts), sum(count.total for count in counts)
        row: dict[str, object] = {"Queue": queue.name, "Task": TASK_NAMES[queue.task]}
        row |= {"Rated": f"{rated} of {total or len(queue.items)}", "Annotators": len(counts)}
        row["Link"] = below_server(f"/annotate?{urlencode({'queue': queue.name})}")
        rows.append(row)
    # 38 and 35 px are a table's head and row; at most 213, so that the people below stay in sight
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        width="stretch",
        height=min(38 + 35 * len(rows), 213),
        alt="Queues, how far they are, and the link that annotators open",
        column_config={
            "Link": st.column_config.LinkColumn(
                "Link", display_text="open", width="small", help="Send it to annotators."
            )
        },
    )
    with st.popover("Delete a queue", icon=":material/delete:", type="tertiary"):
        name = st.selectbox("Queue", [queue.name for queue in queues], key="evaluate_delete_name")
        st.caption("The ratings made in it stay.")
        st.button("Delete", key="evaluate_delete", on_click=_delete, args=(study, name))


def _delete(study: Study, name: str) -> None:
    try:
        study.queues.delete(name, study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    audit.note("deleted", f"queue {name}")
    note(f"The queue {name} is deleted; its ratings stay.")


def _annotators(study: Study) -> None:
    st.subheader("Annotators", anchor=False)
    people = study.annotators.all()
    if people:
        rows = []
        for person in people:
            token = "yes" if person.has_token else "no"
            rows.append({"Name": person.name, "Role": person.role, "Token": token})
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            width="stretch",
            alt="Annotators, their roles and tokens",
        )
    shown, current().evaluate.token = current().evaluate.token, None
    if shown is not None:
        name, token = shown
        st.success(f"Token of {plain(name)}; it is shown once:", icon=":material/key:")
        st.code(token, language=None)
    with st.form("evaluate_person", border=True):
        st.text_input(
            "Pseudonym",
            key="evaluate_person_name",
            help="A new one is added; a known one gets a new token.",
        )
        st.segmented_control(
            "Role",
            ["annotator", "researcher"],
            default="annotator",
            key="evaluate_role",
            required=True,
        )
        st.form_submit_button("Give a token", on_click=_give_token, args=(study,))
    required = study.annotators.tokens_required
    st.toggle(
        "Require a token to sign in",
        value=required,
        # another key after a change, so that the switch shows what is stored
        key=f"evaluate_required_{required}",
        on_change=_require,
        args=(study, not required),
        help=(
            "Then annotators cannot read or write as another, and this page is for researchers"
            " only."
        ),
    )
    st.caption(f"Stored in {plain(store().name)}")


def _give_token(study: Study) -> None:
    name, role = widget("evaluate_person_name", "").strip(), widget("evaluate_role")
    try:
        if name not in {person.name for person in study.annotators.all()}:
            study.annotators.add(name, role or "annotator")
        current().evaluate.token = (name, study.annotators.set_token(name))
    except NavVizError as error:
        note(str(error), failed=True)


def _require(study: Study, required: bool) -> None:
    try:
        study.annotators.require_tokens(required=required)
    except NavVizError as error:
        note(str(error), failed=True)
        # the switch goes back: nothing was stored
        set_widget(f"evaluate_required_{not required}", not required)
        return
    note("From now on everybody needs a token." if required else "The study is open again.")
