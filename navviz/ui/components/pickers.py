"""Choosing what to look at: run, episode, and opening files."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from navviz.datasets.places import make_world
from navviz.errors import InputError
from navviz.formats.mapping.structure import structure
from navviz.formats.passed_over import check_exists
from navviz.observations.pictures.files import check_has_pictures
from navviz.runs.opened import OpenRun
from navviz.runs.owners import check_may_open, may_open
from navviz.runs.remote import local_path
from navviz.runs.sources import Identity, Source
from navviz.runs.unknown_logs import is_unknown_log, sources_of
from navviz.runs.uploads import save_folder, save_upload
from navviz.support.addresses import is_address
from navviz.support.guarded import is_there, unpacked_bytes
from navviz.support.installation.serving import is_allowed
from navviz.ui.components import folders, following
from navviz.ui.components.empty import Picture, empty, open_sample
from navviz.ui.components.neighbours import episodes_in_order
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import audit, visitor
from navviz.ui.server.identity import viewer
from navviz.ui.server.limits import check_upload
from navviz.ui.state import shell, state
from navviz.ui.state.session import current, has_widget, set_widget, widget
from navviz.ui.state.state import by_hand

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

_ORIGINS = {
    "sample": "sample",
    "workspace": "recorded here",
    "opened": "opened",
    "upload": "uploaded",
}

UPLOADS = [
    "json", "jsonl", "ndjson", "csv", "tsv", "parquet", "gpx", "geojson", "log", "gz", "osm",
    "bz2", "graphml", "zip", "toml", "txt", "png", "jpg", "jpeg", "webp", "gif",
]  # fmt: skip
_OFFERED = 2000
"""Episodes in the list; the browser takes a second for so many, and every click sends them anew."""
_LISTED = 70
"""Characters of an instruction in the list of episodes."""


def choose_run(
    label: str = "Run",
    width: int = 420,
    *,
    asks_for_mapping: bool = False,
    sketch: Picture = "list",
) -> OpenRun | None:
    """Selectbox of all runs, beside a button that opens others; ``None`` where there is none or it
    cannot be read.

    A log that no reader knows is kept in the session; a page that asks what is what in it says so
    by `asks_for_mapping`, others lead there. Call it inside a horizontal container, which the two
    then share with what follows.
    """
    # of the page before: a link to a run that is not here must not show that log
    current().unknown_log = None
    wanted = state.selection().run
    sources = visitor.sources()
    source = visitor.source_named(wanted, sources) if wanted is not None else None
    # a link may name a run that the list leaves out
    listed = {source.name: source for source in sources} | (
        {source.name: source} if source is not None else {}
    )
    if listed:
        _run_box(label, listed, wanted, width)
    st.button("Open …", icon=":material/folder_open:", on_click=ask_open, key="pickers_open")
    if current().asks_to_open:
        # once: a flag that stays would open the dialog in every run
        current().asks_to_open = False
        open_dialog()
    if not listed:
        empty(
            sketch,
            "Nothing is open",
            "Press Open … and choose a folder or a result file, or look at the invented sample.",
            button="Open the sample",
            on_click=open_sample,
        )
        return None
    if wanted is not None and source is None:
        st.warning(
            plain(
                f"There is no run named “{wanted}” here{_meant(wanted, listed)}; choose one above"
                " or open its file."
            ),
            icon=":material/link_off:",
        )
        empty(
            sketch,
            "This page shows a run like this",
            "The sample is an invented town with runs of several navigators.",
            button="Open the sample",
            on_click=open_sample,
        )
        return None
    source = source or next(iter(listed.values()))
    if _is_unknown(source):
        current().unknown_log = source
        if not asks_for_mapping:
            _lead_to_mapping(source)
        return None
    with shell.guard():
        cache.wait_for(source)
        following.note_seen(source)
        run = cache.open_run(source)
        if wanted is None:
            state.select(run=source.name)
        return run
    return None


def _is_unknown(source: Source) -> bool:
    """Tell whether a source this visitor may open is a log that no reader knows."""
    if source.fault or source.results is None:
        return False
    with shell.guard():
        visitor.check_source(source)
        return is_unknown_log(source.results)
    return False


def _lead_to_mapping(source: Source) -> None:
    with shell.guard():
        if source.results is not None:
            # a broken file has no fields to ask about: its fault names the line
            structure(source.results)
        shell.empty(
            f"No reader knows {source.name}",
            "Explore shows what it holds, and asks which field is what.",
        )
        st.page_link("pages/explore.py", label="Say what is what in it", icon=":material/schema:")


def _meant(wanted: str, names: Collection[str]) -> str:
    """Suggest the names that the wanted one may stand for: its folder may be left out, or a letter
    be wrong.
    """
    near = [name for name in names if name.endswith(f"/{wanted}")] or get_close_matches(
        wanted, names, n=1
    )
    return f" (perhaps {' or '.join(f'“{name}”' for name in near[:3])})" if near else ""


def ask_open() -> None:
    """Have the dialog opened, as the button *Open …* does."""
    current().asks_to_open = True


def _run_box(label: str, listed: dict[str, Source], wanted: str | None, width: int) -> None:
    names = list(listed)
    key = f"pickers_run_{label}"
    if wanted in listed:
        # a link may have changed the run since the box was drawn
        set_widget(key, wanted)
    st.selectbox(
        label,
        names,
        key=key,
        format_func=lambda name: _run_label(listed[name]),
        on_change=by_hand(lambda: state.select(run=widget(key))),
        width=width,
        label_visibility="collapsed",
    )


def _run_label(source: Source) -> str:
    """Return a run in the list; the id of an upload is for links only."""
    name = re.sub(r"~[0-9a-f]{16}", "", source.name) if source.origin == "upload" else source.name
    return f"{name}  ({'cannot be shown' if source.fault else _ORIGINS[source.origin]})"


def choose_episode(run: OpenRun, usual: str | None = None) -> str | None:
    """Selectbox of a run's episodes; follows the selection, and says so where the URL names one
    that is not there. Without a wish, `usual` is shown, else the first of the list.
    """
    keys = list(run.traces)
    if not keys:
        shell.empty("This run has no episodes", "See what could not be read, or open another run.")
        return None
    wanted = state.selection().episode
    if wanted is not None and wanted not in run.traces:
        st.warning(
            f"Run “{plain(run.name)}” has no episode “{plain(wanted)}”; the first one is shown.",
            icon=":material/link_off:",
        )
        wanted = None
    chosen = wanted or usual or next(iter(episodes_in_order(run)), keys[0])
    set_widget("pickers_episode", chosen)
    instructions, labels = run.instructions, _labels(run.source.identity)

    def label(key: str) -> str:
        if key not in labels:
            has_text = key in instructions
            labels[key] = f"{key} · {_shortened(instructions[key])}" if has_text else key
        return labels[key]

    st.selectbox(
        "Episode",
        _around(keys, chosen),
        key="pickers_episode",
        label_visibility="collapsed",
        format_func=label,
        on_change=by_hand(lambda: state.select(episode=widget("pickers_episode"))),
        accept_new_options=len(keys) > _OFFERED,
        help=(
            f"The {_OFFERED} around it; type the id of another one."
            if len(keys) > _OFFERED
            else None
        ),
    )
    return chosen


@st.cache_resource(max_entries=12, show_spinner=False)
def _labels(identity: Identity) -> dict[str, str]:
    """Return the labels of a run's episodes that were made so far."""
    # Streamlit keeps the texts of each list in each session, also for a while after it is closed.
    # So all sessions share one text for each episode
    del identity
    return {}


