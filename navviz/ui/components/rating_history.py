"""A rating in one line, and its history: who changed it, when, from what, to what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

import streamlit as st

from navviz.annotation.records import (
    CauseVerdict,
    Difficulty,
    Edit,
    Failures,
    Follow,
    Mentions,
    Navigability,
    Skills,
    Value,
)
from navviz.ui.components.widgets import show_table

ACTIONS = {"save": "saved", "undo": "undone", "import": "imported", "reopen": "opened again"}


def edits_popover(edits: Sequence[Edit]) -> None:
    """Button that opens a table of changes, the newest first; nothing where nothing was changed."""
    if not edits:
        return
    rows = []
    for edit in reversed(edits):
        time = f"{edit.at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
        row = {"When (UTC)": time, "Who": edit.who, "What": ACTIONS[edit.action]}
        rows.append(row | {"From": _described(edit.before), "To": _described(edit.after)})
    with st.popover(f"History ({len(rows)})", icon=":material/history:", type="tertiary"):
        show_table(rows, "Changes of this rating, the newest first", width=620)


def _described(value: Value | None) -> str:
    return "not rated" if value is None else described(value)


def described(value: Value) -> str:
    """Describe a rating in one line."""
    match value:
        case Navigability():
            sure = f", confidence {value.confidence} of 5" if value.confidence else ""
            text = ("navigable" if value.navigable else "not navigable") + sure
        case Follow():
            end = (
                "gave up"
                if value.gave_up
                else {True: "arrived", False: "missed it", None: "no goal"}[value.success]
            )
            text = (
                f"{end}, {value.distance_m:.0f} m from the goal"
                if value.distance_m is not None
                else end
            )
        case Difficulty():
            text = "linguistic {}, topological {}, operational {}".format(*value.axes)
        case Failures():
            text = ", ".join(sorted(value.codes)) or "nothing failed"
        case Mentions():
            text = ", ".join(mention.text for mention in value.mentions) or "no landmark"
        case Skills():
            text = (
                f"{sum(label.right for label in value.labels)} of {len(value.labels)} skills right"
            )
        case CauseVerdict():
            text = f"the cause: {value.answer}"
    if not isinstance(value, Follow) and value.without_map:
        text += ", rated without the map"
    return f"{text}: {value.comment}" if value.comment else text
