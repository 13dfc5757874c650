"""Choosing what to look at: run, episode, and opening files."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from navviz.datasets.places import make_world
from navviz.errors import InputError
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Source, from_path, workspace_dir
from navviz.ui import cache, shell, state

__all__ = ["choose_episode", "choose_run", "open_dialog"]

_ORIGINS = {"sample": "bundled sample", "workspace": "recorded here", "opened": "opened"}


def choose_run(label: str = "Run", width: int = 420) -> OpenRun | None:
    """Selectbox of all runs, beside a button that opens others; ``None`` where there is none or it cannot be read.

    Call it inside a horizontal container, which the two then share with what follows.
    """
    found = {source.name: source for source in cache.sources()}
    wanted = state.selection().run
    if found:
        _run_box(label, found, wanted, width)
    st.button("Open …", icon=":material/folder_open:", on_click=_ask_open, key="pickers_open")
    if st.session_state.pop("pickers_asked", False):
        open_dialog()
    if not found:
        shell.empty("Nothing is open", "Press Open … and choose a folder or a result file.")
        return None
    if wanted is not None and wanted not in found:
        st.warning(
            f"There is no run named “{wanted}” here; choose one above or open its file.", icon=":material/link_off:"
        )
        return None
    source = found[wanted] if wanted is not None else next(iter(found.values()))
    with shell.guard():
        run = cache.open_run(source)
        if wanted is None:
            state.select(run=source.name)
        return run
    return None


def _ask_open() -> None:
    st.session_state["pickers_asked"] = True


def _run_box(label: str, found: dict[str, Source], wanted: str | None, width: int) -> None:
    names = list(found)
    key = f"pickers_run_{label}"
    if wanted in found:
        st.session_state[key] = wanted
    st.selectbox(
        label,
        names,
        key=key,
        format_func=lambda name: f"{name}  ({_ORIGINS[found[name].origin]})",
        on_change=lambda: state.select(run=st.session_state[key]),
        width=width,
    )


def choose_episode(run: OpenRun) -> str | None:
    """Selectbox of a run's episodes; follows the selection, and says so where the URL names one that is not there."""
    keys = list(run.traces)
    if not keys:
        shell.empty("This run has no episodes", "See what could not be read, or open another run.")
        return None
    wanted = state.selection().episode
    if wanted is not None and wanted not in run.traces:
        st.warning(f"Run “{run.name}” has no episode “{wanted}”; the first one is shown.", icon=":material/link_off:")
        wanted = None
    chosen = wanted or keys[0]
    st.session_state["pickers_episode"] = chosen
    st.selectbox(
        "Episode",
        keys,
        key="pickers_episode",
        format_func=lambda key: f"{key} · {run.traces[key].episode.instruction[:70]}",
        on_change=lambda: state.select(episode=st.session_state["pickers_episode"]),
    )
    return chosen


@st.dialog("Open a run", width="medium")
def open_dialog() -> None:
    """Open a folder or file on this computer, upload one, or download a place from OpenStreetMap."""
    folder, upload, place = st.tabs(
        [":material/folder: Folder or file on this computer", ":material/upload: Upload", ":material/public: Any place"]
    )
    with folder:
        _open_folder()
    with upload:
        _open_upload()
    with place:
        _open_place()


def _open_folder() -> None:
    text = st.text_input(
        "Path",
        placeholder="/data/groke or …/results.json or …/city.osm",
        help="A folder that holds graph, episodes and results together, or one file: results, episodes, or a map.",
        key="pickers_path",
        live=True,
    )
    graphs = st.text_input("Graph folder, if it lies elsewhere", placeholder="…/osm/graph", key="pickers_graphs")
    if st.button("Open", type="primary", key="pickers_open_path", disabled=not text):
        with shell.guard():
            _opened(from_path(Path(text.strip()).expanduser(), Path(graphs).expanduser() if graphs else None))


def _open_place() -> None:
    text = st.text_input(
        "Place or box",
        placeholder="Piedmont, California, or 11.56,48.13,11.58,48.15",
        help="A name as OpenStreetMap's Nominatim knows it, or west,south,east,north in degrees.",
        key="pickers_place",
    )
    st.caption("Downloads streets and POIs from OpenStreetMap (needs a network); afterwards it opens offline.")
    if st.button("Download and open", type="primary", key="pickers_open_place", disabled=not text.strip()):
        with shell.guard(), st.spinner("Asking OpenStreetMap …"):
            folder, _graph = make_world(text.strip())
            _opened([Source(folder.parent.name, "opened", (folder,))])


def _open_upload() -> None:
    file = st.file_uploader(
        "Result file, episodes or map",
        type=["json", "jsonl", "gz", "osm", "bz2", "graphml"],
        key="pickers_upload",
        help="Stays on this machine.",
    )
    known = {str(path): path for source in cache.sources() for path in source.graphs}
    chosen = st.selectbox("Graph it was walked on", list(known), key="pickers_upload_graph")
    if st.button("Open", type="primary", key="pickers_open_upload", disabled=file is None) and file is not None:
        folder = workspace_dir() / "uploads"
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / Path(file.name).name
        target.write_bytes(file.getvalue())
        with shell.guard():
            _opened(from_path(target, known.get(chosen)))


def _opened(found: list[Source]) -> None:
    """Check that the first can be read, remember all, choose the first."""
    run = cache.open_run(found[0])
    if not run.traces:
        sentence = str(run.problems.kept[0]) if run.problems.kept else "no episode could be read"
        raise InputError(sentence.rstrip("."), file=run.name)
    held = cache.opened()
    held[:] = found + [source for source in held if source.name not in {new.name for new in found}]
    state.select(run=found[0].name)
    st.rerun()
