"""The five formats in which a view can be shown to a model."""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from navviz.errors import SettingsError
from navviz.systems.groke import FORMATS, Format
from navviz.systems.groke.prompts.visible_area import (
    Branch,
    Connection,
    NearbyPoi,
    PathNode,
    PreviousNode,
    View,
)
from navviz.world.geometry import Direction, bearing_deg, compass, great_circle_m


def render_json(view: View, *, coordinates: bool = False) -> str:
    """Render the view as one line of JSON."""
    return json.dumps(context(view, coordinates=coordinates), ensure_ascii=False)


def context(view: View, *, coordinates: bool = False) -> dict[str, Any]:
    """Return the view as the object that `render_json` prints, in degrees and metres."""
    nodes = [_node(node, coordinates=coordinates) for node in view.path]
    pois = [_poi(node, poi, coordinates=coordinates) for node, poi in view.nearby]
    previous = previous_entries(view.previous)
    return {
        "navigation_context": {
            "current_position": {
                "node_id": view.node,
                "heading": round(view.heading_deg, 2),
                "compass_direction": compass(view.heading_deg),
            },
            "previous_path": previous or None,
            "poi_legend": {letter: name for name, letter in view.legend.items()},
            "current_path_nodes": nodes,
            "pois": pois,
            "summary": {
                "previous_path_length": len(previous),
                "current_path_nodes": len(nodes),
                "total_pois": len(pois),
                "intersections": sum(node.intersection for node in view.path),
            },
        }
    }


def previous_entries(previous: tuple[PreviousNode, ...]) -> list[dict[str, Any]]:
    """Return the nodes passed, each with the way to the next, the last with the way to the agent."""
    entries: list[dict[str, Any]] = []
    passed = {node.id for node in previous}
    for i, node in enumerate(previous):
        following = previous[i + 1 : i + 2]
        if following:
            name = "to_next"
            wanted = [c for c in node.connections if c.target == following[0].id]
        else:
            # the agent's own node is not listed: the way to it is the one that leaves the list
            name = "to_current_position"
            wanted = [c for c in node.connections if c.target not in passed]
        entry: dict[str, Any] = {"node_id": node.id}
        if wanted:
            # headings have one decimal here and two everywhere else, as published
            heading_deg = round(wanted[0].heading_deg, 1)
            entry[name] = {"direction": wanted[0].direction, "heading": heading_deg}
        entries.append(entry)
    return entries


def _node(node: PathNode, *, coordinates: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": node.id,
        "type": "intersection" if node.intersection else "waypoint",
        "heading": round(node.heading_deg, 2),
        "connections": [_connection(connection) for connection in node.connections],
    }
    if coordinates:
        entry["coordinates"] = _coordinates(node.position)
    if node.here is not None:
        entry["poi_at_location"] = {"name": node.here.name, "letter": node.here.letter}
    if node.branches:
        entry["branches"] = [_branch(branch) for branch in node.branches]
    return entry


def _connection(connection: Connection) -> dict[str, Any]:
    return {
        "target_node_id": connection.target,
        "heading": round(connection.heading_deg, 2),
        "direction": connection.direction,
    }


def _branch(branch: Branch) -> dict[str, Any]:
    return {
        "direction": branch.direction,
        "heading": round(branch.heading_deg, 2),
        "compass": compass(branch.heading_deg),
        "nodes": list(branch.nodes),
    }


def _poi(node: PathNode, poi: NearbyPoi, *, coordinates: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": poi.name,
        "letter": poi.letter,
        "nearby_node_id": node.id,
        "direction": poi.direction,
        "position": poi.position,
        "distance_meters": round(poi.distance_m, 1),
    }
    if coordinates:
        entry["coordinates"] = _coordinates(poi.poi.position)
    return entry


def _coordinates(position: tuple[float, ...]) -> dict[str, float]:
    return {"lat": position[0], "lng": position[1]}


