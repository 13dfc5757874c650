"""The path that a navigator without a model takes with the instruction as it is being typed.

Streamlit hands a text over when its field is left. The player listens to the field and tells the
fragment around it, so that a word costs a run of that fragment and not of the page.
"""

from __future__ import annotations

import threading

import streamlit as st

from navviz.records import Episode
from navviz.records.base import plural
from navviz.runner.episode import walk_now
from navviz.systems.base import Settings
from navviz.systems.registry import get_navigator
from navviz.ui.components import result
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.live import baseline as live_baseline
from navviz.ui.live import draw as live_draw
from navviz.ui.live.chosen import Setting, Shown, text_key
from navviz.ui.state.session import Preview, current, widget
from navviz.views.compare import outcome_words
from navviz.world.graph import Graph

FIELD = "live_instruction"
"""Key of the container around the field that holds the instruction."""


def listens_to() -> str | None:
    """Field that the player listens to; ``None`` where the chosen navigator asks a model, which
    waits for Run.
    """
    return f".st-key-{FIELD} textarea" if current().live.walker is not None else None


@st.cache_resource(max_entries=32, show_spinner=False)
def _prepared(
    graphs: tuple[str, ...],
    world: str,
    walker: str,
    _settings: Settings,
    _episode: Episode,
    _graph: Graph,
) -> threading.Thread:
    """Walk once beside the page: what a navigator derives from a map (2 s for Manhattan) it keeps
    with the map.
    """
    del graphs, world
    thread = threading.Thread(
        target=walk_now,
        args=(get_navigator(walker), _settings, _episode, _graph),
        name="navviz-prepare",
        daemon=True,
    )
    thread.start()
    return thread


def prepare(of: Setting) -> None:
    """Let the first letter be answered as fast as the next ones; returns at once."""
    walker = current().live.walker
    if walker is not None and of.episode.instruction.strip():
        _prepared(of.graphs, of.graph.name, walker[0], walker[1], of.episode, of.graph)


def take(of: Setting, text: str) -> None:
    """Note what was typed."""
    current().live.typed = (text_key(of), text)


def preview(of: Setting, shown: Shown | None) -> Preview | None:
    """Walk the text that stands in the field, where it is not that of the walk that is shown."""
    walker, text = current().live.walker, _text(of)
    if walker is None or text is None or (shown is not None and shown.running):
        return None
    if text == (shown.episode if shown is not None else of.episode).instruction:
        return None
    stamp = f"typing {walker!r} {of.old_name} {of.episode.id} {text}"
    preview = current().live.preview
    # the fragment runs for other reasons too: the same text is walked once
    if preview is None or preview.stamp != stamp:
        name, settings = walker
        episode = of.episode.model_copy(update={"instruction": text})
        preview = Preview(walk_now(get_navigator(name), settings, episode, of.graph), stamp)
        current().live.preview = preview
    return preview


def _text(of: Setting) -> str | None:
    typed = current().live.typed
    if typed is not None and typed[0] == text_key(of):
        return typed[1]
    value = widget(text_key(of))
    return value if isinstance(value, str) else None


def head(of: Setting, seen: Preview) -> None:
    """Say in two lines what the text does."""
    trace = seen.trace
    scores, base = cache.scores(trace, of.graph), live_baseline.baseline_of(of, trace)
    length_m, fault = (
        scores.get("TL"),
        trace.end.reason if trace.end is not None and not trace.steps else None,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(":blue-badge[:material/edit: As you type]", width="content")
        steps = plural(len(trace.steps), "step")
        facts = [trace.header.navigator, steps, "" if length_m is None else f"{length_m:.0f} m"]
        st.text(" · ".join(part for part in facts if part), width="content")
        st.caption(plain(live_baseline.headline(base)), width="content")
    if fault:
        st.caption(plain(fault))
    elif base.trace is not None:
        result.changed(base.trace, trace, of.graph)
    elif not live_draw.is_on() or of.episode.reference_path:
        st.caption(plain(outcome_words(trace, scores)))
