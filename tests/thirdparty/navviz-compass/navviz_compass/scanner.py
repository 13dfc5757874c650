"""A scanner that points at moves to the south, which a compass that keeps north never makes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from navviz.analysis.scanners.registry import ScanHit
from navviz.records import Trace
from navviz.world.graph import Graph


class OffBearing:
    """Points at each step that went south."""

    name = "off-bearing"
    title = "Went south"
    help = "A move of the step goes south."

    def scan(self, trace: Trace, graph: Graph) -> Iterator[ScanHit]:
        """Yield a hit for each such step."""
        for step in trace.steps:
            if any(abs(graph.heading_deg(a, b) - 180.0) < 45.0 for a, b in pairwise(step.path)):
                yield ScanHit(trace.episode.id, step.index, "It went south.")
