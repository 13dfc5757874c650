"""The left side of Live: the instruction, who walks, with which settings and model, and the button
that starts it.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from navviz.errors import InputError, NavVizError, SettingsError
from navviz.llm.prices import about_usd, load_prices
from navviz.llm.registry import model_price
from navviz.records import Episode, Trace
from navviz.records.base import capital, plural
from navviz.runner import Budget, RunConfig, WalkRequest, write_config
from navviz.runner.drawn import in_own_words
from navviz.runner.episode import check_episode
from navviz.runner.estimate import CostEstimate, estimate_run
from navviz.runner.fork import fan_run, seeded
from navviz.runs.opened import workspace_dir
from navviz.runs.owners import claim
from navviz.systems.base import Navigator, Settings, asks_model, declares_views
from navviz.systems.registry import get_navigator, navigators_for, settings_from, staged_name
from navviz.ui.components import run_form
from navviz.ui.components.browser import mount_part
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import pick
from navviz.ui.live import as_walked as live_as_walked
from navviz.ui.live import baseline as live_baseline
from navviz.ui.live import fan as live_fan
from navviz.ui.live import fork as live_fork
from navviz.ui.live import pausing as live_pausing
from navviz.ui.live import prompt as live_prompt
from navviz.ui.live import repairing as live_repairing
from navviz.ui.live import typing as live_typing
from navviz.ui.live.chosen import (
    Setting,
    is_to_run,
    live_folder,
    live_runs,
    shown_run,
    text_key,
    walks_beside,
)
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership
from navviz.ui.state import shell
from navviz.ui.state.session import RunForm, current, set_widget, widget
from navviz.views.compare import diff_html


def show_estimate(
    of: Setting,
    episode: Episode,
    navigator: Navigator,
    settings: Settings,
    model: str | None,
    walks: int = 1,
) -> float | None:
    """Say it: nothing for a navigator without a model, else calls, tokens and dollars."""
    if model is None:
        st.caption("Costs nothing: no model is asked.")
        return 0.0
    # an estimate makes the first prompts of a walk: it is made again only where something changed
    stamp = (
        f"{navigator.name} {settings!r} {episode.id} {episode.instruction} {model}"
        f" {current().live.run}"
    )
    made = current().live.estimate
    if made is None or made[0] != stamp:
        estimate = _estimate(of, episode, navigator, settings, model)
        usd = estimate.usd if estimate is not None else None
        made = current().live.estimate = (stamp, _cost_text(estimate), usd)
    words = made[1]
    if walks > 1:
        usd = made[2]
        together = "" if usd is None else f", {about_usd(usd * walks)} together"
        words = f"{walks} walks{together}; each {words}"
    if of.fork is not None:
        # the steps before the fork are kept, and how many calls that saves is not known before
        words = f"at most, as for whole walks: {words}"
    st.caption(plain(capital(words)))
    return made[2]


def _estimate(
    of: Setting, episode: Episode, navigator: Navigator, settings: Settings, model: str
) -> CostEstimate | None:
    walks: list[Trace] = [] if of.old is None else [of.old]
    # replies of another model have another length
    walks += [walk.trace for walk in walks_beside(of.episode) if walk.trace.header.model == model]
    try:
        price = model_price(model, load_prices(workspace_dir() / "prices.json")) if model else None
    except NavVizError:
        price = None  # told when the run is started
    return estimate_run(
        navigator, settings, episode, of.graph, price=price, earlier=walks, model=model
    )


def _cost_text(estimate: CostEstimate | None) -> str:
    if estimate is None:
        return f"{about_usd(None)}: no prompt can be made of this text yet."
    tokens = (
        f"{_round(estimate.prompt_tokens)} tokens of prompts and {_round(estimate.output_tokens)}"
        " of replies"
    )
    calls = plural(estimate.calls, "call")
    listed = ", the model has no list price" if estimate.usd is None else " at list price"
    runs = f"the last {estimate.runs} runs" if estimate.runs > 1 else "the last run"
    basis = f"as {runs} of this episode" if estimate.runs else "from its prompts"
    return f"{about_usd(estimate.usd)}{listed}: {calls}, {tokens} ({basis})."


def _round(tokens: int) -> str:
    return f"{tokens:,}" if tokens < 1000 else f"{round(tokens, -2):,}"


_DEFAULT = "rules"

_TEXT_PX = 160
"""Height of the instruction: with it the form ends above the fold of 1280 x 720."""

_RUN_KEY = "live_start"

_AT_A_TIME = 4
"""Walks of a fan at the same time: what providers allow a new key, and a small server bears."""

_ID_BYTES = 8
"""Nobody guesses another visitor's run: 64 random bits, as uploads have."""

