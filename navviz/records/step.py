"""One decision of a navigator, with everything that led to it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from navviz.records.base import Position, Quaternion, Record
from navviz.records.call import Call
from navviz.records.episode import SubGoal
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
