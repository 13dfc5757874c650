"""The textual format: incident encoding, every node told with what it is linked to."""

from __future__ import annotations

from navviz.systems.groke.prompts.json_format import previous_entries
from navviz.systems.groke.prompts.visible_area import Connection, NearbyPoi, PathNode, View
from navviz.world.geometry import Direction, compass

_WHERE: dict[Direction, str] = {
    "Forward": "straight ahead",
    "Left": "to the left",
    "Right": "to the right",
    "Back": "behind",
}


def render_textual(view: View) -> str:
    """Render the view in plain sentences, one paragraph a node."""
    parts = [_standing(view), _behind(view), _legend(view)]
    parts += [_node(node) for node in view.path]
    return "\n\n".join(part for part in parts if part)


def _angle(heading_deg: float) -> str:
    return f"{heading_deg:.1f}° ({compass(heading_deg)})"


def _standing(view: View) -> str:
    return f"You stand at node {view.node} and face {_angle(view.heading_deg)}."


def _behind(view: View) -> str:
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


def _node(node: PathNode) -> str:
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
