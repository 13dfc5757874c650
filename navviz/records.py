"""The nouns of NavViz: frozen, versioned records, data only.

A trace is a `TraceHeader` and a list of events; on disk one event a line (see ``navviz/store/traces.py`` for reading,
appending and folding them into a `Trace`). Node ids are the graph's own strings. Headings are degrees clockwise from
north (indoors: from +y). A missing value is ``None``, never zero.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "SCHEMA_VERSION", "Call", "CallEvent", "Candidate", "Decision", "DecisionEvent", "DeltaEvent", "EndEvent",
    "Episode", "Event", "Fork", "Landmark", "Message", "MoveEvent", "Observation", "ObservationEvent", "Panel",
    "PanelEvent", "PlanEvent", "Price", "SeenPoi", "Step", "StepEvent", "SubGoal", "Task", "Trace", "TraceHeader",
    "Usage",
]  # fmt: skip

SCHEMA_VERSION = 1
"""Version of the trace format; a reader upgrades older ones and refuses newer ones."""

SubGoalStatus = Literal["TODO", "IN_PROGRESS", "COMPLETED"]
EndStatus = Literal["done", "stopped", "limit", "budget", "error", "unknown"]


class Record(BaseModel):
    """Base of all records: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Landmark(Record):
    """A place that the instruction speaks of."""

    name: str
    category: str | None = None
    relative_position: str | None = None
    letter: str | None = None
    """The letter under which prompts and map show it."""


class SubGoal(Record):
    """One part of the plan."""

    description: str
    status: SubGoalStatus = "TODO"
    iteration: int | None = None
    """How many tries a sub-goal in progress has had, counted from 1."""


class Task(Record):
    """One sub-task of a long-horizon episode (LH-VLN): go to one of `goals`."""

    description: str
    goals: tuple[str, ...] = ()
    """Node ids at which the sub-task counts as done."""
    region: str | None = None


class Episode(Record):
    """An instruction with its start and, where the data set has them, its route and goal."""

    id: str
    dataset: str
    split: str | None = None
    instruction: str
    world: str = ""
    """Name of the graph: a city, a sample world, a Matterport3D scan."""
    start: str
    start_heading_deg: float | None = None
    reference_path: tuple[str, ...] = ()
    """Node ids from start to goal; empty where nobody knows the route (drawn or unseen episodes)."""
    goal: str | None = None
    success_radius_m: float = 25.0
    """25 m outdoors, 3 m indoors, 1 m in LH-VLN."""
    sub_goals: tuple[SubGoal, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    tasks: tuple[Task, ...] = ()
    path_id: str | None = None
    """Id of the route where several instructions share one (R2R)."""
    language: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict)
    """What a data set adds (difficulty, human label, target object ...), by its own names."""


class Message(Record):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


class Usage(Record):
    """Tokens of one call, as the server counted them."""

    prompt_tokens: int | None = None
    thoughts_tokens: int | None = None
    output_tokens: int | None = None
    """Tokens of the reply without the thoughts."""
    cached_tokens: int | None = None


class Price(Record):
    """US dollars for a million tokens of one model."""

    prompt_usd: float
    output_usd: float
    """Thoughts are billed as output."""
    cached_usd: float | None = None


class Call(Record):
    """One model call: what was asked, thought and answered."""

    purpose: str = "decide"
    """``plan``, ``decide``, ``summarise`` ...: what the navigator wanted."""
    messages: tuple[Message, ...] = ()
    thoughts: str | None = None
    reply: str | None = None
    parsed: dict[str, Any] | None = None
    parse_error: str | None = None
    error: str | None = None
    """Why there is no reply, in one sentence."""
    model: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    retries: int = 0
    """Further attempts at the transport level (429, 5xx, timeouts) before this result."""
    cost_usd: float | None = None
    finish_reason: str | None = None
    response_schema: dict[str, Any] | None = None


class SeenPoi(Record):
    """A landmark that the agent was shown."""

    name: str
    letter: str | None = None
    poi_id: str | None = None
    node: str | None = None
    """The visible node that it is attached to."""
    direction: str | None = None
    position: str | None = None
    distance_m: float | None = None


class Candidate(Record):
    """A place that the agent could choose in a step."""

    node: str
    state: Literal["offered", "chosen", "rejected"] = "offered"
    label: str | None = None
    direction: str | None = None
    heading_deg: float | None = None
    angle_deg: float | None = None
    """Signed angle to the agent's heading, positive to the right."""
    distance_m: float | None = None
    score: float | None = None
    path: tuple[str, ...] = ()
    """The way there, where the candidate is a whole route."""
    reason: str | None = None


class Observation(Record):
    """What the agent was shown in a step."""

    format: str
    """``json``, ``json-optimised``, ``textual``, ``graphviz``, ``grid``, ``panorama`` ..."""
    text: str = ""
    """The context exactly as it stands in the prompt."""
    visible_nodes: tuple[str, ...] = ()
    pois: tuple[SeenPoi, ...] = ()
    candidates: tuple[Candidate, ...] = ()


class Decision(Record):
    """What the agent decided in a step."""

    target: str | None = None
    """Node id as the agent named it; ``None`` where it named none."""
    sub_goal_status: Literal["IN_PROGRESS", "COMPLETED"] | None = None
    stop: bool = False
    legal: bool = True
    reason: str | None = None
    """Why it was not legal, or, for navigators that explain themselves, why it was chosen."""


