"""Findings: what was found in a run as one list; a click on a line filters list, gallery and map.

Acts and explanations come first, since the list of episodes shows them too; words, places and
transcripts follow from a thread of their own. Until then a bar tells how far that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import streamlit as st

from navviz.analysis.alike import AlikeFailures, LikeTarget, alike_sentence
from navviz.analysis.causes.counting import about_errors
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.findings import (
    GROUPS,
    OPEN,
    OWN,
    WHAT_IF,
    FindingFacts,
    RunFinding,
    failed_of,
    run_findings,
)
from navviz.analysis.own_findings import (
    IN_TEXTS,
    OwnFinding,
    keep_own,
    own_file,
    read_own,
    text_mark,
)
from navviz.analysis.what_if.tables import WhatIfCounts, about_followed
from navviz.records.base import plural
from navviz.runs.episode_list import EpisodeList, thumb_of
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.installation.serving import is_allowed
from navviz.ui.components import finding
from navviz.ui.components.browser import clickable
from navviz.ui.components.finding import (
    MOST_AT_ONCE,
    FindingPart,
    begin_finding,
    begin_one,
    found_or_bar,
    one_or_bar,
)
from navviz.ui.components.plain import plain
from navviz.ui.data import marks
from navviz.ui.data.finding import (
    LIKE,
    LIKENESS,
    alikes,
    found,
    is_wanted,
    nearest_list,
    what_if_counts,
    what_ifs_of,
)
from navviz.ui.explore.repairing import show_repairing
from navviz.ui.state import shell, state
from navviz.ui.state.session import widget
from navviz.views.figures.lists import FindingGroup, FindingRow, finding_list_html

_NEAR = "near"
_COLUMNS = ("act", "cause", "words", "feature", "disagreement")
"""Columns of the list of episodes that a finding may filter."""
_THUMBS = 3
_MORE = FindingPart("explore_looks", "", "Read words, places and transcripts")
_ALIKE = FindingPart("explore_alike", "Alike by words", "Compare failures")
_WALKED_ON = FindingPart("explore_what_if", "", "Walk on after other links")
_CHANCE = (
    "Bold: more than chance, by Fisher's exact test, adjusted over all that was compared. What is"
    " not bold among words and places may be chance."
)
_ALL = "looks"
"""Parameter of the address that asks for all of a large run."""


def is_measured(run: OpenRun) -> bool:
    """Tell whether a run has results that are measured, in which something can be found."""
    return run.source.results is not None and bool(run.traces) and run.complete


def has_walks(run: OpenRun) -> bool:
    """Tell whether its results are walks; some files hold figures alone."""
    return is_measured(run) and any(len(each.path) > 1 for each in run.outlines.values())


def begin(run: OpenRun) -> None:
    """Begin to find causes, so that the list can show them, and wait for what it is filtered by:
    the page ends here until that is found. Of a large run the user says when.
    """
    if not is_measured(run):
        return
    now = state.episode_list()
    filtered = bool(now.choice("act") or now.choice("cause"))
    if filtered or len(run.traces) <= MOST_AT_ONCE:
        begin_finding(run)
    if filtered and found_or_bar(run, "explore_findings", "Findings") is None:
        st.stop()
    if is_wanted(now):
        begin_one(alikes(), run)
        if one_or_bar(alikes(), run, _ALIKE) is None:
            st.stop()


def wait_for_chosen(run: OpenRun) -> None:
    """Wait for the marks that the list is filtered by, where they have to be worked out first; the
    page ends there until then.
    """
    features = state.episode_list().choice("feature")
    if not features:
        return
    finding.wait_for(run)
    if any(mark.startswith(WHAT_IF) for mark in features):
        begin_one(what_ifs_of(), run)
        if one_or_bar(what_ifs_of(), run, _WALKED_ON) is None:
            st.stop()
    # marks of the atlas are worked out elsewhere and need not wait for these
    worked_out = (*marks.ON_THE_ATLAS, *IN_TEXTS, WHAT_IF)
    if any(not mark.startswith(worked_out) for mark in features) and not finding.marks_ready(run):
        st.stop()


def show(run: OpenRun, table: pd.DataFrame) -> None:
    """Show the list; nothing for instructions that nobody walked, or a run that is not measured."""
    if not is_measured(run):
        return
    with st.container(border=True, key="explore_findings", gap="small"), shell.guard():
        explained = found_or_bar(run, "explore_findings", "Findings")
        if explained is not None:
            _show(run, table, explained)


def _show(run: OpenRun, table: pd.DataFrame, explained: Mapping[str, EpisodeCauses]) -> None:
    failures = [one for one in explained.values() if one.success is False]
    if not failures:
        if any(one.success for one in explained.values()):
            st.caption(
                "**Findings**: no episode of this run failed. Open a run with failures to see why."
            )
        else:
            st.caption(
                "**Findings**: nobody knows whether these episodes succeeded, so there is no"
                " failure to explain. Episodes need a goal; data sets keep it from their test"
                " splits."
            )
        return
    if len(run) <= MOST_AT_ONCE:
        begin_one(marks.looks(), run, at_once_s=0.2)
    search, walked_on = marks.looks().get(run), what_ifs_of().get(run)
    worked_out = None if walked_on is None else walked_on.result
    checked = state.checks_routes()
    facts = FindingFacts(
        failed_of(explained),
        explained if has_walks(run) else None,
        found(run),
        None if search is None else search.result,
        None if worked_out is None else what_if_counts(run, worked_out),
        dict(zip(table["episode"], table["disagreement"], strict=True)) if checked else None,
        run,
        read_own(run),
    )
    parts = (facts.alike, facts.marks, worked_out)
    known = (*(part is not None for part in parts), checked, repr(facts.own))
    groups = _groups(run.source.identity, known, run, facts)
    now = state.episode_list()
    chosen = [f"{name} {value}" for name in _COLUMNS for value in now.choice(name)]
    chosen.append(f"{OWN} {urlencode(_filters(now))}")
    notes = [_CHANCE if facts.marks is not None else "", about_errors(run.scores.errors)]
    notes += _notes(run, failures, facts.alike)
    if worked_out is not None and facts.what_ifs is not None:
        notes += [*_what_if_notes(facts.what_ifs), about_followed(worked_out.episodes) or ""]
    drawn = finding_list_html(groups, len(failures), chosen, list(filter(None, notes)))
    clickable("findings", drawn, key="explore_found", on_choose=_toggle)
    _bars(run, facts)
    with st.container(horizontal=True, vertical_alignment="center"):
        show_repairing(run, explained)
        if own_file(run) is not None and is_allowed("keep"):
            with st.popover("Search or keep", icon=":material/bookmark_add:", key="explore_keep"):
                _own_form(run, facts)


@st.cache_resource(max_entries=24, show_spinner=False)
def _groups(
    identity: Identity, known: tuple[object, ...], _run: OpenRun, _facts: FindingFacts
) -> list[FindingGroup]:
    del identity, known
    groups = []
    for group, rows in run_findings(_facts).items():
        drawn = [_row(_run, each, _facts.failed) for each in rows]
        groups.append(FindingGroup(GROUPS[group], drawn, OPEN[group]))
    return groups


def _row(run: OpenRun, row: RunFinding, failed: Mapping[str, bool]) -> FindingRow:
    thumbs = []
    for key in row.episodes[:_THUMBS]:
        thumbs.append(
            (thumb_of(run, key, has_floor=False), "failure" if failed[key] else "success")
        )
    is_compared = row.compared and row.all_successes > 0
    return FindingRow(
        f"{row.column} {row.value}",
        row.sentence,
        row.share,
        (
            row.failures / max(row.all_failures, 1),
            row.successes / row.all_successes if is_compared else None,
        ),
        row.of_successes,
        row.note,
        row.hint,
        row.sure,
        thumbs,
    )


def _bars(run: OpenRun, drawn: FindingFacts) -> None:
    """Show how far what is still looked for is, or the button that begins it."""
    has_asked = bool(state.chosen_many(_ALL, ["all"]))
    if run.kept_at is not None and marks.known(run) is None:
        if has_asked:
            finding.marks_ready(run)
        else:
            st.button(
                "Read words, places and transcripts",
                key="explore_looks_begin",
                on_click=_ask_for_all,
            )
        return
    if has_asked:
        begin_one(marks.looks(), run)
    looked = one_or_bar(marks.looks(), run, _MORE)
    if looked is not None and drawn.marks is None:
        st.rerun()  # found since the list was drawn: no bar is there to draw it anew
    if what_ifs_of().get(run) is not None:
        one_or_bar(what_ifs_of(), run, _WALKED_ON)


def _ask_for_all() -> None:
    state.choose(_ALL, "all")


def _notes(run: OpenRun, failures: list[EpisodeCauses], alike: AlikeFailures | None) -> list[str]:
    notes = []
    if alike is not None:
        notes.append(f"Alike by words: {alike_sentence(alike)}")
    unlogged = [one for one in failures if "replies" not in one.has]
    if not has_walks(run):
        return [*notes, "The file holds figures alone, so nothing is said of acts and causes."]
    headers = [trace.header for trace in run.outlines.values()]
    # a navigator that asks no model has no replies: their absence says nothing
    uses_model = any(header.model is not None or header.source is not None for header in headers)
    if unlogged and uses_model:
        notes.append(
            f"{len(unlogged)} of {plural(len(failures), 'failure')} came without the model's"
            " replies: prompts, thoughts and plans would show more. Open the run with its logs."
        )
    return notes


def _what_if_notes(counts: WhatIfCounts) -> list[str]:
    notes = []
    if counts.acts:
        notes.append(
            f"In {counts.agree} of {counts.acts} failures the step that missed the act is one of"
            " those that decide."
        )
    if counts.unstable:
        unstable = plural(counts.unstable, "episode")
        notes.append(f"{unstable} went another way each time, so nothing is said of them.")
    if counts.fragile:
        ruining, links = (sum(column) for column in zip(*counts.fragile.values(), strict=True))
        notes.append(
            f"{ruining:,} of {links:,} other links ruin one of {len(counts.fragile):,} successes."
        )
    return notes


_SEARCHES = {
    "thoughts": "thoughts",
    "prompts": "prompts",
    "replies": "replies",
    _NEAR: "failures nearest by words",
}


def _own_form(run: OpenRun, facts: FindingFacts) -> None:
    """Fields for words to search for, and for the name under which the list's filters are kept."""
    place = st.selectbox(
        "Search in", _SEARCHES, key="explore_search_in", format_func=_SEARCHES.__getitem__
    )
    st.text_input(
        "Words",
        key="explore_search_words",
        placeholder="Such as: bus stop",
        max_chars=400,
        on_change=_search,
        args=(str(place),),
        help="The list then shows the episodes that have them; nearest are the ten failures whose"
        " words are most alike.",
    )
    now = _filters(state.episode_list())
    kept = next((own for own in facts.own if own.query == now), None)
    if kept is not None:
        st.caption(f"The list shows “{plain(kept.name)}”, which is kept for this folder.")
        others = [own for own in facts.own if own != kept]
        st.button("Forget it", key="explore_forget", on_click=_keep, args=(run, others))
        return
    name = st.text_input("Name", key="explore_keep_name", max_chars=200, disabled=not now)
    st.button(
        "Keep what the list shows",
        key="explore_keep_it",
        disabled=not (now and name.strip()),
        on_click=_keep,
        args=(run, facts.own, name, now),
        help="Keeps the filters as a finding: it counts the episodes that pass them, here and in"
        " the next runs of this folder.",
    )


