"""Streets as places and ways, for agents that were made for viewpoint graphs: junctions and dead
ends are the places.

This is ours, for no paper took these agents outdoors: a way follows the street from one place to
the next, and what an agent reads of it is GROKE's visible area in that direction (Shami et al.
2026, Algorithm 1).
"""

from __future__ import annotations

from navviz.observations.discrete_views import CandidateView, in_order, view_towards
from navviz.systems.groke.prompts.visible_area import is_intersection, look, pois_in_sight
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

_NAMED = 6
"""Most places told of a view."""


def street_views(graph: Graph, node: str) -> tuple[CandidateView, ...]:
    """Return the next junctions and dead ends along each street, with the way there, in the order
    of discovery.

    Streets that lead back to `node` are left out; of two that lead to the same place the shorter is
    kept.
    """
    views: dict[str, CandidateView] = {}
    for first, heading in graph.links(node):
        path = _street(graph, node, first)
        length_m = graph.path_length_m(path)
        end = path[-1]
        if end != node and (end not in views or length_m < views[end].distance_m):
            views[end] = view_towards(end, heading, 0.0, length_m, path)
    return in_order(views.values())


def _street(graph: Graph, node: str, first: str) -> tuple[str, ...]:
    """Nodes from a place to the next one, both included."""
    path = [node, first]
    seen = {node, first}
    while graph.junction_degrees[graph.index[path[-1]]] == 2:
        onward = [other for other in graph.neighbours(path[-1]) if other != path[-2]]
        # a ring without a junction would never end
        if not onward or (onward[0] in seen and onward[0] != node):
            break
        path.append(onward[0])
        if onward[0] == node:
            break
        seen.add(onward[0])
    return tuple(path)


def arrival_heading_deg(graph: Graph, path: tuple[str, ...]) -> float:
    """Heading with which one arrives at the end of a way, degrees clockwise from north."""
    return arrival_deg(graph, path[-2], path[-1])


def street_text(graph: Graph, node: str, way: CandidateView) -> str:
    """Describe GROKE's visible area along a way in one sentence: length, junctions, things."""
    view = look(graph, node, way.heading_deg)
    degree = int(graph.junction_degrees[graph.index[way.node]])
    end = f"a junction of {degree} ways" if is_intersection(graph, way.node) else "a dead end"
    names = dict.fromkeys(poi.name for poi in pois_in_sight(graph, node, way.heading_deg))
    sights = f"; in sight: {', '.join(list(names)[:_NAMED])}" if names else ""
    # without the first place of the view, where the agent stands
    crossings = sum(place.intersection for place in view.path[1:])
    more = f", {crossings} junctions in view" if crossings > 1 else ""
    return f"a street of {way.distance_m:.0f} m to {end}{more}{sights}."
