"""The nouns of NavViz: frozen, versioned records, data only; and traces on disk.

A trace is a `TraceHeader` and a list of events. On disk one event is one line
(`navviz.records.trace_files` reads and appends them, and folds them into a `Trace`). Node ids are
the graph's own strings. Headings are degrees clockwise from north (indoors: from +y). A missing
value is ``None``, never zero.
"""

from navviz.records.base import Record
from navviz.records.call import Call, Message, Price, ToolCall, Usage
from navviz.records.episode import Episode, Landmark, StepTask, SubGoal, SubGoalStatus, Task
from navviz.records.finding import Explanation, Finding, Quote, RepairPlan
from navviz.records.trace import (
    SCHEMA_VERSION,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    DeltaEvent,
    EditEvent,
    EditKind,
    EndEvent,
    EndStatus,
    Event,
    Fork,
    InputEdit,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    SeenPoi,
    StageLog,
    Step,
    StepEvent,
    Trace,
    TraceHeader,
    WaypointsEvent,
)
from navviz.records.view import PicturePart, StepView, ViewKind

__all__ = [
    "SCHEMA_VERSION",
    "Call",
    "CallEvent",
    "Candidate",
    "Decision",
    "DecisionEvent",
    "DeltaEvent",
    "EditEvent",
    "EditKind",
    "EndEvent",
    "EndStatus",
    "Episode",
    "Event",
    "Explanation",
    "Finding",
    "Fork",
    "InputEdit",
    "Landmark",
    "Message",
    "MoveEvent",
    "Observation",
    "ObservationEvent",
    "Panel",
    "PanelEvent",
    "PicturePart",
    "PlanEvent",
    "Price",
    "Quote",
    "Record",
    "RepairPlan",
    "SeenPoi",
    "StageLog",
    "Step",
    "StepEvent",
    "StepTask",
    "StepView",
    "SubGoal",
    "SubGoalStatus",
    "Task",
    "ToolCall",
    "Trace",
    "TraceHeader",
    "Usage",
    "ViewKind",
    "WaypointsEvent",
]
