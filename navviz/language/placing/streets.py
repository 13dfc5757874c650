"""What the search needs to know of a street graph, computed once: directed links, junctions,
lights, POIs beside them.

Everything is arrays over *links* (directed, ``e`` from ``u`` to ``v``): a walk is a chain of links,
and a link says both where the walker is (``v``) and which way they face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from navviz.world.geometry import inside_box
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg
from navviz.world.per_graph import per_graph
from navviz.world.pois import marked_pois, positions_of

POI_RADIUS_M = 60.0
"""The farthest place any feature asks for: a landmark of the stop."""

_CHAIN_LINKS = 520
"""Links of a street without a junction that are followed; the search adds up the metres of 512."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class LinkScale:
    """How long the links of a map are, in metres."""

    mean_m: float
    """Mean length."""
    short_m: float
    """Length that four of five links exceed, at least 3 m."""


@dataclass(frozen=True)
class Outlines:
    """Known points of the outlines of POIs."""

    points_m: NDArray[np.float64]
    """Shape ``(k, 2)``, in the frame of `Graph.metric_positions`."""
    owner: Numbers
    """Which POI each belongs to, index into `Graph.poi_ids`."""


@dataclass(eq=False, repr=False)
class Section(Graph):
    """A part of a graph whose nodes within reach look as they do in the whole; see `cut_around`."""

    middle: tuple[float, float] = (0.0, 0.0)
    """Where the whole graph's projection into metres has its origin, ``(lat, lon)``."""
    scale: LinkScale = LinkScale(10.0, 10.0)
    """Of the whole graph."""
    outlines: Outlines = field(
        default_factory=lambda: Outlines(np.empty((0, 2)), np.empty(0, np.int64))
    )
    """Of the POIs here."""

    @cached_property
    def _middle(self) -> tuple[float, float]:
        return self.middle


def scale_of(graph: Graph) -> LinkScale:
    """Return how long the links are, for a section those of the whole map."""
    return graph.scale if isinstance(graph, Section) else _scale_of_all(graph)


def outlines_of(graph: Graph) -> Outlines:
    """Return the known points of POIs' outlines."""
    return graph.outlines if isinstance(graph, Section) else _outlines_of_all(graph)


def walked_m(graph: Graph) -> NDArray[np.float64]:
    """Length of each link in metres: as given, else straight on `Graph.metric_positions`."""
    if graph.given_lengths_m is not None:
        return graph.given_lengths_m
    vector = graph.metric_positions[graph.targets, :2] - graph.metric_positions[graph.sources, :2]
    return np.asarray(np.hypot(vector[:, 0], vector[:, 1]))


@per_graph
def _scale_of_all(graph: Graph) -> LinkScale:
    length = walked_m(graph)
    if not len(length):
        return LinkScale(10.0, 10.0)
    return LinkScale(float(length.mean()), max(3.0, float(np.percentile(length, 20))))


@per_graph
def _outlines_of_all(graph: Graph) -> Outlines:
    points, owner = positions_of(graph.pois, graph.positions.shape[1]), np.arange(len(graph.pois))
    if len(graph.poi_link_pois):
        points = np.vstack([points, graph.poi_link_positions])
        owner = np.concatenate([owner, graph.poi_link_pois])
    return Outlines(
        graph.to_metric(points) if graph.frame == "geo" else points[:, :2], owner.astype(np.int64)
    )


@dataclass(frozen=True)
class _Ways:
    """Neighbours of all nodes: those of node ``i`` are ``nodes[begin[i]:begin[i + 1]]``."""

    begin: Numbers
    nodes: NDArray[np.int32]

    def of(self, nodes: Numbers) -> Numbers:
        """All neighbours of some nodes, one after the other."""
        return np.asarray(self.nodes[_spans(self.begin[nodes], self.begin[nodes + 1])], np.int64)


def _ways_out(graph: Graph) -> _Ways:
    return _Ways(graph.begin, graph.targets)


@per_graph
def _ways_in(graph: Graph) -> _Ways:
    out = _ways_out(graph)
    links = csr_array(
        (np.ones(len(graph.targets), bool), out.nodes, out.begin), shape=(len(graph), len(graph))
    ).tocsc()
    return _Ways(np.asarray(links.indptr, np.int64), links.indices)


