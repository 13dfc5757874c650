"""One model call: messages, reply, tokens, price."""

from __future__ import annotations

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
    logprobs: tuple[tuple[str, float], ...] | None = None
    """Tokens of the reply with the natural logarithm of their probability, where given."""
    response_schema: dict[str, Any] | None = None

    @property
    def tokens(self) -> int | None:
        """All tokens of the call; ``None`` where the server did not count them."""
        return None if self.usage is None else self.usage.tokens
