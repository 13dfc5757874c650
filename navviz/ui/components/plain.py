"""Text of data, links, models and users inside Streamlit's Markdown."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"([\\`*\[\]$])")
"""What begins a link, a picture, a colour, code, emphasis or a formula; HTML is shown as text by
Streamlit itself.
"""


def plain(text: object) -> str:
    """Write a text so that Markdown shows it as it is: a picture's address is not fetched, a link
    is none.
    """
    return _MARKUP.sub(r"\\\1", str(text))