def _around(keys: list[str], chosen: str) -> list[str]:
    """Return the episodes that the list offers: all, or of a large run those around the chosen
    one.
    """
    if len(keys) <= _OFFERED:
        return keys
    first = min(max(keys.index(chosen) - _OFFERED // 2, 0), len(keys) - _OFFERED)
    return keys[first : first + _OFFERED]


def _shortened(text: str) -> str:
    """Return the beginning of a text; an ellipsis tells that there is more."""
    return text if len(text) <= _LISTED else f"{text[:_LISTED].rstrip()}…"


@st.dialog("Open a run", width="medium")
def open_dialog() -> None:
    """Open a folder or file on this computer, upload one, or download a place from
    OpenStreetMap.
    """
    ways = {
        ":material/folder: Folder or file on this computer": (
            _open_folder if is_allowed("paths") else None
        ),
        ":material/upload: Upload": _open_upload,
        ":material/public: Any place": _open_place if is_allowed("download") else None,
    }
    offered = {name: draw for name, draw in ways.items() if draw is not None}
    for tab, draw in zip(st.tabs(list(offered)), offered.values(), strict=True):
        with tab:
            draw()


def _open_folder() -> None:
    text = st.text_input(
        "Path",
        placeholder="/data/groke or …/results.json or …/city.osm",
        help=(
            "A folder that holds graph, episodes and results together, or one file: results,"
            " episodes, or a map; also an address, as s3://bucket/run."
        ),
        key="pickers_path",
        live=True,
    )
    path = Path(text.strip()).expanduser() if text else None
    if visitor.is_local() and not is_address(text or ""):
        folders.browse("pickers_path", path)
    graphs = _graph_box("pickers_graphs", _likely_map(path))
    listed = st.text_input(
        "Episodes of the run",
        placeholder="those beside the file",
        help="The file of the data set, for results that name their episodes by id alone.",
        key="pickers_episodes",
        live=True,
    )
    episodes = Path(listed.strip()).expanduser() if listed and listed.strip() else None
    seen = st.text_input(
        "Folder of pictures",
        placeholder="/data/matterport",
        help=(
            "What the agent saw: skyboxes, views, panoramas, or the pictures that the log names."
            " NavViz searches the folders of the run and its map by itself. If the path above is"
            " empty, they belong to the run that is shown now."
        ),
        key="pickers_pictures",
        live=True,
    )
    pictures = Path(seen.strip()).expanduser() if seen and seen.strip() else None
    nothing = path is None and pictures is None
    if st.button("Open", type="primary", key="pickers_open_path", disabled=nothing):
        with shell.guard():
            if is_address(text or ""):
                with st.spinner("Copying …"):
                    path = local_path(text.strip())
            check_may_open(viewer(), path, pictures, episodes)
            sources = [_shown_now()] if path is None else sources_of(path, graphs)
            if episodes is not None:
                check_exists(episodes, "episode file")
                sources = [replace(source, episodes=episodes) for source in sources]
            if pictures is not None:
                check_has_pictures(pictures)
                sources = [replace(source, pictures=(pictures,)) for source in sources]
            _opened(sources)


def _shown_now() -> Source:
    """Return the run that the page shows, as one that its visitor opens: the pictures are theirs
    alone.
    """
    name = state.selection().run
    source = None if name is None else visitor.source_named(name, visitor.sources())
    if source is None:
        raise InputError("no run is shown that could have pictures", "write its path above")
    return replace(source, origin="opened") if source.origin != "upload" else source


_NEXT_TO_FILE = "the map next to the file"


def _graph_box(key: str, likely: Path | None) -> Path | None:
    """Selectbox of the maps that are open already; ``None`` for the one beside the file."""
    # another can be typed
    maps = [str(path) for path in _open_maps()]
    # only at first: another choice of the user's stays
    if likely is not None and not has_widget(f"{key}_{likely}"):
        set_widget(f"{key}_{likely}", str(likely))
    chosen = st.selectbox(
        "Map of the run",
        [_NEXT_TO_FILE, *maps],
        key=f"{key}_{likely}",
        accept_new_options=True,
        format_func=_map_label,
        help="A map that is open already, or the path of a graph folder; type it and press Enter.",
    )
    if likely is not None and chosen == str(likely):
        st.caption(
            f"No map lies beside it; its first episode starts on {plain(_map_label(chosen))}."
        )
    return None if chosen in {None, _NEXT_TO_FILE} else Path(chosen).expanduser()


def _map_label(path: str) -> str:
    parts = [part for part in Path(path).parts if part not in {"graph", "osm", "/"}]
    if path == _NEXT_TO_FILE or not parts:
        return path
    if is_allowed("paths"):
        return f"{parts[-1]}  ({path})"
    # where the server keeps its files is not for visitors; equal labels would be one choice
    alike = [str(each) for each in _open_maps() if parts[-1] in each.parts]
    return f"{parts[-1]} ({alike.index(path) + 1})" if len(alike) > 1 else parts[-1]


def _open_maps() -> list[Path]:
    return list(dict.fromkeys(chain.from_iterable(source.graphs for source in visitor.sources())))


def _likely_map(path: Path | None) -> Path | None:
    """Map among the open ones that a file's first episode starts on, where none lies beside the
    file.
    """
    if path is None or not may_open(viewer(), path) or not is_there(path):
        return None
    with suppress(InputError):
        return cache.map_of(path, tuple(_open_maps()))
    return None


def _open_place() -> None:
    text = st.text_input(
        "Place or box",
        placeholder="Piedmont, California, or 11.56,48.13,11.58,48.15",
        help="A name as OpenStreetMap's Nominatim knows it, or west,south,east,north in degrees.",
        key="pickers_place",
    )
    st.caption(
        "Downloads streets and POIs from OpenStreetMap (needs a network); afterwards it opens"
        " offline."
    )
    if st.button(
        "Download and open", type="primary", key="pickers_open_place", disabled=not text.strip()
    ):
        with shell.guard(), st.spinner("Asking OpenStreetMap …"):
            folder, _graph = make_world(text.strip())
            _opened([Source(folder.parent.name, "opened", (folder,))])


def _open_upload() -> None:
    whole = st.toggle(
        "A whole folder",
        key="pickers_upload_folder",
        help="With the pictures of its steps and everything else in it; or upload it as .zip.",
    )
    files = st.file_uploader(
        "Folder of a log" if whole else "Result file, episodes, map, or a folder as .zip",
        # of a folder the browser would leave out other files without a word
        type=None if whole else UPLOADS,
        accept_multiple_files="directory" if whole else True,
        key=f"pickers_upload_{whole}",
        help="Stays on this machine. Several files are opened as one folder.",
    )
    maps = _open_maps()
    chosen = st.selectbox(
        "Map of the run",
        maps,
        key="pickers_upload_graph",
        format_func=lambda path: _map_label(str(path)),
    )
    if st.button("Open", type="primary", key="pickers_open_upload", disabled=not files) and files:
        with shell.guard():
            size = sum(unpacked_bytes(file.name, file) for file in files)
            # before a byte of it is written
            check_upload(size)
            saved = _saved(files, chosen, whole=whole)
            audit.note("uploaded", saved[0].name, bytes=size)
            _opened(saved)


def _saved(files: Sequence[UploadedFile], graphs: Path | None, *, whole: bool) -> list[Source]:
    """Keep what was uploaded: one file, or several as a folder."""
    if len(files) == 1 and not whole:
        return save_upload(files[0].name, files[0].getvalue(), graphs)
    return save_folder([(file.name, file.getvalue()) for file in files], graphs)


def _opened(sources: list[Source]) -> None:
    """Check that the first can be read, remember all, choose the first; the page then shows how a
    large one is read.
    """
    for source in sources:
        visitor.check_source(source)
    unknown = sources[0].results is not None and is_unknown_log(sources[0].results)
    if not unknown and not cache.is_unread(sources[0]):
        run = cache.open_run(sources[0])
        if not run.traces:
            sentence = (
                str(run.problems.kept[0]) if run.problems.kept else "no episode could be read"
            )
            raise InputError(sentence.rstrip("."), file=run.name)
    kept = visitor.remember(sources)
    current().is_introduced = False
    state.select(run=kept[0].name)
    if unknown:
        st.switch_page("pages/explore.py", query_params=state.query())
    st.rerun()  # the only way to close a dialog from within
