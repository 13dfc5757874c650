"""Navigability, judged blind, and difficulty on three axes."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.records import AXES, Difficulty, Navigability
from navviz.ui.annotate.session import Work, save, saved_line, value
from navviz.ui.session import widget
from navviz.views.figures.route_map import route_figure

__all__ = ["difficulty", "instruction", "navigability", "route_map"]

MAP_CONFIG = {"scrollZoom": True, "displayModeBar": False}
_CONFIDENCE = ("Guess", "Unsure", "Fair", "Sure", "Certain")
_QUESTIONS = {
    "linguistic": "Linguistic intricacy: how hard is the text to take apart?",
    "topological": "Topological complexity: how hard is the way itself?",
    "operational": "Operational demand: how much is there to do and keep in mind?",
}


def instruction(work: Work) -> None:
    """Show the text that is rated."""
    with st.container(border=True):
        st.caption(f"Episode {work.episode.id} · {work.episode.dataset or work.run.name}")
        st.text(work.episode.instruction)


def route_map(work: Work) -> None:
    """Show the map with the route, and no agent."""
    st.plotly_chart(
        route_figure(work.graph, work.episode),
        config=MAP_CONFIG,
        key=f"{work.key}_map",
        alt=f"Map of the reference path of episode {work.episode.id}",
    )


def navigability(work: Work) -> None:
    """Ask whether somebody could follow this text to the goal."""
    held = value()
    now = held if isinstance(held, Navigability) else None
    left, right = st.columns([3, 2], gap="medium")
    with left:
        route_map(work)
    with right:
        instruction(work)
        st.markdown("**Would the instruction alone lead you along this route to the goal?**")
        with st.container(horizontal=True, gap="small"):
            _answer(work, now, "Yes", "Y", navigable=True)
            _answer(work, now, "No", "N", navigable=False)
        st.markdown("**How sure are you?**")
        with st.container(horizontal=True, gap="small"):
            for level in range(1, 6):
                _confidence(work, now, level)
        _comment(work, now)
        saved_line()


def _answer(work: Work, now: Navigability | None, label: str, shortcut: str, *, navigable: bool) -> None:
    chosen = now is not None and now.navigable == navigable
    st.button(
        label,
        key=f"{work.key}_{label}",
        type="primary" if chosen else "secondary",
        shortcut=shortcut,
        width=120,
        on_click=save,
        args=(work, _changed(now, navigable=navigable)),
    )


def _changed(now: Navigability | None, *, navigable: bool) -> Navigability:
    return now.model_copy(update={"navigable": navigable}) if now else Navigability(navigable=navigable)


def _confidence(work: Work, now: Navigability | None, level: int) -> None:
    st.button(
        _CONFIDENCE[level - 1],
        key=f"{work.key}_confidence_{level}",
        type="primary" if now is not None and now.confidence == level else "secondary",
        shortcut=str(level),
        disabled=now is None,
        on_click=_sure,
        args=(work, now, level),
    )


def _sure(work: Work, now: Navigability | None, level: int) -> None:
    if now is not None:
        save(work, now.model_copy(update={"confidence": level}))


def _comment(work: Work, now: Navigability | Difficulty | None) -> None:
    key = f"{work.key}_comment"

    def keep() -> None:
        if now is not None:
            save(work, now.model_copy(update={"comment": widget(key)}))

    st.text_area(
        "Comment",
        value=now.comment if now else "",
        key=key,
        on_change=keep,
        disabled=now is None,
        height=80,
        placeholder="What is missing, ambiguous or wrong?" if now else "Answer first.",
    )


def difficulty(work: Work) -> None:
    """Rate the three axes; saved as soon as all three are chosen."""
    held = value()
    now = held if isinstance(held, Difficulty) else None
    left, right = st.columns([3, 2], gap="medium")
    with left:
        route_map(work)
    with right:
        instruction(work)
        for axis in AXES:
            st.segmented_control(
                _QUESTIONS[axis],
                list(range(1, 11)),
                default=getattr(now, axis) if now else None,
                key=f"{work.key}_{axis}",
                on_change=_save_axes,
                args=(work, now),
            )
        missing = [axis for axis in AXES if widget(f"{work.key}_{axis}") is None]
        if missing and len(missing) < 3:
            st.caption(f"Still to rate: {', '.join(missing)}.")
        _comment(work, now)
        saved_line()


def _save_axes(work: Work, now: Difficulty | None) -> None:
    axes = {axis: widget(f"{work.key}_{axis}") for axis in AXES}
    if all(level is not None for level in axes.values()):
        save(work, Difficulty.model_validate({**axes, "comment": now.comment if now else ""}))
