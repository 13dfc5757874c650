"""The parts of the Replay page: player, and what can be taken along."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import streamlit as st

from navviz.analysis.alike import LikeTarget
from navviz.analysis.causes.engine import causes_of_failure
from navviz.analysis.landmarks import places_or_reasons
from navviz.metrics.score import score_result
from navviz.records.trace_files import unfold
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.systems.navgpt.prompts.text import hidden_steps
from navviz.ui.components import inspectors
from navviz.ui.components.neighbours import place_in_list, turn
from navviz.ui.components.plain import plain
from navviz.ui.components.player import REPAIR, Action, PlayerAction, player, run_index
from navviz.ui.data import cache
from navviz.ui.data.alike import nearest_list
from navviz.ui.data.repair_wish import wish_repair
from navviz.ui.replay.figure_form import figure_form
from navviz.ui.server import audit
from navviz.ui.state import state
from navviz.ui.state.session import current
from navviz.views.player.film import Film, film_hint, film_replay
from navviz.views.player.html import film_page, replay_html
from navviz.views.player.letters import FILM_AND_SAVED, SAVED, undrawn_letters
from navviz.views.player.pictures import PictureTable

_ALIKE = Action("alike", "Alike")
_ACTIONS = [Action("fork", "Fork here"), Action("label", "Label this step"), REPAIR]
"""Buttons of the player; they lead to Live and to Annotate, and `_ALIKE` to Explore."""
_ONE_FILM = threading.Lock()
"""A Chromium and an encoder fill a server: visitors wait for each other."""


def _turn(run: OpenRun, episode: str, action: PlayerAction) -> None:
    """Go to the next or previous episode, as the keys n and p ask, or to the one that was searched
    for.
    """
    if action.name == "open" and action.episode is not None and action.episode in run.traces:
        state.select(episode=action.episode)
    else:
        turn(place_in_list(run, episode), action.name)


@st.cache_data(max_entries=12, show_spinner=False)
def _packed(identity: Identity, _run: OpenRun) -> bytes:
    del identity
    return run_index(_run.instructions.items())


def _index(run: OpenRun) -> bytes:
    return _packed(run.source.identity, run)


def show(run: OpenRun, episode: str) -> None:
    """Show the player; its buttons lead to a fork or a label at the step that is shown."""
    # the memory's name tells the cache which document this is
    change = (current().memory, inspectors.inspected)
    document, pictures = cache.illustrated(run, episode, change=change)
    pressed = player(
        document,
        pictures=pictures,
        key="replay_player",  # a key for each episode would show two players until the script ends
        shows=f"{run.name} {episode}",
        # instructions that nobody walked have no failures
        actions=_ACTIONS if run.source.results is None else [*_ACTIONS, _ALIKE],
        episodes=True,
        start="cause" if _walks_failures() else None,
        index=_index(run),
        on_action=lambda action: _turn(run, episode, action),
    )
    _say_hidden(run, episode)
    # the callback has taken all other actions
    if pressed is not None and pressed.name in {action.name for action in (*_ACTIONS, _ALIKE)}:
        _follow(pressed, run, episode)


def _walks_failures() -> bool:
    """Whether the list holds failures only: then each opens at what made it fail."""
    now = state.episode_list()
    return bool(now.choice("failure") or now.choice("cause")) or now.choice("outcome") == (
        "failure",
    )


def _say_hidden(run: OpenRun, episode: str) -> None:
    """Say where NavGPT's own code would have kept the right way from its model."""
    trace = run.trace(episode)
    if trace.header.navigator != "navgpt":
        return
    steps = hidden_steps(trace, run.graph(episode))
    if not steps:
        return
    listed = ", ".join(f"{step} ({node})" for step, node in steps.items())
    st.caption(
        "NavGPT's published code does not show ways between 337.5 and 345 degrees. It would not"
        " have shown the next viewpoint of the reference path at"
        f" step{'s' if len(steps) > 1 else ''} {listed}."
    )


def _follow(pressed: PlayerAction, run: OpenRun, episode: str) -> None:
    """Go where a button of the player leads, with the step that was shown."""
    place = state.query(episode, pressed.step)
    if pressed.name == REPAIR.name:
        _repair(run, episode, pressed.cause)
        return
    if pressed.name == _ALIKE.name:
        near = nearest_list(LikeTarget(episode, max(pressed.step, 1)))
        st.switch_page("pages/explore.py", query_params={"run": run.name} | near.to_query())
    if pressed.name == "fork":
        place |= {
            "fork_run": run.name,
            "fork_episode": episode,
            "fork_step": str(max(pressed.step, 1)),
        }
        st.switch_page("pages/live.py", query_params=place)
    st.switch_page("pages/annotate.py", query_params=place)


def _repair(run: OpenRun, episode: str, cause: int | None) -> None:
    """Open Live, where the walk is repaired and stands beside the recorded one."""
    wished = wish_repair(
        run.trace(episode),
        run.graph(episode),
        run=run.name,
        cause=cause,
        results=run.source.results,
    )
    if wished:
        st.switch_page("pages/live.py", query_params=state.query(episode))
    st.toast("Nothing can be repaired in this walk.", icon=":material/build:")


def take_along(run: OpenRun, episode: str) -> None:
    """Show downloads: the replay as one HTML file, the figure, the trace."""
    trace, graph = run.trace(episode), run.graph(episode)
    shown = inspectors.inspected(trace, graph)
    # a run's name may hold its folder
    stem = f"{run.name}-{episode}".replace("/", "-")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        audit.download(
            "Replay as one HTML file",
            lambda: replay_html(
                shown,
                graph,
                divergence=run.divergence(episode),
                causes=causes_of_failure(trace, graph, run.divergence(episode)),
                places=places_or_reasons(trace, graph),
                metrics=score_result(trace, graph),
                pictures=PictureTable(run.pictures(episode)),
            ).encode(),
            file_name=f"{stem}.html",
            mime="text/html",
            icon=":material/slideshow:",
            on_click="ignore",
            help="Opens from file:// and needs no network.",
        )
        figure_form(run, episode, stem)
        _film_button(run, episode, stem)
        audit.download(
            "Trace",
            lambda: "".join(
                event.model_dump_json(exclude_none=True) + "\n" for event in unfold(trace)
            ).encode(),
            file_name=f"{stem}.trace.jsonl",
            mime="application/x-ndjson",
            icon=":material/description:",
            on_click="ignore",
        )
    change = (current().memory, inspectors.inspected)
    document, _ = cache.illustrated(run, episode, change=change)
    effect = FILM_AND_SAVED if film_hint() is None else SAVED
    if missing := undrawn_letters(document, effect):
        st.caption(plain(missing))


def _film_button(run: OpenRun, episode: str, stem: str) -> None:
    """Offer a film where one can be made here; a visitor could not install what it needs."""
    if film_hint() is not None:
        return

    change = (current().memory, inspectors.inspected)
    document, pictures = cache.illustrated(run, episode, change=change)
    film = Film()

    def filmed() -> bytes:
        steps = film.steps(len(document["steps"]))
        with _ONE_FILM, tempfile.TemporaryDirectory(prefix="navviz-film-") as folder:
            out = Path(folder) / "film.mp4"
            film_replay(film_page(document, pictures), out, film, steps)
            return out.read_bytes()

    audit.download(
        "Film (MP4)",
        filmed,
        file_name=f"{stem}.mp4",
        mime="video/mp4",
        icon=":material/movie:",
        on_click="ignore",
        help=(
            "For slides: 1280 x 720, as the player presents it, 1.5 s for each step and for each"
            " further page of long thoughts. Most pages take less than a second to make."
        ),
    )
