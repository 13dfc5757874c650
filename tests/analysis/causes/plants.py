"""One change each to a faultless walk, by the explanation that it plants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from navviz.records import Candidate, EndStatus
from tests.analysis.causes.planted import BLOCK, Move, Walk, cut, onward, turned

OTHER = {"left": "right", "right": "left"}


def _goal(walk: Walk, number: int, text: str) -> Walk:
    goals = list(walk.goals)
    goals[number] = text
    return replace(walk, goals=goals, instruction=". ".join(goals) + ".")


def _straight_on(walk: Walk, steps: int = 1, **changes: object) -> Walk:
    """Go straight on where the route turns first, with the sub-goal of the turn due."""
    walk = cut(walk, 2)
    begin = walk.moves[0].path
    way = [*begin[-2:], *onward(begin, BLOCK + 1)[1:]]
    first = replace(walk.moves[1], path=way[1:], **changes)
    moves = [walk.moves[0], first]
    for _ in range(steps):
        moves.append(replace(first, path=onward(moves[-1].path, 2), shown=[]))
    return replace(walk, moves=moves, status=EndStatus.LIMIT, reason="the limit of steps")


def _to_the_other_side(walk: Walk, **changes: object) -> Walk:
    way, side = walk.moves[1].path[:-1], OTHER[walk.sides[0]]
    path = [*way, *turned(way, side, 3)[1:]]
    return replace(walk, moves=[walk.moves[0], replace(walk.moves[1], path=path, **changes)])


def illegal_reply(walk: Walk) -> Walk:
    last = replace(walk.moves[2], reply="", status="IN_PROGRESS", path=walk.moves[2].path[:1])
    return replace(
        walk, moves=[*walk.moves[:2], last], status=EndStatus.ERROR, reason="an empty reply"
    )


def stood_still(walk: Walk) -> Walk:
    here = walk.moves[2].path[0]
    last = replace(walk.moves[2], path=[here], target=here)
    return replace(walk, moves=[*walk.moves[:2], last], reason="start and end are the same")


def contradicted(walk: Walk) -> Walk:
    """Swap the side of the first turn in the instruction and the plan, and follow them."""
    walk = _goal(walk, 1, walk.goals[1].replace(walk.sides[0], OTHER[walk.sides[0]]))
    return _to_the_other_side(walk)


def label_contradicts(walk: Walk) -> Walk:
    place, due = walk.route[walk.turns[0]], walk.route[walk.turns[0] + 1]
    word = OTHER[walk.sides[0]].title()
    return _straight_on(walk, same_word=(place, due, walk.ahead[0]), word=word)


def way_never_shown(walk: Walk) -> Walk:
    at = walk.turns[0]
    return _straight_on(walk, hidden={*walk.route[at + 1 : at + 4]})


def plan_wrong(walk: Walk) -> Walk:
    """Swap the side of the first turn in the plan, and follow the plan."""
    goals = list(walk.goals)
    goals[1] = goals[1].replace(walk.sides[0], OTHER[walk.sides[0]])
    # so that no line beside it has the side of the turn
    goals[2] = "Go straight through the light"
    return _to_the_other_side(replace(walk, goals=goals))


def plan_lost_landmark(walk: Walk) -> Walk:
    """Leave the goal's shop out of the plan, and walk past it."""
    goals = [*walk.goals[:-1], "Walk on and end there"]
    last = walk.moves[-1]
    way = [*last.path, *onward(last.path, BLOCK)[1:]]
    return replace(walk, goals=goals, moves=[*walk.moves[:-1], replace(last, path=way, shown=[])])


def rule_named(walk: Walk) -> Walk:
    rules = "RULES\n1. Early Corner Prevention: never leave the street before the last light."
    words = "By early corner prevention I stay on this street."
    return _straight_on(walk, rules=rules, thoughts=words)


def miscounted(walk: Walk) -> Walk:
    """Stay in "through two lights" over the turn and one light more."""
    walk = cut(walk, 1)
    first = walk.moves[0]
    more = replace(first, path=onward(first.path, 2 * BLOCK), status="IN_PROGRESS")
    moves = [replace(first, status="IN_PROGRESS"), more]
    return replace(walk, moves=moves, status=EndStatus.LIMIT, reason="the limit of steps")


