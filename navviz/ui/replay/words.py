"""What further walks say of an episode, below its replay.

Which words mattered: each part of the instruction is taken away in turn, and the navigator walks
again. Whether the samples agree: the walks of all samples of the run on one map.
"""

from __future__ import annotations

import hashlib
import threading
from typing import Any

import pandas as pd
import streamlit as st

from navviz.analysis.influence import (
    Effect,
    Hidden,
    WordInfluence,
    estimated_cost,
    influence_of,
    instruction_variants,
    walk_once,
)
from navviz.analysis.stability import JunctionEntropy, Stability, is_sample_of, stability
from navviz.llm.base import LanguageModel
from navviz.llm.prices import about_usd
from navviz.llm.registry import close_model
from navviz.records import Episode, Trace
from navviz.records.trace_files import write_trace
from navviz.runner import RunConfig, write_config
from navviz.runner.budget import GuardedModel
from navviz.runner.episode import trace_path
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.runs.owners import claim
from navviz.support.installation.serving import is_allowed, require
from navviz.systems.base import Navigator, Settings, asks_model
from navviz.systems.registry import get_navigator, navigators_for, settings_from
from navviz.ui.components.browser import clickable
from navviz.ui.components.plain import plain
from navviz.ui.components.run_form import budget_form, model_form
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.ui.server import audit, visitor
from navviz.ui.server.identity import ownership
from navviz.ui.state import shell
from navviz.ui.state.session import current
from navviz.views.figures.bundle import bundle_svg
from navviz.views.figures.marked_text import ShadedPart, shaded_html
from navviz.world.graph import Graph

_HIDDEN: tuple[Hidden, Hidden] = ("leave out", "mask")

_OUTCOMES = {True: "success", False: "failure", None: "–"}


def show(run: OpenRun, episode: str) -> None:
    """Show the part, folded; nothing is walked before its button is pressed."""
    if not run.trace(episode).episode.instruction.strip():
        return
    box = st.expander(
        "Which words mattered",
        icon=":material/ink_highlighter:",
        key="replay_words",
        on_change="rerun",
        bind="query-params",
    )
    if box.open:
        with box:
            _guarded_form(run, episode)


@st.fragment  # its buttons walk and draw; player and figures above stay as they are
def _guarded_form(run: OpenRun, episode: str) -> None:
    with shell.guard():
        _form(run, episode)


