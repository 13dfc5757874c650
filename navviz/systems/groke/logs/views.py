"""The map in GROKE's prompts: visible nodes, lettered POIs and the places that a reply may name.

The JSON formats are read here, sentences and edges in `text_views`, cells in `grid_views`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from navviz.formats.files import Json
from navviz.formats.texts import as_list, as_mapping, as_number, id_text
from navviz.records import Candidate, Observation, SeenPoi
from navviz.systems.groke import Format
from navviz.systems.groke.logs.calls import Prompt, as_strings
from navviz.systems.groke.prompts.formats import Cell
from navviz.world.geometry import great_circle_m, turn_deg
from navviz.world.graph import Graph

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
        """Ways with the fewest links, on the map shown, to each reachable node, nearest first."""
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
    """Return a branch's links from its intersection on; the first has heading and direction."""
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


_PLACE = re.compile(
    r"^[^\S\n]*Your Position\s*:\s*[\[(]\s*(\d+)\s*,\s*(\d+)\s*[\])]", re.MULTILINE | re.IGNORECASE
)

_HEADING = re.compile(r"^[^\S\n]*Heading\s*:\s*(-?\d+(?:\.\d+)?)", re.MULTILINE | re.IGNORECASE)

_ROW = re.compile(r"^[^\S\n]*\[((?:\s*+'[^']'\s*+,?)+)\][^\S\n]*+,?[^\S\n]*+$", re.MULTILINE)

_MARK = re.compile(r"'([^'])'")

_LEGEND = re.compile(r"^[^\S\n]*Legend\s*:\s*(.*)$", re.MULTILINE | re.IGNORECASE)

# a name may hold commas: it ends only where a comma and the next "X =" follow
_LETTER = re.compile(r"([A-Z?])\s*=\s*((?:(?!,\s*[A-Z0-9?]\s*=).)+?)\s*\(landmark\)")


def read_grid(context: str) -> MapView:
    """Read heading, letters and the agent's cell; which node that is, the prompt does not say."""
    heading, letters = _HEADING.search(context), _letters(context)
    return MapView(
        format="grid",
        heading_deg=None if heading is None else float(heading[1]),
        cell=_cell(context),
        rows=tuple("".join(_MARK.findall(row)) for row in _ROW.findall(context)),
        pois=tuple(SeenPoi(name=name, letter=letter) for name, letter in letters.items()),
        letters=letters,
    )


def _cell(context: str) -> Cell | None:
    place = _PLACE.search(context)
    return None if place is None else (int(place[1]), int(place[2]))


def _letters(context: str) -> dict[str, str]:
    legend = _LEGEND.search(context)
    return {} if legend is None else {name: letter for letter, name in _LETTER.findall(legend[1])}


_NUMBER = r"(-?\d+(?:\.\d+)?)"

_POSITION = re.compile(r"Current Position(?: \(P\))?:\s*(?:Node\s+)?(\S+)$", re.IGNORECASE)

_TEXT_HEADING = re.compile(rf"Current Heading:\s*{_NUMBER}", re.IGNORECASE)

_TEXT_LEGEND = re.compile(r"POI Legend:$", re.IGNORECASE)

_TEXT_LETTER = re.compile(r"([A-Z?])\s*=\s*(.+)$")

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
        """Take a blank line, or one of place, heading or letter; returns whether it was one."""
        # graph prompts write their heads as comments
        bare = text.lstrip("# ")
        if not bare:
            return True
        if _TEXT_LEGEND.match(bare):
            self.legend = True
            return True
        letter = _TEXT_LETTER.match(bare) if self.legend else None
        if letter is not None:
            self.letters[letter[2]] = letter[1]
            return True
        self.legend = False
        position, heading = _POSITION.match(bare), _TEXT_HEADING.match(bare)
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
            connection, branch, chain = (
                _CONNECTION.match(text),
                _BRANCH.match(text),
                _CHAIN.match(text),
            )
            here, nearby = _HERE.match(text), _NEARBY.match(text)
            if connection is not None:
                self.links.append(
                    (self.at, connection[1], float(connection[3]), connection[2].capitalize())
                )
            elif branch is not None:
                self.branch = (branch[1].capitalize(), float(branch[2]))
            elif chain is not None and self.branch is not None:
                direction, heading_deg = self.branch
                nodes = [node.strip() for node in chain[1].split("->")]
                self.branches += chain_links(self.at, nodes, heading_deg, direction)
            elif here is not None:
                self.pois.append(
                    SeenPoi(name=here[1], letter=here[2], node=self.at, position="here")
                )
            elif nearby is not None:
                self.pois.append(
                    _poi(nearby[1], nearby[2], self.at, nearby[5], nearby[3], nearby[4])
                )


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
    """Return the nodes of the street ahead, the agent's first; of a dead end, that alone."""
    if lines.node is not None:
        yield lines.node
    yield from (node for node in lines.visible if node != lines.node)


_FORMATS = {"json": "json-optimised", "textual": "textual", "graph_vis": "graphviz", "grid": "grid"}
"""GROKE's names of the prompt formats, and ours; the published JSON logs are those of the optimised
format.
"""

