"""Each step of a walk in turn words: what it did where it was decided, and what the route does."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.analysis.turns import STRAIGHT_DEG, bend_deg, first_heading_deg, walked_turns
from navviz.metrics.registry import format_value, is_near_radius
from navviz.records import Trace
from navviz.records.base import plural
from navviz.world.geometry import compass
from navviz.world.graph import Graph

_TURN_DEG, _SHARP_DEG = 50.0, 115.0
"""A smaller change of heading bears to a side, a larger one turns sharply."""
_WENT = ("went straight on", "bore", "turned")
_GOES = ("goes straight on", "bears", "turns")


def moves_in_words(trace: Trace, graph: Graph) -> list[str | None]:
    """Say each step's move: ``turned right, 84 m; the route goes straight on``.

    ``None`` for a step that neither moved nor stopped, for poses of a free walk, and where the
    graph lacks a node of the walk. The route is named at the step that leaves it.
    """
    path = trace.path
    if trace.is_free or len(path) < 2 or any(node not in graph for node in path):
        return [None] * len(trace.steps)
    turns = walked_turns(path, graph, STRAIGHT_DEG)
    route = trace.episode.reference_path
    parts_at = next(
        (k for k, (own, due) in enumerate(zip(path, route, strict=False)) if own != due),
        min(len(path), len(route)),
    )
    is_near = is_near_radius(trace.episode.success_radius_m)
    sentences: list[str | None] = []
    last = 0
    for step in trace.steps:
        begin = last
        for node in step.path or ((step.node,) if step.node else ()):
            last += node != path[last]
        stops = step.decision is not None and step.decision.stop
        if last == begin:
            sentences.append("stopped" if stops else None)
            continue
        made = []
        if begin == 0:
            made.append(f"set out {compass(first_heading_deg(path, graph)).lower()}")
        elif path[begin - 1] == path[begin + 1]:
            made.append("turned back")
        else:
            made.append(_bend_words(bend_deg(path, graph, begin), _WENT))
        for turn in turns:
            if begin < turn.place < last:
                made.append(_bend_words(turn.angle_deg, _WENT))
        more = len(made) - 3
        if more > 0:
            made[3:] = [plural(more, "more turn")]
        length = format_value("NE", graph.path_length_m(path[begin : last + 1]), near=is_near)
        words = f"{', then '.join(made)}, {length}"
        if stops:
            words += ", and stopped"
        if begin < parts_at <= last and all(node in graph for node in route):
            words += _route_words(route, path, parts_at - 1, graph)
        sentences.append(words)
    return sentences


def _route_words(route: tuple[str, ...], path: tuple[str, ...], place: int, graph: Graph) -> str:
    """Say how the route goes on where the walk leaves it."""
    if place >= len(route) - 1:
        return "; the route ends there" if place == len(route) - 1 else ""
    if place == 0:
        return f"; the route sets out {compass(first_heading_deg(route, graph)).lower()}"
    due_deg, made_deg = bend_deg(route, graph, place), bend_deg(path, graph, place)
    goes = _bend_words(due_deg, _GOES)
    # two ways to one side: which of them is meant must be seen
    if place < len(path) - 1 and goes == _bend_words(made_deg, _GOES):
        goes = f"takes the way further {'left' if due_deg < made_deg else 'right'}"
    return f"; the route {goes} there"


def _bend_words(bend: float, words: tuple[str, str, str]) -> str:
    straight, bears, turns = words
    if abs(bend) < STRAIGHT_DEG:
        return straight
    side = "left" if bend < 0 else "right"
    if abs(bend) < _TURN_DEG:
        return f"{bears} {side}"
    return f"{turns} {'sharply ' if abs(bend) > _SHARP_DEG else ''}{side}"


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
    apart = []
    for path in paths:
        if len(path) == shared:
            apart.append((path[-1], "stopped"))
        elif shared == 1:
            heading = compass(first_heading_deg(path, graph)).lower()
            apart.append((path[1], f"set out {heading}"))
        else:
            back = shared > 1 and path[shared] == path[shared - 2]
            words = "turned back" if back else _bend_words(bend_deg(path, graph, shared - 1), _WENT)
            apart.append((path[shared], words))
    return apart if any(len(path) > shared for path in paths) else []
