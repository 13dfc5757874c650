"""Bends of links: where a link does not run straight from node to node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.world.geometry import bearing_deg, heading_metric_deg


@dataclass(frozen=True, eq=False)
class LinkShapes:
    """The points that links pass between their two nodes, one after the other.

    `begin`: the bends of link ``k`` are ``points[begin[k]:begin[k + 1]]``; shape ``(links + 1,)``.
    `points`: in the frame of the graph's positions, in walking order; shape ``(bends, 2)`` or
    ``(bends, 3)``.
    """

    begin: NDArray[np.int64]
    points: NDArray[np.float64]

    @classmethod
    def of(cls, bends: Iterable[Sequence[Sequence[float]]], size: int) -> LinkShapes | None:
        """Pack the bends of each link, `size` coordinates each; ``None`` where no link bends."""
        rows: list[Sequence[float]] = []
        begin = [0]
        for line in bends:
            rows.extend(line)
            begin.append(len(rows))
        if not rows:
            return None
        return cls(np.array(begin, np.int64), np.array(rows, np.float64).reshape(-1, size))

    def bends(self, link: int) -> NDArray[np.float64]:
        """Return the points between the ends of a link, shape ``(k, 2)`` or ``(k, 3)``."""
        return self.points[self.begin[link] : self.begin[link + 1]]

    @property
    def bent(self) -> NDArray[np.int64]:
        """Links that have bends, by number."""
        return np.flatnonzero(np.diff(self.begin))

    def taken(self, links: NDArray[np.integer]) -> LinkShapes | None:
        """Return the shapes of some links, in this order; ``None`` where none of them bends."""
        counts = np.diff(self.begin)[links]
        begin = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        if not begin[-1]:
            return None
        # the number of a point in the new order plus this is its number in the old one
        firsts = np.repeat(self.begin[links] - begin[:-1], counts)
        return LinkShapes(begin, self.points[firsts + np.arange(begin[-1])])

    def followed_by_straight(self, count: int) -> LinkShapes:
        """Return these shapes with so many straight links behind them."""
        return LinkShapes(np.concatenate([self.begin, np.full(count, self.begin[-1])]), self.points)

    def set_departures(
        self,
        headings_deg: NDArray[np.float64],
        ends: NDArray[np.float64],
        frame: Literal["geo", "metric"],
    ) -> None:
        """Replace the headings of links with bends by those of their first segments.

        `headings_deg`: one for each link, changed in place. `ends`: positions of source and target
        of each link, shape ``(links, 2, 2)`` or ``(links, 2, 3)``.
        """
        for link in self.bent.tolist():
            source, target = ends[link].tolist()
            headings_deg[link] = first_heading_deg(
                [source, *self.bends(link).tolist(), target], frame
            )


def first_heading_deg(line: Sequence[Sequence[float]], frame: Literal["geo", "metric"]) -> float:
    """Heading in degrees from a line's first position to the next different one; 0 without one."""
    start = tuple(line[0])
    onward = next((place for place in line[1:] if tuple(place) != start), start)
    if frame == "geo":
        return bearing_deg((start[0], start[1]), (onward[0], onward[1]))
    return heading_metric_deg(start, onward)
