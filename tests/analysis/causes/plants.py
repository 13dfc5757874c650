"""One change each to a faultless walk, by the cause that it plants."""

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


def _straight_on(walk: Walk, steps: int = 2, **changes: object) -> Walk:
    """Go straight on where the route turns first, with the sub-goal still in progress."""
    walk = cut(walk, 2)
    begin = walk.moves[0].path
    way = [*begin[-2:], *onward(begin, BLOCK + 1)[1:]]
    first = replace(walk.moves[1], path=way[1:], status="IN_PROGRESS", **changes)
    moves = [walk.moves[0], first]
    for _ in range(steps - 1):
        way = onward(way, BLOCK)
        moves.append(replace(first, path=way))
        way = [moves[-1].path[-2], way[-1]] if len(way) > 1 else way
    return replace(walk, moves=moves, status=EndStatus.LIMIT, reason="the limit of steps")


def landmark_never_shown(walk: Walk) -> Walk:
    return _straight_on(walk, shown=[])


def landmark_not_on_map(walk: Walk) -> Walk:
    missing = "Zebra Quarry"
    walk = _goal(walk, 1, f"Turn {walk.sides[0]} at {missing}")
    return _straight_on(replace(walk, names=(missing, walk.names[1])), shown=[])


def said_missing(walk: Walk) -> Walk:
    return _straight_on(walk, thoughts=f"The {walk.names[0]} is not in the prompt. I go on.")


def condition_unseen(walk: Walk) -> Walk:
    walk = _goal(walk, 1, "Continue until the road merges")
    return _straight_on(replace(walk, names=("light", walk.names[1])), steps=3, shown=[])


def count_lost(walk: Walk) -> Walk:
    walk = cut(walk, 1)
    way = [*walk.moves[0].path, *onward(walk.moves[0].path, 2 * BLOCK)[1:]]
    return replace(walk, moves=[replace(walk.moves[0], path=way)], status=EndStatus.STOPPED)


def closed_early(walk: Walk) -> Walk:
    """Close "through the light" two links on, so that the turn is made a light too soon."""
    begin = walk.moves[:2]
    short = Move(2, walk.moves[2].path[:2])
    rest = [short.path[-1], *walk.moves[2].path[2:-1]]
    turn = turned([*short.path, *rest[1:]], walk.sides[1], 1)
    return replace(walk, moves=[*begin, short, Move(3, [*rest, *turn[1:]])])


def closed_late(walk: Walk) -> Walk:
    """Leave the turn open after it was made, so that it is made again at the next light."""
    first = replace(walk.moves[1], status="IN_PROGRESS")
    way = walk.moves[2].path[:-1]
    again = turned(way, walk.sides[0], 2)
    second = replace(walk.moves[1], path=[*way, *again[1:]])
    return replace(walk, moves=[walk.moves[0], first, second])


def against_sub_goal(walk: Walk) -> Walk:
    """Turn at the light that the sub-goal goes straight through."""
    way = walk.moves[2].path[:-1]
    side = turned(way, "left", 2)
    move = replace(walk.moves[2], path=[*way, *side[1:]])
    return replace(walk, moves=[*walk.moves[:2], move])


def against_thoughts(walk: Walk) -> Walk:
    """Think of the first turn's side where the sub-goal names none, and turn to the other."""
    walk = _goal(walk, 1, f"Take the street at {walk.names[0]}")
    way, side = walk.moves[1].path[:-1], walk.sides[0]
    path = [*way, *turned(way, OTHER[side], 2)[1:]]
    move = replace(walk.moves[1], path=path, thoughts=f"This is the corner. I turn {side} here.")
    return replace(walk, moves=[walk.moves[0], move])


def plan_turns(walk: Walk) -> Walk:
    """Swap the side of the first turn in the plan, and follow the plan."""
    goals = list(walk.goals)
    goals[1] = goals[1].replace(walk.sides[0], OTHER[walk.sides[0]])
    way = walk.moves[1].path[:-1]
    move = replace(walk.moves[1], path=[*way, *turned(way, OTHER[walk.sides[0]], 2)[1:]])
    return replace(walk, goals=goals, moves=[walk.moves[0], move])


