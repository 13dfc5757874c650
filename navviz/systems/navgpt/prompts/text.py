"""The text of NavGPT's published code, letter by letter (GengzeZhou/NavGPT, ``nav_src/agent.py``).

It differs from ours, `navviz.observations.panorama`. A way whose heading lies between 337.5 and 345
degrees counts to a ninth direction that is never written: the model does not see it. Ways stand
in the order of the ``navigable`` file. Blanks stand where its format strings have them, and names
and sentences keep theirs. `parse_reply` reads what a model answers to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from navviz.language.mentions import LONGEST_REPLY, readable
from navviz.observations.panorama import DIRECTIONS, SECTOR_DEG, ObjectDetail, observations_of
from navviz.records import Panel, Step, Trace
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.house import SECTORS, HouseObservations, NavigableWay, NearObject

NAVIGATOR = "navgpt"
"""Name of the navigator, and of the walks that are read from NavGPT's logs."""
HIDDEN_TITLE = "Next viewpoint hidden"

_FIRST_HIDDEN_DEG = 360.0 - SECTOR_DEG / 2
_LOWEST_DEG = -15.0
"""Headings of the ``navigable`` files run from -15 to 345: views are 30 degrees apart, the first
looks along +y.
"""
_ACTION = re.compile(
    r"Action\s*\d*\s*:\s*(.*?)\s*Action\s*\d*\s*Input\s*\d*\s*:\s*[\"']?([^\s\"']+)[\"']?",
    re.DOTALL,
)
_FINISHED = "Final Answer:"


def published_ways(
    graph: Graph, node: str, seen: HouseObservations | None = None
) -> tuple[NavigableWay, ...]:
    """Return the ways on from a viewpoint by NavGPT's files, else by the graph, in its order."""
    seen = observations_of(graph) if seen is None else seen
    ways = seen.ways.get(node)
    if ways is not None:
        return ways
    computed = []
    for other, heading_deg in graph.links(node):
        file_deg = (heading_deg - _LOWEST_DEG) % 360.0 + _LOWEST_DEG
        computed.append(NavigableWay(other, file_deg, graph.distance_m(node, other)))
    return tuple(computed)


def is_hidden(way: NavigableWay) -> bool:
    """Whether NavGPT's code leaves a way out of its text."""
    return way.heading_deg >= _FIRST_HIDDEN_DEG


def hidden_steps(trace: Trace, graph: Graph) -> dict[int, str]:
    """Return the steps at which NavGPT's code hides the next viewpoint of the reference path."""
    reference = trace.episode.reference_path
    # of a viewpoint that the route passes twice the later way on counts
    following = dict(pairwise(reference))
    hidden = {}
    for step in trace.steps:
        wanted = following.get(step.node or "")
        if step.node is None or wanted is None or step.node not in graph:
            continue
        if any(way.node == wanted and is_hidden(way) for way in published_ways(graph, step.node)):
            hidden[step.index] = wanted
    return hidden


def hidden_ways_remark(trace: Trace, graph: Graph) -> str:
    """Say where NavGPT's own code would have kept the right way from its model."""
    steps = hidden_steps(trace, graph) if trace.header.navigator == NAVIGATOR else {}
    if not steps:
        return ""
    listed = ", ".join(f"{step} ({node})" for step, node in steps.items())
    return (
        "NavGPT's published code does not show ways between 337.5 and 345 degrees. It would not"
        " have shown the next viewpoint of the reference path at"
        f" step{'s' if len(steps) > 1 else ''} {listed}."
    )


def with_hidden_ways(trace: Trace, graph: Graph) -> Trace:
    """Return a walk of NavGPT with a panel at each step of `hidden_steps`, other walks unchanged."""
    if trace.header.navigator != NAVIGATOR:
        return trace
    hidden = hidden_steps(trace, graph)
    if not hidden:
        return trace
    steps = tuple(_with_panel(step, hidden.get(step.index)) for step in trace.steps)
    return trace.model_copy(update={"steps": steps})


def _with_panel(step: Step, hidden: str | None) -> Step:
    if hidden is None:
        return step
    text = (
        f"The reference path goes on to {hidden}. NavGPT's published code does not write this way:"
        " its heading lies between 337.5 and 345 degrees, which the code counts to a ninth"
        " direction."
    )
    panel = Panel(kind="text", title=HIDDEN_TITLE, data={"text": text})
    return step.model_copy(update={"panels": (*step.panels, panel)})


def side_text(angle_deg: float) -> str:
    """Return a signed angle as its code writes it."""
    # the side is chosen before rounding, unlike in our own text: -0.001 is "left 0.00"
    return f"left {-angle_deg:.2f}" if angle_deg < 0 else f"right {angle_deg:.2f}"


def published_text(
    scene: Sequence[str],
    objects: Sequence[Sequence[NearObject]],
    ways: Sequence[NavigableWay],
    heading_deg: float,
    detail: ObjectDetail = "distances",
    unhidden: str | None = None,
) -> str:
    """Return what NavGPT's model reads at a viewpoint."""
    # 8 for a heading in the gap; below, the modulo makes it the first direction
    front = int((heading_deg - SECTOR_DEG / 2) // SECTOR_DEG) + 1
    # printed as Python's dictionary, as in the published prompts
    open_ways: dict[int, dict[str, str]] = {}
    for way in ways:
        place = _side_and_distance(way.heading_deg, way.distance_m, heading_deg)
        # the direction that its code counts a way to; direction 8 is never written
        sector = int((way.heading_deg - SECTOR_DEG / 2) // SECTOR_DEG) + 1
        if way.node == unhidden:
            sector %= SECTORS  # the ninth direction is the first one
        open_ways.setdefault(sector, {})[way.node] = place
    parts = []
    for k, label in enumerate(DIRECTIONS):
        absolute = (front + k) % SECTORS
        middle = absolute * SECTOR_DEG
        first = side_text(turn_deg(heading_deg, middle - SECTOR_DEG / 2))
        last = side_text(turn_deg(heading_deg, middle + SECTOR_DEG / 2))
        near = _near(label, objects[absolute], heading_deg, detail)
        parts.append(
            f"{label}, range ({first} to {last}): \n'{scene[absolute]}'\n"
            f"{near}{label} Navigable Viewpoints:{open_ways.get(absolute, ' None')}"
        )
    return "\n".join(parts)


def _near(
    label: str, objects: Sequence[NearObject], heading_deg: float, detail: ObjectDetail
) -> str:
    if detail == "none":
        return ""
    shown: list[str] | dict[str, str] = [thing.name for thing in objects]
    if detail != "names":
        shown = {}
        for thing in objects:
            # of two things of one name the later one stays, since the text prints a dictionary
            shown[thing.name] = _side_and_distance(thing.heading_deg, thing.distance_m, heading_deg)
    return f"{label} Objects in 3m: {shown or None}\n"


def _side_and_distance(thing_deg: float, distance_m: float, heading_deg: float) -> str:
    return f"{side_text(turn_deg(heading_deg, thing_deg))}, {distance_m:.2f}m"


def parse_reply(text: str) -> tuple[str, str | None, str | None, str | None]:
    """Split a reply into thought, tool, its input and final answer; ``None`` if missing."""
    action = _ACTION.search(readable(text, LONGEST_REPLY))
    answer = text.rsplit(_FINISHED, maxsplit=1)[-1].strip() if _FINISHED in text else None
    end = min(
        (at for at in (text.find("Action:"), text.find(_FINISHED)) if at >= 0), default=len(text)
    )
    thought = text[:end].strip().removeprefix("Thought:").strip()
    return thought, action[1].strip() if action else None, action[2] if action else None, answer
