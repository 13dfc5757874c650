"""The parts of the Compare page: two to eight runs of an episode on one map, and whole runs
below.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from navviz.analysis.act_counts import act_changes
from navviz.analysis.causes.counting import CauseChange, CauseChanges, cause_changes
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.compare import same_episode
from navviz.analysis.paired_runs import paired_with, pairing_sentences
from navviz.analysis.skills import stand_in_warning
from navviz.errors import NavVizError
from navviz.records import Trace
from navviz.records.base import plural
from navviz.records.walker import walker_changes
from navviz.runs.episode_list import ListPosition
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity, Source
from navviz.ui.compare import parting, whole_runs
from navviz.ui.components import result
from navviz.ui.components.browser import clickable
from navviz.ui.components.empty import empty, open_sample
from navviz.ui.components.finding import MOST_AT_ONCE, begin_finding, found_or_bar
from navviz.ui.components.marks import show_marks
from navviz.ui.components.neighbours import turn
from navviz.ui.components.plain import plain
from navviz.ui.components.player import player
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state import state
from navviz.ui.state.session import current, set_widget, widget
from navviz.ui.state.state import by_hand, choose
from navviz.views.compare import short_names
from navviz.views.figures.lists import ChangeRow, cause_changes_html

MOST_RUNS = 8
"""More columns and paths than this nobody tells apart."""


@st.cache_data(max_entries=256, show_spinner="Finding runs that share episodes …")
def _episodes(
    identity: Identity, _source: Source
) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """Return id and start of each episode of a run, and its data sets; kept as long as its files do
    not change.
    """
    del identity
    try:
        run = cache.open_run(_source)
    except NavVizError:
        return frozenset(), frozenset()
    return frozenset(run.starts(walked=True).items()), frozenset(run.datasets.values())


@st.cache_data(max_entries=256, show_spinner="Finding episodes with the same task …")
def _paired(of: tuple[Identity, Identity], _run: OpenRun, _source: Source) -> int:
    """Count the episodes of another data set that ask the same as one of a run."""
    del of
    other = paired_with(_run, cache.open_run(_source))
    return 0 if other.pairs is None else len(other)


def _overlap(own: Sequence[Path], others: Sequence[Path]) -> bool:
    """Whether two runs may have walked on one map: a run notes what its user named, which may be
    the map's folder or one above it.
    """
    for one, other in itertools.product(own, others):
        if one == other or one in other.parents or other in one.parents:
            return True
    return False


def sharing(run: OpenRun) -> tuple[dict[str, tuple[Source, int]], list[str]]:
    """List the other runs that walked an episode of this one, and name those that may and are not
    read yet.
    """
    own, own_sets = frozenset(run.starts().items()), frozenset(run.datasets.values())
    graphs = run.source.graphs
    shared, unread = dict[str, tuple[Source, int]](), list[str]()
    for source in visitor.sources():
        if source.name == run.name or source.fault or source.results is None:
            continue
        overlaps = _overlap(graphs, source.graphs)
        if graphs and source.graphs and not overlaps:
            continue
        if cache.is_unread(source):
            unread += [source.name] if overlaps else []
            continue
        starts, data_sets = _episodes(source.identity, source)
        # the start belongs to it: data sets number their episodes alike
        count = len(own & starts)
        # within a data set the same task has the same id, so that only another set is worth pairing
        if not count and starts and not own_sets & data_sets:
            count = _paired((run.source.identity, source.identity), run, source)
        if count:
            shared[source.name] = (source, count)
    return dict(sorted(shared.items(), key=lambda item: -item[1][1])), unread


def show_causes(runs: Mapping[str, OpenRun]) -> None:
    """Show how the likely causes of failures differ between the first run and another one."""
    if not all(run.complete for run in runs.values()):
        return
    with st.container(border=True, key="compare_causes"):
        names = list(runs)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Why they fail**", width="content")
            second = names[1]
            if len(names) > 2:
                second = state.box(
                    "Compared with",
                    names[1:],
                    name="causes",
                    format_func=short_names(names).__getitem__,
                    key="compare_causes_second",
                    width=320,
                )
        explanations: list[Mapping[str, EpisodeCauses]] = []
        for name in (names[0], second):
            # causes of a larger run take minutes: the bar below lets the user say when
            if len(runs[name].traces) <= MOST_AT_ONCE:
                begin_finding(runs[name])
            explained = found_or_bar(runs[name], f"compare_causes_{name}", name)
            if explained is None:
                return
            explanations.append(_by_ids_of_the_first(runs[name], explained))
        before, after = explanations
        try:
            both = (act_changes(before, after), cause_changes(before, after))
        except NavVizError as error:
            st.caption(plain(error))
            return
        short = short_names(names)
        _changes(both, short[names[0]], short[second])


def _by_ids_of_the_first(
    run: OpenRun, explained: Mapping[str, EpisodeCauses]
) -> Mapping[str, EpisodeCauses]:
    """Return the causes of a paired run under the ids of the run beside it."""
    if run.pairs is None:
        return explained
    return {key: explained[own] for key, own in run.pairs.pairs if own in explained}


def _changes(both: tuple[CauseChanges, CauseChanges], first: str, second: str) -> None:
    """Show how the acts that were missed changed, then what explains them."""
    acts = both[0]
    count = plural(len(acts.episodes), "episode")
    if not acts.changes:
        st.caption(f"Neither run fails in any of the {plain(count)} that both walked.")
        return
    titles = {"compare_act_rows": "Act not done", "compare_cause_rows": "Explanation"}
    for changes, (key, title) in zip(both, titles.items(), strict=True):
        drawn = cause_changes_html([_row(change) for change in changes.changes], title)
        clickable("cause_changes", drawn, key=key, on_choose=_open)
    st.caption(
        plain(
            f"Over the {count} that both walked. Vanished: “{first}” failed so,"
            f" “{second}” did not; came: the other way round. McNemar's exact p, adjusted over the"
            " table (Holm). What vanished may have become another one. Open a row for its"
            " episodes."
        )
    )


def _row(change: CauseChange) -> ChangeRow:
    return ChangeRow(
        change.name,
        change.vanished,
        change.came,
        len(change.stayed),
        f"{_p(change.p)} {_p(change.p_holm)}",
        change.p_holm < 0.05,
    )


def _p(p: float) -> str:
    return "<.001" if p < 0.001 else f"{p:.3f}"


def _open(episode: str) -> None:
    state.select(episode=episode)


BESIDE = (
    "One walk goes from viewpoint to viewpoint, the other freely. Its figures end in _rec where its"
    " evaluator recorded them and in _est where they are estimated; NE, SR and SPL without an"
    " ending belong to walks on viewpoints."
)


def choose_others(run: OpenRun, episode: str) -> dict[str, OpenRun]:
    """Choose the other runs, of those that share episodes with this one; empty where there is none
    to show.

    The first of them is the one that the player and the figures put beside this run.
    """
    shared, unread = sharing(run)
    if unread:
        st.caption(
            f"Large runs that nobody has opened yet are not listed: {plain(', '.join(unread[:5]))}."
        )
    if not shared:
        empty(
            "compare",
            "No other run here walked an episode of this one",
            "Open one, or run a navigator on the Live page. The sample has runs to compare.",
            button="Open the sample",
            on_click=open_sample,
        )
        return {}
    names = _ask_others(run, shared)
    chosen: dict[str, OpenRun] = {}
    for name in names:
        try:
            chosen[name] = paired_with(run, cache.open_run(shared[name][0]))
        except NavVizError as error:
            st.error(plain(error), icon=":material/error:")
    lacking = [name for name, other in chosen.items() if not walked_too(run, other, episode)]
    if lacking:
        st.warning(
            f"Episode “{plain(episode)}” was not walked by {plain(', '.join(lacking))}; choose"
            " another one."
        )
    return chosen


def _ask_others(run: OpenRun, shared: Mapping[str, tuple[Source, int]]) -> list[str]:
    """Ask for the other runs by two fields; returns their names, the first field's before the
    second's.
    """
    names = list(shared)
    written = st.query_params.get_all("other") or [
        current().compared_with or "",
        *current().compared_further,
    ]
    # the address decides, so that the browser's back and forward show the same runs
    wanted = [name for name in dict.fromkeys(written) if name in shared][: MOST_RUNS - 1]
    first, *more = wanted or names[:1]
    box, further = f"compare_box_{run.name}", f"compare_more_{run.name}_{first}"
    # before the box is drawn: Streamlit refuses to change a widget's value after that
    set_widget(box, first)
    st.selectbox(
        "Compared with",
        names,
        format_func=lambda name: f"{name}  ({shared[name][1]} shared)",
        key=box,
        width=260,
        on_change=by_hand(_take),
        args=(box, further),
        help="Only runs that share episodes with this one.",
    )
    set_widget(further, more)
    st.multiselect(
        "And with",
        [name for name in names if name != first],
        key=further,
        max_selections=MOST_RUNS - 2,
        placeholder="up to six more",
        on_change=by_hand(_take),
        args=(box, further),
        help="All paths on one map. In the tables only the episodes count that all of them walked.",
    )
    current().compared_with, current().compared_further = first, tuple(more)
    if st.query_params.get_all("other") != [first, *more]:
        choose("other", first, *more)
    return [first, *more]


def walked_too(run: OpenRun, other: OpenRun, episode: str) -> bool:
    """Tell whether another run walked this very episode too, and not one of another data set with
    the same id.
    """
    if episode not in other.traces:
        return False
    if other.pairs is not None:
        return True  # paired by path and instruction
    try:
        ours, theirs = run.trace(episode).episode, other.trace(episode).episode
    except NavVizError:
        return True  # the page says below what cannot be read
    return same_episode((ours.dataset, ours.start), (theirs.dataset, theirs.start))


def _take(box: str, further: str) -> None:
    """Write the chosen runs into the address; one that moves to the first box leaves the other."""
    first = str(widget(box))
    choose("other", first, *(name for name in widget(further, ()) if name != first))


def show(run: OpenRun, others: dict[str, OpenRun], episode: str, place: ListPosition) -> None:
    """All walks in one player, where they part, what differs; and whole runs.

    The keys n and p go by `place`.
    """
    for sentence in pairing_sentences(run, others.values()):
        st.caption(plain(sentence))
    every = {run.name: run, **others}
    if any(other.marks for other in every.values()):
        with st.container(horizontal=True, gap="small"):
            for name, other in every.items():
                show_marks(other.marks, of=name)
    walked = {name: other for name, other in others.items() if walked_too(run, other, episode)}
    whole_runs.show_headline(every, episode)
    if walked:
        second, *further = walked.values()
        new, old, graph = run.trace(episode), second.trace(episode), run.graph(episode)
        edited = _edited(old, new) and not further
        if edited:
            result.changed(old, new, graph)
        else:
            _name_walkers(run.name, new, walked, episode)
        for other in walked.values():
            warning = stand_in_warning(new, other.trace(episode))
            if warning is not None:
                st.warning(plain(warning), icon=":material/warning:")
        document, pictures = cache.illustrated(run, episode, second, further=further)
        player(
            document,
            pictures=pictures,
            # a key for each episode would show two players until the script ends
            key="compare_player",
            shows=" ".join((run.name, *walked, episode)),
            episodes=True,
            on_action=lambda action: turn(place, action.name),
        )
        traces = {run.name: new} | {name: other.trace(episode) for name, other in walked.items()}
        with st.container(border=True):
            if any(other.pairs is not None for other in walked.values()):
                # a walk from viewpoint to viewpoint and one from pose to pose share no node
                st.caption(BESIDE)
            else:
                parting.replies(traces, graph)
        if edited:
            result.details(old, new, graph, second.name, run.name)
        else:
            with st.container(border=True):
                parting.show_side_by_side(traces, graph)
    whole_runs.show(every, episode)
    show_causes(every)


def _name_walkers(name: str, new: Trace, walked: dict[str, OpenRun], episode: str) -> None:
    """Say in which navigator, model or settings the walks differ: methods have no before and no
    after.
    """
    lines = []
    for other_name, other in walked.items():
        changes = walker_changes(other.trace(episode), new)
        if changes:
            lines.append(f"{name}, against {other_name}: {' '.join(changes)}")
    if len(lines) == 1:
        st.caption(plain(lines[0]))
    elif lines:
        with st.expander("How the navigators differ", icon=":material/tune:"):
            for line in lines:
                st.caption(plain(line))


def _edited(old: Trace, new: Trace) -> bool:
    """Whether one walk is a rerun of the other with something changed: only then one came before
    the other.
    """
    if new.header.forked_from is not None or old.header.forked_from is not None:
        return True
    return (
        old.header.navigator == new.header.navigator
        and old.episode.instruction != new.episode.instruction
    )
