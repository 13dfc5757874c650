"""The replay document: what the player is given, as records that its own types are made from.

The document is small however large the graph. Nodes are given by index into ``nodes.ids``; a node
that is not in the graph is given by its id, and a hole in the log is left out. Texts are indices
into ``strings``. What is missing is left out, never zero. Positions are flat: ``lat, lon`` in
degrees outdoors, ``x, y, z`` in metres indoors. ``npm run types`` writes ``document.d.ts`` of them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from navviz.records import ViewKind
from navviz.records.episode import SubGoalStatus
from navviz.views.player.schema_world import (
    Area,
    DocumentGraph,
    DocumentNodes,
    Door,
    EditEntry,
    Floor,
    House,
    LinkBends,
    Outline,
    PackedStrings,
    Part,
    PoiEntry,
    Room,
    StepTexts,
    WhatIfEntry,
)

__all__ = [
    "DOCUMENT_VERSION",
    "Area",
    "CallEntry",
    "CandidateEntry",
    "Compared",
    "ComparedStep",
    "DecisionEntry",
    "DivergenceEntry",
    "DocumentGraph",
    "DocumentNodes",
    "DocumentPictures",
    "Door",
    "EndEntry",
    "EpisodeEntry",
    "Floor",
    "ForkEntry",
    "FurtherWalk",
    "HeadFigure",
    "House",
    "LandmarkEntry",
    "LinkBends",
    "MessageEntry",
    "NodeRef",
    "ObservationEntry",
    "Outline",
    "PackedStrings",
    "PanelEntry",
    "PlanRow",
    "Planning",
    "PoiEntry",
    "ReplayDocument",
    "Room",
    "SeenEntry",
    "SkillEntry",
    "Spent",
    "StageEntry",
    "StageState",
    "StepEntry",
    "StepTaskEntry",
    "StepTexts",
    "Streaming",
    "TaskEntry",
    "TextPart",
    "UsageEntry",
    "ViewEntry",
]

TextPart = tuple[Literal["heading", "fence", "json", "code", "text", "picture"], int]
"""A part of a prompt: what it is, and its text's index; a picture's in the document's
`pictures.prompts`. All texts joined are the prompt.
"""


class MessageEntry(Part):
    """One message of a prompt."""

    role: str
    parts: list[TextPart]


class UsageEntry(Part):
    """Tokens of one call, as the server counted them."""

    prompt_tokens: int | None = None
    thoughts_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


class CallEntry(Part):
    """One model call."""

    purpose: str
    messages: list[MessageEntry]
    thoughts: int | None = None
    """Index of a text."""
    reply: int | None = None
    """Index of a text."""
    parse_error: str | None = None
    error: str | None = None
    model: str | None = None
    usage: UsageEntry | None = None
    seconds: float | None = None
    retries: int | None = None
    cost_usd: float | None = None
    list_price: bool | None = None
    """Whether the cost is the list price, since the log names none."""
    finish_reason: str | None = None


class PanelEntry(Part):
    """An inspector panel; `assets/player/src/panels` has one renderer a kind."""

    kind: str
    title: str
    data: dict[str, Any]


class Spent(Part):
    """What the calls so far have cost."""

    calls: int
    tokens: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    list_price: bool | None = None
    """Whether part of the cost is the list price."""
    partial: bool | None = None
    """Whether the tokens of some calls are missing."""


class PictureEntry(Part):
    """A picture; its bytes are asked for under the document's `at` by its key."""

    name: str
    """The path that the log or the folder has for it."""
    fault: str | None = None
    """Why there is nothing to show, in one sentence."""
    key: str | None = None
    """Its name where the app serves it: the same in each document of a visitor, so that the browser
    fetches it once."""
    data: str | None = None
    """The picture itself as a data URL, where the document stands in a file."""


class ViewEntry(Part):
    """What a step could see."""

    kind: ViewKind
    pictures: list[int | None]
    """Indices into the document's pictures: one; a cube's six faces or the strip of them; 36
    views, ``null`` for those that are missing."""
    heading_deg: float | None = None
    elevation_deg: float | None = None
    field_deg: float | None = None
    label: str | None = None
    rotation: list[float] | None = None
    """Of a cube: rotation of its pose, 9 numbers row by row."""