def render_graphviz(view: View) -> str:
    """Render the view as DOT: streets solid, landmarks dashed, the way behind dotted."""
    facing = f"{view.heading_deg:.2f} degrees ({compass(view.heading_deg)})"
    lines = ["digraph streets {", f"  // you stand at {_quoted(view.node)} and face {facing}"]
    lines += [f"  // {letter} = {_comment(name)}" for name, letter in view.legend.items()]
    lines += [_shape(view, node) for node in view.path]
    edges: dict[tuple[str, str], str] = {}
    for node in view.path:
        for c in node.connections:
            edges.setdefault((node.id, c.target), f' [label="{c.direction} {c.heading_deg:.0f}°"]')
        for branch in node.branches:
            for a, b in itertools.pairwise(branch.nodes):
                edges.setdefault((a, b), f' [label="{branch.direction} branch"]')
    lines += [f"  {_quoted(a)} -> {_quoted(b)}{label};" for (a, b), label in edges.items()]
    lines += _landmarks(view)
    lines += _behind(view)
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _comment(text: str) -> str:
    # a line break would end the comment, and the rest of the name would be read as DOT
    return " ".join(text.split())


def _shape(view: View, node: PathNode) -> str:
    attributes = [f"shape={'diamond' if node.intersection else 'point'}"]
    labels = ["P (you)"] if node.id == view.node else []
    if node.here is not None:
        labels.append(f"{node.here.letter}: {node.here.name} is here")
    if labels:
        attributes.append(f"xlabel={_quoted('; '.join(labels))}")
    return f"  {_quoted(node.id)} [{', '.join(attributes)}];"


def _landmarks(view: View) -> list[str]:
    lines = []
    for node, poi in view.nearby:
        label = f"{poi.direction}, {poi.position}, {poi.distance_m:.1f} m"
        # two places of one name would be one node of the graph without their ids
        place = f"{poi.letter}: {poi.name} [{poi.poi.id}]"
        lines.append(
            f"  {_quoted(node.id)} -> {_quoted(place)} [style=dashed, label={_quoted(label)}];"
        )
    return lines


def _behind(view: View) -> list[str]:
    entries = previous_entries(view.previous)
    lines = []
    for i, entry in enumerate(entries):
        target = entries[i + 1]["node_id"] if i + 1 < len(entries) else view.node
        way = entry.get("to_next") or entry.get("to_current_position")
        if way:
            label = f'label="walked {way["direction"]} {way["heading"]}°"'
            lines.append(
                f"  {_quoted(entry['node_id'])} -> {_quoted(target)} [style=dotted, {label}];"
            )
    return lines


_WHERE: dict[Direction, str] = {
    "Forward": "straight ahead",
    "Left": "to the left",
    "Right": "to the right",
    "Back": "behind",
}


def render_textual(view: View) -> str:
    """Render the view in plain sentences, one paragraph a node."""
    parts = [
        f"You stand at node {view.node} and face {_angle(view.heading_deg)}.",
        _behind_in_words(view),
        _legend(view),
    ]
    parts += [_node_in_words(node) for node in view.path]
    return "\n\n".join(part for part in parts if part)


def _angle(heading_deg: float) -> str:
    return f"{heading_deg:.1f}° ({compass(heading_deg)})"


def _behind_in_words(view: View) -> str:
    entries = previous_entries(view.previous)
    if not entries:
        return ""
    lines = ["You came this way:"]
    for entry in entries:
        way = entry.get("to_next") or entry.get("to_current_position")
        went = f", then {way['direction'].lower()} on heading {way['heading']}°" if way else ""
        lines.append(f"- node {entry['node_id']}{went}")
    return "\n".join(lines)


def _legend(view: View) -> str:
    if not view.landmarks:
        return ""
    return "\n".join(
        [
            "Landmarks on this map:",
            *(f"- {letter} is {name}" for name, letter in view.legend.items()),
        ]
    )


