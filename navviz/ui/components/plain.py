"""Text of data, links, models and users inside Streamlit's Markdown."""

from __future__ import annotations

import re

_JOINER = "\u2060"
"""Nobody sees it. It parts letters of which Streamlit makes icons and arrows after all escapes."""
_REPLACED = re.compile(
    r"(?<!\S)(?:<->|<-|->|--|>=|<=|~=)(?!\S)|:(?=material[/_]|streamlit:)", re.IGNORECASE
)
"""What Streamlit replaces by an arrow, a sign, an icon or its logo."""
_INDENT = re.compile(r"^(?: {4}|[ ]{0,3}\t)[ \t]*", re.MULTILINE)
_MARKUP = re.compile(
    r"""
    [\\`*\[\]$~|]
    | (?<![^\W_])_ | _(?![^\W_])
    | <(?=[a-z/!?])                             # a tag, or an address in angles
    | &(?=\#?\w+;)                              # the name of a character
    | :(?=[\w+-]*[^\W\d] | [\w+-]+: | :)        # a colour, a badge, an emoji
    | ^(?=[#>=] | [+-](?:[\s\-|:]|$))           # a heading, a quote, a list, a line
    | (?<=^\d)(?=[.)]) | (?<=^\d\d)(?=[.)])     # a list with numbers
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
"""What begins anything that Markdown does not show as it stands."""


def plain(text: object) -> str:
    """Write a text so that Markdown shows it as it is: a picture's address is not fetched, no name
    becomes an icon, a colour, a heading or a formula. An address in full stays one to press.
    """
    parted = _REPLACED.sub(lambda match: f"{match[0][0]}{_JOINER}{match[0][1:]}", str(text))
    return _MARKUP.sub(r"\\\g<0>", _INDENT.sub("", parted))
