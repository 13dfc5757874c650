"""REVERIE's metrics: stop where the target can be seen, and name it (Qi et al. 2020).

An episode of REVERIE ends well where its last viewpoint is one from which the target object is
visible, however far the annotated path's end is; ``SR`` beside it asks for 3 m. The viewpoints come
from REVERIE's object files (`navviz.formats.houses`), the object that an agent names from its
result (``predObjId`` or ``pred_objid``).

References
----------
Qi et al., "REVERIE: Remote Embodied Visual Referring Expression in Real Indoor Environments", CVPR
2020, arXiv:1904.10151, and its evaluation script.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from navviz.metrics.registry import Metric
from navviz.metrics.walked import ScoredPath
from navviz.records import Trace
from navviz.world.graph import Graph

_Q = "Qi et al. 2020 (REVERIE), arXiv:1904.10151"
_SHORTEST_M = 0.01
"""Least denominator of the published script, for paths of no length."""

METRICS: tuple[Metric, ...] = (
    Metric(
        "SR_reverie",
        "success by visible viewpoints",
        "fraction",
        "higher",
        "1 if the last viewpoint sees o*",
        _Q,
        yes_no=True,
        per_cent="everywhere",
        label="Target seen",
        help="REVERIE's success: 1 if the last viewpoint sees the target object",
        digits=0,
        shown={"object": 6, "head object": 5, "last columns": 2},
    ),
    Metric(
        "OSR_reverie",
        "oracle success by visible viewpoints",
        "fraction",
        "higher",
        "1 if any sees o*",
        _Q,
        yes_no=True,
        per_cent="everywhere",
    ),
    Metric(
        "SPL_reverie",
        "SPL by visible viewpoints",
        "fraction",
        "higher",
        "SR_reverie * RL / max(TL, RL, 0.01)",
        _Q,
        per_cent="in tables",
        label="SPL, target seen",
        shown={"object": 7},
    ),
    Metric(
        "RGS",
        "remote grounding success",
        "fraction",
        "higher",
        "1 if the named object is o*",
        _Q,
        yes_no=True,
        per_cent="everywhere",
        help="Remote grounding success: 1 if the object that was named is the target",
        digits=0,
        shown={"object": 8, "head object": 6, "last columns": 3},
    ),
    Metric(
        "RGSPL",
        "RGS weighted by path length",
        "fraction",
        "higher",
        "RGS * RL / max(TL, RL, 0.01)",
        _Q,
        per_cent="in tables",
        shown={"object": 9},
    ),
)

# the data set and the results of agents spell them differently
_TARGETS = ("objId", "objid")
_PREDICTED = ("predObjId", "pred_objid")


def reverie_scores(
    path: Sequence[str],
    visible_from: Collection[str],
    length_m: float,
    reference_m: float,
    named: str | None = None,
    target: str | None = None,
) -> dict[str, float | None]:
    """All five metrics of one walk.

    `path`: viewpoints walked, the last one where the agent stopped. `visible_from`: viewpoints from
    which the target object can be seen; without any there is no success to ask for. `length_m` and
    `reference_m`: lengths of the walk and of the annotated path in metres. `named` and `target`:
    object that the agent named, and the target object; without a named object there is neither RGS
    nor RGSPL.
    """
    ratio = reference_m / max(length_m, reference_m, _SHORTEST_M)
    scores: dict[str, float | None] = {metric.name: None for metric in METRICS}
    # a failure and an unknown target are two things: without viewpoints the figures stay unknown
    if visible_from and path:
        success = float(path[-1] in visible_from)
        scores["SR_reverie"] = success
        scores["OSR_reverie"] = float(any(node in visible_from for node in path))
        scores["SPL_reverie"] = success * ratio
    if named is not None and target is not None:
        right = float(named == target)
        scores |= {"RGS": right, "RGSPL": right * ratio}
    return scores


def score_walk(walk: ScoredPath) -> dict[str, float | None]:
    """Measure one walk as REVERIE does; see `score_reverie`."""
    return score_reverie(walk.trace, walk.graph)


def _first_given(values: Mapping[str, object], names: Sequence[str]) -> object:
    """Return the first value that is there; ``None`` where none is."""
    for name in names:
        if values.get(name) is not None:
            return values[name]
    return None


def score_reverie(trace: Trace, graph: Graph) -> dict[str, float | None]:
    """REVERIE's metrics of a trace; empty for an episode without a target object."""
    episode = trace.episode
    target = _first_given(episode.extra, _TARGETS)
    if target is None:
        return {}
    named = _first_given(trace.header.settings, _PREDICTED)
    objects = graph.info.visible_objects
    path = [node for node in trace.path if node in graph]
    reference = [node for node in episode.reference_path if node in graph]
    return reverie_scores(
        path,
        objects.visible_from(str(target)) if objects is not None else (),
        graph.path_length_m(path),
        graph.path_length_m(reference),
        None if named is None else str(named),
        str(target),
    )
