"""Letters of a replay that pages cannot draw: a film shows boxes for them, and so may a saved page.

A page brings Source Sans with Latin letters only. All others come from fonts of the machine that
draws the page, which for a film is this one.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from navviz.support.installation.extras import extra_hint

_FOREIGN: Final = re.compile("[^\\u0000-\\u024f\\u2000-\\u206f]")
"""Beyond Latin letters and dashes, which every font has: most replays have none, and to read fonts
costs the import of matplotlib."""
FILM: Final = "a film shows boxes in their place"
SAVED: Final = "the HTML file shows boxes in their place on computers without such a font"
FILM_AND_SAVED: Final = (
    "a film shows boxes in their place, and so does the HTML file on computers without such a font"
)


def undrawn_letters(document: Mapping[str, Any], effect: str) -> str:
    """Name letters of a document that no installed font has; empty where nothing is missing.

    Parameters
    ----------
    document
        From `navviz.views.player.document.replay_document`.
    effect
        What becomes of them: `FILM`, `SAVED` or `FILM_AND_SAVED`.
    """
    letters = "".join(dict.fromkeys(_FOREIGN.findall(" ".join(_texts(document)))))
    # the check reads fonts with matplotlib, and a film needs another extra
    if not letters or extra_hint("figures") is not None:
        return ""
    from navviz.views.figures.print_type import missing_letters, on_pages

    return missing_letters([letters], effect=effect, draws=on_pages)


def _texts(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a document: its packed table, and all that stands elsewhere in it."""
    packed = document["strings"]
    if isinstance(packed, Mapping):
        yield from json.loads(gzip.decompress(base64.b64decode(packed["gzip"])))
    yield from _texts_in({**document, "strings": () if isinstance(packed, Mapping) else packed})


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts_in(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts_in(part)
