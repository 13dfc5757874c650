"""A reference path with the acts that its instruction asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from navviz.analysis.turns import WalkedTurn
from navviz.metrics.departures import Departure
from navviz.records.act import Act
from navviz.world.graph import Graph


@dataclass(frozen=True)
class ToldRoute:
    """A reference path with the acts of its instruction."""

    path: tuple[str, ...]
    along_m: tuple[float, ...]
    """Metres from the start to each node."""
    turns: tuple[WalkedTurn, ...]
    """Of a bend that the text tells and that is no turn on the map the angle is 0."""
    acts: tuple[Act, ...]
    """In the order of the text; the last one is the stop."""
    act_of: Mapping[int, Act]
    """The act of each turn of the route that the text tells, by its index into `path`."""

    @property
    def loose(self) -> list[Act]:
        """Told turns that the route does not make."""
        made = {act.number for act in self.act_of.values()}
        return [act for act in self.acts if act.kind == "turn" and act.number not in made]


def lengths_along(path: Sequence[str], graph: Graph) -> tuple[float, ...]:
    """Return the metres from the start of a walk to each of its nodes."""
    along_m = [0.0]
    for a, b in pairwise(path):
        # a log may lack the nodes between two places
        link_m = graph.link_m(a, b) if graph.has_link(a, b) else graph.distance_m(a, b)
        along_m.append(along_m[-1] + link_m)
    return tuple(along_m)


def left_at(departure: Departure, walk: Sequence[str], path: Sequence[str]) -> tuple[int, int]:
    """Return where a walk left its route: its index into the walk and into the route.

    Near the goal an agent may stand off the route and still follow it: it left it before.
    """
    at, place = len(departure.before) - 1, departure.place
    if walk[at : at + 2] != (departure.node, departure.taken):
        at = list(pairwise(walk)).index((departure.node, departure.taken))
    while at > 0 and walk[at] not in path[place:]:
        at -= 1
        if walk[at] in path[:place]:
            place = max(k for k in range(place) if path[k] == walk[at])
    if walk[at] in path[place:]:
        place = path.index(walk[at], place)
    return at, place
