"""Failure labels beside the replay."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.records import FailureLabel, Failures
from navviz.annotation.taxonomy import Label, Taxonomy, workspace_taxonomy
from navviz.runs.opened import workspace_dir
from navviz.ui import cache
from navviz.ui.annotate.session import Work, save, saved_line, value
from navviz.ui.components.player import Action, player
from navviz.ui.session import set_widget

__all__ = ["failures"]

_PLAYER_PX = 640


def failures(work: Work) -> None:
    """Show the replay, the labels so far, and the form for one more."""
    taxonomy = workspace_taxonomy(workspace_dir())
    held = value()
    now = held if isinstance(held, Failures) else None
    if now is not None and now.taxonomy_version != taxonomy.version:
        now, lost = taxonomy.translate(now)
        if lost:
            st.warning(f"No place in version {taxonomy.version} for: {', '.join(lost)}; label these again.")
    left, right = st.columns([5, 2], gap="medium")
    with left:
        _replay(work)
    with right:
        _suggestions(work, now, taxonomy)
        _against_the_route(work, now, taxonomy)
        _form(work, now, taxonomy)
        _list(work, now, taxonomy)
        saved_line()


def _replay(work: Work) -> None:
    document = cache.document(work.run, work.item.episode)
    pressed = player(
        document, key=f"{work.key}_player", height=_PLAYER_PX, actions=[Action("label", "Label this step")]
    )
    if pressed is not None:
        set_widget(f"{work.key}_step", max(pressed.step, 0))


def _empty(taxonomy: Taxonomy) -> Failures:
    return Failures(taxonomy=taxonomy.name, taxonomy_version=taxonomy.version)


def _add(work: Work, now: Failures | None, taxonomy: Taxonomy, label: FailureLabel) -> None:
    base = now or _empty(taxonomy)
    if label not in base.labels:
        save(work, base.model_copy(update={"labels": (*base.labels, label)}))


def _suggestions(work: Work, now: Failures | None, taxonomy: Taxonomy) -> None:
    divergence = work.run.divergence(work.item.episode)
    codes = taxonomy.suggestions.get(divergence.kind, ())
    taken = now.codes if now else frozenset()
    for code in (code for code in codes if code not in taken):
        label = FailureLabel(code=code, step=divergence.step, suggested=True)
        _offer(work, now, taxonomy, label, "Suggested by the automatic analysis", divergence.sentence)


def _offer(
    work: Work, now: Failures | None, taxonomy: Taxonomy, label: FailureLabel, caption: str, sentence: str
) -> None:
    """Show one suggested label with its reason, and a button that takes it."""
    with st.container(border=True):
        st.caption(f":material/auto_awesome: {caption}")
        st.text(f"{label.code} {taxonomy.label(label.code).titles[-1]}. {sentence}")
        st.button(
            "Take it over", key=f"{work.key}_suggest_{label.code}", on_click=_add, args=(work, now, taxonomy, label)
        )


def _against_the_route(work: Work, now: Failures | None, taxonomy: Taxonomy) -> None:
    """Suggest labels for an instruction that its route contradicts, where the taxonomy names some."""
    for contradiction in cache.contradictions(work.run, work.item.episode):
        for code in taxonomy.suggestions.get(f"contradiction: {contradiction.kind}", ()):
            if now is None or code not in now.codes:
                caption = "The instruction does not fit its route"
                _offer(work, now, taxonomy, FailureLabel(code=code, suggested=True), caption, contradiction.sentence)


def _title(label: Label) -> str:
    return f"{label.code}  " + " › ".join(label.titles)


def _form(work: Work, now: Failures | None, taxonomy: Taxonomy) -> None:
    labels = {label.code: label for label in taxonomy.labels()}
    steps = len(work.run.trace(work.item.episode).steps)
    with st.container(border=True):
        code = st.selectbox(
            "Label",
            list(labels),
            index=None,
            format_func=lambda c: _title(labels[c]),
            key=f"{work.key}_code",
            placeholder="Type to search",
        )
        if code is not None and labels[code].help:
            st.caption(labels[code].help)
        step = st.number_input(
            "Step (0: the whole episode)", 0, max(steps, 1), key=f"{work.key}_step", help="Label this step fills it in."
        )
        note = st.text_input("Note", key=f"{work.key}_note")
        with st.container(horizontal=True):
            st.button(
                "Add",
                type="primary",
                disabled=code is None,
                key=f"{work.key}_add",
                shortcut="A",
                on_click=_add_from_form,
                args=(work, now, taxonomy, code, step, note),
            )
            st.button(
                "Nothing failed",
                disabled=now is not None,
                key=f"{work.key}_none",
                on_click=save,
                args=(work, _empty(taxonomy)),
            )


def _add_from_form(
    work: Work, now: Failures | None, taxonomy: Taxonomy, code: str | None, step: int, note: str
) -> None:
    if code is None:
        return
    _add(work, now, taxonomy, FailureLabel(code=code, step=step or None, note=note))
    set_widget(f"{work.key}_note", "")


def _list(work: Work, now: Failures | None, taxonomy: Taxonomy) -> None:
    if now is None:
        return
    if not now.labels:
        st.info("Rated: nothing failed.", icon=":material/check:")
    titles = {label.code: label.titles[-1] for label in taxonomy.labels()}
    for number, label in enumerate(now.labels):
        with st.container(horizontal=True, vertical_alignment="center"):
            where = f"step {label.step}" if label.step else "whole episode"
            origin = ", from a suggestion" if label.suggested else ""
            note = f" — {label.note}" if label.note else ""
            st.text(f"{label.code} {titles.get(label.code, '')} ({where}{origin}){note}", width="stretch")
            st.button(
                "Remove",
                icon=":material/close:",
                type="tertiary",
                key=f"{work.key}_remove_{number}",
                on_click=_remove,
                args=(work, now, number),
            )


def _remove(work: Work, now: Failures, number: int) -> None:
    labels = tuple(label for i, label in enumerate(now.labels) if i != number)
    save(work, now.model_copy(update={"labels": labels}))
