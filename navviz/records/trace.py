"""What one navigator did on one episode: the folded events of a trace file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from navviz.records.base import Position, Quaternion, Record
from navviz.records.call import Call, Price
from navviz.records.episode import START_POSE, Episode, Landmark, SubGoal
from navviz.records.finding import RepairPlan
from navviz.records.view import StepView


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
    """Ends the walk; where the episode has sub-tasks, ends the current one."""
    action: str | None = None
    """Name of the motion, where the agent walks freely: ``move_forward``, ``turn_left`` ..."""
    legal: bool = True
    reason: str | None = None
    """Why it was not legal, or, for navigators that explain themselves, why it was chosen."""


class Panel(Record):
    """An inspector: data that a navigator attaches to a step; the player draws it by its `kind`.

    Kinds that the player draws: ``table`` {columns, rows, chosen?: index of a row, note?}, ``bars``
    {items: [{label, value, chosen?, note?, skill?}], hint?, note?}, ``text`` {text}, ``keyvalue``
    {items: [[name, value]]}, ``graph`` {nodes: [{id, label?, score?, state?, note?, ring?}], links,
    states?, way_back?, note?}, ``directions`` {directions: [{label, text, objects, candidates}]},
    ``reordered`` {original, by, parts, relations} (`navviz.language.reorder`). A graph whose data
    name `states` is the agent's own map: the map draws the states of its nodes. A value ``{"mark":
    {text, start, end}}`` is a text with a part marked. An unknown kind is shown as foldable JSON.
    """

    kind: str
    title: str
    data: dict[str, Any] = Field(default_factory=dict)


EditKind = Literal["plan", "memory", "observation", "prompt", "reply", "decision"]
"""What a person may change of a walk at a pause."""


class InputEdit(Record):
    """A person's change of one input of a walk; what follows was walked with it."""

    what: EditKind
    old: str
    """The text before; of a plan one sub-goal a line, of a decision the node or ``stop``."""
    new: str
    call: int | None = None
    """Which call of the step, or of the planning before it, counted from 1; ``None`` for a
    decision.
    """
    message: int | None = None
    """Which message of the prompt, counted from 1."""
    hidden: tuple[str, ...] = Field(default=(), exclude_if=lambda hidden: not hidden)
    """Landmarks by name, and candidates by node, that the observation no longer shows."""
    added: tuple[SeenPoi, ...] = Field(default=(), exclude_if=lambda added: not added)
    """Landmarks that it shows beside."""


DUE_PART_TITLE = "Sub-goal"
"""Title of the panel that shows the part of the instruction that is due."""


class Step(Record):
    """One decision, with everything that led to it and the move that followed."""

    index: int
    """Counted from 1."""
    node: str | None
    """Where the agent stood; ``None`` where the log has a hole."""
    heading_deg: float | None = None
    position: Position | None = None
    """Where it stood, where it walks freely; `node` is then the name of this place."""
    quaternion: Quaternion | None = None
    views: tuple[StepView, ...] = ()
    """Pictures of what it saw."""
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
    end_heading_deg: float | None = None
    """Where it looked after the step."""
    end_position: Position | None = None
    """Where it stood after the step, where it walks freely."""
    end_quaternion: Quaternion | None = None
    figures: dict[str, float | None] = Field(default_factory=dict)
    """What its evaluator measured after the step."""
    edits: tuple[InputEdit, ...] = Field(default=(), exclude_if=lambda edits: not edits)
    """What a person changed in it, in order."""

    @property
    def places(self) -> tuple[str, ...]:
        """The nodes walked; of a step without a move where the agent stood, which fills a hole of a
        log.
        """
        return self.path or ((self.node,) if self.node else ())

    @property
    def due_part(self) -> str:
        """The part of the instruction that was due, where a panel of its system tells it."""
        for panel in self.panels:
            if panel.title == DUE_PART_TITLE and "sub_goal" in panel.data:
                return str(panel.data["sub_goal"] or "")
        return ""


