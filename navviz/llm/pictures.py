"""Pictures in prompts: what each provider is sent, and how many tokens a picture costs."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from typing import Any

from navviz.records import Message, PicturePart

OPENAI_LOW = 85
"""Tokens of a picture of any size with detail ``low`` (OpenAI, "Images and vision", GPT-4o)."""
_OPENAI_TILE, _OPENAI_TILE_PX = 170, 512
_OPENAI_LONG_PX, _OPENAI_SHORT_PX = 2048, 768
GEMINI_TILE = 258
"""Tokens of a tile, and of pictures of up to 384 pixels a side (Google, "Image understanding")."""
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


def picture_tokens(model: str | None, part: PicturePart) -> int | None:
    """Estimate the tokens of a picture; ``None`` where its size decides and is not known.

    The name of the model tells Gemini from what counts as OpenAI's GPT-4o does.
    """
    is_gemini = "gemini" in (model or "").lower()
    if part.detail == "low" and not is_gemini:
        return OPENAI_LOW
    if part.width is None or part.height is None:
        return None
    if not is_gemini:
        shrink = min(1.0, _OPENAI_LONG_PX / max(part.width, part.height))
        shrink = min(shrink, _OPENAI_SHORT_PX / min(part.width, part.height))
        return OPENAI_LOW + _OPENAI_TILE * _tiles(part, _OPENAI_TILE_PX / shrink)
    if max(part.width, part.height) <= _GEMINI_SMALL_PX:
        return GEMINI_TILE
    # tiles are squares of at least 256 and at most 768 pixels, from the shorter side
    tile_px = min(_GEMINI_TILE_PX, max(256, math.floor(min(part.width, part.height) / 1.5)))
    return GEMINI_TILE * _tiles(part, tile_px)


def _tiles(part: PicturePart, side_px: float) -> int:
    # rounding keeps 768.0000001 from opening another row of tiles
    across, down = (round((side or 0) / side_px, 6) for side in (part.width, part.height))
    return math.ceil(across) * math.ceil(down)
