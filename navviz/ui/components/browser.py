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
from navviz.views.player.files import leaflet_css, leaflet_js, own_file, player_css, player_js

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


_MOUNT = """
const code = () => globalThis.NavVizStreamlit
  ?? new Promise((resolve) => {{
    const ready = () => resolve(globalThis.NavVizStreamlit);
    window.addEventListener("navviz-code", ready, {{ once: true }});
  }});

export default async (component) => (await code()).mount("{name}", component);
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
    "player",
    "pick",
    "desk",
    "post",
    "shelf",
    "list",
    "rows",
    "thumbs",
    "cookie",
    "guide",
    "drop",
    "draft",
    "invitation",
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


@cache
def _clickable_component(name: str, sheet: str) -> ComponentRenderer:
    return st.components.v2.component(
        f"navviz_{name}",
        html=f'<div class="nv-drawn" data-testid="{name}"></div>',
        css=own_file("ui/drawn.css") + own_file(f"ui/{sheet}.css"),
        js=own_file("ui/drawn.js"),
    )


def clickable(
    name: str,
    html: str,
    *,
    key: str,
    sheet: str = "",
    on_choose: Callable[[str], None] | None = None,
) -> str | None:
    """Show drawn HTML in the look of ``assets/ui/NAME.css`` (or of another sheet there); returns
    the value of the part that was pressed.
    """

    def chosen() -> None:
        value = getattr(widget(key), "chosen", None)
        if on_choose is not None and value:
            on_choose(str(value))

    component = _clickable_component(name, sheet or name)
    result = component(data={"html": html}, key=key, on_chosen_change=chosen)
    # a trigger has its value for one run of the script only
    return str(result.chosen) if result.chosen else None


@cache
def _copy_component() -> ComponentRenderer:
    # registered when first shown: components need a server, which a module may be imported without
    html, css, js = (own_file(f"ui/copy_link.{form}") for form in ("html", "css", "js"))
    return st.components.v2.component("navviz_copy_link", html=html, css=css, js=js)


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
