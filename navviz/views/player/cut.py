"""Cut a graph to the surroundings of an episode, so that a player document stays small.

Two layers: *nodes* near the paths keep their ids (they can be pointed at), and the *streets*
farther out are kept as plain lines for context. Indoors every viewpoint of the scan is kept, with
its links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from navviz.world.geometry import inside_box
from navviz.world.graph import Graph
from navviz.world.link_lines import drawn_bends
from navviz.world.per_graph import per_graph

MAX_NODES = 6000
"""Nodes with ids in a document; the ring around the paths shrinks until they fit."""
MAX_STREET_NODES = 15_000
"""Streets are drawn without ids behind the paths; more of them delay the first paint."""
RINGS_M = (120.0, 80.0, 50.0, 25.0, 0.5)
"""Tried from the widest; the last one keeps little but the paths themselves."""
STREETS_PAST_M = (900.0, 450.0, 250.0, 120.0, 40.0)
"""Tried from the widest, so that the map is not empty when a reader zooms out."""
MAX_DRAWN = 30_000
"""Drawn chains kept with a graph, some 10 MB; a box holds up to some 7,000."""
MAX_BOXES = 8
"""Boxes kept with a graph: while a user types an instruction, all walks lie in the same box."""
GRID_PARTS = 8
"""A box ends at whole eighths of its margin, so that walks of about the same place share it."""
PLACES = {"geo": 6, "metric": 3}
"""Decimal places of a coordinate, by the frame of its graph."""
BEND_M = 0.8
"""A street node this close to the line between its kept neighbours is not drawn."""


@dataclass(frozen=True)
class Cut:
    """What a document keeps of a graph."""

    ids: list[str]
    """Node ids in file order."""
    positions: list[list[float]]
    """Rounded, in the graph's frame and order of coordinates."""
    crossings: list[int]
    """Indices of nodes where more than two links meet."""
    links: list[int] = field(default_factory=list)
    """Undirected links as flat pairs of indices: between `essential` nodes; indoors all."""
    streets: list[list[float]] = field(default_factory=list)
    """Lines as flat coordinates; outdoors only."""
    bends: list[tuple[int, int, list[float]]] = field(default_factory=list)
    """Of bent links: both ends by index, and the flat coordinates between them."""

    @property
    def index(self) -> dict[str, int]:
        """Index of each id."""
        return {node: i for i, node in enumerate(self.ids)}


def rounded(position: Sequence[float], frame: str) -> list[float]:
    """Coordinates rounded to about a decimetre outdoors (6 places), to millimetres indoors (3)."""
    places = PLACES[frame]
    return [round(float(value), places) for value in position]


def all_rounded(positions: NDArray[np.float64], frame: str) -> list[list[float]]:
    """Round many positions, shape ``(n, coordinates)``, as `rounded` does one."""
    rows: list[list[float]] = np.round(positions, PLACES[frame]).tolist()
    return rows


def cut_graph(graph: Graph, essential: Iterable[str]) -> Cut:
    """Keep the `essential` nodes, those around them, and the streets farther out.

    Ids that are not in the graph are ignored.
    """
    seeds = sorted({graph.index[node] for node in essential if node in graph})
    whole = graph.frame == "metric" and len(graph) <= MAX_NODES
    kept = list(range(len(graph))) if whole else _around(graph, seeds)
    ids = [graph.ids[i] for i in kept]
    positions = all_rounded(graph.positions[kept], graph.frame)
    crossings = [k for k, i in enumerate(kept) if len(graph.targets_of(i)) > 2]
    if graph.frame == "metric":
        links, streets = _links(graph, kept, set(kept)), []
    else:
        links, streets = _links(graph, kept, set(seeds)), _streets(graph, seeds)
    bends = _bends(graph, ids, links)
    return Cut(ids, positions, crossings, links=links, streets=streets, bends=bends)


def _around(graph: Graph, seeds: list[int]) -> list[int]:
    """Nodes within the widest ring around the seeds that does not hold too many."""
    if not seeds:
        return list(range(min(len(graph), MAX_NODES)))
    kept = set(seeds)
    for ring_m in RINGS_M:
        kept = set(seeds)
        for seed in seeds:
            kept.update(graph.indices_around(seed, ring_m))
        if len(kept) <= MAX_NODES:
            break
    return sorted(kept)


