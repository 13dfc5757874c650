"""The base of all records."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Record"]


class Record(BaseModel):
    """Base of all records: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
