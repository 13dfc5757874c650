"""MGDM's prompts in our own words: decide, think in a chain, blur two memories into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from navviz.records import Message
from navviz.systems.base import PromptField, PromptKind, PromptText
from navviz.systems.lhvln.mgdm.memory import Slot

DECISION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "thought": {"type": "string"},
        "progress": {"type": "string"},
        "action": {"type": "integer"},
        "probabilities": {"type": "object", "additionalProperties": {"type": "number"}},
    },
    "required": ["thought", "progress", "action"],
}
COT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "progress": {"type": "string"},
        "decomposition": {"type": "array", "items": {"type": "string"}},
        "next": {"type": "string"},
    },
    "required": ["progress", "decomposition", "next"],
}
BLUR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"memory": {"type": "string"}},
    "required": ["memory"],
}

_ROLE = (
    "You are a robot that walks through a house and visits several places, one after another, to"
    " complete the task it was given. You see numbered ways around you. Choosing (0) says that the"
    " place of the current part is reached; then the next part begins, and there is no way back to"
    " this one."
)
_HINT = (
    "Compare the history with the instruction to find out which part you are in and how far it has"
    " come. Then choose one number. Answer in JSON: thought; progress (where the task stands, in a"
    " few words); action (the number); probabilities (how sure you are of each number, adding up"
    " to 1)."
)
_COT = (
    "You advise a robot that walks through a house to visit several places in order. From what it"
    " sees, what it remembers and its instruction, say where the task stands (progress), which"
    " parts it has (decomposition, one short line each, done ones included), and what to do next"
    " (next). Answer in JSON."
)
_BLUR = (
    "A robot's memory is full, and two memories must become one. Write one line of at most 200"
    " characters that keeps places and turns and leaves out the rest. Answer in JSON with the key"
    " memory."
)

_STEP = PromptText(
    _ROLE,
    "Instruction:\n{instruction}\n\nDone so far:\n{done}\n\n{advice}History:\n{history}\n\n"
    f"{{expert}}Candidates:\n{{candidates}}\n\n{_HINT}",
)

STEP_PROMPT = PromptKind(
    (
        PromptField("instruction", "the whole task", is_needed=True),
        PromptField("candidates", "the numbered ways", is_needed=True),
        PromptField("done", "how many parts are done"),
        PromptField("advice", "the chain of thought with its heading, empty without one"),
        PromptField("history", "the short-term memory"),
        PromptField("expert", "experiences of an expert with their heading, empty without any"),
    ),
    lambda _settings: str(_STEP),
)
"""The prompt of a step."""


def history(slots: Sequence[Slot]) -> str:
    """Return the short-term memory as it stands in a prompt."""
    return (
        "\n".join(f"- {slot.age}: {slot.text}" for slot in slots)
        or "Nothing yet: the walk begins here."
    )


def _parts(stops: int) -> str:
    if not stops:
        return "No part is done yet."
    return f"You have chosen (0) {stops} {'time' if stops == 1 else 'times'}."


def decide_messages(
    instruction: str,
    chain: str,
    slots: Sequence[Slot],
    seen: str,
    stops: int,
    remembered: Sequence[str] = (),
    prompt: str = "",
) -> tuple[Message, ...]:
    """Return the prompt of a step; `prompt` is an edited text, the shipped one if empty."""
    lines = "\n".join(f"- {line}" for line in remembered)
    values = {
        "instruction": instruction,
        "done": _parts(stops),
        "advice": f"Advice:\n{chain}\n\n" if chain else "",
        "history": history(slots),
        "expert": f"An expert in places that looked alike:\n{lines}\n\n" if lines else "",
        "candidates": seen,
    }
    return (PromptText.parse(prompt) if prompt else _STEP).fill(values)


def cot_messages(
    instruction: str, slots: Sequence[Slot], seen: str, stops: int
) -> tuple[Message, ...]:
    """Return the prompt of the chain of thought."""
    text = (
        f"Instruction:\n{instruction}\n\nDone so"
        f" far:\n{_parts(stops)}\n\nHistory:\n{history(slots)}\n\nCandidates:\n{seen}"
    )
    return Message(role="system", text=_COT), Message(role="user", text=text)


def blur_messages(first: str, second: str) -> tuple[Message, ...]:
    """Return the prompt that puts two memories together."""
    return Message(role="system", text=_BLUR), Message(role="user", text=f"1: {first}\n2: {second}")
