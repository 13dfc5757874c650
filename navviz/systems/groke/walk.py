"""Where a GROKE walk stands: place, heading, plan, waypoints and the fault of the last reply."""

from __future__ import annotations

from dataclasses import dataclass, field

from navviz.errors import InputError
from navviz.records import Episode, Step, SubGoal, Trace
from navviz.systems.groke.plan import Plan, PlanProgress, resumed
from navviz.systems.groke.reply import Answer
from navviz.systems.plan import plan_at
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg


@dataclass(slots=True)
class Walk:
    """The state of one walk."""

    node: str
    heading_deg: float
    waypoints: list[str]
    """The start and every place moved to since."""
    step: int = 0
    """Index of the last step."""
    fault: str | None = None
    """Why the last reply could not be used."""
    progress: PlanProgress = field(default_factory=lambda: PlanProgress(()))
    before: tuple[SubGoal, ...] = ()
    """The plan of the walk that this one goes on from."""
    tries: int = 0
    """Tries of the current sub-goal in that walk."""

    def take(self, plan: Plan) -> None:
        """Follow a plan, from the first sub-goal that is not completed.

        States other than TODO are taken as they are; a plan without them goes on where its
        beginning is the same as that of the plan walked before.
        """
        stated = any(goal.status != "TODO" for goal in plan.sub_goals)
        self.progress = resumed(plan.sub_goals, () if stated else self.before)
        if self.progress.done:
            return
        goal, current = plan.sub_goals[self.progress.current], self.progress.current
        walked = resumed(self.before)
        if walked.current == current and walked.goals[current : current + 1] == (goal.description,):
            self.progress.tries = self.tries
        elif goal.iteration is not None:
            self.progress.tries = goal.iteration - 1

    def follow(self, answer: Answer, graph: Graph) -> float | None:
        """Take a judged reply; the heading after the move, or ``None`` where the agent stayed."""
        decision = answer.decision
        self.fault = None if decision.legal else decision.reason
        if decision.legal and decision.sub_goal_status == "COMPLETED":
            self.progress.complete()
        else:
            self.progress.tries += 1
        if not answer.route:
            return None
        # by the last link, not the straight line: the agent faces along the street it came by
        self.heading_deg = arrival_deg(graph, answer.route[-2], answer.route[-1])
        self.node = answer.route[-1]
        self.waypoints.append(self.node)
        return self.heading_deg


def begin(episode: Episode, graph: Graph) -> Walk:
    """Return the walk at the start of an episode.

    Raises
    ------
    InputError
        When the map is no street map, the start is not on it, or the episode has no start heading.
    """
    if graph.frame != "geo":
        raise InputError(
            "GROKE walks street maps only", "choose an indoor navigator", episode=episode.id
        )
    if episode.start not in graph:
        what = f"the start {episode.start} is not in the graph {graph.name}"
        raise InputError(
            what, "choose the map that the episode belongs to", episode=episode.id, field="start"
        )
    heading_deg = episode.start_heading_deg
    if heading_deg is None:
        raise InputError(
            "has no start heading",
            "say which way to face",
            episode=episode.id,
            field="start_heading_deg",
        )
    return Walk(episode.start, heading_deg, [episode.start])


def resume(past: Trace, graph: Graph) -> Walk:
    """Return the walk after the last step of a trace."""
    walk = begin(past.episode, graph)
    for step in past.steps:
        _retrace(walk, step, graph)
    return walk


def _retrace(walk: Walk, step: Step, graph: Graph) -> None:
    walk.step = step.index
    decision = step.decision
    walk.fault = decision.reason if decision is not None and not decision.legal else None
    completed = decision is not None and decision.legal and decision.sub_goal_status == "COMPLETED"
    if step.plan:
        _retrace_plan(walk, step, completed=completed)
    path = [node for node in step.path if node in graph]
    if len(path) > 1:
        walk.node, walk.heading_deg = path[-1], arrival_deg(graph, path[-2], path[-1])
        walk.waypoints.append(walk.node)


def _retrace_plan(walk: Walk, step: Step, *, completed: bool) -> None:
    current = step.sub_goal if step.sub_goal is not None else len(step.plan)
    done = current + 1 if completed else current
    walk.before = plan_at((goal.description for goal in step.plan), done, None)
    walk.tries = 0
    if not completed and current < len(step.plan):
        # a step without a decision was broken off: its try has not been made
        walk.tries = (step.plan[current].iteration or 1) - (step.decision is None)
