"""Walks of a cube: by copies of the navigator's state where it has one, else by forks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from navviz.analysis.what_if.cube import (
    ForkNode,
    Judge,
    StopCell,
    WhatIf,
    WhatIfCell,
    check_walk,
    forks_of,
)
from navviz.errors import InputError, NavVizError, SettingsError
from navviz.records import EndEvent, EndStatus, MoveEvent, RepairPlan, Trace
from navviz.runner.repairs import repaired
from navviz.runner.verify import settings_as_walked
from navviz.systems.base import Navigator, Settings, asks_model
from navviz.systems.registry import branches_of, get_navigator
from navviz.world.graph import Graph

Walk = Callable[[ForkNode, str | None], tuple[str, ...]]
"""Walks on after a link (``None``: the stop) and returns all nodes from the fork on."""


@dataclass
class Walker:
    """Who walks on, with what it has seen of its maps."""

    navigator: Navigator
    settings: Settings
    results: Path | None = None
    seen: dict[int, Any] = field(default_factory=dict)
    """By the graph's identity; each holds its graph alive."""


def walker_of(trace: Trace, results: Path | None = None) -> Walker:
    """Return the navigator of a walk, which must ask no model.

    Raises `SettingsError` when it is not there, asks a model, or its settings are not known.
    """
    navigator = get_navigator(trace.header.navigator)
    settings = settings_as_walked(trace, navigator, results)
    if asks_model(navigator, settings):
        raise SettingsError(
            f"{navigator.name} asks a model: what if is sampled on demand (--samples), or read by"
            " the follower (--follower)."
        )
    return Walker(navigator, settings, results)


def cube_of(trace: Trace, graph: Graph, walker: Walker | None = None) -> WhatIf:
    """Return all what-ifs of a walk of a navigator without a model.

    Raises `InputError` when the episode has no goal on the map, or the walk is no walk from node to
    node; `SettingsError` as `walker_of`.
    """
    judge = check_walk(trace, graph)
    walker = walker or walker_of(trace)
    walk_on = _copied(trace, graph, walker) or _forked(trace, graph, walker)
    cells: list[WhatIfCell] = []
    problems: list[str] = []
    for fork in forks_of(trace, graph):
        for link in (fork.taken, *fork.others):
            try:
                tail = walk_on(fork, link)
            except NavVizError as error:
                problems.append(f"step {fork.step}, {fork.node} to {link}: {error}")
                continue
            cells.append(judge.cell(fork, link, tail))
    return cube_with(trace, judge, walker.navigator.name, cells, problems)


def cube_with(
    trace: Trace, judge: Judge, navigator: str, cells: list[WhatIfCell], problems: list[str]
) -> WhatIf:
    """Return the cube of cells that were walked, with the stop cells, which cost nothing."""
    stops = []
    for step in trace.steps:
        nodes = step.path or ((step.node,) if step.node is not None else ())
        for node, ne_m in zip(nodes, judge.ne_m(nodes), strict=True):
            stops.append(StopCell(step.index, node, ne_m))
    end = trace.path[-1]
    ne_m = judge.ne_m([end])[0]
    return WhatIf(
        trace.episode.id,
        navigator,
        ne_m,
        success=ne_m is not None and ne_m <= judge.radius_m,
        steps=tuple(step.index for step in trace.steps),
        cells=tuple(cells),
        stops=tuple(stops),
        end=end,
        problems=tuple(problems),
    )


def _copied(trace: Trace, graph: Graph, walker: Walker) -> Walk | None:
    """Return walks by copies of the navigator's state."""
    branching = branches_of(walker.navigator)
    if branching is None:
        return None
    branches = branching(trace.episode, graph, walker.settings, walker.seen)
    own = list(branches.paths)
    recorded = [step.path or (step.node,) for step in trace.steps]
    if own != recorded:
        return None

    def walk(fork: ForkNode, link: str | None) -> tuple[str, ...]:
        at = len(fork.way) - 1
        if link == fork.taken:
            # its own walk, which it has just taken again
            rest = list(own[fork.place][at:])
            for path in own[fork.place + 1 :]:
                rest += path[1:]
            return tuple(rest)
        nodes = [*fork.way, link or ""]
        for path, _ in branches.after(fork.place, tuple(nodes)):
            nodes += path[1:]
        return tuple(nodes[at:])

    return walk


def _forked(trace: Trace, graph: Graph, walker: Walker) -> Walk:
    """Return walks by forks of the trace: each begins anew with the walk up to its link."""

    def walk(fork: ForkNode, link: str | None) -> tuple[str, ...]:
        plan = None
        if link is not None:
            parameters = {"node": fork.node, "to": link}
            plan = RepairPlan(kind="take_link", step=fork.step, parameters=parameters)
        past = repaired(trace, plan, graph, fork.step)
        nodes = list(past.path)
        before = len(trace.model_copy(update={"steps": trace.steps[: fork.place]}).path)
        for event in walker.navigator.navigate(past.episode, graph, None, walker.settings, past):
            if isinstance(event, MoveEvent):
                nodes += event.path[1:]
            if isinstance(event, EndEvent) and event.status == EndStatus.ERROR:
                raise InputError(
                    event.reason or "the walk ended in an error",
                    "choose another link",
                    episode=trace.episode.id,
                    field="what if",
                )
        # taken again from its step on, a walk may stop before it comes to the fork
        return tuple(nodes[before - 1 + len(fork.way) - 1 :] or nodes[-1:])

    return walk
