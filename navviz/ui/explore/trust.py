"""What is asked of a run as a whole, in one menu: are its figures so, where do they come from, are
its instructions right, and what would another navigator do with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path

import pandas as pd
import streamlit as st

from navviz.runner.provenance import Provenance, counted_names, provenance_of
from navviz.runner.verify import Verification, verify_run
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.installation.serving import is_allowed
from navviz.ui.components.finding import begin_one
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data.finding import what_ifs_of
from navviz.ui.explore.findings import has_walks, is_measured
from navviz.ui.explore.listing import leaves_any
from navviz.ui.state import shell, state
from navviz.ui.state.session import current, set_widget, widget

MOST = 100
"""Episodes that the page walks again, the first ones: about ten seconds for `rules` in Manhattan.
"""

_TOLD = 20

_LONGEST = 300


@st.cache_data(max_entries=24, show_spinner="Walking the episodes again …")
def _verification(identity: Identity, _run: OpenRun) -> Verification:
    del identity
    traces = dict(islice(_run.traces.items(), MOST))
    return Verification(tuple(verify_run(traces, _run.graph, _run.source.results)))


@st.cache_data(max_entries=24, show_spinner="Hashing the files …")
def _provenance(identity: Identity, _run: OpenRun) -> Provenance:
    del identity
    return provenance_of(_run)


def show_badge(run: OpenRun) -> None:
    """Show what came of walking the run again, where somebody asked for it."""
    if (run.source.name, run.source.method) in current().verified:
        _badge(_verification(run.source.identity, run), len(run))


_PANEL = "panel"
"""Parameter of the address that names what systems show of the run."""


def panels(run: OpenRun, brought: Iterable[shell.DrawnPart]) -> dict[str, str]:
    """Return the titles of what systems can show of a run, by what stands for it in addresses.

    They need the walks of all episodes, so a large run has none until it is measured.
    """
    parts = [part for part in brought if part.applies is not None]
    if not is_measured(run):
        return {}
    return {part.slug: part.title for part in parts if part.applies and part.applies(run)}


def menu(run: OpenRun, table: pd.DataFrame, titles: Mapping[str, str]) -> bool:
    """Show the menu; returns whether its visitor asks for a batch over the episodes of the list."""
    with st.popover("Tools", icon=":material/rule:", type="tertiary", key="explore_tools"):
        opened = opened_panels(titles)
        for slug, title in titles.items():
            set_widget(f"explore_panel_{slug}", slug in opened)
            st.toggle(
                plain(title),
                key=f"explore_panel_{slug}",
                on_change=state.by_hand(partial(_take_panel, slug, opened)),
            )
        if has_walks(run):
            key = (run.source.name, run.source.method)
            st.button(
                "Verify",
                key="explore_verify",
                type="tertiary",
                icon=":material/replay:",
                help="Walks each episode again with its recorded replies; no model is asked.",
                on_click=current().verified.add,
                args=(key,),
                disabled=key in current().verified,
            )
            if st.button(
                "Provenance",
                type="tertiary",
                icon=":material/info:",
                key="explore_provenance",
                help="Navigator, model, settings, and the files that the figures depend on.",
            ):
                _show_provenance(run)
            st.button(
                "Walk on after other links",
                type="tertiary",
                icon=":material/alt_route:",
                key="explore_what_if_begin",
                help="At each fork the same navigator walks on after each other link, once; the"
                " steps that decide then stand among the findings (Acts).",
                on_click=begin_one,
                args=(what_ifs_of(), run),
            )
        set_widget("explore_route_check", state.checks_routes())
        st.toggle(
            "Check instructions against routes",
            key="explore_route_check",
            help=(
                "Finds where the text says left and the route goes right, where a landmark lies on"
                " the other side, where a turn is missing. They then stand among the findings"
                " (Data). Outdoors only; about 20 s for 700 episodes, once."
            ),
            on_change=_take_route_check,
        )
        return is_allowed("batches") and st.button(
            "Run over these episodes",
            icon=":material/playlist_play:",
            key="explore_run_over",
            type="tertiary",
            disabled=not leaves_any(state.episode_list(), table),
            help="A navigator of your choice over the episodes that the filters leave.",
        )


def opened_panels(titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return which of them the address opens."""
    return state.chosen_many(_PANEL, list(titles))


def _take_panel(slug: str, opened: tuple[str, ...]) -> None:
    others = [other for other in opened if other != slug]
    state.choose(_PANEL, *others, *([slug] if widget(f"explore_panel_{slug}") else []))


def _take_route_check() -> None:
    current().checks_routes = bool(widget("explore_route_check"))
    if not current().checks_routes:
        state.show_list(state.episode_list().with_choice("disagreement", ()))


@st.dialog("Provenance", width="large")
def _show_provenance(run: OpenRun) -> None:
    with shell.guard():
        _show_lines(_provenance(run.source.identity, run))


def _badge(verification: Verification, count: int) -> None:
    """Show the sum, and what is not the same behind it."""
    first = f" (the first {MOST} of {count:,} episodes)" if count > MOST else ""
    rest = [verdict for verdict in verification.verdicts if verdict.state != "reproduces"]
    wrong = verification.count("differs")
    nobody = verification.count("not walked") == len(verification.verdicts)
    if not rest:
        # not st.badge, which escapes brackets once more
        st.markdown(
            f":green-badge[:material/verified: {plain(verification.sentence + first)}]",
            width="content",
        )
        return
    text = "cannot be walked here" if nobody else verification.sentence.partition(";")[0]
    icon = ":material/error:" if wrong else ":material/help:"
    with st.popover(plain(text + first), type="tertiary", icon=icon, key="explore_verified"):
        st.text(verification.sentence + first)
        for verdict in rest[:_TOLD]:
            st.text(f"{verdict.episode}: {verdict.sentence}"[:_LONGEST])
        if len(rest) > _TOLD:
            st.text(f"and {len(rest) - _TOLD} more; navviz diagnose verify names all of them.")


def _show_lines(provenance: Provenance) -> None:
    rows = {
        "Navigator": counted_names(provenance.navigators),
        "Model": counted_names(provenance.models) or "none",
        "Walked with": counted_names(provenance.code_versions),
        "Begun": provenance.created or "not recorded",
        "Scored with": provenance.scored_with,
    }
    st.text("\n".join(f"{name}: {value}" for name, value in rows.items()))
    if provenance.changed:
        names = ", ".join(_short(file.path) for file in provenance.changed[:5])
        st.warning(
            plain(f"{len(provenance.changed)} files have changed since the run began: {names}")
        )
    for settings in list(provenance.settings)[:3]:
        st.caption(
            "Settings"
            if len(provenance.settings) == 1
            else f"Settings of {plain(provenance.settings[settings])} episodes"
        )
        st.code(settings, language="json", wrap_lines=True)
    files = []
    for file in provenance.files:
        row = {"file": _short(file.path), "role": file.role, "SHA-256": file.sha256}
        files.append(row)
    show_table(files, "Files that the figures depend on, with their SHA-256.", most_rows=7)


def _short(path: str) -> str:
    """Return a file's name with its folder: visitors need not know where a server keeps its
    data.
    """
    return "/".join(Path(path).parts[-2:])
