"""The left side of Live while a walk is repaired: what is changed, what it costs, and the button.

The walk is made by the navigator of the recorded walk, with its settings and its model, so nothing
of the form for a new walk is asked here.
"""

from __future__ import annotations

import math
import re
import secrets
from dataclasses import replace

import streamlit as st

from navviz.analysis.counterfactuals.trials import repairs_estimate
from navviz.analysis.counterfactuals.walking import walk_request, walker_of
from navviz.analysis.repairs import Repair, suggest_repairs
from navviz.llm.prices import about_usd
from navviz.records import Episode, Trace
from navviz.records.base import plural
from navviz.runner import RunConfig, write_config
from navviz.runner.verify import settings_as_walked
from navviz.runs.owners import claim
from navviz.systems.base import asks_model
from navviz.systems.registry import get_navigator
from navviz.ui.components import run_form
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.data.repair_batches import wish_repair
from navviz.ui.live import as_walked as live_as_walked
from navviz.ui.live import pausing as live_pausing
from navviz.ui.live.chosen import (
    Setting,
    Shown,
    is_to_run,
    live_folder,
    live_runs,
    shown_run,
    text_key,
)
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership
from navviz.ui.state import shell
from navviz.ui.state.session import ForkPoint, RepairWish, current, set_widget
from navviz.world.graph import Graph

_ID_BYTES = 8

_AT_ONCE_S = 1.0
"""Longest wait for a walk without a model, so that its end is drawn at once and not twice."""


def start(of: Setting, point: ForkPoint, repair: RepairWish, walk: Trace) -> None:
    """Show what is repaired, and walk it: at once where a key asked for it and no model is asked.

    Raises `SettingsError` when the walk's navigator cannot walk as it walked.
    """
    header = walk.header
    navigator = get_navigator(header.navigator)
    settings = settings_as_walked(walk, navigator, repair.results)
    asks = asks_model(navigator, settings)
    st.caption(
        f"{plain(navigator.name)} walks again from step {point.step}: {plain(repair.words)}. Its"
        " settings and all before that step stay as they were recorded."
    )
    form = st.container()
    pressed = _button(of, again=_is_made(of, repair))
    model, budget = None, None
    with form, shell.guard():
        if asks:
            st.caption(plain(_cost(walk, point.step)))
            live_as_walked.fill_model(walk)
            model, budget = run_form.model_form(), run_form.budget_form()
        else:
            st.caption("Costs nothing: no model is asked.")
    # once: else each run of the page would walk it again
    by_key, current().live.repairs_next = current().live.repairs_next, False
    if pressed or (by_key and not asks):
        with shell.guard():
            begin = re.sub(r"[^\w.-]+", "-", f"repair-{of.episode.id}")[:60]
            run = f"{begin}-{secrets.token_hex(_ID_BYTES)}"
            llm = model.make(run) if model is not None else None
            walker_of(
                walk, llm, repair.results
            )  # another model is refused before anything is written
            # before the first file: a folder without an owner is the operator's
            claim(live_folder() / run, ownership())
            request = walk_request(
                walk,
                of.graph,
                repair.plan,
                run=run,
                out=live_folder(),
                llm=llm,
                results=repair.results,
            )
            options = {}
            if model is not None:
                options = model.options.model_dump(mode="json", exclude_defaults=True)
            config = RunConfig(
                run=run,
                navigator=request.navigator.name,
                settings=request.settings.model_dump(mode="json"),
                model=None if llm is None else llm.name,
                model_options=options,
                graphs=of.graphs,
                came_from=of.old_name or None,
            )
            write_config(live_folder() / run, config)
            live = live_runs().start(
                replace(request, budget=budget, debugger=live_pausing.debugger())
            )
            audit.note("repaired", run)
            if llm is None:
                live.join(_AT_ONCE_S)
            current().live.typed = None
            current().live.run = run
            st.query_params["live"] = run


