"""One model call: messages, reply, tokens, price."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from navviz.records.base import Record
from navviz.records.view import PicturePart

Role = Literal["system", "user", "assistant"]


class Message(Record):
    """One message of a prompt: its text, and the pictures that stood between parts of it."""

    role: Role
    text: str
    """All parts of text, one after another."""
    pictures: tuple[PicturePart, ...] = Field(default=(), exclude_if=lambda pictures: not pictures)
    """In the order in which they were sent; `PicturePart.at` says where in `text`."""

    @classmethod
    def of_parts(cls, role: Role, parts: Iterable[str | PicturePart]) -> Message:
        """Make a message of texts and pictures as they were sent; sets `PicturePart.at`."""
        text, pictures = "", []
        for part in parts:
            if isinstance(part, str):
                text += part
            else:
                pictures.append(part.model_copy(update={"at": len(text)}))
        return cls(role=role, text=text, pictures=tuple(pictures))

    @property
    def parts(self) -> tuple[str | PicturePart, ...]:
        """Texts and pictures in the order in which they were sent; no text is empty."""
        parts: list[str | PicturePart] = []
        begin = 0
        for picture in self.pictures:
            # two pictures at one place have no text between them
            if picture.at > begin:
                parts.append(self.text[begin : picture.at])
                begin = picture.at
            parts.append(picture)
        if begin < len(self.text):
            parts.append(self.text[begin:])
        return tuple(parts)


class Usage(Record):
    """Tokens of one call, as the server counted them."""

    prompt_tokens: int | None = None
    thoughts_tokens: int | None = None
    output_tokens: int | None = None
    """Tokens of the reply without the thoughts."""
    cached_tokens: int | None = None
    """Tokens of the prompt that the server had in its cache; `prompt_tokens` includes them."""

    @property
    def tokens(self) -> int | None:
        """All tokens: prompt, thoughts and reply; ``None`` where a count is missing."""
        if self.prompt_tokens is None or self.output_tokens is None:
            return None
        return self.prompt_tokens + (self.thoughts_tokens or 0) + self.output_tokens

    def with_total(self, total_tokens: int | None) -> Usage:
        """Fill in the reply's tokens from the total of a call that has ended.

        Gemini leaves out counts of zero: a reply without text has a total, and no count of its own.
        """
        if self.output_tokens is not None or self.prompt_tokens is None or total_tokens is None:
            return self

        rest = total_tokens - self.prompt_tokens - (self.thoughts_tokens or 0)
        return self.model_copy(update={"output_tokens": max(0, rest)})


_Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""A price below nothing, or one that is no number, would let a budget never end."""


class Price(Record):
    """US dollars for a million tokens of one model."""

    prompt_usd: _Dollars
    output_usd: _Dollars
    """Thoughts are billed as output."""
    cached_usd: _Dollars | None = None


_REFUSED = frozenset(
    {
        "BLOCKLIST",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
        "IMAGE_SAFETY",
        "LANGUAGE",
        "MODEL_ARMOR",
        "OTHER",
        "PROHIBITED_CONTENT",
        "RECITATION",
        "SAFETY",
        "SPII",
        "content_filter",
        "refusal",
    }
)
"""Reasons of Gemini, OpenAI and Anthropic with which the provider, and not the model, ends a reply.
"""
_CUT = frozenset({"MAX_TOKENS", "length", "max_tokens", "max_output_tokens"})
_MALFORMED = {
    "MALFORMED_FUNCTION_CALL": "malformed function call",
    "MALFORMED_RESPONSE": "malformed response",
    "UNEXPECTED_TOOL_CALL": "call of a function that it was not given",
    "TOO_MANY_TOOL_CALLS": "too many function calls",
}


class ToolCall(Record):
    """A function that a model called instead of answering in words."""

    name: str
    args: dict[str, Any] = Field(default_factory=dict)

    @property
    def text(self) -> str:
        """The call as one reads it: ``walk_to(node=b)``."""
        parts = []
        for name, value in self.args.items():
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            parts.append(f"{name}={shown}")
        return f"{self.name}({', '.join(parts)})"


class Call(Record):
    """One model call: the prompt, the thoughts and the reply."""

    purpose: str = "decide"
    """``plan``, ``decide``, ``summarise`` ...: what the navigator wanted."""
    messages: tuple[Message, ...] = ()
    thoughts: str | None = None
    reply: str | None = None
    parsed: dict[str, Any] | None = None
    parse_error: str | None = None
    error: str | None = None
    """Why there is no reply, in one sentence; ``stopped`` where the user stopped the call."""
    model: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    retries: int = 0
    """Further attempts at the transport level (429, 5xx, timeouts) before this result."""
    cost_usd: float | None = None
    finish_reason: str | None = None
    """How the reply ended, in the service's word: ``STOP``, ``MAX_TOKENS``, ``SAFETY``, ``length``.
    """
    finish_message: str | None = None
    """What the service says about that, in its own words."""
    block_reason: str | None = None
    """Why the provider answers no such prompt, or takes the answer back, in its own word."""
    tool_calls: tuple[ToolCall, ...] = Field(default=(), exclude_if=lambda calls: not calls)
    """Functions that the model called; where it said nothing else, `reply` writes them out."""
    service_fault: str | None = None
    """Which fault of the service kept the answer away: ``quota (429)``, ``time-out``."""
    logprobs: tuple[tuple[str, float], ...] | None = None
    """Tokens of the reply with the natural logarithm of their probability, where given."""
    response_schema: dict[str, Any] | None = None

    @property
    def unanswered(self) -> str | None:
        """Why the service did not answer: its fault, or the provider's refusal, in a few words.

        ``None`` where the model answered, however badly: a reply that was cut at the token limit,
        a malformed call and a call of a function are answers.
        """
        if self.service_fault is not None:
            return self.service_fault
        if self.block_reason is not None:
            return f"blocked ({self.block_reason})"
        # a provider may stop a reply that is whole enough to be read
        if self.finish_reason in _REFUSED and not self._has_answer:
            return f"blocked ({self.finish_reason})"
        return None

    @property
    def _has_answer(self) -> bool:
        if self.parsed is not None or self.tool_calls:
            return True
        return bool((self.reply or "").strip()) and self.parse_error is None

    @property
    def shortfall(self) -> str | None:
        """What the model's own answer lacks by how it ended: cut off, or a malformed call."""
        if self.finish_reason in _CUT:
            thoughts = None if self.usage is None else self.usage.thoughts_tokens
            if (self.reply or "").strip():
                return "cut off at the token limit"
            count = "" if not thoughts else f" ({thoughts:,} tokens)"
            busy = " while thinking" if thoughts or self.thoughts else ""
            return f"cut off at the token limit{busy}{count}"
        malformed = _MALFORMED.get(self.finish_reason or "")
        if malformed is not None and self.finish_message is not None:
            return f"{malformed}: {self.finish_message.rstrip('.')}"
        return malformed

    @property
    def why_unread(self) -> str:
        """Say why there is nothing to read where the reply is empty."""
        if self.unanswered is not None:
            return f"the service did not answer: {self.unanswered}"
        return self.shortfall or "the reply is empty"

    @property
    def tokens(self) -> int | None:
        """All tokens of the call; ``None`` where the server did not count them."""
        return None if self.usage is None else self.usage.tokens
