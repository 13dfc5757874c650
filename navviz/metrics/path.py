"""Path metrics: how close, how successful, how efficient, how faithful.

They need a path of node ids, a reference path and a goal. ``d(a, b)`` is the great-circle distance
outdoors and the geodesic (shortest-path) distance over the links indoors, as the two fields use
them; `Ruler` takes either. Rates are fractions, lengths metres, and a value that cannot be had (no
reference path, goal out of reach) is ``None``.

References
----------
.. [1] Anderson et al., "On Evaluation of Embodied Navigation Agents", 2018.
   doi:10.48550/arXiv.1807.06757
.. [2] Anderson et al., "Vision-and-Language Navigation", CVPR 2018. doi:10.1109/CVPR.2018.00387
.. [3] Ilharco et al., "General Evaluation for Instruction Conditioned Navigation using Dynamic Time
   Warping", 2019.
   doi:10.48550/arXiv.1907.05446
.. [4] Jain et al., "Stay on the Path: Instruction Fidelity in VLN", ACL 2019.
   doi:10.18653/v1/P19-1181
.. [5] Shami et al., GROKE, 2026, section 4 (evaluation) and its released scripts.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.registry import WALKS, Metric
from navviz.metrics.walked import Distance, Ruler
from navviz.records import Episode
from navviz.world.geometry import EARTH_RADIUS_M
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph

__all__ = [
    "METRICS",
    "Distance",
    "Ruler",
    "cls",
    "dtw_m",
    "ndtw",
    "ndtw_groke",
    "score_path",
    "spl",
]

_KEPT = 20_000
"""Pairs whose length is kept for a graph, 3 MB."""

_MARGIN = 1.0 - 1e-9
"""Keeps the straight line below the length of the links in spite of rounding."""


def geodesic_m(graph: Graph, a: str, b: str) -> float:
    """Length in metres of the shortest path (`shortest_m`), searched once for a graph.

    Runs over the same episodes ask for the same lengths again.
    """
    lengths_m = _lengths_m(graph)
    length_m = lengths_m.get((a, b))
    if length_m is None:
        if len(lengths_m) >= _KEPT:
            # all at once: which pairs are old need not be noted
            lengths_m.clear()
        length_m = lengths_m[a, b] = shortest_m(graph, a, b)
    return length_m


@per_graph
def _lengths_m(graph: Graph) -> dict[tuple[str, str], float]:  # noqa: ARG001 - one for each graph
    return {}


def shortest_m(graph: Graph, a: str, b: str) -> float:
    """Length in metres of the shortest path from `a` to `b`; infinite where there is none.

    The same as `Graph.geodesic_m`, by A* with straight lines as the lower bound, which visits a
    fifth of the nodes. Where links are given shorter than the straight line, the bound shrinks as
    much. Source: Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of
    Minimum Cost Paths", 1968. doi:10.1109/TSSC.1968.300136
    """
    start, goal = graph.index[a], graph.index[b]
    links, rest_m = graph.weighted_adjacency, _straight_to(graph, goal)
    best, done, queue = {start: 0.0}, set[int](), [(0.0, start)]
    while queue:
        node = heapq.heappop(queue)[1]
        # its length is the least only when it leaves the queue, not when it is first reached
        if node == goal:
            return best[node]
        # a node is queued again when a shorter way to it turns up
        if node in done:
            continue
        done.add(node)
        walked_m = best[node]
        for target, length_m in links[node]:
            reached_m = walked_m + length_m
            if reached_m < best.get(target, math.inf):
                best[target] = reached_m
                heapq.heappush(queue, (reached_m + rest_m(target), target))
    return math.inf


def _straight_to(graph: Graph, goal: int) -> Callable[[int], float]:
    """Straight distance to the goal; outdoors chords through the Earth, never too long."""
    positions, share = graph.positions, _MARGIN * _least_share(graph)
    if graph.frame == "metric":
        end = positions[goal].tolist()
        return lambda node: share * math.dist(positions[node].tolist(), end)
    end = _in_space(*positions[goal].tolist())
    return lambda node: share * math.dist(_in_space(*positions[node].tolist()), end)


@per_graph
def _least_share(graph: Graph) -> float:
    """Smallest length of a link as a share of the straight line between its nodes; 1 at most."""
    if graph.given_lengths_m is None:
        return 1.0
    straight_m = graph.straight_lengths_m()
    # two nodes in one place have no straight line to compare with
    apart = straight_m > 0
    return float((graph.given_lengths_m[apart] / straight_m[apart]).min(initial=1.0))


def _in_space(lat_deg: float, lon_deg: float) -> tuple[float, float, float]:
    lat, lon = math.radians(lat_deg), math.radians(lon_deg)
    across_m = EARTH_RADIUS_M * math.cos(lat)
    return across_m * math.cos(lon), across_m * math.sin(lon), EARTH_RADIUS_M * math.sin(lat)


Scores = dict[str, float | None]

_A1 = "Anderson et al. 2018, doi:10.48550/arXiv.1807.06757"

_A2 = "Anderson et al. 2018, doi:10.1109/CVPR.2018.00387"

_I = "Ilharco et al. 2019, doi:10.48550/arXiv.1907.05446"

_J = "Jain et al. 2019, doi:10.18653/v1/P19-1181"

_G = "Shami et al. 2026 (GROKE)"

METRICS: tuple[Metric, ...] = (
    Metric(
        "NE",
        "navigation error",
        "m",
        "lower",
        "d(last node, goal)",
        _A2,
        label="Navigation error",
        help="Navigation error: distance from the stop to the goal, in metres",
        task_help="Navigation error: mean distance from the stops to their targets, in metres",
        digits=0,
        ranged=True,
        shown=dict.fromkeys(WALKS, 3)
        | {
            "head path": 1,
            "head task": 1,
            "head object": 1,
            "head dialogue": 2,
            "first columns": 1,
            "compare": 3,
            "site": 4,
        },
    ),
    Metric(
        "SR",
        "success rate",
        "fraction",
        "higher",
        "1 if NE <= success radius, else 0",
        _A2,
        yes_no=True,
        per_cent="everywhere",
        label="Success rate",
        shown=dict.fromkeys(WALKS, 1) | {"compare": 1, "site": 1},
    ),
    Metric(
        "OSR",
        "oracle success rate",
        "fraction",
        "higher",
        "1 if any node of the path is within the radius",
        _A2,
        yes_no=True,
        per_cent="everywhere",
        label="Oracle success",
        shown=dict.fromkeys(WALKS, 2) | {"compare": 2, "site": 2},
    ),
    Metric(
        "TL",
        "trajectory length",
        "m",
        None,
        "sum of the lengths of the links walked",
        _A2,
        label="Path length",
        help="Length of the agent's path, in metres",
        shown=dict.fromkeys(WALKS, 4)
        | {
            "recorded": 7,
            "estimated": 4,
            "head path": 2,
            "head object": 2,
            "head dialogue": 3,
            "head free": 2,
        },
    ),
    Metric(
        "SPL",
        "success weighted by path length",
        "fraction",
        "higher",
        "SR * L / max(TL, L), L: shortest path",
        _A1,
        per_cent="in tables",
        help="Success weighted by path length",
        task_help="Success of the whole task weighted by path length",
        shown=dict.fromkeys(WALKS, 5)
        | {
            "head path": 3,
            "head task": 2,
            "head object": 3,
            "head dialogue": 4,
            "compare": 4,
            "site": 3,
        },
    ),
    Metric(
        "nDTW",
        "normalised dynamic time warping",
        "fraction",
        "higher",
        "exp(-DTW / (|R| * success radius))",
        _I,
        help="Normalised dynamic time warping (Ilharco et al. 2019)",
        shown={
            "path": 6,
            "house": 6,
            "dialogue": 6,
            "head path": 4,
            "head object": 4,
            "head dialogue": 5,
            "first columns": 2,
            "compare": 5,
            "site": 5,
        },
    ),
    Metric(
        "SDTW",
        "success weighted nDTW",
        "fraction",
        "higher",
        "SR * nDTW",
        _I,
        help="Success weighted by nDTW",
        shown={"path": 7, "house": 7, "dialogue": 7, "head path": 5, "compare": 6, "site": 6},
    ),
    Metric(
        "nDTW_groke",
        "nDTW as GROKE computes it",
        "fraction",
        "higher",
        "exp(-DTW / length of R in metres)",
        _G,
    ),
    Metric(
        "SDTW_groke",
        "success weighted nDTW, GROKE",
        "fraction",
        "higher",
        "SR * nDTW_groke",
        _G,
        label="SDTW (GROKE)",
        shown={"path": 8, "dialogue": 8},
    ),
    Metric(
        "CLS",
        "coverage weighted by length score",
        "fraction",
        "higher",
        "PC * LS, see `cls`",
        _J,
        help="Coverage weighted by length score",
        shown={"path": 9, "house": 9, "dialogue": 9, "head path": 6},
    ),
    Metric(
        "PC",
        "path coverage",
        "fraction",
        "higher",
        "mean over R of exp(-d(r, path) / success radius)",
        _J,
    ),
    Metric("PLR", "path length ratio", "ratio", None, "TL / length of R", _G),
    Metric(
        "RL",
        "reference length",
        "m",
        None,
        "sum of the lengths of the links of R",
        _A2,
        of_episode=True,
    ),
    Metric("steps", "steps", "count", None, "decisions of the agent", ""),
)


def dtw_m(distances_m: NDArray[np.float64]) -> float:
    """Dynamic time warping cost of a distance matrix ``(n, m)``, both ends tied.

    Row by row: with the prefix sums ``S`` of a row, ``D[i, j] = S[j] + min_{k <= j} (m[k] - S[k -
    1])`` where ``m[k] = min(D[i-1, k], D[i-1, k-1])``, which numpy does without a loop over
    columns. Source: Berndt and Clifford, "Using dynamic time warping to find patterns in time
    series", 1994; Ilharco et al. 2019, eq. 1.
    """
    if distances_m.size == 0 or not np.isfinite(distances_m).all():
        return math.inf
    sums = np.cumsum(distances_m, axis=1)
    # `S[k - 1]`: the prefix sums without the column itself
    before = sums - distances_m
    row = sums[0]
    reached = np.empty_like(row)
    for i in range(1, len(distances_m)):
        # the first column has no neighbour to its left
        reached[0] = row[0]
        np.minimum(row[1:], row[:-1], out=reached[1:])
        row = sums[i] + np.minimum.accumulate(reached - before[i])
    return float(row[-1])


def ndtw(dtw_cost_m: float, reference_nodes: int, radius_m: float) -> float | None:
    """``exp(-DTW / (|R| * radius))`` (Ilharco et al. 2019, eq. 2), or ``None``."""
    scale = reference_nodes * radius_m
    return math.exp(-dtw_cost_m / scale) if scale > 0 else None


def ndtw_groke(dtw_cost_m: float, reference_length_m: float) -> float | None:
    """``exp(-DTW / length of R)``, as GROKE's scripts compute it; ``None`` for no length."""
    return math.exp(-dtw_cost_m / reference_length_m) if reference_length_m > 0 else None


