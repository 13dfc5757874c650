"""What the text variant of MGDM sees: numbered candidates in the sectors left, front, right and
behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from navviz.observations.agent_pictures import AgentPictures
from navviz.observations.panorama import look_around, observations_of
from navviz.observations.panorama_text import DirectionView
from navviz.observations.skybox import Camera
from navviz.records import Candidate, Observation, PicturePart
from navviz.world.graph import Graph

RelativeAction = Literal["stop", "left", "forward", "right", "behind"]

ACTIONS: tuple[RelativeAction, ...] = ("stop", "left", "forward", "right", "behind")
STOP_ID = 0
"""Number of the choice that ends the current sub-task."""

_FRONT_DEG = 30.0
"""Half of the middle camera's 60 degrees."""
_SIDE_DEG = 90.0
"""MGDM has three cameras of 60 degrees at 60 degrees left, ahead, and 60 degrees right; the rest is
behind.
"""
_CAMERAS = (("left", -60.0), ("front", 0.0), ("right", 60.0))
_SIDE_PX = 512
"""Square pictures: the 60 degrees hold across and up."""
_OBJECTS = 5
"""Names told of a view, so that a line of the prompt stays readable."""
_SECTORS = {"left": "Left", "forward": "Front", "right": "Right", "behind": "Behind"}


@dataclass(frozen=True, slots=True)
class NumberedCandidate:
    """One numbered candidate."""

    id: int
    action: RelativeAction
    candidate: Candidate
    text: str
    """What lies that way."""


def relative_action(angle_deg: float) -> RelativeAction:
    """Return the sector of an angle to the agent's heading, positive to the right."""
    if abs(angle_deg) <= _FRONT_DEG:
        return "forward"
    if abs(angle_deg) > _SIDE_DEG:
        return "behind"
    return "right" if angle_deg > 0 else "left"


def look(graph: Graph, node: str, heading_deg: float) -> tuple[NumberedCandidate, ...]:
    """Candidates around a viewpoint, numbered from 1 clockwise from the left."""
    views = look_around(graph, node, heading_deg)
    ways: list[tuple[Candidate, DirectionView]] = []
    for view in views:
        ways += [(way, view) for way in view.candidates]
    # numbers follow the three cameras, so that "(2)" lies to the right of "(1)" in the pictures
    ways.sort(key=_from_the_left)
    # without captions every sector would repeat the same empty sentence
    described = node in observations_of(graph).scenes
    numbered = []
    for k, (way, view) in enumerate(ways, start=1):
        action = relative_action(way.angle_deg or 0.0)
        text = _text(graph, node, way, view, described=described)
        numbered.append(NumberedCandidate(k, action, way, text))
    return tuple(numbered)


def _from_the_left(pair: tuple[Candidate, DirectionView]) -> tuple[int, float]:
    angle_deg = pair[0].angle_deg or 0.0
    return ACTIONS.index(relative_action(angle_deg)), angle_deg


def _text(graph: Graph, node: str, way: Candidate, view: DirectionView, *, described: bool) -> str:
    rise = graph.position(way.node)[2] - graph.position(node)[2]
    stairs = ""
    if abs(rise) >= 0.4:
        stairs = f", {abs(rise):.1f} m {'up' if rise > 0 else 'down'} the stairs"
    parts = [f"{way.distance_m:.1f} m{stairs}"]
    if described and view.scene:
        parts.append(view.scene.rstrip("."))
    names = list(dict.fromkeys(thing.name for thing in view.objects))[:_OBJECTS]
    if names:
        parts.append("near: " + ", ".join(names))
    return "; ".join(parts)


def observation_of(choices: tuple[NumberedCandidate, ...]) -> Observation:
    """Return the candidates as an observation with its text, sector by sector."""
    lines = [f"({STOP_ID}) stop: the current part of the task is done here"]
    for action, title in _SECTORS.items():
        inside = [choice for choice in choices if choice.action == action]
        lines.append(f"{title}:" if inside else f"{title}: no way")
        lines += [f"  ({choice.id}) {choice.text}" for choice in inside]
    labelled = []
    for choice in choices:
        names = {"label": str(choice.id), "direction": choice.action}
        labelled.append(choice.candidate.model_copy(update=names))
    return Observation(
        format="mgdm-text",
        text="\n".join(lines),
        visible_nodes=tuple(choice.candidate.node for choice in choices),
        candidates=tuple(labelled),
    )


def three_views(
    pictures: AgentPictures, node: str, heading_deg: float
) -> Iterator[tuple[str, PicturePart | None]]:
    """Yield what MGDM's three cameras see, each with its label."""
    for k, (side, angle_deg) in enumerate(_CAMERAS, start=1):
        camera = Camera((heading_deg + angle_deg) % 360.0, 0.0, 2 * _FRONT_DEG, _SIDE_PX, _SIDE_PX)
        yield f"Image {k} ({side})", pictures.take(node, camera)


def view_line(choices: tuple[NumberedCandidate, ...]) -> str:
    """All that is seen from a viewpoint in one line: the key of the long-term memory."""
    return " | ".join(f"{choice.action}: {choice.text}" for choice in choices)
