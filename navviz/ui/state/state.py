"""The selection and the list of episodes, in the session and in the URL.

Widget keys vanish when the page changes, so no widget owns them: pickers and filters write to them.
An address that names a run or an episode tells all of it (what it leaves out is not chosen); a bare
one takes what the session holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from navviz.runs.episode_list import EpisodeList, list_keys
from navviz.support.guarded import natural
from navviz.ui.state.session import Selection, current, set_widget, widget


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
    """Return the value of a parameter; the default where it has none that is offered."""
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
    """Show a row of choices, of which one stands in the address; returns it."""
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
    """Show a list to choose from, whose choice stands in the address; returns it."""
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


_KEYS = ("run", "episode", "step")


def selection() -> Selection:
    """Return the current selection."""
    return current().selection


def episode_list() -> EpisodeList:
    """Return which episodes are looked at, in which order."""
    return current().episode_list


def checks_routes() -> bool:
    """Tell whether the list needs to know where instructions contradict their routes."""
    now = episode_list()
    return current().checks_routes or bool(now.choice("disagreement"))


def read_url(page: str) -> None:
    """Begin a page: take selection and list from the URL where it speaks of a run, and write them
    back where it does not.
    """
    # the back button, too, leads to bare addresses: there the page shows what it showed there
    comes_from_another = current().page != page
    current().page = page
    raw = {key: st.query_params.get(key) for key in _KEYS}
    now = selection()
    current().came_bare = comes_from_another and not st.query_params.to_dict()
    if raw["run"] is None and raw["episode"] is None:
        _write_url()
        return
    current().selection = Selection(
        run=raw["run"] or now.run,
        episode=raw["episode"] or (now.episode if raw["run"] in (None, now.run) else None),
        step=natural(raw["step"] or ""),
    )
    current().episode_list = EpisodeList.from_query(st.query_params.to_dict())


def select(run: str | None = None, episode: str | None = None, step: int | None = None) -> None:
    """Choose; a new run forgets the episode, a new episode forgets the step."""
    now = selection()
    new_run = run if run is not None else now.run
    same = now.run in (None, new_run)
    kept_episode = now.episode if same else None
    kept_step = now.step if same and episode is None else None
    current().selection = Selection(
        new_run,
        episode if episode is not None else kept_episode,
        step if step is not None else kept_step,
    )
    _write_url()


def show_list(episodes: EpisodeList) -> None:
    """Choose which episodes are looked at."""
    current().episode_list = episodes
    _write_url()


def toggle_choice(column: str, value: str) -> None:
    """Filter the list by one value of a column; chosen again, no longer."""
    now = episode_list()
    already = now.choice(column) == (value,)
    show_list(now.with_choice(column, () if already else (value,)))


def query(episode: str | None = None, step: int | None = None) -> dict[str, str]:
    """Return the parameters of a link to another page with the same run and list."""
    run = selection().run
    place = {"run": run, "episode": episode, "step": str(step) if step is not None else None}
    parameters = {key: value for key, value in place.items() if value is not None}
    return parameters | episode_list().to_query()


def _write_url() -> None:
    """Write selection and list to the address, leaving alone what it says of other things."""
    now = selection()
    selected = {key: getattr(now, key) for key in _KEYS}
    query = {key: str(value) for key, value in selected.items() if value is not None}
    # all values of each: a parameter such as the runs that Compare shows stands there repeatedly
    address = {key: st.query_params.get_all(key) for key in st.query_params}
    own_keys = {*_KEYS, *list_keys()}
    wanted = {key: values for key, values in address.items() if key not in own_keys}
    for key, value in (query | episode_list().to_query()).items():
        wanted[key] = [value]
    if wanted != address:
        try:
            # at once, so that the browser's history gets one entry
            st.query_params.from_dict(wanted)
        except StreamlitAPIException:  # some belong to widgets, which alone may write them
            for key in address.keys() - wanted.keys():
                del st.query_params[key]
            st.query_params.update(
                {key: value for key, value in wanted.items() if address.get(key) != value}
            )


def replay_url(run: str, episode: str, step: int | None = None) -> str:
    """Address of an episode's replay; names may hold blanks, ``&``, ``+``, ``#`` and whatever else
    people type.
    """
    query = {"run": run, "episode": episode} | ({} if step is None else {"step": str(step)})
    return below_server(f"/replay?{urlencode(query, safe='/', quote_via=quote)}")
