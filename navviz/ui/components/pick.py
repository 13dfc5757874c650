"""A map to choose nodes on, as a Streamlit component; it needs no network."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from navviz.views.player.files import ASSETS, leaflet_css, leaflet_js

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

__all__ = ["Mode", "pick_node"]

Mode = Literal["start", "goal", "again"]
"""What the next click chooses."""

_MOUNT = """
const maps = new WeakMap();
export default function ({ data, parentElement, setTriggerValue }) {
  const options = { ...data.options, onPick: (index) => setTriggerValue("picked", index) };
  let held = maps.get(parentElement);
  if (held) {
    held.update(data.document, options);
  } else {
    const root = document.createElement("div");
    parentElement.append(root);
    held = globalThis.NavVizPick.mount(root, data.document, options);
    maps.set(parentElement, held);
  }
  return () => { maps.delete(parentElement); held.destroy(); };
}
"""


@cache
def _component() -> ComponentRenderer:
    code = (ASSETS / "pick.js").read_text(encoding="utf-8")
    # Leaflet sets its global by `this`, which a module does not have
    js = f"if (!globalThis.L) {{ (function () {{ {leaflet_js()} }}).call(globalThis); }}\n{code}\n{_MOUNT}"
    return st.components.v2.component("navviz_pick", js=js, css=leaflet_css(), isolate_styles=False)


def pick_node(document: Mapping[str, Any], *, key: str, mode: Mode, height: int = 480) -> str | None:
    """Show the map of a `navviz.views.player.pick.pick_document`.

    Returns
    -------
    The node that was clicked in this run of the script, or ``None``.
    """
    data = {"document": dict(document), "options": {"mode": mode, "height": height}}
    result = _component()(key=key, data=data, on_picked_change=_noted)
    picked = result.picked
    ids: list[str] = document["ids"]
    return ids[picked] if isinstance(picked, int) and 0 <= picked < len(ids) else None


def _noted() -> None:
    """Having a callback is what makes Streamlit hand out the value."""