def spl(success: bool, length_m: float, shortest_m: float) -> float | None:
    """``SR * L / max(TL, L)`` (Anderson et al. 2018, section 4); 1 with nowhere to go."""
    if not math.isfinite(shortest_m):
        return None
    # also for a length of zero, which must not be divided by
    if length_m <= shortest_m * (1 + 1e-12):
        # the same path summed in another order must not cost a rounding error
        return float(success)
    return float(success) * shortest_m / length_m


def cls(
    distances_m: NDArray[np.float64], length_m: float, reference_length_m: float, radius_m: float
) -> tuple[float, float]:
    """Coverage weighted by length score, and path coverage (Jain et al. 2019, section 4).

    `distances_m`: from each node of the reference to each of the path. `radius_m`: the distance at
    which a reference node counts ``1/e``. Returns ``PC = mean exp(-d(r, path) / radius)``, ``EPL =
    PC * PL(R)``, ``LS = EPL / (EPL + |EPL - PL(path)|)``; ``(PC * LS, PC)``. Where neither path has
    any length, ``LS`` is 1.
    """
    coverage = float(np.exp(-distances_m.min(axis=1) / radius_m).mean())
    expected_m = coverage * reference_length_m
    spread_m = expected_m + abs(expected_m - length_m)
    return coverage * (expected_m / spread_m if spread_m > 0 else 1.0), coverage


