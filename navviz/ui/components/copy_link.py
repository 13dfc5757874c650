"""A button that copies the address of what is shown: run, episode, step, filters and sort stand in
it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_CSS = """
button { all: unset; box-sizing: border-box; cursor: pointer; display: inline-flex;
  align-items: center; gap: 6px;
  height: 2.5rem; padding: 0 .7rem; border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius);
  font: var(--nv-14)/1 var(--st-font); color: var(--st-text-color); white-space: nowrap; }
button:hover, button:focus-visible { border-color: var(--st-primary-color);
  color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round; }
"""
_HTML = """<button type="button" title="Copy a link to exactly this view">
<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 9.5l3-3"/>
<path d="M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13a3 3 0 0 1-4.5-4.5L4.5 7"/></svg>
<span aria-live="polite">Copy link</span></button>"""
_JS = """
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* no right, or no secure context */ }
  const box = Object.assign(document.createElement("textarea"), { value: text });
  box.style.position = "fixed";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
};
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const label = button.querySelector("span");
  button.onclick = async () => {
    const link = new URL(location.href);
    for (const [name, value] of Object.entries(data ?? {})) {
      if (!link.searchParams.has(name)) link.searchParams.set(name, value);
    }
    label.textContent = (await copy(link.href)) ? "Copied" : "Press Ctrl+L, Ctrl+C";
    setTimeout(() => { label.textContent = "Copy link"; }, 1600);
  };
}
"""


@cache
def _component() -> ComponentRenderer:
    # registered when first shown: components need a server, which a module may be imported without
    return st.components.v2.component("navviz_copy_link", html=_HTML, css=_CSS, js=_JS)


def copy_link(**usual: str) -> None:
    """Show the button.

    Parameters
    ----------
    usual
        Values that the address leaves out because they are the first choice today; another visitor,
        or the same one tomorrow, may have another first choice, so the link says them.
    """
    # they are not written into the address itself: that would put a second entry into the history,
    # and the browser's back button would never get past it
    _component()(key="copy_link", width="content", data=usual)
