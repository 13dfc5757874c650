"""The parts of the replay document that show the world: floors, rooms, doors, and what lies behind the streets."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Area", "Door", "Floor", "House", "Part", "Room"]


class Part(BaseModel):
    """Base of all parts of the document."""

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


class Door(Part):
    """A door between two rooms."""

    at_m: tuple[float, float]
    floor: int


class House(Part):
    """What the floor plan and the 3-D scene need of a house."""

    floors: list[Floor]
    floor_of: list[int]
    """The floor of each node."""
    stairs: list[int]
    """Nodes on stairs."""
    rooms: list[Room]
    doors: list[Door]


class Area(Part):
    """A shape that the map draws behind the streets."""

    kind: str
    rings: list[list[float]]
    """Flat positions, outer ring first."""
    line: bool | None = None
    width_m: float | None = None
