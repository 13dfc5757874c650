"""Turns that a walk or a route makes at junctions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg, metric_line_of

Side = Literal["left", "right"]

_ARM_M: Final = 25.0
"""Over how much of the way before and after a junction its direction is judged: the last link
before a node of a dual carriageway may point anywhere.
"""

_TURN_DEG: Final = 45.0

_ONE_TURN_M: Final = 30.0
"""Turns to the same side nearer than this are one turn, made over the two nodes of one crossing:
the sharpest.
"""


@dataclass(frozen=True, slots=True)
class WalkedTurn:
    """One turn of a walk at a junction."""

    place: int
    """Index into the path."""
    node: str
    side: Side
    angle_deg: float
    """Positive to the right."""


def walked_turns(
    path: Sequence[str], graph: Graph, least_deg: float = _TURN_DEG, arm_m: float = _ARM_M
) -> list[WalkedTurn]:
    """List the turns left and right of a walk, at nodes where more than two ways meet, in order.

    Nodes that the graph lacks are passed over; turning back is no turn to a side. The way before
    and after a node is judged over `arm_m`.
    """
    nodes = [
        node for k, node in enumerate(path) if node in graph and (k == 0 or node != path[k - 1])
    ]
    along_m = [0.0]
    for a, b in pairwise(nodes):
        along_m.append(along_m[-1] + graph.link_m(a, b))
    turns: list[WalkedTurn] = []
    for k in range(1, len(nodes) - 1):
        if graph.degree(nodes[k]) <= 2:
            continue
        angle = _bend_deg(graph, nodes, along_m, k, arm_m)
        if not least_deg < abs(angle) < 150.0:
            continue
        turn = WalkedTurn(k, nodes[k], "left" if angle < 0 else "right", angle)
        last = turns[-1] if turns else None
        if (
            last is not None
            and last.side == turn.side
            and along_m[k] - along_m[last.place] < _ONE_TURN_M
        ):
            if abs(turn.angle_deg) > abs(last.angle_deg):
                turns[-1] = turn
            continue
        turns.append(turn)
    return turns


def bend_deg(path: Sequence[str], graph: Graph, place: int) -> float:
    """Return by how many degrees a walk bends at one of its places, over arms of 25 m; positive to
    the right, 0 at its ends and where the graph lacks a node.
    """
    if not 0 < place < len(path) - 1 or any(node not in graph for node in path):
        return 0.0
    along_m = [0.0]
    for a, b in pairwise(path):
        along_m.append(along_m[-1] + graph.link_m(a, b))
    return _bend_deg(graph, path, along_m, place, _ARM_M)


def _bend_deg(
    graph: Graph, nodes: Sequence[str], along_m: Sequence[float], k: int, arm_m: float
) -> float:
    return turn_deg(
        _arm_deg(graph, nodes, along_m, (k, -1), arm_m),
        _arm_deg(graph, nodes, along_m, (k, 1), arm_m),
    )


def _arm_deg(
    graph: Graph, nodes: Sequence[str], along_m: Sequence[float], arm: tuple[int, int], arm_m: float
) -> float:
    """Heading of the way into (step -1) or out of (step 1) a node of the path."""
    k, step = arm
    far = k + step
    while 0 < far < len(nodes) - 1 and abs(along_m[far] - along_m[k]) < arm_m:
        far += step
    # a way that came back to the node points nowhere: its first link decides
    if nodes[far] == nodes[k]:
        far = k + step
    # a single link may be drawn with bends: its heading at the node counts
    if far == k + step:
        end = nodes[k], nodes[far]
        return departure_deg(graph, *end) if step > 0 else arrival_deg(graph, *end[::-1])
    return (
        graph.heading_deg(nodes[far], nodes[k])
        if step < 0
        else graph.heading_deg(nodes[k], nodes[far])
    )


def missing_turns(described: Sequence[Side], made: Sequence[Side]) -> list[int]:
    """Tell which described turns have no counterpart, in order, among those that were made."""
    rows, columns = len(described), len(made)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i, j in product(reversed(range(rows)), reversed(range(columns))):
        if described[i] == made[j]:
            best[i][j] = best[i + 1][j + 1] + 1
        else:
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
    missing, i, j = [], 0, 0
    while i < rows:
        if j < columns and described[i] == made[j]:
            i, j = i + 1, j + 1
        # also where both are as good: then an earlier turn keeps its counterpart, and the last is
        # missing
        elif j < columns and best[i][j + 1] >= best[i + 1][j]:
            j += 1
        else:
            missing.append(i)
            i += 1
    return missing


STRAIGHT_DEG: Final = 18.0
"""A route that changes its heading by less goes straight on."""

_CLEAR_DEG: Final = (50.0, 135.0)
"""Clear turns lie between these; sharper ones may be told as "turn back" or as two turns."""

_SPLIT_DEG: Final = 45.0
"""Two corners of one bow that are both sharper, at junctions of their own, are two turns."""

_STEADY_DEG: Final = 3.0
"""Corners below are the noise of drawn streets."""

_BOW_GAP_M: Final = 26.0
"""Corners to one side that follow each other within this belong to one bow."""

_BOW_M: Final = 60.0
"""A longer bow is a curve of the road."""

_APART_M: Final = 26.0
"""Turns nearer to each other than this may be one crossing of two carriageways."""

_START_M: Final = 15.0
"""A turn nearer to the start may belong to how the walker stands there."""

_FACING_DEG: Final = 30.0
"""A start heading further than this from the route may be told as a turn."""

_LOOP_DEG: Final = 170.0
"""A bow beyond this runs back over a crossing before it turns: what is left is the turn."""

_SETS_OUT_M: Final = 25.0
"""A clear turn is one between the stretches of this length before and after it, too: a jog over a
divided road is none.
"""


@dataclass(frozen=True, slots=True)
class RouteTurn:
    """One change of heading of a route."""

    first: int
    """Index into the path of the node at which it begins; `last` is where it ends."""
    last: int
    along_m: float
    """Metres from the start to its middle, along the route."""
    angle_deg: float
    """Positive to the right, negative to the left."""
    clear: bool
    """Whether a walker would call it a turn beyond doubt."""

    @property
    def side(self) -> Side:
        """Side to which it turns."""
        return "left" if self.angle_deg < 0 else "right"


@dataclass(frozen=True, slots=True)
class _Corner:
    """One vertex of the route's line at which the heading changes."""

    node: int
    along_m: float
    angle_deg: float
    at_junction: bool


