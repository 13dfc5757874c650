"""What is asked of a run beside its list in Explore, once its panel or button is pressed.

What goes wrong (slices, junctions, another run, scanners) and which failures are alike by their
words: a click filters the list. Whether the figures can be trusted: recorded ones computed again,
and the files that they depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from itertools import islice
from pathlib import Path

import streamlit as st

from navviz.analysis.alike import AlikeFailures, LikeTarget, alike_groups, alike_sentence
from navviz.analysis.causes.counting import share_text
from navviz.analysis.scanners.registry import Scanner, get_scanners
from navviz.analysis.slices import Slice
from navviz.records.base import plural
from navviz.records.finding import Finding
from navviz.runner.provenance import Provenance, counted_names, provenance_of
from navviz.runner.verify import Verification, verify_run
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.components import finding
from navviz.ui.components.browser import clickable
from navviz.ui.components.finding import MOST_AT_ONCE, FindingPart, begin_one, one_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache, marks
from navviz.ui.data.finding import CLUSTER, LIKE, LIKENESS, alikes, found, is_wanted, nearest_list
from navviz.ui.explore import what_if
from navviz.ui.server import visitor
from navviz.ui.state import shell, state
from navviz.ui.state.session import current, set_widget, widget
from navviz.ui.state.state import segmented
from navviz.views.figures.lists import ClusterRow, SliceRow, cluster_list_html, slice_list_html

_SHOWN = 12

_MOST_HITS = 200

_VIEWS = {
    "features": "Instructions and routes",
    "junctions": "Junctions",
    "against": "Against another run",
    "transcripts": "Transcripts",
    "what-if": "What if",
}


def show(run: OpenRun) -> None:
    """Show the part."""
    with st.container(border=True, key="explore_wrong"), shell.guard():
        if not finding.marks_ready(run):
            return
        view = segmented(
            "What is compared",
            list(_VIEWS),
            name="wrong",
            key="explore_wrong_view",
            format_func=_VIEWS.__getitem__,
        )
        shown: Mapping[str, Callable[[OpenRun], None]] = {
            "features": _slices,
            "junctions": _junctions,
            "against": _against,
            "transcripts": _scanners,
            "what-if": what_if.show,
        }
        shown[view](run)


def wait_for_chosen(run: OpenRun) -> None:
    """Wait for what the list is filtered by, where it has to be worked out first; the page ends
    there until then.
    """
    features = state.episode_list().choice("feature")
    if not features:
        return
    finding.wait_for(run)
    what_if.wait_for_chosen(run)
    # marks of the atlas and of causes are worked out elsewhere and need not wait for these
    if any(
        not mark.startswith((*marks.ON_THE_ATLAS, *marks.EXPLAINED, marks.WHAT_IF))
        for mark in features
    ) and not finding.marks_ready(run):
        st.stop()


def chosen_marks() -> None:
    """Say that the list below is filtered by a mark, and offer to end that."""
    for mark in state.episode_list().choice("feature"):
        words = plain(marks.describe(mark))
        st.button(
            f"Only episodes with: {words}",
            icon=":material/filter_alt_off:",
            key=f"explore_mark_{mark}",
            on_click=state.toggle_choice,
            args=("feature", mark),
            help="Show all episodes again.",
        )


def _slices(run: OpenRun) -> None:
    _list(marks.slices(run), "", "episodes fail")


def _junctions(run: OpenRun) -> None:
    st.caption(
        "Each junction of the route that the agent came to while it followed it: how often it"
        " leaves the route there."
    )
    _list(marks.departures(run), marks.LEFT_AT, "agents leave the route")


def _against(run: OpenRun) -> None:
    names = [
        source.name for source in visitor.sources() if source.name != run.name and not source.fault
    ]
    if not names:
        st.caption("There is only one run here; open another one on the same episodes.")
        return
    # a run's name begins with its folder, whose runs mostly share their episodes
    alike = [name for name in names if name.partition("/")[0] == run.name.partition("/")[0]]
    chosen = st.selectbox(
        "On what is this run worse than", alike or names, key="explore_wrong_other", width=320
    )
    other = next(source for source in visitor.sources() if source.name == chosen)
    opened = cache.open_run(other)
    finding.wait_for(opened)
    if not run.traces.keys() & opened.traces.keys():
        st.caption(f"“{plain(run.name)}” and “{plain(chosen)}” share no episode.")
        return
    _list(marks.worse(run, opened), "", "it fails alone")


def _list(slices: Sequence[Slice], prefix: str, what: str) -> None:
    if not slices:
        st.caption(
            "No feature is in five episodes and missing in five others: there is too little"
            " to compare."
        )
        return
    strong = sum(part.p_adjusted < 0.05 for part in slices)
    sure = f"{strong or 'none'} with an adjusted p below 0.05"
    st.caption(
        f"{len(slices)} features compared, {sure}; the rest may be chance. Above 1, {what} more"
        " often. Click a feature to filter the list below."
    )
    rows = []
    # every sure one is shown, however many there are
    for part in slices[: max(_SHOWN, strong)]:
        mark, is_sure = prefix + part.feature, part.p_adjusted < 0.05
        row = SliceRow(mark, part.sentence, part.odds_ratio, part.low, part.high, is_sure)
        rows.append(row)
    drawn = slice_list_html(rows, state.episode_list().choice("feature"))
    clickable(
        "slices", drawn, key="explore_slices", on_choose=partial(state.toggle_choice, "feature")
    )


def _scanners(run: OpenRun) -> None:
    """Show each scanner with its count; the one that filters shows its hits, each a way to its
    step.
    """
    hits = marks.hits(run)
    scanners = get_scanners()
    # after the scanners were loaded, which is when a broken one is noticed
    shell.broken_plugins()
    st.caption(
        "Rules that read each step; no model is asked. Click one to filter the list and to see"
        " where it points."
    )
    chosen = state.episode_list().choice("feature")
    drawn = "".join(
        _scanner_html(scanner, hits[scanner.name], len(run), chosen) for scanner in scanners
    )
    clicked = clickable(
        "scanners",
        f'<div class="scanner">{drawn}</div>',
        key="explore_scans",
        on_choose=_scan,
    )
    if clicked is not None and clicked.startswith("hit "):
        # the id comes last, since it may hold blanks
        _, step, episode = clicked.split(" ", 2)
        st.switch_page("pages/replay.py", query_params=state.query(episode, int(step)))


def _scan(value: str) -> None:
    if not value.startswith("hit "):
        state.toggle_choice("feature", value)


def _scanner_html(
    scanner: Scanner, hits: Sequence[Finding], total: int, chosen: Sequence[str]
) -> str:
    mark = marks.SCAN + scanner.name
    episodes = len({hit.episode for hit in hits})
    pressed = mark in chosen
    times = "once" if len(hits) == 1 else f"{len(hits)} times"
    count = f"{times}, in {episodes:,} of {total:,} episodes" if hits else "none"
    state_of_it = f'aria-pressed="{str(pressed).lower()}"{"" if hits else " disabled"}'
    head = (
        f'<button class="row" data-value="{escape(mark)}" {state_of_it}>'
        f"<span><b>{escape(scanner.title)}</b><small>{escape(scanner.help)}</small></span>"
        f'<span class="count">{count}</span></button>'
    )
    return head + ("".join(_hit_html(hit) for hit in hits[:_MOST_HITS]) if pressed else "")


def _hit_html(hit: Finding) -> str:
    where = f"{hit.episode}" + (f", step {hit.step}" if hit.step is not None else "")
    value = f"hit {hit.step or 1} {hit.episode}"
    return (
        f'<button class="row hit" data-value="{escape(value)}"><span'
        f' class="count">{escape(where)}</span><span>{escape(hit.sentence)}</span></button>'
    )


_PART = FindingPart("explore_alike", "Alike by words", "Compare failures")

_SEARCH = "explore_alike_search"


def begin(run: OpenRun) -> None:
    """Begin to compare the failures where the list is filtered by that; the page ends here until
    it is done.
    """
    if is_wanted(state.episode_list()) and run.complete and run.source.results is not None:
        begin_one(alikes(), run)
        if one_or_bar(alikes(), run, _PART) is None:
            st.stop()


def show_alike(run: OpenRun) -> None:
    """Show the part."""
    with st.container(border=True, key="explore_alike", gap="small"), shell.guard():
        if len(run) <= MOST_AT_ONCE:
            begin_one(alikes(), run)
        alike = one_or_bar(alikes(), run, _PART)
        if alike is not None:
            _groups(alike)
            if alike.meaning is not None:
                targets = [LikeTarget.of(value) for value in state.episode_list().choice(LIKE)[:1]]
                # the address decides what stands in the field: a link shows what it was made with
                set_widget(_SEARCH, targets[0].text if targets else "")
                st.text_input(
                    "Failures nearest to these words",
                    key=_SEARCH,
                    placeholder="Such as: stopped before the bus stop",
                    on_change=_searched,
                    max_chars=400,
                    width=460,
                    help="The ten failures whose words are nearest, also by related words.",
                )


def chosen(run: OpenRun) -> None:
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


def _groups(alike: AlikeFailures) -> None:
    st.caption(f"**Alike by words**: {plain(alike_sentence(alike))}")
    if not alike.clusters:
        return
    rows = []
    for group in alike_groups(alike):
        share = share_text(group.share)
        rows.append(ClusterRow(group.id, group.words, group.count, share, group.example))
    drawn = cluster_list_html(rows, state.episode_list().choice(CLUSTER))
    clickable(
        "clusters", drawn, key="explore_clusters", on_choose=partial(state.toggle_choice, CLUSTER)
    )


def _searched() -> None:
    text = " ".join(str(widget(_SEARCH) or "").split())
    if not text:
        _end_like()
        return
    state.show_list(nearest_list(LikeTarget(None, text=text)))


MOST = 100
"""Episodes that the page walks again, the first ones: about ten seconds for `rules` in Manhattan.
"""

_TOLD = 20

_LONGEST = 300


@st.cache_data(max_entries=24, show_spinner="Walking the episodes again …")
def _verification(identity: Identity, _run: OpenRun) -> Verification:
    del identity
    traces = dict(islice(_run.traces.items(), MOST))
    return Verification(tuple(verify_run(traces, _run.graph, _run.source.results)))


@st.cache_data(max_entries=24, show_spinner="Hashing the files …")
def _provenance(identity: Identity, _run: OpenRun) -> Provenance:
    del identity
    return provenance_of(_run)


def show_trust(run: OpenRun) -> None:
    """Show a button that walks the run again, what came of it, and a button with the provenance."""
    if run.source.results is None or not run.traces:
        return
    key = (run.source.name, run.source.method)
    if key in current().verified:
        _badge(_verification(run.source.identity, run), len(run))
    else:
        st.button(
            "Verify",
            key="explore_verify",
            type="tertiary",
            icon=":material/replay:",
            help="Walks each episode again with its recorded replies; no model is asked.",
            on_click=current().verified.add,
            args=(key,),
        )
    box = st.popover(
        "Provenance",
        type="tertiary",
        icon=":material/info:",
        key="explore_provenance",
        # a popover that reruns tells whether it is open: files are hashed only then
        on_change="rerun",
    )
    if box.open:
        with box, shell.guard():
            _show_lines(_provenance(run.source.identity, run))


def _badge(verification: Verification, count: int) -> None:
    """Show the sum, and what is not the same behind it."""
    first = f" (the first {MOST} of {count:,} episodes)" if count > MOST else ""
    rest = [verdict for verdict in verification.verdicts if verdict.state != "reproduces"]
    wrong = verification.count("differs")
    nobody = verification.count("not walked") == len(verification.verdicts)
    if not rest:
        # not st.badge, which escapes brackets once more
        st.markdown(
            f":green-badge[:material/verified: {plain(verification.sentence + first)}]",
            width="content",
        )
        return
    text = "cannot be walked here" if nobody else verification.sentence.partition(";")[0]
    icon = ":material/error:" if wrong else ":material/help:"
    with st.popover(plain(text + first), type="tertiary", icon=icon, key="explore_verified"):
        st.text(verification.sentence + first)
        for verdict in rest[:_TOLD]:
            st.text(f"{verdict.episode}: {verdict.sentence}"[:_LONGEST])
        if len(rest) > _TOLD:
            st.text(f"and {len(rest) - _TOLD} more; navviz diagnose verify names all of them.")


def _show_lines(provenance: Provenance) -> None:
    rows = {
        "Navigator": counted_names(provenance.navigators),
        "Model": counted_names(provenance.models) or "none",
        "Walked with": counted_names(provenance.code_versions),
        "Begun": provenance.created or "not recorded",
        "Scored with": provenance.scored_with,
    }
    st.text("\n".join(f"{name}: {value}" for name, value in rows.items()))
    if provenance.changed:
        names = ", ".join(_short(file.path) for file in provenance.changed[:5])
        st.warning(
            plain(f"{len(provenance.changed)} files have changed since the run began: {names}")
        )
    for settings in list(provenance.settings)[:3]:
        st.caption(
            "Settings"
            if len(provenance.settings) == 1
            else f"Settings of {plain(provenance.settings[settings])} episodes"
        )
        st.code(settings, language="json", wrap_lines=True)
    files = []
    for file in provenance.files:
        row = {"file": _short(file.path), "role": file.role, "SHA-256": file.sha256}
        files.append(row)
    show_table(files, "Files that the figures depend on, with their SHA-256.", most_rows=7)


def _short(path: str) -> str:
    """Return a file's name with its folder: visitors need not know where a server keeps its
    data.
    """
    return "/".join(Path(path).parts[-2:])
