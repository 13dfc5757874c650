"""Ratings of a study out of and into files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from navviz.annotation import label_studio
from navviz.annotation.claims import claims_in
from navviz.annotation.exchange import (
    OwnFormat,
    export,
    parse,
    rating_importers,
    take_in,
)
from navviz.annotation.flags import flags_of_study
from navviz.annotation.records import Item, has_box
from navviz.annotation.store import Study
from navviz.records.plural import plural
from navviz.support.guarded import decoded
from navviz.ui.components import pickers
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import audit, visitor
from navviz.ui.state import shell
from navviz.ui.study.access import taxonomy

_FORMATS: dict[OwnFormat, str] = {
    "jsonl": "JSON lines (everything)",
    "csv": "CSV table",
    "label_studio": "Label Studio JSON",
}


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
    sources = {source.name: source for source in visitor.sources()}
    texts: dict[tuple[str, str], str] = {}
    for name in dict.fromkeys(q.source for q in study.queues.all()):
        if name in sources:
            run = cache.open_run(sources[name])
            texts |= {(run.datasets[key], key): text for key, text in run.instructions.items()}
    # once each: several people rate an item
    items = dict.fromkeys(rating.item for rating in (*study.ratings(), *study.adjudicated()))
    claims = study.claims.all()
    shown = {}
    for item in items:
        text = texts.get((item.dataset, item.episode))
        if text is not None:
            claim = claims.get(item.claim)
            cause = "" if claim is None else f"\n\nStep {claim.cause.step}: {claim.cause.sentence}"
            shown[item] = text + cause
    return shown


def _export(study: Study) -> None:
    ratings = [*study.ratings(), *study.adjudicated()]
    st.text(f"{plural(len(ratings), 'rating')}, the adjudicated ones included.")
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
        label_studio.interface(taxonomy(), pictures=any(map(has_box, ratings))),
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
    # reads when the button is pressed: somebody may have rated since the page was drawn
    def make() -> bytes:
        ratings = [*study.ratings(), *study.adjudicated()]
        return export(
            ratings,
            form,
            _episodes(study),
            study.history(),
            taxonomy(),
            study.claims.all().values(),
            flags_of_study(study),
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