class PlaceViewEntry(Part):
    """What lies there for a place, whoever stood at it."""

    node: int
    view: ViewEntry


class PromptPicture(Part):
    """A picture where it stood in a prompt."""

    picture: int
    detail: str | None = None
    mime: str | None = None
    width: int | None = None
    height: int | None = None
    size_bytes: int | None = None
    tokens: int | None = None
    """Estimated by the provider's published rule."""
    label: str | None = None


class DocumentPictures(Part):
    """All pictures of a document."""

    all: list[PictureEntry]
    at: str | None = None
    """Address under which the app serves them: ``AT/KEY?size=PIXELS``."""
    prompts: list[PromptPicture] = Field(default_factory=list)
    places: list[PlaceViewEntry] = Field(default_factory=list)
    """Panoramas, cubes and 36 views of places on and beside the walk and its reference."""


DOCUMENT_VERSION = 2

NodeRef = int | str
"""Index of a node in the document, or the id of one that is not in the graph."""

PlanRow = tuple[int, SubGoalStatus, int | None]
"""A sub-goal: its description (index of a text), its status, and how many tries it has had."""


class TaskEntry(Part):
    """A sub-task of a long-horizon episode."""

    description: str
    goals: list[NodeRef]
    region: str | None = None
    target: str | None = None
    actions: list[str] = Field(default_factory=list)
    """The actions to do there, in words."""


StageState = Literal["none", "now", "reached", "missed", "cut"]


class StageEntry(Part):
    """What a walk did for one sub-task; steps are counted from 1 in the document's list."""

    state: StageState
    """``missed``: stopped too far; ``cut``: ended in the middle; ``now``: under way."""
    status: str
    stops: bool
    """Whether its last step is a stop."""
    first: int | None = None
    last: int | None = None
    oracle: int | None = None
    """First step after which the agent was near enough."""
    moves: float | None = None
    reference_moves: float | None = None
    nearest_m: float | None = None
    error_m: float | None = None


class StepTaskEntry(Part):
    """A stretch of the walk that is also a short task of its own."""

    first: int
    last: int
    instruction: str
    target: str | None = None
    segments: list[tuple[int, int, str]] = Field(default_factory=list)
    """First step, last step, label."""


class EpisodeEntry(Part):
    """The episode that was walked."""

    id: str
    dataset: str
    instruction: str
    start: NodeRef
    success_radius_m: float
    split: str | None = None
    start_heading_deg: float | None = None
    goal: NodeRef | None = None
    language: str | None = None
    tasks: list[TaskEntry] = Field(default_factory=list)
    step_tasks: list[StepTaskEntry] = Field(default_factory=list)


class LandmarkEntry(Part):
    """A place that the instruction mentions."""

    name: str
    category: str | None = None
    relative_position: str | None = None
    letter: str | None = None
    at: list[float] | None = None
    """Where the map has it, whether the agent was shown it or not."""
    unplaced: str | None = None
    """Why it has no place on the map."""


class SeenEntry(Part):
    """A landmark that the agent was shown."""

    name: str
    letter: str | None = None
    node: NodeRef | None = None
    """The visible node that it is attached to."""
    direction: str | None = None
    position: str | None = None
    distance_m: float | None = None
    poi: int | None = None
    """Index into the document's POIs."""
    at: list[float] | None = None
    approximate: bool | None = None
    """Whether it is drawn at its node, since its own place is missing."""


class CandidateEntry(Part):
    """A place that the agent could choose."""

    node: NodeRef
    state: Literal["offered", "chosen", "rejected"]
    label: str | None = None
    direction: str | None = None
    heading_deg: float | None = None
    angle_deg: float | None = None
    """Signed angle to the agent's heading, positive to the right."""
    distance_m: float | None = None
    score: float | None = None
    path: list[NodeRef] | None = None
    reason: str | None = None


