"""NavGen forward and backward on the world of the chosen run, with everything that leads to a
task.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Literal

import pandas as pd
import streamlit as st

from navviz.llm.registry import close_model
from navviz.metrics.score import score_trace
from navviz.records import Decision, EndEvent, Episode, Step, Trace, TraceHeader
from navviz.runs.opened import OpenRun
from navviz.systems.lhvln.logs.trials import targets_of
from navviz.systems.lhvln.navgen.backward import split, string_of
from navviz.systems.lhvln.navgen.checks import ROBOTS, Check
from navviz.systems.lhvln.navgen.places import places_of, scene_dictionary
from navviz.systems.lhvln.navgen.steps import write_draft
from navviz.systems.lhvln.navgen.tasks import (
    Draft,
    draft_task,
    expert_motions,
    stretches,
)
from navviz.ui.components.plain import plain
from navviz.ui.components.player import player
from navviz.ui.components.run_form import model_form
from navviz.ui.components.widgets import show_table
from navviz.ui.server import audit
from navviz.ui.state import shell
from navviz.ui.state.session import current
from navviz.views.figures.marked_text import action_string_html
from navviz.views.player.document import replay_document
from navviz.world.graph import Graph

_RULES = "the rules"
_MODEL = "a language model"


def has_sub_tasks(run: OpenRun) -> bool:
    """Tell whether a run's episodes are tasks of several parts."""
    return run.has_tasks


def forward(run: OpenRun, episode: str) -> None:
    """Write one task and show how it came about."""
    graph = run.graph(episode)
    left, right = st.columns((4, 9), gap="medium")
    with left:
        pressed = _form(graph)
    draft: Draft | None = current().kept_by_parts.get("draft")
    if pressed is not None:
        draft = pressed
        # kept: the next run of the script comes without the press
        current().kept_by_parts["draft"] = draft
    with right:
        if draft is None:
            _scene(graph)
        else:
            _show_draft(draft, graph)


def _form(graph: Graph) -> Draft | None:
    """Ask what to write; return a draft where the button was pressed."""
    author = st.segmented_control("Author", [_RULES, _MODEL], default=_RULES, key="tasks_author")
    targets = st.segmented_control(
        "Targets", [2, 3, 4], default=2, key="tasks_targets", disabled=author == _MODEL
    )
    robot = st.segmented_control("Robot", list(ROBOTS), default="spot", key="tasks_robot")
    objects = st.toggle("At most five things a region", value=True, key="tasks_sample_objects")
    regions = st.toggle(
        "Three regions at middle distances", value=False, key="tasks_sample_regions"
    )
    seed = int(st.number_input("Seed", min_value=0, value=0, step=1, key="tasks_seed"))
    model = model_form() if author == _MODEL else None
    if not st.button("Write a task", type="primary", key="tasks_write", width="stretch"):
        return None
    with shell.guard():
        llm = model.make("a task") if model is not None else None
        try:
            return draft_task(
                graph,
                random.Random(seed),  # noqa: S311 - draws a task, no secret
                llm=llm,
                targets=targets or 2,
                robot=robot or "spot",
                sample_objects=objects,
                sample_regions=regions,
            )
        finally:
            close_model(llm)
    return None


def _scene(graph: Graph) -> None:
    """Show what there is to write about, before anything was written."""
    places = places_of(graph)
    if not places.regions:
        st.caption(
            "This world names no places and no things: open one with named places or a described"
            " house."
        )
        return
    st.caption(f"{plain(graph.name)}: {len(places.regions)} regions with things in them.")
    scene = scene_dictionary(places, random.Random(0), sample_objects=False)  # noqa: S311 - all of them: nothing is drawn
    show_table(
        pd.DataFrame(
            {"Region": list(scene), "Things": [", ".join(things) for things in scene.values()]}
        ),
        "Regions of this world and the things in each",
        {"Region": st.column_config.TextColumn(width="small")},
    )


def _show_draft(draft: Draft, graph: Graph) -> None:
    """Show a draft: instruction, marks, map; scene, prompt and reply to be unfolded."""
    if draft.written is not None:
        st.markdown("**Instruction**")
        st.text(draft.written.instruction)
        st.text("\n".join(draft.written.subtasks))
    _marks(draft.checks)
    if draft.fault is not None:
        st.error(f"Rejected: {plain(draft.fault)}.", icon=":material/block:")
    if draft.episode is not None:
        if not draft.episode.reference_path:
            st.caption("This world has no ways, so the task comes without an expert's path.")
        else:
            trace = _walked(draft.episode, graph)
            metrics = score_trace(trace, graph)
            player(
                replay_document(trace, graph, metrics=metrics),
                key=f"tasks_player_{draft.episode.id}",
                height=520,
            )
        line = draft.episode.model_dump_json(exclude_defaults=True) + "\n"
        audit.download(
            "Save the episode",
            line,
            f"{draft.episode.id}.jsonl",
            mime="application/jsonl",
            icon=":material/download:",
            key="tasks_save",
        )
    with st.expander("Scene dictionary", key="tasks_scene"):
        st.json(draft.scene, expanded=1)
    if draft.call is not None:
        with st.expander("Prompt and reply", key="tasks_prompt"):
            for message in draft.messages:
                st.caption(plain(message.role))
                st.text(message.text)
            st.caption("reply")
            st.text(draft.call.reply or draft.call.error or "no reply")


