"""What a result of Live is compared with: the same navigator on the unedited text, or the walk that
was forked.

Where the navigator asks no model, the unedited text is walked on the spot. Where it asks one, that
walk costs money: it is offered with its cost, and until it is there the result has no before and no
after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from navviz.errors import NavVizError, SettingsError
from navviz.llm.prices import about_usd, load_prices
from navviz.llm.registry import model_price
from navviz.records import Episode, Trace
from navviz.records.walker import is_unwalked, same_walker, walker_changes
from navviz.runner.config import parted_settings
from navviz.runner.episode import walk_now
from navviz.runner.estimate import CostEstimate, estimate_run
from navviz.runs.opened import workspace_dir
from navviz.systems.base import Navigator, Settings, asks_model
from navviz.systems.registry import get_navigator, settings_from
from navviz.ui.components import run_form
from navviz.ui.components.plain import plain
from navviz.ui.live.chosen import Setting, known_run, live_runs, walks_beside
from navviz.ui.state.session import current
from navviz.world.graph import Graph

_WHOLE = {"done", "limit"}


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What a walk is compared with."""

    trace: Trace | None = None
    """``None`` where there is nothing to compare with, or not yet."""
    name: str = ""
    lead: str = ""
    """What the headline says first."""
    is_wanted: bool = False
    """Whether the unedited text is still to be walked, by a model."""


def baseline_of(of: Setting, new: Trace) -> Counterpart:
    """Return what a walk of the chosen episode is compared with."""
    if new.header.forked_from is not None:
        return _parent(of, new)
    if new.episode.instruction == of.episode.instruction:
        return Counterpart(of.old, of.old_name)
    base = _unedited_walk(of, new)
    return replace(base, lead=" ".join(part for part in (_lead(of, new), base.lead) if part))


def _lead(of: Setting, new: Trace) -> str:
    """Name who walked instead of the opened run's walker, which is not what the result is compared
    with.
    """
    return " ".join(walker_changes(of.old, new)) if of.old is not None else ""


def headline(base: Counterpart) -> str:
    """Return what the headline says first: who walked instead of the opened run's walker, and what
    before means.
    """
    if base.trace is None or not base.lead:
        return base.lead
    return f"{base.lead} Before: {base.name}."


def _parent(of: Setting, new: Trace) -> Counterpart:
    """Return the walk that was forked: the opened one, or one that was made beside it."""
    fork = new.header.forked_from
    if fork is None:
        return Counterpart()
    if of.old is not None and fork.run in {of.old_name, of.old.header.run}:
        return Counterpart(of.old, of.old_name)
    counterpart = known_run(fork.run)
    # a link may name a run of another episode
    if counterpart is None or counterpart.episode.id != of.episode.id:
        return Counterpart(lead=f"The walk that was forked, of {fork.run}, is not open.")
    return Counterpart(counterpart.trace, fork.run)


def _unedited_walk(of: Setting, new: Trace) -> Counterpart:
    """Return the walk of the unedited text by the same navigator with the same settings and
    model.
    """
    if not of.episode.instruction.strip():
        return Counterpart()
    try:
        navigator = get_navigator(new.header.navigator)
        settings = settings_from(navigator, parted_settings(new.header.settings)[0])
    except SettingsError:
        return Counterpart()
    name = f"{navigator.name} on the unedited text"
    if not asks_model(navigator, settings):
        # settings of two navigators may look alike as JSON: their class belongs to the key
        walk = _on_the_spot(
            (*of.graphs, of.graph.name),
            f"{type(settings).__qualname__} {settings.model_dump_json()}",
            of.episode.model_dump_json(),
            navigator.name,
            navigator,
            settings,
            of,
        )
        if is_unwalked(walk):
            return Counterpart(
                lead=f"Not compared: {navigator.name} cannot walk the unedited text."
            )
        return Counterpart(walk, name)
    if of.old is not None and same_walker(of.old, new):
        return Counterpart(of.old, of.old_name)
    walks = [walk.trace for walk in walks_beside(of.episode) if _is_unedited(walk.trace, of, new)]
    # the oldest comes first, so the last one is the newest
    return Counterpart(walks[-1], name) if walks else Counterpart(is_wanted=True)