class ObservationEntry(Part):
    """What the agent was shown."""

    format: str
    visible: list[NodeRef]
    pois: list[SeenEntry]
    candidates: list[CandidateEntry]
    text: list[TextPart] | None = None


class DecisionEntry(Part):
    """What the agent decided."""

    stop: bool
    legal: bool
    target: NodeRef | None = None
    target_id: str | None = None
    """The target as the agent named it."""
    action: str | None = None
    """Name of the motion, where the agent walks freely."""
    sub_goal_status: Literal["IN_PROGRESS", "COMPLETED"] | None = None
    reason: str | None = None


class SkillEntry(Part):
    """A skill of SkillNav, with the one colour that it has everywhere."""

    name: str
    short: str
    """One word, for the legend."""
    colour: str


class Planning(Part):
    """What was planned before the first step."""

    sub_goals: list[PlanRow]
    landmarks: list[LandmarkEntry]
    calls: list[CallEntry]
    panels: list[PanelEntry]
    so_far: Spent


class StepEntry(Part):
    """One decision and the move that followed."""

    index: int
    calls: list[CallEntry]
    path: list[NodeRef]
    panels: list[PanelEntry]
    so_far: Spent
    node: NodeRef | None = None
    heading_deg: float | None = None
    plan: list[PlanRow] | None = None
    sub_goal: int | None = None
    """Index into the plan."""
    observation: ObservationEntry | None = None
    decision: DecisionEntry | None = None
    jumps: list[int] | None = None
    """Positions in the path from which the agent went on to a node that is not linked."""
    retries: int | None = None
    to_goal_m: float | None = None
    """Distance to the goal after the step: straight outdoors, walked indoors."""
    skill: int | None = None
    """The skill whose agent acted: index into the document's skills."""
    walk_back: bool | None = None
    """Whether the move is the way back to the best stop."""
    to_target_m: float | None = None
    """Distance to the target of the sub-task after the step, where the episode has sub-tasks."""
    views: list[ViewEntry] | None = None
    """What it saw, where there are pictures."""
    edits: list[EditEntry] | None = None
    """What a person changed in it."""


class EndEntry(Part):
    """How the run of the episode ended."""

    status: str
    reason: str | None = None
    node: NodeRef | None = None
    plan: list[PlanRow] | None = None


class Streaming(Part):
    """Text of a call that has not ended."""

    thoughts: str | None = None
    reply: str | None = None


class DivergenceEntry(Part):
    """The act that a failed walk did not do; else where and how it left the reference path."""

    step: int | None = None
    kind: str | None = None
    sentence: str | None = None
    words: str | None = None
    """Words of the instruction for the act that was not done."""
    grade: str | None = None
    """``fact`` or ``hint``, of an act; missing where this is none."""
    node: NodeRef | None = None
    returned_step: int | None = None


class QuoteEntry(Part):
    """A place that proves a cause, with the words that stand there."""

    source: str
    """Instruction, prompt, thoughts, reply, plan, map, decision or setting."""
    text: str
    step: int | None = None
    """Counted from 1, as the player counts; missing where it is about plan or episode."""
    sub_goal: int | None = None
    at: list[float] | None = None
    """Position of a place on the map, as `PoiEntry.at`."""


class CauseEntry(Part):
    """Why a step went wrong."""

    id: str
    name: str
    sentence: str
    step: int
    sub_goal: int | None = None
    grade: str
    """``cause`` or ``hint``."""
    quotes: list[QuoteEntry]
    repair: str | None = None
    """What its repair changes, in words; missing where the navigator takes none."""


class CausesEntry(Part):
    """What the detectors found in the walk."""

    likely: int | None = None
    """Index into `all`; missing where no cause was found."""
    leading: int | None = None
    """Index into `all`: the likely cause, else the first hint; missing where there is neither."""
    all: list[CauseEntry]
    repair: str | None = None
    """What the first repair changes, in words; missing where nothing can be repaired."""
    unchecked: str | None = None
    """Which kinds of cause the log is too poor for, in one sentence; missing where none is."""


