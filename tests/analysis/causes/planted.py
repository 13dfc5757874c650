"""Synthetic logs: a model walks a street grid without a fault, and one thing is changed.

A walk has five sub-goals: through some lights, turn at a named shop, through a light, turn at the
following one, stop at a second shop. Each planted log changes one step, one line or one prompt.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

import numpy as np

from navviz.records import (
    Call,
    Candidate,
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Landmark,
    Message,
    Observation,
    SeenPoi,
    Step,
    SubGoal,
    Trace,
    TraceHeader,
    Usage,
)
from navviz.world.geometry import destination
from navviz.world.graph import Graph, Poi

BLOCK = 4
"""Links from light to light."""
SIZE = 13
_LINK_M = 25.0
_ADJECTIVES = "Amber Brass Copper Dusty Emerald Frosty Golden Hollow Ivory Jolly Keen Lofty Misty"
_NOUNS = "Anchor Basket Candle Drum Easel Feather Goblet Hammer Inkwell Jar Kettle Lantern Mirror"
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""North, east, south, west."""


def node(row: int, column: int) -> str:
    """Id of a place; streets run where a coordinate is a multiple of `BLOCK`."""
    return f"n{row:02d}x{column:02d}"


def _on_street(row: int, column: int) -> bool:
    side = BLOCK * (SIZE - 1)
    inside = 0 <= row <= side and 0 <= column <= side
    return inside and (row % BLOCK == 0 or column % BLOCK == 0)


def shop(row: int, column: int) -> str:
    """Name of the shop at a crossing; no two are alike."""
    return f"{_ADJECTIVES.split()[row // BLOCK]} {_NOUNS.split()[column // BLOCK]}"


@lru_cache(maxsize=1)
def city() -> Graph:
    """Return the grid, with a light and a named shop at each crossing."""
    side = range(BLOCK * (SIZE - 1) + 1)
    cells = [(row, column) for row in side for column in side if _on_street(row, column)]
    east_deg = math.degrees(_LINK_M / 6_371_000.0)
    places = {cell: (cell[0] * east_deg, cell[1] * east_deg) for cell in cells}
    index = {cell: number for number, cell in enumerate(cells)}
    sources, targets, headings = [], [], []
    for row, column in cells:
        for heading, (north, east) in enumerate(_STEPS):
            other = (row + north, column + east)
            if other in index:
                sources.append(index[row, column])
                targets.append(index[other])
                headings.append(90.0 * heading)
    pois = {}
    for row, column in cells:
        if row % BLOCK == 0 and column % BLOCK == 0:
            spot, key = places[row, column], node(row, column)
            pois[f"l{key}"] = Poi(f"l{key}", spot, {"highway": "traffic_signals"})
            corner = destination(spot, 45.0, 15.0)
            pois[f"s{key}"] = Poi(f"s{key}", corner, {"amenity": "bank", "name": shop(row, column)})
    return Graph(
        name="city",
        frame="geo",
        ids=[node(*cell) for cell in cells],
        positions=np.array([places[cell] for cell in cells]),
        sources=np.array(sources, np.int32),
        targets=np.array(targets, np.int32),
        headings_deg=np.array(headings),
        pois=pois,
    )


@dataclass
class Move:
    """One step of a planted walk: the sub-goal, the way, and what the model saw and said."""

    sub_goal: int
    path: list[str]
    status: str = "COMPLETED"
    shown: list[str] = field(default_factory=list)
    """Names of shops in the prompt."""
    shown_at: str | None = None
    """Node that they are attached to; their own, where not given."""
    hidden: set[str] = field(default_factory=set)
    """Nodes that the prompt does not name."""
    thoughts: str = "Going on as the sub-goal says."
    reply: str | None = None
    target: str | None = None
    stop: bool = False
    same_word: tuple[str, str, str] | None = None
    """A node and two of its links that the prompt calls by one word."""
    word: str = "Left"
    rules: str = ""
    """More of the prompt."""
    candidates: tuple[Candidate, ...] = ()


