"""The form of Live as a recorded walk was walked: its navigator, settings, prompt and model.

A fork begins so, and so does a walk that asks no model; any other is filled in by a button. What
cannot be the same is said before Run is pressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from navviz.records import Trace
from navviz.runner.recorded_walker import RecordedWalker, recorded_walker
from navviz.systems.base import asks_model
from navviz.systems.prompts import SETTING as PROMPT
from navviz.systems.registry import get_navigator, settings_from
from navviz.ui.components import run_form
from navviz.ui.components.plain import plain
from navviz.ui.live.chosen import Setting
from navviz.ui.state.session import current, set_widget


def begin(of: Setting, key: str, choices: Sequence[str]) -> None:
    """Fill the form in once for each walk; call it before the form is drawn."""
    walk, token = _walk(of)
    if walk is None or current().live.begun_as == token:
        return
    walker = recorded_walker(walk, _results(of))
    asks = True
    if walker.is_here and walker.navigator in choices:
        navigator = get_navigator(walker.navigator)
        asks = asks_model(navigator, settings_from(navigator, walker.settings))
    # a link says what was chosen, and whoever only looks needs no key
    if of.fork is None and (asks or key in st.query_params):
        return
    _fill(token, walker, key, choices)


def offer(of: Setting, key: str, choices: Sequence[str]) -> None:
    """Say what is not as it was walked, or offer to fill the form in as it was."""
    walk, token = _walk(of)
    if walk is None or walk.header.navigator not in choices:
        if of.fork is not None and walk is not None:
            st.info(plain(f"{walk.header.navigator} cannot walk here; choose another navigator."))
        return
    walker = recorded_walker(walk, _results(of))
    if current().live.begun_as != token:
        st.button(
            "As it was walked",
            icon=":material/history:",
            key="live_as_walked",
            type="tertiary",
            help=plain(f"Navigator, settings and model of {of.old_name}."),
            on_click=_fill,
            args=(token, walker, key, choices),
        )
        return
    lost = list(walker.differences)
    if walker.model is not None and not run_form.can_choose(walker.model):
        lost.append(f"the model {walker.model} cannot be asked here")
    if lost:
        st.info(plain(f"Not as it was recorded: {'; '.join(lost)}."), icon=":material/info:")


def fill_model(walk: Trace) -> None:
    """Choose the model of a recorded walk once, with its options; for a repair."""
    token = f"repair {walk.header.run}/{walk.episode.id}"
    if current().live.begun_as == token:
        return
    current().live.begun_as = token
    walker = recorded_walker(walk)
    run_form.fill_model(walker.model, walker.model_options)


def _walk(of: Setting) -> tuple[Trace | None, str]:
    """Return the recorded walk, and a name that another one would not have."""
    if of.fork is not None and of.forked is not None:
        return of.forked, f"fork {of.fork.run}/{of.fork.episode}/{of.fork.step}"
    return of.old, f"walk {of.old_name}/{of.episode.id}"


def _results(of: Setting) -> Path | None:
    """Return where the walk was read from; one that was made beside the opened run is our own."""
    return None if of.fork is not None and of.fork.opened_run else of.results


def _fill(token: str, walker: RecordedWalker, key: str, choices: Sequence[str]) -> None:
    current().live.begun_as = token
    if not walker.is_here or walker.navigator not in choices:
        return
    navigator = get_navigator(walker.navigator)
    set_widget(key, navigator.name)
    run_form.fill_settings(navigator.settings_type, f"live_set_{navigator.name}", walker.settings)
    current().live.prompts.pop(navigator.name, None)
    prompt = walker.settings.get(PROMPT)
    if prompt:
        current().live.prompts[navigator.name] = str(prompt)
    run_form.fill_model(walker.model, walker.model_options)
