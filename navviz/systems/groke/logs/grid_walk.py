"""Where the agent stands in GROKE's grid logs, whose prompts and replies name cells, not nodes.

The start is known from the episode. A reply's cell is looked up as GROKE's scripts do it: not in
the map that was shown, but in one drawn anew from the place where the agent stands, without the way
behind it and without landmarks (``resolve_grid_next_place`` in ``process_results.py``; its comment
calls that unfinished). So a cell that the prompt shows as street may be none there, and the walk
ends. The heading that the next prompt prints tests the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from navviz.errors import InputError
from navviz.records import Decision, Episode
from navviz.records.trace import UNKNOWN_PLACE
from navviz.systems.groke.logs.step_lines import StepLine
from navviz.systems.groke.prompts.grid import Cell, draw
from navviz.systems.groke.prompts.previous_path import arrival_heading_deg
from navviz.systems.groke.prompts.visible_area import AREA_LINKS, View, cut_to_route, look
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

_PRINTED_DEG = 0.006
"""Prompts print headings with two decimals."""
_START_DEG = 0.51
"""The start heading is printed as the data set has it, or as a whole number."""
_NO_STREET = "the cell {} holds no street in the map in which GROKE's scripts look it up"


def is_grid(lines: Sequence[StepLine]) -> bool:
    """Whether the prompts show cells."""
    return any(line.cell is not None or line.named is not None for line in lines)


def located(
    lines: Sequence[StepLine],
    episode: Episode,
    graph: Graph,
    published: Sequence[str | None] | None = None,
) -> list[StepLine]:
    """Return the lines of a grid log with the nodes where they stand and which they name.

    Parameters
    ----------
    lines
        In the order of the steps.
    episode
        Its start and start heading begin the walk; its route says how far the authors' map reached.
    graph
        The street map.
    published
        Waypoints of the state file; they decide where a cell shows several nodes.

    Returns
    -------
    As many lines. From the first one whose place is unknown, `node` is ``None``.
    """
    walker = _GridWalker(_area(graph, episode), episode, published)
    following = (*lines[1:], None)
    return [walker.take(line, after) for line, after in zip(lines, following, strict=True)]


def _area(graph: Graph, episode: Episode) -> Graph:
    try:
        return cut_to_route(graph, episode.reference_path, AREA_LINKS)
    # no route, or one that leaves this map: then nothing says how far the authors' map reached
    except InputError:
        return graph


class _GridWalker:
    """Follows the replies of one log."""

    def __init__(
        self, area: Graph, episode: Episode, published: Sequence[str | None] | None
    ) -> None:
        self.area = area
        self.node: str | None = episode.start if episode.start in area else None
        self.heading_deg = episode.start_heading_deg
        self.published = tuple(published or ())
        self.replies = 0
        self.moved = False

    def take(self, line: StepLine, after: StepLine | None) -> StepLine:
        """Return the line with its node and the node that it names, and go on to there."""
        # an uncertain place stays so to the end: grid prompts name no node that could mend it
        if not self._has_arrival_heading(line):
            self.node = None
        if self.node is None:
            return replace(line, node=None, decision=_unknown(line))
        here = self.node
        if line.named is None:
            return replace(line, node=here)
        self.replies += 1
        view = look(self.area, here, self._heading(line), ())
        target, is_certain = self._target(line, view, after)
        if target is not None and target != here:
            self.node, self.moved = target, True
            self.heading_deg = arrival_heading_deg(self.area, here, target)
        if not is_certain:
            self.node = None
        decision = _decision(line, target) if is_certain else _unknown(line)
        shown = tuple(node.id for node in view.path)
        return replace(line, node=here, decision=decision, visible=shown)

    def _heading(self, line: StepLine) -> float:
        return self.heading_deg if self.heading_deg is not None else line.heading_deg or 0.0

    def _has_arrival_heading(self, line: StepLine) -> bool:
        """Whether the heading that is printed is the one with which the agent arrived."""
        if line.heading_deg is None or self.heading_deg is None:
            return True
        apart = abs(turn_deg(line.heading_deg, self.heading_deg))
        return apart <= (_PRINTED_DEG if self.moved else _START_DEG)

    def _target(
        self, line: StepLine, view: View, after: StepLine | None
    ) -> tuple[str | None, bool]:
        """Return the node of a cell, ``None`` for no street; and whether that is certain."""
        if self.replies < len(self.published):
            given = self.published[self.replies]
            # a hole after the last reply: the scripts found no street under its cell
            if given is None and after is None:
                return None, True
            if given is not None and self._fits(view.node, given, after):
                return given, True
        nodes = [node for node, at in _lookup(line, view).items() if at == line.named]
        # several nodes may share a cell: the agent's own counts first
        nodes = [view.node] if view.node in nodes else nodes
        # no street ends a walk; where a prompt follows all the same, our map differs from theirs
        if not nodes:
            return None, after is None
        fitting = [node for node in nodes if self._fits(view.node, node, after)]
        return (fitting[0], True) if len(fitting) == 1 else (nodes[0], False)

    def _fits(self, here: str, node: str, after: StepLine | None) -> bool:
        """Whether the heading of the next prompt is the one with which the agent gets to a node."""
        if node == here:
            return after is None
        arrived = arrival_heading_deg(self.area, here, node)
        if after is None or after.heading_deg is None or arrived is None:
            return arrived is not None
        return abs(turn_deg(arrived, after.heading_deg)) <= _PRINTED_DEG


def _lookup(line: StepLine, view: View) -> dict[str, Cell]:
    """Return the cell of each node in the map where replies are looked up.

    What the prompt shows no street for was not in the authors' map, whose edge is not quite ours.
    """
    nodes = draw(view).nodes
    row, column = nodes[view.node]
    apart = {node: (at[0] - row, at[1] - column) for node, at in nodes.items()}
    kept = {node: by for node, by in apart.items() if _is_street(line, by)}
    # never empty: the agent's own node is always kept
    rows, columns = zip(*kept.values(), strict=True)
    top, left = min(rows) - 1, min(columns) - 1
    return {node: (by[0] - top, by[1] - left) for node, by in kept.items()}


def _is_street(line: StepLine, by: Cell) -> bool:
    """Whether the prompt shows a street `by` rows and columns from the agent; yes without rows."""
    if line.cell is None or not line.rows or by == (0, 0):
        return True
    row, column = line.cell[0] + by[0], line.cell[1] + by[1]
    inside = 0 <= row < len(line.rows) and 0 <= column < len(line.rows[row])
    return inside and line.rows[row][column] != "0"


def _unknown(line: StepLine) -> Decision:
    if line.named is None:
        return line.decision
    # not to know the node is a lack of ours, no fault of the agent: the reply stays legal
    return line.decision.model_copy(
        update={"target": _text(line), "legal": True, "reason": UNKNOWN_PLACE}
    )


def _text(line: StepLine) -> str:
    return "" if line.named is None else f"[{line.named[0]}, {line.named[1]}]"


def _decision(line: StepLine, target: str | None) -> Decision:
    if target is None:
        reason = _NO_STREET.format(_text(line))
        return line.decision.model_copy(update={"legal": False, "reason": reason})
    return line.decision.model_copy(update={"target": target, "legal": True, "reason": None})