def route_turns(
    path: Sequence[str], graph: Graph, start_heading_deg: float | None = None
) -> tuple[RouteTurn, ...]:
    """List the turns and bends of a route in order."""
    nodes = [node for k, node in enumerate(path) if k == 0 or node != path[k - 1]]
    if len(nodes) < 2:
        return ()
    line = _Line(nodes, graph)
    bows = [_turn_of(bow, line) for bow in _bows(line.corners())]
    turns = [turn for turn in bows if abs(turn.angle_deg) >= STRAIGHT_DEG]
    turns = [_doubted_near_others(turns, k) for k in range(len(turns))]
    facing = _start_turn(nodes, graph, start_heading_deg)
    return (*facing, *turns)


def _start_turn(
    nodes: Sequence[str], graph: Graph, start_heading_deg: float | None
) -> tuple[RouteTurn, ...]:
    if start_heading_deg is None:
        return ()
    angle_deg = turn_deg(start_heading_deg, first_heading_deg(nodes, graph))
    if abs(angle_deg) < _FACING_DEG:
        return ()
    return (RouteTurn(0, 0, 0.0, angle_deg, clear=False),)


def first_heading_deg(nodes: Sequence[str], graph: Graph) -> float:
    """Return the heading in degrees in which a route sets out, over its first 25 m.

    The first link alone may cross to the other carriageway.
    """
    walked_m = 0.0
    for a, b in pairwise(nodes):
        walked_m += graph.link_m(a, b)
        # a way that came back to its start has no heading
        if walked_m >= _SETS_OUT_M and b != nodes[0]:
            return graph.heading_deg(nodes[0], b)
    # a route shorter than that heads for its end, and a round one for its first node
    far = nodes[-1] if nodes[-1] != nodes[0] else nodes[1]
    return graph.heading_deg(nodes[0], far)


