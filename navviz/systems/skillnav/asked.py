"""A skill's agent that is a language model: one prompt a skill, scores over the listed options.

A stand-in too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from navviz.errors import ModelError
from navviz.language.skills import Skill
from navviz.llm.base import Request
from navviz.records import Call
from navviz.systems.asking import listen
from navviz.systems.skillnav.agents import Scores
from navviz.systems.skillnav.memory import GlobalMap, Place, normalised, option_scores, options
from navviz.systems.skillnav.prompts import agent_messages

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"scores": {"type": "object", "additionalProperties": {"type": "number"}}},
    "required": ["scores"],
}
"""JSON Schema of a reply."""


@dataclass
class AskedAgent:
    """A language model in place of one of the five agents.

    `request` and `read` are for walks, which show the reply as it streams in; `score` does both at
    once.
    """

    skill: Skill
    model: LanguageModel
    action_space: str = "global"
    prompt: str = ""
    """An edited prompt; the shipped one if empty."""

    @property
    def name(self) -> str:
        """Name of its skill."""
        return self.skill.value

    def request(self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap) -> Request:
        """Return the request to the model."""
        allowed = options(place, memory, self.action_space)
        return Request(
            agent_messages(self.skill, place, sub_goal, instruction, memory, allowed, self.prompt),
            purpose="act",
            schema=SCHEMA,
        )

    def read(self, call: Call, place: Place, memory: GlobalMap) -> Scores:
        """Return the options' scores, which sum to 1; equal, with a note, where there are none."""
        allowed = options(place, memory, self.action_space)
        replied = _numbers((call.parsed or {}).get("scores"))
        scores = {node: replied[node] for node in allowed if node in replied}
        invented = [node for node in replied if node not in allowed]
        # zeros alone choose nothing, just like a reply that cannot be read
        if not any(value > 0 for value in scores.values()):
            note = "the reply scores none of the options: all count alike"
            return Scores(normalised({}, allowed), note=note)
        if invented:
            note = f"{len(invented)} scores are for ids that were not offered"
            return Scores(normalised(scores, allowed), note=note)
        return Scores(normalised(scores, allowed))

    def score(
        self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap
    ) -> dict[str, float]:
        """Ask at once; raises `ModelError` where the model does not answer."""
        pieces = listen(self.model, self.request(place, sub_goal, instruction, memory))
        # the pieces of the reply are dropped: the value with which the generator ends is the whole
        # call
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                call: Call = end.value
                break
        if call.error is not None:
            raise ModelError(call.error)
        return self.read(call, place, memory)


def _numbers(raw: object) -> dict[str, float]:
    """Scores of a reply: an object, or a list of ``{id, score}``."""
    pairs: Sequence[tuple[object, object]] = ()
    if isinstance(raw, dict):
        pairs = list(raw.items())
    elif isinstance(raw, list):
        pairs = [(item.get("id"), item.get("score")) for item in raw if isinstance(item, dict)]
    return option_scores(pairs)
