"""The player as a Streamlit component, mounted in the page itself (components v2, no frame).

Two elements: one carries the player's code, the same in every run of the script, so that Streamlit's message cache
sends it once a session; the other carries the document as bytes, sent again only when it has changed. Stepping never
asks the server; explicit actions ("Fork here") do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.components.v1 import declare_component

from navviz.views.player.files import leaflet_css, leaflet_js, player_css, player_js

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

__all__ = ["Action", "PlayerAction", "player"]


@dataclass(frozen=True, slots=True)
class Action:
    """A button of the player that tells Python."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class PlayerAction:
    """A button was pressed, with the step that was shown (0 is before the first)."""

    name: str
    step: int


_MOUNT = """
const players = new WeakMap();
const ready = () => globalThis.NavVizPlayer ? Promise.resolve()
  : new Promise((resolve) => window.addEventListener("navviz-code", resolve, { once: true }));

export default async function ({ data, parentElement, setTriggerValue }) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const line = bytes.indexOf(10);
  const digest = new TextDecoder().decode(bytes.subarray(0, line));
  let held = players.get(parentElement);
  if (held) held.send = setTriggerValue;
  if (held?.digest === digest) return held.destroy;
  const { document: doc, options } = JSON.parse(new TextDecoder().decode(bytes.subarray(line + 1)));
  if (held) {
    held.digest = digest;
    const player = await held.player;
    if (player && held.digest === digest) await player.update(doc);
    return held.destroy;
  }
  held = { digest, send: setTriggerValue };
  players.set(parentElement, held);
  const root = document.createElement("div");
  parentElement.append(root);
  held.destroy = () => {
    players.delete(parentElement);
    held.gone = true;
    held.player?.then((player) => { player?.destroy(); root.remove(); });
  };
  held.player = ready().then(() => held.gone ? null : globalThis.NavVizPlayer.mount(root, doc, {
    ...options, onAction: (name, step) => held.send("action", { name, step }) }));
  await held.player;
  return held.destroy;
}
"""


def _code_js() -> str:
    """Leaflet and the player as one module, evaluated once a page, with their style sheet."""
    style = leaflet_css() + "\n" + player_css()
    return f"""{leaflet_js()}
{player_js()}
document.getElementById("navviz-style")?.remove();
const style = document.createElement("style");
style.id = "navviz-style";
style.textContent = {json.dumps(style)};
document.head.append(style);
window.dispatchEvent(new Event("navviz-code"));
export default function () {{}}
"""


@cache
def _components() -> tuple[ComponentRenderer, ComponentRenderer]:
    """The element that carries the code, and the one that carries a document."""
    component = st.components.v2.component
    return (
        component("navviz_player_code", js=_code_js(), isolate_styles=False),
        component("navviz_player", js=_MOUNT, isolate_styles=False),
    )


def player(
    document: Mapping[str, Any],
    *,
    key: str,
    height: int | None = None,
    actions: Sequence[Action] = (),
    step: int | None = None,
    header: bool = True,
) -> PlayerAction | None:
    """Show a player.

    Parameters
    ----------
    document
        From `navviz.views.player.document.replay_document`. With the same `key`, a newer document of a live run keeps
        the cursor and the map's view; a player at the end follows.
    key
        Unique on the page. Another episode wants another key.
    height
        In pixels; ``None`` fills the window.
    actions
        Buttons that tell Python which step was shown when they were pressed.
    step
        Where to start, unless the page's address says so (``?step=``).
    header
        Whether to show the player's own line with title and figures.

    Returns
    -------
    The button that was pressed in this run of the script, or ``None``.
    """
    options: dict[str, Any] = {
        "height": height if height is not None else "fill",
        "actions": [{"name": action.name, "label": action.label} for action in actions],
        "step": step,
        "header": header,
    }
    if document.get("frame") == "metric":
        options["plotly"] = _plotly_url()
    text = json.dumps({"document": document, "options": options}, ensure_ascii=False, allow_nan=False)
    payload = text.encode("utf-8", "replace")
    digest = hashlib.blake2b(payload, digest_size=12).hexdigest().encode()
    with st.container(gap=None):
        code, mount = _components()
        code(key=f"{key}_code")
        result = mount(key=key, data=digest + b"\n" + payload, on_action_change=_noted)
    return _action(result.action)


def _plotly_url() -> str:
    """Where the page gets plotly's script for the 3-D scene: from plotly's own package, when it is first needed."""
    spec = find_spec("plotly")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    component = declare_component("plotly", path=Path(folders[0]) / "package_data")
    return f"component/{component.name}/plotly.min.js"


def _noted() -> None:
    """Having a callback is what makes Streamlit hand out the value."""


def _action(value: object) -> PlayerAction | None:
    if not isinstance(value, dict):
        return None
    name, step = value.get("name"), value.get("step")
    if not isinstance(name, str) or not isinstance(step, int):
        return None
    return PlayerAction(name, step)