def score_path(
    path: Sequence[str],
    episode: Episode,
    ruler: Ruler,
) -> Scores:
    """All path metrics of a path of node ids but ``steps``; unknown nodes are skipped."""
    graph = ruler.graph
    walked = [node for node in path if node in graph]
    reference = episode.reference_path
    if not all(node in graph for node in reference):
        reference = ()  # a part of the reference would give other figures
    scores: Scores = {m.name: None for m in METRICS}
    if not walked:
        return scores
    length_m = graph.path_length_m(walked)
    scores["TL"] = length_m
    goal = episode.goal or (reference[-1] if reference else None)
    if goal is not None and goal in graph:
        scores.update(_goal_scores(walked, goal, length_m, episode, ruler))
    if reference:
        radius_m = episode.success_radius_m
        success = scores["SR"]
        reference_m = ruler.graph.path_length_m(reference)
        distances_m = ruler.matrix_m(reference, walked)
        cost_m = dtw_m(distances_m)
        faithful, groke = ndtw(cost_m, len(reference), radius_m), ndtw_groke(cost_m, reference_m)
        coverage = cls(distances_m, length_m, reference_m, radius_m)
        fidelity = {
            "nDTW": faithful,
            "SDTW": _times(success, faithful),
            "nDTW_groke": groke,
            "SDTW_groke": _times(success, groke),
            "CLS": coverage[0],
            "PC": coverage[1],
            "PLR": length_m / reference_m if reference_m > 0 else None,
            "RL": reference_m,
        }
        scores.update(fidelity)
    return scores


def _goal_scores(
    walked: list[str], goal: str, length_m: float, episode: Episode, ruler: Ruler
) -> Scores:
    to_goal = ruler.matrix_m([goal], walked)[0]
    error_m, radius_m = float(to_goal[-1]), episode.success_radius_m
    start = episode.start if episode.start in ruler.graph else walked[0]
    success = error_m <= radius_m
    return {
        "NE": error_m if math.isfinite(error_m) else None,
        "SR": float(success),
        "OSR": float(to_goal.min() <= radius_m),
        # a failure is 0 whatever the shortest path: the search is saved
        "SPL": spl(success, length_m, geodesic_m(ruler.graph, start, goal)) if success else 0.0,
    }


def _times(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a * b
