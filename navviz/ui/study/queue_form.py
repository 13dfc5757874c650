"""The form that makes a queue: task, episodes, order, who rates."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

from navviz.annotation.claims import CauseClaim
from navviz.annotation.episode_lists import read_episode_list
from navviz.annotation.exposure import shown_before
from navviz.annotation.order import sample
from navviz.annotation.records import ABOUT_RUNS, TASKS, Item, Queue, Task
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.support.guarded import decoded
from navviz.ui.components import measuring, pickers
from navviz.ui.components.plain import plain
from navviz.ui.data.annotation_store import TASK_NAMES
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget
from navviz.ui.study.access import note
from navviz.ui.study.queue_causes import choose_claims
from navviz.ui.study.queue_order import choose_order, ordered

Choice = Literal["all", "sample", "failures", "file"]
_CHOICES: dict[Choice, str] = {
    "all": "All",
    "sample": "A random sample",
    "failures": "Failures of this run",
    "file": "Those of a file",
}
_UNITS: dict[Task, str] = {"cause": "cause"}
"""What a task's items are, where they are no episodes."""


def new_queue(study: Study) -> None:
    """Show the form."""
    with st.container(border=True):
        st.markdown("**New queue**")
        with shell.row():
            run = pickers.choose_run("Episodes of")
        if run is None:
            return
        task: Task = st.segmented_control(
            "Task",
            list(TASKS),
            default="navigability",
            format_func=TASK_NAMES.__getitem__,
            key="evaluate_task",
            required=True,
        )
        items, how = _episodes(run, task)
        seed = _seed(study)
        if how == "sample":
            size = st.number_input(
                "Size", 1, len(items), min(50, len(items)), key="evaluate_size", width=140
            )
            items = sample(items, int(size), seed)
        claims: list[CauseClaim] = []
        if task == "cause":
            claims = choose_claims(run, [item.episode for item in items], seed)
            items = [claim.item for claim in claims]
        order = choose_order(study, run, task)
        queue = Queue(
            name=_name(),
            task=task,
            items=tuple(items),
            seed=seed,
            source=run.name,
            note=f"{_CHOICES[how]}, {run.name}",
            suggestions=_suggestions(task),
            **_people(study),
        )
        queue = ordered(study, run, queue, order)
        _warn(study, queue)
        st.caption(plain(f"{plural(len(queue.items), _UNITS.get(task, 'episode'))}."))
        st.button(
            "Make the queue",
            type="primary",
            disabled=not queue.name or not queue.items,
            key="evaluate_make",
            on_click=_create,
            args=(study, queue, claims),
        )


def _episodes(run: OpenRun, task: Task) -> tuple[list[Item], Choice]:
    """Return the items of the chosen episodes, before a sample is drawn."""
    how: Choice = st.segmented_control(
        "Episodes",
        list(_CHOICES),
        default="all",
        format_func=_CHOICES.__getitem__,
        key="evaluate_how",
        required=True,
    )
    # a judgement of a walk is about its run, one of a text holds for all runs
    shown = run.name if task in ABOUT_RUNS else ""
    items = [Item(dataset=dataset, episode=key, run=shown) for key, dataset in run.datasets.items()]
    if how == "failures":
        measuring.wait_for(run)
        items = [item for item in items if run.scores.rows[item.episode].get("SR") == 0]
    if how == "file":
        # the queue keeps the order of the file
        by_episode = {item.episode: item for item in items}
        items = [by_episode[episode] for episode in _listed(run) if episode in by_episode]
    return items, how


def _listed(run: OpenRun) -> tuple[str, ...]:
    """Return the episodes that a file names; those that the run does not have are told."""
    file = st.file_uploader(
        "File with episodes",
        key="evaluate_episodes_file",
        help="error_analysis.json of GROKE, or any list of ids.",
    )
    if file is None:
        return ()
    listed = read_episode_list(decoded(file.getvalue(), Path(file.name)), file.name)
    missing = [episode for episode in listed if episode not in run.traces]
    if missing:
        st.caption(
            f"{len(missing)} of {len(listed)} are not in this run:"
            f" {plain(', '.join(missing[:5]))} …"
        )
    return listed


def _seed(study: Study) -> int:
    """Ask for the seed; each new queue has another one, so that two queues do not share a draw."""
    used = [queue.seed for queue in study.queues.all()]
    fresh = max(used, default=-1) + 1
    return int(
        st.number_input(
            "Seed",
            0,
            10**6,
            min(fresh, 10**6),
            # another key for each new queue, so that the field takes the next seed
            key=f"evaluate_seed_{len(used)}",
            width=140,
            help="Of the sample, the shared items, the random order and the gold items.",
        )
    )


def _suggestions(task: Task) -> bool:
    if task != "failure":
        return False
    return st.toggle(
        "Show labels that the automatic analysis suggests",
        key="evaluate_suggestions",
        help=(
            "Off for labels whose agreement counts: annotators who read the same suggestion agree"
            " with it, and so with each other."
        ),
    )


def _name() -> str:
    text = st.text_input("Name of the queue", key="evaluate_queue_name", placeholder="pilot")
    return text.strip()


def _people(study: Study) -> dict[str, tuple[str, ...] | float]:
    """Return annotators and overlap, as a queue has them."""
    names = st.multiselect(
        "Annotators",
        [person.name for person in study.annotators.all()],
        accept_new_options=True,
        key="evaluate_names",
        placeholder="Everybody who comes gets all items",
    )
    overlap = 1.0
    if len(names) > 1:
        overlap = st.slider(
            "Share of items that all of them rate", 0.0, 1.0, 1.0, 0.05, key="evaluate_overlap"
        )
    return {"annotators": tuple(names), "overlap": overlap}


def _warn(study: Study, queue: Queue) -> None:
    """Warn where a walk would be no test: its route was shown, or will be."""
    before = shown_before(study, queue)
    if not before:
        return
    who = ", ".join(f"{name} ({count})" for name, count in before.items())
    most = max(before.values())
    of = f"{most} of {len(queue.items)} episodes"
    if queue.task == "follow":
        text = f"{of} were shown with their route to the same people in other queues: {who}."
        st.warning(f"{plain(text)} They walk these from memory.", icon=":material/visibility:")
        return
    st.warning(
        f"{plain(of)} still wait to be walked in *Follow it* by the same people: {plain(who)}."
        " This queue shows them the route first.",
        icon=":material/visibility:",
    )


def _create(study: Study, queue: Queue, claims: list[CauseClaim]) -> None:
    try:
        # before the queue: annotators may open it at once
        if claims:
            study.claims.put(claims)
        study.queues.create(queue)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    # the next queue needs another name
    forget_widget("evaluate_queue_name")
    note(f"The queue {queue.name} is ready on the page Annotate.")
