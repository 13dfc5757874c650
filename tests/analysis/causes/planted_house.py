"""A house with a fork, and walks through it, in which causes are planted.

::

    v0 -- v1 -- v2 -- a1 -- a2     the route
                 |
                 b1 -- b2          the way that is taken
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from navviz.records import Decision, EndEvent, Episode, Observation, Panel, Step, Trace, TraceHeader
from navviz.world.graph import Graph
from navviz.world.house import SECTORS, HouseObservations, NearObject
from navviz.world.info import WorldInfo

PLACES = {"v0": (0, 0), "v1": (0, 3), "v2": (0, 6), "a1": (0, 9), "a2": (0, 12)}
PLACES |= {"b1": (3, 6), "b2": (6, 6)}
LINKS = ("v0 v1", "v1 v2", "v2 a1", "a1 a2", "v2 b1", "b1 b2")


def fork_house(things: dict[str, str], turn_deg: float) -> Graph:
    """A house with things 1 m beside its viewpoints, turned by an angle."""
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    places = np.array(list(PLACES.values())) @ turn
    index = {name: number for number, name in enumerate(PLACES)}
    pairs = [tuple(index[name] for name in link.split()) for link in LINKS]
    pairs += [(b, a) for a, b in pairs]
    objects = {}
    for node in PLACES:
        sectors = [()] * SECTORS
        if node in things:
            sectors[0] = (NearObject(f" {things[node]}", 0.0, 1.0),)
        objects[node] = tuple(sectors)
    seen = HouseObservations("fork", scenes={}, objects=objects)
    return Graph(
        name="fork",
        frame="metric",
        ids=list(PLACES),
        positions=np.column_stack([places, np.full(len(places), 1.5)]),
        sources=np.array([a for a, _ in pairs], np.int32),
        targets=np.array([b for _, b in pairs], np.int32),
        info=WorldInfo(observations=seen),
    )


def fork_walk(
    path: tuple[str, ...],
    text: str,
    seen: Mapping[str, Observation],
    *,
    navigator: str = "msnav",
    panels: Mapping[str, Panel] | None = None,
) -> Trace:
    """A walk over a path, with what was seen and noted at each viewpoint."""
    episode = Episode(
        id="1", dataset="R2R", instruction=text, start="v0", goal="a2", success_radius_m=3.0,
        reference_path=("v0", "v1", "v2", "a1", "a2"), start_heading_deg=0.0,
    )  # fmt: skip
    header = TraceHeader(run="fork", episode=episode, navigator=navigator)
    steps = []
    for number, (node, to) in enumerate(pairwise(path), start=1):
        shown = seen.get(node, Observation(format="panorama", text="A bare wall."))
        decision = Decision(target=to)
        noted = () if panels is None or node not in panels else (panels[node],)
        step = Step(
            index=number, node=node, path=(node, to), observation=shown, decision=decision,
            panels=noted,
        )  # fmt: skip
        steps.append(step)
    end = EndEvent(status="done", reason="stopped", node=path[-1])
    return Trace(header=header, steps=tuple(steps), end=end)


WRONG, RIGHT = ("v0", "v1", "v2", "b1", "b2"), ("v0", "v1", "v2", "a1", "a2")
