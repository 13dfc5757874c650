"""Another try from the middle of an old trace: with another instruction, plan, model or
decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.errors import InputError
from navviz.records import Decision, Episode, Fork, Step, SubGoal, Trace
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class Forked:
    """What `run_episode` needs to go on from there."""

    episode: Episode
    past: Trace | None
    """``None`` where the fork is at the first step with a new plan: a run from the start."""
    origin: Fork


def fork(
    trace: Trace,
    step: int,
    *,
    instruction: str | None = None,
    sub_goals: Sequence[SubGoal] | None = None,
    target: str | None = None,
    graph: Graph | None = None,
    changes: Sequence[str] = (),
) -> Forked:
    """Prepare a run that shares the steps before `step` with a trace.

    Parameters
    ----------
    trace
        The old trace.
    step
        The first step that is new, as counted in the trace.
    instruction
        Another instruction; the plan is made anew from it unless `sub_goals` are given.
    sub_goals
        The plan to go on with, with the states that it is to have at that step.
    target
        Another decision: the node that the agent goes to in that step, instead of asking.
    graph
        For the way to `target`.
    changes
        Further changes to note (another model, other settings).

    Raises
    ------
    InputError
        When the trace has no such step, or `target` cannot be reached from where the agent stood.
    """
    place = next((i for i, old in enumerate(trace.steps) if old.index == step), None)
    if place is None:
        last = trace.steps[-1].index if trace.steps else 0
        raise InputError(
            f"has no step {step}",
            f"choose one up to {last}",
            episode=trace.episode.id,
            field="step",
        )
    noted = list(changes)
    episode, update = trace.episode, dict[str, object]()
    if instruction is not None and instruction != episode.instruction:
        episode = episode.model_copy(update={"instruction": instruction})
        noted.append("instruction")
        # these were made from the old instruction
        update.update(sub_goals=(), landmarks=(), plan_panels=())
    steps = list(trace.steps[:place])
    if sub_goals is not None:
        noted.append("plan")
        update["sub_goals"] = tuple(sub_goals)
    elif "sub_goals" not in update and trace.steps[place].plan:
        # with the states that the plan had at this step, not those of the end
        update["sub_goals"] = trace.steps[place].plan
    if target is not None:
        noted.append(f"decision in step {step}")
        steps.append(_decided(trace.steps[place], target, graph, episode.id))
    origin = Fork(run=trace.header.run, episode=trace.episode.id, step=step, changes=tuple(noted))
    update.update(
        header=trace.header.model_copy(update={"episode": episode}), steps=tuple(steps), end=None
    )
    update["waypoints"] = None  # those of the old walk; the new one is scored as it is walked
    past = trace.model_copy(update=update)
    return Forked(episode, past if steps or past.sub_goals else None, origin)


def _decided(step: Step, target: str, graph: Graph | None, episode: str) -> Step:
    """Return the step with another decision, made by the user."""
    path: tuple[str, ...] | None = ()
    if graph is not None and step.node is not None and target != step.node:
        path = graph.hops(step.node, target) if step.node in graph and target in graph else None
    if path is None:
        raise InputError(
            f"no way leads from {step.node} to {target}",
            "choose another node",
            episode=episode,
            field="target",
        )
    decision = Decision(target=target, sub_goal_status="IN_PROGRESS", reason="chosen by hand")
    # without calls: no model was asked for this decision
    return step.model_copy(update={"decision": decision, "path": path, "calls": ()})
