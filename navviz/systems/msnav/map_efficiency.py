"""How much of an agent's map was of use: map efficiency (Liu et al. 2025, MSNav, equation 6).

``ME = |T n T_exp| / |T_exp| * 1 / (1 + alpha * |V| / |T_exp|)`` with the viewpoints stood on T,
those of the reference path T_exp, and the nodes V of the agent's map at the end; alpha is 0.25. The
paper does not say which nodes count: ``ME`` takes explored and seen nodes still on the map (its
published level fits this one), ``ME_explored`` the explored ones only. An agent that keeps no such
map is scored as if it kept one and never pruned it; of logs of MSNav and MapGPT the map that they
print counts.

References
----------
Liu et al., "MSNav: Zero-Shot Vision-and-Language Navigation with Dynamic Memory and LLM Spatial
Reasoning", 2025, arXiv:2508.16654.
"""

from __future__ import annotations

from collections.abc import Collection

from navviz.metrics.registry import Metric
from navviz.metrics.walked import ScoredPath
from navviz.records import Trace
from navviz.systems.msnav.place_map.memory import MAPGPT, NAVIGATOR, MapMemory, memory_of, rules_of
from navviz.systems.msnav.place_map.panels import map_size
from navviz.world.graph import Graph

ALPHA = 0.25
"""Weight of the map's size, equation 6."""

_NAMES = ("ME", "ME_explored")
_SOURCE = "Liu et al. 2025 (MSNav), arXiv:2508.16654, eq. 6"

METRICS: tuple[Metric, ...] = (
    Metric(
        "ME",
        "map efficiency",
        "fraction",
        "higher",
        "|T n R| / |R| / (1 + 0.25 |V| / |R|), V: seen nodes",
        _SOURCE,
        per_cent="everywhere",
    ),
    Metric(
        "ME_explored",
        "map efficiency, explored nodes",
        "fraction",
        "higher",
        "as ME with V: explored nodes on the map",
        _SOURCE,
        per_cent="everywhere",
    ),
)


def map_efficiency(
    stood: Collection[str], reference: Collection[str], nodes: int, alpha: float = ALPHA
) -> float | None:
    """Equation 6.

    Parameters
    ----------
    stood
        Viewpoints that the agent stood on; repeats count once.
    reference
        Viewpoints of the reference path; repeats count once.
    nodes
        Number of nodes of the agent's map at the end.
    alpha
        Weight of the map's size.

    Returns
    -------
    A fraction, or ``None`` without a reference path.
    """
    expected = set(reference)
    if not expected:
        return None
    covered = len(expected & set(stood)) / len(expected)
    return covered / (1.0 + alpha * nodes / len(expected))


def memory_efficiency(memory: MapMemory, reference: Collection[str]) -> dict[str, float | None]:
    """``ME`` and ``ME_explored`` of a map as it stands."""
    return {
        "ME": map_efficiency(memory.trajectory, reference, len(memory.nodes)),
        "ME_explored": map_efficiency(memory.trajectory, reference, len(memory.explored)),
    }


def prints_map(trace: Trace) -> bool:
    """Whether it is a log of MSNav or MapGPT: its map is known from its panels, not from
    settings.
    """
    return trace.header.navigator in {NAVIGATOR, MAPGPT} and "pruning" not in trace.header.settings


def score_walk(walk: ScoredPath) -> dict[str, float | None]:
    """Measure the map of one walk; see `score_map`."""
    return score_map(walk.trace, walk.graph)


def score_map(trace: Trace, graph: Graph) -> dict[str, float | None]:
    """Return the map efficiency indoors, by the trace's last map or as if it never pruned."""
    if graph.frame != "metric":
        return {}
    reference = trace.episode.reference_path
    if not reference:
        return dict.fromkeys(_NAMES)
    size = map_size(trace.steps[-1]) if trace.steps and prints_map(trace) else None
    if size is None:
        return memory_efficiency(memory_of(trace.path, graph, rules_of(trace)), reference)
    efficiencies = [map_efficiency(trace.path, reference, count) for count in size]
    return dict(zip(_NAMES, efficiencies, strict=True))
