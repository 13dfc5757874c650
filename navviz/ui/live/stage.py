"""The right side of Live: the run as it happens in one player, and what it changed.

Streamlit keeps the elements of a script until the next one has ended, and keeps those of a script
that was cut off. So nothing here changes its place: whatever run is shown, in whichever state, the
same containers stand in the same order, and one player of one key shows one walk after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from navviz.analysis.counterfactuals.trials import causes_and_repairs
from navviz.errors import NavVizError
from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Trace
from navviz.records.base import plural
from navviz.records.walker import is_unwalked, same_walker
from navviz.runner import LiveRun, Progress, keep_run
from navviz.runs.opened import workspace_dir
from navviz.runs.owners import check_may_open
from navviz.support.installation.serving import require
from navviz.systems.registry import with_panels
from navviz.ui.components import result
from navviz.ui.components.plain import plain
from navviz.ui.components.player import BREAK, REPAIR, Action, PlayerAction, player
from navviz.ui.data import cache
from navviz.ui.live import baseline as live_baseline
from navviz.ui.live import draw as live_draw
from navviz.ui.live import fan as live_fan
from navviz.ui.live import fork as live_fork
from navviz.ui.live import pausing as live_pausing
from navviz.ui.live import repairing as live_repairing
from navviz.ui.live import trial as live_trial
from navviz.ui.live import typing as live_typing
from navviz.ui.live import variants as live_variants
from navviz.ui.live.chosen import Setting, Shown, missing_link, shown_run
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership, viewer
from navviz.ui.state import state
from navviz.ui.state.session import ActionMessage, current
from navviz.views.compare import outcome_words
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable


def keep(trace_file: Path, suggestion: str) -> None:
    """Field and button that keep the run under a name."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input(
            "Keep this run as",
            value=suggestion,
            key=f"live_keep_{trace_file.parent.name}",
            width=280,
        )
        st.button(
            "Keep",
            icon=":material/bookmark_add:",
            key="live_keep_button",
            on_click=_keep,
            args=(trace_file, name),
        )
        kept = current().live.kept.get(str(trace_file))
        if kept is not None:
            st.button(
                "Open in Explore",
                icon=":material/grid_view:",
                key="live_open",
                on_click=_choose,
                args=(kept,),
            )
            # the callback leaves a flag: the script itself switches pages
            if current().live.goes_to_explore:
                current().live.goes_to_explore = False
                st.switch_page("pages/explore.py", query_params=state.query())
    message, current().live.message = current().live.message, None
    if message is not None:
        st.error(plain(message.text), icon=":material/error:")


def _keep(trace_file: Path, name: str) -> None:
    try:
        require("keep")
        check_may_open(viewer(), trace_file)
        keep_run(trace_file, workspace_dir() / "runs", name, ownership())
    except NavVizError as error:
        current().live.message = ActionMessage("error", str(error))
        return
    audit.note("kept", name.strip())
    current().live.kept[str(trace_file)] = name.strip()
    st.toast(f"Kept as {plain(name.strip())}.", icon=":material/bookmark_added:")


def _choose(run: str) -> None:
    state.select(run=run)
    current().live.goes_to_explore = True


OnAction = Callable[[PlayerAction], None]

_TICK_S = 0.4
"""How often a running page looks for news; each look costs the server a run of the fragment."""

_STALL_S = 10.0
"""A model that thinks streams its thoughts or says nothing for some seconds; longer silence is
worth a word.
"""

_PLAYER = "live_player"

_FORK = Action("fork", "Fork here")

_BADGES = {
    "done": ":green-badge[:material/check: Done]",
    "stopped": ":gray-badge[:material/stop: Stopped]",
    "limit": ":orange-badge[:material/timer_off: Limit reached]",
    "budget": ":orange-badge[:material/savings: Budget used up]",
    "error": ":red-badge[:material/error: Failed]",
    "unknown": ":gray-badge[Ended]",
}


