"""The selection and the list of episodes, in the session and in the URL.

Widget keys vanish when the page changes, so no widget owns them: pickers and filters write to them.
An address that names a run or an episode tells all of it (what it leaves out is not chosen); a bare
one takes what the session holds.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from navviz.runs.episode_list import LIST_KEYS, EpisodeList
from navviz.support.guarded import natural
from navviz.ui.state.address import below_server
from navviz.ui.state.session import Selection, current

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


def toggle_mark(mark: str) -> None:
    """Filter the list by a mark of `navviz.ui.data.marks`; chosen again, no longer."""
    now = episode_list()
    already = now.choice("feature") == (mark,)
    show_list(now.with_choice("feature", () if already else (mark,)))


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
    own_keys = {*_KEYS, *LIST_KEYS}
    wanted = {key: values for key, values in address.items() if key not in own_keys}
    for key, value in (query | episode_list().to_query()).items():
        wanted[key] = [value]
    if wanted != address:
        _tell_address(address, wanted)


def _tell_address(address: dict[str, list[str]], wanted: dict[str, list[str]]) -> None:
    try:
        st.query_params.from_dict(wanted)  # at once, so that the browser's history gets one entry
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
