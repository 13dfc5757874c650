"""What the atlas draws of an episode, and its marks: what a click says, and what Explore's list is
filtered by.

It stands apart from `atlas`, so that pages without the map need no folium.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

PATHS_DRAWN = 2000
"""More walks than this are drawn as traffic."""
ONE_EPISODE, LEFT_HERE, THROUGH = "episode: ", "left here: ", "junction passed: "
"""Marks that a click tells: behind each, percent-encoded ids; of departures several with ``;``
between them.
"""
MARKS = (ONE_EPISODE, LEFT_HERE, THROUGH)


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


def has_mark(walk: AtlasWalk, mark: str) -> bool:
    """Tell whether a walk has one of the atlas's marks."""
    for kind, own in (
        (ONE_EPISODE, (walk.episode,)),
        (LEFT_HERE, walk.departures),
        (THROUGH, walk.passed),
    ):
        if mark.startswith(kind):
            # nodes are quoted in a mark, since a name may have the ";" that separates them
            return not {quote(each, safe="") for each in own}.isdisjoint(
                mark.removeprefix(kind).split(";")
            )
    return False


def mark_words(mark: str) -> str:
    """Say one of the atlas's marks in words."""
    if mark.startswith(ONE_EPISODE):
        return f"episode {unquote(mark.removeprefix(ONE_EPISODE))}"
    if mark.startswith(THROUGH):
        return f"a way over the junction {unquote(mark.removeprefix(THROUGH))}"
    nodes = mark.removeprefix(LEFT_HERE).split(";")
    return (
        f"a departure at {unquote(nodes[0])}"
        if len(nodes) == 1
        else f"a departure at one of {len(nodes)} places"
    )