def _links(graph: Graph, kept: list[int], ends: set[int]) -> list[int]:
    """Return the links between `ends`, each once, as flat pairs of positions in `kept`."""
    new = {i: k for k, i in enumerate(kept) if i in ends}
    pairs: set[tuple[int, int]] = set()
    for i, here in new.items():
        for j in graph.targets_of(i):
            there = new.get(j)
            if there is not None and i != j:
                pairs.add((min(here, there), max(here, there)))
    return list(chain.from_iterable(sorted(pairs)))


def _bends(graph: Graph, ids: list[str], links: list[int]) -> list[tuple[int, int, list[float]]]:
    """Return the bends of links, given as flat pairs of indices into `ids`."""
    bends: list[tuple[int, int, list[float]]] = []
    if graph.shapes is None:
        return bends
    for a, b in zip(links[::2], links[1::2], strict=True):
        line = drawn_bends(graph, ids[a], ids[b])
        if len(line):
            bends.append((a, b, _flat(line, graph.frame)))
    return bends


def _flat(places: NDArray[np.float64], frame: str) -> list[float]:
    """Return positions one after the other, rounded, as one flat list of coordinates."""
    return list(chain.from_iterable(all_rounded(places, frame)))


def _streets(graph: Graph, seeds: list[int]) -> list[list[float]]:
    """Streets of the box around the seeds, as simplified lines."""
    box, keep = _box(graph, seeds)
    boxes = _boxes(graph)
    streets = boxes.get(box)
    if streets is None:
        drawn = _drawn(graph)
        if len(drawn) > MAX_DRAWN:
            drawn.clear()
        streets = [_line(graph, street, drawn) for street in _chains(_half_links(graph), keep)]
        for old in list(boxes)[: len(boxes) - MAX_BOXES + 1]:
            boxes.pop(old, None)  # another thread may have removed it
        # a dict keeps the order of insertion: what was removed above are the oldest boxes
        boxes[box] = streets
    # a copy, since other walks in this box get the same list
    return list(streets)