def _is_unedited(walk: Trace, of: Setting, new: Trace) -> bool:
    whole = walk.end is not None and walk.end.status in _WHOLE and walk.header.forked_from is None
    return whole and walk.episode.instruction == of.episode.instruction and same_walker(walk, new)


@st.cache_resource(max_entries=64, show_spinner=False)
def _on_the_spot(
    world: tuple[str, ...],
    settings: str,
    episode: str,
    name: str,
    _navigator: Navigator,
    _settings: Settings,
    _of: Setting,
) -> Trace:
    """Walk once for all sessions, and all runs of the script."""
    del world, settings, episode, name
    return walk_now(_navigator, _settings, _of.episode, _of.graph)


def offer(of: Setting, new: Trace, run: str) -> None:
    """Offer to walk the unedited text too, with what it costs."""
    cost = _cost_words(_estimate(run, of.episode, new, of.graph))
    st.button(
        f"Walk the unedited text too ({cost})",
        icon=":material/play_arrow:",
        key="live_unedited",
        on_click=_ask,
        args=(run,),
        help=(
            "By the same navigator with the same settings and model, so that the texts alone"
            " differ."
        ),
    )


def _ask(run: str) -> None:
    current().live.unedited_for = run
    # the button runs the fragment only, and the form beside it starts the walk
    current().live.page_is_old = True


@st.cache_data(max_entries=64, show_spinner=False)
def _estimate(run: str, _episode: Episode, _new: Trace, _graph: Graph) -> CostEstimate | None:
    del run
    navigator = get_navigator(_new.header.navigator)
    model = _new.header.model or ""
    try:
        price = model_price(model, load_prices(workspace_dir() / "prices.json")) if model else None
    except NavVizError:
        price = None  # named when the walk is started
    settings = settings_from(navigator, parted_settings(_new.header.settings)[0])
    walks = [_new]
    return estimate_run(
        navigator, settings, _episode, _graph, price=price, earlier=walks, model=model
    )


def _cost_words(cost: CostEstimate | None) -> str:
    if cost is None:
        return about_usd(None)
    tokens = f"about {cost.prompt_tokens + cost.output_tokens:,} tokens"
    return plain(f"{tokens}, {about_usd(cost.usd)}")


def wants() -> str | None:
    """Return the run whose unedited text is to be walked next, once."""
    wanted, current().live.unedited_for = current().live.unedited_for, None
    return wanted


def check_same_walker(
    run: str, navigator: str, settings: Settings, model: run_form.ModelChoice | None
) -> None:
    """Refuse to walk the unedited text by another walker than the run's.

    Raises `SettingsError` where navigator, settings or model in the form are not those of the run.
    """
    shown = known_run(run)
    if shown is None:
        raise SettingsError(
            "The walk to compare with is not here any more; press Run to walk the text again."
        )
    header = shown.trace.header
    own, options = parted_settings(header.settings)
    # without defaults, as the header of a trace holds them
    theirs = (
        model.options.model_dump(mode="json", exclude_defaults=True) if model is not None else {}
    )
    chosen = (
        navigator,
        settings.model_dump(mode="json"),
        model.name if model is not None else None,
        theirs,
    )
    if (header.navigator, own, header.model, options) != chosen:
        walker = " with ".join(part for part in (header.navigator, header.model) if part)
        raise SettingsError(
            f"Navigator, model or settings were changed since that walk: choose {walker} and its"
            " settings again, then walk the unedited text."
        )


def unedited(of: Setting) -> Setting:
    """Return the setting that walks the text as it was: no fork."""
    return replace(of, fork=None, forked=None)


def come_back() -> None:
    """Show the edited walk again, once the walk of the unedited text has come to its end."""
    name, back = current().live.run, current().live.back_to
    if back is None or name is None:
        return
    live = live_runs().get(name)
    if live is not None and live.running:
        return
    current().live.back_to = None
    shown = known_run(name)
    end = shown.trace.end if shown is not None else None
    # a walk that broke off stays on the screen with its reason
    if end is not None and end.status in _WHOLE:
        current().live.run = back
        st.query_params["live"] = back