SCHEMA_VERSION = 4
"""Version of the trace format; a reader upgrades older ones and refuses newer ones.

2 adds what long-horizon walks need, all of it optional: sub-task targets, step tasks, motions,
poses, logged stages; and the waypoints of published logs. 3 adds, all of it optional, what walks
need that no graph holds: positions and quaternions of steps, moves and ends, named places of an
episode, figures that an evaluator recorded, and pictures beside the trace. 4 makes a view of each
picture (kind, heading, field, size ...), and keeps pictures where they stood in messages.
"""


class EndStatus(StrEnum):
    """How the run of an episode ended, or why a call did not."""

    DONE = "done"
    STOPPED = "stopped"
    """By the user; the `Call.error` of a call that was stopped in the middle, too."""
    LIMIT = "limit"
    """The step limit was reached."""
    BUDGET = "budget"
    """The tokens or the money of the run were used up; a limit of the agent's own is a `LIMIT`."""
    ERROR = "error"
    UNKNOWN = "unknown"
    """A log stops without saying why."""


EndStatusName = Literal["done", "stopped", "limit", "budget", "error", "unknown"]
"""An `EndStatus` by its name; records keep the member."""


class Fork(Record):
    """Where a trace was forked from."""

    run: str
    episode: str
    step: int
    """The first step that is new; the steps before it are copies."""
    changes: tuple[str, ...] = ()
    repair: RepairPlan | None = Field(default=None, exclude_if=lambda repair: repair is None)
    """The one thing that was changed, where the fork repairs a cause."""


class TraceHeader(Record):
    """Who walked, with which settings, and on what."""

    type: Literal["header"] = "header"
    schema_version: int = SCHEMA_VERSION
    run: str = ""
    episode: Episode
    navigator: str
    settings: dict[str, Any] = Field(default_factory=dict)
    """Everything needed to run it again; never a key."""
    resolved: dict[str, Any] = Field(default_factory=dict, exclude_if=lambda resolved: not resolved)
    """Settings left to the episode (``auto``), as they were used: ``{"length_prior": "on"}``."""
    model: str | None = None
    prices: dict[str, Price] = Field(default_factory=dict)
    code_version: str = ""
    created: str = ""
    """ISO 8601 with time zone."""
    forked_from: Fork | None = None
    source: str | None = None
    """The file it was translated from, for logs of other projects."""
    poses: dict[str, tuple[float, float, float]] = Field(default_factory=dict)
    """Positions in metres of nodes that the world lacks: poses of a free walk, its targets."""
    pose_source: str | None = None
    """Where the poses come from, in words for users (``dead reckoned from the actions``)."""
    frame: str | None = None
    """Frame of the source that positions were converted from: ``habitat``, ``ned`` ...; positions
    here are in NavViz's own.
    """


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
    node: str | None = None
    heading_deg: float | None = None
    position: Position | None = None
    """Where the agent stands, where it walks freely."""
    quaternion: Quaternion | None = None
    views: tuple[StepView, ...] = Field(default=(), exclude_if=lambda views: not views)
    """Pictures of what it sees."""
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
    """The agent walked, or turned; `path` starts where it stood, and is empty where it stayed."""

    type: Literal["move"] = "move"
    path: tuple[str, ...] = ()
    heading_deg: float | None = None
    """Heading after the move."""
    position: Position | None = None
    """Where it stands after the move, where it walks freely."""
    quaternion: Quaternion | None = None
    figures: dict[str, float | None] = Field(
        default_factory=dict, exclude_if=lambda figures: not figures
    )
    """What the evaluator measured after the move, by its own names."""


class PanelEvent(Record):
    """An inspector panel for the current step."""

    type: Literal["panel"] = "panel"
    panel: Panel