def repeated(walk: Walk) -> Walk:
    """Leave the turn open after it was made, so that it is made again at the next light."""
    first = replace(walk.moves[1], status="IN_PROGRESS")
    way = walk.moves[2].path[:-1]
    again = turned(way, walk.sides[0], 3)
    second = replace(walk.moves[1], path=[*way, *again[1:]])
    return replace(walk, moves=[walk.moves[0], first, second])


def closed_early(walk: Walk) -> Walk:
    """Close "turn at the shop" a block before it, and go straight on over it."""
    first = replace(walk.moves[0], path=walk.moves[0].path[: -BLOCK - 1])
    second = Move(1, onward(first.path, 2), shown=[walk.names[0]])
    third = Move(2, onward(second.path, 2 * BLOCK), shown=[])
    return replace(walk, moves=[first, second, third])


def waits_for(walk: Walk) -> Walk:
    words = f"The {walk.names[0]} is not in the prompt. I go on."
    return _straight_on(walk, thoughts=words, status="IN_PROGRESS", shown=[])


def closed_late(walk: Walk) -> Walk:
    """Stay in the first sub-goal, which names no end, over the turn."""
    return miscounted(_goal(walk, 0, f"Continue straight through {walk.counts} lights"))


def landmark_node_taken(walk: Walk) -> Walk:
    """Stop at the light before the goal, to which the prompt ties the goal's shop."""
    first = replace(walk.moves[3], path=walk.moves[3].path)
    here = first.path[-1]
    early = Move(4, [here], shown=[walk.names[1]], shown_at=here, target=here, stop=True)
    return replace(walk, moves=[*walk.moves[:3], first, early])


def ambiguous(walk: Walk) -> Walk:
    due = walk.route[walk.turns[0] : walk.turns[0] + 2]
    walk = _straight_on(walk)
    first, left, *later = walk.moves
    candidates = (
        Candidate(node=left.path[-1], state="chosen", score=0.5, path=tuple(left.path)),
        Candidate(node=due[-1], state="rejected", score=0.4, path=tuple(due)),
    )
    return replace(walk, moves=[first, replace(left, candidates=candidates), *later])


def landmark_never_shown(walk: Walk) -> Walk:
    return _straight_on(walk, steps=0, shown=[])


def landmark_passed_over(walk: Walk) -> Walk:
    return _straight_on(walk, steps=0)


def landmark_tied_beyond(walk: Walk) -> Walk:
    """Tie the shop of the turn to a node straight on past it, and go there."""
    return _straight_on(walk, steps=0, shown_at=walk.ahead[1])


def against_sub_goal(walk: Walk) -> Walk:
    walk = _goal(walk, 1, f"Turn {walk.sides[0]} at the following light")
    return _to_the_other_side(walk, shown=[])


def against_thoughts(walk: Walk) -> Walk:
    """Think of the turn in another sub-goal's time, and go straight on."""
    walk = _goal(walk, 1, f"Turn {walk.sides[0]} at the following light")
    return _straight_on(walk, steps=0, shown=[], thoughts=f"I turn {walk.sides[0]} here.")


def landmark_not_on_map(walk: Walk) -> Walk:
    walk = _goal(walk, 1, f"Turn {walk.sides[0]} at Zebra Quarry")
    names = ("Zebra Quarry", walk.names[1])
    return _straight_on(replace(walk, names=names), steps=0, shown=[])


PLANTS: dict[str, Callable[[Walk], Walk]] = {
    "illegal-reply": illegal_reply,
    "stood-still": stood_still,
    "instruction-contradicts-route": contradicted,
    "label-contradicts": label_contradicts,
    "way-never-shown": way_never_shown,
    "plan-wrong": plan_wrong,
    "plan-lost-landmark": plan_lost_landmark,
    "rule-named": rule_named,
    "landmark-tied-beyond": landmark_tied_beyond,
    "miscounted": miscounted,
    "repeated": repeated,
    "closed-early": closed_early,
    "waits-for": waits_for,
    "closed-late": closed_late,
    "landmark-node-taken": landmark_node_taken,
    "ambiguous": ambiguous,
    "landmark-never-shown": landmark_never_shown,
    "landmark-passed-over": landmark_passed_over,
    "against-sub-goal": against_sub_goal,
    "against-thoughts": against_thoughts,
    "landmark-not-on-map": landmark_not_on_map,
}
