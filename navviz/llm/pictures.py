"""Pictures in prompts: what each provider is sent, and how many tokens a picture costs."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from typing import Any

from navviz.records import Message, PicturePart

OPENAI_LOW = 85
"""Tokens of a picture of any size with detail ``low`` (OpenAI's guide to vision, GPT-4o)."""
_OPENAI_TILE, _OPENAI_TILE_PX = 170, 512
_OPENAI_LONG_PX, _OPENAI_SHORT_PX = 2048, 768
GEMINI_TILE = 258
"""Tokens of a tile, and of any picture of at most 384 pixels a side (Gemini's guide to tokens)."""
_GEMINI_SMALL_PX, _GEMINI_TILE_PX = 384, 768
MISSING = "[A picture stood here{}; it is not kept, so it is not sent again.]"

NO_PICTURE = " (there is no picture of it)\n"


def missing_text(part: PicturePart) -> str:
    """Return what a model reads where a picture cannot be sent again."""
    return MISSING.format(f" ({part.label})" if part.label else "")


def pictured(
    messages: Sequence[Message], pictures: Iterable[tuple[str, PicturePart | None]]
) -> tuple[Message, ...]:
    """Put labelled pictures before the text of the last message: label, picture, ..., the text.

    A place without a picture (``None``) keeps its label, which then says so.
    """
    *before, last = messages
    parts: list[str | PicturePart] = []
    for label, picture in pictures:
        parts.append(f"{label}:")
        parts.append(NO_PICTURE if picture is None else picture.model_copy(update={"label": label}))
    if not parts:
        return tuple(messages)
    return (*before, Message.of_parts(last.role, [*parts, f"\n{last.text}"]))


def openai_content(message: Message) -> str | list[dict[str, Any]]:
    """Return the content of a message for OpenAI's chat completions: a text, or parts in order."""
    if not message.pictures:
        return message.text
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, str):
            parts.append({"type": "text", "text": part})
        elif part.raw is None:
            parts.append({"type": "text", "text": missing_text(part)})
        else:
            code = base64.b64encode(part.raw).decode("ascii")
            address = f"data:{part.mime or 'image/jpeg'};base64,{code}"
            picture = {"url": address, "detail": part.detail or "auto"}
            parts.append({"type": "image_url", "image_url": picture})
    return parts


def picture_tokens(kind: str, parts: Iterable[PicturePart]) -> int:
    """Estimate the tokens of pictures for a kind of model, ``gemini`` or ``openai``."""
    count = gemini_tokens if kind == "gemini" else openai_tokens
    return sum(count(part) for part in parts)


def openai_tokens(part: PicturePart) -> int:
    """Return the tokens of a picture for OpenAI's GPT-4o."""
    if part.detail == "low":
        return OPENAI_LOW
    width, height = part.width or _OPENAI_TILE_PX, part.height or _OPENAI_TILE_PX
    shrink = min(1.0, _OPENAI_LONG_PX / max(width, height))
    shrink = min(shrink, _OPENAI_SHORT_PX / min(width, height))
    across, down = (math.ceil(side * shrink / _OPENAI_TILE_PX) for side in (width, height))
    return OPENAI_LOW + _OPENAI_TILE * across * down


def gemini_tokens(part: PicturePart) -> int:
    """Return the tokens of a picture for Gemini: 258 a tile, small pictures are one."""
    width, height = part.width or _GEMINI_SMALL_PX, part.height or _GEMINI_SMALL_PX
    if max(width, height) <= _GEMINI_SMALL_PX:
        return GEMINI_TILE
    # tiles are squares of at least 256 and at most 768 pixels, from the shorter side
    tile = min(_GEMINI_TILE_PX, max(256, math.floor(min(width, height) / 1.5)))
    return GEMINI_TILE * math.ceil(width / tile) * math.ceil(height / tile)
