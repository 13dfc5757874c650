"""The base of all records."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

Position = tuple[float, float, float] | tuple[float, float]
"""``(x, y, z)`` in metres, z up; where the world is a street graph ``(lat, lon)`` in degrees, with
the altitude in metres where it is known.
"""
Quaternion = tuple[float, float, float, float]
"""``(x, y, z, w)``, which turns a look to the north (indoors: along +y) into the agent's."""


class Record(BaseModel):
    """Base of all records: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