@dataclass(frozen=True, slots=True)
class _HalfLinks:
    """The links of a graph, once either way, in the order of their starts."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    back: NDArray[np.int64]
    """Index of the same link the other way."""
    nodes: int
    """Number of nodes of the graph."""


@per_graph
def _half_links(graph: Graph) -> _HalfLinks:
    a, b = graph.sources.astype(np.int64), graph.targets.astype(np.int64)
    a, b = a[a != b], b[a != b]
    # one integer stands for a pair of nodes: NumPy sorts those faster than rows of two
    pairs = np.unique(np.concatenate((a, b)) * len(graph) + np.concatenate((b, a)))
    starts, ends = pairs // len(graph), pairs % len(graph)
    return _HalfLinks(starts, ends, np.argsort(ends * len(graph) + starts), len(graph))


def _line(
    graph: Graph, street: list[int], drawn: dict[tuple[int, ...], list[float]]
) -> list[float]:
    # The two ends alone would not do: at a box's edge a chain may pass a crossing another way.
    key = tuple(street)
    line = drawn.get(key)
    if line is None:
        places = _places(graph, street)
        if graph.shapes is None:
            kept = _simplified(graph.metric_positions[street])
        else:
            kept = _simplified(graph.to_metric(places))
        line = drawn[key] = _flat(places[kept], "geo")
    return line


def _places(graph: Graph, street: list[int]) -> NDArray[np.float64]:
    """Return the positions along a chain of nodes, with the bends of the links between them."""
    if graph.shapes is None:
        return graph.positions[street]
    parts: list[NDArray[np.float64]] = []
    for i, j in pairwise(street):
        parts += [graph.positions[[i]], drawn_bends(graph, graph.ids[i], graph.ids[j])]
    return np.concatenate([*parts, graph.positions[[street[-1]]]])


Box = tuple[float, ...]


@per_graph
def _boxes(_: Graph) -> dict[Box, list[list[float]]]:
    """Return the streets of the boxes of a graph that were drawn last."""
    return {}


@per_graph
def _drawn(_: Graph) -> dict[tuple[int, ...], list[float]]:
    """Return the chains of a graph that were drawn, since many documents show the same streets."""
    return {}


def _box(graph: Graph, seeds: list[int]) -> tuple[Box, list[int]]:
    """Return corners and nodes of the widest box around the seeds that holds few enough nodes."""
    metric = graph.metric_positions
    inner = metric[seeds] if seeds else metric
    low, high = np.zeros(2), np.zeros(2)
    if len(inner):
        low, high = inner.min(axis=0), inner.max(axis=0)
    for past_m in STREETS_PAST_M:
        lower, upper = low - past_m, high + past_m
        if past_m:
            grid_m = past_m / GRID_PARTS
            # inwards: a box loses up to an eighth of its margin, and never goes beyond it
            lower, upper = np.ceil(lower / grid_m) * grid_m, np.floor(upper / grid_m) * grid_m
        inside = np.flatnonzero(inside_box(metric, lower, upper))
        if len(inside) <= MAX_STREET_NODES:
            return (*lower.tolist(), *upper.tolist()), inside.tolist()
    # Even the smallest box holds too many nodes: a key of its own, which no other walk can share.
    return tuple(float(seed) for seed in seeds), seeds


def _chains(links: _HalfLinks, keep: Sequence[int]) -> Iterator[list[int]]:
    """Yield every link between nodes of `keep` once, joined into chains that run through nodes of
    exactly two links.
    """
    kept = np.zeros(links.nodes, dtype=bool)
    kept[keep] = True
    inside = np.flatnonzero(kept[links.starts] & kept[links.ends])
    starts, ends = links.starts[inside], links.ends[inside]
    back = np.searchsorted(inside, links.back[inside])
    following = _following(starts, ends, back, links.nodes)
    passed = np.zeros(len(inside), dtype=bool)
    # all chains grow by one link at once: twice as fast as one chain after the other
    degrees = np.bincount(starts, minlength=links.nodes)
    heads = np.flatnonzero(degrees[starts] != 2)
    here, lasts = heads.copy(), heads.copy()
    growing = np.arange(len(heads))
    rows, steps = [], []
    while len(growing):
        rows.append(growing)
        steps.append(here)
        lasts[growing] = here
        passed[here] = True
        here = following[here]
        growing, here = growing[here >= 0], here[here >= 0]
    if rows:
        row, step = np.concatenate(rows), np.concatenate(steps)
        # each chain was found from both of its ends
        once = (heads < back[lasts])[row]
        row, step = row[once], step[once]
        order = np.argsort(row, kind="stable")
        row, step = row[order], step[order]
        first = np.flatnonzero(np.diff(row, prepend=-1))
        targets = ends[step].tolist()
        bounds = [*first.tolist(), len(targets)]
        for start, (begin, end) in zip(starts[step[first]].tolist(), pairwise(bounds), strict=True):
            yield [start, *targets[begin:end]]
    for ring in np.flatnonzero(~passed).tolist():  # what remains has no end: rings
        if not passed[ring]:
            yield _ring(ring, starts, following, back, passed)


def _following(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    back: NDArray[np.int64],
    nodes: int,
) -> NDArray[np.int64]:
    """Return the half-link that goes on from the end of each; -1 where there is not just one."""
    degrees = np.bincount(starts, minlength=nodes)
    first = np.cumsum(degrees) - degrees
    one = first[ends]
    other = np.where(one == back, one + 1, one)
    return np.where(degrees[ends] == 2, other, -1)


def _ring(
    begin: int,
    starts: NDArray[np.int64],
    following: NDArray[np.int64],
    back: NDArray[np.int64],
    passed: NDArray[np.bool_],
) -> list[int]:
    """Return the nodes of a ring from one half-link on, round to its start."""
    ring, here = [int(starts[begin])], begin
    while not passed[here]:
        # either way, so that the ring is found once
        passed[here] = passed[back[here]] = True
        here = int(following[here])
        ring.append(int(starts[here]))
    return ring


def _simplified(points: NDArray[np.float64]) -> list[int]:
    """Return which points stay once those on the straight line between kept ones are dropped."""
    # Ramer 1972, Douglas and Peucker 1973
    # a stack, since a street of thousands of bends could go deeper than Python's recursion may
    keep, stack = {0, len(points) - 1}, [(0, len(points) - 1)]
    while stack:
        a, b = stack.pop()
        if b - a < 2:
            continue
        offsets_m = _offsets_m(points[a + 1 : b], points[a], points[b])
        worst = int(offsets_m.argmax())
        if offsets_m[worst] > BEND_M:
            middle = a + 1 + worst
            keep.add(middle)
            stack += [(a, middle), (middle, b)]
    return sorted(keep)


def _offsets_m(
    points: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return distances of points to the line from `a` to `b`, or to `a` where both coincide."""
    along, away = b - a, points - a
    length = float(np.hypot(*along))
    if length == 0.0:
        return np.asarray(np.hypot(away[:, 0], away[:, 1]))
    return np.asarray(np.abs(along[0] * away[:, 1] - along[1] * away[:, 0]) / length)
