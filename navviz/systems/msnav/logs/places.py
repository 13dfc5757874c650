"""Which viewpoint is which Place of a log: its options replayed on the house.

Candidates are listed in the order in which they are first discovered over views 0 to 35. Where that
order does not fit what a log says (another number of options, a Place that is another viewpoint
already), the step's options stay unknown but for the one that the trajectory tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from navviz.observations.discrete_views import (
    CandidateView,
    candidate_views,
    snapped_heading_deg,
    view_heading_deg,
)
from navviz.systems.msnav.place_map.prompt import Option
from navviz.world.graph import Graph


def unknown(place: int) -> str:
    """How a Place is called whose viewpoint nobody knows."""
    return f"Place {place} (unknown viewpoint)"


@dataclass
class PlaceNames:
    """The viewpoints of the Places, as far as they are known."""

    graph: Graph
    node: str
    """Where the agent stands."""
    heading_deg: float
    names: dict[int, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, graph: Graph, start: str, heading_deg: float | None) -> PlaceNames:
        """At the start, which is Place 0."""
        return cls(graph, start, snapped_heading_deg(heading_deg or 0.0), {0: start})

    def name(self, place: int) -> str:
        """Return the viewpoint of a Place, or words that say it is unknown."""
        return self.names.get(place, unknown(place))

    def number(self, node: str) -> int | None:
        """Return the Place of a viewpoint."""
        return next((place for place, name in self.names.items() if name == node), None)

    def offered(self, options: Sequence[Option]) -> dict[str, CandidateView]:
        """Return the candidates behind the options, by letter; empty where their order does not fit
        the house.
        """
        moves = [(option, option.place) for option in options if option.place is not None]
        ways = candidate_views(self.graph, self.node) if self.node in self.graph else ()
        if len(moves) != len(ways) or any(
            not self._fits(place, way.node) for (_, place), way in zip(moves, ways, strict=True)
        ):
            return {}
        # named only where all of them fit: an order that is wrong in one place is wrong in the
        # others
        for (_, place), way in zip(moves, ways, strict=True):
            self.names[place] = way.node
        return {option.letter: way for (option, _), way in zip(moves, ways, strict=True)}

    def _fits(self, place: int, node: str) -> bool:
        name, number = self.names.get(place), self.number(node)
        return name in {None, node} and number in {None, place}

    def go(self, place: int, node: str | None, way: CandidateView | None) -> tuple[str, ...]:
        """Go to a Place; gives the nodes walked, none where nobody knows its viewpoint."""
        target = node or self.names.get(place)
        if target is None:
            return ()
        # the trajectory may tell a viewpoint that the options could not
        self.names.setdefault(place, target)
        path = (self.node, target)
        if way is not None:
            self.heading_deg = view_heading_deg(way.selected)
        elif self.node in self.graph and target in self.graph:
            self.heading_deg = snapped_heading_deg(self.graph.heading_deg(self.node, target))
        self.node = target
        return path
