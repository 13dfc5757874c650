"""What a scanner is: it reads one transcript and points at the steps where something is odd."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol

from navviz.records import Trace
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class ScanHit:
    """One place in a transcript that a scanner points at."""

    episode: str
    step: int | None
    """Index of the step, counted from 1; ``None`` where it is about the plan or the episode as a
    whole.
    """
    sentence: str
    """What is odd there, for users."""
    code: str | None = None
    """Code of the failure taxonomy, where the scanner knows which one fits."""


class Scanner(Protocol):
    """Reads one trace; NavViz's own need no model."""

    name: ClassVar[str]
    """In links and on the command line: lower case, hyphens, no comma."""
    title: ClassVar[str]
    """In menus."""
    help: ClassVar[str]
    """What counts as a hit, in one sentence."""

    def scan(self, trace: Trace, graph: Graph) -> Iterator[ScanHit]:
        """Yield the hits of one trace, in the order of its steps."""
        ...