def plan_landmarks(walk: Walk) -> Walk:
    """Leave the goal's shop out of the plan, and walk past it."""
    goals = [*walk.goals[:-1], "Walk on and end there"]
    last = walk.moves[-1]
    way = [*last.path, *onward(last.path, BLOCK)[1:]]
    return replace(walk, goals=goals, moves=[*walk.moves[:-1], replace(last, path=way, shown=[])])


def way_hidden(walk: Walk) -> Walk:
    return _straight_on(walk, hidden={walk.route[walk.turns[0] + 1]})


def same_direction(walk: Walk) -> Walk:
    place, due = walk.route[walk.turns[0]], walk.route[walk.turns[0] + 1]
    return _straight_on(walk, same_word=(place, due, walk.ahead[0]))


def no_legal_move(walk: Walk) -> Walk:
    last = replace(walk.moves[2], reply="", status="IN_PROGRESS")
    moves = [*walk.moves[:2], last, replace(last), replace(last)]
    return replace(walk, moves=moves, status=EndStatus.ERROR, reason="three empty replies")


def stood_still(walk: Walk) -> Walk:
    here = walk.moves[2].path[0]
    last = replace(walk.moves[2], path=[here], target=here)
    return replace(walk, moves=[*walk.moves[:2], last], reason="start and end are the same")


def stopped_early(walk: Walk) -> Walk:
    last = replace(walk.moves[2], stop=True)
    return replace(walk, moves=[*walk.moves[:2], last])


def passed_goal(walk: Walk) -> Walk:
    last = walk.moves[-1]
    way = [*last.path, *onward(last.path, BLOCK)[1:]]
    return replace(walk, moves=[*walk.moves[:-1], replace(last, path=way)])


def limit_reached(walk: Walk) -> Walk:
    return replace(cut(walk, 3), status=EndStatus.LIMIT, reason="the limit of 3 steps was reached")


def loop(walk: Walk) -> Walk:
    """Turn round in the second sub-goal and walk back to the start."""
    back = [*reversed(walk.moves[0].path)]
    return replace(
        walk, moves=[walk.moves[0], replace(walk.moves[1], path=back, status="IN_PROGRESS")]
    )


def ambiguous(walk: Walk) -> Walk:
    due = walk.route[walk.turns[0] : walk.turns[0] + 2]
    walk = _straight_on(walk)
    first, left, *later = walk.moves
    candidates = (
        Candidate(node=left.path[-1], state="chosen", score=0.5, path=tuple(left.path)),
        Candidate(node=due[-1], state="rejected", score=0.4, path=tuple(due)),
    )
    return replace(walk, moves=[first, replace(left, candidates=candidates), *later])


def contradicted(walk: Walk) -> Walk:
    """Swap the side of the first turn in the instruction, and follow it."""
    walk = plan_turns(walk)
    return replace(walk, instruction=". ".join(walk.goals) + ".")


def another_taken(walk: Walk) -> Walk:
    """End at the first bank of two, a light before the goal."""
    walk = _goal(walk, 4, "Walk on to the bank and end there")
    first = replace(walk.moves[3], path=walk.moves[3].path[:-1])
    here = first.path[-1]
    early = Move(4, [here], shown=["bank"], shown_at=here, target=here, stop=True)
    return replace(walk, names=(walk.names[0], "bank"), moves=[*walk.moves[:3], first, early])


PLANTS: dict[str, Callable[[Walk], Walk]] = {
    "landmark-never-shown": landmark_never_shown,
    "landmark-not-on-map": landmark_not_on_map,
    "said-missing": said_missing,
    "condition-unseen": condition_unseen,
    "count-lost": count_lost,
    "sub-goal-closed-early": closed_early,
    "sub-goal-closed-late": closed_late,
    "against-sub-goal": against_sub_goal,
    "against-thoughts": against_thoughts,
    "plan-turns": plan_turns,
    "plan-landmarks": plan_landmarks,
    "way-hidden": way_hidden,
    "same-direction": same_direction,
    "no-legal-move": no_legal_move,
    "stood-still": stood_still,
    "stopped-early": stopped_early,
    "passed-goal": passed_goal,
    "limit-reached": limit_reached,
    "loop": loop,
    "ambiguous": ambiguous,
    "another-taken": another_taken,
    "instruction-contradicts-route": contradicted,
}
