"""MSNav's memory beside any indoor walk: what its map would hold and prune, had it walked so.

No model is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from navviz.observations.discrete_views import candidate_views
from navviz.records import Panel, Step, Trace
from navviz.systems.msnav.map_efficiency import map_efficiency, prints_map
from navviz.systems.msnav.place_map.memory import (
    NAVIGATOR,
    PAPER,
    MapMemory,
    PruningRules,
    rules_of,
)
from navviz.systems.msnav.place_map.panels import is_map, map_panel, map_size, pruning_panel
from navviz.world.graph import Graph

EFFICIENCY_TITLE = "Map efficiency"
_AS_IF = " (as MSNav)"
"""Added to the titles of panels that are not the walker's own."""


def can_show_memory(trace: Trace, graph: Graph) -> bool:
    """Whether the memory can be shown beside a trace: an indoor walk with steps."""
    return graph.frame == "metric" and bool(trace.steps)


def has_own_map(trace: Trace) -> bool:
    """Whether the walk kept such a map itself (`msnav`, or a log of MSNav or MapGPT)."""
    return any(any(map(is_map, step.panels)) for step in trace.steps)


def with_map_efficiency(trace: Trace, graph: Graph) -> Trace:
    """Return a walk that keeps a map of its own with the map's efficiency, other walks as they
    are.
    """
    return with_memory(trace, graph) if has_own_map(trace) else trace


def with_memory(trace: Trace, graph: Graph, rules: PruningRules | None = PAPER) -> Trace:
    """Return the trace with panels of MSNav's memory on each step.

    Parameters
    ----------
    trace
        An indoor walk by anybody. One that has its own map (see `has_own_map`) gets the map
        efficiency only: by the pruning of its settings, or of the maps that a log prints; nothing
        where a walk has several maps.
    graph
        Its house.
    rules
        How to prune; ``None`` never does.

    Returns
    -------
    A copy; the trace itself where the memory cannot be shown (see `can_show_memory`).
    """
    own = has_own_map(trace)
    if not can_show_memory(trace, graph):
        return trace
    if own and prints_map(trace):
        return _with_printed_efficiency(trace)
    if own and trace.header.navigator != NAVIGATOR:  # a staged walk has several maps
        return trace
    # a walk with a map of its own pruned it by its own settings
    memory, steps = MapMemory(rules_of(trace) if own else rules), []
    for step in trace.steps:
        _arrive(memory, graph, step)
        panels = (
            tuple(_panels(memory, trace.episode.reference_path, own=own)) if memory.arrivals else ()
        )
        steps.append(step.model_copy(update={"panels": (*step.panels, *panels)}))
        # the last node of a path is where the next step arrives; the others would be lost
        for node in step.path[1:-1]:
            _add(memory, graph, node)
    return trace.model_copy(update={"steps": tuple(steps)})


def _with_printed_efficiency(trace: Trace) -> Trace:
    """Return a log of MSNav or MapGPT with the efficiency of the maps that it prints."""
    reference, stood, steps = trace.episode.reference_path, set[str](), []
    for step in trace.steps:
        if step.node is not None:
            stood.add(step.node)
        size, panels = map_size(step), step.panels
        if size and reference:
            panels = (*panels, efficiency_panel(*size, stood, reference))
        steps.append(step.model_copy(update={"panels": panels}))
    return trace.model_copy(update={"steps": tuple(steps)})


def _arrive(memory: MapMemory, graph: Graph, step: Step) -> None:
    """Stand where the step begins, unless the agent only stayed there (a refused move is no
    arrival).
    """
    here = memory.trajectory[-1] if memory.trajectory else None
    if step.node is not None and step.node != here:
        _add(memory, graph, step.node)


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
