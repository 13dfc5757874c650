"""MSNav's memory beside any indoor walk: what its map would hold and prune, had it walked so.

No model is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from navviz.metrics.registry import Metric
from navviz.metrics.walked import ScoredPath
from navviz.observations.discrete_views import candidate_views
from navviz.records import Panel, Trace
from navviz.systems.msnav.place_map.memory import (
    MAPGPT,
    NAVIGATOR,
    PAPER,
    PARSER,
    SCRIPT,
    MapMemory,
    PruningRules,
    memory_of,
    rules_of,
)
from navviz.systems.msnav.place_map.panels import is_map, map_panel, map_size, pruning_panel
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
        label="Map efficiency",
        help="How much of the agent's map lay on the reference path (Liu et al. 2025)",
        shown={"house": 8, "last columns": 1},
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
    """Equation 6."""
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
    """Whether it is a log of MSNav or MapGPT: its map is known from its panels."""
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


EFFICIENCY_TITLE = "Map efficiency"

_AS_IF = " (as MSNav)"
"""Added to the titles of panels that are not the walker's own."""

PRUNING = {"paper": PAPER, "script": SCRIPT, "parser": PARSER, "never": None}
"""The numbers of the pruning to choose from, see `with_chosen_memory`."""


def can_show_memory(trace: Trace, graph: Graph) -> bool:
    """Whether the memory can stand beside a trace: an indoor walk with steps and no such map of its
    own, which must not stand beside one that was worked out afterwards.
    """
    return graph.frame == "metric" and bool(trace.steps) and not has_own_map(trace)


def with_chosen_memory(trace: Trace, graph: Graph, option: str) -> Trace:
    """Return the trace with panels of MSNav's memory, pruned by the numbers of that name."""
    return with_memory(trace, graph, PRUNING[option]) if can_show_memory(trace, graph) else trace


def has_own_map(trace: Trace) -> bool:
    """Whether the walk kept such a map itself (`msnav`, or a log of MSNav or MapGPT)."""
    return any(any(map(is_map, step.panels)) for step in trace.steps)


def with_map_efficiency(trace: Trace, graph: Graph) -> Trace:
    """Return a walk with a map of its own with the map's efficiency, others as they are."""
    return with_memory(trace, graph) if has_own_map(trace) else trace


def with_memory(trace: Trace, graph: Graph, rules: PruningRules | None = PAPER) -> Trace:
    """Return the trace with panels of MSNav's memory on each step."""
    own = has_own_map(trace)
    if graph.frame != "metric" or not trace.steps:
        return trace
    if own and prints_map(trace):
        reference, stood, steps = trace.episode.reference_path, set[str](), []
        for step in trace.steps:
            if step.node is not None:
                stood.add(step.node)
            size, panels = map_size(step), step.panels
            if size and reference:
                panels = (*panels, efficiency_panel(*size, stood, reference))
            steps.append(step.model_copy(update={"panels": panels}))
        return trace.model_copy(update={"steps": tuple(steps)})
    if own and trace.header.navigator != NAVIGATOR:  # a staged walk has several maps
        return trace
    # a walk with a map of its own pruned it by its own settings
    memory, steps = MapMemory(rules_of(trace) if own else rules), []
    for step in trace.steps:
        here = memory.trajectory[-1] if memory.trajectory else None
        if step.node is not None and step.node != here:
            _add(memory, graph, step.node)
        panels = (
            tuple(_panels(memory, trace.episode.reference_path, own=own)) if memory.arrivals else ()
        )
        steps.append(step.model_copy(update={"panels": (*step.panels, *panels)}))
        # the last node of a path is where the next step arrives; the others would be lost
        for node in step.path[1:-1]:
            _add(memory, graph, node)
    return trace.model_copy(update={"steps": tuple(steps)})


def _add(memory: MapMemory, graph: Graph, node: str) -> None:
    if node in graph:
        memory.arrive(node, [way.node for way in candidate_views(graph, node)])


def _panels(memory: MapMemory, reference: tuple[str, ...], *, own: bool) -> Iterator[Panel]:
    if not own:
        for panel in (map_panel(memory), pruning_panel(memory)):
            yield panel.model_copy(update={"title": panel.title + _AS_IF})
    if reference:
        yield efficiency_panel(
            len(memory.nodes), len(memory.explored), memory.trajectory, reference
        )


def efficiency_panel(
    nodes: int, explored: int, stood: Collection[str], reference: tuple[str, ...]
) -> Panel:
    """Return the map efficiency so far (Liu et al. 2025, equation 6), by both map sizes."""
    expected = set(reference)
    met = f"{len(expected & set(stood))} of {len(expected)}"
    items: list[list[str | int]] = [
        ["|V|, nodes on the map", nodes],
        ["of them explored", explored],
        ["|T ∩ T_exp|, reference viewpoints stood on", met],
    ]
    for name, count in (("ME", nodes), ("ME_explored", explored)):
        value = map_efficiency(stood, expected, count)
        items.append([name, "–" if value is None else f"{100 * value:.1f} %"])
    return Panel(kind="keyvalue", title=EFFICIENCY_TITLE, data={"items": items})
