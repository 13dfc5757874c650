"""Keep what was computed of a graph for as long as the graph lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from navviz.world.graph import Graph

Value = TypeVar("Value")

_COMPUTED: weakref.WeakKeyDictionary[Graph, dict[Callable[[Graph], Any], Any]] = (
    weakref.WeakKeyDictionary()
)


def per_graph(function: Callable[[Graph], Value]) -> Callable[[Graph], Value]:
    """Compute a function of a graph once for each graph that is alive.

    Its result must not refer to the graph, else neither is ever forgotten. Two threads that ask at
    the same time may both compute it; both get equal results.
    """

    @wraps(function)
    def computed_once(graph: Graph) -> Value:
        values = _COMPUTED.setdefault(graph, {})
        if function not in values:
            values[function] = function(graph)
        value: Value = values[function]
        return value

    return computed_once
