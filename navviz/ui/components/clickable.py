"""Drawn HTML that can be clicked: elements with ``data-value`` tell Python which one it was.

The gallery, the failure breakdown and the map of all episodes are the same thing with another style
sheet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

from navviz.ui.state.session import widget
from navviz.views import palette

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_COLOURS = f"""
.nv-drawn {{ --nv-success: {palette.SUCCESS}; --nv-failure: {palette.FAILURE};
  --nv-unknown: {palette.UNKNOWN};
  --nv-quiet: {palette.POI}; --nv-water: {palette.WATER};
  --nv-street: color-mix(in srgb, var(--st-text-color) 20%, var(--st-background-color)); }}
"""

_JS = """
const drawn = new WeakMap();
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
// of a drawing one part is a stop of Tab, and arrows go on from it: a map may have hundreds
const rove = (box, to) => {
  for (const part of box.querySelectorAll("g[data-value]")) {
    part.setAttribute("role", "link");
    part.setAttribute("tabindex", part === to ? "0" : "-1");
  }
};
export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".nv-drawn");
  if (drawn.get(parentElement) !== data.html) {
    // what was pressed by a key is drawn anew as pressed, and keeps the focus
    const before = box.getRootNode().activeElement?.closest("[data-value]")?.dataset.value;
    box.innerHTML = data.html;
    drawn.set(parentElement, data.html);
    rove(box, box.querySelector("g[data-value]"));
    if (before !== undefined) {
      const parts = [...box.querySelectorAll("[data-value]")];
      parts.find((part) => part.dataset.value === before)?.focus({ preventScroll: true });
    }
  }
  const tell = (event) => {
    const chosen = event.target.closest("[data-value]");
    if (chosen) setTriggerValue("chosen", chosen.dataset.value);
  };
  box.onclick = tell;
  box.onkeydown = (event) => {
    const part = event.target.closest("g[data-value]");
    if (part && event.key in STEPS) {
      const parts = [...box.querySelectorAll("g[data-value]")];
      const next = parts.at((parts.indexOf(part) + STEPS[event.key]) % parts.length);
      rove(box, next);
      next.focus();
      event.preventDefault();
      event.stopPropagation();
    }
    if (!["Enter", " "].includes(event.key) || event.target.tagName === "BUTTON") return;
    event.preventDefault();
    tell(event);
  };
}
"""


@cache
def _component(name: str, css: str) -> ComponentRenderer:
    return st.components.v2.component(
        f"navviz_{name}",
        html=f'<div class="nv-drawn" data-testid="{name}"></div>',
        css=_COLOURS + css,
        js=_JS,
    )


def clickable(
    name: str, html: str, css: str, *, key: str, on_choose: Callable[[str], None] | None = None
) -> str | None:
    """Show drawn HTML.

    Parameters
    ----------
    name
        Of the component; also its ``data-testid``.
    html
        Trusted markup: whoever makes it escapes what comes from data.
    css
        Its style sheet; always the same for one name.
    key
        Unique on the page.
    on_choose
        Called before the script runs again, with the ``data-value`` that was clicked.

    Returns
    -------
    The value that was clicked in this run of the script, or ``None``.
    """

    def chosen() -> None:
        value = getattr(widget(key), "chosen", None)
        if on_choose is not None and value:
            on_choose(str(value))

    result = _component(name, css)(data={"html": html}, key=key, on_chosen_change=chosen)
    # a trigger has its value for one run of the script only
    return str(result.chosen) if result.chosen else None
