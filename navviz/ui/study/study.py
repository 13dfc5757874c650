"""Setting up a study: queues, annotators, tokens; ratings out and in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pandas as pd
import streamlit as st

from navviz.annotation import label_studio
from navviz.annotation.episode_lists import read_episode_list
from navviz.annotation.exchange import OwnFormat, export, parse, rating_importers, take_in
from navviz.annotation.progress import queue_counts
from navviz.annotation.queues import sample
from navviz.annotation.records import TASKS, Item, Queue, QueueProgress, Task
from navviz.annotation.store import Study
from navviz.errors import InputError, NavVizError
from navviz.runs.opened import OpenRun
from navviz.ui.components import measuring, pickers
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.data.annotation_store import TASK_NAMES, store
from navviz.ui.server import audit
from navviz.ui.state import shell
from navviz.ui.state.session import current, forget_widget, set_widget, widget
from navviz.ui.study.access import note, taxonomy
from navviz.ui.study.queue_order import choose_order, ordered

__all__ = ["exchange", "study_setup"]

Choice = Literal["all", "sample", "failures", "file"]
_CHOICES: dict[Choice, str] = {
    "all": "All",
    "sample": "A random sample",
    "failures": "Failures of this run",
    "file": "Those of a file",
}
_FORMATS: dict[OwnFormat, str] = {
    "jsonl": "JSON lines (everything)",
    "csv": "CSV table",
    "label_studio": "Label Studio JSON",
}


def study_setup(study: Study) -> None:
    """Queues on the left, people on the right."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _queues(study)
        _new_queue(study)
    with right:
        _annotators(study)


def _queues(study: Study) -> None:
    st.subheader("Queues", anchor=False)
    queues = study.queues.all()
    if not queues:
        st.info(
            "No queue yet. Make one below; annotators find it on the page Annotate.",
            icon=":material/info:",
        )
        return
    rows: list[dict[str, object]] = []
    for queue in queues:
        for count in queue_counts(study, queue) or [_nobody(queue)]:
            row: dict[str, object] = {"Queue": queue.name, "Task": TASK_NAMES[queue.task]}
            row |= {"Annotator": count.annotator, "Rated": count.rated}
            rows.append(row | {"Skipped": count.skipped, "Of": count.total})
    # 38 and 35 px are a table's head and row; at most 300, so that the forms below stay in sight.
    height = min(38 + 35 * len(rows), 300)
    alt = "Progress of each annotator in each queue"
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch", height=height, alt=alt)
    with st.popover("Delete a queue", icon=":material/delete:", type="tertiary"):
        name = st.selectbox("Queue", [queue.name for queue in queues], key="evaluate_delete_name")
        st.caption("The ratings made in it stay.")
        st.button("Delete", key="evaluate_delete", on_click=_delete, args=(study, name))


def _nobody(queue: Queue) -> QueueProgress:
    return QueueProgress(queue=queue.name, annotator="", total=len(queue.items), rated=0, skipped=0)


