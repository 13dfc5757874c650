"""Tables, choices and bars of progress as all pages show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import pandas as pd
import streamlit as st

from navviz.support.guarded import harmless

_T = TypeVar("_T")

_HEAD_PX, _ROW_PX = 38, 35
_SIGNED = re.compile(r"[+\-][0-9][^=|!(@]*")

BOUND: Final[dict[str, Any]] = {"bind": "query-params", "persist_state": "session"}
"""Of a widget whose choice stands in the address, and lasts while its visitor is on other pages."""


def show_table(
    rows: object,
    alt: str,
    columns: Mapping[str, Any] | None = None,
    *,
    most_rows: int | None = None,
    **more: Any,  # noqa: ANN401 - as Streamlit takes them
) -> Any:  # noqa: ANN401
    """Show a table, or rows by the names of their columns; returns what is selected in it.

    `alt` says to readers of screens what it tells. Without `most_rows` Streamlit shows ten of them
    and scrolls to the others.
    """
    if isinstance(rows, list):
        rows = pd.DataFrame(rows)
    if isinstance(rows, pd.DataFrame):
        # no text may be a formula to a spreadsheet: the table's toolbar writes plain CSV
        texts = rows.select_dtypes(include=["object", "string", "category"])
        changed = {}
        for name in texts.columns:
            cells = texts[name].astype(object)
            safe = cells.map(_safe)
            if not safe.equals(cells):
                changed[name] = safe
        rows = (rows.assign(**changed) if changed else rows).rename(columns=_safe)
    if most_rows is not None and isinstance(rows, pd.DataFrame):
        more["height"] = _HEAD_PX + _ROW_PX * min(most_rows, len(rows))
    return st.dataframe(rows, alt=alt, column_config=columns, **{"hide_index": True, **more})


def _safe(cell: object) -> object:
    # figures with a sign, such as "+40 points [1, 69]", compute nothing
    is_figure = isinstance(cell, str) and _SIGNED.fullmatch(cell) is not None
    return cell if is_figure else harmless(cell)


def pick(
    label: str,
    options: Sequence[_T],
    key: str,
    *,
    format_func: Callable[[Any], str] = str,
    **more: Any,  # noqa: ANN401 - as Streamlit takes them
) -> _T:
    """Show a list to choose one of, the first at first; the choice is `BOUND`."""
    chosen: _T = st.selectbox(label, options, key=key, format_func=format_func, **BOUND, **more)
    return chosen


def show_progress(
    text: str,
    done: float,
    total: float,
    key: str,
    stop: Callable[..., Any],
    *,
    go_on: Callable[..., Any] | None = None,
) -> None:
    """Show how far work in the background is beside its button: *Stop*, or *Go on* where it stands
    still.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(1.0, done / max(total, 1)), text=text)
        if go_on is None:
            st.button("Stop", icon=":material/stop:", key=f"{key}_stop", on_click=stop)
        else:
            st.button("Go on", icon=":material/play_arrow:", key=f"{key}_on", on_click=go_on)
