"""What two walks of one episode do where they part, in turn words."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.analysis.turns import STRAIGHT_DEG, bend_deg, first_heading_deg
from navviz.records import Trace
from navviz.world.geometry import compass
from navviz.world.graph import Graph

_TURN_DEG, _SHARP_DEG = 50.0, 115.0
"""A smaller change of heading bears to a side, a larger one turns sharply."""


def turns_apart(walks: Sequence[Trace], graph: Graph) -> list[tuple[str, str]]:
    """Say what each of two walks does where they part: the node that it goes to, and turn words.

    Empty where they do not part, or for poses of a free walk.
    """
    paths = [trace.path for trace in walks]
    shared = 0
    for nodes in zip(*paths, strict=False):
        if len(set(nodes)) > 1:
            break
        shared += 1
    known = all(node in graph for path in paths for node in path)
    if not shared or not known:
        return []
    apart, bends = [], []
    for path in paths:
        bends.append(bend_deg(path, graph, shared - 1))
        if len(path) == shared:
            apart.append((path[-1], "stopped"))
        elif shared == 1:
            heading = compass(first_heading_deg(path, graph)).lower()
            apart.append((path[1], f"set out {heading}"))
        else:
            back = shared > 1 and path[shared] == path[shared - 2]
            words = "turned back" if back else _bend_words(bends[-1])
            apart.append((path[shared], words))
    if all(len(path) == shared for path in paths):
        return []
    (_, first), (node, second) = apart
    # two ways to one side: which of them is meant must be seen
    if first == second:
        apart[1] = (node, f"took the way further {'left' if bends[1] < bends[0] else 'right'}")
    return apart


def _bend_words(bend: float) -> str:
    if abs(bend) < STRAIGHT_DEG:
        return "went straight on"
    side = "left" if bend < 0 else "right"
    if abs(bend) < _TURN_DEG:
        return f"bore {side}"
    return f"turned {'sharply ' if abs(bend) > _SHARP_DEG else ''}{side}"
