"""Known answers, as the lead gives them: typed, or taken from what was settled."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from navviz.annotation.records import (
    TASKS,
    Difficulty,
    FailureLabel,
    Failures,
    Item,
    Navigability,
    Task,
    Value,
)
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.ui.components import pickers
from navviz.ui.components.rating_history import described
from navviz.ui.data.annotation_store import TASK_NAMES
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget, widget
from navviz.ui.study.access import note, taxonomy
from navviz.ui.study.known_bulk import bulk_answers

_TYPED: tuple[Task, ...] = ("navigability", "difficulty", "failure")
"""Tasks whose answer can be typed here; others are taken from a settled rating."""


def known_answers(study: Study) -> None:
    """Show the known answers of a task, and ways to give more, about the episodes of a run."""
    with shell.row():
        run = pickers.choose_run("Episodes of")
    if run is None:
        return
    st.caption(
        "Training rounds show the known answer after the annotator's; gold items check annotators"
        " without telling them. Only researchers see this page."
    )
    task: Task = st.segmented_control(
        "Task of the known answers",
        list(TASKS),
        default="navigability",
        format_func=TASK_NAMES.__getitem__,
        key="study_known_task",
        bind="query-params",
        persist_state="session",
        required=True,
    )
    right, left = st.columns([3, 2], gap="large")
    with left:
        _table(study, task)
        _settled(study, task)
    with right:
        if task in _TYPED:
            _typed(study, run, task)
        else:
            st.caption(
                "Answers of this task come from a file, or from ratings that you settle under"
                " Results › Agreement."
            )
        bulk_answers(study, run, task)


def _table(study: Study, task: Task) -> None:
    answers = study.known_answers.all(task)
    if not answers:
        st.caption("No known answer of this task yet. Answers that you give are listed here.")
        return
    rows = []
    for answer in answers.values():
        row = {"Episode": answer.item.episode, "Run": answer.item.run}
        row |= {"Answer": described(answer.value), "Comment": answer.comment, "By": answer.who}
        rows.append(row)
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        width="stretch",
        alt=f"Known answers: {TASK_NAMES[task]}",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        item = st.selectbox(
            "Forget the answer of",
            list(answers),
            format_func=_name,
            key=f"evaluate_known_item_{task}",
            width=260,
        )
        st.button("Forget", key="evaluate_known_forget", on_click=_forget, args=(study, item, task))


def _name(item: Item) -> str:
    return f"{item.episode} · {item.run or item.dataset}"


def _settled(study: Study, task: Task) -> None:
    answers = study.known_answers.all(task)
    decisions = [entry for entry in study.adjudicated(task) if entry.value is not None]
    # an answer that somebody gave stays: a settled rating does not replace it
    fresh = [decision for decision in decisions if decision.item not in answers]
    if fresh:
        st.button(
            f"Take over {len(fresh)} settled ratings",
            icon=":material/gavel:",
            key="evaluate_known_settled",
            on_click=_take_over,
            args=(study, [(decision.item, decision.value) for decision in fresh]),
        )


def _typed(study: Study, run: OpenRun, task: Task) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        episode = st.selectbox(
            "Episode", list(run.traces), key=f"evaluate_known_episode_{run.name}", width=180
        )
        value = _value(task)
    st.text(run.outlines[episode].episode.instruction)
    st.text_input("Why, for the training round", key="evaluate_known_why", max_chars=500)
    item = _item(run, task, episode)
    st.button(
        "Keep this answer", key="evaluate_known_keep", on_click=_keep, args=(study, item, value)
    )


def _item(run: OpenRun, task: Task, episode: str) -> Item:
    # labels of a failure are about one run; the other typed answers are about the instruction
    about = run.name if task == "failure" else ""
    return Item(dataset=run.outlines[episode].episode.dataset, episode=episode, run=about)


def _value(task: Task) -> Value:
    if task == "difficulty":
        levels: dict[str, int] = {}
        for axis in ("linguistic", "topological", "operational"):
            key = f"evaluate_known_{axis}"
            level = st.number_input(axis.capitalize(), 1, 10, 5, key=key, width=130)
            levels[axis] = int(level)
        return Difficulty(**levels)
    if task == "failure":
        book = taxonomy()
        names = {label.code: f"{label.code} {label.titles[-1]}" for label in book.labels()}
        codes = st.multiselect(
            "Labels", list(names), format_func=names.__getitem__, key="evaluate_known_codes"
        )
        labels = tuple(FailureLabel(code=code) for code in codes)
        return Failures(taxonomy=book.name, taxonomy_version=book.version, labels=labels)
    answer = st.segmented_control(
        "Can it be followed?",
        ["Yes", "No"],
        default="Yes",
        key="evaluate_known_navigable",
        required=True,
    )
    return Navigability(navigable=answer == "Yes")


def _keep(study: Study, item: Item, value: Value) -> None:
    try:
        study.known_answers.put(item, value, widget("evaluate_known_why", "").strip(), study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    # the next answer has a reason of its own
    forget_widget("evaluate_known_why")
    note(f"The answer of episode {item.episode} is known: {described(value)}.")


def _take_over(study: Study, answers: list[tuple[Item, Value]]) -> None:
    try:
        for item, value in answers:
            study.known_answers.put(item, value, value.comment, study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(f"{len(answers)} settled ratings are known answers now.")


def _forget(study: Study, item: Item, task: Task) -> None:
    try:
        study.known_answers.remove(item, task)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(
        f"The answer of episode {item.episode} is forgotten; queues that hold it stay as they are."
    )
