"""Which skill each routed step asks for, beside the replay: the check that SkillNav's authors made by hand."""

from __future__ import annotations

import streamlit as st

from navviz.annotation.records import SkillLabel, Skills
from navviz.observe.skill_panels import sub_goal_data
from navviz.observe.skills import SKILLS, skill_of
from navviz.records import Step
from navviz.ui import cache
from navviz.ui.annotate.session import Work, save, saved_line, value
from navviz.ui.components.player import player
from navviz.ui.session import widget

__all__ = ["skills"]

_PLAYER_PX = 640
_NAMES = [skill.value for skill in SKILLS]


def skills(work: Work) -> None:
    """Show the replay, and one choice for each step with a sub-instruction."""
    held = value()
    now = held if isinstance(held, Skills) else Skills()
    trace = work.run.trace(work.item.episode)
    steps = [step for step in trace.steps if sub_goal_data(step).get("sub_goal")]
    left, right = st.columns([5, 2], gap="medium")
    with left:
        player(cache.document(work.run, work.item.episode), key=f"{work.key}_player", height=_PLAYER_PX)
    with right:
        if not steps:
            st.info("No step of this trace has a sub-instruction; skip it.", icon=":material/info:")
            saved_line()
            return
        st.caption("Which skill does each sub-instruction ask for? The router's choice is marked.")
        with st.container(height=_PLAYER_PX - 60, border=False):
            for step in steps:
                _one(work, now, step)
        saved_line()


def _one(work: Work, now: Skills, step: Step) -> None:
    named = skill_of(step)
    held = next((label.skill for label in now.labels if label.step == step.index), None)
    key = f"{work.key}_skill_{step.index}"
    st.text(f"{step.index}. {sub_goal_data(step)['sub_goal']}")
    st.selectbox(
        f"Skill of step {step.index}",
        _NAMES,
        index=_NAMES.index(held) if held in _NAMES else None,
        format_func=lambda name: f"{name} (router)" if named is not None and name == named.value else name,
        key=key,
        placeholder="Not judged",
        label_visibility="collapsed",
        on_change=_set,
        args=(work, now, step, named.value if named else None, key),
    )


def _set(work: Work, now: Skills, step: Step, named: str | None, key: str) -> None:
    chosen = widget(key)
    others = [label for label in now.labels if label.step != step.index]
    mine = [SkillLabel(step=step.index, named=named, skill=chosen)] if chosen else []
    save(work, now.model_copy(update={"labels": tuple(sorted([*others, *mine], key=lambda label: label.step))}))
