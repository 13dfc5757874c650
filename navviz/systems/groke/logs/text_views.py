"""The maps of GROKE's ``textual`` and ``graph_vis`` prompts: sentences, and edges with attributes.

Lines are recognised one by one, so that their order, their blanks and what stands between them do
not matter. Only a legend needs its heading, since ``A = B`` may stand in other places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from navviz.records import SeenPoi
from navviz.systems.groke.logs.map_view import Link, MapView, chain_links, linked

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_POSITION = re.compile(r"Current Position(?: \(P\))?:\s*(?:Node\s+)?(\S+)$", re.IGNORECASE)
_HEADING = re.compile(rf"Current Heading:\s*{_NUMBER}", re.IGNORECASE)
_LEGEND = re.compile(r"POI Legend:$", re.IGNORECASE)
_LETTER = re.compile(r"([A-Z?])\s*=\s*(.+)$")

_NODE = re.compile(r"(Node|Intersection)\s+(\S+)\s*:$")
_HERE = re.compile(r"\*\s*POI at this location:\s*(.+?)\s*\((\S)\)$")
_CONNECTION = re.compile(rf"-\s*Node\s+(\S+)\s+is to the\s+(\w+)\s*\(heading:\s*{_NUMBER}")
_BRANCH = re.compile(rf"-\s*(\w+)\s+branch\s*\(heading:\s*{_NUMBER}")
_CHAIN = re.compile(r"Path:\s*(.+)$")
_NEARBY = re.compile(
    rf"-\s*(.+)\s+\((\S)\)\s+is\s+(.+?)(?:,\s*~\s*{_NUMBER}\s*m)?\s+to the\s+(\w+)$"
)

_EDGE = re.compile(r"(\S+)\s*+(\[INTERSECTION\])?\s*+-->\s*+(.+?)(?<!\s)\s*+\[([^\[\]]*)\]$")
_BRANCH_EDGE = re.compile(
    r"(\S+)\s*+(?:\[INTERSECTION\])?\s*+--\((\w+)\)-->\s*+(.+?)(?<!\s)\s*+\[([^\[\]]*)\]$"
)
_POI = re.compile(r"(.+?)(?<!\s)\s*+\(POI:\s*+(\S)\)$")
_DEGREES = re.compile(_NUMBER)
_METRES = re.compile(rf"~?\s*{_NUMBER}\s*m$")


@dataclass(slots=True)
class _Lines:
    """What was found so far."""

    node: str | None = None
    heading_deg: float | None = None
    visible: dict[str, None] = field(default_factory=dict)
    crossings: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)
    branches: list[Link] = field(default_factory=list)
    pois: list[SeenPoi] = field(default_factory=list)
    letters: dict[str, str] = field(default_factory=dict)
    legend: bool = False
    """Whether the lines of the legend follow."""

    def read(self, lines: Iterable[str]) -> None:
        """Read all lines."""
        for line in lines:
            text = line.strip()
            if not self._heads(text):
                self._body(text)

    def _heads(self, text: str) -> bool:
        """Take a line that is blank or says place, heading or a letter; returns whether it was
        one.
        """
        # graph prompts write their heads as comments
        bare = text.lstrip("# ")
        if not bare:
            return True
        if _LEGEND.match(bare):
            self.legend = True
            return True
        letter = _LETTER.match(bare) if self.legend else None
        if letter is not None:
            self.letters[letter[2]] = letter[1]
            return True
        self.legend = False
        position, heading = _POSITION.match(bare), _HEADING.match(bare)
        if position is not None:
            self.node = position[1]
        if heading is not None:
            self.heading_deg = float(heading[1])
        return position is not None or heading is not None

    def _body(self, text: str) -> None:
        raise NotImplementedError

    def _see(self, node: str, *, crossing: bool) -> None:
        self.visible[node] = None
        if crossing:
            self.crossings.add(node)


@dataclass(slots=True)
class TextualLines(_Lines):
    """Sentences: each node is a heading of its own."""

    at: str | None = None
    """The node that is spoken of."""
    branch: tuple[str, float] | None = None
    """Direction and heading of the branch whose nodes come next."""

    def _body(self, text: str) -> None:
        node = _NODE.match(text)
        if node is not None:
            self.at = node[2]
            self._see(node[2], crossing=node[1] == "Intersection")
        elif self.at is not None:
            self._of_node(self.at, text)

    def _of_node(self, at: str, text: str) -> None:
        connection, branch, chain = _CONNECTION.match(text), _BRANCH.match(text), _CHAIN.match(text)
        here, nearby = _HERE.match(text), _NEARBY.match(text)
        if connection is not None:
            self.links.append((at, connection[1], float(connection[3]), connection[2].capitalize()))
        elif branch is not None:
            self.branch = (branch[1].capitalize(), float(branch[2]))
        elif chain is not None and self.branch is not None:
            direction, heading_deg = self.branch
            nodes = [node.strip() for node in chain[1].split("->")]
            self.branches += chain_links(at, nodes, heading_deg, direction)
        elif here is not None:
            self.pois.append(SeenPoi(name=here[1], letter=here[2], node=at, position="here"))
        elif nearby is not None:
            self.pois.append(_poi(nearby[1], nearby[2], at, nearby[5], nearby[3], nearby[4]))


@dataclass(slots=True)
class GraphLines(_Lines):
    """Edges: ``SOURCE --> TARGET [heading: 90°, direction: Forward]``."""

    def _body(self, text: str) -> None:
        if text.startswith("#"):
            return
        branch, edge = _BRANCH_EDGE.match(text), _EDGE.match(text)
        if branch is not None:
            self._see(branch[1], crossing=True)
            heading_deg = _degrees(_attributes(branch[4]).get("heading"))
            nodes = [node.strip() for node in branch[3].split("-->")]
            self.branches += chain_links(branch[1], nodes, heading_deg, branch[2].capitalize())
        elif edge is not None:
            self._edge(edge[1], edge[3], _attributes(edge[4]), crossing=edge[2] is not None)

    def _edge(
        self, source: str, target: str, attributes: dict[str, str], *, crossing: bool
    ) -> None:
        poi = _POI.match(target)
        if poi is not None:
            metres = _METRES.match(attributes.get("distance", ""))
            direction, position = attributes.get("direction"), attributes.get("position")
            self.pois.append(
                _poi(poi[1], poi[2], source, direction, position, metres[1] if metres else None)
            )
            return
        self._see(source, crossing=crossing)
        direction = attributes.get("direction")
        self.links.append((source, target, _degrees(attributes.get("heading")), direction))


def _attributes(text: str) -> dict[str, str]:
    """``heading: 90°, direction: Left`` by name."""
    pairs = (part.partition(":") for part in text.split(","))
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}


def _degrees(text: str | None) -> float | None:
    number = None if text is None else _DEGREES.match(text)
    return None if number is None else float(number[1])


def _poi(
    name: str,
    letter: str,
    node: str,
    direction: str | None,
    position: str | None,
    metres: str | None,
) -> SeenPoi:
    return SeenPoi(
        name=name,
        letter=letter,
        node=node,
        direction=None if direction is None else direction.capitalize(),
        position=position,
        distance_m=None if metres is None else float(metres),
    )


def read_textual(context: str) -> MapView:
    """Read the map of a textual prompt."""
    lines = TextualLines()
    lines.read(context.splitlines())
    return _view(lines)


def read_graph(context: str) -> MapView:
    """Read the map of a graph prompt."""
    lines = GraphLines()
    lines.read(context.splitlines())
    return _view(lines)


def _view(lines: _Lines) -> MapView:
    # connections before branches: of repeats the first heading stays
    links, headings = linked((*lines.links, *lines.branches))
    return MapView(
        format="textual" if isinstance(lines, TextualLines) else "graphviz",
        node=lines.node,
        heading_deg=lines.heading_deg,
        visible=tuple(_visible(lines)),
        crossings=frozenset(lines.crossings),
        links=links,
        headings=headings,
        pois=tuple(lines.pois),
        letters=lines.letters,
    )


def _visible(lines: _Lines) -> Iterator[str]:
    """Return the nodes of the street ahead, the one where the agent stands first; of a dead end,
    that one alone.
    """
    if lines.node is not None:
        yield lines.node
    yield from (node for node in lines.visible if node != lines.node)
