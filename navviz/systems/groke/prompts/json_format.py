"""The JSON formats: ``json-optimised`` is that of the published prompts, ``json`` adds coordinates.

The names of the fields are those of GROKE's published prompts, so that both can be read by the same
code.
"""

from __future__ import annotations

import json
from typing import Any

from navviz.systems.groke.prompts.visible_area import (
    Branch,
    Connection,
    NearbyPoi,
    PathNode,
    PreviousNode,
    View,
)
from navviz.world.geometry import compass


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
