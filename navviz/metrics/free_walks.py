"""Metrics of agents that walk freely, in metres between positions; without a navigation mesh.

Sources: VLN-CE (Krantz et al. 2020, doi:10.1007/978-3-030-58604-1_7) and its evaluator. What needs
the mesh of the simulator (how far it is to walk to the goal, and so success) is either as the
evaluator recorded it (``_rec``) or estimated by the straight line (``_est``); the names keep both
apart from the exact figures of walks on a graph.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.path import dtw_m, ndtw
from navviz.metrics.registry import Metric
from navviz.metrics.walked import ScoredPath
from navviz.records import Episode, Trace
from navviz.records.trace import UNSAID_STOP
from navviz.world.geometry import great_circle_m

Scores = dict[str, float | None]
Line = NDArray[np.float64]
"""Positions in order, shape ``(n, 2)`` in degrees or ``(n, 3)`` in metres."""

_K = "Krantz et al. 2020, doi:10.1007/978-3-030-58604-1_7"
_R = "the figure that the evaluator wrote"
_E = "straight line instead of the way over the mesh, 1.4 m too short on average from start to goal"

METRICS: tuple[Metric, ...] = (
    Metric(
        "NE_rec",
        "navigation error, as recorded",
        "m",
        "lower",
        _R,
        _K,
        label="NE, recorded",
        help="Navigation error in metres, as the evaluator recorded it",
        digits=1,
        ranged=True,
        shown={"recorded": 3, "head free": 1, "first columns": 3, "compare free": 5, "site": 11},
    ),
    Metric(
        "SR_rec",
        "success rate, as recorded",
        "fraction",
        "higher",
        _R,
        _K,
        yes_no=True,
        per_cent="everywhere",
        label="Success, recorded",
        shown={"recorded": 1, "compare free": 1, "site": 9},
    ),
    Metric(
        "OSR_rec",
        "oracle success rate, as recorded",
        "fraction",
        "higher",
        _R,
        _K,
        yes_no=True,
        per_cent="everywhere",
        label="Oracle, recorded",
        shown={"recorded": 2, "compare free": 3},
    ),
    Metric(
        "SPL_rec",
        "SPL, as recorded",
        "fraction",
        "higher",
        _R,
        _K,
        per_cent="in tables",
        label="SPL, recorded",
        help="Success weighted by path length, as the evaluator recorded it",
        shown={"recorded": 5, "head free": 4, "first columns": 4, "compare free": 7, "site": 10},
    ),
    Metric(
        "nDTW_rec",
        "nDTW to the expert's whole walk, as recorded",
        "fraction",
        "higher",
        f"{_R}, by an approximate DTW",
        _K,
        label="nDTW, recorded",
        help="nDTW to the expert's whole walk, as recorded (by an approximate DTW)",
        shown={"recorded": 6, "head free": 5, "first columns": 5, "compare free": 9},
    ),
    Metric(
        "SDTW_rec",
        "success weighted nDTW, as recorded",
        "fraction",
        "higher",
        _R,
        _K,
        shown={"compare free": 11},
    ),
    Metric(
        "TL_rec",
        "trajectory length, as recorded",
        "m",
        None,
        _R,
        _K,
        label="Path, recorded",
        help="Length of the agent's path in metres, as the evaluator recorded it",
        shown={"recorded": 4, "head free": 3},
    ),
    Metric("steps_rec", "steps, as recorded", "count", None, _R, _K),
    Metric(
        "NE_est",
        "navigation error, estimated",
        "m",
        "lower",
        _E,
        _K,
        label="NE, estimated",
        help="Straight line from the last pose to the goal; the way over the mesh is longer",
        digits=1,
        shown={"estimated": 3, "head free": 7, "first columns": 6, "compare free": 6, "site": 14},
    ),
    Metric(
        "SR_est",
        "success rate, estimated",
        "fraction",
        "higher",
        "1 if the agent stopped and NE_est < 3 m",
        _K,
        yes_no=True,
        per_cent="everywhere",
        label="Success, estimated",
        shown={"estimated": 1, "compare free": 2, "site": 12},
    ),
    Metric(
        "OSR_est",
        "oracle success rate, estimated",
        "fraction",
        "higher",
        "1 if any pose is less than 3 m from the goal in a straight line",
        _K,
        yes_no=True,
        per_cent="everywhere",
        label="Oracle, estimated",
        shown={"estimated": 2, "compare free": 4},
    ),
    Metric(
        "SPL_est",
        "SPL, success estimated",
        "fraction",
        "higher",
        "SR_est * g / max(g, TL), g: the recorded way from start to goal",
        _K,
        per_cent="in tables",
        label="SPL, estimated",
        help="Success estimated by the straight line, weighted by path length",
        shown={"estimated": 5, "head free": 8, "compare free": 8, "site": 13},
    ),
    Metric(
        "SPL_walk",
        "SPL from positions",
        "fraction",
        "higher",
        "SR_rec * g / max(g, TL), g: the recorded way from start to goal",
        _K,
        per_cent="in tables",
        label="SPL from poses",
        shown={"recorded": 8},
    ),
    Metric(
        "nDTW_dense",
        "nDTW to the expert's whole walk",
        "fraction",
        "higher",
        "exp(-DTW / (|R| * 3 m)), R: all locations of the expert, exact DTW",
        _K,
        label="nDTW, whole walk",
        help="nDTW to the expert's whole walk by the exact DTW; not R2R's nDTW",
        shown={
            "recorded": 9,
            "estimated": 6,
            "head free": 6,
            "first columns": 7,
            "compare free": 10,
            "site": 15,
        },
    ),
)
"""Named apart from R2R's: the reference is the expert's whole walk, not its few viewpoints."""

_RECORDED = {
    "NE_rec": ("distance_to_goal", "ne", "NE", "nav_error"),
    "SR_rec": ("success", "SR", "success_rate"),
    "OSR_rec": ("oracle_success", "os", "OS", "osr"),
    "SPL_rec": ("spl", "SPL"),
    "nDTW_rec": ("ndtw", "nDTW"),
    "SDTW_rec": ("sdtw", "SDTW"),
    "TL_rec": ("path_length", "TL", "trajectory_length"),
    "steps_rec": ("steps_taken", "steps"),
}
"""Names that evaluators give to their figures."""
RECORDED = frozenset(chain.from_iterable(_RECORDED.values()))
"""All of these names."""
FRACTIONS = RECORDED.difference(*(_RECORDED[name] for name in ("NE_rec", "TL_rec", "steps_rec")))
"""Names of figures between 0 and 1."""
_GEODESIC = ("geodesic_distance", "shortest_path_length")


def recorded_scores(trace: Trace) -> Scores:
    """Return the figures that an evaluator recorded, by the names of `METRICS`."""
    if trace.end is None or not trace.end.figures:
        return {}
    figures = trace.end.figures
    scores: Scores = {}
    for name, spellings in _RECORDED.items():
        spelled = [spelling for spelling in spellings if spelling in figures]
        if spelled:
            scores[name] = figures[spelled[0]]
    return scores


def free_scores(trace: Trace) -> Scores:
    """Measure a free walk: ``TL`` and `METRICS`; those that cannot be had are missing.

    Positions that repeat are one place, as in the evaluator's own measure.
    """
    scores: Scores = recorded_scores(trace)
    line = walk_line(trace)
    if line is None or not trace.steps:
        return {"TL": None, **scores}
    length_m = float(_steps_m(line).sum())
    scores["TL"] = length_m
    goal = goal_position(trace.episode)
    if goal is not None:
        to_goal_m = apart_m(line, np.asarray([goal], dtype=float))[:, 0]
        radius_m = trace.episode.success_radius_m
        # less than the radius, as in VLN-CE; for a walk on a graph the radius itself is near enough
        near = to_goal_m < radius_m
        stopped = bool(trace.steps[-1].decision and trace.steps[-1].decision.stop)
        # a log that never says who stopped knows nothing of success
        unsaid = trace.end is not None and trace.end.reason == UNSAID_STOP
        scores |= {
            "NE_est": float(to_goal_m[-1]),
            "SR_est": None if unsaid else float(stopped and near[-1]),
            "OSR_est": float(near.any()),
        }
    shortest_m = _given_m(trace.episode)
    for source, name in (("SR_rec", "SPL_walk"), ("SR_est", "SPL_est")):
        success = scores.get(source)
        if success is not None and shortest_m is not None:
            longest_m = max(shortest_m, length_m)
            scores[name] = success * shortest_m / longest_m if longest_m > 0 else success
    scores["nDTW_dense"] = _ndtw_dense(trace.episode, line)
    return scores


def _ndtw_dense(episode: Episode, line: Line) -> float | None:
    if not episode.reference_positions:
        return None
    reference = np.asarray(episode.reference_positions, dtype=float)
    if reference.shape[1] != line.shape[1]:
        return None
    cost_m = dtw_m(apart_m(reference, line))
    return ndtw(cost_m, len(reference), episode.success_radius_m)


def walk_line(trace: Trace) -> Line | None:
    """Return the positions of a walk in order, each once while it stays; ``None`` with a hole."""
    poses = trace.poses
    places = [poses.get(node) for node in trace.path]
    # a hole would be bridged by a straight line, and the walk would seem too short
    if not places or any(place is None or len(place) != len(places[0] or ()) for place in places):
        return None
    return np.asarray(places, dtype=float)


def goal_position(episode: Episode) -> Sequence[float] | None:
    """Return where the goal lies, where it is a place of the episode's own."""
    name = episode.goal or (episode.reference_path[-1] if episode.reference_path else "")
    return episode.places.get(name)


def apart_m(a: Line, b: Line) -> Line:
    """Return the straight distances from each of `a` to each of `b`, in metres."""
    if a.shape[1] == 2:
        return np.asarray(great_circle_m(a[:, None], b[None]))
    return np.asarray(np.linalg.norm(a[:, None] - b[None], axis=-1))


def _steps_m(line: Line) -> Line:
    if line.shape[1] == 2:
        return np.asarray(great_circle_m(line[:-1], line[1:]))
    return np.asarray(np.linalg.norm(line[1:] - line[:-1], axis=-1))


def _given_m(episode: Episode) -> float | None:
    """Return the way from start to goal as the data set gives it."""
    for name in _GEODESIC:
        value = episode.extra.get(name)
        if isinstance(value, int | float) and math.isfinite(value) and value >= 0:
            return float(value)
    return None


def score_walk(walk: ScoredPath) -> Mapping[str, float | None]:
    """Return the recorded figures of a walk on a graph."""
    return recorded_scores(walk.trace)
