"""The parts of the Live page: what to walk, who walks, and the run as it happens."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from navviz.errors import InputError
from navviz.navigators.base import Navigator, Settings, asks_model
from navviz.navigators.registry import get_navigator, navigators_for, settings_from, staged_name
from navviz.records import Episode, Trace
from navviz.records.trace_files import SUFFIX, read_trace
from navviz.runner import Budget, LiveRun, LiveRuns, Progress, RunConfig, WalkRequest, write_config
from navviz.runner.drawn import in_own_words
from navviz.runner.episode import check_episode
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.ui import cache, shell
from navviz.ui.components.player import player
from navviz.ui.live import draw as live_draw
from navviz.ui.live import fork as live_fork
from navviz.ui.live import form as live_form
from navviz.ui.live import result as live_result
from navviz.ui.session import current, set_widget
from navviz.views.compare import diff_html
from navviz.views.player.document import replay_document
from navviz.world.graph import Graph

__all__ = ["Setting", "edit", "live_runs", "setting", "start", "watch"]

_TICK_S = 0.4
"""How often a running page looks for news; each look costs the server a run of the fragment."""
_STALL_S = 10.0
"""A model that thinks streams its thoughts or says nothing for some seconds; longer silence is worth a word."""
_DEFAULT = "rules"
_BADGES = {
    "done": ":green-badge[:material/check: Done]",
    "stopped": ":gray-badge[:material/stop: Stopped]",
    "limit": ":orange-badge[:material/timer_off: Limit reached]",
    "budget": ":orange-badge[:material/savings: Budget used up]",
    "error": ":red-badge[:material/error: Failed]",
    "unknown": ":gray-badge[Ended]",
}


@st.cache_resource
def live_runs() -> LiveRuns:
    """Return the live runs of this server; they go on while pages are reloaded or left."""
    return LiveRuns()


@dataclass(frozen=True)
class Setting:
    """What is walked: an episode on its graph, the walk to compare with, and where the run is forked, if it is."""

    episode: Episode
    graph: Graph
    graphs: tuple[str, ...]
    old: Trace | None = None
    old_name: str = ""
    fork: live_fork.Ask | None = None


def setting(run: OpenRun, episode_id: str) -> Setting | None:
    """Ask for the episode: a listed one, or one that the user draws on its map; ``None`` while that is not finished."""
    trace, graph = run.trace(episode_id), run.graph(episode_id)
    graphs = tuple(str(path.resolve()) for path in run.source.graphs)
    if live_draw.is_on():
        drawn = live_draw.drawn(graph)
        if drawn is None or _shown(Setting(drawn, graph, graphs)) is None:
            drawn = live_draw.draw(graph, trace.episode.start)
        else:
            live_draw.another()
        return None if drawn is None else Setting(drawn, graph, graphs)
    walked = bool(trace.steps or trace.waypoints)
    fork = live_fork.asked(run.name, episode_id) if trace.steps else None
    return Setting(trace.episode, graph, graphs, trace if walked else None, run.name, fork)


def edit(of: Setting) -> Episode:
    """Show the instruction, to be edited; return the episode as edited."""
    if of.fork is not None:
        live_fork.banner(of.fork)
    original, shown = of.episode.instruction, _shown(of)
    written = shown.episode.instruction if shown is not None else original
    key = _text_key(of)
    text = st.text_area(
        "Instruction",
        value=written,
        key=key,
        height=150,
        placeholder="Write the way in words.",
        persist_state="session",
    )
    return of.episode.model_copy(update={"instruction": text})


def _differences(of: Setting, episode: Episode) -> None:
    """Show the words that differ; below the button, which must not move away while it is being pressed."""
    original, text = of.episode.instruction, episode.instruction
    if text == original or not original:
        return
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Compared with the original", width="stretch")
            st.button("Undo", key="live_undo", type="tertiary", on_click=_set_text, args=(_text_key(of), original))
        st.html(diff_html(original, text))


def _text_key(of: Setting) -> str:
    return f"live_text_{of.episode.dataset}_{of.episode.id}"


def _set_text(key: str, text: str) -> None:
    set_widget(key, text)


def _choices(of: Setting) -> list[str]:
    """Navigators that can walk this graph; the default first, those that need a model last."""
    navigators = navigators_for(of.graph.frame)
    if not navigators:
        raise InputError("no navigator walks this kind of graph", "choose another world", episode=of.episode.id)
    order = sorted(navigators, key=lambda each: (not each.name.startswith(_DEFAULT), each.needs_model))
    names = [navigator.name for navigator in order]
    if not of.episode.tasks:
        return names
    return [*(staged_name(name) for name in names if name != "mgdm"), *names]


def start(of: Setting, episode: Episode) -> None:
    """Navigator, its settings, the model where it needs one, and the button that starts the run."""
    key = f"live_navigator_{of.graph.frame}{'_parts' if of.episode.tasks else ''}"
    name = st.selectbox("Navigator", _choices(of), key=key, persist_state="session", bind="query-params")
    navigator = get_navigator(name)
    st.caption(navigator.summary)
    shell.broken_plugins()
    pressed = st.button("Run", type="primary", icon=":material/play_arrow:", key="live_start", width="stretch")
    pressed = _is_to_try_again() or pressed
    below_button = st.container()
    _differences(of, episode)
    changes = live_fork.edit(of.fork, of.old) if of.fork is not None and of.old is not None else live_fork.Changes()
    above_settings = st.container()
    with st.expander("Settings", icon=":material/tune:", key="live_settings"):
        values = live_form.settings_form(navigator.settings_type, f"live_set_{name}")
    model, budget = _model_of(navigator, values, above_settings)
    if pressed:
        with below_button, shell.guard():
            settings = settings_from(navigator, values)
            _start(of, episode, navigator, settings, changes, model, budget)


def _is_to_try_again() -> bool:
    """Whether a stalled run was to be stopped and walked again, and has stopped."""
    name = current().live.again
    live = live_runs().get(name) if name is not None else None
    if name is None or (live is not None and live.running):
        return False
    current().live.again = None
    return True


def _model_of(
    navigator: Navigator, values: dict[str, Any], place: AbstractContextManager[object]
) -> tuple[live_form.ModelChoice | None, Budget | None]:
    """Model and budget, where the chosen settings ask a model."""
    with place, shell.guard():
        if asks_model(navigator, settings_from(navigator, values)):
            return live_form.model_form(), live_form.budget_form()
    return None, None


def _start(
    of: Setting,
    episode: Episode,
    navigator: Navigator,
    settings: Settings,
    changes: live_fork.Changes,
    model: live_form.ModelChoice | None,
    budget: Budget | None,
) -> None:
    episode = in_own_words(episode)
    check_episode(navigator, episode, of.graph)
    past = origin = None
    if of.fork is not None and of.old is not None:
        forked = live_fork.make(of.fork, of.old, episode, of.graph, changes, navigator.name)
        episode, past, origin = forked.episode, forked.past, forked.origin
    llm = model.make() if model is not None else None
    run = _run_name(navigator, episode)
    config = RunConfig(
        run=run,
        navigator=navigator.name,
        settings=settings.model_dump(mode="json"),
        model=llm.name if llm is not None else None,
        model_options=model.options.model_dump(mode="json", exclude_defaults=True) if model is not None else {},
        graphs=of.graphs,
    )
    write_config(_folder() / run, config)
    live_runs().start(
        WalkRequest(
            navigator=navigator,
            settings=settings,
            episode=episode,
            graph=of.graph,
            run=run,
            out=_folder(),
            llm=llm,
            budget=budget,
            past=past,
            forked_from=origin,
        )
    )
    current().live.run = run
    st.query_params["live"] = run


def _folder() -> Path:
    return workspace_dir() / "live"


def _run_name(navigator: Navigator, episode: Episode) -> str:
    now = dt.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S-%f")[:-3]
    return re.sub(r"[^\w.-]+", "-", f"{navigator.name}-{episode.id}")[:60] + f"-{now}"


@dataclass(frozen=True)
class _Shown:
    """The live run that this page shows: one that this server knows, or one that an earlier server left on disk."""

    name: str
    path: Path
    trace: Trace
    live: LiveRun | None
    count: int = 0
    """Number of events that `trace` was folded from."""
    running: bool = False
    """Whether more is to come."""

    @property
    def episode(self) -> Episode:
        return self.trace.episode


def _shown(of: Setting) -> _Shown | None:
    """Return the run that the page shows, if it is about the chosen episode."""
    name = current().live.run or st.query_params.get("live")
    if not name:
        return None
    live = live_runs().get(name)
    shown = _from_server(name, live) if live is not None else _from_disk(name)
    if shown is None or shown.episode.id != of.episode.id:
        return None
    current().live.run = name
    if st.query_params.get("live") != name:
        st.query_params["live"] = name
    return shown


def _from_server(name: str, live: LiveRun) -> _Shown | None:
    running = live.running  # before the look: what has ended by now is whole in it
    trace, count = live.look()
    if trace is None:
        return _from_disk(name)
    return _Shown(name, live.path, trace, live, count, running and trace.end is None)


def _from_disk(name: str) -> _Shown | None:
    folder = _folder() / Path(name).name
    path = next(iter(sorted(folder.glob(f"*{SUFFIX}"))), None)
    return None if path is None else _Shown(name, path, read_trace(path), None)


def watch(of: Setting) -> None:
    """Show the run as it happens, and what changed when it has ended; before it, the walk of the opened run."""
    shown = _shown(of)
    if shown is None:
        _before(of)
        return
    running = shown.running
    st.fragment(_tick, run_every=_TICK_S if running else None)(of, running=running)
    if running:
        return
    if _failed_to_begin(shown.trace):
        _before(of)
        return
    if of.old is not None:
        live_result.details(of.old, shown.trace, of.graph, of.old_name, shown.trace.header.navigator)
    live_result.keep(shown.path, f"{shown.trace.header.navigator} {shown.episode.id}")


def _before(of: Setting) -> None:
    if live_draw.is_on():
        st.caption("Now write the instruction and press Run.")
        return
    trace = of.old
    if trace is None:
        st.caption("Nobody has walked this episode yet: press Run.")
        return
    st.caption(f"The walk of “{of.old_name}”. Press Run to walk it again beside it.")
    step = of.fork.step if of.fork is not None else None
    player(_document(of, trace, None, "before"), key=f"live_before_{of.old_name}_{of.episode.id}_{step}", step=step)


def _failed_to_begin(trace: Trace) -> bool:
    """Whether there is nothing to show but the reason; later faults stand in the player, with what led to them."""
    return trace.end is not None and trace.end.status in {"error", "budget"} and not trace.steps and not trace.calls


def _tick(of: Setting, *, running: bool) -> None:
    """One look at a run; the fragment around it looks again while the run goes on."""
    shown = _shown(of)
    if shown is None:
        return
    _status(shown)
    if _failed_to_begin(shown.trace) and shown.trace.end is not None:
        st.error(shown.trace.end.reason or "The run could not begin.", icon=":material/error:")
    else:
        _walk(of, shown)
    if running and not shown.running:
        st.rerun()  # the page drops the timer and shows what changed


def _walk(of: Setting, shown: _Shown) -> None:
    """Show the run in the player, and what it changed once it has ended."""
    if shown.trace.end is not None and of.old is not None:
        live_result.changed(of.old, shown.trace, of.graph)
    document = _document(of, shown.trace, of.old, f"{shown.name}-{shown.count}-{of.old_name}")
    player(document, key=f"live_player_{shown.name}")


def _status(shown: _Shown) -> None:
    """State, step, sub-goal, tokens, cost and time in one line, with the stop button."""
    live, end = shown.live, shown.trace.end
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if live is not None and shown.running:
            badge = ":orange-badge[Stopping …]" if live.stopping else ":blue-badge[:material/sync: Running]"
            st.markdown(badge, width="content")
            st.button("Stop", icon=":material/stop:", key="live_stop", on_click=live.stop, disabled=live.stopping)
        else:
            badge = _BADGES[end.status] if end is not None else ":gray-badge[Cut off]"
            st.markdown(badge, width="content")
        st.text(_facts(shown.trace, live.progress if live is not None else None), width="content")
    if live is not None and shown.running and not live.stopping and live.quiet_s >= _STALL_S:
        _stalled(live)


def _stalled(live: LiveRun) -> None:
    """Say for how long nothing came, and offer to ask anew."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"Nothing has come for {live.quiet_s:.0f} s.", width="content")
        st.button("Stop and try again", icon=":material/replay:", key="live_again", on_click=_try_again, args=(live,))


