"""The parts of the Compare page: two to eight runs of an episode on one map, and whole runs
below.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from navviz.analysis.act_counts import act_changes
from navviz.analysis.causes.counting import CauseChange, cause_changes
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.compare import same_episode
from navviz.analysis.paired_runs import paired_with, pairing_sentences
from navviz.analysis.skills import stand_in_warning
from navviz.errors import NavVizError
from navviz.records import Trace
from navviz.records.base import plural
from navviz.records.walker import as_part, walker_changes
from navviz.runs.episode_list import ListPosition
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity, Source
from navviz.ui.compare import figures, flips, whole_runs
from navviz.ui.components import finding, result
from navviz.ui.components.browser import clickable
from navviz.ui.components.empty import empty, open_sample
from navviz.ui.components.finding import MOST_AT_ONCE, begin_finding, found_or_bar
from navviz.ui.components.marks import show_marks
from navviz.ui.components.neighbours import turn
from navviz.ui.components.plain import plain
from navviz.ui.components.player import PlayerAction, player
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
    """Show which acts and explanations of failures came and went between the first run and
    another one, on the episodes that both walked.
    """
    names, short = list(runs), short_names(list(runs))
    with st.container(border=True, key="compare_causes", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**What came and went**", width="content")
            second = names[1]
            if len(names) > 2:
                second = state.box(
                    "Compared with",
                    names[1:],
                    name="causes",
                    format_func=short.__getitem__,
                    key="compare_causes_second",
                    width=320,
                    label_visibility="collapsed",
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
        count = plural(len(both[0].episodes), "episode")
        if not both[0].changes:
            st.caption(f"Neither run fails in any of the {plain(count)} that both walked.")
            return
        titles = {"compare_act_rows": "Act not done", "compare_cause_rows": "Explanation"}
        drawn = zip(st.columns(2, gap="medium"), both, titles.items(), strict=True)
        for column, changes, (key, title) in drawn:
            with column:
                html = cause_changes_html([_row(change) for change in changes.changes], title)
                clickable("cause_changes", html, key=key, on_choose=_open)
        st.caption(
            plain(
                f"Of the {count} that both walked, failures of “{short[names[0]]}” that “"
                f"{short[second]}” has not (gone), the other way round (new), and of both. p:"
                " McNemar's exact test, then adjusted over the table (Holm)."
            )
        )


def _by_ids_of_the_first(
    run: OpenRun, explained: Mapping[str, EpisodeCauses]
) -> Mapping[str, EpisodeCauses]:
    """Return the causes of a paired run under the ids of the run beside it."""
    if run.pairs is None:
        return explained
    return {key: explained[own] for key, own in run.pairs.pairs if own in explained}


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


def choose_others(run: OpenRun) -> dict[str, OpenRun]:
    """Choose the other runs, of those that share episodes with this one; empty where there is none
    to show.

    The first of them is the one that the player and the figures put beside this run.
    """
    shared, unread = sharing(run)
    if unread:
        unopened = ", ".join(unread[:5])
        notice = f"Not listed, since nobody has opened them yet: {unopened}."
        st.caption(plain(notice), width="content")
    if not shared:
        empty(
            "compare",
            "No other run here walked an episode of this one",
            "Open one, or run a navigator on the Live page. The sample has runs to compare.",
            button="Open the sample",
            on_click=open_sample,
        )
        return {}
    names = list(shared)
    written = st.query_params.get_all("other") or list(current().compared_with)
    # the address decides, so that the browser's back and forward show the same runs
    wanted = [name for name in dict.fromkeys(written) if name in shared][: MOST_RUNS - 1]
    wanted = wanted or names[:1]
    key = f"compare_others_{run.name}"
    # before the field is drawn: Streamlit refuses to change a widget's value after that
    set_widget(key, wanted)
    st.multiselect(
        "Compared with",
        names,
        format_func=lambda name: f"{name}  ({shared[name][1]} shared)",
        key=key,
        max_selections=MOST_RUNS - 1,
        placeholder="compared with …",
        width=290,
        label_visibility="collapsed",
        on_change=by_hand(_take),
        args=(key,),
    )
    current().compared_with = tuple(wanted)
    if st.query_params.get_all("other") != wanted:
        choose("other", *wanted)
    chosen: dict[str, OpenRun] = {}
    for name in wanted:
        try:
            chosen[name] = paired_with(run, cache.open_run(shared[name][0]))
        except NavVizError as error:
            st.error(plain(error), icon=":material/error:")
    return chosen


def _take(key: str) -> None:
    """Write the chosen runs into the address; without one, the first is compared."""
    choose("other", *widget(key, ()))


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


def show(
    run: OpenRun,
    others: dict[str, OpenRun],
    episode: str,
    flipped: flips.Flips | None,
    place: ListPosition,
) -> None:
    """By how much the runs differ and where; an episode at the step where two walks part, the one
    that failed first; causes that came and went; the rest folded.

    The keys n and p go by `place`.
    """
    lacking = [name for name, other in others.items() if not walked_too(run, other, episode)]
    if lacking:
        st.warning(
            f"Episode “{plain(episode)}” was not walked by {plain(', '.join(lacking))}; choose"
            " another one."
        )
    for sentence in pairing_sentences(run, others.values()):
        st.caption(plain(sentence))
    every = {run.name: run, **others}
    if any(other.marks for other in every.values()):
        with st.container(horizontal=True, gap="small"):
            for name, other in every.items():
                show_marks(other.marks, of=name)
    walked = {name: other for name, other in others.items() if name not in lacking}
    traces = {run.name: run.trace(episode)}
    traces |= {name: other.trace(episode) for name, other in walked.items()}
    edited = len(walked) == 1 and _edited(*reversed(traces.values()))
    names = list(every)
    # the walk that failed leads: its cause is the headline. Paired walks keep their order, since
    # the second has the first one's ids
    if flipped is not None and every[names[1]].pairs is None:
        names = flipped.leading(names, episode)
    if flipped is not None:
        note = "" if edited else _walkers(traces)
        flips.show(flipped, every, names, episode, note)
    if edited:
        old, new = reversed(traces.values())
        result.changed(old, new, run.graph(episode))
    if walked:
        _beside(every, [name for name in names if name in traces], traces, episode, place)
    finding.wait_for(*every.values())
    show_causes(every)
    if walked:
        graph, names = run.graph(episode), list(traces)
        if edited:
            old, new = traces[names[1]], traces[names[0]]
            result.details(old, new, graph, names[1], names[0], expanded=False)
        else:
            label = "Figures and plans of this episode"
            with st.expander(label, icon=":material/difference:"):
                if any(other.pairs is not None for other in walked.values()):
                    st.caption(BESIDE)
                figures.show_side_by_side(traces, graph)
    whole_runs.show(every, episode)


def _beside(
    every: dict[str, OpenRun],
    names: list[str],
    traces: Mapping[str, Trace],
    episode: str,
    place: ListPosition,
) -> None:
    """Show two walks beside each other in one player, and those of further runs on its map."""
    first, *rest = traces.values()
    for trace in rest:
        warning = stand_in_warning(first, trace)
        if warning is not None:
            st.warning(plain(warning), icon=":material/warning:")
    lead, partner, *further = (every[name] for name in names)
    document, pictures = cache.illustrated(lead, episode, partner, further=further)

    def act(action: PlayerAction) -> None:
        turn(place, action.name)
        if action.name == "replay":
            named = names[1 if action.cause == 1 else 0]
            key = episode
            if (pairs := every[named].pairs) is not None:
                key = dict(pairs.pairs)[episode]
            state.select(run=named, episode=key, step=action.step or None)

    pressed = player(
        document,
        pictures=pictures,
        # a key for each episode would show two players until the script ends
        key="compare_player",
        shows=" ".join((*names, episode)),
        episodes=True,
        on_action=act,
    )
    if pressed is not None and pressed.name == "replay":
        st.switch_page("pages/replay.py", query_params=state.query())


def _walkers(traces: Mapping[str, Trace]) -> str:
    """Say in which navigator, model, settings or prompt the runs differ: methods have no before
    and no after.
    """
    (first, trace), *others = traces.items()
    lines = []
    for name, other in others:
        changes = []
        for change in walker_changes(other, trace):
            changes.append(as_part(change))
        changes += _shown_otherwise(trace, other)
        if changes:
            lines.append("; ".join(changes) if len(others) == 1 else f"{changes[0]} ({name})")
    return f"{short_names([first])[first]} differs by {'; '.join(lines)}." if lines else ""


def _shown_otherwise(trace: Trace, other: Trace) -> list[str]:
    """Say whether the two were shown the map in other forms."""
    forms = []
    for walk in (trace, other):
        seen = (step.observation for step in walk.steps)
        forms.append(next((each.format for each in seen if each is not None), None))
    if None in forms or forms[0] == forms[1]:
        return []
    return [f"format: {forms[0]} instead of {forms[1]}"]


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
