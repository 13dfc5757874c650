"""The model calls of the replay document: prompts in parts, tokens, costs, and panels."""

from __future__ import annotations

from typing import Any, Literal

from navviz.views.player.schema_world import Part

TextPart = tuple[Literal["heading", "fence", "json", "code", "text", "picture"], int]
"""A part of a prompt: what it is, and its text's index; a picture's in the document's
`pictures.prompts`. All texts joined are the prompt.
"""


class MessageEntry(Part):
    """One message of a prompt."""

    role: str
    parts: list[TextPart]


class UsageEntry(Part):
    """Tokens of one call, as the server counted them."""

    prompt_tokens: int | None = None
    thoughts_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


class CallEntry(Part):
    """One model call."""

    purpose: str
    messages: list[MessageEntry]
    thoughts: int | None = None
    """Index of a text."""
    reply: int | None = None
    """Index of a text."""
    parse_error: str | None = None
    error: str | None = None
    model: str | None = None
    usage: UsageEntry | None = None
    seconds: float | None = None
    retries: int | None = None
    cost_usd: float | None = None
    list_price: bool | None = None
    """Whether the cost is the list price, since the log names none."""
    finish_reason: str | None = None


class PanelEntry(Part):
    """An inspector panel; `assets/player/src/panels` has one renderer a kind."""

    kind: str
    title: str
    data: dict[str, Any]


class Spent(Part):
    """What the calls so far have cost."""

    calls: int
    tokens: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    list_price: bool | None = None
    """Whether part of the cost is the list price."""
    partial: bool | None = None
    """Whether the tokens of some calls are missing."""
