"""One model call: messages, reply, tokens, price."""

from __future__ import annotations

from typing import Any, Literal

from navviz.records.base import Record

__all__ = ["Call", "Message", "Price", "Usage"]


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


class Price(Record):
    """US dollars for a million tokens of one model."""

    prompt_usd: float
    output_usd: float
    """Thoughts are billed as output."""
    cached_usd: float | None = None


class Call(Record):
    """One model call: what was asked, thought and answered."""

    purpose: str = "decide"
    """``plan``, ``decide``, ``summarise`` ...: what the navigator wanted."""
    messages: tuple[Message, ...] = ()
    thoughts: str | None = None
    reply: str | None = None
    parsed: dict[str, Any] | None = None
    parse_error: str | None = None
    error: str | None = None
    """Why there is no reply, in one sentence; ``stopped`` (`EndStatus.STOPPED`) where the user stopped it."""
    model: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    retries: int = 0
    """Further attempts at the transport level (429, 5xx, timeouts) before this result."""
    cost_usd: float | None = None
    finish_reason: str | None = None
    response_schema: dict[str, Any] | None = None
