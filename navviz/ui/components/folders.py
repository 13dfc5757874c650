"""Browse the folders of this machine: first what NavViz can read, each with what it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final

import streamlit as st

from navviz.errors import InputError
from navviz.formats import format_of
from navviz.runs.owners import may_open
from navviz.support.guarded import is_folder
from navviz.ui.components.browser import clickable
from navviz.ui.server import visitor
from navviz.ui.server.identity import viewer
from navviz.ui.state.session import set_widget

_MOST_LOOKED_AT = 60
"""Entries whose first bytes are read: 60 take some 0.2 s."""
_MOST_LISTED = 300
_MOST_RECENT = 5
_KINDS: Final[Mapping[str, str]] = {"results": "run", "episodes": "episodes", "graph": "map"}


def start_folder() -> Path:
    """Return where to look first: beside what was opened last, else where NavViz was started."""
    for source in visitor.sources():
        place = source.results or source.episodes
        if source.origin == "opened" and place is not None and is_folder(place.parent):
            return place.parent
    return Path.cwd()


@st.cache_data(max_entries=32, show_spinner=False)
def _entries(folder: str, modified_ns: int) -> list[tuple[str, bool, str]]:
    """List name, whether it is a folder, and what NavViz takes it for."""
    del modified_ns
    entries = []
    places = [place for place in Path(folder).iterdir() if not place.name.startswith(".")]
    for number, place in enumerate(sorted(places, key=lambda place: place.name.lower())):
        kind = ""
        if number < _MOST_LOOKED_AT:
            with suppress(InputError, OSError):
                kinds = [name for name in _KINDS if format_of(name, place)]  # type: ignore[arg-type]
                kind = _KINDS[kinds[0]] if kinds else ""
        entries.append((place.name, is_folder(place), kind))
    return sorted(entries, key=lambda entry: (not entry[2], not entry[1]))


def browse(path_key: str, path: Path | None) -> None:
    """Show the folder of the path that is typed, or of what was opened last; a click writes what
    it names into the field of that key.
    """
    folder = start_folder() if path is None else path
    if not is_folder(folder):
        folder = folder.parent
    try:
        listed = _entries(str(folder), folder.stat().st_mtime_ns)
    except OSError:
        return  # what is typed is not there yet
    rows = []
    if path is None:
        recent = [
            source.results or source.episodes
            for source in visitor.sources()
            if source.origin in {"opened", "workspace"} and not source.fault
        ]
        for place in list(dict.fromkeys(filter(None, recent)))[:_MOST_RECENT]:
            rows.append(_row(str(place), place.name, "recent", is_open=False))
    if folder.parent != folder:
        rows.append(_row(str(folder.parent), f"↑ {folder.parent.name or '/'}", "", is_open=True))
    looks = viewer()
    for name, is_dir, kind in listed[:_MOST_LISTED]:
        if may_open(looks, folder / name):
            rows.append(_row(str(folder / name), name, kind, is_open=is_dir))
    html = f'<p class="quiet">{escape(str(folder))}</p><div class="files">{"".join(rows)}</div>'
    clickable(
        "folder", html, key="pickers_folder", on_choose=lambda value: set_widget(path_key, value)
    )


def _row(value: str, name: str, kind: str, *, is_open: bool) -> str:
    shown = f"{name}/" if is_open and not name.startswith("↑") else name
    return (
        f'<button class="row" data-value="{escape(value, quote=True)}"><span class="name">'
        f'{escape(shown)}</span><span class="quiet">{escape(kind)}</span></button>'
    )
