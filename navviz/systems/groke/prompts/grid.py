"""The grid format: the view drawn on cells.

Cells: ``0`` nothing, ``1`` street walked before, ``2`` street ahead, ``3`` intersection, ``S``
start, ``P`` where the agent stands once it has moved, other letters landmarks. Each node lies one
cell north, east, south or west of the node it was reached from, whatever the distance; rows count
from the top, columns from the left, both from 0.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from navviz.systems.groke.prompts.visible_area import Connection, NearbyPoi, PathNode, View
from navviz.world.geometry import bearing_deg, great_circle_m

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
    nodes = _place(view)
    landmarks = _landmark_cells(view, nodes)
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


def _place(view: View) -> dict[str, Cell]:
    links: dict[str, list[Connection]] = {}
    for passed in view.previous:
        links.setdefault(passed.id, []).extend(passed.connections)
    for node in view.path:
        links.setdefault(node.id, []).extend(node.connections)
    root = view.previous[0].id if view.previous else view.node
    cells = _breadth_first(links, root)
    # a hole in the way behind
    return cells if view.node in cells else _breadth_first(links, view.node)


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


def _landmark_cells(view: View, nodes: Mapping[str, Cell]) -> dict[Cell, str]:
    """Cells of the landmarks beside the street; never a cell that a street takes."""
    streets = set(nodes.values())
    letters: dict[Cell, str] = {}
    for node, poi in view.nearby:
        for cell in _wished(view, node, poi, nodes):
            # two POIs of one landmark have one letter, and may share a cell
            if cell not in streets and letters.get(cell, poi.letter) == poi.letter:
                letters[cell] = poi.letter
                break
    return letters


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