class EditEvent(Record):
    """A person changed an input of the current step, or of the planning before the first one.

    After another plan the step begins again: a step of the same number follows.
    """

    type: Literal["edit"] = "edit"
    edit: InputEdit


class StageLog(Record):
    """What a foreign log says of one sub-task; figures stay as they are, ``None`` is missing."""

    success: bool | None = None
    oracle_success: bool | None = None
    error_m: float | None = None
    """Distance to the target when the sub-task ended."""
    unreachable: bool = False
    """Whether no way leads to the target."""
    begin_m: float | None = None
    """Distance to the target when the sub-task began."""
    steps: float | None = None
    reference_steps: float | None = None
    ended: bool = True
    distances_m: tuple[float | None, ...] = ()
    """Distance to the target after each step."""


class WaypointsEvent(Record):
    """The path as a foreign log gives it; its own scripts make the scored path of it."""

    type: Literal["waypoints"] = "waypoints"
    waypoints: tuple[str | None, ...]
    """Repeats and holes included."""


class EndEvent(Record):
    """The run of this episode ended."""

    type: Literal["end"] = "end"
    status: EndStatus
    reason: str | None = None
    node: str | None = None
    """Where the agent stopped."""
    plan: tuple[SubGoal, ...] = ()
    """The plan as it stood at the end."""
    position: Position | None = None
    """Where the agent stopped, where it walks freely."""
    figures: dict[str, float | None] = Field(
        default_factory=dict, exclude_if=lambda figures: not figures
    )
    """Figures of the episode as its evaluator recorded them, by its own names; ``None`` where it
    wrote no finite number.
    """
    stages: tuple[StageLog, ...] = ()
    """Sub-tasks as a foreign log has them; ours are computed from the walk."""
    events: dict[str, int] = Field(default_factory=dict, exclude_if=lambda events: not events)
    """Events of the file before this one, by type, without header and deltas: a line that is lost
    is noticed by them. Older files have none.
    """

    if TYPE_CHECKING:
        # a status may be given by its name, and reads as a member of `EndStatus`
        def __init__(
            self,
            *,
            status: EndStatus | EndStatusName,
            type: Literal["end"] = "end",  # noqa: A002 - the field's name
            reason: str | None = None,
            node: str | None = None,
            plan: Sequence[SubGoal] = (),
            position: Position | None = None,
            figures: Mapping[str, float | None] = ...,
            stages: Sequence[StageLog] = (),
            events: Mapping[str, int] = ...,
        ) -> None: ...


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
    | EditEvent
    | WaypointsEvent
    | EndEvent,
    Field(discriminator="type"),
]
"""One line of a trace file."""

UNKNOWN_PLACE = "the log does not say which place is meant"
"""`Decision.reason` of a reply in a foreign log after which nobody can tell where the agent stands.
"""

UNSAID_STOP = "the log does not say whether the agent stopped"
"""`EndEvent.reason` of a walk in a foreign log that holds neither stops nor actions."""

_GRAPHS = "graphs of its worlds"
"""No name that a field can have."""


