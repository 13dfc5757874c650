"""Walks that go on from any of their decisions, for what-ifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol


class Branches(Protocol):
    """A walk of a navigator without a model that goes on from any of its decisions, quickly.

    Made of ``(episode, graph, settings, seen)``: `seen` is kept between walks for whatever was seen
    of their maps.
    """

    paths: Sequence[tuple[str, ...]]
    """Nodes walked in each decision, from where it stood."""

    def after(self, place: int, way: Sequence[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
        """Walk to the end after another `way` at the decision number `place`, from 0.

        `way` leads from where it stood to the link's end. Yields the path of each further decision,
        and whether it stops.
        """
        ...
