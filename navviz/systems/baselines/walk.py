"""Walking from intersection to intersection: what the baselines share.

A *way* leads from a place along one street to the next intersection or dead end. A node is an
intersection where more than one link leads on, seen from the link by which one came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.errors import InputError
from navviz.records import Candidate, Episode, Observation, Trace
from navviz.records.plural import plural
from navviz.world.geometry import Direction, compass, great_circle_m, relative_direction, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

LIGHT_RADIUS_M = 15.0
"""A traffic light this close to an intersection belongs to it: where two carriageways cross it has
several.
"""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to go on from a place."""

    path: tuple[str, ...]
    """From the place to the next intersection or dead end, both included."""
    heading_deg: float
    angle_deg: float
    """Signed angle to the agent's heading, positive to the right."""
    direction: Direction
    length_m: float

    @property
    def label(self) -> str:
        """As shown in panels: where it leads off and how far it goes."""
        return f"{self.direction} ({self.angle_deg:+.0f}°, {self.length_m:.0f} m)"


@dataclass(slots=True)
class BaselineWalk:
    """Where a walk stands."""

    node: str
    heading_deg: float | None
    """``None`` where nobody says which way the agent faces at the start."""
    came_from: str | None = None
    walked_m: float = 0.0
    since_turn_m: float = 0.0
    """Metres since the last sub-goal was completed."""
    step: int = 0
    """Index of the last step."""

    def follow(self, path: Sequence[str], graph: Graph, *, completed: bool) -> None:
        """Walk along a path that starts where the agent stands."""
        length_m = graph.path_length_m(path)
        self.walked_m += length_m
        self.since_turn_m = length_m + (0.0 if completed else self.since_turn_m)
        if len(path) > 1:
            self.node, self.came_from = path[-1], path[-2]
            self.heading_deg = _arrival_deg(graph, path[-2], path[-1])


def begin(episode: Episode, graph: Graph) -> BaselineWalk:
    """Return the walk at the start of an episode; raises `InputError` where the start is not on the
    map.
    """
    if episode.start not in graph:
        what = f"the start {episode.start} is not in the graph {graph.name}"
        raise InputError(
            what, "choose the map that the episode belongs to", episode=episode.id, field="start"
        )
    return BaselineWalk(episode.start, episode.start_heading_deg)


def resume(episode: Episode, graph: Graph, past: Trace | None) -> BaselineWalk:
    """Return the walk after the last step of `past`, or at the start."""
    walk = begin(episode, graph)
    for step in past.steps if past is not None else ():
        walk.step = step.index
        path = [node for node in step.path if node in graph]
        completed = step.decision is not None and step.decision.sub_goal_status == "COMPLETED"
        walk.follow(path, graph, completed=completed)
    return walk


def ways_from(graph: Graph, walk: BaselineWalk) -> list[Way]:
    """Return the ways to go on, in file order; the way back only where there is no other.

    In the middle of a street at the start, the way that the agent faces is the only one.
    """
    # a link to the node itself is no way on
    links = {node: heading for node, heading in graph.links(walk.node) if node != walk.node}
    onward = [node for node in links if node != walk.came_from] or list(links)
    facing = walk.heading_deg
    # nobody says where the agent faces: the first way of the file, so that the walk comes out the
    # same again
    if facing is None and onward:
        facing = links[onward[0]]
    ways = [_way(graph, walk.node, node, links[node], facing or 0.0) for node in onward]
    if walk.came_from is None and len(ways) == 2:
        return [min(ways, key=lambda way: abs(way.angle_deg))]
    return ways


def _way(graph: Graph, start: str, first: str, heading_deg: float, facing_deg: float) -> Way:
    path = [start, first]
    seen = {start, first}
    while True:
        # parallel links name a neighbour twice
        neighbours = dict.fromkeys(graph.neighbours(path[-1]))
        # neither back nor in place: a link may lead to its own node
        onward = [node for node in neighbours if node not in path[-2:]]
        if len(onward) != 1:
            break
        path.append(onward[0])
        if onward[0] in seen:  # a loop without an intersection
            break
        seen.add(onward[0])
    return Way(
        path=tuple(path),
        heading_deg=heading_deg,
        angle_deg=turn_deg(facing_deg, heading_deg),
        direction=relative_direction(facing_deg, heading_deg),
        length_m=graph.path_length_m(path),
    )


def _arrival_deg(graph: Graph, a: str, b: str) -> float:
    """Heading with which one arrives: of a straight link as the file gives it, else from the
    positions.
    """
    if len(graph.bends(a, b)):
        return arrival_deg(graph, a, b)
    return next((heading for node, heading in graph.links(a) if node == b), graph.heading_deg(a, b))


def cut_way(graph: Graph, way: Way, remaining_m: float | None) -> tuple[tuple[str, ...], bool]:
    """Cut a way to `remaining_m` metres (at the nearest node), and tell whether the walk ends
    there.

    ``None`` stands for no limit.
    """
    if remaining_m is None:
        return way.path, False
    kept, walked_m = [way.path[0]], 0.0
    for node in way.path[1:]:
        link_m = graph.link_m(kept[-1], node)
        # beyond half of the link its end is the nearer node
        if walked_m + link_m / 2 > remaining_m:
            return tuple(kept), True
        kept.append(node)
        walked_m += link_m
    return way.path, walked_m >= remaining_m


def at_light(graph: Graph, node: str) -> bool:
    """Whether a traffic light stands at an intersection."""
    here = graph.position(node)
    for link in graph.poi_links(node):
        if graph.pois[link.poi].tags.get("highway") == "traffic_signals":
            distance_m = float(great_circle_m(here, link.position))
            if distance_m <= LIGHT_RADIUS_M:
                return True
    return False


def observation(
    graph: Graph, walk: BaselineWalk, ways: Sequence[Way], scores: Sequence[float | None]
) -> Observation:
    """Return what a baseline looks at: the ways to go on, each as a candidate with its score."""
    candidates, nodes = [], {walk.node: None}
    for i, (way, score) in enumerate(zip(ways, scores, strict=True)):
        nodes.update(dict.fromkeys(way.path))
        candidate = Candidate(
            node=way.path[-1],
            label=chr(ord("A") + i) if i < 26 else str(i + 1),
            direction=way.direction,
            heading_deg=way.heading_deg,
            angle_deg=round(way.angle_deg, 1),
            distance_m=round(way.length_m, 1),
            score=score,
            path=way.path,
        )
        candidates.append(candidate)
    return Observation(
        format="intersection",
        text=_text(graph, walk, tuple(candidates)),
        visible_nodes=tuple(nodes),
        candidates=tuple(candidates),
    )


def _text(graph: Graph, walk: BaselineWalk, candidates: Sequence[Candidate]) -> str:
    light = " with traffic lights" if at_light(graph, walk.node) else ""
    facing = f", facing {compass(walk.heading_deg)}" if walk.heading_deg is not None else ""
    head = f"At {walk.node}{light}{facing}, {plural(len(candidates), 'way')} on:"
    ways = [
        f"{way.label}. {way.direction}, {way.distance_m:.0f} m to {way.node}" for way in candidates
    ]
    return "\n".join([head, *ways])
