"""The words of a text by which texts are compared, in any script.

Most scripts put a blank between words. Chinese, Japanese, Thai, Lao, Burmese and Khmer do not:
there each pair of neighbouring letters counts as a word, as search engines index them.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

_MARKS: Final = re.escape(
    "".join(chr(code) for code in range(0x300, 0xFE30) if unicodedata.category(chr(code))[0] == "M")
)
"""Vowel signs and accents: Python counts those of Hindi, Thai and Arabic as no part of a word."""
_JOINERS: Final = "\u200c\u200d"
"""They stand within words of Persian and Hindi."""
_LATIN: Final = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)")
"""Whole words: parts of a node's id such as ``8a42cd`` are none."""
_WORD: Final = re.compile(
    rf"(?<![\w{_MARKS}])[^\W\d_](?:[^\W\d_]|[{_MARKS}{_JOINERS}])*(?![\w{_MARKS}])"
)
_NO_BLANKS: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff]+"
)
_SHORT_WORDS: Final = "\u0590"
"""From Hebrew on a word of two letters may say as much as *bus* does."""


def search_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order; short ones are left out.

    Of Latin, Greek and Cyrillic words those of one and two letters are left out, of other scripts
    single letters.
    """
    text = text.lower()
    if text.isascii():
        return _LATIN.findall(text)
    # one letter may be written as one sign or as a letter and its accent
    text = unicodedata.normalize("NFC", text)
    words: list[str] = []
    for run in _NO_BLANKS.findall(text):
        words += [first + second for first, second in pairwise(run)]
    words += [word for word in _WORD.findall(_NO_BLANKS.sub(" ", text)) if _is_long(word)]
    return words


def _is_long(word: str) -> bool:
    letters = sum(letter.isalpha() for letter in word)
    return letters >= (3 if word[0] < _SHORT_WORDS else 2)
