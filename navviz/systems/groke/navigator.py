"""GROKE: a language model walks a street map, sub-goal by sub-goal (Shami et al. 2026).

The sub-instruction agent divides the instruction (`navviz.systems.groke.plan`); then, step by step,
the navigator agent is shown the visible area in one of five formats and names where the current
sub-goal ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field, model_validator

from navviz.errors import InputError, SettingsError
from navviz.llm.base import Request
from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    EndStatus,
    Episode,
    Message,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    SeenPoi,
    StepEvent,
    SubGoal,
    Trace,
)
from navviz.records.finding import RepairKind
from navviz.systems.asking import StepNavigator, Turn, Walk, ask, end_status
from navviz.systems.base import (
    OUTDOORS,
    FirstPrompt,
    Frames,
    NavigationTask,
    PromptedSettings,
    PromptKind,
    ServerPath,
    Settings,
    Standpoint,
    own_settings,
    unhidden_way,
)
from navviz.systems.groke import Format
from navviz.systems.groke.logs.calls import read_template
from navviz.systems.groke.plan import (
    Divider,
    Plan,
    PlanProgress,
    divide,
    plan_by_model,
    resumed,
    with_landmarks,
)
from navviz.systems.groke.prompts.formats import render
from navviz.systems.groke.prompts.landmarks import (
    SIMILARITY_THRESHOLD,
    Grounded,
    ground,
    linked_pois,
    mentioned,
)
from navviz.systems.groke.prompts.prompt import STEP_PROMPT, decision_schema, step_messages
from navviz.systems.groke.prompts.shown import (
    ShownLandmark,
    exact_heading_deg,
    previous_path,
    shown_landmark,
    with_landmark,
    with_way,
)
from navviz.systems.groke.prompts.visible_area import (
    POI_RADIUS_M,
    View,
    cut_to_route,
    look,
    pois_in_sight,
)
from navviz.systems.groke.reply import Answer, candidates, judge, read_answer
from navviz.systems.indoors import plan_at
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

_STAYED = "The reply names the node where the agent stands."

_NO_WAY = "The reply names {}, to which there is no way on the map."


def anywhere(answer: Answer, view: View, graph: Graph) -> Answer:
    """Return an answer with the way on the map to a node that the prompt does not show."""
    decision = answer.decision
    target = decision.target
    # without a status the reply stays a fault, whatever place it names
    if decision.legal or decision.sub_goal_status is None:
        return answer
    if target is None or target not in graph:
        return answer
    route = graph.hops(view.node, target)
    if route is None or len(route) < 2:
        return answer
    # a fresh decision: the old one still says that the node is not on the map shown
    gone = Decision(target=target, sub_goal_status=decision.sub_goal_status, reason=decision.reason)
    return Answer(gone, tuple(route))


_COLUMNS = ["Landmark", "Letter", "POI", "Score", "Node", "Where", "Metres"]


def landmark_panel(view: View, names: Sequence[str]) -> Panel | None:
    """Return a table of the sub-goal's landmarks with the POIs in view; ``None`` without landmarks.

    Scores are partial ratios, 0 to 100; landmarks without a POI in view have empty cells.
    """
    if not names:
        return None
    scores: dict[tuple[str, str], float] = {}
    for grounded in view.landmarks:
        for match in grounded.matches:
            scores[grounded.name, match.poi.id] = match.score
    rows: list[list[object]] = []
    for name in dict.fromkeys(names):
        seen = [(node, poi) for node, poi in view.seen if poi.name == name]
        for node, poi in seen:
            score, distance_m = round(scores[name, poi.poi.id], 1), round(poi.distance_m, 1)
            cells = [poi.name, poi.letter, poi.poi.name, score, node.id, poi.position, distance_m]
            rows.append(cells)
        if not seen:
            rows.append([name, view.legend.get(name), "not in view", None, None, None, None])
    return Panel(
        kind="table", title="Landmarks of the sub-goal", data={"columns": _COLUMNS, "rows": rows}
    )


class GrokeSettings(PromptedSettings):
    """Settings of GROKE; the defaults are those of the published runs, except for the whole map."""

    prompt_kind: ClassVar[PromptKind] = STEP_PROMPT

    format: Format = Field(
        "json-optimised", description="How the visible area is written for the model."
    )
    divider: Divider = Field(
        "model",
        description=(
            "Who divides the instruction: the model, a rule at full stops, nobody, or the episode's"
            " own plan."
        ),
    )
    units: int = Field(
        1, ge=1, le=20, description="Number of intersections that the visible area reaches to."
    )
    similarity_threshold: float = Field(
        SIMILARITY_THRESHOLD,
        ge=0,
        le=100,
        description="A POI is a landmark above this partial ratio (0 to 100).",
    )
    poi_radius_m: float = Field(
        POI_RADIUS_M, ge=0, le=500, description="POIs farther from the street are not seen."
    )
    step_limit: int = Field(100, ge=1, description="The walk ends after this many steps.")
    retry_limit: int = Field(
        15, ge=1, description="The walk ends after this many tries of one sub-goal."
    )
    prompt_file: ServerPath = Field(
        "",
        description=(
            "A file with another prompt text for the decisions, with places for {instruction},"
            " {sub_goal}, {landmarks}, {plan} and {map}; or one of GROKE's step logs, whose prompt"
            " is then used word by word."
        ),
    )
    area_links: int | None = Field(
        None,
        ge=0,
        description=(
            "Cut the map to the nodes within this many links of the reference route, as the"
            " published runs did (20). It tells the model where the route goes: leave it empty for"
            " a fair run."
        ),
    )
    as_published: bool = Field(
        default=False,
        description=(
            "Take replies as the released scripts do: the walk ends as soon as one names the node"
            " where the agent stands, even with sub-goals left; any node of the map may be named,"
            " and an unknown one ends the walk."
        ),
    )

    @model_validator(mode="after")
    def _check_one_prompt(self) -> Self:
        """Refuse two prompts at once."""
        if self.prompt and self.prompt_file:
            raise SettingsError("Settings of groke: give prompt or prompt_file, not both.")
        return self


class Sight:
    """What can be seen and which landmarks are found, on the whole map or one cut to the route."""

    def __init__(self, graph: Graph, episode: Episode, settings: GrokeSettings, plan: Plan) -> None:
        self.settings = settings
        self.names = tuple(landmark.name for landmark in plan.landmarks)
        self.queries = plan.queries
        self.cut = settings.area_links is not None
        self.whole = graph
        self.graph = graph
        self.shown: ShownLandmark | None = None
        """What a repair shows beside."""
        self.way: tuple[str, str] | None = None
        """A node, and the next one whose way from there a repair shows."""
        self._grounded: dict[str, Grounded] = {}
        if settings.area_links is not None:
            self.graph = cut_to_route(graph, episode.reference_path, settings.area_links)
            # once for all steps: the cut map stays the same
            self._grounded = ground(
                linked_pois(self.graph), self.names, settings.similarity_threshold, self.queries
            )

    def view(
        self, node: str, heading_deg: float, sub_goal: str | None, waypoints: tuple[str, ...] = ()
    ) -> View:
        """Look from a place, with the landmarks of the sub-goal (all where there is none)."""
        if node in self.whole and node not in self.graph:
            links = self.settings.area_links
            what = f"node {node} is more than {links} links away from the reference route"
            raise InputError(what, "take a larger area, or the whole map")
        units, radius_m = self.settings.units, self.settings.poi_radius_m
        # on the whole map, landmarks out of sight would tell the model where the route goes
        grounded = self._grounded if self.cut else self._in_sight(node, heading_deg)
        previous = previous_path(self.graph, waypoints, units=units)
        text = " ".join(self.names) if sub_goal is None else sub_goal
        marks = mentioned(grounded, text)
        return look(
            self.graph,
            node,
            heading_deg,
            marks,
            units=units,
            poi_radius_m=radius_m,
            previous=previous,
        )

    def _in_sight(self, node: str, heading_deg: float) -> dict[str, Grounded]:
        settings = self.settings
        pois = pois_in_sight(
            self.graph, node, heading_deg, units=settings.units, poi_radius_m=settings.poi_radius_m
        )
        return ground(pois, self.names, settings.similarity_threshold, self.queries)


def observe(view: View, graph: Graph, name: Format) -> Observation:
    """Return the observation of a view: its text in a format, and what the player draws."""
    pois = []
    for node, poi in view.seen:
        seen = SeenPoi(
            name=poi.name,
            letter=poi.letter,
            poi_id=poi.poi.id,
            node=node.id,
            direction=poi.direction,
            position=poi.position,
            distance_m=round(poi.distance_m, 1),
        )
        pois.append(seen)
    return Observation(
        format=name,
        text=render(name, view),
        visible_nodes=tuple(node.id for node in view.path),
        pois=tuple(pois),
        candidates=candidates(view, graph),
    )


class GrokeWalk(Walk[GrokeSettings]):
    """Where the agent is, how far its plan is, and what it can see."""

    def __init__(self, task: NavigationTask[GrokeSettings]) -> None:
        # a fork goes on from where the walk before it began
        episode = task.episode if task.past is None else task.past.episode
        if task.graph.frame != "geo":
            raise InputError(
                "GROKE walks street maps only", "choose an indoor navigator", episode=episode.id
            )
        if episode.start not in task.graph:
            raise InputError(
                f"the start {episode.start} is not in the graph {task.graph.name}",
                "choose the map that the episode belongs to",
                episode=episode.id,
                field="start",
            )
        if episode.start_heading_deg is None:
            raise InputError(
                "has no start heading",
                "say which way to face",
                episode=episode.id,
                field="start_heading_deg",
            )
        super().__init__(task, episode.start, episode.start_heading_deg)
        self.waypoints = [self.node]
        """The start and every place moved to since."""
        self.fault: str | None = None
        """Why the last reply could not be used."""
        self.progress = PlanProgress(())
        self.before: tuple[SubGoal, ...] = ()
        """The plan of the walk that this one goes on from."""
        self.tries = 0
        """Tries of the current sub-goal in that walk."""

    @property
    def plan(self) -> tuple[SubGoal, ...]:
        """The sub-goals with their states."""
        return self.progress.plan

    def prepare(self) -> Turn:
        """Walk through the past, and take its plan, or a new one."""
        episode, past = self.episode, self.task.past
        plan: Plan | None
        if past is not None:
            self._relive(past)
        # a fork keeps the plan that it was cut from, whatever divider the settings name
        if past is not None and past.sub_goals:
            plan = with_landmarks(episode.instruction, past.sub_goals, past.landmarks)
        else:
            plan = divide(episode, self.options.divider)
        if plan is None:
            plan, call = yield from plan_by_model(self.model, episode)
            if not plan.sub_goals:
                reason = call.error or f"The model gave no plan: {call.parse_error}."
                return self.end(end_status(call), reason)
        elif past is None or plan != Plan(past.sub_goals, past.landmarks):
            yield PlanEvent(sub_goals=plan.sub_goals, landmarks=plan.landmarks)
        self._take(plan)
        self.sight = Sight(self.graph, episode, self.options, plan)
        self.sight.shown = shown_landmark(past, self.progress.current)
        self.sight.way = unhidden_way(past)
        return None

    def over(self) -> EndEvent | None:
        """End with the plan, or at a limit."""
        progress, options = self.progress, self.options
        # before the limits: the last try that is allowed may complete the plan
        if progress.done:
            status, reason = EndStatus.DONE, "All sub-goals are completed."
        elif progress.tries >= options.retry_limit:
            status = EndStatus.LIMIT
            reason = f"Sub-goal {progress.current + 1} was not completed in {progress.tries} tries."
        elif self.index >= options.step_limit:
            status = EndStatus.LIMIT
            reason = f"The walk reached the limit of {options.step_limit} steps."
        else:
            return None
        return EndEvent(status=status, reason=reason, node=self.node, plan=progress.last_plan)

    def turn(self) -> Turn:
        """Look, ask where the sub-goal ends, and go there."""
        options, sight, current = self.options, self.sight, self.progress.current
        # before the view, which refuses a place outside of a cut map
        yield StepEvent(
            index=self.index,
            node=self.node,
            heading_deg=self.heading_deg,
            plan=self.plan,
            sub_goal=current,
        )
        goal = self.progress.goals[current]
        view = sight.view(self.node, self.heading_deg, goal, tuple(self.waypoints))
        if sight.shown is not None and sight.shown.sub_goal == current:
            view = with_landmark(view, sight.graph, sight.shown)
        if sight.way is not None:
            view = with_way(view, sight.graph, *sight.way)
        observation = observe(view, sight.graph, options.format)
        yield ObservationEvent(observation=observation)
        call = yield from ask(self.model, self._request(view, observation.text))
        # not those of the view: the panel also says which landmarks are not in view
        names = [name for name in sight.names if name.lower() in goal.lower()]
        panel = landmark_panel(view, names)
        if panel is not None:
            yield PanelEvent(panel=panel)
        # a model that did not answer gave no wrong reply: no try of the sub-goal is counted
        if call.error is not None:
            return self.end(end_status(call), call.error)
        answer = judge(read_answer(call, view, options.format), view)
        if options.as_published:
            answer = anywhere(answer, view, sight.graph)
        decision = answer.decision
        target = decision.target if decision.legal else None
        judged = []
        for candidate in observation.candidates:
            state = "chosen" if candidate.node == target else "rejected"
            judged.append(candidate.model_copy(update={"state": state}))
        yield DecisionEvent(decision=decision, candidates=tuple(judged))
        self.fault = None if decision.legal else decision.reason
        if decision.legal and decision.sub_goal_status == "COMPLETED":
            self.progress.complete()
        else:
            self.progress.tries += 1
        if answer.route:
            self._go(answer.route)
            yield MoveEvent(path=answer.route, heading_deg=self.heading_deg)
        elif options.as_published and decision.target is not None:
            # the published end comes first, since it holds with sub-goals left, too
            stayed = decision.target == view.node
            return self.end("done", _STAYED if stayed else _NO_WAY.format(decision.target[:60]))
        return None

    def _go(self, path: Sequence[str]) -> None:
        # by the last link, not the straight line: the agent faces along the street it came by
        self.node, self.heading_deg = path[-1], arrival_deg(self.graph, path[-2], path[-1])
        self.waypoints.append(self.node)

    def _request(self, view: View, context: str) -> Request:
        write: Callable[..., tuple[Message, ...]] = partial(
            step_messages, name=self.options.format, prompt=self.options.prompt_text
        )
        if self.options.prompt_file:
            write = read_template(Path(self.options.prompt_file).expanduser()).fill
        messages = write(
            instruction=self.episode.instruction,
            plan=self.progress.plan,
            current=self.progress.current,
            landmarks=[landmark.name for landmark in view.landmarks],
            context=context,
            fault=self.fault,
        )
        return Request(messages, schema=decision_schema(self.options.format))

    def _take(self, plan: Plan) -> None:
        """Follow a plan, from the first sub-goal that is not completed."""
        # states other than TODO are taken as they are; a plan without them goes on where its
        # beginning is the same as that of the plan walked before
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

    def _relive(self, past: Trace) -> None:
        """Go to where an older trace ends."""
        for step in past.steps:
            self.index = step.index
            decision = step.decision
            self.fault = decision.reason if decision is not None and not decision.legal else None
            completed = (
                decision is not None and decision.legal and decision.sub_goal_status == "COMPLETED"
            )
            if step.plan:
                current = step.sub_goal if step.sub_goal is not None else len(step.plan)
                done = current + 1 if completed else current
                self.before = plan_at((goal.description for goal in step.plan), done, None)
                self.tries = 0
                if not completed and current < len(step.plan):
                    # a step without a decision was broken off: its try has not been made
                    self.tries = (step.plan[current].iteration or 1) - (step.decision is None)
            path = [node for node in step.path if node in self.graph]
            if len(path) > 1:
                self._go(path)


class Groke(StepNavigator[GrokeSettings]):
    """The navigator ``groke``."""

    name: ClassVar[str] = "groke"
    summary: ClassVar[str] = (
        "GROKE: a language model names the end of each sub-goal; sees one intersection ahead."
    )
    needs_model: ClassVar[bool] = True
    frames: ClassVar[Frames] = OUTDOORS
    settings_type: ClassVar[type[Settings]] = GrokeSettings
    repairs: ClassVar[frozenset[RepairKind]] = frozenset(
        {"show_landmark", "reopen_sub_goal", "replace_plan_line", "unhide_way"}
    )

    def begin(self, task: NavigationTask[GrokeSettings]) -> GrokeWalk:
        """Return the walk before its first step."""
        prompt_file = task.settings.prompt_file
        if prompt_file:
            # a fault of the file is raised before any call is paid for
            read_template(Path(prompt_file).expanduser())
        return GrokeWalk(task)

    def shown_at(
        self, episode: Episode, graph: Graph, settings: Settings, at: Standpoint
    ) -> FirstPrompt:
        """Return the context and the whole prompt at a place; see `ShowsPlaces`."""
        own = own_settings(settings, GrokeSettings, self.name)
        unknown = [node for node in at.waypoints if node not in graph]
        if unknown:
            raise InputError(
                f"node {unknown[0]} is not in the graph {graph.name}",
                "check --previous",
                field="previous",
            )
        heading_deg = at.heading_deg
        # a heading is typed as it was printed, which is rounded; the map has the exact one
        if (at.node, heading_deg) != (episode.start, episode.start_heading_deg):
            heading_deg = exact_heading_deg(graph, at.node, heading_deg)
        plan = with_landmarks(episode.instruction, episode.sub_goals, episode.landmarks)
        sight = Sight(graph, episode, own, plan)
        view = sight.view(at.node, heading_deg, at.sub_goal, at.waypoints)
        context = render(own.format, view)
        goal = at.sub_goal or episode.instruction.strip()
        texts = [sub_goal.description for sub_goal in plan.sub_goals]
        current = texts.index(goal) if goal in texts else 0
        # a sub-goal of the user's own is a plan of one line
        if goal not in texts:
            texts = [goal]
        messages = step_messages(
            name=own.format,
            instruction=episode.instruction,
            plan=PlanProgress(tuple(texts), current).plan,
            current=current,
            landmarks=[landmark.name for landmark in view.landmarks],
            context=context,
        )
        return FirstPrompt(context, tuple(messages))
