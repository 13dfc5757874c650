"""Judge replies as GROKE's released scripts do (``process_results.py``), unlike their prompts.

They look for the way to the named node on the whole map, shown or not. Where there is none, since
the agent stands on that node or cannot reach it, the walk counts as done. A node that is not on the
map ends the prompts, too.
"""

from __future__ import annotations

from navviz.records import Decision, EndEvent, SubGoal
from navviz.systems.groke.prompts.visible_area import View
from navviz.systems.groke.reply import Answer
from navviz.world.graph import Graph

_STAYED = "The reply names the node where the agent stands."
_NO_WAY = "The reply names {}, to which there is no way on the map."


def anywhere(answer: Answer, view: View, graph: Graph) -> Answer:
    """Return an answer with the way on the map to a node that the prompt does not show."""
    decision = answer.decision
    target = decision.target
    # without a status the reply stays a fault, whatever place it names
    if decision.legal or decision.sub_goal_status is None:
        return answer
    if target is None or target not in graph:
        return answer
    route = graph.hops(view.node, target)
    if route is None or len(route) < 2:
        return answer
    # a fresh decision: the old one still says that the node is not on the map shown
    gone = Decision(target=target, sub_goal_status=decision.sub_goal_status, reason=decision.reason)
    return Answer(gone, tuple(route))


def published_end(answer: Answer, view: View, plan: tuple[SubGoal, ...]) -> EndEvent | None:
    """Return the end that a reply causes; ``None`` where the walk or the prompting goes on."""
    target = answer.decision.target
    if target is None or answer.route:
        return None
    reason = _STAYED if target == view.node else _NO_WAY.format(target[:60])
    return EndEvent(status="done", reason=reason, node=view.node, plan=plan)
