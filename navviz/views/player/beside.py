"""Two walks of one episode beside each other: which steps are as far along the way, and what the
other one said there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from navviz.records import Step
from navviz.views.player.schema_world import StepTexts
from navviz.views.player.writer import Writer
from navviz.world.graph import Graph

_SAME_M = 0.5


def partners(
    steps: Sequence[Step], others: Sequence[Step], graph: Graph
) -> tuple[list[int], int | None]:
    """Return for each step the step of the other walk that was decided as far along its way, and
    the step whose move parts from the other walk's; both are counted from 1.

    Steps that part belong together, and so do those after them. ``None`` where neither walk parts.
    """
    if not steps or not others:
        return [], None
    ways = [_way(steps), _way(others)]
    shared = 0
    for own, other in zip(*(nodes for nodes, _ in ways), strict=False):
        if own != other:
            break
        shared += 1
    begun_m, other_begun_m = (_begun_m(way, graph) for way in ways)
    parts = any(len(nodes) > shared for nodes, _ in ways)
    at, other_at = (_moves_beyond(ends, shared) for _, ends in ways)
    pairs = []
    for number, walked_m in enumerate(begun_m):
        near = bisect_right(other_begun_m, walked_m + _SAME_M)
        same = bisect_left(other_begun_m, walked_m - _SAME_M)
        if same < near:
            # of steps that stand at one place, the first belongs to the first
            stood = number - bisect_left(begun_m, walked_m - _SAME_M)
            near = min(same + stood + 1, near)
        if parts and number == at:
            near = other_at + 1
        elif parts:
            near = min(near, other_at + 1) if number < at else max(near, other_at + 1)
        pairs.append(max(1, near))
    return pairs, at + 1 if parts else None


def _way(steps: Sequence[Step]) -> tuple[list[str], list[int]]:
    """Return the nodes of a walk without repeats, and how many each step had come to at its end."""
    nodes, ends = list[str](), list[int]()
    following = [*(step.node for step in steps[1:]), None]
    for step, after in zip(steps, following, strict=True):
        # a log without paths went to where the next step stands
        for node in step.path or (step.node, after):
            if node is not None and (not nodes or node != nodes[-1]):
                nodes.append(node)
        ends.append(len(nodes))
    return nodes, ends


def _begun_m(way: tuple[list[str], list[int]], graph: Graph) -> list[float]:
    """Return the metres walked before each step."""
    nodes, ends = way
    walked_m = [0.0]
    for a, b in pairwise(nodes):
        known = a in graph and b in graph
        walked_m.append(walked_m[-1] + (graph.link_m(a, b) if known else 0.0))
    return [0.0, *(walked_m[end - 1] if end else 0.0 for end in ends[:-1])]


def _moves_beyond(ends: Sequence[int], shared: int) -> int:
    """Return the place of the first step that walks beyond the shared nodes, else of the last."""
    return next((k for k, end in enumerate(ends) if end > shared), len(ends) - 1)


def step_texts(step: Step, writer: Writer) -> StepTexts:
    """Return what a step of the run compared with said."""
    call = step.calls[-1] if step.calls else None
    goal = None
    if step.sub_goal is not None and step.sub_goal < len(step.plan):
        goal = writer.strings.add(step.plan[step.sub_goal].description)
    return StepTexts(
        sub_goal=goal,
        thoughts=writer.strings.add(call.thoughts) if call and call.thoughts else None,
        reply=writer.strings.add(call.reply) if call and call.reply else None,
        reason=step.decision.reason if step.decision is not None else None,
    )