def _try_again(live: LiveRun) -> None:
    current().live.again = live.run
    live.stop()


def _facts(trace: Trace, progress: Progress | None) -> str:
    if progress is None:
        return f"step {trace.steps[-1].index if trace.steps else 0} · read from disk"
    parts = [f"step {progress.step}" if progress.step else "before the first step"]
    if progress.running and progress.sub_goal:
        parts.append(progress.sub_goal if len(progress.sub_goal) < 60 else progress.sub_goal[:57] + "…")
    if progress.calls:
        parts.append(f"{progress.calls} call{'s' if progress.calls > 1 else ''}")
        parts.append(_sum_told("tokens not told", progress.tokens, "{:,} tokens", progress.uncounted))
        parts.append(_sum_told("cost not known", progress.cost_usd, "${:.4f}", progress.unpriced))
    parts.append(f"{progress.elapsed_s:.1f} s")
    return " · ".join(parts)


def _sum_told(nothing: str, value: float | None, form: str, missing: int) -> str:
    """Tell a sum, and how many calls it leaves out: a call that was stopped in the middle is never counted."""
    if value is None:
        return nothing
    return form.format(value) + (f" without {missing} uncounted call{'s' if missing > 1 else ''}" if missing else "")


def _document(of: Setting, trace: Trace, old: Trace | None, stamp: str) -> dict[str, Any]:
    """Return the player's document, built anew only when the run has grown."""
    held = current().live.document
    if held is not None and held[0] == stamp and stamp != "before":
        return held[1]
    metrics = cache.scores(trace, of.graph) if trace.end is not None or old is None else None
    document = replay_document(
        trace,
        of.graph,
        metrics=metrics,
        compare=old,
        compare_label=of.old_name or None,
        compare_metrics=cache.scores(old, of.graph) if old is not None and metrics is not None else None,
    )
    current().live.document = (stamp, document)
    return document