def watch(of: Setting, turn: Callable[[str], None]) -> None:
    """Show the run as it happens, and what changed when it has ended; before it, the walk of the
    opened run.

    The player's keys may ask for the ``next`` or the ``previous`` episode, of which `turn` is told.
    """
    current().live.page_is_old = False
    # before the run is looked up: the edited walk may come back
    live_baseline.come_back()
    live_typing.prepare(of)
    shown = shown_run(of)
    running = shown is not None and shown.running
    st.fragment(_tick, run_every=_TICK_S if running else None)(of, turn, running=running)
    live_fan.show(of)
    live_trial.show(of)
    with st.container(key="live_after"):
        _after(of, shown, running=running)


def _after(of: Setting, shown: Shown | None, *, running: bool) -> None:
    """Show what changed, the tries at this episode, and how the run is kept."""
    if not running:
        if shown is None or _failed_to_begin(shown.trace):
            live_variants.show(of)
            return
        base = live_baseline.baseline_of(of, shown.trace)
        if not is_unwalked(shown.trace) and (base.trace is not None or of.old is not None):
            name, text = shown.trace.header.navigator, of.episode.instruction
            result.details(base.trace, shown.trace, of.graph, base.name, name, text)
        live_variants.show(of)
        keep(shown.path, f"{shown.trace.header.navigator} {shown.episode.id}")


def _tick(of: Setting, turn: Callable[[str], None], *, running: bool) -> None:
    """One look at a run; the fragment around it looks again while the run goes on."""
    shown = shown_run(of)
    seen = live_typing.preview(of, shown)
    with st.container(key="live_head", gap="small"):
        if seen is not None:
            live_typing.head(of, seen)
        else:
            _before(of) if shown is None else _head(of, shown)
    with st.container(key="live_stage"):
        follow = partial(_follow, of, turn)
        if seen is not None and seen.trace.steps:
            counterpart = live_baseline.baseline_of(of, seen.trace)
            document, pictures = _document(of, seen.trace, counterpart, seen.stamp)
            _player(
                of,
                document,
                f"typing {of.episode.id}",
                follow,
                pictures=pictures,
                step=len(seen.trace.steps),
                in_address=False,
            )
        else:
            _stage(of, shown, follow)
    if current().live.page_is_old:
        st.rerun()  # a key of the player runs the fragment only
    if running and shown is not None and not shown.running:
        st.rerun()  # the page drops the timer and shows what changed
    waiting = shown.live.pause if shown is not None and shown.live is not None else None
    if current().live.pause != (None if waiting is None else id(waiting)):
        st.rerun()  # the fields of a pause stand outside of this fragment


def _follow(of: Setting, turn: Callable[[str], None], action: PlayerAction) -> None:
    """Fork what is shown, or go to another episode; kept as state, for a run of the script may be
    cut off.
    """
    shown = shown_run(of)
    point = live_pausing.pointed(action.at)
    if point is not None:
        live_pausing.set_point(point, shown.live if shown is not None else None)
    elif action.name == REPAIR.name:
        live_repairing.wish(of, shown, action.cause)
    elif action.name != _FORK.name:
        turn(action.name)
    elif shown is not None and not shown.trace.steps:
        st.toast("This walk has no step to fork at.", icon=":material/call_split:")
    else:
        live_fork.fork_here(
            of.old_name if shown is None else shown.name, of.old_name, of.episode.id, action.step
        )
    current().live.page_is_old = True


def _before(of: Setting) -> None:
    """Two lines: what is shown, and what one can do."""
    walk = of.old is not None and not live_draw.is_on()
    badge = (
        ":gray-badge[:material/route: Opened walk]"
        if walk
        else ":gray-badge[:material/edit_location: Not walked]"
    )
    label = of.old_name if walk else "Nobody has walked this episode yet."
    if sentence := missing_link():
        badge, label = ":orange-badge[:material/link_off: Not this link's walk]", sentence
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(badge, width="content")
        st.text(label, width="content")
        st.empty()
    if of.fork is not None and of.fork.repair is not None:
        st.caption("Press Repair and walk: the new walk is shown beside this one.")
    elif current().live.walker is None:
        st.caption("Edit the instruction and press Run: the new walk is shown beside the old one.")
    else:
        st.caption(
            "Edit the instruction: the path changes while you type. Run shows the new walk"
            " beside the old one."
        )