def wish(of: Setting, shown: Shown | None, cause: int | None) -> None:
    """Repair the walk that is shown: the opened one, or one that was made beside it."""
    walk = of.old if shown is None else shown.trace
    if walk is None:
        return
    run, opened_run = (of.old_name, "") if shown is None else (shown.name, of.old_name)
    results = of.results if shown is None else None
    if not wish_repair(
        walk, of.graph, run=run, opened_run=opened_run, cause=cause, results=results
    ):
        st.toast("Nothing can be repaired in this walk.", icon=":material/build:")


def first_step(of: Setting) -> int | None:
    """Return the first step that differs from the recorded walk; ``None`` without a repair."""
    if of.fork is None or of.fork.repair is None:
        return None
    return of.fork.step


def _is_made(of: Setting, repair: RepairWish) -> bool:
    """Whether the walk that is shown is this repair already, and not the walk to be repaired."""
    shown = shown_run(of)
    origin = None if shown is None else shown.trace.header.forked_from
    return origin is not None and origin.repair == repair.plan


def _button(of: Setting, *, again: bool) -> bool:
    """Show the button; returns whether it was pressed, in this run of the script or a lost one."""
    st.button(
        "Repair again" if again else "Repair and walk",
        type="primary",
        icon=":material/build:",
        key="live_repair_start",
        width="stretch",
        on_click=_run_next,
        args=(of,),
    )
    pressed = is_to_run(of)
    if pressed:
        current().live.runs_next = current().live.again = None
    return pressed


def _run_next(of: Setting) -> None:
    current().live.runs_next = text_key(of)


def _cost(walk: Trace, step: int) -> str:
    """Say what the new walk will take, from what the same steps took when they were recorded."""
    calls, tokens, usd = repairs_estimate(walk, step)
    return (
        f"The walk asked {walk.header.model or 'a model'}; choose the same one. From step {step} on"
        f" it took {plural(calls, 'call')} and {tokens:,} tokens, {about_usd(usd)}."
    )


@st.cache_data(max_entries=64, show_spinner="Trying edits …")
def _repairs(
    world: str, graphs: tuple[str, ...], episode: Episode, _graph: Graph
) -> tuple[Repair, ...]:
    del world, graphs
    return suggest_repairs(episode, _graph)


def offer(of: Setting, episode: Episode) -> None:
    """Offer repairs where the walk that is shown failed on streets whose route is known."""
    if of.graph.frame != "geo" or len(of.episode.reference_path) < 2 or not _failed(of):
        return
    wanted = current().live.repairs_for
    if wanted != episode.instruction:
        st.button(
            "Suggest repairs",
            icon=":material/build:",
            key="live_repairs",
            width="stretch",
            on_click=_ask,
            args=(episode.instruction,),
            help=(
                "Small edits of the instruction, from how the rules read it along the reference"
                " path."
            ),
        )
        return
    repairs = _repairs(of.graph.name, of.graphs, episode, of.graph)
    with st.container(border=True, gap="small", key="live_repairs_list"):
        if not repairs:
            st.caption("No small edit helps: none brings the stop nearer to the goal.")
        for number, repair in enumerate(repairs):
            st.text(repair.sentence)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                color = "green" if repair.success else "orange"
                # `rules` both times: with the text as it stands, and as edited
                before = "" if math.isinf(repair.before_m) else f"{repair.before_m:.0f} m → "
                moved = f"rules: {before}{repair.error_m:.0f} m from the goal"
                st.markdown(f":{color}-badge[{plain(moved)}]", width="content")
                st.button(
                    "Apply and run",
                    key=f"live_repair_{number}",
                    type="tertiary",
                    on_click=_apply,
                    args=(of, repair.instruction),
                )


def _failed(of: Setting) -> bool:
    """Whether the walk that is shown, or the one before any run, ended outside the goal's
    radius.
    """
    shown = shown_run(of)
    trace = shown.trace if shown is not None else of.old
    if trace is None or (shown is not None and shown.running):
        return False
    # None, where nobody knows, is no failure
    return cache.scores(trace, of.graph).get("SR") == 0


def _ask(instruction: str) -> None:
    current().live.repairs_for = instruction


def _apply(of: Setting, instruction: str) -> None:
    set_widget(text_key(of), instruction)
    # what was typed before must not stand in for the repaired text
    current().live.typed = None
    current().live.runs_next = text_key(of)
    audit.note("repaired", of.episode.id)
