"""What people say about episodes: ratings, their history, and the queues they work through.

A rating is what one annotator says about one item for one task; its value is one of the records
below, told apart by ``task``. A rating is never overwritten without trace: each change is an
`Edit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, field_validator, model_validator

from navviz.records import Record

EditAction = Literal["save", "undo", "import", "reopen"]
"""``reopen``: a researcher took the rating back, for the annotator to rate anew."""
Task = Literal["navigability", "follow", "difficulty", "failure", "mentions", "skill", "cause"]
TASKS: tuple[Task, ...] = (
    "navigability",
    "follow",
    "difficulty",
    "failure",
    "mentions",
    "skill",
    "cause",
)
ABOUT_RUNS: frozenset[Task] = frozenset({"failure", "skill", "cause"})
"""Tasks that judge what an agent did: their items name its run."""
AXES = ("linguistic", "topological", "operational")
"""The axes of difficulty, each rated from 1 to 10."""
ADJUDICATED = "@adjudicated"
"""Stands as the annotator of the rating that a researcher settled on; no person can take this name.
"""

Scale = Annotated[int, Field(ge=1, le=10)]


class Item(Record):
    """What is rated: an episode, and for failure labels the run whose trace is looked at."""

    dataset: str
    episode: str
    run: str = ""
    """Empty where the rating is about the instruction and not about an agent."""
    claim: Annotated[str, Field(pattern=r"^(c[0-9a-f]{16})?$")] = ""
    """Which cause is judged (`navviz.annotation.claims`); empty for all other tasks."""


class Navigability(Record):
    """Whether the instruction can be followed to its goal.

    Judged blind, from the instruction and the map with the route.
    """

    task: Literal["navigability"] = "navigability"
    navigable: bool
    confidence: Annotated[int, Field(ge=1, le=5)] | None = None
    """1 (a guess) to 5 (certain); ``None`` where the annotator did not say."""
    comment: str = ""
    without_map: bool = False
    """The annotator rated although the map or the replay was missing."""


class Follow(Record):
    """The annotator walked the instruction; the walk is also a trace of the navigator ``human``."""

    task: Literal["follow"] = "follow"
    walk: tuple[str, ...]
    """Node ids in the order they were walked, the start first."""
    gave_up: bool = False
    distance_m: Annotated[float, Field(ge=0)] | None = None
    """From the last node to the goal; ``None`` where the goal is not known."""
    success: bool | None = None
    """Within the episode's success radius of the goal; ``None`` where the goal is not known."""
    elapsed_s: Annotated[float, Field(ge=0)] | None = None
    comment: str = ""

    @field_validator("walk")
    @classmethod
    def _starts_somewhere(cls, walk: tuple[str, ...]) -> tuple[str, ...]:
        if not walk:
            raise ValueError("a walk holds at least the node it starts at")
        return walk


class Difficulty(Record):
    """How hard the instruction is on three axes."""

    task: Literal["difficulty"] = "difficulty"
    linguistic: Scale
    topological: Scale
    operational: Scale
    comment: str = ""
    without_map: bool = False
    """The annotator rated although the map or the replay was missing."""

    @property
    def axes(self) -> tuple[int, int, int]:
        """The three ratings in the order of `AXES`."""
        return self.linguistic, self.topological, self.operational


class FailureLabel(Record):
    """One code of the taxonomy, anchored to a step where it belongs to one."""

    code: str
    step: Annotated[int, Field(ge=1)] | None = None
    note: str = ""
    suggested: bool = False
    """It was first a suggestion of the automatic analysis, and the annotator took it over."""


class Failures(Record):
    """What went wrong in one trace; no label means that nothing did."""

    task: Literal["failure"] = "failure"
    taxonomy: str
    taxonomy_version: int
    labels: tuple[FailureLabel, ...] = ()
    comment: str = ""
    without_map: bool = False
    """The annotator rated although the map or the replay was missing."""

    @property
    def codes(self) -> frozenset[str]:
        """The codes as a set, for the agreement of set-valued labels."""
        return frozenset(label.code for label in self.labels)


_Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
_ROUNDED = 0.01
"""Percent by which a box may pass the picture's edge: programs round its corners."""


class PictureBox(Record):
    """A box that an annotator drew in a picture, in percent of its width and height.

    The units are Label Studio's, so that a box is there what it is here.
    """

    picture: Annotated[str, Field(min_length=1, max_length=1_000)]
    """The picture's folder and file: ``SCAN/VP.jpg``."""
    x: _Percent
    y: _Percent
    """The upper left corner, from the left and from the top."""
    width: Annotated[_Percent, Field(gt=0)]
    height: Annotated[_Percent, Field(gt=0)]

    @model_validator(mode="before")
    @classmethod
    def _lies_level(cls, value: Any) -> Any:  # noqa: ANN401 - what a file holds
        if not isinstance(value, Mapping):
            return value
        fields = dict(value)
        # Label Studio writes a rotation for each box; 0 says the same as none, and is dropped
        if fields.pop("rotation", None):
            raise ValueError("a box is turned; draw it level, for only level boxes are kept")
        return fields

    @model_validator(mode="after")
    def _lies_inside(self) -> PictureBox:
        if max(self.x + self.width, self.y + self.height) > 100 + _ROUNDED:
            raise ValueError("a box reaches out of its picture; draw it inside")
        return self


def _is_missing(value: object) -> bool:
    return value is None


class Mention(Record):
    """Words of the instruction that name a landmark."""

    start: Annotated[int, Field(ge=0)]
    end: int
    """Characters of the instruction, `end` not included."""
    text: str
    poi_id: str | None = None
    box: PictureBox | None = Field(default=None, exclude_if=_is_missing)
    """Where the landmark is in a picture of the route, where the annotator drew it."""

    @model_validator(mode="after")
    def _spans_its_text(self) -> Mention:
        # such a mention is made of a box that no relation joins to words
        if self.box is not None and not self.text:
            raise ValueError("a box belongs to no words; join it to them by a relation")
        if self.end - self.start != len(self.text) or not self.text.strip():
            raise ValueError("start and end must span the text of the mention")
        return self


class Mentions(Record):
    """All landmark mentions of one instruction."""

    task: Literal["mentions"] = "mentions"
    mentions: tuple[Mention, ...] = ()
    comment: str = ""
    without_map: bool = False
    """The annotator rated although the map or the replay was missing."""


def has_box(rating: Rating) -> bool:
    """Tell whether a rating has a box in a picture."""
    mentions = rating.value.mentions if isinstance(rating.value, Mentions) else ()
    return any(mention.box is not None for mention in mentions)


class SkillLabel(Record):
    """The skill that one step's sub-instruction asks for, beside the one that the router named."""

    step: Annotated[int, Field(ge=1)]
    named: str | None = None
    """What the router named; ``None`` where it named none."""
    skill: str
    """What the annotator holds right, one of SkillNav's five."""

    @property
    def right(self) -> bool:
        """Whether the router was right."""
        return self.named == self.skill


class Skills(Record):
    """Which skill each routed step asks for (SkillNav's authors made this check by hand)."""

    task: Literal["skill"] = "skill"
    labels: tuple[SkillLabel, ...] = ()
    comment: str = ""
    without_map: bool = False
    """The annotator rated although the map or the replay was missing."""


Answer = Literal["yes", "partly", "no", "cannot tell"]

_READ_AS: Final = {"true": "yes", "imprecise": "partly", "false": "no"}
"""What readers of explanations write (`docs/causes.md`)."""


