"""Forking: go on from a step of an old run with another instruction, plan, model or decision."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from navviz.errors import InputError
from navviz.records import Episode, SubGoal, SubGoalStatus, Trace
from navviz.runner import Forked, fork
from navviz.support.guarded import natural
from navviz.ui.components.plain import plain
from navviz.ui.state import state
from navviz.ui.state.session import ForkPoint, current
from navviz.world.graph import Graph

_AS_IT_WAS = "ask the navigator"


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be different besides instruction and model."""

    sub_goals: tuple[SubGoal, ...] | None = None
    target: str | None = None


def ask_fork(run: str, episode: str, step: int) -> None:
    """Note the wish; the caller then opens the Live page."""
    current().live.fork = ForkPoint(run, episode, max(1, step))
    state.select(run=run, episode=episode)


def fork_here(run: str, opened: str, episode: str, step: int) -> None:
    """Note the wish to fork what Live shows: the walk of the opened run, or one that was made
    beside it.
    """
    current().live.fork = ForkPoint(run, episode, max(1, step), "" if run == opened else opened)


def read_url() -> None:
    """Take a wish from ``?fork_run=…&fork_episode=…&fork_step=…``."""
    run, episode, step = (
        st.query_params.get(f"fork_{name}") for name in ("run", "episode", "step")
    )
    if run is None or episode is None or step is None:
        return
    # once: the address would ask for the fork again in every run
    for name in ("run", "episode", "step"):
        st.query_params.pop(f"fork_{name}", None)
    number = natural(step)
    if number is not None:
        ask_fork(run, episode, number)


def current_wish(run: str, episode: str) -> ForkPoint | None:
    """Return the wish, if it is about this episode of this run or a walk beside it; another choice
    ends it.
    """
    wish = current().live.fork
    if wish is not None and (wish.opened_run or wish.run, wish.episode) != (run, episode):
        current().live.fork = None
        return None
    return wish


def banner(wish: ForkPoint) -> None:
    """Show what is forked or repaired, and the way out."""
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        if wish.repair is None:
            st.markdown(f":material/call_split: **Fork from step {wish.step}**", width="stretch")
        else:
            st.markdown(
                f":material/build: **Repair from step {wish.step}:** {plain(wish.repair.words)}",
                width="stretch",
            )
        st.button(
            "Leave",
            key="live_fork_leave",
            type="tertiary",
            on_click=_leave,
            help="Walk from the start again.",
        )


def _leave() -> None:
    current().live.fork = None


def edit(wish: ForkPoint, old: Trace) -> Changes:
    """Widgets for the plan at that step and for another decision."""
    step = old.step_at(wish.step)
    if step is None:
        last = old.steps[-1].index if old.steps else 0
        raise InputError(
            f"has no step {wish.step}",
            f"choose one up to {last}",
            episode=old.episode.id,
            field="step",
        )
    plan = step.plan or old.sub_goals
    goals: tuple[SubGoal, ...] | None = None
    with st.container(border=True):
        if plan:
            st.markdown(f"**Plan at step {wish.step}**")
            goals = _plan_editor(plan, f"live_plan_{wish.run}_{wish.episode}_{wish.step}")
        candidates = step.observation.candidates if step.observation is not None else ()
        labels = {
            c.node: " · ".join(filter(None, (c.node, c.label, c.direction))) for c in candidates
        }
        visible = step.observation.visible_nodes if step.observation is not None else ()
        labels |= {node: node for node in visible if node not in labels and node != step.node}
        chosen = st.selectbox(
            f"Decision in step {wish.step}",
            [_AS_IT_WAS, *labels],
            format_func=lambda node: labels.get(node, node),
            key=f"live_target_{wish.run}_{wish.episode}_{wish.step}",
            accept_new_options=True,
            help="Another node that the agent goes to in this step, instead of deciding itself.",
        )
        target = None if chosen in {None, _AS_IT_WAS} else str(chosen)
    return Changes(goals, target)


def _plan_editor(plan: tuple[SubGoal, ...], key: str) -> tuple[SubGoal, ...] | None:
    """Show the sub-goals one below the other, in the column's whole width; return them where they
    were edited.
    """
    edited: list[SubGoal] = []
    # one empty field stands below the plan, and another as soon as that is filled
    for number in itertools.count():
        goal = plan[number] if number < len(plan) else None
        text = st.text_area(
            f"Sub-goal {number + 1}",
            value=goal.description if goal is not None else "",
            height="content",
            key=f"{key}_{number}",
            placeholder="Dropped" if goal is not None else "Write one more",
        ).strip()
        if text:
            edited.append(_edited(goal, text, number, key))
        elif goal is None:
            break
    # a plan that was only looked at is no change
    return None if tuple(edited) == plan else tuple(edited)


def _edited(goal: SubGoal | None, text: str, number: int, key: str) -> SubGoal:
    states = list(get_args(SubGoalStatus))
    status = st.selectbox(
        f"State of sub-goal {number + 1}",
        states,
        index=states.index(goal.status) if goal is not None else states.index("TODO"),
        key=f"{key}_{number}_state",
        label_visibility="collapsed",
    )
    if goal is None:
        return SubGoal(description=text, status=status)
    return (
        goal
        if goal.description.strip() == text and goal.status == status
        else goal.model_copy(update={"description": text, "status": status})
    )


def make(
    wish: ForkPoint, old: Trace, episode: Episode, graph: Graph, changes: Changes, navigator: str
) -> Forked:
    """Make the fork, ready to run."""
    # the fork's header names what differs
    noted = [] if navigator == old.header.navigator else [f"navigator {navigator}"]
    return fork(
        old,
        wish.step,
        instruction=episode.instruction,
        sub_goals=changes.sub_goals,
        target=changes.target,
        graph=graph,
        changes=noted,
    )
