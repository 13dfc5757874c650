"""Setting up a study: queues, annotators, tokens, guidelines, and its answers as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from navviz.annotation import label_studio
from navviz.annotation.claims import claims_in
from navviz.annotation.columns import data_dictionary, parquet_of
from navviz.annotation.exchange import OwnFormat, export, parse, rating_importers, take_in
from navviz.annotation.guidelines import guidelines_of
from navviz.annotation.progress import flags_of_study, queue_counts
from navviz.annotation.queues import MOST_GUIDELINES, PARTS
from navviz.annotation.records import Item, Queue, Rating, has_box
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.records.base import plural
from navviz.support.guarded import decoded
from navviz.ui.components import pickers
from navviz.ui.components.browser import mount
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.ui.data.annotation_store import TASK_NAMES, store
from navviz.ui.server import audit, visitor
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget, set_widget, widget
from navviz.ui.state.state import below_server
from navviz.ui.study.access import note, taxonomy
from navviz.ui.study.invitations import invitations
from navviz.ui.study.queue_form import new_queue


def study_setup(study: Study) -> None:
    """Show the form for a queue on the left, queues and people on the right."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        new_queue(study)
    with right:
        _queues(study)
        st.subheader("Annotators", anchor=False)
        invitations(study)
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
    show_table(
        rows,
        "Queues, how far they are, and the link that annotators open",
        {
            "Link": st.column_config.LinkColumn(
                "Link", display_text="open", width="small", help="Send it to annotators."
            )
        },
        most_rows=5,
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


def _require(study: Study, required: bool) -> None:
    try:
        study.annotators.require_tokens(required=required)
    except NavVizError as error:
        note(str(error), failed=True)
        # the switch goes back: nothing was stored
        set_widget(f"evaluate_required_{not required}", not required)
        return
    note("From now on everybody needs a token." if required else "The study is open again.")


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


_Written = Literal[OwnFormat, "parquet", "dictionary"]

_FORMATS: dict[OwnFormat, str] = {
    "jsonl": "JSON lines (everything)",
    "csv": "CSV table",
    "label_studio": "Label Studio JSON",
}

_FILES: dict[_Written, tuple[str, str, str]] = {
    "jsonl": (_FORMATS["jsonl"], "annotations.jsonl", "application/x-ndjson"),
    "csv": (_FORMATS["csv"], "annotations.csv", "text/csv"),
    "parquet": ("Parquet table", "annotations.parquet", "application/vnd.apache.parquet"),
    "dictionary": ("Data dictionary of the tables", "annotations.json", "application/json"),
    "label_studio": (
        _FORMATS["label_studio"],
        "annotations.label-studio.json",
        "application/json",
    ),
}
"""Label, name and type of each file that can be written."""


def exchange(study: Study) -> None:
    """Ratings out of and into files."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Export", anchor=False)
        ratings = _exported(study)
        st.text(f"{plural(len(ratings), 'rating')}, those of training and settled ones included.")
        for form, (label, name, mime) in _FILES.items():
            audit.download(
                label,
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
            label_studio.interface(taxonomy(), pictures=any(map(has_box, ratings))),
            file_name="labelling-interface.xml",
            mime="application/xml",
            icon=":material/download:",
            help="Paste it under Settings, Labeling Interface, Code; then import the JSON.",
            on_click="ignore",
            key="evaluate_export_interface",
        )
        st.caption(
            "JSON lines also hold every change with who and when, instructions and taxonomy."
        )
    with right:
        st.subheader("Import", anchor=False)
        _import(study)


def _exported(study: Study) -> list[Rating]:
    return [*study.ratings(parts=PARTS), *study.adjudicated()]


def _maker(study: Study, form: _Written) -> Callable[[], bytes]:
    # reads when the button is pressed: somebody may have rated since the page was drawn
    def make() -> bytes:
        ratings, places = _exported(study), study.queues.placed()
        if form == "dictionary":
            return data_dictionary(taxonomy()).encode()
        if form == "parquet":
            return parquet_of(ratings, places, flags_of_study(study))
        if form == "label_studio":
            # its tasks have no place for the part of a queue
            ratings = [*study.ratings(parts={"main", "gold"}), *study.adjudicated()]
        # the instructions of all rated items whose data is open
        sources = {source.name: source for source in visitor.sources()}
        texts: dict[tuple[str, str], str] = {}
        for name in dict.fromkeys(q.source for q in study.queues.all()):
            if name in sources:
                run = cache.open_run(sources[name])
                texts |= {(run.datasets[key], key): text for key, text in run.instructions.items()}
        # once each: several people rate an item
        items = dict.fromkeys(rating.item for rating in ratings)
        claims = study.claims.all()
        shown = {}
        for item in items:
            text = texts.get((item.dataset, item.episode))
            if text is not None:
                claim = claims.get(item.claim)
                if claim is not None:
                    text += f"\n\nStep {claim.cause.step}: {claim.cause.sentence}"
                shown[item] = text
        return export(
            ratings,
            form,
            shown,
            study.history(),
            taxonomy(),
            study.claims.all().values(),
            flags_of_study(study),
            places,
        ).encode()

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
    text = decoded(file.getvalue(), Path(file.name))
    imported, problems = parse(text, form, run_items, taxonomy(), file.name)
    people = {rating.annotator for rating in imported}
    counted = plural(len(imported), "rating")
    st.text(f"{counted} by {plural(len(people), 'annotator')} can be imported.")
    shell.problems(problems)
    if st.button("Take them in", type="primary", disabled=not imported, key="evaluate_import"):
        # first: a judgement of a cause is about a claim
        if form == "jsonl":
            study.claims.put(claims_in(text))
        saved, refused = take_in(study, imported)
        st.success(f"Taken in: {plain(plural(saved, 'rating'))}.", icon=":material/check:")
        shell.problems(refused)
