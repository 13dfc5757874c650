"""The parts of the Replay page: player, and what can be taken along."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from navviz.analysis.alike import LikeTarget
from navviz.analysis.causes.engine import causes_of_failure
from navviz.analysis.informed import information_document
from navviz.analysis.landmarks import places_or_reasons
from navviz.analysis.paper_figure import check_steps, figure_of, parsed_steps
from navviz.errors import NavVizError, SettingsError
from navviz.metrics.score import score_result
from navviz.records.breakpoint import Breakpoint
from navviz.records.trace_files import unfold
from navviz.records.walker import is_unfinished
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.installation.extras import extra_hint
from navviz.support.systems import offered, working
from navviz.ui.components import following
from navviz.ui.components import player as inspectors
from navviz.ui.components.neighbours import place_in_list, turn
from navviz.ui.components.plain import plain
from navviz.ui.components.player import REPAIR, Action, PlayerAction, player, run_index
from navviz.ui.data import cache
from navviz.ui.data.finding import nearest_list
from navviz.ui.data.repair_batches import wish_repair
from navviz.ui.replay import talk
from navviz.ui.server import audit
from navviz.ui.state import state
from navviz.ui.state.session import current
from navviz.views.player.film import (
    FILM_AND_SAVED,
    SAVED,
    Film,
    film_hint,
    film_replay,
    undrawn_letters,
)
from navviz.views.player.html import film_page, replay_html
from navviz.views.player.pictures import PictureTable

if TYPE_CHECKING:
    from navviz.views.figures.figure import FigureFormat, FigureView, FigureWidth
    from navviz.views.figures.figure_panels import FigureEpisode


_KINDS: tuple[tuple[FigureFormat, str], ...] = (
    ("svg", "image/svg+xml"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
)

_FOREIGN = re.compile("[^\\u0000-\\u024f]")


def figure_form(run: OpenRun, episode: str, stem: str) -> None:
    """Show the button that opens the form; its downloads are named after `stem`."""
    missing = extra_hint("figures")
    with st.popover("Figure", icon=":material/image:", disabled=missing is not None, help=missing):
        chosen: FigureWidth = st.segmented_control(
            "Width",
            ["single", "double"],
            format_func={"single": "One column", "double": "Two columns"}.__getitem__,
            default="single",
            required=True,
            key="replay_figure_width",
            help="Of a paper: 3.5 in or 7.16 in, all text 8 pt.",
        )
        width = chosen
        shown, views = _chosen(run, episode), _views(run, episode)
        ready = shown is not None and views is not None and missing is None
        with st.container(horizontal=True, gap="small"):
            for kind, mime in _KINDS:
                audit.download(
                    f"Figure ({kind.upper()})",
                    _drawn(shown, kind, width, views) if shown and views is not None else b"",
                    file_name=f"{stem}.{kind}",
                    mime=mime,
                    icon=":material/download:",
                    on_click="ignore",
                    disabled=not ready,
                )


def _chosen(run: OpenRun, episode: str) -> Callable[[], FigureEpisode] | None:
    """Ask for steps and names, and return what gathers the figure; ``None`` where that cannot
    be.
    """
    steps = st.text_input(
        "Steps to number",
        key="replay_figure_steps",
        placeholder="none; for example 1, 5, 9 or 1-3",
        help="Their numbers are drawn on the agent's path, where each step was decided.",
    )
    all_names = cache.figure_names(run, episode)
    names = st.multiselect(
        "Labels",
        all_names,
        default=all_names,
        # A key for each episode: Streamlit would keep the names of the episode before.
        key=f"replay_figure_labels_{run.name}_{episode}",
        help="A label that fits nowhere without covering something is left out.",
        disabled=not all_names,
    )
    if missing := _missing(names):
        st.caption(plain(missing))
    only = None if len(names) == len(all_names) else names
    try:
        numbered = parsed_steps(steps)
        check_steps(run.trace(episode), numbered)
    except SettingsError as error:
        st.error(plain(error))
        return None
    return lambda: figure_of(run.trace(episode), run.graph(episode), steps=numbered, names=only)


def _views(run: OpenRun, episode: str) -> tuple[FigureView, ...] | None:
    """Ask for steps whose views stand beneath the map; ``None`` where one of them has none."""
    text = st.text_input(
        "Views beneath the map",
        key="replay_figure_views",
        placeholder="none; for example 2, 5, 7",
        help="What the agent saw at up to 5 steps, where the run has pictures.",
    )
    if not text.strip() or extra_hint("figures"):
        return ()
    # matplotlib: no page waits for it before somebody asks for a figure
    from navviz.views.figures.figure import views_of

    trace = run.trace(episode)
    try:
        wanted = parsed_steps(text)
        check_steps(trace, wanted)
        return views_of(trace, run.graph(episode), run.pictures(episode), wanted)
    except NavVizError as error:
        st.error(plain(error))
        return None


def _missing(names: Sequence[str]) -> str:
    """Name letters that the figure would leave out; empty where all can be drawn."""
    # Latin letters are always there, and to ask costs the import of matplotlib
    if not _FOREIGN.search("".join(names)) or extra_hint("figures"):
        return ""
    from navviz.views.figures.print_type import missing_letters

    return missing_letters(names)


def _drawn(
    shown: Callable[[], FigureEpisode],
    kind: FigureFormat,
    width: FigureWidth,
    views: Sequence[FigureView],
) -> Callable[[], bytes]:
    """Draws the figure when its button is pressed; only then matplotlib is imported, so no page
    waits for it.
    """

    def drawn() -> bytes:
        # an extra: matplotlib
        from navviz.views.figures.figure import episodes_figure, figure_bytes

        episode = shown()
        # a view without its place on the map would say little
        numbered = sorted({*episode.steps, *(view.step for view in views)})
        chosen = [replace(episode, steps=tuple(numbered))]
        return figure_bytes(episodes_figure(chosen, width=width, views=views), kind)

    return drawn


_ALIKE = Action("alike", "Alike")

_WHAT_IF = Action("what-if", "")
"""Episodes of runs whose other links somebody has asked for, which may take seconds."""

_ACTIONS = [
    Action("fork", "Fork here"),
    Action("debug", "Debug from here"),
    Action("label", "Label this step"),
    REPAIR,
]
"""Buttons of the player; they lead to Live and to Annotate, and `_ALIKE` to Explore."""

_GROW_S = 0.4
"""How often a walk that goes on is looked at."""

_ONE_FILM = threading.Lock()
"""A Chromium and an encoder fill a server: visitors wait for each other."""


def _turn(run: OpenRun, episode: str, action: PlayerAction) -> None:
    """Go to the next or previous episode, as the keys n and p ask, or to the one that was searched
    for.
    """
    if action.name == _WHAT_IF.name:
        current().what_if_wishes.add((run.name, episode))
    elif action.name == talk.ADD.name and talk.is_offered():
        talk.add(run, episode, action.step)
    elif action.name == "open" and action.episode is not None and action.episode in run.traces:
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
    """Show the player; its buttons lead to a fork or a label at the step that is shown.

    A walk that another process goes on with is shown as it grows.
    """
    if following.is_walking(run, run.trace(episode)):
        st.fragment(_grow, run_every=_GROW_S)(run, episode)
        return
    # the names of its panels tell the cache which document this is
    change = (inspectors.panels_key(current().panels), inspectors.inspected)
    document, pictures = cache.illustrated(run, episode, change=change)
    document = _with_what_if(document, run, episode)
    # instructions that nobody walked have no failures
    more = [_ALIKE, _WHAT_IF] if run.source.results is not None else []
    more += [talk.ADD] if talk.is_offered() else []
    _player(
        (run, episode),
        document,
        pictures,
        more,
        start="cause" if _walks_failures() else None,
        step=len(document["steps"]) if current().watched_to_end == (run.name, episode) else None,
    )
    for part, remark in working(offered("remarks").values()):
        with part.guarded(f"has no remark on episode {episode}"):
            sentence = remark(run.trace(episode), run.graph(episode))
            if sentence:
                st.caption(plain(sentence))


def _player(
    of: tuple[OpenRun, str],
    document: dict[str, Any],
    pictures: PictureTable,
    more: Sequence[Action] = (),
    *,
    start: Literal["cause"] | None = None,
    step: int | None = None,
) -> None:
    """Show the player of an episode and go where its buttons lead."""
    run, episode = of
    pressed = player(
        document,
        pictures=pictures,
        key="replay_player",  # a key for each episode would show two players until the script ends
        shows=f"{run.name} {episode}",
        actions=[*_ACTIONS, *more],
        episodes=True,
        start=start,
        step=step,
        index=_index(run),
        on_action=lambda action: _turn(run, episode, action),
    )
    # the callback has taken all other actions
    if pressed is not None and pressed.name in {action.name for action in (*_ACTIONS, _ALIKE)}:
        _follow(pressed, run, episode)


def _grow(run: OpenRun, episode: str) -> None:
    """Show a walk as far as it is written; the page runs anew once it has ended."""
    trace, document, pictures = cache.growing(run, episode)
    if not is_unfinished(trace):
        current().watched_to_end = (run.name, episode)
        st.rerun()  # the page shows its outcome; this is a fragment
    _player((run, episode), document, pictures)
    if state.selection().episode not in {episode, None}:
        st.rerun()  # a key of the player runs the fragment only
    st.caption(plain(following.said_of_walk(run, trace)))


def _with_what_if(document: dict[str, Any], run: OpenRun, episode: str) -> dict[str, Any]:
    """Return a document with the walk's what-ifs, where they are at hand or were asked for."""
    wishes = current().what_if_wishes
    is_wished = (run.name, episode) in wishes
    part, why = None, "`rules` does not reach the goal from the start, so that it says nothing."
    try:
        part = cache.what_if_part(run, episode, slowly=is_wished)
    except NavVizError as error:
        why = str(error)
    if part is not None:
        return document | {"what_if": part}
    if is_wished:
        # said once, and not whenever the page runs again
        wishes.discard((run.name, episode))
        st.toast(plain(why), icon=":material/alt_route:")
    return document