class ForkEntry(Part):
    """Where the trace was forked from."""

    run: str
    episode: str
    step: int
    changes: list[str] = Field(default_factory=list)


class ComparedStep(Part):
    """A step of the run compared with."""

    path: list[NodeRef]
    node: NodeRef | None = None
    target: NodeRef | None = None
    heading_deg: float | None = None
    views: list[ViewEntry] | None = None
    texts: StepTexts | None = None


class Header(Part):
    """Who walked, and how."""

    navigator: str
    settings: dict[str, Any] = Field(default_factory=dict)
    eyes: str | None = None
    """Whether its model was shown ``pictures``, or is the ``text variant`` of an agent that is."""
    run: str | None = None
    model: str | None = None
    created: str | None = None
    source: str | None = None
    forked_from: ForkEntry | None = None


class Compared(Header):
    """An older run of the same episode."""

    label: str
    instruction: str
    sub_goals: list[PlanRow]
    steps: list[ComparedStep]
    metrics: dict[str, float | None]
    end: NodeRef | None = None
    first_difference: int | None = None
    """The step, counted from 1, at which the two runs first differ."""
    partners: list[int] | None = None
    """For each step of the walk the one of this run, from 1, that is as far along its way."""
    parting: int | None = None
    """The step, from 1, whose move parts from this run's."""
    apart: list[tuple[NodeRef, str]] | None = None
    """Where the two go from there, the walk first, and how in turn words."""


class FurtherWalk(Part):
    """The way of one more run, for the map alone; its colour is ``#rrggbb``."""

    label: str
    colour: str
    steps: list[ComparedStep]
    end: NodeRef | None = None


class HeadFigure(Part):
    """One figure in the head of the player."""

    name: str
    """Key of `ReplayDocument.metrics`."""
    label: str
    help: str
    metres: bool = False
    """Whether it is a length."""


class ReplayDocument(Header):
    """Everything that the player needs to replay an episode without asking a server."""

    version: int = DOCUMENT_VERSION
    frame: Literal["geo", "metric"]
    world: str
    title: str
    episode: EpisodeEntry
    nodes: DocumentNodes
    links: list[int]
    """Flat pairs of nodes: outdoors between those of paths and visible areas, indoors all."""
    streets: list[list[float]]
    """Lines as flat positions; outdoors only."""
    bends: list[LinkBends] | None = None
    """Those of `links` that do not run straight, where the world has any."""
    backdrop: list[Area]
    graph: DocumentGraph
    reference: list[NodeRef]
    planning: Planning
    steps: list[StepEntry]
    running: bool
    """Whether more may come."""
    streaming: Streaming
    metrics: dict[str, float | None]
    """Figures by their short names; ``null`` where they could not be computed."""
    head: list[HeadFigure]
    """Those of `metrics` that the episode's kind is judged by."""
    notes: list[str]
    unanswered: str | None = None
    """Why the model's service did not answer, which ended the walk; its figures say little then."""
    unlogged: str | None = None
    """Why no step has a call, where a model was asked but its log is not here."""
    stages: list[StageEntry] = Field(default_factory=list)
    """One a sub-task of the episode; empty where there are none."""
    free: bool = False
    """Whether the agent moves freely by motions of a fixed length; then steps play faster."""
    pois: list[PoiEntry]
    pictures: DocumentPictures | None = None
    """Missing where the walk has none."""
    strings: list[str] | PackedStrings
    skills: list[SkillEntry] | None = None
    """Where steps name skills."""
    indoor: House | None = None
    end: EndEntry | None = None
    divergence: DivergenceEntry | None = None
    causes: CausesEntry | None = None
    """Missing where nobody looked for causes."""
    what_if: WhatIfEntry | None = None
    """Missing where nobody has walked on after other links."""
    information: dict[str, list[str]] | None = None
    label: str | None = None
    """Name of the walk's run beside those of others; without it the legend says "agent"."""
    compare: Compared | None = None
    further: list[FurtherWalk] | None = None
