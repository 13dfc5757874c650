"""What one GROKE prompt shows of the map, whatever format it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from navviz.records import SeenPoi
from navviz.systems.groke import Format
from navviz.systems.groke.prompts.grid import Cell

Link = tuple[str, str, float | None, str | None]
"""``(source, target, heading in degrees, direction)``; the last two where the prompt says them."""


@dataclass(frozen=True)
class MapView:
    """The map shown in one step."""

    format: Format | None = None
    """``None`` where the prompt holds no map that is known."""
    node: str | None = None
    heading_deg: float | None = None
    visible: tuple[str, ...] = ()
    crossings: frozenset[str] = frozenset()
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Targets of each node shown, in the order of the prompt."""
    headings: Mapping[str, tuple[float | None, str | None]] = field(default_factory=dict)
    """``(heading in degrees, direction)`` with which one arrives at a node, where the prompt says
    so.
    """
    pois: tuple[SeenPoi, ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    """Letter of each landmark's name."""
    cell: Cell | None = None
    """On a grid: where the agent stands."""
    rows: tuple[str, ...] = ()
    """On a grid: its rows from north to south, a character a cell."""

    def routes(self) -> dict[str, tuple[str, ...]]:
        """Ways with the fewest links, on the map shown, to every other node that can be reached,
        nearest first.
        """
        if self.node is None:
            return {}
        ways: dict[str, tuple[str, ...]] = {self.node: (self.node,)}
        queue = [self.node]
        # the list grows while it is read: a search in the order of distance
        for node in queue:
            for target in self.links.get(node, ()):
                if target not in ways:
                    ways[target] = (*ways[node], target)
                    queue.append(target)
        del ways[self.node]
        return ways


def chain_links(
    source: str, nodes: Iterable[str], heading_deg: float | None, direction: str | None
) -> list[Link]:
    """Return the links of a branch from its intersection on; only the first has a heading and a
    direction.
    """
    chain = (source, *nodes)
    links: list[Link] = [(a, b, None, None) for a, b in pairwise(chain)]
    if links:
        links[0] = (chain[0], chain[1], heading_deg, direction)
    return links


def linked(
    links: Iterable[Link],
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[float | None, str | None]]]:
    """Return the targets of each node and how one arrives at each target, of repeats the first."""
    targets: dict[str, dict[str, None]] = {}
    headings: dict[str, tuple[float | None, str | None]] = {}
    for source, target, heading_deg, direction in links:
        targets.setdefault(source, {})[target] = None
        headings.setdefault(target, (heading_deg, direction))
    return {source: tuple(each) for source, each in targets.items()}, headings