class Panel(Record):
    """An inspector: data that a navigator attaches to a step, drawn by the player's renderer for its `kind`.

    Kinds that the player draws: ``table`` {columns, rows}, ``bars`` {items: [{label, value, chosen?, note?}]},
    ``text`` {text}, ``keyvalue`` {items: [[name, value]]}, ``graph`` {nodes, links}, ``directions`` {directions:
    [{label, text, objects, candidates}]}. An unknown kind is shown as foldable JSON.
    """

    kind: str
    title: str
    data: dict[str, Any] = Field(default_factory=dict)


class Step(Record):
    """One decision, with everything that led to it and the move that followed."""

    index: int
    """Counted from 1."""
    node: str | None
    """Where the agent stood; ``None`` where the log has a hole."""
    heading_deg: float | None = None
    plan: tuple[SubGoal, ...] = ()
    """The plan as it stood when the step began."""
    sub_goal: int | None = None
    """Index into `plan` of the current sub-goal."""
    observation: Observation | None = None
    calls: tuple[Call, ...] = ()
    decision: Decision | None = None
    path: tuple[str, ...] = ()
    """Nodes walked in this step, from `node` to the new place; empty when the agent stayed."""
    panels: tuple[Panel, ...] = ()


class Fork(Record):
    """Where a trace was forked from."""

    run: str
    episode: str
    step: int
    """The first step that is new; the steps before it are copies."""
    changes: tuple[str, ...] = ()


class TraceHeader(Record):
    """Who walked, with which settings, and on what."""

    type: Literal["header"] = "header"
    schema_version: int = SCHEMA_VERSION
    run: str = ""
    episode: Episode
    navigator: str
    settings: dict[str, Any] = Field(default_factory=dict)
    """Everything needed to run it again; never a key."""
    model: str | None = None
    prices: dict[str, Price] = Field(default_factory=dict)
    code_version: str = ""
    created: str = ""
    """ISO 8601 with time zone."""
    forked_from: Fork | None = None
    source: str | None = None
    """The file it was translated from, for logs of other projects."""


class PlanEvent(Record):
    """The navigator made or changed its plan."""

    type: Literal["plan"] = "plan"
    sub_goals: tuple[SubGoal, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    calls: tuple[Call, ...] = ()
    panels: tuple[Panel, ...] = ()
    """What the navigator explains about its reading of the instruction."""


class StepEvent(Record):
    """A step begins."""

    type: Literal["step"] = "step"
    index: int
    node: str | None
    heading_deg: float | None = None
    plan: tuple[SubGoal, ...] = ()
    sub_goal: int | None = None


class ObservationEvent(Record):
    """What the agent is shown in the step that began last."""

    type: Literal["observation"] = "observation"
    observation: Observation


class DeltaEvent(Record):
    """A piece of a call that is still streaming; superseded by the `CallEvent` that follows."""

    type: Literal["delta"] = "delta"
    channel: Literal["thoughts", "reply"]
    text: str


class CallEvent(Record):
    """A model call ended."""

    type: Literal["call"] = "call"
    call: Call


class DecisionEvent(Record):
    """The decision of the current step."""

    type: Literal["decision"] = "decision"
    decision: Decision
    candidates: tuple[Candidate, ...] | None = None
    """Where given, replaces the observation's candidates (their states are now known)."""


class MoveEvent(Record):
    """The agent walked; `path` starts where it stood."""

    type: Literal["move"] = "move"
    path: tuple[str, ...]
    heading_deg: float | None = None
    """Heading after the move."""


class PanelEvent(Record):
    """An inspector panel for the current step."""

    type: Literal["panel"] = "panel"
    panel: Panel


class EndEvent(Record):
    """The run of this episode ended."""

    type: Literal["end"] = "end"
    status: EndStatus
    reason: str | None = None
    node: str | None = None
    """Where the agent stopped."""
    plan: tuple[SubGoal, ...] = ()
    """The plan as it stood at the end."""


Event = Annotated[
    TraceHeader
    | PlanEvent
    | StepEvent
    | ObservationEvent
    | DeltaEvent
    | CallEvent
    | DecisionEvent
    | MoveEvent
    | PanelEvent
    | EndEvent,
    Field(discriminator="type"),
]
"""One line of a trace file."""


class Trace(Record):
    """What one navigator did on one episode: the folded events of a trace file."""

    header: TraceHeader
    sub_goals: tuple[SubGoal, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    plan_calls: tuple[Call, ...] = ()
    plan_panels: tuple[Panel, ...] = ()
    steps: tuple[Step, ...] = ()
    end: EndEvent | None = None
    """``None`` while it runs, or where it was killed."""
    streaming: dict[str, str] = Field(default_factory=dict)
    """Text of a call that had not ended, by channel."""
    waypoints: tuple[str | None, ...] | None = None
    """The path as a foreign log gives it, repeats and holes included; ``None`` for our own traces."""

    @property
    def episode(self) -> Episode:
        """The episode that was walked."""
        return self.header.episode

    @property
    def path(self) -> tuple[str, ...]:
        """All nodes walked, in order, without repeats of the node the agent stands on."""
        nodes: list[str] = [self.episode.start]
        for step in self.steps:
            for node in step.path or ((step.node,) if step.node else ()):
                if node != nodes[-1]:
                    nodes.append(node)
        return tuple(nodes)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All model calls in order, the planning calls first."""
        return self.plan_calls + tuple(call for step in self.steps for call in step.calls)