def _marks(checks: Sequence[Check]) -> None:
    with st.container(gap="xxsmall"):
        for check in checks:
            sign = ":green[:material/check:]" if check.passed else ":red[:material/close:]"
            sign = sign if check.passed or check.required else ":orange[:material/info:]"
            with st.container(horizontal=True, gap="small"):
                st.markdown(sign, width="content")
                st.text(check.rule + (f": {check.detail}" if check.detail else ""), width="content")


def _walked(episode: Episode, graph: Graph) -> Trace:
    """Return the expert's walk as a trace: each target ends with a stop."""
    steps: list[Step] = []
    heading = episode.start_heading_deg
    rest = [set(task.goals) for task in episode.tasks]
    path = episode.reference_path
    # the last node stands there twice, so that its stop is a step as well
    for here, there in pairwise((*path, path[-1])):
        # targets that follow each other may lie at one node
        while rest and here in rest[0]:
            stop = Decision(target=here, stop=True, reason="The target is here.")
            steps.append(Step(index=len(steps) + 1, node=here, heading_deg=heading, decision=stop))
            rest.pop(0)
        if there != here:
            move = Decision(target=there)
            steps.append(
                Step(
                    index=len(steps) + 1,
                    node=here,
                    heading_deg=heading,
                    decision=move,
                    path=(here, there),
                )
            )
            heading = graph.heading_deg(here, there)
    header = TraceHeader(episode=episode, navigator="expert")
    return Trace(header=header, steps=tuple(steps), end=EndEvent(status="done", node=path[-1]))


# --- backward


def backward(run: OpenRun, episode: str) -> None:
    """Show the expert's actions of the chosen episode with their segments, tags and texts."""
    trace, graph = run.trace(episode), run.graph(episode)
    if trace.episode.step_tasks:
        _published(trace)
        return
    motions = expert_motions(trace.episode, graph)
    if motions is None:
        st.caption(
            "This episode has no expert's path through its targets: choose one with sub-tasks."
        )
        return
    parts = stretches(motions, graph)
    segments = chain.from_iterable(stretch.task.segments for stretch in parts)
    spans = [(segment.start, segment.end, segment.label) for segment in segments]
    st.html(action_string_html(string_of(motions.actions), spans))
    with st.expander("Let a model write the step tasks", key="tasks_step_model"):
        model = model_form()
    for k, stretch in enumerate(parts):
        task = stretch.task
        st.markdown(f"**Step task {k + 1}**, actions {task.start}-{task.end}")
        st.text(f"to {task.target}")
        _segments(
            [(part.start, part.end, part.label) for part in task.segments],
            k,
            [", ".join(tags) for tags in stretch.tags],
        )
        if st.button("Write it", key=f"tasks_step_{k}"):
            with shell.guard():
                llm = model.make("a step task")
                try:
                    draft = write_draft(episode, stretch, llm)
                finally:
                    close_model(llm)
                st.text(draft.text or draft.fault)
                _marks(draft.checks)


def _published(trace: Trace) -> None:
    """Show the step tasks of a recorded walk, and whether the algorithm finds the same ones."""
    actions = [step.decision.action or "" for step in trace.steps if step.decision is not None]
    step_tasks = trace.episode.step_tasks
    segments = chain.from_iterable(task.segments for task in step_tasks)
    # The files count steps from 1.
    spans = [(first - 1, last - 1, label) for first, last, label in segments]
    st.html(action_string_html(string_of(actions), spans))
    made = [(part.start + 1, part.end + 1) for part in split(actions, targets_of(trace))]
    with st.container(horizontal=True, gap="small"):
        same = made == [(task.first_step, task.last_step) for task in step_tasks]
        st.markdown(
            ":green[:material/check:]" if same else ":orange[:material/info:]", width="content"
        )
        differing = "NavGen's algorithm cuts this walk at other steps: " + ", ".join(
            f"{a - 1}-{b - 1}" for a, b in made
        )
        st.text(
            "NavGen's algorithm cuts this walk into these step tasks exactly."
            if same
            else differing
        )
    for k, task in enumerate(step_tasks):
        st.markdown(
            f"**Step task {k + 1}**, {plain(f'actions {task.first_step - 1}-{task.last_step - 1}')}"
        )
        st.text(f"to {task.target}: {task.instruction}")
        _segments([(a - 1, b - 1, label) for a, b, label in task.segments], k)


def _segments(
    spans: Sequence[tuple[int, int, str]], k: int, tags: Sequence[str] | None = None
) -> None:
    """Show the parts of a step task as a table."""
    columns = {
        "Actions": [f"{first}-{last}" for first, last, _ in spans],
        "Segment": [label for *_, label in spans],
    }
    table = pd.DataFrame(columns if tags is None else columns | {"Tags": list(tags)})
    widths = {name: st.column_config.TextColumn(width="small") for name in columns}
    width: Literal["content", "stretch"] = "content" if tags is None else "stretch"
    alt = f"Segments of step task {k + 1}"
    show_table(table, alt, widths, width=width)
