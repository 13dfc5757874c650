"""A made-up run of many episodes in NavViz's own trace format, walked on a real street graph.

Each episode follows a drawn route of twelve links, and some agents take a wrong turn, stop early or
are cut off. One seed gives one run, byte for byte. From the command line: ``python -m
tools.bench.scale_run FOLDER COUNT GRAPH``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from navviz.formats import open_graph
from navviz.records import (
    Call,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    EndStatus,
    Episode,
    Event,
    MoveEvent,
    Observation,
    ObservationEvent,
    StepEvent,
    TraceHeader,
    Usage,
)
from navviz.world.graph import Graph

__all__ = ["STEPS", "write_scale_run"]

STEPS = 12
_SHARE_WRONG, _SHARE_EARLY, _SHARE_OPEN = 0.30, 0.06, 0.02
_PLACES = (
    "the bank",
    "a pharmacy",
    "the bus stop",
    "a coffee shop",
    "the school",
    "a bicycle rack",
    "the park",
)
_TURNS = (
    "turn left at the lights",
    "turn right at the next corner",
    "go straight on",
    "pass {} on your right",
)
_ENDS = ("and stop just past {}.", "and stop before {} on the left.", "until you reach {}.")


def write_scale_run(
    folder: Path, graph: Graph, count: int, seed: int = 1, run: str = "walker"
) -> Path:
    """Write `count` traces into a folder; those that are there already are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        path = folder / f"{number:06d}.trace.jsonl"
        if not path.exists():
            lines = (
                event.model_dump_json(exclude_none=True)
                for event in _events(graph, number, seed, run)
            )
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def _events(graph: Graph, number: int, seed: int, run: str) -> Iterator[Event]:
    chance = random.Random(f"{seed} {number}")
    route = _walk(graph, chance, [chance.choice(graph.ids)], STEPS)
    episode = Episode(
        id=f"{number:06d}",
        dataset="scale",
        split="test",
        instruction=_instruction(chance),
        start=route[0],
        start_heading_deg=round(graph.heading_deg(route[0], route[1]), 1),
        reference_path=tuple(route),
        goal=route[-1],
    )
    yield TraceHeader(
        run=run,
        episode=episode,
        navigator="walker",
        model="model-1",
        settings={"seed": seed},
        code_version="bench",
    )
    walked, status = _walked(graph, chance, route)
    for index, node in enumerate(walked, start=1):
        after = walked[index] if index < len(walked) else None
        yield from _step(graph, chance, index, node, after, stop=status is EndStatus.DONE)
    yield EndEvent(status=status, node=walked[-1])


def _walk(graph: Graph, chance: random.Random, path: list[str], length: int) -> list[str]:
    """Lengthen a path to `length` nodes, turning back only at dead ends."""
    while len(path) < length:
        ways = list(graph.neighbours(path[-1]))
        onward = [node for node in ways if node not in path] or ways
        path.append(chance.choice(onward) if onward else path[-1])
    return path


def _walked(graph: Graph, chance: random.Random, route: list[str]) -> tuple[list[str], EndStatus]:
    draw = chance.random()
    if draw < _SHARE_WRONG:
        return _walk(graph, chance, route[: chance.randrange(2, STEPS - 1)], STEPS), EndStatus.DONE
    if draw < _SHARE_WRONG + _SHARE_EARLY:
        return route[: chance.randrange(6, STEPS - 2)], EndStatus.DONE
    if draw < _SHARE_WRONG + _SHARE_EARLY + _SHARE_OPEN:
        return route[: chance.randrange(6, STEPS - 2)], EndStatus.LIMIT
    return route, EndStatus.DONE


def _step(
    graph: Graph, chance: random.Random, index: int, node: str, after: str | None, *, stop: bool
) -> Iterator[Event]:
    yield StepEvent(index=index, node=node, heading_deg=float(chance.randrange(360)))
    ways = tuple(
        Candidate(
            node=way,
            state="chosen" if way == after else "rejected",
            distance_m=graph.distance_m(node, way),
        )
        for way in graph.neighbours(node)
    )
    text = f"You stand at {node}. {len(ways)} ways lead on. Nearby: {chance.choice(_PLACES)}."
    yield ObservationEvent(observation=Observation(format="text", text=text, candidates=ways))
    usage = Usage(prompt_tokens=chance.randrange(300, 900), output_tokens=chance.randrange(20, 90))
    reply = f"I go on to {after}." if after else "I stop here."
    yield CallEvent(
        call=Call(purpose="decide", model="model-1", reply=reply, usage=usage, cost_usd=0.0001)
    )
    yield DecisionEvent(decision=Decision(target=after, stop=stop and after is None, reason=reply))
    if after is not None:
        yield MoveEvent(path=(node, after))


def _instruction(chance: random.Random) -> str:
    turns = ", then ".join(
        chance.choice(_TURNS).format(chance.choice(_PLACES)) for _ in range(chance.randrange(2, 6))
    )
    return f"{turns[0].upper()}{turns[1:]}, {chance.choice(_ENDS).format(chance.choice(_PLACES))}"


if __name__ == "__main__":
    write_scale_run(Path(sys.argv[1]), open_graph(Path(sys.argv[3])), int(sys.argv[2]))
