"""The parts of the replay document beside its steps: the world, other texts and walks, what-ifs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """Base of all parts of the document."""

    # a misspelt field fails here; without "forbid" it would vanish without a word
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Floor(Part):
    """A floor of a house."""

    name: str
    level_m: float


class Room(Part):
    """A room of a house, as its folder tells it."""

    name: str
    floor: int
    box_m: tuple[float, float, float, float]
    """West, south, east and north edge."""
    outline_m: list[tuple[float, float]] | None = None
    """Its corners, where it is no rectangle."""


class FloorImage(Part):
    """A picture of a floor from above, drawn under everything else."""

    floor: int
    box_m: tuple[float, float, float, float]
    """West, south, east and north edge."""
    url: str
    """The picture itself: ``data:image/webp;base64,...``"""
    source: str
    """Who made it: ``picture``, ``habitat`` or ``mesh``."""


class Door(Part):
    """A door between two rooms."""

    at_m: tuple[float, float]
    floor: int


class Outline(Part):
    """A region without walls: the hull of its objects."""

    name: str
    floor: int
    outline_m: list[tuple[float, float]]


class House(Part):
    """What the floor plan and the 3-D scene need of a house."""

    floors: list[Floor]
    floor_of: list[int]
    """The floor of each node."""
    stairs: list[int]
    """Nodes on stairs."""
    rooms: list[Room]
    doors: list[Door]
    outlines: list[Outline] = Field(default_factory=list)
    pictures: list[FloorImage] = Field(default_factory=list)
    """At most one a floor."""


class Area(Part):
    """A shape that the map draws behind the streets."""

    kind: str
    rings: list[list[float]]
    """Flat positions, outer ring first."""
    line: bool | None = None
    width_m: float | None = None


class DocumentNodes(Part):
    """The nodes near the paths."""

    ids: list[str]
    at: list[float]
    """Flat positions."""
    crossings: list[int]
    """Nodes where more than two links meet."""


class LinkBends(Part):
    """A link that does not run straight."""

    ends: list[int]
    """Its two nodes."""
    at: list[float]
    """Flat positions between them, from the first to the second."""


class DocumentGraph(Part):
    """The whole graph that the document is cut from."""

    nodes: int
    attribution: str | None = None
    """Shown on every map of the graph, as its licence asks: ``© OpenStreetMap contributors``."""


class PoiEntry(Part):
    """A POI or object of the world."""

    id: str
    name: str
    at: list[float]
    kind: str | None = None
    light: bool | None = None
    """Whether it is a traffic light."""
    letter: str | None = None


class StepTexts(Part):
    """What a step of the run compared with thought, answered and did; texts by index."""

    sub_goal: int | None = None
    """Text of the sub-goal that was due."""
    thoughts: int | None = None
    reply: int | None = None
    reason: str | None = None


class EditEntry(Part):
    """A person's change of one input of a step."""

    what: str
    old: str
    """The first part that is another one; `new` is what stands there since."""
    new: str


class WhatIfEntry(Part):
    """How the walk ends after another link at each fork, each walk with its places by number."""

    who: str
    """Who walks on."""
    follows: bool
    """Whether that is the follower of a recorded walk; then a cell is read on from its step."""
    sentence: str | None = None
    ne_m: float | None = None
    """Navigation error of the walk itself."""
    success: bool
    decisive: list[int]
    """Steps at which the reference's link succeeds, counted from 1."""
    at: list[int]
    """Positions in units of the last decimal place, flat, each as the difference to the one
    before.
    """
    cells: list[tuple[int, int, list[int], float | None, int]]
    """Step from 1, place of the fork, places from there to the end (flat runs: first, count),
    navigation error there, and 1 where it is the reference's link plus 2 where the fork is
    unstable.
    """
    left_out: int = 0
    """Cells for which there was no room."""


class PackedStrings(Part):
    """A long table of texts: base64 of the gzipped JSON list."""

    gzip: str
    more: list[str] | None = None
    """Lists that follow it, packed alike: what a walk that goes on has said since."""
