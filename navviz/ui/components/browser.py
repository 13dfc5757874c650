"""The one way in which what runs in the browser comes into a page: Streamlit's components v2, from
strings.

Streamlit serves a component's files by itself only where the package is installed; strings work
from a checkout as well as from a wheel. Two elements stand in the page: one carries the code
(Leaflet, the player, its style sheet), the same in every run of the script, so that Streamlit's
message cache sends it once a session; the other carries the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from navviz.ui.state.session import widget
from navviz.views import palette
from navviz.views.player.files import leaflet_css, leaflet_js, player_css, player_js

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


_MOUNT = """
const code = () => globalThis.NavVizStreamlit
  ?? new Promise((resolve) => {{
    const ready = () => resolve(globalThis.NavVizStreamlit);
    window.addEventListener("navviz-code", ready, {{ once: true }});
  }});

export default async (component) => (await code()).{name}(component);
"""

"""A component: it waits for the code, which may come after it."""


@cache
def _code() -> ComponentRenderer:
    """Leaflet and the player; a page that has them already keeps them, whatever comes again."""
    js = f"""if (!globalThis.L) {{ (function () {{ {leaflet_js()} }}).call(globalThis); }}
if (!globalThis.NavVizStreamlit) {{ {player_js()} }}
export default function () {{}}
"""
    css = f"{leaflet_css()}\n{player_css()}"
    # no shadow root: all components share this style sheet
    return st.components.v2.component("navviz_code", js=js, css=css, isolate_styles=False)


@cache
def _component(name: str) -> ComponentRenderer:
    return st.components.v2.component(
        f"navviz_{name}", js=_MOUNT.format(name=name), isolate_styles=False
    )


Part = Literal[
    "player", "pick", "desk", "post", "shelf", "list", "rows", "thumbs", "cookie", "guide", "drop"
]

"""The components of ``assets/player/src/streamlit.js``."""


def mount(
    name: Part,
    *,
    key: str,
    data: object,
    on: Mapping[str, Callable[[], None]],
    episodes: bytes | None = None,
) -> Any:  # noqa: ANN401
    """Show a component of ``assets/player/src/streamlit.js``."""
    # elements that show nothing would leave gaps
    with st.container(gap=None):
        _code()(key=f"{key}_code")
        if episodes is not None:
            _component("episodes")(key="player_episodes", data=episodes)
        callbacks: dict[str, Any] = {
            f"on_{trigger}_change": callback for trigger, callback in on.items()
        }
        return _component(name)(key=key, data=data, **callbacks)


def mount_part(name: Part, *, key: str, data: object, on: Mapping[str, Callable[[], None]]) -> Any:  # noqa: ANN401
    """Put a component beside one that carries the code; returns what it sent in this run."""
    callbacks: dict[str, Any] = {
        f"on_{trigger}_change": callback for trigger, callback in on.items()
    }
    return _component(name)(key=key, data=data, **callbacks)


def take_drops(types: Sequence[str]) -> None:
    """Let a visitor drop a file or a folder anywhere on the page: it goes to the field of *Open …*.

    It shows nothing, and does nothing where the page has no such button. What arrives is an upload
    as any other: the field checks its ending and the server its size.
    """
    most_mb = st.get_option("server.maxUploadSize")
    mount("drop", key="drops", data={"types": [*types], "most_mb": most_mb}, on={})


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
def _clickable_component(name: str, css: str) -> ComponentRenderer:
    return st.components.v2.component(
        f"navviz_{name}",
        html=f'<div class="nv-drawn" data-testid="{name}"></div>',
        css=_COLOURS + css,
        js=_JS,
    )


def clickable(
    name: str, html: str, css: str, *, key: str, on_choose: Callable[[str], None] | None = None
) -> str | None:
    """Show drawn HTML."""

    def chosen() -> None:
        value = getattr(widget(key), "chosen", None)
        if on_choose is not None and value:
            on_choose(str(value))

    result = _clickable_component(name, css)(data={"html": html}, key=key, on_chosen_change=chosen)
    # a trigger has its value for one run of the script only
    return str(result.chosen) if result.chosen else None


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

_COPY_JS = """
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
def _copy_component() -> ComponentRenderer:
    # registered when first shown: components need a server, which a module may be imported without
    return st.components.v2.component("navviz_copy_link", html=_HTML, css=_CSS, js=_COPY_JS)


def copy_link(**usual: str) -> None:
    """Show the button."""
    # they are not written into the address itself: that would put a second entry into the history,
    # and the browser's back button would never get past it
    _copy_component()(key="copy_link", width="content", data=usual)


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
    """Show a map whose nodes can be clicked."""
    ids: list[str] = document["ids"]

    def picked() -> None:
        index = getattr(widget(key), "picked", None)
        # the browser sends it: anything may stand there
        if isinstance(index, int) and 0 <= index < len(ids):
            on_pick(ids[index])

    data = {"document": dict(document), "options": {"mode": mode, "height": height, "words": words}}
    mount("pick", key=key, data=data, on={"picked": picked})
