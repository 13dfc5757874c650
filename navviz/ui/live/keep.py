"""Keep a live run under a name."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from navviz.errors import NavVizError
from navviz.runner import keep_run
from navviz.runs.opened import workspace_dir
from navviz.runs.owners import check_may_open
from navviz.support.installation.serving import require
from navviz.ui.components.plain import plain
from navviz.ui.server import audit
from navviz.ui.server.identity import ownership, viewer
from navviz.ui.state import state
from navviz.ui.state.session import ActionMessage, current


def keep(trace_file: Path, suggestion: str) -> None:
    """Field and button that keep the run under a name."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input(
            "Keep this run as",
            value=suggestion,
            key=f"live_keep_{trace_file.parent.name}",
            width=280,
        )
        st.button(
            "Keep",
            icon=":material/bookmark_add:",
            key="live_keep_button",
            on_click=_keep,
            args=(trace_file, name),
        )
        kept = current().live.kept.get(str(trace_file))
        if kept is not None:
            st.button(
                "Open in Explore",
                icon=":material/grid_view:",
                key="live_open",
                on_click=_choose,
                args=(kept,),
            )
            # the callback leaves a flag: the script itself switches pages
            if current().live.goes_to_explore:
                current().live.goes_to_explore = False
                st.switch_page("pages/explore.py")
    message, current().live.message = current().live.message, None
    if message is not None:
        st.error(plain(message.text), icon=":material/error:")


def _keep(trace_file: Path, name: str) -> None:
    try:
        require("keep")
        check_may_open(viewer(), trace_file)
        keep_run(trace_file, workspace_dir() / "runs", name, ownership())
    except NavVizError as error:
        current().live.message = ActionMessage("error", str(error))
        return
    audit.note("kept", name.strip())
    current().live.kept[str(trace_file)] = name.strip()
    st.toast(f"Kept as {plain(name.strip())}.", icon=":material/bookmark_added:")


def _choose(run: str) -> None:
    state.select(run=run)
    current().live.goes_to_explore = True