class CauseVerdict(Record):
    """Whether a cause holds that a detector found, judged without the detector's name."""

    task: Literal["cause"] = "cause"
    answer: Answer
    """``yes``: true. ``partly``: imprecise, the thing is right and a number or word is not. ``no``:
    false.
    """
    comment: str = ""
    without_map: bool = False
    """The annotator rated although the map or the replay was missing."""

    @field_validator("answer", mode="before")
    @classmethod
    def _as_read(cls, answer: object) -> object:
        return _READ_AS.get(answer, answer) if isinstance(answer, str) else answer


Value = Annotated[
    Navigability | Follow | Difficulty | Failures | Mentions | Skills | CauseVerdict,
    Field(discriminator="task"),
]
value_adapter: TypeAdapter[
    Navigability | Follow | Difficulty | Failures | Mentions | Skills | CauseVerdict
] = TypeAdapter(Value)


class Annotator(Record):
    """Who rates: a pseudonym and what it may do."""

    name: str
    role: Literal["annotator", "researcher"] = "annotator"
    has_token: bool = False
    created: datetime


class Rating(Record):
    """What one annotator says now; ``value`` is ``None`` where it was taken back."""

    item: Item
    task: Task
    annotator: str
    value: Value | None
    revision: int
    """Counted from 1; saving needs the revision that the annotator saw."""
    created: datetime
    changed: datetime
    seconds: float | None = None
    """Time at work on the item, in s, idle time left out; ``None`` where nobody measured it."""


class Edit(Record):
    """One change of a rating: who, when, from what, to what."""

    item: Item
    task: Task
    annotator: str
    """Whose rating it is; `who` may be another (adjudication, import)."""
    revision: int
    who: str
    at: datetime
    action: EditAction
    before: Value | None
    after: Value | None
    seconds: float | None = None
    """Time at work since the change before, in s, idle time left out; ``None`` where nobody
    measured it.
    """


class Queue(Record):
    """Items to rate, as a researcher set them up."""

    name: str
    task: Task
    items: tuple[Item, ...]
    annotators: tuple[str, ...] = ()
    """Empty: everybody who comes gets all items."""
    overlap: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Share of the items that every annotator gets; the others are dealt out, one annotator each.
    """
    seed: int = 0
    source: str = ""
    """Name of the run (or episode file) whose episodes these are, as the menus show it."""
    note: str = ""
    """How the items were chosen (all, random sample, failures of a run), for the record."""
    guidelines: str = ""
    """How to rate, with worked examples, as the study wants it; empty for the ones that come with
    NavViz.
    """
    training: tuple[Item, ...] = ()
    """Items with known answers that everybody rates first, with feedback; they count in no
    statistic of agreement.
    """
    gold: tuple[Item, ...] = ()
    """Items with known answers that may be mixed in; which ones they are is not told to annotators.
    """
    gold_share: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    """Share of gold items among what an annotator rates."""
    suggestions: bool = False
    """Whether annotators see the labels that the automatic analysis suggests. Off where their
    agreement counts: who reads the same suggestion agrees with it.
    """
    closed: datetime | None = None
    """Since when nothing more can be rated in it; ``None`` while it is open."""


class QueueEvent(Record):
    """Something that a researcher did to a queue."""

    queue: str
    who: str
    at: datetime
    action: Literal["hand over", "close", "open", "reopen", "delete", "see done", "guidelines"]
    annotator: str = ""
    """Whose part was changed; empty where the whole queue was."""
    item: Item | None = None
    note: str = ""


class QueueItem(Record):
    """One item in an annotator's queue and how far it got."""

    position: int
    """Counted from 0."""
    item: Item
    skipped: bool = False
    reason: str | None = None
    """Why it was skipped, where the annotator said so."""
    rated: bool = False
    training: bool = False
    """It belongs to the training round, in which the known answer is shown after one's own."""

    @property
    def is_open(self) -> bool:
        """Whether it still waits: neither rated nor skipped."""
        return not self.rated and not self.skipped


class QueueProgress(Record):
    """How far an annotator got in a queue."""

    queue: str
    annotator: str
    total: int
    rated: int
    skipped: int
    """Skipped and still not rated."""