_AT_ONCE_S = 0.3
"""Longest wait for a walk without a model, which mostly takes a tenth of it: a run that has ended
by then is shown whole at once, where it else would be drawn as it runs, left for a tick, and drawn
again.
"""


def edit(of: Setting) -> Episode:
    """Show the instruction, to be edited; return the episode as edited."""
    with st.container(key="live_forked"):
        if of.fork is not None:
            live_fork.banner(of.fork)
    original, shown = of.episode.instruction, shown_run(of)
    written = shown.episode.instruction if shown is not None else original
    key = text_key(of)

    def lost() -> None:
        draft = getattr(widget("live_draft"), "draft", None)
        if isinstance(draft, dict) and isinstance(draft.get("text"), str):
            _set_text(key, draft["text"])

    with st.container(key=live_typing.FIELD, gap=None):
        text = st.text_area(
            "Instruction",
            value=written,
            key=key,
            height=_TEXT_PX,
            placeholder="Write the way in words.",
            help="Ctrl + Enter runs it. Escape leaves the text; then ? lists the player's keys.",
            persist_state="session",
            disabled=of.fork is not None and of.fork.repair is not None,
        )
        # what was typed before a reload comes back from the browser
        mount_part(
            "draft",
            key="live_draft",
            data={
                "scope": f"{current().visitor} {key}",
                "original": original,
                "written": written,
                "text": text,
                "listensTo": f".st-key-{live_typing.FIELD} textarea",
            },
            on={"draft": lost},
        )
        live_pausing.keep_points()
    return of.episode.model_copy(update={"instruction": text})


def _differences(of: Setting, episode: Episode) -> None:
    """Show the words that differ; below the button, which must not move away while it is being
    pressed.
    """
    original, text = of.episode.instruction, episode.instruction
    if text == original or not original:
        return
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Compared with the original", width="stretch")
            st.button(
                "Undo",
                key="live_undo",
                type="tertiary",
                on_click=_set_text,
                args=(text_key(of), original),
            )
        st.html(diff_html(original, text))


def _set_text(key: str, text: str) -> None:
    current().live.typed = None
    set_widget(key, text)


def _choices(of: Setting) -> list[str]:
    """Navigators that can walk this graph; the default first, those that need a model last."""
    navigators = navigators_for(of.graph.frame)
    if not navigators:
        raise InputError(
            "no navigator walks this kind of graph", "choose another world", episode=of.episode.id
        )
    order = sorted(
        navigators, key=lambda each: (not each.name.startswith(_DEFAULT), each.needs_model)
    )
    names = [navigator.name for navigator in order]
    if not of.episode.tasks:
        return names
    return [*(staged_name(name) for name in names if name != "mgdm"), *names]


