"""The history of a rating: who changed it, when, from what, to what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

import pandas as pd
import streamlit as st

from navviz.annotation.records import Edit, Value
from navviz.ui.study.access import described

__all__ = ["edits_popover"]

_ACTIONS = {"save": "saved", "undo": "undone", "import": "imported", "reopen": "opened again"}


def edits_popover(edits: Sequence[Edit]) -> None:
    """Button that opens a table of changes, the newest first; nothing where nothing was changed."""
    if not edits:
        return
    rows = [
        {
            "When (UTC)": f"{edit.at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
            "Who": edit.who,
            "What": _ACTIONS[edit.action],
            "From": _told(edit.before),
            "To": _told(edit.after),
        }
        for edit in reversed(edits)
    ]
    with st.popover(f"History ({len(rows)})", icon=":material/history:", type="tertiary"):
        st.dataframe(pd.DataFrame(rows), hide_index=True, width=620, alt="Changes of this rating, the newest first")


def _told(value: Value | None) -> str:
    return "not rated" if value is None else described(value)
