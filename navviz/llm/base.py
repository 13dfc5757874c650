"""The narrow protocol between navigators and language models."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, Protocol

from navviz.errors import SettingsError
from navviz.records import Call, Message

__all__ = ["HOW_TO_ASK", "LanguageModel", "Model", "ModelDelta", "Request", "schema_note"]

HOW_TO_ASK = (
    "in `navigate` write `call = yield from ask(llm, request)`, anywhere else"
    " `call = ask_now(llm, request)`; both come from navviz.systems.asking"
)
"""What to do instead of a call that a model does not have, or that nobody ran."""


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt with what the answer should look like."""

    messages: tuple[Message, ...]
    purpose: str = "decide"
    schema: dict[str, Any] | None = None
    """JSON Schema of the reply; ``None`` for free text."""
    stop: tuple[str, ...] = ()
    """Stop sequences."""
    temperature: float | None = None
    """What the navigator wants, where the model's own options name none."""
    max_output_tokens: int | None = None
    """Longest reply that the navigator wants, thoughts included, unless the model's options say."""
    logprobs: bool = False
    """Whether `Call.logprobs` is wanted, from servers that give it."""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelDelta:
    """A piece of a reply that is streaming in."""

    channel: Literal["thoughts", "reply"]
    text: str


class LanguageModel(Protocol):
    """A language model with its settings (temperature, thinking level ...) already chosen."""

    name: str
    """As users write it: ``gemini:MODEL``, ``openai:MODEL@URL``, ``scripted``."""

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Yield the pieces as they stream in, then one `Call` with everything, and end.

        A reply that does not come after the retries that make sense gives a `Call` whose `error`
        says why, with what streamed in before; `ModelRefusedError` is raised where no retry can
        help (wrong key, unknown model). When `cancel` is set, it ends at once with a `Call` whose
        `error` is `EndStatus.STOPPED`.
        """
        ...


class Model:
    """Base of NavViz's own models; one of another package needs nothing but `LanguageModel`."""

    def ask(self, *_request: object, **_options: object) -> NoReturn:
        """Say how a model is asked: many look for a method of this name first."""
        raise SettingsError(f"A model has no method ask: {HOW_TO_ASK}.")


def schema_note(schema: Mapping[str, Any]) -> Message:
    """Return the message that asks for a schema in words, for servers that take none."""
    text = "Answer with one JSON object and nothing else. It must follow this JSON Schema:\n"
    return Message(role="user", text=text + json.dumps(schema, ensure_ascii=False))