def _head(of: Setting, shown: Shown) -> None:
    """Two lines: how the run stands; what it did to the figures, or why it could not begin."""
    base = (
        live_baseline.Counterpart() if shown.running else live_baseline.baseline_of(of, shown.trace)
    )
    _status(shown, live_baseline.headline(base))
    end = shown.trace.end
    if end is not None and _failed_to_begin(shown.trace):
        st.error(plain(end.reason or "The run could not begin."), icon=":material/error:")
    elif end is not None and is_unwalked(shown.trace):
        st.caption(
            "No step was walked, so there is no score; the reason is given below. Run tries again."
        )
    elif end is not None:
        _result(of, shown, base)
    elif shown.live is not None and shown.running:
        _meanwhile(shown.live)


def _result(of: Setting, shown: Shown, base: live_baseline.Counterpart) -> None:
    """Say what the walk did against what it is compared with, or how one gets that."""
    if base.trace is not None:
        result.changed(base.trace, shown.trace, of.graph)
        return
    outcome = outcome_words(shown.trace, cache.scores(shown.trace, of.graph))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"This walk: {outcome}.", width="content")
        if base.is_wanted:
            live_baseline.offer(of, shown.trace, shown.name)


def _stage(of: Setting, shown: Shown | None, follow: OnAction) -> None:
    """Show the run in the player; the walk of the opened run before it, and where it could not
    begin.
    """
    if shown is not None and not _failed_to_begin(shown.trace):
        counterpart = (
            live_baseline.baseline_of(of, shown.trace)
            if not shown.running
            else live_baseline.Counterpart()
        )
        document, pictures = _document(
            of,
            shown.trace,
            counterpart,
            f"{shown.name}-{shown.count}-{of.old_name}-{counterpart.name}",
            shown.path.parent,
        )
        step = live_repairing.first_step(of)
        _player(
            of,
            document,
            shown.name,
            follow,
            pictures=pictures,
            step=step,
            forks=bool(of.old_name),
        )
    elif of.old is not None:
        step = of.fork.step if of.fork is not None else None
        walk = f"before {of.old_name} {of.episode.id} {step or ''}"
        document, pictures = _document(of, of.old, None, "before")
        _player(
            of,
            document,
            walk,
            follow,
            pictures=pictures,
            step=step,
            forks=bool(of.old.steps),
        )


def _player(
    of: Setting,
    document: dict[str, Any],
    shows: str,
    follow: OnAction,
    *,
    pictures: PictureTable,
    step: int | None = None,
    in_address: bool = True,
    forks: bool = False,
) -> None:
    def typed(text: str) -> None:
        live_typing.take(of, text)

    player(
        document,
        key=_PLAYER,
        actions=[_FORK, REPAIR, BREAK] if forks else [BREAK],
        breakpoints=current().live.breakpoints,
        episodes=bool(of.old_name),
        shows=shows,
        step=step,
        in_address=in_address,
        pictures=pictures,
        listens_to=live_typing.listens_to(),
        on_text=typed,
        on_action=follow,
    )


def _failed_to_begin(trace: Trace) -> bool:
    """Whether there is nothing to show but the reason; later faults stand in the player, with what
    led to them.
    """
    return (
        trace.end is not None
        and trace.end.status in {"error", "budget"}
        and not trace.steps
        and not trace.calls
    )


def _status(shown: Shown, headline: str) -> None:
    """State, step, tokens, cost and time in one line, then the headline, with the stop button at
    its end.
    """
    live, end = shown.live, shown.trace.end
    running = live is not None and shown.running
    badge = _BADGES[end.status] if end is not None else ":gray-badge[Cut off]"
    if live is not None and running:
        badge = (
            ":orange-badge[Stopping …]" if live.stopping else ":blue-badge[:material/sync: Running]"
        )
        if live.pause is not None and not live.stopping:
            badge = ":red-badge[:material/pause_circle: Paused]"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(badge, width="content")
        st.text(_facts(shown.trace, live.progress if live is not None else None), width="content")
        if live is not None and running:
            st.button(
                "Stop",
                icon=":material/stop:",
                key="live_stop",
                on_click=_stop,
                args=(live,),
                disabled=live.stopping,
            )
        else:
            # takes the button's place at once, though the run of the script is cut off
            st.caption(plain(headline), width="content")