def _node_in_words(node: PathNode) -> str:
    kind = "an intersection" if node.intersection else "a point along the street"
    lines = [f"Node {node.id} is {kind}."]
    if node.here is not None:
        lines.append(f"- {node.here.name} ({node.here.letter}) is right here.")
    lines += [_link(connection) for connection in node.connections]
    if not node.connections:
        lines.append("- No street leads on from here.")
    for branch in node.branches:
        chain = ", then ".join(branch.nodes)
        lines.append(
            f"- The street {_WHERE[branch.direction]} runs on {_angle(branch.heading_deg)} through"
            f" {chain}."
        )
    lines += [_beside(poi) for poi in node.nearby_pois]
    return "\n".join(lines)


def _link(connection: Connection) -> str:
    where = _WHERE[connection.direction]
    return f"- Node {connection.target} is {where}, heading {_angle(connection.heading_deg)}."


def _beside(poi: NearbyPoi) -> str:
    corner = ", on the corner" if poi.position == "on the corner" else ""
    return (
        f"- {poi.name} ({poi.letter}) is {_WHERE[poi.direction]}{corner}, about"
        f" {poi.distance_m:.1f} m away."
    )


CORNER_M = 20.0
"""A POI this near to an intersection is drawn on one of its diagonals."""

Cell = tuple[int, int]
"""``(row, column)``."""


# clockwise from north, since `_side` and `_diagonal` count quarters of the compass
_SIDES: tuple[Cell, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))

_DIAGONALS: tuple[Cell, ...] = ((-1, 1), (1, 1), (1, -1), (-1, -1))


@dataclass(frozen=True, slots=True)
class CellDrawing:
    """A view on cells."""

    rows: tuple[tuple[str, ...], ...]
    nodes: Mapping[str, Cell]
    """Cell of each node."""

    def node_at(self, cell: Cell) -> str | None:
        """Return the node that is drawn on a cell; of several, the one that was placed first."""
        return next((node for node, at in self.nodes.items() if at == cell), None)


def render_grid(view: View) -> str:
    """Render the grid as text, with a legend and the cells that matter."""
    drawing = draw(view)
    row, column = drawing.nodes[view.node]
    mark = "P" if view.previous else "S"
    facing = f"{view.heading_deg:.2f}° (0° is up, 90° right)"
    lines = [f"You stand at [{row}, {column}], marked {mark}, and face {facing}."]
    if view.previous and view.previous[0].id in drawing.nodes:
        start = drawing.nodes[view.previous[0].id]
        lines.append(f"You started at [{start[0]}, {start[1]}], marked S.")
    lines.append("0 nothing, 1 street walked before, 2 street ahead, 3 intersection.")
    lines += [f"{letter} is {name}." for name, letter in view.legend.items()]
    width = len(str(len(drawing.rows) - 1))
    lines += [f"row {i:>{width}}: {' '.join(cells)}" for i, cells in enumerate(drawing.rows)]
    return "\n".join(lines)


def draw(view: View) -> CellDrawing:
    """Place the nodes of a view, then mark streets, intersections and landmarks."""
    links: dict[str, list[Connection]] = {}
    for passed in view.previous:
        links.setdefault(passed.id, []).extend(passed.connections)
    for node in view.path:
        links.setdefault(node.id, []).extend(node.connections)
    root = view.previous[0].id if view.previous else view.node
    cells = _breadth_first(links, root)
    # a hole in the way behind
    nodes = cells if view.node in cells else _breadth_first(links, view.node)
    streets = set(nodes.values())
    landmarks: dict[Cell, str] = {}
    for node, poi in view.nearby:
        for cell in _wished(view, node, poi, nodes):
            # two POIs of one landmark have one letter, and may share a cell
            if cell not in streets and landmarks.get(cell, poi.letter) == poi.letter:
                landmarks[cell] = poi.letter
                break
    taken_rows, taken_columns = zip(*nodes.values(), *landmarks, strict=True)
    # one empty cell on each side: replies count cells, so the edge is part of the format
    top, left = min(taken_rows) - 1, min(taken_columns) - 1
    height, width = max(taken_rows) - top + 2, max(taken_columns) - left + 2
    marks = _marks(view, nodes) | landmarks
    columns = range(left, left + width)
    rows = [_row(marks, row, columns) for row in range(top, top + height)]
    cells = {node: (row - top, column - left) for node, (row, column) in nodes.items()}
    return CellDrawing(tuple(rows), cells)


