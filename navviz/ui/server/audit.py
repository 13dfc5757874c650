"""What the pages write into the audit of a server, and the table of it that its operator sees."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from navviz.errors import NotFoundError
from navviz.runs.audit import ACTIONS, OPERATOR, Action, AuditEntry, audit_log, record
from navviz.runs.owners import Viewer
from navviz.support.guarded import harmless
from navviz.support.installation.serving import serving
from navviz.ui.components.widgets import show_table
from navviz.ui.server.identity import address, viewer
from navviz.ui.state.session import current

_SHOWN = 2_000
"""Newest lines of the table; `navviz server audit` lists all."""
_ALL = "all"


def note(action: Action, what: str = "", **figures: int | float | str) -> None:
    """Write what the visitor of this page has done; nothing on a machine of one's own."""
    if serving() is not None:
        record(_name(viewer()), action, what, figures)


def note_once(action: Action, what: str) -> None:
    """Write it once a visit: pages open their run in each run of the script.

    Before anybody came in nothing is written: the server opens a page itself to be warm.
    """
    rules = serving()
    if rules is None or not (action == "came in" or ("came in", rules.door) in current().audited):
        return
    if (action, what) not in current().audited:
        current().audited.add((action, what))
        note(action, what)


def came_in() -> None:
    """Write that a visitor has come in by the door, once a visit."""
    rules = serving()
    if rules is not None:
        note_once("came in", rules.door)


def was_not_let_in(door: str) -> None:
    """Write a wrong try; nothing of what was typed, which may be a right secret in the wrong
    field.
    """
    if serving() is not None:
        record(address(), "was not let in", door)


def _name(looks: Viewer) -> str:
    return OPERATOR if looks.operator else looks.name


def counting(what: str) -> Callable[[int], None]:
    """Return what writes the tokens of the visitor of this page, from whatever thread."""
    # asked for now: the thread that calls it later has no session
    name = _name(viewer())
    return lambda tokens: record(name, "spent", what, {"tokens": tokens})


def download(
    label: str,
    data: str | bytes | Callable[[], bytes],
    file_name: str,
    **options: Any,  # noqa: ANN401
) -> bool:
    """Show a download button that writes into the audit when it is pressed; all downloads of NavViz
    go by it.
    """
    if serving() is None:
        return st.download_button(label, data, file_name, **options)
    name = _name(viewer())

    def made() -> str | bytes:  # in a thread of the server, which knows no session
        content = data() if callable(data) else data
        record(name, "exported", file_name, {"bytes": len(content)})
        return content

    return st.download_button(label, made, file_name, **options)


def entries_for(
    looks: Viewer, action: str | None = None, visitor: str | None = None
) -> list[AuditEntry]:
    """Return the newest lines, the newest first; raises `NotFoundError` for whoever is not the
    operator.
    """
    if not looks.operator:
        raise NotFoundError("is not here", "ask the operator of this server", file="The audit")
    # the log is read from its beginning, and only its newest lines stay in memory
    newest = deque(audit_log().entries(action=action, visitor=visitor), maxlen=_SHOWN)
    return list(reversed(newest))


def show() -> None:
    """Show the operator of a server what its visitors did; nobody else, and nobody on a machine of
    their own.
    """
    if serving() is None or not viewer().operator:
        return
    box = st.expander(
        "Audit of this server", icon=":material/policy:", key="audit", on_change="rerun"
    )
    if box.open:
        with box:
            _table()


@st.fragment
def _table() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        action = st.selectbox("Action", [_ALL, *ACTIONS], key="audit_action", width=200)
        visitor = st.text_input(
            "Visitor", key="audit_visitor", placeholder="all", width=280
        ).strip()
    entries = entries_for(viewer(), None if action == _ALL else action, visitor or None)
    if not entries:
        st.caption("Nothing is logged yet.")
        return
    show_table(
        [_row(entry) for entry in entries],
        "What visitors of this server did, the newest first",
        {"Time": st.column_config.DatetimeColumn("Time (UTC)", format="YYYY-MM-DD HH:mm:ss")},
        key="audit_table",
    )
    st.caption(
        f"The newest {_SHOWN:,} lines at most; navviz server audit lists all."
        if len(entries) == _SHOWN
        else ""
    )


def _row(entry: AuditEntry) -> dict[str, object]:
    figures = ", ".join(f"{name} {value}" for name, value in entry.figures.items())
    return {
        "Time": pd.Timestamp(entry.time).tz_localize(None),
        # Streamlit's own button saves the table as CSV, which a spreadsheet opens
        "Visitor": harmless(entry.visitor),
        "Action": entry.action,
        "Object": harmless(entry.object),
        "Figures": figures,
    }