def start(of: Setting, episode: Episode) -> None:
    """Navigator, its settings, the model where it needs one, and the button that starts the run."""
    if of.fork is not None and of.fork.repair is not None and of.forked is not None:
        # the text of a repaired walk is not edited, so that nothing answers while one types
        current().live.walker = None
        live_repairing.start(of, of.fork, of.fork.repair, of.forked)
        return
    # another key for tasks of several parts, which have choices of their own
    key = f"live_navigator_{of.graph.frame}{'_parts' if of.episode.tasks else ''}"
    choices = _choices(of)
    live_as_walked.begin(of, key, choices)
    name = pick("Navigator", choices, key)
    live_as_walked.offer(of, key, choices)
    navigator = get_navigator(name)
    with st.container():
        shell.broken_plugins()
    # no answer dims the player; it does not jump when a run ends, since the head has two lines at
    # least; and Streamlit's "Press Ctrl+Enter to apply" would stand beside Run
    st.html(
        "<style>.st-key-live_player { opacity: 1 !important; }"
        " .st-key-live_head { min-height: 84px; }"
        " .stTextArea [data-testid='InputInstructions'] { display: none; }</style>"
    )
    # places first: the settings below decide whether a model is asked
    model_place = st.container(key="live_model_place")
    _run_button(of)
    cost = st.container(key="live_cost")
    prompt_place = st.container(key="live_prompt_place")
    below_button = st.container(key="live_below_run")
    with st.container():
        _differences(of, episode)
    repairs = st.container(key="live_repairs_place")
    with st.container():
        changes = _changes(of)
    with st.expander("Settings", icon=":material/tune:", key="live_settings"):
        st.caption(plain(navigator.summary))
        values = run_form.settings_form(
            navigator.settings_type,
            f"live_set_{name}",
            may_be_blind=declares_views(navigator),
        )
    values |= live_prompt.edited(navigator)
    model, budget = _model_of(navigator, values, model_place)
    with prompt_place, shell.guard():
        if model is not None:
            live_prompt.offer(navigator, settings_from(navigator, values))
    wanted = None
    with st.container(key="live_fan_place"), shell.guard():
        wanted = live_fan.form(settings_from(navigator, values), model)
    current().live.walker = _walker(of, navigator, values)
    current().live.form = None
    with cost, shell.guard():
        walks = wanted.walks if wanted is not None else 1
        usd = _price(of, episode, navigator, settings_from(navigator, values), model, walks)
        # a fork belongs to one walk of one episode: no other episode has its steps or its plan
        if of.fork is None:
            current().live.form = RunForm(episode.instruction, name, values, model, budget, usd)
    if is_to_run(of):
        current().live.runs_next = current().live.again = current().live.back_to = None
        with below_button, shell.guard():
            walk = _Beginning(of, episode, navigator, changes)
            _run(walk, settings_from(navigator, values), model, budget, wanted)
    with below_button, shell.guard():
        _walk_unedited(of, navigator, values, model, budget)
    with repairs, shell.guard():
        live_repairing.offer(of, episode)


def _run_button(of: Setting) -> None:
    """Show the button that starts a walk, and where it pauses."""
    shown = shown_run(of)
    goes_on = shown is not None and shown.running
    live = None if shown is None else shown.live
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Run beside it" if goes_on else "Run",
            type="primary",
            icon=":material/play_arrow:",
            key=_RUN_KEY,
            width="stretch",
            shortcut="Ctrl+Enter",
            help="The walk that is shown goes on, and stands under Variants." if goes_on else None,
            on_click=_run_next,
            args=(of,),
        )
        # at a pause it stands where the pause is answered
        if live is None or live.pause is None:
            live_pausing.show_list(live)


def _changes(of: Setting) -> live_fork.Changes:
    """Ask what a fork changes at its step; a walk from the start changes nothing there."""
    if of.fork is None or of.forked is None:
        return live_fork.Changes()
    return live_fork.edit(of.fork, of.forked)


def _price(
    of: Setting,
    episode: Episode,
    navigator: Navigator,
    settings: Settings,
    model: run_form.ModelChoice | None,
    walks: int,
) -> float | None:
    """Say what the walks will cost; returns US dollars of one walk, ``None`` where they are not
    known.
    """
    asks = asks_model(navigator, settings)
    named = _named(model) if asks else None
    return show_estimate(of, episode, navigator, settings, named, walks=walks)


def _walk_unedited(
    of: Setting,
    navigator: Navigator,
    values: dict[str, Any],
    model: run_form.ModelChoice | None,
    budget: Budget | None,
) -> None:
    """Walk the unedited text where that was asked for; the page then comes back to the edited
    one.
    """
    run = live_baseline.wants()
    if run is None:
        return
    settings = settings_from(navigator, values)
    live_baseline.check_same_walker(run, navigator.name, settings, model)
    whole = live_baseline.unedited(of)
    walk = _Beginning(whole, whole.episode, navigator, live_fork.Changes())
    _start(walk, settings, model, budget)
    current().live.back_to = run


def _run_next(of: Setting) -> None:
    """Note that Run was pressed, until the run has begun.

    Streamlit tells a press to one run of the script only. Where the connection is lost in the
    middle of that run, the next one comes without the press, and the page would stand as if nobody
    had pressed.
    """
    current().live.runs_next = text_key(of)


def _model_of(
    navigator: Navigator, values: dict[str, Any], place: AbstractContextManager[object]
) -> tuple[run_form.ModelChoice | None, Budget | None]:
    """Model and budget, where the chosen settings ask a model."""
    with place, shell.guard():
        if asks_model(navigator, settings_from(navigator, values)):
            label = run_form.model_label()
            with st.popover(label, icon=":material/smart_toy:", key="live_model", width="stretch"):
                return run_form.model_form(), run_form.budget_form()
    return None, None


