"""The parts of the replay document that show the world: floors, rooms, doors, backdrop."""

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
