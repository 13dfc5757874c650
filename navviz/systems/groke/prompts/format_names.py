"""The names of the five formats in which a view can be shown to a model; `formats` beside this file
renders them.
"""

from __future__ import annotations

from typing import Literal, get_args

Format = Literal["json", "json-optimised", "textual", "graphviz", "grid"]
FORMATS: tuple[Format, ...] = get_args(Format)