def _named(model: run_form.ModelChoice | None) -> str:
    return model.name if model is not None else ""


def _walker(
    of: Setting, navigator: Navigator, values: dict[str, Any]
) -> tuple[str, Settings] | None:
    """Name and settings of a navigator that answers while one types; a fork and a model wait for
    Run.
    """
    try:
        settings = settings_from(navigator, values)
    except SettingsError:
        return None  # told where the model is chosen
    return (
        None
        if of.fork is not None or asks_model(navigator, settings)
        else (navigator.name, settings)
    )


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What is walked: by whom, on which text, from which step."""

    of: Setting
    episode: Episode
    navigator: Navigator
    changes: live_fork.Changes


def _start(
    walk: _Beginning, settings: Settings, model: run_form.ModelChoice | None, budget: Budget | None
) -> None:
    """Start one walk, and show it."""
    request = _request(walk, settings, model, budget, _run_name(walk.navigator, walk.episode))
    live = live_runs().start(replace(request, debugger=live_pausing.debugger()))
    audit.note("ran live", request.run)
    if request.llm is None:
        live.join(_AT_ONCE_S)
    # the fan of before has nothing to do with this walk
    st.query_params.pop("fan", None)
    _show(request.run)


def _run(
    walk: _Beginning,
    settings: Settings,
    model: run_form.ModelChoice | None,
    budget: Budget | None,
    wanted: live_fan.FanForm | None,
) -> None:
    """Start what Run was pressed for: one walk, or several."""
    if wanted is not None and wanted.walks > 1:
        # the first is shown, with the fan of all
        fan = f"fan-{_run_name(walk.navigator, walk.episode)}"
        requests = []
        for number, each in enumerate(wanted.models, start=1):
            for sample in range(1, wanted.samples + 1):
                run = fan_run(fan, number, sample)
                requests.append(_request(walk, seeded(settings, sample), each, budget, run))
        live_runs().start_many(requests, _AT_A_TIME)
        audit.note("ran live", fan, samples=len(requests))
        live_fan.choose(fan)
        _show(requests[0].run)
    else:
        _start(walk, settings, model, budget)


def _show(run: str) -> None:
    current().live.typed = None
    current().live.run = run
    st.query_params["live"] = run


def _request(
    walk: _Beginning,
    settings: Settings,
    model: run_form.ModelChoice | None,
    budget: Budget | None,
    run: str,
) -> WalkRequest:
    """Check a walk, make its folder, and return it ready to begin."""
    of, navigator = walk.of, walk.navigator
    if model is None and asks_model(navigator, settings):
        raise SettingsError(
            "This navigator asks a model, and none can be asked here; choose another navigator."
        )
    episode = in_own_words(walk.episode)
    check_episode(navigator, episode, of.graph, settings)
    past = origin = None
    if of.fork is not None and of.forked is not None:
        forked = live_fork.make(of.fork, of.forked, episode, of.graph, walk.changes, navigator.name)
        episode, past, origin = forked.episode, forked.past, forked.origin
    llm = model.make(run) if model is not None else None
    options = {}
    if model is not None:
        options = model.options.model_dump(mode="json", exclude_defaults=True)
    config = RunConfig(
        run=run,
        navigator=navigator.name,
        settings=settings.model_dump(mode="json"),
        model=llm.name if llm is not None else None,
        model_options=options,
        graphs=of.graphs,
        came_from=_origin(of, episode),
    )
    claim(live_folder() / run, ownership())
    write_config(live_folder() / run, config)
    return WalkRequest(
        navigator=navigator,
        settings=settings,
        episode=episode,
        graph=of.graph,
        run=run,
        out=live_folder(),
        llm=llm,
        budget=budget,
        past=past,
        forked_from=origin,
    )


def _origin(of: Setting, episode: Episode) -> str | None:
    """Run whose instruction was edited: the one that is shown, unless the text is the original's
    again.
    """
    shown = shown_run(of)
    if shown is not None and episode.instruction != of.episode.instruction:
        return shown.name
    return of.old_name or None


def _run_name(navigator: Navigator, episode: Episode) -> str:
    now = dt.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    begin = re.sub(r"[^\w.-]+", "-", f"{navigator.name}-{episode.id}")[:60]
    return f"{begin}-{now}-{secrets.token_hex(_ID_BYTES)}"
