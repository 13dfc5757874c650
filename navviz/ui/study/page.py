"""The Study page: set a study up, see how far it is, read its results.

The part stands in the address (``part``; ``group`` alone opens the group's first one), so that a
link, a reload, and the browser's back button show the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

import streamlit as st

from navviz.annotation.exchange import load_sample_study
from navviz.annotation.records import Queue
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.ui.components.browser import copy_link
from navviz.ui.components.empty import show_picture
from navviz.ui.components.plain import plain
from navviz.ui.state.session import set_widget, widget
from navviz.ui.state.shell import page_parts
from navviz.ui.state.state import by_hand, choose, chosen
from navviz.ui.study import access, progress_actions
from navviz.ui.study.access import note
from navviz.ui.study.agreement import agreement, judged_causes
from navviz.ui.study.known_answers import known_answers
from navviz.ui.study.progress import progress, shown_queue
from navviz.ui.study.relations import correlation, difficulty, landmarks
from navviz.ui.study.study import exchange, guidelines_form, study_setup
from navviz.ui.study.tables import charts, tables

_NOTE = "102 invented ratings of the sample town by three invented annotators; Set up deletes them."


def offer_sample(study: Study, title: str, listed: str) -> None:
    """Say what a part will show, in Markdown of our own, and offer the sample study."""
    with st.container(border=True, width=720):
        show_picture("study")
        st.markdown(f"**{plain(title)}**\n\n{listed}")
        st.button(
            "Load the sample study",
            icon=":material/science:",
            type="primary",
            key="evaluate_sample",
            on_click=_load,
            args=(study,),
        )
        st.caption(_NOTE)


def _load(study: Study) -> None:
    try:
        count = load_sample_study(study)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(f"The sample study is here: {count} ratings, all of them invented.")


Draw = Callable[[Study], None]


@dataclass(frozen=True, slots=True)
class StudyPart:
    """One part of a group."""

    title: str
    draw: Draw
    shows: str = ""
    """What it shows once somebody has rated, for a part that shows ratings alone."""


_GROUPS = {"set-up": "Set up", "progress": "Progress", "results": "Results"}

_FIRST = "progress"

_SET_UP = {
    "queues": StudyPart("Queues", study_setup),
    "gold": StudyPart("Gold items", known_answers),
    "guidelines": StudyPart("Guidelines", guidelines_form),
    "exchange": StudyPart("Export and import", exchange),
}

_PROGRESS = {
    "progress": StudyPart(
        "Progress",
        progress,
        "- how many items each annotator has rated, and how fast\n"
        "- where two of them disagree\n"
        "- what they comment and skip\n\n"
        "Make a queue under Set up; annotators find it on the page Annotate.",
    )
}

_AND_THEN = (
    "\n\nRatings come from the page Annotate, or from a file under Set up › Export and import."
)

_RESULTS = {
    "agreement": StudyPart(
        "Agreement",
        agreement,
        "- Cohen's, Fleiss' and Krippendorff's coefficients with 95 % intervals\n"
        "- the episodes on which annotators disagree, to settle them" + _AND_THEN,
    ),
    "causes": StudyPart("Causes", judged_causes),
    "difficulty": StudyPart(
        "Difficulty", difficulty, "- which episodes are easy, medium and hard" + _AND_THEN
    ),
    "relations": StudyPart(
        "Relations",
        correlation,
        "- how people's judgement relates to each metric of a run, with 95 % intervals" + _AND_THEN,
    ),
    "landmarks": StudyPart(
        "Landmarks",
        landmarks,
        "- precision and recall of landmark extractors against people's marks" + _AND_THEN,
    ),
}

_OF_RUNS = {"tables": StudyPart("Tables", tables), "charts": StudyPart("Charts", charts)}


def show() -> None:
    """Show the page, or the form to sign in where the study asks for it."""
    access.messages()
    study = access.study()
    if study is None:
        return
    done = progress_actions.done_queues(study)
    progress_actions.announce_done(study, done)
    groups = _parts()
    group, name = _place(groups)
    _choose(study, groups, (group, name), done)
    part = groups[group][name]
    has_content = study.queues.all() if group == "progress" else study.ratings()
    if part.shows and not has_content:
        title = "No queue yet" if group == "progress" else "Nobody has rated anything yet"
        offer_sample(study, title, f"Here you will see:\n\n{part.shows}")
    else:
        part.draw(study)


def _parts() -> dict[str, dict[str, StudyPart]]:
    brought = {}
    for title, part in page_parts("study").items():
        brought[part.slug] = StudyPart(title, part.draw)
    return {
        "set-up": _SET_UP,
        "progress": _PROGRESS,
        "results": _RESULTS | brought | _OF_RUNS,
    }


def _place(groups: Mapping[str, Mapping[str, StudyPart]]) -> tuple[str, str]:
    """Return the group and the part that the address names; else the first ones."""
    slugs = list(chain.from_iterable(groups.values()))
    group, name = chosen("group", list(groups), ""), chosen("part", slugs, "")
    for key, parts in groups.items():
        if name in parts:
            return key, name
    group = group or _FIRST
    return group, next(iter(groups[group]))


def _choose(
    study: Study,
    groups: Mapping[str, Mapping[str, StudyPart]],
    place: tuple[str, str],
    done: list[Queue],
) -> None:
    """Show the groups, and beside them the parts of the group."""
    group, name = place
    # the address decides: what a link or the back button names is chosen
    set_widget("study_group", group)
    titles = dict(_GROUPS)
    if done:
        titles["progress"] = f"Progress · {len(done)} done"
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "Group",
            list(groups),
            format_func=titles.__getitem__,
            key="study_group",
            label_visibility="collapsed",
            required=True,
            on_change=by_hand(_go_to_group),
            args=(groups,),
        )
        parts = groups[group]
        if len(parts) > 1:
            key = f"study_part_{group}"
            set_widget(key, name)
            st.pills(
                "Part",
                list(parts),
                format_func=lambda each: parts[each].title,
                key=key,
                label_visibility="collapsed",
                required=True,
                on_change=by_hand(_go_to_part),
                args=(group,),
            )
        st.space("stretch")
        shown = {"queue": shown_queue(study)} if group == "progress" else {}
        copy_link(part=name, **shown)


def _go_to_group(groups: Mapping[str, Mapping[str, StudyPart]]) -> None:
    _go(next(iter(groups[widget("study_group")])))


def _go_to_part(group: str) -> None:
    _go(widget(f"study_part_{group}"))


def _go(part: str) -> None:
    # the part says its group, so that one click is one entry of the browser's history
    if "group" in st.query_params:
        choose("group")
    choose("part", part)