def _form(run: OpenRun, episode: str) -> None:
    graph, own_episode = run.graph(episode), run.trace(episode).episode
    # the rules first: they ask no model
    names = sorted(
        (one.name for one in navigators_for(graph.frame)),
        key=lambda name: (not name.startswith("rules"), name),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.selectbox("Who walks", names, key="replay_words_navigator", width=220)
        hidden: Hidden = st.segmented_control(
            "Phrases and landmarks",
            _HIDDEN,
            default=_HIDDEN[0],
            required=True,
            key="replay_words_hidden",
            format_func={"leave out": "Leave out", "mask": "Mask"}.__getitem__,
        )
        place = st.container(width="content")
    navigator = get_navigator(name)
    settings = settings_from(navigator)
    walks = 1 + len(instruction_variants(own_episode, graph, hidden))
    needs_model = asks_model(navigator, settings)
    model = (model_form(), budget_form()) if needs_model else None
    label = (
        f"Walk {walks} variants"
        if not needs_model
        else _with_cost(run.trace(episode), navigator, walks)
    )
    # a press counts for this choice alone
    key = (run.name, episode, name, hidden)
    if place.button(label, type="primary", icon=":material/play_arrow:", key="replay_words_start"):
        current().words = key
    if current().words != key:
        st.caption(
            "Leaves out each phrase and landmark, swaps each left and right, and calls each"
            " landmark by the name of the nearest other place of its kind; then walks again and"
            " compares."
        )
        return
    llm = (
        None
        if model is None
        else GuardedModel(model[0].make(f"words {name}"), threading.Event(), model[1])
    )
    model_name = llm.name if llm is not None else ""
    influence = _walked(
        (*key, model_name), run.source.stamp, own_episode, graph, navigator, settings, hidden, llm
    )
    _shading(influence)
    _table(run, influence, navigator, settings, model_name)


def _with_cost(trace: Trace, navigator: Navigator, walks: int) -> str:
    """Name the price on the button, by what this walk has cost with the same navigator."""
    cost = estimated_cost(trace if trace.header.navigator == navigator.name else None, walks)
    if cost.tokens is None:
        return f"Ask the model for {walks} walks ({about_usd(None)})"
    price = about_usd(cost.usd)
    return f"Ask the model for {walks} walks (about {cost.tokens:,} tokens, {price})"


@st.cache_resource(max_entries=32, show_spinner="Walking each variant …")
def _walked(
    key: tuple[str, ...],
    stamp: tuple[tuple[str, int], ...],
    _episode: Episode,
    _graph: Graph,
    _navigator: Navigator,
    _settings: Settings,
    _hidden: Hidden,
    _llm: LanguageModel | None,
) -> WordInfluence:
    """Walk once for all sessions, so that a model is never paid twice for the same question."""
    del key, stamp
    try:
        return influence_of(
            _episode,
            _graph,
            lambda instruction: walk_once(_navigator, instruction, _graph, _llm, _settings),
            _hidden,
        )
    finally:
        close_model(_llm)


def _shading(influence: WordInfluence) -> None:
    parts = []
    for effect in influence.effects:
        part = effect.variant.part
        tooltip = f"{effect.variant.description}: {_did(effect)}"
        parts.append(ShadedPart(part.start, part.end, influence.weight(effect), tooltip))
    ended = "" if influence.error_m is None else f", {influence.error_m:.0f} m from the goal"
    st.html(shaded_html(influence.episode.instruction, parts))
    st.caption(
        f"The whole instruction: {_OUTCOMES[influence.success]}{ended}. The darker a part, the"
        " more the walk changed without it; dotted: tried, and the walk stayed the same. Point"
        " at a part to read what was done."
    )


def _did(effect: Effect) -> str:
    if effect.same_path:
        return "the same walk"
    ended = "" if effect.change_m is None else f", {effect.change_m:+.0f} m"
    return f"{_OUTCOMES[effect.success]}{ended}"


def _table(
    run: OpenRun, influence: WordInfluence, navigator: Navigator, settings: Settings, model: str
) -> None:
    """Show the effects, the strongest first; the row that is chosen opens in Compare."""
    ranked = sorted(influence.effects, key=lambda effect: -influence.weight(effect))
    table = pd.DataFrame(
        {
            "change": [effect.variant.description for effect in ranked],
            "outcome": [_OUTCOMES[effect.success] for effect in ranked],
            "error": [effect.error_m for effect in ranked],
            "moved": [effect.change_m for effect in ranked],
            "parts": [effect.parted_after_m for effect in ranked],
            "weight": [influence.weight(effect) for effect in ranked],
        }
    )
    event = show_table(
        table,
        "What each change of the instruction did to the walk",
        _effect_columns(),
        key=f"replay_words_table_{influence.episode.id}",
        on_select="rerun",
        selection_mode="single-row",
        placeholder="–",
    )
    rows = event.selection.rows
    chosen = ranked[rows[0]] if rows else None
    pressed = st.button(
        "Open in Compare",
        icon=":material/compare_arrows:",
        key="replay_words_compare",
        disabled=chosen is None or not is_allowed("keep"),
        help=(
            "Choose a row first. Keeps this walk and that of the whole instruction as runs, and"
            " shows both on one map."
        ),
    )
    if pressed and chosen is not None:
        whole = _kept(run, influence.trace, navigator, settings, model)
        changed = _kept(run, chosen.trace, navigator, settings, model)
        place = {"run": changed, "other": whole, "episode": influence.episode.id}
        st.switch_page("pages/compare.py", query_params=place)


def _effect_columns() -> dict[str, Any]:
    """Return how each column of the effects is shown."""
    column = st.column_config
    return {
        "change": column.TextColumn("What was changed", width="large"),
        "outcome": column.TextColumn("Outcome", width="small"),
        "error": column.NumberColumn("NE (m)", format="%.0f", width="small"),
        "moved": column.NumberColumn("Change (m)", format="%+.0f", width="small"),
        "parts": column.NumberColumn(
            "Parts after (m)",
            format="%.0f",
            width="small",
            help="Where the walks go apart; empty: the same walk",
        ),
        "weight": column.ProgressColumn("Effect", min_value=0.0, max_value=1.0, format="%.2f"),
    }


def _kept(run: OpenRun, trace: Trace, navigator: Navigator, settings: Settings, model: str) -> str:
    """Write a walk as a run of its own, once; returns the run's name."""
    require("keep")
    mine = ownership()
    # the owner belongs to it: two visitors keep walks of their own
    made = (
        f"{trace.episode.instruction} {settings.model_dump_json()} {model} {run.name}"
        f" {mine.owner if mine else ''}"
    )
    name = f"words {navigator.name} {hashlib.sha256(made.encode()).hexdigest()[:8]}"
    out = workspace_dir() / "runs"
    graphs = tuple(str(path.resolve()) for path in run.source.graphs)
    config = RunConfig(
        run=name,
        navigator=navigator.name,
        settings=settings.model_dump(mode="json"),
        model=model or None,
        graphs=graphs,
    )
    path = trace_path(out, name, trace.episode.id)
    # the name says what made the walk, so that the same walk is kept once
    if not path.exists():
        audit.note("kept", name)
        claim(out / name, mine)
        write_config(out / name, config)
        write_trace(
            trace.model_copy(update={"header": trace.header.model_copy(update={"run": name})}), path
        )
    return name


_MOST = 12


def show_stable(run: OpenRun, episode: str) -> None:
    """Show the part where the run has further samples; they are read when it is opened."""
    samples = [source for source in visitor.sources() if is_sample_of(source.name, run.name)]
    others = [source for source in samples if not source.fault]
    if not others:
        return
    box = st.expander(
        "Do the samples agree?",
        icon=":material/hub:",
        key="replay_stable",
        on_change="rerun",
        bind="query-params",
    )
    if not box.open:
        return
    with box, shell.guard():
        opened = [cache.open_run(source) for source in others]
        # a sample that is still being walked may lack the episode
        having = [sample for sample in (run, *opened) if episode in sample.traces]
        walks: list[Trace] = [sample.traces[episode] for sample in having]
        if len(walks) < 2:
            st.caption("No other sample has walked this episode yet.")
            return
        _agreement(run, stability(walks))


def _agreement(run: OpenRun, stability: Stability) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.metric("Walks", stability.walks, width=110)
        st.metric(
            "Links in common",
            f"{100 * stability.overlap:.0f} %",
            width=170,
            help="Mean over pairs of walks (Jaccard).",
        )
        pairs = "Share of pairs of walks."
        st.metric("Same path", f"{100 * stability.same_path:.0f} %", width=140, help=pairs)
        st.metric("Same end", f"{100 * stability.same_end:.0f} %", width=140, help=pairs)
        st.metric(
            "Entropy",
            f"{stability.bits:.2f} bits",
            width=150,
            help="Of all junctions at which the walks part.",
        )
    rings = []
    for junction in stability.junctions:
        tooltip = f"{junction.node}: {junction.bits:.2f} bits"
        rings.append((junction.node, junction.bits, tooltip))
    reference = run.trace(stability.episode).episode.reference_path
    drawn = bundle_svg(
        run.graph(stability.episode), stability.links, stability.walks, rings, reference
    )
    clickable("bundle", drawn, key="replay_bundle")
    credit = run.graph(stability.episode).info.attribution
    st.caption(
        "The wider a line, the more walks take that way; dashed: the reference path. Rings:"
        " junctions at which the walks part; the larger a ring, the more even the split."
        f" {plain(credit or '')}"
    )
    if stability.junctions:
        shown = stability.junctions[:_MOST]
        table = pd.DataFrame(
            {
                "node": [junction.node for junction in shown],
                "bits": [junction.bits for junction in shown],
                "ways": [_ways(junction) for junction in shown],
            }
        )
        show_table(
            table,
            "Junctions at which the walks part",
            {
                "node": st.column_config.TextColumn("Junction", width="medium"),
                "bits": st.column_config.NumberColumn(
                    "Entropy (bits)", format="%.2f", width="small"
                ),
                "ways": st.column_config.TextColumn("Next node (walks)", width="large"),
            },
            key=f"replay_stable_table_{stability.episode}",
        )


def _ways(junction: JunctionEntropy) -> str:
    return ", ".join(f"{after} ({count})" for after, count in junction.choices)
