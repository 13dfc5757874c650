"""The player as a Streamlit component.

The document goes to the browser as bytes, sent again only when it has changed. Stepping never asks
the server; explicit actions ("Fork here", the next episode) do.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.components.v1 import declare_component
from streamlit.runtime.scriptrunner import get_script_run_ctx

from navviz.errors import PluginError
from navviz.records import Trace
from navviz.records.breakpoint import Breakpoint
from navviz.support.systems import PanelChoice, offered
from navviz.systems.registry import with_panels
from navviz.ui.components.browser import mount
from navviz.ui.server.shelves import shelves
from navviz.ui.state.session import current, set_widget, widget
from navviz.ui.state.state import by_hand, choose, chosen
from navviz.views.player.pictures import PictureTable, with_data
from navviz.world.graph import Graph

_INLINE_BYTES = 5_000_000
"""Of pictures in a document, where a plain ``streamlit run`` has no address for them."""


@dataclass(frozen=True, slots=True)
class Action:
    """A button of the player that tells Python."""

    name: str
    label: str


REPAIR = Action("repair", "")
"""Offered beside the cause where the document names a repair: no button of the bar below."""


BREAK = Action("break", "")
"""Offered where a walk can pause: what is pointed at comes back as `PlayerAction.at`."""


@dataclass(frozen=True, slots=True)
class PlayerAction:
    """A button was pressed, with the step that was shown (0 is before the first)."""

    name: str
    step: int
    episode: str | None = None
    """With ``open``: the episode that was chosen in the search."""
    cause: int | None = None
    """With ``repair``: which of the walk's causes, by time, counted from 0; the first repair where
    not given.
    """
    at: object = None
    """With ``break``: what was pointed at, as a dictionary of one ``step``, ``node``, ``closes``
    (number of a sub-goal) or ``prompt`` (a line of it).
    """


def player(
    document: Mapping[str, Any],
    *,
    key: str,
    height: int | None = None,
    actions: Sequence[Action] = (),
    step: int | None = None,
    start: Literal["cause"] | None = None,
    header: bool = True,
    episodes: bool = False,
    index: bytes | None = None,
    shows: str | None = None,
    in_address: bool = True,
    pictures: PictureTable | None = None,
    listens_to: str | None = None,
    on_text: Callable[[str], None] | None = None,
    on_action: Callable[[PlayerAction], None] | None = None,
    breakpoints: Sequence[Breakpoint] = (),
) -> PlayerAction | None:
    """Show a player."""
    options: dict[str, Any] = {
        "height": height if height is not None else "fill",
        "actions": [{"name": action.name, "label": action.label} for action in actions],
        "step": step,
        "header": header,
        "episodes": episodes,
    }
    if start is not None:
        options["start"] = start
    if shows is not None:
        options["shows"] = shows
    if not in_address:
        options["deepLink"] = False
    if breakpoints:
        options["breakpoints"] = [each.model_dump(exclude_defaults=True) for each in breakpoints]
    if listens_to is not None:
        options["listensTo"] = listens_to
    # only houses have a 3-D scene, and its script has 4.8 MB
    if document.get("frame") == "metric":
        options["plotly"] = _plotly_url()
    shown = document if pictures is None else with_served_pictures(document, pictures)
    text = json.dumps({"document": shown, "options": options}, ensure_ascii=False, allow_nan=False)
    # a lone surrogate of a log has no UTF-8: it becomes a question mark
    payload = text.encode("utf-8", "replace")
    digest = hashlib.blake2b(payload, digest_size=12).hexdigest().encode()

    def pressed() -> None:
        # having a callback is also what makes Streamlit hand out the value
        action = _action(getattr(widget(key), "action", None))
        if on_action is not None and action is not None:
            on_action(action)

    def typed() -> None:
        text = getattr(widget(key), "typed", None)
        if on_text is not None and isinstance(text, dict) and isinstance(text.get("text"), str):
            on_text(text["text"])

    result = mount(
        "player",
        key=key,
        data=digest + b"\n" + payload,
        on={"action": pressed, "typed": typed},
        episodes=index,
    )
    return _action(result.action)


def with_served_pictures(document: Mapping[str, Any], table: PictureTable) -> dict[str, Any]:
    """Return a document that says where its pictures are served, or holds small copies."""
    context = get_script_run_ctx()
    if not document.get("pictures"):
        return dict(document)
    if context is None or not shelves.is_served:
        return with_data(document, table, _INLINE_BYTES)
    at, names = shelves.put(context.session_id, table.files)
    entries = []
    for entry, name in zip(document["pictures"]["all"], names, strict=True):
        entries.append(entry if name is None else {**entry, "key": name})
    return {**document, "pictures": {**document["pictures"], "at": at, "all": entries}}


def _plotly_url() -> str:
    """Where the page gets plotly's script for the 3-D scene: from plotly's own package, when it is
    first needed.

    No component: `declare_component` is the one public way to have Streamlit serve a package's
    folder, so that the browser keeps the 4.8 MB instead of getting them with each visit.
    """
    spec = find_spec("plotly")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    component = declare_component("plotly", path=Path(folders[0]) / "package_data")
    return f"component/{component.name}/plotly.min.js"


def _action(value: object) -> PlayerAction | None:
    if not isinstance(value, dict):
        return None
    name, step, episode = value.get("name"), value.get("step"), value.get("episode")
    if not isinstance(name, str) or not isinstance(step, int):
        return None
    cause = value.get("cause")
    return PlayerAction(
        name,
        step,
        episode if isinstance(episode, str) else None,
        cause if isinstance(cause, int) else None,
        value.get("at"),
    )


def run_index(episodes: Iterable[tuple[str, str]]) -> bytes:
    """Pack ids and instructions of a run's episodes for the player's search."""
    # no time in its header: the same episodes must give the same bytes, or they are sent again
    packed = gzip.compress(
        json.dumps(list(episodes), ensure_ascii=False).encode("utf-8", "replace"), mtime=0
    )
    return hashlib.blake2b(packed, digest_size=12).hexdigest().encode() + b"\n" + packed


_OFF = "off"


def choose_panels(trace: Trace, graph: Graph) -> None:
    """Show a button for each choice of panels that systems offer for this walk."""
    for name, part in offered("choices").items():
        choice: PanelChoice = part.entry
        applies = False
        with suppress(PluginError), part.guarded(f"cannot tell of episode {trace.episode.id}"):
            applies = part.load(choice.applies)(trace, graph)
        if not applies:
            continue
        names = [_OFF, *choice.options]
        current().panels[name] = chosen(name, names, _OFF)
        with st.popover(choice.label, help=choice.help):
            set_widget(f"replay_{name}_choice", current().panels[name])
            st.radio(
                choice.title,
                names,
                format_func=partial(_option_label, choice),
                key=f"replay_{name}_choice",
                on_change=by_hand(_choose),
                args=(name,),
                help="They join the inspectors of each step. No model is asked.",
            )


def _option_label(choice: PanelChoice, option: str) -> str:
    return choice.options.get(option, "not shown")


def _choose(name: str) -> None:
    option = str(widget(f"replay_{name}_choice"))
    choose(name, *([] if option == _OFF else [option]))


def panels_key(panels: Mapping[str, str]) -> str:
    """Return the name of the panels that were chosen, for caches; empty for none."""
    return ",".join(f"{name}:{option}" for name, option in panels.items() if option != _OFF)


def inspected(trace: Trace, graph: Graph) -> Trace:
    """Return the trace with the panels of its system, and those that were chosen."""
    trace = with_panels(trace, graph)
    for name, part in offered("choices").items():
        option, choice = current().panels.get(name), part.entry
        if option in choice.options:
            with suppress(PluginError), part.guarded(f"adds no panel to {trace.episode.id}"):
                trace = part.load()(trace, graph, option)
    return trace
