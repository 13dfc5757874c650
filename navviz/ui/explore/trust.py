"""Whether a run reproduces, and where its figures come from; both are worked out when they are
asked for.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import streamlit as st

from navviz.runner.provenance import Provenance, counted_names, provenance_of
from navviz.runner.verify import Verification, verify_run
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.components.plain import plain
from navviz.ui.state import shell
from navviz.ui.state.session import current

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


def show(run: OpenRun) -> None:
    """Show a button that walks the run again, what came of it, and a button with the provenance."""
    if run.source.results is None or not run.traces:
        return
    key = (run.source.name, run.source.method)
    if key in current().verified:
        _badge(_verification(run.source.identity, run), len(run))
    else:
        st.button(
            "Verify",
            key="explore_verify",
            type="tertiary",
            icon=":material/replay:",
            help="Walks each episode again with its recorded replies; no model is asked.",
            on_click=current().verified.add,
            args=(key,),
        )
    box = st.popover(
        "Provenance",
        type="tertiary",
        icon=":material/info:",
        key="explore_provenance",
        # a popover that reruns tells whether it is open: files are hashed only then
        on_change="rerun",
    )
    if box.open:
        with box, shell.guard():
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
    st.dataframe(
        files,
        hide_index=True,
        height="auto" if len(files) < 8 else 280,
        alt="Files that the figures depend on, with their SHA-256.",
    )


def _short(path: str) -> str:
    """Return a file's name with its folder: visitors need not know where a server keeps its
    data.
    """
    return "/".join(Path(path).parts[-2:])
