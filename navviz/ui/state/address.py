"""What a page shows besides run, episode and list, in the address: view, panel, section, queue.

An address that speaks of a run or of the page tells all of it; a bare one, as the menu's, takes
what the visitor chose there last. So a copied link, a reload, and the browser's back and forward
give the same screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from navviz.ui.state.session import current, set_widget, widget


def below_server(path: str) -> str:
    """Return the address of a place of this server, which may stand below a path of its host.

    A proxy that serves several programs gives each a path (Streamlit's ``server.baseUrlPath``);
    what begins with a slash alone would be another program's.
    """
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}{path}" if base else path


def went_in_history() -> bool:
    """Whether the browser's back or forward button led to this run of the script."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def by_hand(action: Callable[..., None]) -> Callable[..., None]:
    """Return a widget's callback that takes what its visitor chose and nothing else.

    On the way back or forward the address moves a widget, and the browser knows its older value
    until it has drawn the new one. What runs the script meanwhile brings the older value along
    (another press of the button; a fragment, as a list asks for pictures or a timer ticks), and
    Streamlit takes it for a choice: the callback would write it over the address that was asked
    for. No widget that stands in the address is within a fragment.
    """

    def taken(*values: object, **named: object) -> None:
        context = get_script_run_ctx()
        in_fragment = context is not None and bool(context.fragment_ids_this_run)
        if not in_fragment and not went_in_history():
            action(*values, **named)

    return taken


def chosen_many(name: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the values of a parameter that are among the options, in the address's order."""
    written = tuple(st.query_params.get_all(name))
    place = (current().page, name)
    kept = current().shown.get(place, ())
    if not written and kept and current().came_bare:
        choose(name, *kept)
        written = kept
    current().shown[place] = written
    return tuple(value for value in dict.fromkeys(written) if value in options)


def chosen(name: str, options: Sequence[str], default: str) -> str:
    """Return the value of a parameter; the default where it has none, or one that is not offered.

    Parameters
    ----------
    name
        Of the parameter.
    options
        What it may be; what an address says beyond them is taken for the default.
    default
        Stands in no address.
    """
    return next(iter(chosen_many(name, options)), default)


def choose(name: str, *values: str) -> None:
    """Write a parameter into the address; without a value it leaves."""
    current().shown[current().page, name] = values
    if st.query_params.get_all(name) == list(values):
        return  # each change, of nothing too, would be an entry of the browser's history
    if values:
        st.query_params[name] = list(values)
    else:
        st.query_params.pop(name, None)


def segmented(
    label: str,
    options: Sequence[str],
    *,
    name: str,
    key: str,
    default: str = "",
    format_func: Callable[[str], Any] = str,
    help: str | None = None,  # noqa: A002 - as Streamlit calls it
) -> str:
    """Show a row of choices, of which one stands in the address; returns it.

    Parameters
    ----------
    label
        For screen readers; it is not shown.
    options
        In their order.
    name
        Of the parameter.
    key
        Of the widget.
    default
        The first option where nothing is said; stands in no address.
    format_func, help
        As Streamlit takes them.
    """
    usual = default or options[0]
    now = chosen(name, options, usual)
    # the address decides, so that the browser's back and forward move the choice
    set_widget(key, now)
    st.segmented_control(
        label,
        list(options),
        key=key,
        format_func=format_func,
        help=help,
        label_visibility="collapsed",
        required=True,
        on_change=by_hand(partial(_take, name, key, usual)),
    )
    return now


def box(
    label: str,
    options: Sequence[str],
    *,
    name: str,
    key: str,
    format_func: Callable[[str], Any] = str,
    width: int | Literal["stretch"] = 200,
    label_visibility: Literal["visible", "collapsed"] = "visible",
    help: str | None = None,  # noqa: A002 - as Streamlit calls it
) -> str:
    """Show a list to choose from, whose choice stands in the address; returns it.

    Parameters
    ----------
    label
        Over the list.
    options
        In their order; the first stands in no address.
    name
        Of the parameter.
    key
        Of the widget.
    format_func, width, label_visibility, help
        As Streamlit takes them.
    """
    now = chosen(name, options, options[0])
    set_widget(key, now)
    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=format_func,
        width=width,
        label_visibility=label_visibility,
        help=help,
        on_change=by_hand(partial(_take, name, key, options[0])),
    )
    return now


def _take(name: str, key: str, usual: str) -> None:
    value = str(widget(key))
    if value == usual:
        choose(name)
    else:
        choose(name, value)
