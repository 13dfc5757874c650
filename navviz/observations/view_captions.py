"""Captions and detections of the 36 views of a house, by viewpoint.

Positions in a view are pixels of the simulator's pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Detection:
    """One object that a detector found in a view."""

    name: str
    confidence: float
    """0 to 1."""
    box: tuple[float, float, float, float] | None = None
    """``(left, top, right, bottom)`` in pixels of 640 x 480."""


@dataclass(frozen=True, slots=True)
class ViewCaption:
    """One view in words."""

    caption: str
    detections: tuple[Detection, ...] = ()
    """The most confident first."""


@dataclass(frozen=True, slots=True)
class ViewCaptions:
    """The views of one house; what a file lacks is absent."""

    scan: str
    views: Mapping[str, Mapping[int, ViewCaption]] = field(default_factory=dict)
    """By viewpoint and view (0 to 35)."""

    def __bool__(self) -> bool:
        # a house without a file of captions has empty ones, and prompts then show none
        return bool(self.views)
