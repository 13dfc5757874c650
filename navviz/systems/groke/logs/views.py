"""The map in GROKE's prompts: visible nodes, lettered POIs and the places that a reply may name.

The JSON formats are read here, sentences and edges in `text_views`, cells in `grid_views`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from navviz.formats.files import Json
from navviz.formats.texts import as_list, as_mapping, as_number, id_text
from navviz.records import Candidate, Observation, SeenPoi
from navviz.systems.groke.logs.calls import Prompt, as_strings
from navviz.systems.groke.logs.grid_views import read_grid
from navviz.systems.groke.logs.map_view import Link, MapView, chain_links, linked
from navviz.systems.groke.logs.text_views import read_graph, read_textual
from navviz.world.geometry import great_circle_m, turn_deg
from navviz.world.graph import Graph

_FORMATS = {"json": "json-optimised", "textual": "textual", "graph_vis": "graphviz", "grid": "grid"}
"""GROKE's names of the prompt formats, and ours; the published JSON logs are those of the optimised
format.
"""
_GRID = re.compile(r"^[^\S\n]*Matrix\b|^[^\S\n]*\[\s*'", re.MULTILINE)
_TEXTUAL = re.compile(r"^[^\S\n]*(?:Node|Intersection)\s+\S+\s*:[^\S\n]*$", re.MULTILINE)


def read_view(prompt: Prompt) -> MapView:
    """Read the map of a prompt in the format of its text; without one the view is empty."""
    if prompt.fields:
        return _read_json(prompt.fields)
    if _GRID.search(prompt.context):
        return read_grid(prompt.context)
    if _TEXTUAL.search(prompt.context):
        return read_textual(prompt.context)
    return read_graph(prompt.context) if "-->" in prompt.context else MapView()


def _read_json(fields: Mapping[str, Json]) -> MapView:
    here = as_mapping(fields.get("current_position"))
    items = map(as_mapping, as_list(fields.get("current_path_nodes")))
    nodes = [item for item in items if "id" in item]
    crossings = [id_text(item["id"]) for item in nodes if item.get("type") == "intersection"]
    links, headings = linked(itertools.chain.from_iterable(map(_links, nodes)))
    legend = as_mapping(fields.get("poi_legend"))
    node = here.get("node_id")
    return MapView(
        format="json-optimised",
        node=str(node) if node is not None else None,
        heading_deg=as_number(here.get("heading")),
        visible=tuple(id_text(item["id"]) for item in nodes),
        crossings=frozenset(crossings),
        links=links,
        headings=headings,
        pois=(*_pois(fields), *_pois_at(nodes)),
        letters={name: letter for letter, name in legend.items() if isinstance(name, str)},
    )


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
