"""NavNuances: whether an agent has one skill (Wang et al. 2024, "Navigating the Nuances").

Five classes of instructions, each with its own evaluator on the walked path, repeated neighbours
merged. Positions are ``(x, y, z)`` in metres. What an episode must bring stands in its `Nuance`,
which the reader keeps in ``Episode.extra["nuances"]``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, ValidationError

from navviz.metrics.path import Ruler, dtw_m, score_path
from navviz.metrics.registry import Metric
from navviz.metrics.walked import ScoredPath
from navviz.records import Episode
from navviz.records.base import Record
from navviz.world.graph import Graph

NuanceClass = Literal["DC", "VM", "LR", "RR", "NU"]
CLASSES: Mapping[NuanceClass, str] = {
    "DC": "direction change",
    "VM": "vertical movement",
    "LR": "landmark recognition",
    "RR": "region recognition",
    "NU": "numerical comprehension",
}

_WANG = "Wang et al. 2024, Navigating the Nuances"

METRICS: tuple[Metric, ...] = (
    Metric(
        "SR_nuances",
        "success by NavNuances' class",
        "fraction",
        "higher",
        "1 if its class's evaluator says so",
        _WANG,
        yes_no=True,
        per_cent="everywhere",
        label="Nuances",
        help="Success by the evaluator of its NavNuances class (Wang et al. 2024)",
        digits=0,
        shown={"last columns": 4},
    ),
    Metric(
        "OSR_nuances",
        "oracle success by NavNuances' class",
        "fraction",
        "higher",
        "VM and RR: 1 if any viewpoint is right; NU: 1 if the end alone is; no value for DC and LR",
        _WANG,
        yes_no=True,
        per_cent="everywhere",
    ),
)

_AROUND_DEG = 120.0
"""NavNuances, class DC: a first move farther off than this is a turn around."""
_NEAR_M = 3.0
"""R2R's success radius; NavNuances uses it for objects too."""
_BETWEEN = 1e-7
"""Metres by which two legs may add up differently from the whole, from floating point alone."""
_NU_SUCCESS_M = 1.0
"""Success distance in the nDTW of class NU."""


class Nuance(Record):
    """What the evaluator of a class needs; missing fields make the episode a problem."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: NuanceClass
    template: str = ""
    """The instruction's template: tells left from right, towards from past, into from exit."""
    gt_vp: tuple[str, ...] = ()
    """DC: the true viewpoints, the start first."""
    vp_neg: tuple[str, ...] = ()
    """DC: the viewpoints of the wrong turn."""
    heading_vp: str | None = None
    """DC: the viewpoint that the agent faces at the start."""
    obj_center: tuple[float, ...] = ()
    """LR: centre of the object in metres."""
    valid_ends: tuple[str, ...] = ()
    """RR, into: where one may end."""
    region_starts: tuple[str, ...] = ()
    """RR, exit: the viewpoints of the region that is to be left."""
    set_paths: dict[str, tuple[tuple[str, ...], ...]] = Field(default_factory=dict)
    """NU: paths by ``"<which>-<of how many>"``."""
    has_both_dir: bool = False
    """VM: stairs lead up and down from here."""


@dataclass(frozen=True, slots=True)
class NuanceScore:
    """One episode under the evaluator of its class; values that the class lacks are ``None``."""

    kind: NuanceClass
    success: bool
    group: str
    """left, right, around; towards, past; into, exit; both directions or one."""
    oracle: bool | None = None
    """VM, RR: oracle success; NU: the end alone is right."""
    spl: float | None = None
    ndtw: float | None = None
    pair: str | None = None
    """DC: what left and right of the same start share."""


@dataclass(frozen=True, slots=True)
class NuanceMeans:
    """Means over some episodes of one class; ``None`` where the class has no such value."""

    episodes: int
    success: float
    oracle: float | None = None
    spl: float | None = None
    ndtw: float | None = None