def _row(marks: Mapping[Cell, str], row: int, columns: Iterable[int]) -> tuple[str, ...]:
    return tuple(marks.get((row, column), "0") for column in columns)


def _shift(cell: Cell, by: Cell) -> Cell:
    return cell[0] + by[0], cell[1] + by[1]


def _side(heading_deg: float) -> Cell:
    return _SIDES[int((heading_deg + 45.0) % 360.0 // 90.0)]


def _diagonal(heading_deg: float) -> Cell:
    return _DIAGONALS[int(heading_deg % 360.0 // 90.0)]


def _breadth_first(links: Mapping[str, list[Connection]], root: str) -> dict[str, Cell]:
    cells: dict[str, Cell] = {root: (0, 0)}
    queue = deque([root])
    while queue:
        node = queue.popleft()
        for connection in links.get(node, ()):
            # the first way to a node decides its cell: streets round a block need not close on the
            # grid
            if connection.target not in cells:
                cells[connection.target] = _shift(cells[node], _side(connection.heading_deg))
                queue.append(connection.target)
    return cells


def _marks(view: View, nodes: Mapping[str, Cell]) -> dict[Cell, str]:
    """Return what stands on the street cells, later marks over earlier ones."""
    marks: dict[Cell, str] = {}
    for passed in view.previous:
        for name in (passed.id, *(c.target for c in passed.connections)):
            if name in nodes:
                marks[nodes[name]] = "1"
    for node in view.path:
        for name in (node.id, *(c.target for c in node.connections)):
            # a street that was walked stays marked so where it lies ahead again
            marks.setdefault(nodes[name], "2")
    for crossing in view.path:
        if crossing.intersection:
            marks[nodes[crossing.id]] = "3"
    for crossing in view.path:
        if crossing.here is not None:
            marks[nodes[crossing.id]] = crossing.here.letter
    if view.previous and view.previous[0].id in nodes:
        marks[nodes[view.previous[0].id]] = "S"
    # the last mark of all, so that nothing hides the agent
    marks[nodes[view.node]] = "P" if view.previous else "S"
    return marks


def _wished(view: View, node: PathNode, poi: NearbyPoi, nodes: Mapping[str, Cell]) -> list[Cell]:
    """Return cells for a landmark, best first: a corner near it, its side of the street, around."""
    crossings = [node for node in view.path if node.intersection]
    corners = [crossing for crossing in crossings if _apart_m(crossing, poi) <= CORNER_M]
    wished = []
    if corners:
        crossing = min(corners, key=lambda candidate: _apart_m(candidate, poi))
        wished.append(_shift(nodes[crossing.id], _diagonal(_bearing_deg(crossing, poi))))
        # where the corner is taken, the cells around this crossing come next, not those around the
        # node
        node = crossing
    bearing = _bearing_deg(node, poi)
    around = (_side(bearing), _diagonal(bearing), *_DIAGONALS, *_SIDES)
    return [*wished, *(_shift(nodes[node.id], by) for by in around)]


def _apart_m(node: PathNode, poi: NearbyPoi) -> float:
    return float(great_circle_m(node.position, poi.poi.position))


def _bearing_deg(node: PathNode, poi: NearbyPoi) -> float:
    a, b = node.position, poi.poi.position
    return bearing_deg((a[0], a[1]), (b[0], b[1]))


_RENDERERS: dict[Format, Callable[[View], str]] = {
    "json": partial(render_json, coordinates=True),
    "json-optimised": render_json,
    "textual": render_textual,
    "graphviz": render_graphviz,
    "grid": render_grid,
}


def render(name: str, view: View) -> str:
    """Render the context exactly as it stands in the prompt.

    Raises `SettingsError` when there is no such format.
    """
    for format_name, renderer in _RENDERERS.items():
        if format_name == name:
            return renderer(view)
    raise SettingsError(f"There is no format {name!r}; choose one of {', '.join(FORMATS)}.")