class _Line:
    """The line of a route in metres, at its nodes and at the bends of its links."""

    def __init__(self, nodes: Sequence[str], graph: Graph) -> None:
        if graph.shapes is None:
            # all places at once: link by link took ten times as long
            self._points = metric_line_of(graph, nodes)
            self._node_of = list(range(len(nodes) - 1))
            self._at_junction = [graph.degree(node) > 2 for node in nodes[:-1]]
        else:
            points: list[NDArray[np.float64]] = []
            node_of: list[int] = []
            at_junction: list[bool] = []
            for k, (a, b) in enumerate(pairwise(nodes)):
                # without its end, with which the next link begins
                line = metric_line_of(graph, (a, b))[:-1]
                points += list(line)
                # the bends of a drawn link count as its first node
                node_of += [k] * len(line)
                at_junction += [graph.degree(a) > 2] + [False] * (len(line) - 1)
            points.append(metric_line_of(graph, nodes[-1:])[0])
            self._points, self._node_of, self._at_junction = np.array(points), node_of, at_junction
        steps = np.diff(self._points, axis=0)
        lengths_m = np.hypot(steps[:, 0], steps[:, 1])
        self._headings_deg = np.degrees(np.arctan2(steps[:, 0], steps[:, 1]))
        self._along_m = np.concatenate([[0.0], np.cumsum(lengths_m)])

    def corners(self) -> list[_Corner]:
        """List the vertices at which the heading changes by more than noise."""
        corners: list[_Corner] = []
        heading_deg = float(self._headings_deg[0])
        for k in range(1, len(self._headings_deg)):
            # two points in one place have no heading between them
            if self._along_m[k + 1] == self._along_m[k]:
                continue
            angle_deg = turn_deg(heading_deg, float(self._headings_deg[k]))
            heading_deg = float(self._headings_deg[k])
            if abs(angle_deg) >= _STEADY_DEG:
                along_m = float(self._along_m[k])
                corner = _Corner(self._node_of[k], along_m, angle_deg, self._at_junction[k])
                corners.append(corner)
        return corners

    def wide_angle_deg(self, first_m: float, last_m: float) -> float:
        """Return the angle between the 25 m before a bow of the line and the 25 m after it."""
        before, begin = self._point(first_m - _ARM_M), self._point(first_m)
        end, after = self._point(last_m), self._point(last_m + _ARM_M)
        arms = np.array([begin - before, after - end])
        headings_deg = np.degrees(np.arctan2(arms[:, 0], arms[:, 1]))
        return turn_deg(float(headings_deg[0]), float(headings_deg[1]))

    def _point(self, along_m: float) -> NDArray[np.float64]:
        places = [np.interp(along_m, self._along_m, self._points[:, k]) for k in range(2)]
        return np.array(places)


def _bows(corners: Sequence[_Corner]) -> Iterator[list[_Corner]]:
    """Group corners to one side that follow each other closely."""
    bow: list[_Corner] = []
    for corner in corners:
        if bow and not _continues_bow(bow, corner):
            yield bow
            bow = []
        bow.append(corner)
    if bow:
        yield bow


def _continues_bow(bow: Sequence[_Corner], corner: _Corner) -> bool:
    last = bow[-1]
    if last.angle_deg * corner.angle_deg < 0 or corner.along_m - last.along_m > _BOW_GAP_M:
        return False
    sharpest = max(bow, key=lambda each: abs(each.angle_deg))
    both_sharp = min(abs(sharpest.angle_deg), abs(corner.angle_deg)) >= _SPLIT_DEG
    return not (both_sharp and sharpest.at_junction and corner.at_junction)


def _turn_of(bow: Sequence[_Corner], line: _Line) -> RouteTurn:
    angle_deg = sum(corner.angle_deg for corner in bow)
    first, last = bow[0], bow[-1]
    at_junction = any(corner.at_junction for corner in bow)
    short = last.along_m - first.along_m <= _BOW_M
    clear = short and at_junction and first.along_m >= _START_M
    wide_deg = line.wide_angle_deg(first.along_m, last.along_m)
    for seen_deg in (angle_deg, wide_deg):
        clear = clear and _CLEAR_DEG[0] <= abs(seen_deg) <= _CLEAR_DEG[1]
    clear = clear and wide_deg * angle_deg > 0
    if abs(angle_deg) > _LOOP_DEG:
        angle_deg = wide_deg
    middle_m = (first.along_m + last.along_m) / 2
    return RouteTurn(first.node, last.node, middle_m, angle_deg, clear)


def _doubted_near_others(turns: Sequence[RouteTurn], k: int) -> RouteTurn:
    """Doubt a turn that has another one close by: the two may be one crossing."""
    turn = turns[k]
    others = (*turns[max(0, k - 1) : k], *turns[k + 1 : k + 2])
    gaps_m = [abs(turn.along_m - other.along_m) for other in others]
    near = any(gap_m < _APART_M for gap_m in gaps_m)
    return replace(turn, clear=False) if near else turn
