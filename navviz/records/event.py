"""The lines of a trace file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from navviz.records.base import Position, Quaternion, Record
from navviz.records.call import Call, Price
from navviz.records.cause import RepairPlan
from navviz.records.episode import Episode, Landmark, SubGoal
from navviz.records.step import Candidate, Decision, Observation, Panel
from navviz.records.view import StepView

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
    | WaypointsEvent
    | EndEvent,
    Field(discriminator="type"),
]
"""One line of a trace file."""
