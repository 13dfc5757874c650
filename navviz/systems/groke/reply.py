"""Read and judge GROKE's replies ``{subplan_status, next_place}`` against what was shown."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args

from navviz.records import Call, Candidate, Decision
from navviz.systems.groke import Format
from navviz.systems.groke.prompts.formats import Cell, draw
from navviz.systems.groke.prompts.visible_area import Connection, View
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

Status = Literal["IN_PROGRESS", "COMPLETED"]

# six digits at most: Python refuses to read a number of thousands of digits
_CELL = re.compile(r"[\[(]?\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*[\])]?")


@dataclass(frozen=True, slots=True)
class Read:
    """A reply as it was understood, or what is wrong with it."""

    status: Status | None = None
    target: str | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A judged reply with the way there on the map shown."""

    decision: Decision
    route: tuple[str, ...] = ()
    """From where the agent stands; empty when it stays."""


def read_answer(call: Call, view: View, name: Format) -> Read:
    """Read a reply; on the grid a cell becomes the node drawn on it."""
    if call.parsed is None:
        return Read(fault=call.parse_error or call.why_unread)
    status = call.parsed.get("subplan_status")
    if not _is_status(status):
        return Read(fault="subplan_status is neither IN_PROGRESS nor COMPLETED")
    place = call.parsed.get("next_place")
    if name == "grid":
        return _read_cell(status, place, view)
    if not isinstance(place, str) or not place.strip():
        return Read(status, fault="next_place names no node")
    return Read(status, place.strip())


def _is_status(value: object) -> TypeGuard[Status]:
    return isinstance(value, str) and value in get_args(Status)


def _read_cell(status: Status, place: object, view: View) -> Read:
    cell = _cell(place)
    if cell is None:
        return Read(status, fault="next_place is no cell [row, column]")
    node = draw(view).node_at(cell)
    if node is None:
        named = _short(f"[{cell[0]}, {cell[1]}]")
        return Read(status, named, f"there is no street on the cell {named}")
    return Read(status, node)


def _cell(place: object) -> Cell | None:
    if isinstance(place, str):
        match = _CELL.fullmatch(place.strip())
        return (int(match[1]), int(match[2])) if match else None
    # by `type`: for `isinstance` true and false are whole numbers
    if isinstance(place, list) and len(place) == 2 and all(type(number) is int for number in place):
        return place[0], place[1]
    return None


def judge(read: Read, view: View) -> Answer:
    """Judge whether the place can be reached on the map shown; the agent's own means to stay."""
    if read.fault is not None:
        return Answer(_illegal(read, read.fault))
    if read.target == view.node:
        return Answer(Decision(target=read.target, sub_goal_status=read.status))
    route = routes(view).get(read.target or "")
    if route is None:
        shown = read.target in view.positions
        fault = "can not be reached on the map shown" if shown else "is not on the map shown"
        return Answer(_illegal(read, f"the node {_short(read.target)} {fault}"))
    return Answer(Decision(target=read.target, sub_goal_status=read.status), route)


def _illegal(read: Read, fault: str) -> Decision:
    return Decision(target=read.target, sub_goal_status=read.status, legal=False, reason=fault)


def _short(target: str | None) -> str:
    text = str(target)
    return text if len(text) <= 60 else f"{text[:57]}..."


def routes(view: View) -> Mapping[str, tuple[str, ...]]:
    """Return the ways with the fewest links to all reachable nodes shown, the agent's left out."""
    links = view.links
    ways: dict[str, tuple[str, ...]] = {view.node: (view.node,)}
    queue = deque([view.node])
    while queue:
        node = queue.popleft()
        for target in links.get(node, ()):
            if target not in ways:
                ways[target] = (*ways[node], target)
                queue.append(target)
    del ways[view.node]
    return ways


def candidates(view: View, graph: Graph) -> tuple[Candidate, ...]:
    """Return the places that a reply may name, nearest first, with how the agent arrives there."""
    crossings = {node.id for node in view.path if node.intersection}
    offered: dict[str, Connection] = {}
    for node in view.path:
        for connection in node.connections:
            offered.setdefault(connection.target, connection)
    places = []
    for route in routes(view).values():
        offer, crossing = offered.get(route[-1]), route[-1] in crossings
        places.append(_candidate(view, graph, route, offer, crossing))
    return tuple(places)


def _candidate(
    view: View, graph: Graph, route: tuple[str, ...], connection: Connection | None, crossing: bool
) -> Candidate:
    label = "intersection" if crossing else None
    length_m = round(graph.path_length_m(route), 1)
    if connection is None:
        return Candidate(node=route[-1], label=label, distance_m=length_m)
    return Candidate(
        node=route[-1],
        label=label,
        direction=connection.direction,
        heading_deg=round(connection.heading_deg, 2),
        angle_deg=round(turn_deg(view.heading_deg, connection.heading_deg), 2),
        distance_m=length_m,
    )
