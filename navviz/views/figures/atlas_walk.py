"""What the atlas draws of an episode, apart from `atlas`, so that pages without the map need no
folium.
"""

from __future__ import annotations

from dataclasses import dataclass

PATHS_DRAWN = 2000
"""More walks than this are drawn as traffic."""
ONE_EPISODE, LEFT_HERE, THROUGH = "episode: ", "left here: ", "junction passed: "
"""Marks that a click tells: behind each, percent-encoded ids; of departures several with ``;``
between them.
"""


@dataclass(frozen=True, slots=True)
class AtlasWalk:
    """One episode on the atlas."""

    episode: str
    path: tuple[str, ...]
    outcome: str
    """``success``, ``failure`` or ``unknown``."""
    instruction: str = ""
    departures: tuple[str, ...] = ()
    """Nodes where it left its reference path."""
    passed: tuple[str, ...] = ()
    """Junctions of the reference path that it came to while it followed the path, each once."""
    failed_at: str | None = None
    """The one among `passed` where it took another way than the reference."""
