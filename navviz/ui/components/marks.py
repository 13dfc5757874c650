"""Marks of a run as chips, wherever its figures stand; see `navviz.runs.marks`."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from navviz.runs.marks import RunMark
from navviz.ui.components.plain import plain

_ICONS = {"partial": ":material/timelapse:", "blind": ":material/visibility_off:"}


def show_marks(marks: Sequence[RunMark], of: str = "") -> None:
    """Show a chip for each mark; what it means for the figures stands in its tip."""
    for mark in marks:
        label = f"{of}: {mark.label}" if of else mark.label
        icon = _ICONS.get(mark.id, ":material/info:")
        # not st.badge, which escapes brackets once more
        st.markdown(
            f":orange-badge[{icon} {plain(label)}]", help=plain(mark.sentence), width="content"
        )