def _filters(now: EpisodeList) -> dict[str, str]:
    """Return what a list leaves out, as a link says it, whatever its order."""
    return replace(now, sort=None, descending=False).to_query()


def _search(place: str) -> None:
    words = str(widget("explore_search_words") or "").strip()
    if not words:
        return
    if place == _NEAR:
        state.show_list(nearest_list(LikeTarget(None, text=" ".join(words.split()))))
    else:
        state.show_list(EpisodeList().with_choice("feature", (text_mark(place, words),)))


def _keep(
    run: OpenRun, own: Sequence[OwnFinding], name: str = "", query: Mapping[str, str] | None = None
) -> None:
    added = [OwnFinding(name=name.strip(), query=dict(query))] if query else []
    with shell.guard():
        keep_own(run, [*own, *added])


def _toggle(value: str) -> None:
    """Filter by one finding in place of any other; chosen again, by none."""
    column, _, wanted = value.partition(" ")
    now = state.episode_list()
    if column == OWN:
        query = dict(parse_qsl(wanted))
        own = EpisodeList() if _filters(now) == query else EpisodeList.from_query(query)
        state.show_list(replace(own, sort=now.sort, descending=now.descending))
        return
    others = now
    for name in _COLUMNS:
        others = others.with_choice(name, ())
    already = now.choice(column) == (wanted,)
    state.show_list(others if already else others.with_choice(column, (wanted,)))


def chosen_like(run: OpenRun) -> None:
    """Say what the list below is compared with, and offer to end that."""
    alike = found(run)
    for value in state.episode_list().choice(LIKE)[:1]:
        target = LikeTarget.of(value)
        near = {} if alike is None else alike.near(run, target)
        count = len(near.keys() - {target.episode})
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                f"Like {plain(target.name)}",
                icon=":material/filter_alt_off:",
                key="explore_like",
                on_click=_end_like,
                help="Show all episodes again.",
            )
            st.caption(plain(_near_words(alike, target, count)), width="content")


def _near_words(alike: AlikeFailures | None, target: LikeTarget, count: int) -> str:
    if alike is None or not count:
        return f"No failure shares words with {target.name}."
    by = "their instructions" if alike.basis == "instructions" else "what the model wrote"
    first = "The" if target.episode is None else "The episode and the"
    return (
        f"{first} {count} of {plural(alike.failures, 'failure')} nearest by {by}. Likeness is a"
        " cosine from 0 to 1; a low one means that little is shared."
    )


def _end_like() -> None:
    now = state.episode_list()
    sort = None if now.sort == LIKENESS else now.sort
    state.show_list(replace(now.with_choice(LIKE, ()), sort=sort))
