"""One model call: messages, reply, tokens, price."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from navviz.records.base import Record


class Message(Record):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


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
