"""What NavGPT's model is told. The parts are those of Zhou et al. 2023 (section 3 and appendix), the words are ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.observe.panorama_text import angle_text
from navviz.records import Message
from navviz.world.geometry import turn_deg

__all__ = ["STOP", "TOOL", "Exchange", "decide_messages", "history_line", "refusal", "scratchpad", "summarise_messages"]

TOOL = "action_maker"
STOP = ("\nObservation:",)
"""The model stops where the house would answer."""

_RULES = f"""\
You walk through a house by text alone. The house is a net of fixed viewpoints; you follow an instruction that \
describes the whole way, and must end within 3 metres of the place it describes, in as few moves as you can.

At each viewpoint you read eight directions, clockwise from the one you face. Each gives its range of angles, a \
sentence on what one sees there, the objects within 3 metres and the viewpoints you can go to, with angle and \
distance. Angles are relative to you, from left 180 to right 180: 0 is straight ahead, right 90 to your right, 180 \
behind you.

You have one tool, {TOOL}: it goes to a neighbouring viewpoint. Its input is the id of a viewpoint from the \
Navigable Viewpoints you read last.

In each turn think about three things: how much of the instruction is done, whether you have arrived, and if not, \
which viewpoint brings you on. Do not go back to viewpoints you have been to unless you are lost. Never make up an \
id. When the instruction is done, or it tells you to wait where you are, finish instead of moving.

Write exactly one of these two forms, and nothing after it:

Thought: what you conclude, and why
Action: {TOOL}
Action Input: "the viewpoint id"

Thought: why you have arrived
Final Answer: Finished!"""

_SUMMARISE = (
    "You are given what can be seen in eight directions from one place in a house. Say in one short sentence what "
    'kind of place it is and what stands out. It goes on from "Scene from the viewpoint is a"; write only the rest.'
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of the past: what the model wrote, and in short what the house answered."""

    reply: str
    answer: str
    refused: bool = False


def scratchpad(past: Sequence[Exchange], observation: str, limit_characters: int) -> str:
    """Return the turns so far, the last answer in full, cut to the last `limit_characters`; at first empty."""
    if not past:
        return ""
    last = f"{past[-1].answer}\n{observation}" if past[-1].refused else observation
    turns = [f"{turn.reply.strip()}\nObservation: {turn.answer}\n" for turn in past[:-1]]
    whole = "".join([*turns, f"{past[-1].reply.strip()}\nObservation: {last}\n"])
    return whole[-limit_characters:]


def decide_messages(
    instruction: str, first: str, past: Sequence[Exchange], observation: str, limit_characters: int
) -> tuple[Message, ...]:
    """Write the prompt of one turn: rules, instruction, first observation (in short after a move), the turns."""
    turns = scratchpad(past, observation, limit_characters)
    text = f"Instruction: {instruction}\n\nInitial Observation: {first}\n\n{turns}"
    return Message(role="system", text=_RULES), Message(role="user", text=text.strip())


def summarise_messages(observation: str) -> tuple[Message, ...]:
    """Return the prompt of the summariser."""
    return Message(role="system", text=_SUMMARISE), Message(role="user", text=observation)


def history_line(node: str, summary: str, before_deg: float, after_deg: float) -> str:
    """Return a move in short: the turn it took, and what the new place is."""
    turn = turn_deg(before_deg, after_deg)
    start, end = (angle_text(turn_deg(0.0, heading)) for heading in (before_deg, after_deg))
    return (
        f"Turn heading direction {turn:.2f} degrees from {start} to {end}.\n"
        f'Current viewpoint "{node}": Scene from the viewpoint is a {summary}'
    )


def refusal(target: str, offered: Sequence[str]) -> str:
    """Return what the house answers to an id that cannot be gone to."""
    return (
        f"ViewpointID '{target}' is not valid: no move was made. Do not make up ids; from here you can go to: "
        f"{', '.join(offered) or 'nowhere'}."
    )