_GRID = re.compile(r"^[^\S\n]*Matrix\b|^[^\S\n]*\[\s*'", re.MULTILINE)

_TEXTUAL = re.compile(r"^[^\S\n]*(?:Node|Intersection)\s+\S+\s*:[^\S\n]*$", re.MULTILINE)


def read_view(prompt: Prompt) -> MapView:
    """Read the map of a prompt in the format of its text; without one the view is empty."""
    if prompt.fields:
        here = as_mapping(prompt.fields.get("current_position"))
        items = map(as_mapping, as_list(prompt.fields.get("current_path_nodes")))
        nodes = [item for item in items if "id" in item]
        crossings = [id_text(item["id"]) for item in nodes if item.get("type") == "intersection"]
        links, headings = linked(itertools.chain.from_iterable(map(_links, nodes)))
        legend = as_mapping(prompt.fields.get("poi_legend"))
        node = here.get("node_id")
        return MapView(
            format="json-optimised",
            node=str(node) if node is not None else None,
            heading_deg=as_number(here.get("heading")),
            visible=tuple(id_text(item["id"]) for item in nodes),
            crossings=frozenset(crossings),
            links=links,
            headings=headings,
            pois=(*_pois(prompt.fields), *_pois_at(nodes)),
            letters={name: letter for letter, name in legend.items() if isinstance(name, str)},
        )
    if _GRID.search(prompt.context):
        return read_grid(prompt.context)
    if _TEXTUAL.search(prompt.context):
        return read_textual(prompt.context)
    return read_graph(prompt.context) if "-->" in prompt.context else MapView()


def _links(item: Mapping[str, Json]) -> Iterator[Link]:
    source = id_text(item["id"])
    for link in map(as_mapping, as_list(item.get("connections"))):
        if isinstance(link.get("target_node_id"), str):
            yield (
                source,
                link["target_node_id"],
                as_number(link.get("heading")),
                _text(link, "direction"),
            )
    for branch in map(as_mapping, as_list(item.get("branches"))):
        nodes, heading_deg = as_strings(branch.get("nodes")), as_number(branch.get("heading"))
        yield from chain_links(source, nodes, heading_deg, _text(branch, "direction"))


def _text(item: Mapping[str, Json], name: str) -> str | None:
    value = item.get(name)
    return value if isinstance(value, str) else None


def _pois(fields: Mapping[str, Json]) -> Iterator[SeenPoi]:
    for poi in map(as_mapping, as_list(fields.get("pois"))):
        yield SeenPoi(
            name=_text(poi, "name") or "",
            letter=_text(poi, "letter"),
            node=_text(poi, "nearby_node_id"),
            direction=_text(poi, "direction"),
            position=_text(poi, "position"),
            distance_m=as_number(poi.get("distance_meters")),
        )


def _pois_at(nodes: list[dict[str, Json]]) -> Iterator[SeenPoi]:
    for item in nodes:
        poi = as_mapping(item.get("poi_at_location"))
        if poi:
            yield SeenPoi(
                name=_text(poi, "name") or "",
                letter=_text(poi, "letter"),
                node=id_text(item["id"]),
                position="here",
            )


def observation(
    prompt: Prompt, view: MapView, method: str, graph: Graph, target: str | None
) -> Observation:
    """Return what the agent saw, its chosen place marked among the candidates."""
    routes = view.routes()
    lengths_m = _lengths_m(routes, graph)
    return Observation(
        format=view.format or _FORMATS.get(method, method),
        text=prompt.context,
        visible_nodes=view.visible,
        pois=view.pois,
        candidates=tuple(
            _candidate(view, node, lengths_m.get(node), chosen=node == target) for node in routes
        ),
    )


def _lengths_m(routes: Mapping[str, tuple[str, ...]], graph: Graph) -> dict[str, float]:
    """Length of each route, all links measured at once; nothing where the graph lacks a node."""
    if not routes or graph.frame != "geo":
        return {}
    if not set().union(*routes.values()) <= graph.index.keys():
        return {}
    ends = graph.positions[[graph.index[node] for node in routes]]
    starts = graph.positions[[graph.index[route[-2]] for route in routes.values()]]
    lengths: dict[str, float] = {}
    last_links_m = great_circle_m(starts, ends).tolist()
    # nearest first: the route to the node before is always measured already
    for (node, route), length_m in zip(routes.items(), last_links_m, strict=True):
        lengths[node] = lengths.get(route[-2], 0.0) + length_m
    return lengths


def _candidate(view: MapView, node: str, length_m: float | None, *, chosen: bool) -> Candidate:
    heading_deg, direction = view.headings.get(node, (None, None))
    angle_deg = None
    if heading_deg is not None and view.heading_deg is not None:
        angle_deg = round(turn_deg(view.heading_deg, heading_deg), 2)
    return Candidate(
        node=node,
        state="chosen" if chosen else "rejected",
        label="intersection" if node in view.crossings else None,
        direction=direction,
        heading_deg=heading_deg,
        angle_deg=angle_deg,
        distance_m=None if length_m is None else round(length_m, 1),
    )