def cut_around(graph: Graph, starts: Sequence[int], hops: int) -> Section:
    """Cut out what walks of `hops` links from some nodes (by number) can see.

    Nodes, links and POIs keep their order, so that ties are broken as on the whole map.
    """
    out, back = _ways_out(graph), _ways_in(graph)
    inside = np.zeros(len(graph), bool)
    front = _added(inside, np.array(starts, np.int64))
    for _ in range(hops + 1):
        front = _added(inside, out.of(front))
        if not len(front):
            break
    plain = np.diff(out.begin) <= 2
    front = np.flatnonzero(inside)
    for _ in range(_CHAIN_LINKS):
        front = front[plain[front]]
        if not len(front):
            break
        front = _added(inside, np.concatenate([out.of(front), back.of(front)]))
    # so that every node that matters has all its ways out
    _added(inside, out.of(np.flatnonzero(inside)))
    keep = np.flatnonzero(inside)
    new = np.full(len(graph), -1, np.int32)
    new[keep] = np.arange(len(keep), dtype=np.int32)
    out = _ways_out(graph)
    links = _spans(out.begin[keep], out.begin[keep + 1])
    links = links[new[graph.targets[links]] >= 0]
    pois, outlines = _places_around(graph, graph.metric_positions[keep])
    keys = [graph.poi_ids[i] for i in pois.tolist()]
    return Section(
        name=graph.name,
        frame=graph.frame,
        ids=[graph.ids[i] for i in keep.tolist()],
        positions=graph.positions[keep],
        sources=new[graph.sources[links]],
        targets=new[graph.targets[links]],
        headings_deg=None if graph.headings_deg is None else graph.headings_deg[links],
        given_lengths_m=None if graph.given_lengths_m is None else graph.given_lengths_m[links],
        shapes=None if graph.shapes is None else graph.shapes.taken(links),
        pois={key: graph.pois[key] for key in keys},
        info=graph.info,
        middle=graph._middle,  # noqa: SLF001
        scale=scale_of(graph),
        outlines=outlines,
    )


