"""Marks of the atlas: what a click on it says, and what Explore's list is filtered by."""

from __future__ import annotations

from urllib.parse import quote, unquote

from navviz.views.figures.atlas_walk import LEFT_HERE, ONE_EPISODE, THROUGH, AtlasWalk

MARKS = (ONE_EPISODE, LEFT_HERE, THROUGH)


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