class Trace(Record):
    """What one navigator did on one episode: the folded events of a trace file."""

    header: TraceHeader
    sub_goals: tuple[SubGoal, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    plan_calls: tuple[Call, ...] = ()
    plan_panels: tuple[Panel, ...] = ()
    plan_edits: tuple[InputEdit, ...] = Field(default=(), exclude_if=lambda edits: not edits)
    """What a person changed before the first step."""
    steps: tuple[Step, ...] = ()
    end: EndEvent | None = None
    """``None`` while it runs, or where it was killed."""
    streaming: dict[str, str] = Field(default_factory=dict)
    """Text of a call that had not ended, by channel."""
    waypoints: tuple[str | None, ...] | None = None
    """The path as a foreign log gives it, repeats and holes included; ``None`` for our own traces.
    """

    def __repr__(self) -> str:
        """Name the trace in one line; its text as a whole may have megabytes."""
        status = self.end.status if self.end is not None else "open"
        name = (
            f"run={self.header.run!r}, episode={self.episode.id!r},"
            f" navigator={self.header.navigator!r}"
        )
        return f"Trace({name}, {len(self.steps)} steps, {status})"

    __str__ = __repr__

    def remember_graphs(self, graph_of: Callable[[str], Any]) -> None:
        """Keep what finds the graph of a world, so that the trace alone can be replayed.

        It is no part of the record: neither compared nor written, and copies of the trace keep it.
        """
        # beside the fields, as `functools.cached_property` does: the record itself is frozen
        self.__dict__[_GRAPHS] = graph_of

    @property
    def graphs(self) -> Callable[[str], Any] | None:
        """What finds the graph of a world; ``None`` where nobody has said."""
        finder: Callable[[str], Any] | None = self.__dict__.get(_GRAPHS)
        return finder

    def __getstate__(self) -> dict[Any, Any]:
        """Leave the graphs out of pickles: a city takes more room than its trace."""
        state = super().__getstate__()
        fields = dict(state["__dict__"])
        fields.pop(_GRAPHS, None)
        return {**state, "__dict__": fields}

    @property
    def episode(self) -> Episode:
        """The episode that was walked."""
        return self.header.episode

    def step_at(self, index: int) -> Step | None:
        """Return the step of this number, as logs and links count them; ``None`` without one."""
        return next((step for step in self.steps if step.index == index), None)

    @property
    def path(self) -> tuple[str, ...]:
        """All nodes walked, in order, without repeats of the node the agent stands on."""
        nodes: list[str] = [self.episode.start]
        for step in self.steps:
            for node in step.places:
                if node != nodes[-1]:
                    nodes.append(node)
        return tuple(nodes)

    @property
    def poses(self) -> dict[str, Position]:
        """Positions of all places of this walk that the world may lack, by name."""
        poses: dict[str, Position] = {**self.header.poses, **self.episode.places}
        for step in self.steps:
            if step.position is not None and step.node is not None:
                poses.setdefault(step.node, step.position)
            if step.end_position is not None and step.path:
                poses.setdefault(step.path[-1], step.end_position)
        if self.end is not None and self.end.position is not None and self.end.node is not None:
            poses.setdefault(self.end.node, self.end.position)
        return poses

    @property
    def is_free(self) -> bool:
        """Whether the agent walks from pose to pose, bound to no links."""
        start = self.episode.start
        return start in self.episode.places or (start == START_POSE and not self.header.poses)

    @property
    def end_is_known(self) -> bool:
        """Whether the trace says where the agent stands after its last step, or has no step."""
        if not self.steps or (last := self.steps[-1]).path:
            return True
        return last.node is not None and (
            last.decision is None or last.decision.reason != UNKNOWN_PLACE
        )

    @property
    def never_moved(self) -> bool:
        """Whether a published log, whose end is known, holds no waypoint but the start."""
        if self.waypoints is None or not self.end_is_known:
            return False
        return sum(node is not None for node in self.waypoints) <= 1

    @property
    def edits(self) -> tuple[tuple[int | None, InputEdit], ...]:
        """What a person changed, each with the number of its step; ``None`` before the first."""
        edits: list[tuple[int | None, InputEdit]] = [(None, edit) for edit in self.plan_edits]
        for step in self.steps:
            edits += [(step.index, edit) for edit in step.edits]
        return tuple(edits)

    @property
    def unanswered(self) -> str | None:
        """Why the walk ended without an answer of the service, as ``quota (429)``; else ``None``.

        The last call decides: after a call that was tried again, and answered, the walk went on.
        """
        calls = self.calls
        return calls[-1].unanswered if calls else None

    @property
    def calls(self) -> tuple[Call, ...]:
        """All model calls in order, the planning calls first."""
        calls = list(self.plan_calls)
        for step in self.steps:
            calls += step.calls
        return tuple(calls)
