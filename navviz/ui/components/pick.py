"""A map to choose nodes on, as a Streamlit component; it needs no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from navviz.ui.components.browser import mount

__all__ = ["Mode", "pick_node"]

Mode = Literal["start", "goal", "again"]
"""What the next click chooses."""


def pick_node(
    document: Mapping[str, Any], *, key: str, mode: Mode, height: int = 480, words: str | None = None
) -> str | None:
    """Show the map of a `navviz.views.player.pick.pick_document`.

    `words` say what to click, in place of the usual ones.

    Returns
    -------
    The node that was clicked in this run of the script, or ``None``.
    """
    data = {"document": dict(document), "options": {"mode": mode, "height": height, "words": words}}
    result = mount("pick", key=key, data=data, on={"picked": _noted})
    picked = result.picked
    ids: list[str] = document["ids"]
    return ids[picked] if isinstance(picked, int) and 0 <= picked < len(ids) else None


def _noted() -> None:
    """Having a callback is what makes Streamlit hand out the value."""