def _spans(begin: Numbers, end: Numbers) -> Numbers:
    counts = end - begin
    return np.asarray(
        np.repeat(begin - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    )


def _added(inside: NDArray[np.bool_], nodes: Numbers) -> Numbers:
    """Mark nodes as inside; those of them that were not, each once."""
    fresh = np.unique(nodes[~inside[nodes]])
    inside[fresh] = True
    return fresh


def _places_around(graph: Graph, positions_m: NDArray[np.float64]) -> tuple[Numbers, Outlines]:
    """Return the POIs near some positions by number, and their outlines' points there."""
    whole = outlines_of(graph)
    # a box is enough: POIs farther off than the search looks change nothing, missing ones would
    low, high = (
        positions_m[:, :2].min(axis=0) - POI_RADIUS_M - 1,
        positions_m[:, :2].max(axis=0) + POI_RADIUS_M + 1,
    )
    near = np.flatnonzero(inside_box(whole.points_m, low, high))
    pois, owner = np.unique(whole.owner[near], return_inverse=True)
    return pois, Outlines(whole.points_m[near], owner)


ANGLES = ("sharp-left", "left", "slight-left", "straight", "slight-right", "right", "sharp-right")

SHAPES = ("crossing", "T-end", "side-left", "side-right", "bend", "other")

LIGHT_RADIUS_M = 25.0
"""OSM puts a signal at the stop line or at each crossing of a divided road, not at the junction's
node.
"""

CLOSE_M = 32.0
"""Two junctions as near as this are halves of one (divided roads) or follow at once."""

SMOOTH_M = 18.0
"""A street's direction; nearer nodes bend with the kerb or the turning lane."""

Ints = NDArray[np.int32]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Streets:
    """Arrays over directed links, junction transitions and POI neighbourhoods of one graph."""

    source: Ints
    target: Ints
    heading_rad: Floats
    """Heading with which one arrives at the target, smoothed over the last metres."""
    length_m: Floats
    first_link: Ints
    """Shape ``(n + 1,)``: the links out of node ``i`` are ``first_link[i]:first_link[i + 1]``."""
    back_m: Floats
    """Metres from the target back to the junction that was passed last (or to where the street
    begins).
    """
    forward_m: Floats
    """Metres from the target on to the next junction or dead end; 0 at a junction."""
    junction: NDArray[np.bool_]
    """By node: more than two ways."""
    lit: NDArray[np.bool_]
    """By node: traffic signals at or beside it."""
    step_from: Ints
    """All transitions from one link to the next without turning round, sorted by `step_to`."""
    step_to: Ints
    first_step_into: NDArray[np.int64]
    """Shape ``(links + 1,)``: the transitions to link ``e`` are
    ``first_step_into[e]:first_step_into[e + 1]``.
    """
    targets_of_steps: Ints
    """The transitions once more, sorted by the link they leave: `step_to` in that order."""
    first_step_out_of: NDArray[np.int64]
    """... and where in it those out of each link begin, in shape as `first_step_into`."""
    step_angle: Ints
    """Class of turn, index into `ANGLES`."""
    step_best: NDArray[np.bool_]
    """Shape ``(steps, 3)``: the leftmost, the straightest, the rightmost way out."""
    step_shape: Ints
    """Shape of the junction as the walker meets it, index into `SHAPES`."""
    near_node: Ints
    """Pairs of a node and a POI within 60 m, sorted by node."""
    near_poi: Ints
    near_vector_m: Floats
    """From the node to the nearest point of the POI's outline, shape ``(pairs, 2)``, x east, y
    north.
    """
    first_near: Ints
    mean_m: float
    """Mean length of a link."""
    short_m: float
    """Length that four of five links exceed, at least 3 m."""


def angle_class(angle_deg: NDArray[np.float64]) -> Ints:
    """Index into `ANGLES` for signed turns in degrees, positive to the right."""
    return np.digitize(angle_deg, [-125.0, -55.0, -27.0, 27.0, 55.0, 125.0]).astype(np.int32)


def build_streets(graph: Graph) -> Streets:
    """Compute the `Streets` of a graph anew; `streets_of` computes them once for each graph."""
    position = graph.metric_positions[:, :2]
    source, target = graph.sources.astype(np.int32), graph.targets.astype(np.int32)
    # a graph keeps its links sorted by source, which `searchsorted` relies on
    first = np.searchsorted(source, np.arange(len(graph) + 1)).astype(np.int32)
    degree = np.diff(first)
    junction = degree > 2
    length = walked_m(graph)
    step_from, step_to = _steps(source, target, first)
    chain_back, chain_forward = _chains(step_from, step_to, junction, source, target)
    back = _run_length(length, chain_back, include_self=True)
    forward = _run_length(length, chain_forward, include_self=False)
    arriving = _smoothed(position, source, target, length, chain_back, backwards=True)
    leaving = _smoothed(position, source, target, length, chain_forward, backwards=False)
    for k in graph.shapes.bent.tolist() if graph.shapes is not None else ():
        a, b = graph.ids[graph.sources[k]], graph.ids[graph.targets[k]]
        arriving[k], leaving[k] = np.radians([arrival_deg(graph, a, b), departure_deg(graph, a, b)])
    angle = np.degrees(leaving[step_to] - arriving[step_from])
    angle = (angle + 180.0) % 360.0 - 180.0
    outward = np.argsort(step_from, kind="stable")
    best, shape = _junction_shapes(step_from, angle, len(source))
    near_node, near_poi, near_vector = _near_pois(graph, position)
    scale = scale_of(graph)
    return Streets(
        source=source,
        target=target,
        heading_rad=arriving,
        length_m=length,
        first_link=first,
        back_m=back,
        forward_m=forward,
        junction=junction,
        lit=_lights(graph, position, junction),
        step_from=step_from,
        step_to=step_to,
        first_step_into=_first_of_each(step_to, len(source)),
        targets_of_steps=step_to[outward],
        first_step_out_of=_first_of_each(step_from, len(source)),
        step_angle=angle_class(angle),
        step_best=best,
        step_shape=shape,
        near_node=near_node,
        near_poi=near_poi,
        near_vector_m=near_vector,
        first_near=np.searchsorted(near_node, np.arange(len(graph) + 1)).astype(np.int32),
        mean_m=scale.mean_m,
        short_m=scale.short_m,
    )


streets_of = per_graph(build_streets)
"""The `Streets` of a graph, computed once for each graph that is alive."""


def _steps(source: Ints, target: Ints, first: Ints) -> tuple[Ints, Ints]:
    counts = (first[target + 1] - first[target]).astype(np.int64)
    step_from = np.repeat(np.arange(len(source)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    step_to = first[target[step_from]] + offsets
    # by nodes, not by links: turning round over a parallel link is turning round, too
    keep = target[step_to] != source[step_from]
    step_from, step_to = step_from[keep], step_to[keep]
    order = np.lexsort((step_from, step_to))
    return step_from[order].astype(np.int32), step_to[order].astype(np.int32)


def _first_of_each(numbers: Ints, count: int) -> NDArray[np.int64]:
    """Where each number below `count` begins in sorted `numbers`; the last one's end, too."""
    return np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count))])


def _chains(
    step_from: Ints, step_to: Ints, junction: NDArray[np.bool_], source: Ints, target: Ints
) -> tuple[Ints, Ints]:
    """Return the only link before and after each, ``-1`` at a junction or an end."""
    back, forward = np.full(len(source), -1, np.int32), np.full(len(source), -1, np.int32)
    inside = ~junction[target[step_from]]
    back[step_to[inside]] = step_from[inside]
    forward[step_from[inside]] = step_to[inside]
    return back, forward


