"""Names of rooms in a sentence."""

from __future__ import annotations

import re

_ROOMS = (
    "living room", "dining room", "bathroom", "bedroom", "kitchen", "hallway", "hall", "corridor",
    "staircase", "laundry room", "office", "study", "garage", "lounge", "balcony", "terrace",
    "closet", "gym", "library", "porch", "basement", "attic", "conservatory", "landing",
    "playroom", "toilet", "lobby", "entryway", "foyer", "patio",
)  # fmt: skip

_ROOM_WORD = re.compile(
    r"\b(" + "|".join(sorted(_ROOMS, key=len, reverse=True)) + r")\b", re.IGNORECASE
)


def room_word(sentence: str) -> str | None:
    """Return the first room that a sentence names; ``None`` where it names none."""
    match = _ROOM_WORD.search(sentence)
    return match[1].lower() if match else None
