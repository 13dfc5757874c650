"""A result file that was opened alone: the logs of its steps beside it, to be opened too."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from navviz.errors import InputError, NavVizError
from navviz.formats import format_of
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.runs.owners import check_may_open
from navviz.runs.sources import from_path
from navviz.support.guarded import is_folder
from navviz.ui.components.plain import plain
from navviz.ui.server import visitor
from navviz.ui.server.identity import viewer
from navviz.ui.state import state

_MOST = 3


@st.cache_data(max_entries=32, show_spinner=False)
def _folders(folder: str, modified_ns: int) -> list[Path]:
    del modified_ns
    logs = []
    for place in sorted(Path(folder).iterdir()):
        with suppress(InputError, OSError):
            if is_folder(place) and format_of("results", place):
                logs.append(place)
    return logs


def offer(run: OpenRun) -> None:
    """Offer folders of logs beside a result file that holds no calls; the nearest name first."""
    results = run.source.results
    if run.source.origin != "opened" or results is None or is_folder(results):
        return
    first = next(iter(run.traces), None)
    if not visitor.is_local() or first is None or run.trace(first).calls:
        return
    known = {source.results for source in visitor.sources()}
    folders = _folders(str(results.parent), results.parent.stat().st_mtime_ns)
    words = set(results.stem.lower().split("_"))
    fresh = [place for place in folders if place not in known]
    fresh.sort(key=lambda place: -len(words & set(place.name.lower().split("_"))))
    if not fresh:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="logs_beside"):
        st.caption(
            plain(
                f"{plural(len(run), 'episode')} without prompts and thoughts here; logs of steps"
                " lie beside the file."
            ),
            width="content",
        )
        for place in fresh[:_MOST]:
            st.button(
                plain(f"Open {place.name} too"),
                icon=":material/folder_open:",
                key=f"logs_beside_{place.name}",
                on_click=_open,
                args=(place, run.source.graphs[:1]),
            )


def _open(place: Path, graphs: tuple[Path, ...]) -> None:
    try:
        check_may_open(viewer(), place)
        kept = visitor.remember(from_path(place, next(iter(graphs), None)))
    except NavVizError as error:
        st.toast(plain(error), icon=":material/error:")
        return
    state.select(run=kept[0].name)
