"""A GROKE prompt without the order of what it lists, for comparing one with another.

The authors' code lists landmarks and POIs in the order of a Python set, another one in every run,
and connections in that of a ``links.txt`` that is not published.
"""

from __future__ import annotations

import json
import re
from typing import Any

from navviz.support.guarded import decode_reply

_FENCE = re.compile(r"```json\n(.*?)\n```", re.DOTALL)
_LANDMARKS = re.compile(r"^Landmark: (.*)$", re.MULTILINE)
_UNORDERED = frozenset({"connections", "branches", "pois"})


def without_order(text: str) -> str:
    """Return the prompt with its landmarks, connections, branches and POIs sorted; what is no such
    list stays.
    """
    text = _LANDMARKS.sub(
        lambda match: "Landmark: " + ", ".join(sorted(match[1].split(", "))), text
    )
    return _FENCE.sub(_sorted_map, text)


def _sorted_map(match: re.Match[str]) -> str:
    try:
        # a mended map would compare as equal to a whole one
        value = decode_reply(match[1], mend=False)
    except ValueError:
        return match[0]
    return json.dumps(_sorted(value), sort_keys=True)


def _sorted(value: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _sorted(each, key) for key, each in value.items()}
    if isinstance(value, list):
        items = [_sorted(each) for each in value]
        return (
            sorted(items, key=lambda each: json.dumps(each, sort_keys=True))
            if name in _UNORDERED
            else items
        )
    return value