def _delete(study: Study, name: str) -> None:
    try:
        study.queues.delete(name, study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    audit.note("deleted", f"queue {name}")
    note(f"The queue {name} is deleted; its ratings stay.")


def _new_queue(study: Study) -> None:
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
        how: Choice = st.segmented_control(
            "Episodes",
            list(_CHOICES),
            default="all",
            format_func=_CHOICES.__getitem__,
            key="evaluate_how",
            required=True,
        )
        with st.container(horizontal=True):
            seed = int(st.number_input("Seed", 0, 10**6, 0, key="evaluate_seed", width=140))
            size = len(run.traces)
            if how == "sample":
                size = int(
                    st.number_input(
                        "Size",
                        1,
                        len(run.traces),
                        min(50, len(run.traces)),
                        key="evaluate_size",
                        width=140,
                    )
                )
        listed = _listed(run) if how == "file" else None
        order = choose_order(study, run, task)
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
        name = st.text_input("Name of the queue", key="evaluate_queue_name", placeholder="pilot")
        queue = ordered(
            study, run, _made(run, task, how, seed, size, names, overlap, name, listed), order
        )
        st.caption(f"{len(queue.items)} episodes.")
        st.button(
            "Make the queue",
            type="primary",
            disabled=not name.strip() or not queue.items,
            key="evaluate_make",
            on_click=_create,
            args=(study, queue),
        )


def _listed(run: OpenRun) -> tuple[str, ...]:
    """Return the episodes that a file names; those that the run does not have are told."""
    file = st.file_uploader(
        "File with episodes",
        key="evaluate_episodes_file",
        help="error_analysis.json of GROKE, or any list of ids.",
    )
    if file is None:
        return ()
    try:
        listed = read_episode_list(file.getvalue().decode("utf-8"), file.name)
    except UnicodeDecodeError as error:
        raise InputError("is no text in UTF-8", "save it as UTF-8", file=file.name) from error
    missing = [episode for episode in listed if episode not in run.traces]
    if missing:
        st.caption(
            f"{len(missing)} of {len(listed)} are not in this run:"
            f" {plain(', '.join(missing[:5]))} …"
        )
    return listed


def _made(
    run: OpenRun,
    task: Task,
    how: Choice,
    seed: int,
    size: int,
    names: list[str],
    overlap: float,
    name: str,
    listed: tuple[str, ...] | None = None,
) -> Queue:
    shown = run.name if task in {"failure", "skill"} else ""
    items = [Item(dataset=dataset, episode=key, run=shown) for key, dataset in run.datasets.items()]
    if how == "failures":
        measuring.wait_for(run)
        items = [item for item in items if run.scores.rows[item.episode].get("SR") == 0]
    if how == "file":
        by_episode = {item.episode: item for item in items}
        items = [by_episode[episode] for episode in listed or () if episode in by_episode]
    if how == "sample":
        items = sample(items, size, seed)
    return Queue(
        name=name.strip(),
        task=task,
        items=tuple(items),
        annotators=tuple(names),
        overlap=overlap,
        seed=seed,
        source=run.name,
        note=f"{_CHOICES[how]}, {run.name}",
    )


def _create(study: Study, queue: Queue) -> None:
    try:
        study.queues.create(queue)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    forget_widget("evaluate_queue_name")
    note(f"The queue {queue.name} is ready on the page Annotate.")


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
        set_widget(f"evaluate_required_{not required}", not required)
        return
    note("From now on everybody needs a token." if required else "The study is open again.")


def exchange(study: Study) -> None:
    """Ratings out of and into files."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Export", anchor=False)
        _export(study)
    with right:
        st.subheader("Import", anchor=False)
        _import(study)


def _episodes(study: Study) -> dict[Item, str]:
    """Instructions of all rated items whose data is open."""
    sources = {source.name: source for source in cache.sources()}
    texts: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(q.source for q in study.queues.all()):
        if name in sources:
            run = cache.open_run(sources[name])
            texts |= {(run.datasets[key], key): text for key, text in run.instructions.items()}
    items = dict.fromkeys(rating.item for rating in (*study.ratings(), *study.adjudicated()))
    return {i: texts[i.dataset, i.episode] for i in items if (i.dataset, i.episode) in texts}


def _export(study: Study) -> None:
    ratings = [*study.ratings(), *study.adjudicated()]
    st.text(f"{len(ratings)} ratings, the adjudicated ones included.")
    files: dict[OwnFormat, tuple[str, str]] = {
        "jsonl": ("annotations.jsonl", "application/x-ndjson"),
        "csv": ("annotations.csv", "text/csv"),
        "label_studio": ("annotations.label-studio.json", "application/json"),
    }
    for form, (name, mime) in files.items():
        audit.download(
            _FORMATS[form],
            _maker(study, form),
            file_name=name,
            mime=mime,
            icon=":material/download:",
            on_click="ignore",
            disabled=not ratings,
            key=f"evaluate_export_{form}",
        )
    audit.download(
        "Label Studio labelling interface",
        label_studio.interface(taxonomy()),
        file_name="labelling-interface.xml",
        mime="application/xml",
        icon=":material/download:",
        help="Paste it under Settings, Labeling Interface, Code; then import the JSON.",
        on_click="ignore",
        key="evaluate_export_interface",
    )
    st.caption(
        "JSON lines also hold every change with who and when, the instructions and the taxonomy."
    )


def _maker(study: Study, form: OwnFormat) -> Callable[[], bytes]:
    def make() -> bytes:
        ratings = [*study.ratings(), *study.adjudicated()]
        return export(ratings, form, _episodes(study), study.history(), taxonomy()).encode()

    return make


def _import(study: Study) -> None:
    with shell.row():
        run = pickers.choose_run("Episodes that the ratings are about")
    importers = rating_importers()
    titles = dict[str, str](_FORMATS.items())
    for name, importer in importers.items():
        titles[name] = importer.title
    form: str = st.selectbox(
        "Format", list(titles), format_func=titles.__getitem__, key="evaluate_import_format"
    )
    file = st.file_uploader("File", key="evaluate_import_file")
    if file is None or run is None:
        return
    about_run = form in importers and importers[form].about_run
    about = run.name if about_run else ""
    run_items = [
        Item(dataset=dataset, episode=key, run=about) for key, dataset in run.datasets.items()
    ]
    try:
        imported, problems = parse(
            file.getvalue().decode("utf-8"), form, run_items, taxonomy(), file.name
        )
    except UnicodeDecodeError as error:
        raise InputError("is no text in UTF-8", "save it as UTF-8", file=file.name) from error
    people = {rating.annotator for rating in imported}
    st.text(f"{len(imported)} ratings by {len(people)} annotators can be imported.")
    shell.problems(problems)
    if st.button("Take them in", type="primary", disabled=not imported, key="evaluate_import"):
        saved, refused = take_in(study, imported)
        st.success(f"{saved} ratings are in.", icon=":material/check:")
        shell.problems(refused)