@dataclass(frozen=True, slots=True)
class NuanceSummary:
    """Means of one class over a run."""

    kind: NuanceClass
    total: NuanceMeans
    by_group: Mapping[str, NuanceMeans]
    """The same for each group of `NuanceScore.group`: by direction, by kind, VM's subset with
    stairs both ways.
    """
    pair_success: float | None = None
    """DC: share of starts whose left and right are both right."""
    pairs: int = 0


def nuance_of(episode: Episode) -> Nuance | None:
    """Return the annotation of an episode; ``None`` where it has none that can be used."""
    raw = episode.extra.get("nuances")
    if not isinstance(raw, dict):
        return None
    try:
        return Nuance.model_validate(raw)
    except ValidationError:
        return None


def merged(path: Sequence[str]) -> tuple[str, ...]:
    """Return the path without repeats of the node before."""
    return tuple(node for k, node in enumerate(path) if k == 0 or node != path[k - 1])


def score_walk(walk: ScoredPath) -> dict[str, float | None]:
    """Measure one walk by the class of its episode; see `nuance_scores`."""
    return nuance_scores(walk.path, walk.trace.episode, walk.ruler)


def nuance_scores(path: Sequence[str], episode: Episode, ruler: Ruler) -> dict[str, float | None]:
    """Return a walk's metrics by its class; empty without an annotation, ``None`` if unscored."""
    nuance = nuance_of(episode)
    if nuance is None:
        return {}
    try:
        score = score_nuance(path, episode, nuance, ruler)
    except ValueError:
        return {"SR_nuances": None, "OSR_nuances": None}
    return {
        "SR_nuances": float(score.success),
        "OSR_nuances": None if score.oracle is None else float(score.oracle),
    }


def score_nuance(
    path: Sequence[str], episode: Episode, nuance: Nuance, ruler: Ruler
) -> NuanceScore:
    """Score one walk by the evaluator of its class.

    Raises `ValueError` naming the field that is missing or not in the house.
    """
    walked = merged(path)
    if not walked:
        raise ValueError("the path is empty")
    match nuance.kind:
        case "DC":
            return _direction(walked, nuance, episode, ruler.graph)
        case "VM":
            scores = score_path(walked, episode, ruler)
            if scores["SR"] is None:
                raise ValueError("path: the goal is not in the house")
            group = "both directions" if nuance.has_both_dir else "one direction"
            oracle = None if scores["OSR"] is None else bool(scores["OSR"])
            return NuanceScore(
                "VM",
                success=bool(scores["SR"]),
                group=group,
                oracle=oracle,
                spl=scores["SPL"],
                ndtw=scores["nDTW"],
            )
        case "LR":
            return _landmark(walked, nuance, episode, ruler.graph)
        case "RR":
            return _region(walked, nuance, episode)
        case "NU":
            return _numerical(walked, nuance, episode, ruler)


def _position_of(graph: Graph, node: str, field: str) -> NDArray[np.float64]:
    if node not in graph:
        raise ValueError(f"{field}: viewpoint {node} is not in the house")
    return np.asarray(graph.position(node), dtype=float)


def _direction(path: Sequence[str], nuance: Nuance, episode: Episode, graph: Graph) -> NuanceScore:
    """Score a turn: left for ``w_x v_y - w_y v_x > 0``, around above 120 degrees; no move fails."""
    start = _position_of(graph, nuance.gt_vp[0], "gt_vp") if nuance.gt_vp else None
    if start is None:
        raise ValueError("gt_vp: is missing")
    if nuance.heading_vp is not None:
        facing = _position_of(graph, nuance.heading_vp, "heading_vp") - start
    elif len(nuance.gt_vp) > 1 and len(nuance.vp_neg) > 1:
        middle = (
            _position_of(graph, nuance.gt_vp[1], "gt_vp")
            + _position_of(graph, nuance.vp_neg[1], "vp_neg")
        ) / 2
        facing = middle - start
    else:
        raise ValueError("heading_vp: is missing, and gt_vp and vp_neg have no second viewpoint")
    wanted = _turn(nuance, episode)
    # the id of a path ends in its turn: without that end left and right of a start have one name
    pair = None if wanted == "around" else re.sub(r"-path-\d+$", "", _path_id(episode))
    if len(path) < 2:
        return NuanceScore("DC", success=False, group=wanted, pair=pair)
    move = _position_of(graph, path[1], "trajectory") - _position_of(graph, path[0], "trajectory")
    left = bool(facing[0] * move[1] - facing[1] * move[0] > 0)
    around = _angle_deg(facing, move) > _AROUND_DEG
    made = "left" if left else "right"
    if around:
        made = "around"
    return NuanceScore("DC", success=made == wanted, group=wanted, pair=pair)


