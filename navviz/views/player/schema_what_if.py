"""The part of the player's document that says how a walk ends after another link."""

from __future__ import annotations

from navviz.views.player.schema_world import Part


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