def _run_length(length: Floats, chain: Ints, *, include_self: bool, limit: int = 400) -> Floats:
    """Return summed lengths along chains, by pointer doubling."""
    total = length.copy() if include_self else np.where(chain >= 0, length[chain], 0.0)
    pointer = chain.copy()
    # nine rounds of doubling add up 512 links; `section` relies on it
    for _ in range(int(np.ceil(np.log2(limit)))):
        alive = pointer >= 0
        if not alive.any():
            break
        total = np.where(alive, total + total[pointer], total)
        pointer = np.where(alive, pointer[pointer], -1).astype(np.int32)
        # a ring without a junction is added to itself in every round
        total = np.minimum(total, 1e5)
    return total


def _smoothed(
    position: Floats, source: Ints, target: Ints, length: Floats, chain: Ints, *, backwards: bool
) -> Floats:
    """Heading in radians over `SMOOTH_M` metres before each link's target (or after its source)."""
    end = source.copy() if backwards else target.copy()
    reached, link = length.copy(), chain.copy()
    for _ in range(3):
        go = (link >= 0) & (reached < SMOOTH_M)
        end[go] = (source if backwards else target)[link[go]]
        reached[go] += length[link[go]]
        link[go] = chain[link[go]]
    vector = position[target] - position[end] if backwards else position[end] - position[source]
    return np.asarray(np.arctan2(vector[:, 0], vector[:, 1]))


def _junction_shapes(step_from: Ints, angle: Floats, links: int) -> tuple[NDArray[np.bool_], Ints]:
    lowest, highest, straightest = (
        np.full(links, np.inf),
        np.full(links, -np.inf),
        np.full(links, np.inf),
    )
    np.minimum.at(lowest, step_from, angle)
    np.maximum.at(highest, step_from, angle)
    np.minimum.at(straightest, step_from, np.abs(angle))
    best = np.column_stack(
        [
            angle <= lowest[step_from],
            np.abs(angle) <= straightest[step_from],
            angle >= highest[step_from],
        ]
    )
    has = np.zeros((links, 3), bool)
    np.logical_or.at(has, (step_from, np.digitize(angle, [-35.0, 35.0])), True)  # noqa: FBT003
    left, ahead, right = has.T
    shape = np.full(links, SHAPES.index("other"), np.int32)
    shape[left & ahead & right] = SHAPES.index("crossing")
    shape[left & ~ahead & right] = SHAPES.index("T-end")
    shape[left & ahead & ~right] = SHAPES.index("side-left")
    shape[~left & ahead & right] = SHAPES.index("side-right")
    shape[(left ^ right) & ~ahead] = SHAPES.index("bend")
    return best, shape[step_from]


def _lights(graph: Graph, position: Floats, junction: NDArray[np.bool_]) -> NDArray[np.bool_]:
    marked = marked_pois(graph.pois, "traffic_signals")
    # `marked_pois` finds the word in any tag (crossing=traffic_signals, too)
    signals = [poi.position for poi in marked if poi.tags.get("highway") == "traffic_signals"]
    lit = np.zeros(len(graph), bool)
    if not signals or not len(graph):
        return lit
    where = np.array(signals, float)
    tree = cKDTree(graph.to_metric(where) if graph.frame == "geo" else where[:, :2])
    distance, _ = tree.query(position)
    return np.asarray(junction & (distance < LIGHT_RADIUS_M))


def _near_pois(graph: Graph, position: Floats) -> tuple[Ints, Ints, Floats]:
    """Pairs of a node and a POI within reach, by the nearest known point of the POI's outline."""
    if not graph.pois or not len(graph):
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty((0, 2))
    outlines = outlines_of(graph)
    flat, owner = outlines.points_m, outlines.owner
    pairs = cKDTree(position).sparse_distance_matrix(
        cKDTree(flat), POI_RADIUS_M, output_type="ndarray"
    )
    rank = np.empty(len(owner), np.int64)
    rank[np.argsort(owner, kind="stable")] = np.arange(len(owner))
    # one number to sort by node, POI and point takes a tenth of sorting by each (Manhattan has 1.7
    # million pairs)
    order = np.argsort(pairs["i"] * np.int64(len(owner)) + rank[pairs["j"]])
    node, point, away_m = (pairs[field][order] for field in ("i", "j", "v"))
    of_poi = (
        np.cumsum((np.diff(node, prepend=-1) != 0) | (np.diff(owner[point], prepend=-1) != 0)) - 1
    )
    nearest_m = np.minimum.reduceat(away_m, np.flatnonzero(np.diff(of_poi, prepend=-1)))
    at_nearest = np.flatnonzero(away_m == nearest_m[of_poi])
    first = at_nearest[np.flatnonzero(np.diff(of_poi[at_nearest], prepend=-1))]
    node, point = node[first], point[first]
    return node.astype(np.int32), owner[point].astype(np.int32), flat[point] - position[node]
