"""The selection: which run, episode and step. It lives in non-widget state keys and in the URL.

Widget keys vanish when the page changes, so no widget owns the selection: pickers write to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

__all__ = ["Selection", "read_url", "select", "selection"]

_KEYS = ("run", "episode", "step")


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user looks at; ``None`` where nothing was chosen yet."""

    run: str | None = None
    episode: str | None = None
    step: int | None = None


def selection() -> Selection:
    """The current selection."""
    chosen: Selection = st.session_state.get("selection", Selection())
    return chosen


def read_url() -> None:
    """Take the selection from the URL where it speaks of one, and write it back where it does not."""
    raw = {key: st.query_params.get(key) for key in _KEYS}
    now = selection()
    if raw["run"] is None and raw["episode"] is None:
        _write_url(now)
        return
    step = raw["step"]
    st.session_state["selection"] = Selection(
        run=raw["run"] or now.run,
        episode=raw["episode"] or (now.episode if raw["run"] in (None, now.run) else None),
        step=int(step) if step is not None and step.isdecimal() else None,
    )


def select(run: str | None = None, episode: str | None = None, step: int | None = None) -> None:
    """Choose; a new run forgets the episode, a new episode forgets the step."""
    now = selection()
    new_run = run if run is not None else now.run
    same = now.run in (None, new_run)
    kept_episode = now.episode if same else None
    kept_step = now.step if same and episode is None else None
    new = Selection(new_run, episode if episode is not None else kept_episode, step if step is not None else kept_step)
    st.session_state["selection"] = new
    _write_url(new)


def _write_url(chosen: Selection) -> None:
    for key in _KEYS:
        value = getattr(chosen, key)
        if value is None:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != str(value):
            st.query_params[key] = str(value)
