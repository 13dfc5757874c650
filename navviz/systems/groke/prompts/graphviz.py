"""The graphviz format: the view as a directed graph in the DOT language."""

from __future__ import annotations

import itertools
import json

from navviz.systems.groke.prompts.json_format import previous_entries
from navviz.systems.groke.prompts.visible_area import PathNode, View
from navviz.world.geometry import compass


def render_graphviz(view: View) -> str:
    """Render the view as DOT: streets as solid arrows, landmarks as dashed ones, the way behind as
    dotted ones.
    """
    facing = f"{view.heading_deg:.2f} degrees ({compass(view.heading_deg)})"
    lines = ["digraph streets {", f"  // you stand at {_quoted(view.node)} and face {facing}"]
    lines += [f"  // {letter} = {_comment(name)}" for name, letter in view.legend.items()]
    lines += [_shape(view, node) for node in view.path]
    lines += _edges(view)
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


def _edges(view: View) -> list[str]:
    edges: dict[tuple[str, str], str] = {}
    for node in view.path:
        for c in node.connections:
            edges.setdefault((node.id, c.target), f' [label="{c.direction} {c.heading_deg:.0f}°"]')
        for branch in node.branches:
            for a, b in itertools.pairwise(branch.nodes):
                edges.setdefault((a, b), f' [label="{branch.direction} branch"]')
    return [f"  {_quoted(a)} -> {_quoted(b)}{label};" for (a, b), label in edges.items()]


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
