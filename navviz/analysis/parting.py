"""Where walks of one episode part: the last node that all reach together, and the step of each that
leaves it.

Steps of different navigators do not match: one moves over five nodes where another takes five
steps. So walks are laid beside each other node by node, and each is asked for its own step there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from navviz.errors import InputError
from navviz.records import Step, Trace


@dataclass(frozen=True)
class Parting:
    """Where walks part."""

    node: str
    """The last node that all of them reach by the same way."""
    nodes: int
    """How many nodes they share, the start among them."""
    apart: bool
    """False where all walk the same way to its end."""
    steps: Mapping[str, Step | None]
    """By walk: the step that goes on from there, or the last one where it stops there; ``None``
    without steps.
    """
    onward: Mapping[str, str | None]
    """By walk: the node it goes to next; ``None`` where it stops."""


def find_parting(traces: Mapping[str, Trace]) -> Parting:
    """Find where walks of one episode part.

    Parameters
    ----------
    traces
        Two or more walks of one episode, by the names of their runs.

    Raises
    ------
    InputError
        For fewer than two walks, or walks that start at different nodes.
    """
    if len(traces) < 2:
        raise InputError("needs at least two walks", "choose another run")
    paths = {name: trace.path for name, trace in traces.items()}
    shared = 0
    # not strict: a walk that stops parts from those that go on
    for nodes in zip(*paths.values(), strict=False):
        if len(set(nodes)) > 1:
            break
        shared += 1
    if not shared:
        raise InputError("the walks start at different nodes", "choose runs of the same episode")
    first = next(iter(paths.values()))
    onward: dict[str, str | None] = dict.fromkeys(paths)
    for name, path in paths.items():
        if len(path) > shared:
            onward[name] = path[shared]
    return Parting(
        node=first[shared - 1],
        nodes=shared,
        apart=any(node is not None for node in onward.values()),
        steps={name: _step_beyond(trace, shared) for name, trace in traces.items()},
        onward=onward,
    )


def _step_beyond(trace: Trace, shared: int) -> Step | None:
    """Return the first step that walks beyond the first `shared` nodes of the path; the last one
    where none does.
    """
    last, count = trace.episode.start, 1
    for step in trace.steps:
        for node in step.path or ((step.node,) if step.node else ()):
            if node != last:
                last, count = node, count + 1
        if count > shared and step.path:
            return step
        if count > shared:
            return _before(trace, step)
    return trace.steps[-1] if trace.steps else None


def _before(trace: Trace, step: Step) -> Step:
    """Return the step before one that tells where it stands but not how it came there."""
    at = trace.steps.index(step)
    return trace.steps[at - 1] if at else step
