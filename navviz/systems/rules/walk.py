"""Where a walk stands: at the start, or after the steps of a trace that is forked."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from navviz.errors import InputError
from navviz.records import EndEvent, Episode, SubGoal, Trace
from navviz.systems.rules.grammar.grammar import Reading, read_instruction
from navviz.systems.rules.grammar.plan import legs_of
from navviz.systems.rules.length_prior import LengthSwitch, is_of_map2seq
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

LengthPrior = Annotated[
    LengthSwitch,
    Field(
        description=(
            "Use what was learned about how long the routes of Map2Seq are (300 to 450 m): auto"
            " does so for episodes of Map2Seq only, known by the panoramas of their routes."
        )
    ),
]
"""Whether to lean on the route lengths of Map2Seq; true and false stand for on and off."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The task as it is taken up: what to read, where to begin, what was walked already."""

    instruction: str
    """The whole instruction, or what remains of an edited plan; empty where nothing remains."""
    start: str
    heading_deg: float | None
    walked: tuple[str, ...]
    """Nodes already walked that the instruction speaks of too, from `start`; just the start where
    nothing was.
    """
    before_m: float = 0.0
    """Length walked before `start`, in metres."""
    steps: int = 0
    completed: tuple[SubGoal, ...] = ()
    """Sub-goals that are done and not read again."""


def knows_lengths(length_prior: LengthPrior, episode: Episode) -> bool:
    """Whether the learned route lengths are used on this episode."""
    return length_prior == "on" or (length_prior == "auto" and is_of_map2seq(episode))


def check(episode: Episode, graph: Graph) -> None:
    """Raise `InputError` where an episode cannot be walked on this graph by rules."""
    if episode.start not in graph:
        what = f"the start {episode.start} is not in the graph {graph.name}"
        raise InputError(
            what, "choose the map that the episode belongs to", episode=episode.id, field="start"
        )
    if not episode.instruction.strip():
        raise InputError(
            "the instruction is empty", "write where to go", episode=episode.id, field="instruction"
        )


def understood(reading: Reading, episode: Episode) -> Reading:
    """Return the reading, or `InputError` where the text holds no directions."""
    events = any(unit.kind == "junction" for unit in reading.units)
    if not events and not reading.stop.text:
        what = "the rules find no directions in the instruction"
        do = (
            'write it in English with turns, junctions or landmarks ("turn left at the light, stop'
            ' before the bank")'
        )
        raise InputError(what, do, episode=episode.id, field="instruction")
    return reading


def stand(episode: Episode, graph: Graph, past: Trace | None) -> Standing:
    """Take up an episode, at its start or after the last step of `past`.

    Where the plan of `past` was edited, what is left of it is read instead of the instruction; else
    the whole instruction (which may have been edited too) is read and the walk so far is taken as
    its beginning.
    """
    begin = Standing(
        episode.instruction, episode.start, episode.start_heading_deg, (episode.start,)
    )
    if past is None:
        return begin
    path = tuple(node for node in past.path if node in graph) or (episode.start,)
    steps = past.steps[-1].index if past.steps else 0
    edited, same = _edited(episode, past), episode.instruction == past.episode.instruction
    # the search takes only forward walks over links as given; after a walk that turned round or
    # jumped only the rest is read, from where it ended
    if edited or not _forward(graph, path):
        # a new instruction has no part that is done
        done = _completed(past) if edited or same else 0
        left = (
            " ".join(goal.description for goal in past.sub_goals[done:])
            if edited or same
            else episode.instruction
        )
        heading_deg = (
            arrival_deg(graph, path[-2], path[-1]) if len(path) > 1 else episode.start_heading_deg
        )
        return Standing(
            left,
            path[-1],
            heading_deg,
            (path[-1],),
            graph.path_length_m(path),
            steps,
            tuple(
                goal.model_copy(update={"status": "COMPLETED"}) for goal in past.sub_goals[:done]
            ),
        )
    return Standing(episode.instruction, episode.start, episode.start_heading_deg, path, 0.0, steps)


def nothing_left(standing: Standing) -> EndEvent:
    """Return the end of a walk whose plan was completed before."""
    reason = "Every part of the plan is completed."
    return EndEvent(status="done", reason=reason, node=standing.start, plan=standing.completed)


def _forward(graph: Graph, path: tuple[str, ...]) -> bool:
    """Whether a path follows links and never turns round."""
    linked = all(graph.has_link(a, b) for a, b in itertools.pairwise(path))
    # the same node two places on means that the walk turned round
    return linked and all(a != c for a, c in zip(path, path[2:], strict=False))


def _edited(episode: Episode, past: Trace) -> bool:
    """Whether the plan is neither that of the instruction nor that of the instruction before."""
    plan = tuple(goal.description for goal in past.sub_goals)
    # sub-goals of another navigator are in its own words: they would always look edited
    if not plan or past.header.navigator not in ("", "rules", "rules-local"):
        return False
    return all(plan != _plan_of(text) for text in {episode.instruction, past.episode.instruction})


def _plan_of(text: str) -> tuple[str, ...]:
    reading = read_instruction(text)
    return tuple(leg.text for leg in legs_of(reading, reading.units))


def _completed(past: Trace) -> int:
    """How many sub-goals are completed: as the plan states them, else as the last step left
    them.
    """
    states = [goal.status for goal in past.sub_goals]
    if any(state != "TODO" for state in states):
        return next((k for k, state in enumerate(states) if state != "COMPLETED"), len(states))
    if not past.steps:
        return 0
    last = past.steps[-1]
    finished = last.decision is not None and last.decision.sub_goal_status == "COMPLETED"
    done = sum(goal.status == "COMPLETED" for goal in last.plan) if last.plan else 0
    return min(done + int(finished), len(past.sub_goals))
