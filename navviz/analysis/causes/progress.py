"""How a walk went through its plan: for each sub-goal the steps in which it was due, and the way
walked.
"""

from __future__ import annotations

from dataclasses import dataclass

from navviz.records import Step
from navviz.systems.causes import CauseContext, due_sub_goal

NEXT_GOALS = 2
"""How many sub-goals after a wrong one the route may still be left because of it."""


@dataclass(frozen=True, slots=True)
class GoalStretch:
    """The steps in a row in which one sub-goal was due."""

    sub_goal: int
    text: str
    steps: tuple[Step, ...]
    closed: bool
    """Whether the last of them marked it as completed."""
    path: tuple[str, ...]
    """Nodes walked in these steps, the start included."""

    @property
    def first(self) -> Step:
        """The step in which it became due."""
        return self.steps[0]

    @property
    def last(self) -> Step:
        """The last step in which it was due."""
        return self.steps[-1]


def stretches(context: CauseContext) -> list[GoalStretch]:
    """List the sub-goals that were due, in the order of the steps."""
    rows: list[list[Step]] = []
    for step in context.trace.steps:
        if due_sub_goal(context, step) is None:
            continue
        # a sub-goal that becomes due again later has another stretch
        if rows and rows[-1][-1].sub_goal == step.sub_goal:
            rows[-1].append(step)
        else:
            rows.append([step])
    made = []
    for row in rows:
        goal = due_sub_goal(context, row[0])
        if goal is None or row[0].sub_goal is None:
            continue
        path = way_through(row)
        made.append(
            GoalStretch(row[0].sub_goal, goal.description, tuple(row), _closed(row[-1]), path)
        )
    return made


def _closed(step: Step) -> bool:
    decision = step.decision
    # what an illegal decision says was never carried out
    return decision is not None and decision.legal and decision.sub_goal_status == "COMPLETED"


def way_through(steps: list[Step]) -> tuple[str, ...]:
    """Return the nodes walked in some steps, without repeats of the node the agent stands on."""
    nodes: list[str] = []
    for step in steps:
        for node in step.path or ((step.node,) if step.node else ()):
            if not nodes or nodes[-1] != node:
                nodes.append(node)
    return tuple(nodes)


def led_astray(context: CauseContext, stretch: GoalStretch) -> bool:
    """Whether the route was left while a sub-goal was due, or soon after.

    A slip that the walk survived is no cause: the route must be left (or the walk end wrongly) in
    one of the steps of this sub-goal or of the next two.
    """
    steps = {departure.step for departure in context.divergence.departures}
    # a reply that could not be carried out ends the walk wherever the plan stands
    if context.departure is not None and context.divergence.kind != "illegal decision":
        steps.add(context.departure)
    for index in steps:
        step = context.step(index)
        # what was left before the sub-goal was due cannot come from it
        if step is None or step.sub_goal is None or index < stretch.first.index:
            continue
        if stretch.sub_goal <= step.sub_goal <= stretch.sub_goal + NEXT_GOALS:
            return True
    return False
