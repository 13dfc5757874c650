"""How much of a text is looked at for words.

A search for words may take time that grows with the square of a text's length where it holds a long
run of blanks or dots, and Python cannot end it before it is through. Instructions of the data sets
have at most 1,500 characters.
"""

from __future__ import annotations

from typing import Final

LONGEST_INSTRUCTION: Final = 4_000
"""The worst pattern takes a second for it."""
LONGEST_REPLY: Final = 20_000
"""Of a model; what it decided stands long before."""


def readable(text: str, most: int = LONGEST_INSTRUCTION) -> str:
    """Return the beginning of a text, as far as it is searched for words."""
    return text[:most]