def _path_id(episode: Episode) -> str:
    """Id of the path; prediction ids are ``<path_id>_<n>``."""
    return episode.path_id or episode.id.rpartition("_")[0]


def _words(nuance: Nuance, episode: Episode) -> str:
    """Return template and instruction, in which the evaluators look for the wanted action."""
    return f"{nuance.template}\n{episode.instruction}".lower()


def _turn(nuance: Nuance, episode: Episode) -> Literal["left", "right", "around"]:
    """Return the wanted turn, by the template or instruction, else by the path id's end."""
    named = re.search(r"\bturn(?: to the)? (left|right|around)\b", _words(nuance, episode))
    end = re.search(r"-path-([012])$", _path_id(episode))
    word = None
    if named:
        word = named[1]
    elif end:
        word = ("right", "left", "around")[int(end[1])]
    match word:
        case "left" | "right" | "around":
            return word
    raise ValueError("instruction_template: names no turn")


def _angle_deg(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    if lengths <= 0:
        return 0.0
    # rounding may pass 1 by a hair, where the arc cosine has no value
    return math.degrees(math.acos(float(np.clip(a @ b / lengths, -1.0, 1.0))))


def _landmark(path: Sequence[str], nuance: Nuance, episode: Episode, graph: Graph) -> NuanceScore:
    """Towards: the end is nearer to the object than the start.

    Past: its projection falls between them, within 3 m.
    """
    if len(nuance.obj_center) < 2:
        raise ValueError("obj_center: is no position")
    thing = np.asarray(nuance.obj_center[:2], dtype=float)
    start, end = (
        _position_of(graph, episode.start, "path")[:2],
        _position_of(graph, path[-1], "trajectory")[:2],
    )
    text = _words(nuance, episode)
    if "walk towards" in text:
        nearer = np.linalg.norm(end - thing) < np.linalg.norm(start - thing)
        return NuanceScore("LR", success=bool(nearer), group="towards")
    if "walk past" in text:
        near = float(np.linalg.norm(end - thing)) < _NEAR_M
        return NuanceScore("LR", success=near and _passes(start, end, thing), group="past")
    raise ValueError("instruction: says neither walk towards nor walk past")


def _passes(
    start: NDArray[np.float64], end: NDArray[np.float64], thing: NDArray[np.float64]
) -> bool:
    """Whether the object's projection on the line lies between start and end; no length fails."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0:
        return False
    foot = start + along * float((thing - start) @ along) / length**2
    parts = float(np.linalg.norm(foot - start) + np.linalg.norm(end - foot))
    return abs(parts - length) <= _BETWEEN


def _region(path: Sequence[str], nuance: Nuance, episode: Episode) -> NuanceScore:
    """Into: the last viewpoint is a valid end.

    Exit: it is not of the region. Oracle: any viewpoint is so.
    """
    text = _words(nuance, episode)
    if "go into" in text:
        if not nuance.valid_ends:
            raise ValueError("valid_ends: is missing")
        inside = [node in nuance.valid_ends for node in path]
        return NuanceScore("RR", success=inside[-1], group="into", oracle=any(inside))
    if "exit" in text:
        if not nuance.region_starts:
            raise ValueError("region_starts: is missing")
        out = [node not in nuance.region_starts for node in path]
        return NuanceScore("RR", success=out[-1], group="exit", oracle=any(out))
    raise ValueError("instruction: says neither go into nor exit")


def _numerical(path: Sequence[str], nuance: Nuance, episode: Episode, ruler: Ruler) -> NuanceScore:
    """Score a count: the end within 3 m (geodesic) of a true end, the path most like that path.

    The true paths are those whose key ends the path id (``...-2-3``). nDTW is ``exp(-DTW /
    |reference|)``, Euclidean, success distance 1 m, on the plain sum of costs. The published
    evaluator uses the ``dtw`` package, which before version 1.4 divides DTW by the sum of both
    lengths: figures made with such a version are higher.
    """
    wanted = "-".join(_path_id(episode).split("-")[-2:])
    routes = nuance.set_paths.get(wanted, ())
    true = [route for route in routes if route and route[-1] in ruler.graph]
    if not true:
        raise ValueError(f"set_paths: holds no path under {wanted!r}")
    away_m = ruler.matrix_m([path[-1]], [route[-1] for route in true])[0]
    nearest = true[int(np.argmin(away_m))]
    own = _ndtw(path, nearest, ruler.graph)
    wrong: list[tuple[str, ...]] = []
    for key, others in nuance.set_paths.items():
        if key != wanted:
            wrong += others
    # below every nDTW: without wrong paths it is enough to arrive
    likest = max((_ndtw(path, route, ruler.graph) for route in wrong), default=-1.0)
    arrived = bool(away_m.min() <= _NEAR_M)
    success = arrived and own > likest
    return NuanceScore("NU", success=success, group=wanted, oracle=arrived, ndtw=own)


def _ndtw(path: Sequence[str], reference: Sequence[str], graph: Graph) -> float:
    nodes = [node for node in reference if node in graph]
    if not nodes:
        return 0.0
    p = np.array([graph.position(node) for node in nodes])
    q = np.array([graph.position(node) for node in path if node in graph])
    costs = np.linalg.norm(p[:, None] - q[None], axis=-1)
    return math.exp(-dtw_m(costs) / (len(nodes) * _NU_SUCCESS_M))


def summarise_nuances(scores: Iterable[NuanceScore]) -> tuple[NuanceSummary, ...]:
    """Means by class, in the order of `CLASSES`; classes without episodes are left out."""
    by_class: dict[NuanceClass, list[NuanceScore]] = {}
    for score in scores:
        by_class.setdefault(score.kind, []).append(score)
    return tuple(_summary(kind, by_class[kind]) for kind in CLASSES if kind in by_class)


def _summary(kind: NuanceClass, scores: Sequence[NuanceScore]) -> NuanceSummary:
    groups: dict[str, list[NuanceScore]] = {}
    for score in scores:
        groups.setdefault(score.group, []).append(score)
    pairs = _pairs(scores)
    return NuanceSummary(
        kind,
        _means(scores),
        {name: _means(groups[name]) for name in sorted(groups)},
        sum(pairs) / len(pairs) if pairs else None,
        len(pairs),
    )


def _means(scores: Sequence[NuanceScore]) -> NuanceMeans:
    return NuanceMeans(
        len(scores),
        sum(score.success for score in scores) / len(scores),
        _mean([score.oracle for score in scores]),
        _mean([score.spl for score in scores]),
        _mean([score.ndtw for score in scores]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


def _pairs(scores: Sequence[NuanceScore]) -> list[bool]:
    """Whether all turns of a start succeed, for each start with left and right; no around."""
    starts: dict[str, list[NuanceScore]] = {}
    for score in scores:
        if score.pair is not None:
            starts.setdefault(score.pair, []).append(score)
    both = {"left", "right"}
    pairs = []
    for turns in starts.values():
        groups, successes = {turn.group for turn in turns}, [turn.success for turn in turns]
        if both <= groups:
            pairs.append(all(successes))
    return pairs
