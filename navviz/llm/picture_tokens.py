"""How many tokens a picture of a prompt counts, by the rules that providers publish.

References
----------
OpenAI, "Images and vision", cost of GPT-4o's images: low detail 85 tokens; high detail 85 and 170 a
tile of 512 x 512 after fitting into 2048 x 2048 and a shorter side of 768. Google, "Image
understanding": 258 tokens where both sides have at most 384 pixels, else 258 a tile of 768 x 768.
"""

from __future__ import annotations

import math

_LOW = 85
_TILE = 170
_FIT_PX, _SHORT_PX, _TILE_PX = 2048, 768, 512
_GEMINI = 258
_GEMINI_SMALL_PX, _GEMINI_TILE_PX = 384, 768


def picture_tokens(
    model: str | None, width: int | None, height: int | None, detail: str | None = None
) -> int | None:
    """Estimate the tokens of one picture.

    `model`: its name tells Gemini from what counts as OpenAI does. `width` and `height`: in pixels.
    `detail`: OpenAI's ``low``, ``high`` or ``auto``, which is counted as high. Returns ``None``
    where the size decides and is missing.
    """
    is_gemini = "gemini" in (model or "").lower()
    if detail == "low" and not is_gemini:
        return _LOW
    if width is None or height is None:
        return None
    if is_gemini:
        if max(width, height) <= _GEMINI_SMALL_PX:
            return _GEMINI
        return _GEMINI * _tiles(width, height, _GEMINI_TILE_PX)
    fit = min(1.0, _FIT_PX / max(width, height))
    short = min(1.0, _SHORT_PX / (min(width, height) * fit))
    scale = fit * short
    return _LOW + _TILE * _tiles(width * scale, height * scale, _TILE_PX)


def _tiles(width: float, height: float, side: int) -> int:
    # rounding keeps 768.0000001 from opening another row of tiles
    return math.ceil(round(width / side, 6)) * math.ceil(round(height / side, 6))