def _walks_failures() -> bool:
    """Whether the list holds failures only: then each opens at what made it fail."""
    now = state.episode_list()
    return bool(now.choice("act") or now.choice("cause")) or now.choice("outcome") == ("failure",)


def _follow(pressed: PlayerAction, run: OpenRun, episode: str) -> None:
    """Go where a button of the player leads, with the step that was shown."""
    place = state.query(episode, pressed.step)
    if pressed.name == REPAIR.name:
        wished = wish_repair(
            run.trace(episode),
            run.graph(episode),
            run=run.name,
            cause=pressed.cause,
            results=run.source.results,
        )
        if wished:
            st.switch_page("pages/live.py", query_params=state.query(episode))
        st.toast("Nothing can be repaired in this walk.", icon=":material/build:")
        return
    if pressed.name == _ALIKE.name:
        near = nearest_list(LikeTarget(episode, max(pressed.step, 1)))
        st.switch_page("pages/explore.py", query_params={"run": run.name} | near.to_query())
    if pressed.name in {"fork", "debug"}:
        if pressed.name == "debug":
            current().live.breakpoints.append(Breakpoint(step=max(pressed.step, 1)))
        place |= {
            "fork_run": run.name,
            "fork_episode": episode,
            "fork_step": str(max(pressed.step, 1)),
        }
        st.switch_page("pages/live.py", query_params=place)
    st.switch_page("pages/annotate.py", query_params=place)


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
                what_if=cache.what_if_part(run, episode, slowly=False),
                information=information_document(trace, graph),
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
    change = (inspectors.panels_key(current().panels), inspectors.inspected)
    document, _ = cache.illustrated(run, episode, change=change)
    effect = FILM_AND_SAVED if film_hint() is None else SAVED
    if missing := undrawn_letters(document, effect):
        st.caption(plain(missing))


def _film_button(run: OpenRun, episode: str, stem: str) -> None:
    """Offer a film where one can be made here; a visitor could not install what it needs."""
    if film_hint() is not None:
        return

    change = (inspectors.panels_key(current().panels), inspectors.inspected)
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
