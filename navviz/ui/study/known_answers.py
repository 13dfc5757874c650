"""Known answers, as the lead gives them: typed, or taken from what was settled."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from navviz.annotation.gold import KnownRow, read_known
from navviz.annotation.records import (
    ABOUT_RUNS,
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
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.support.guarded import decoded
from navviz.ui.components import pickers
from navviz.ui.components.plain import plain
from navviz.ui.components.rating_history import described
from navviz.ui.components.widgets import BOUND, show_table
from navviz.ui.data.annotation_store import TASK_NAMES
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget, widget
from navviz.ui.study.access import note, taxonomy

_EXAMPLES: dict[Task, str] = {
    "navigability": "episode,answer,comment\n12,yes,\n15,no,the second right is missing",
    "difficulty": "episode,linguistic,topological,operational\n12,3,4,2",
    "failure": "episode,answer\n12,E1.1 A3.1\n15,",
    "cause": "episode,claim,answer\n12,c0123456789abcdef,yes",
}

_OTHER = 'episode,value\n12,"{...}"'

_SHOWN = 50


def bulk_answers(study: Study, run: OpenRun, task: Task) -> None:
    """Take a table of known answers, and show what it holds before it is kept."""
    st.subheader("Many at once", anchor=False)
    text = st.text_area(
        "Paste a table or JSON",
        key=f"evaluate_known_bulk_{task}",
        height=120,
        placeholder=_EXAMPLES.get(task, _OTHER),
        help='CSV, rows copied from a spreadsheet, or JSON such as {"12": "yes"}.',
    )
    file = st.file_uploader("or a file", type=["csv", "tsv", "json"], key="evaluate_known_file")
    name = "the pasted text"
    if file is not None:
        name = file.name
        text = decoded(file.getvalue(), Path(name))
    if not text.strip():
        return
    with shell.guard():
        good, refused = read_known(text, task, _items(study, run, task), taxonomy(), name)
        answers = study.known_answers.all(task)
        replaced = sum(row.item in answers for row in good)
        over = f", {replaced} of them in place of another answer" if replaced else ""
        total = plural(len(good) + len(refused), "row")
        st.text(f"{total}: {len(good)} can be kept{over}, {len(refused)} refused.")
        if good:
            rows = []
            for row in good[:_SHOWN]:
                rows.append({"Episode": row.item.episode, "Answer": described(row.value)})
            show_table(rows, "Answers that can be kept", most_rows=5)
        if refused:
            listed = "\n".join(f"- {plain(row)}" for row in refused[:_SHOWN])
            st.warning(f"Refused:\n\n{listed}", icon=":material/block:")
        st.button(
            f"Keep {plural(len(good), 'answer')}",
            type="primary",
            disabled=not good,
            key="evaluate_known_bulk_keep",
            on_click=_keep_bulk,
            args=(study, task, good),
        )


def _items(study: Study, run: OpenRun, task: Task) -> list[Item]:
    """Return the items of the run that may have a known answer."""
    if task == "cause":
        claims = study.claims.all().values()
        return [claim.item for claim in claims if claim.run == run.name]
    shown = run.name if task in ABOUT_RUNS else ""
    return [Item(dataset=dataset, episode=key, run=shown) for key, dataset in run.datasets.items()]


def _keep_bulk(study: Study, task: Task, rows: list[KnownRow]) -> None:
    try:
        for row in rows:
            study.known_answers.put(row.item, row.value, row.comment, study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    forget_widget(f"evaluate_known_bulk_{task}")
    note(f"{plural(len(rows), 'known answer')} kept.")


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
        required=True,
        **BOUND,
    )
    right, left = st.columns([3, 2], gap="large")
    with left:
        _table(study, task)
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
    with right:
        if task in _TYPED:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                episode = st.selectbox(
                    "Episode", list(run.traces), key=f"evaluate_known_episode_{run.name}", width=180
                )
                value = _value(task)
            st.text(run.outlines[episode].episode.instruction)
            st.text_input("Why, for the training round", key="evaluate_known_why", max_chars=500)
            # labels of a failure are about one run, the other typed answers about the instruction
            about = run.name if task == "failure" else ""
            item = Item(dataset=run.outlines[episode].episode.dataset, episode=episode, run=about)
            st.button(
                "Keep this answer",
                key="evaluate_known_keep",
                on_click=_keep,
                args=(study, item, value),
            )
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
    show_table(rows, f"Known answers: {TASK_NAMES[task]}")
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
