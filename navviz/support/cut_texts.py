"""Texts of a length that can be analysed: what is left out of one is said at its end."""

from __future__ import annotations

import re
from typing import Final

LONGEST_NAME: Final = 1_000
"""Characters; OpenStreetMap holds no value of more than 255."""

_CUT = re.compile(r" … \[cut: of ([\d,]+) characters the first [\d,]+ are read\]\Z")


def cut_text(text: str, most: int) -> str:
    """Return a text of up to `most` characters; a longer one is cut and ends with what is missing.

    Characters before that end stay where they are, so that a quote is found in the whole text.
    """
    if len(text) <= most:
        return text
    cut = f" … [cut: of {len(text):,} characters the first {most:,} are read]"
    return text[: most - len(cut)] + cut


def whole_length(text: str) -> int:
    """Return how many characters a text had before it was cut."""
    cut = _CUT.search(text, max(0, len(text) - 100))
    return len(text) if cut is None else int(cut[1].replace(",", ""))


def cut_name(text: str) -> str:
    """Return the name of a place of a length that can be compared with others."""
    return cut_text(text, LONGEST_NAME)