def _meanwhile(live: LiveRun) -> None:
    """Name the sub-goal; once nothing has come for long, say for how long, and offer to ask
    anew.
    """
    if live.stopping or live.quiet_s < _STALL_S:
        st.caption(plain(live.progress.sub_goal or "Planning …"))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"Nothing has come for {live.quiet_s:.0f} s.", width="content")
        st.button(
            "Stop and try again",
            icon=":material/replay:",
            key="live_again",
            on_click=start_again,
            args=(live,),
        )


def _stop(live: LiveRun) -> None:
    live.stop()
    audit.note("stopped", live.run)


def start_again(live: LiveRun) -> None:
    """Stop a walk, and walk it again from its start."""
    current().live.again = live.run
    _stop(live)


def _facts(trace: Trace, progress: Progress | None) -> str:
    if progress is None:
        return f"step {trace.steps[-1].index if trace.steps else 0} · read from disk"
    parts = [f"step {progress.step}" if progress.step else "before the first step"]
    if progress.calls:
        parts.append(plural(progress.calls, "call"))
        tokens = "tokens not reported"
        if progress.tokens is not None:
            tokens = _sum_words(f"{progress.tokens:,} tokens", progress.uncounted)
        cost = "cost not known"
        if progress.cost_usd is not None:
            cost = _sum_words(f"${progress.cost_usd:.4f}", progress.unpriced)
        parts += [tokens, cost]
    parts.append(f"{progress.elapsed_s:.1f} s")
    if trace.edits:
        parts.append(plural(len(trace.edits), "edit"))
    return " · ".join(parts)


def _sum_words(total: str, missing: int) -> str:
    """Tell a sum, and how many calls it leaves out: a call that was stopped in the middle is never
    counted.
    """
    return total + (f" without {plural(missing, 'uncounted call')}" if missing else "")


def _pictures(of: Setting, trace: Trace, *trace_folders: Path) -> WalkPictures:
    """Find what a walk saw: beside its own trace, and where the opened run's pictures lie."""
    folders = (
        PictureFolders(trace_folders) if of.run is None else of.run.picture_folders(*trace_folders)
    )
    return WalkPictures(folders, trace, of.graph.info.rotations)


def _document(
    of: Setting,
    trace: Trace,
    counterpart: live_baseline.Counterpart | None,
    stamp: str,
    *trace_folders: Path,
) -> tuple[dict[str, Any], PictureTable]:
    """Return the player's document with its counterpart; build it only when the run has grown.

    Without a walk to compare with, the opened walk is drawn, but its figures are not shown.
    Pictures are looked up in `trace_folders`, too: those of the walk itself.
    """
    cached = current().live.document
    # the stamp of an opened walk names no episode, so that it is made anew
    if cached is not None and cached[0] == stamp and stamp != "before":
        return cached[1], cached[2]
    other: Trace | None = None
    name = ""
    if counterpart is not None:
        other, name = counterpart.trace or of.old, counterpart.name or of.old_name
    metrics = None
    if trace.end is not None or counterpart is None:
        metrics = cache.scores(trace, of.graph)
    like = (
        other is not None
        and counterpart is not None
        and counterpart.trace is not None
        and same_walker(other, trace)
    )
    compare_metrics = None
    if other is not None and like and metrics is not None:
        compare_metrics = cache.scores(other, of.graph)
    causes = None
    if trace.end is not None or counterpart is None:
        causes = causes_and_repairs(trace, of.graph, results=of.results)
    table = PictureTable(_pictures(of, trace, *trace_folders))
    document = replay_document(
        with_panels(trace, of.graph),
        of.graph,
        causes=causes,
        metrics=metrics,
        compare=other,
        compare_label=name or None,
        compare_metrics=compare_metrics,
        pictures=table,
        compare_pictures=_pictures(of, other, *trace_folders) if other is not None else None,
        strings=current().live.texts.of(trace),
    )
    current().live.document = (stamp, document, table)
    return document, table