@dataclass
class Walk:
    """A walk without a fault, to be changed in one place."""

    route: list[str]
    instruction: str
    goals: list[str]
    moves: list[Move]
    names: tuple[str, str]
    """The shop of the first turn, and that of the goal."""
    sides: tuple[str, str]
    turns: tuple[int, int]
    """Where on the route it turns."""
    counts: int
    ahead: list[str]
    """Where one comes who goes straight on at the first turn."""
    status: EndStatus = EndStatus.DONE
    reason: str | None = None


def _leg(cell: tuple[int, int], heading: int, links: int) -> list[tuple[int, int]]:
    north, east = _STEPS[heading % 4]
    return [(cell[0] + north * k, cell[1] + east * k) for k in range(1, links + 1)]


def faultless(seed: int) -> Walk:
    """Return a walk that follows its route and stops at the goal."""
    rng = Random(seed)
    heading, count = rng.randrange(4), rng.choice((2, 3))
    sides = (rng.choice(("left", "right")), rng.choice(("left", "right")))
    middle = BLOCK * (SIZE // 2)
    north, east = _STEPS[heading]
    start = (middle - 2 * BLOCK * north + 2 * north, middle - 2 * BLOCK * east + 2 * east)
    cells = [start]
    cells += _leg(cells[-1], heading, BLOCK * count + 2)
    first = len(cells) - 1
    straight = [node(*cell) for cell in _leg(cells[-1], heading, 2 * BLOCK - 2)]
    name = shop(*cells[-1])
    heading += 1 if sides[0] == "right" else -1
    cells += _leg(cells[-1], heading, 2 * BLOCK)
    second = len(cells) - 1
    heading += 1 if sides[1] == "right" else -1
    cells += _leg(cells[-1], heading, BLOCK)
    goal_name = shop(*cells[-1])
    route = [node(*cell) for cell in cells]
    words = {2: "two", 3: "three"}[count]
    goals = [
        f"Go straight through {words} lights",
        f"Turn {sides[0]} at {name}",
        "Go straight through the light",
        f"Turn {sides[1]} at the following light",
        f"Walk on to {goal_name} and end there",
    ]
    ends = [BLOCK * count - 1, first + 1, first + BLOCK + 1, second + 1, len(route) - 1]
    moves, at = [], 0
    for number, end in enumerate(ends):
        shown = {1: [name], 4: [goal_name]}.get(number, [])
        moves.append(Move(number, route[at : end + 1], shown=shown))
        at = end
    moves[-1].stop = True
    return Walk(
        route,
        ". ".join(goals) + ".",
        goals,
        moves,
        (name, goal_name),
        sides,
        (first, second),
        count,
        straight,
    )


def trace_of(walk: Walk, seed: int) -> Trace:
    """Write a walk down as a trace with prompts, thoughts and replies."""
    landmarks = tuple(Landmark(name=name) for name in (*walk.names, "light"))
    episode = Episode(
        id=f"p{seed}",
        dataset="planted",
        instruction=walk.instruction,
        world="city",
        start=walk.route[0],
        start_heading_deg=city().heading_deg(walk.route[0], walk.route[1]),
        reference_path=tuple(walk.route),
        goal=walk.route[-1],
    )
    steps = tuple(_step(walk, number) for number in range(len(walk.moves)))
    done = walk.moves[-1].sub_goal if walk.moves else 0
    plan = tuple(
        SubGoal(description=text, status="COMPLETED" if k < done else "TODO")
        for k, text in enumerate(walk.goals)
    )
    goals = tuple(SubGoal(description=text) for text in walk.goals)
    return Trace(
        header=TraceHeader(episode=episode, navigator="planted", settings={"max_steps": 12}),
        sub_goals=goals,
        landmarks=landmarks,
        steps=steps,
        end=EndEvent(status=walk.status, reason=walk.reason, plan=plan),
    )


def _step(walk: Walk, number: int) -> Step:
    move = walk.moves[number]
    plan = []
    for k, text in enumerate(walk.goals):
        state = "TODO" if k > move.sub_goal else "COMPLETED"
        if k == move.sub_goal:
            state = "IN_PROGRESS"
        plan.append(SubGoal(description=text, status=state, iteration=1))
    target = move.target or (move.path[-1] if move.path else None)
    reply = move.reply
    if reply is None:
        reply = json.dumps({"status": move.status, "to": target})
    seen = _visible(move)
    own = {walk.names[0]: walk.route[walk.turns[0]], walk.names[1]: walk.route[-1]}
    pois = tuple(
        SeenPoi(name=name, letter=name[0], node=move.shown_at or own[name]) for name in move.shown
    )
    text = _prompt(walk, move, seen)
    empty = not reply
    decision = Decision(
        target=None if empty else target,
        sub_goal_status=None if empty else move.status,
        stop=move.stop,
        legal=not empty,
        reason="the reply is empty" if empty else None,
    )
    call = Call(
        messages=(Message(role="user", text=text),),
        thoughts=move.thoughts,
        reply=reply,
        error="the reply is empty" if empty else None,
        usage=Usage(prompt_tokens=10, output_tokens=5),
    )
    return Step(
        index=number + 1,
        node=move.path[0],
        plan=tuple(plan),
        sub_goal=move.sub_goal,
        observation=Observation(
            format="json",
            text=text,
            visible_nodes=tuple(seen),
            pois=pois,
            candidates=move.candidates or _called(move),
        ),
        calls=(call,),
        decision=decision,
        path=tuple(move.path) if len(move.path) > 1 and not empty else (),
    )


def _called(move: Move) -> tuple[Candidate, ...]:
    """Return the two links that the prompt calls by one word."""
    if move.same_word is None:
        return ()
    return tuple(Candidate(node=each, direction=move.word) for each in move.same_word[1:])


def _visible(move: Move) -> list[str]:
    """Return the nodes of a step's way and all their neighbours, without what is hidden."""
    seen = dict.fromkeys(move.path)
    for place in move.path:
        seen |= dict.fromkeys(city().neighbours(place))
    return [place for place in seen if place not in move.hidden]


def _prompt(walk: Walk, move: Move, seen: list[str]) -> str:
    entries = []
    for place in seen:
        links = [other for other in city().neighbours(place) if other not in move.hidden]
        listed = []
        for other in links:
            word = "Ahead"
            if move.same_word is not None and place == move.same_word[0]:
                word = move.word if other in move.same_word[1:] else "Ahead"
            else:
                word = f"To {city().heading_deg(place, other):.0f}"
            heading = round(city().heading_deg(place, other), 1)
            word = word.replace(" ", "")
            listed.append({"target_node_id": other, "heading": heading, "direction": word})
        entries.append({"id": place, "connections": listed})
    shown = [{"name": name} for name in move.shown]
    return f"{move.rules}\nDue: {walk.goals[move.sub_goal]}\n" + json.dumps(
        {"nodes": entries, "pois": shown}
    )


def cut(walk: Walk, count: int) -> Walk:
    """Return a walk with its first moves alone."""
    return replace(walk, moves=walk.moves[:count])


def onward(path: list[str], links: int) -> list[str]:
    """Return the way straight on from the end of another, the end included."""
    (a, b), way = path[-2:], [path[-1]]
    step = tuple(int(b[k : k + 2]) - int(a[k : k + 2]) for k in (1, 4))
    for _ in range(links):
        row, column = int(way[-1][1:3]) + step[0], int(way[-1][4:6]) + step[1]
        if not _on_street(row, column):
            break
        way.append(node(row, column))
    return way


def turned(path: list[str], side: str, links: int) -> list[str]:
    """Return the way after a turn at the end of another, the end included."""
    (a, b), way = path[-2:], [path[-1]]
    north, east = (int(b[k : k + 2]) - int(a[k : k + 2]) for k in (1, 4))
    step = (-east, north) if side == "right" else (east, -north)
    for _ in range(links):
        row, column = int(way[-1][1:3]) + step[0], int(way[-1][4:6]) + step[1]
        if not _on_street(row, column):
            break
        way.append(node(row, column))
    return way
