"""A map to choose nodes on, as a Streamlit component; it needs no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from navviz.ui.components.browser import mount
from navviz.ui.state.session import widget

Mode = Literal["start", "goal", "again"]
"""What the next click chooses."""


def pick_node(
    document: Mapping[str, Any],
    *,
    key: str,
    mode: Mode,
    on_pick: Callable[[str], None],
    height: int = 480,
    words: str | None = None,
) -> None:
    """Show a map whose nodes can be clicked.

    Parameters
    ----------
    document
        From `navviz.views.player.pick.pick_document`.
    key
        Unique on the page.
    mode
        What the next click chooses.
    on_pick
        Called before the script runs again, with the node that was clicked.
    height
        In pixels.
    words
        What to click, in place of the usual words.
    """
    ids: list[str] = document["ids"]

    def picked() -> None:
        index = getattr(widget(key), "picked", None)
        # the browser sends it: anything may stand there
        if isinstance(index, int) and 0 <= index < len(ids):
            on_pick(ids[index])

    data = {"document": dict(document), "options": {"mode": mode, "height": height, "words": words}}
    mount("pick", key=key, data=data, on={"picked": picked})
