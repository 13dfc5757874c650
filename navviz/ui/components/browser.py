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
    """Show a component of ``assets/player/src/streamlit.js``.

    Parameters
    ----------
    name
        Of the component.
    key, data
        As Streamlit's components take them.
    on
        A callback for each of its triggers.
    episodes
        From `run_index`, for the player's search. It is an element of its own with a key of its
        own, the same for every episode, so that Streamlit's message cache sends it once a run.
    """
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

    Parameters
    ----------
    types
        Endings that the field takes.
    """
    most_mb = st.get_option("server.maxUploadSize")
    mount("drop", key="drops", data={"types": [*types], "most_mb": most_mb}, on={})
