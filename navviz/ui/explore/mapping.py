"""The mapping view: what an unknown log holds, which field is what, and its first episode drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, get_args

import pandas as pd
import streamlit as st

from navviz.errors import InputError
from navviz.formats.mapping.geometry import kind_of_text
from navviz.formats.mapping.guess import (
    first_records,
    guess,
    paths_within,
    ways_to_episodes,
)
from navviz.formats.mapping.guess_checks import checks_of
from navviz.formats.mapping.guess_walks import COUNTED
from navviz.formats.mapping.model import (
    BY_FILE,
    FRAMES,
    Mapping,
    WalkFields,
    as_toml,
    first_value,
    mapping_of,
    save_mapping,
)
from navviz.formats.mapping.structure import Structure, lines_of, structure
from navviz.formats.mapping.values import nodes_at, raw_positions
from navviz.metrics.score import score_trace
from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.records.base import plural
from navviz.runs.source import Source
from navviz.runs.unknown_logs import GraphsByName, LogPreview, ground_of, preview
from navviz.support.installation.serving import is_allowed
from navviz.ui.components.plain import plain
from navviz.ui.components.player import player
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.ui.server import audit, visitor
from navviz.ui.state import state
from navviz.ui.state.session import current
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable

SMALLEST = (
    "The smallest log that opens is a list of episodes, each with an id and the positions or nodes"
    ' of a walk: [{"id": 1, "path": [[0, 0, 0], [0, 0, -1]]}].'
)
_NONE = "–"
_PLAYER_PX = 430
_EPISODE = {
    "id": "Episode id",
    "world": "World",
    "instruction": "Instruction",
}
_ALONG = {
    "headings": "Headings",
    "actions": "Actions",
    "prompts": "Prompts",
    "thoughts": "Thoughts",
    "replies": "Replies",
    "pictures": "Pictures",
}
_PLACES = {"reference": "Reference path", "start": "Start", "goal": "Goal"}
_QUARTERS = {0.0: "north", 90.0: "east", 180.0: "south", 270.0: "west"}
_UNITS = get_args(WalkFields.model_fields["heading_unit"].annotation)
_FRAME_NAMES = {
    "habitat": "Habitat: x right, y up, z back",
    "unity": "Unity (AI2-THOR): x right, y up, z ahead",
    "camera": "camera (TUM, KITTI): x right, y down, z ahead",
    "matterport": "Matterport: x east, y north, z up",
    "enu": "ENU: east, north, up",
    "ned": "NED (AirSim): north, east, down",
    "latlon": "latitude, longitude",
    "lonlat": "longitude, latitude",
    "pixels": "pixels of a picture",
}


def show() -> None:
    """Ask what is what in the log that is chosen and that no reader knows; nothing without one."""
    source = current().unknown_log
    if source is None or source.results is None:
        return
    layout = _structure(source.identity, source)
    # the log's worlds may lie in its own folders, then in those of what is open
    folders = list(source.graphs)
    for each in visitor.sources():
        folders += each.graphs
    graphs = GraphsByName(tuple(dict.fromkeys(folders)), cache.graph)
    fields, shown = st.columns((4, 7), gap="medium")
    with fields:
        st.markdown(f"**What is what in {plain(source.results.name)}?**")
        # filled last: what is wrong is known after the fields, and stands above them
        head = st.container()
        mapping = _fields(source, layout, graphs)
    if mapping is None:
        return
    read = preview(mapping, source.results, graphs)
    with head:
        _save(source, mapping, read, graphs)
        for check in checks_of(layout, mapping):
            st.caption(plain(check))
    with shown:
        _first_episode(source, read, graphs)
    rows = lines_of(layout)
    frame = pd.DataFrame(rows, columns=["path", "found", "types", "samples"])
    size = f"{plural(len(rows), 'path')} in {plural(len(layout.files), 'file')}"
    st.markdown(f"**What it holds**: {plain(size)}")
    show_table(frame, "Paths of the file with samples")
    with st.expander("The mapping as TOML"):
        st.code(as_toml(mapping), language="toml")


@st.cache_resource(max_entries=4, show_spinner="Looking through the file …")
def _structure(identity: object, _source: Source) -> Structure:
    del identity
    if _source.results is None:
        raise InputError("names no results", "open a file", file=_source.name)
    return structure(_source.results)


def _fields(source: Source, layout: Structure, graphs: GraphsByName) -> Mapping | None:
    """Draw the fields, as guessed; return the mapping that they make."""
    ways = ways_to_episodes(layout)
    key = f"mapping_{source.name}"
    guessed = _guess(layout, graphs, None)
    begun = (guessed.episodes, tuple(guessed.group_by))
    at = ways.index(begun) if begun in ways else 0
    way = st.selectbox(
        "An episode is",
        range(len(ways)),
        index=at,
        format_func=lambda k: _way_name(ways[k]),
        key=f"{key}_way",
        help="What repeats in the file once for each episode.",
    )
    if ways[way] != begun:
        guessed = _guess(layout, graphs, ways[way])
    options = paths_within(layout, guessed)
    # another way to episodes has other fields, whose boxes begin anew
    key = f"{key}_{way}"
    chosen: dict[str, Any] = {"episode": {}, "walk": {}}
    cells = [*st.columns(2, gap="small"), st.container()]
    for cell, (name, label) in zip(cells, _EPISODE.items(), strict=True):
        value = getattr(guessed.episode, name)
        with cell:
            chosen["episode"][name] = _path_box(label, value, options, f"{key}_{name}")
    walk = guessed.walk
    left, right = st.columns(2, gap="small")
    with left:
        value = walk.nodes or ", ".join(walk.positions)
        path = _path_box("Path", value, options, f"{key}_path")
    _set_path(chosen["walk"], path, layout, guessed)
    with right:
        if "positions" in chosen["walk"]:
            _frame(chosen["walk"], walk, key)
            _polyline(chosen["walk"], layout, guessed, key)
    with st.expander("Along the path"):
        for name, label in _ALONG.items():
            value = getattr(walk, name)
            # a turn of four numbers may stand in four columns
            value = value if isinstance(value, str) else ", ".join(value)
            chosen["walk"][name] = _path_box(label, value, options, f"{key}_{name}")
        chosen["walk"]["headings"] = _listed(chosen["walk"]["headings"])
        if chosen["walk"]["headings"]:
            _headings(chosen["walk"], walk, key)
        if chosen["walk"]["pictures"]:
            _picture_folder(chosen["walk"], walk, key)
        if chosen["walk"]["actions"] and not path and walk.moved_m:
            _actions(chosen["walk"], walk, key)
    with st.expander("Route and figures"):
        for name, label in _PLACES.items():
            value = ", ".join(getattr(guessed.episode, name))
            chosen["episode"][name] = _listed(_path_box(label, value, options, f"{key}_{name}"))
        _figures(chosen, guessed, options, key)
    try:
        return mapping_of(_filled(guessed, chosen), layout.path.name)
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
        return None


def _guess(
    layout: Structure, graphs: GraphsByName, way: tuple[str, tuple[str, ...]] | None
) -> Mapping:
    """Guess once without graphs, to learn the worlds, and again with those that are open."""
    first = guess(layout, (), way)
    worlds: list[str] = []
    if first.episode.world:
        world = first_value(_first_record(layout, first), first.episode.world)
        # Habitat names a scene by its file
        worlds.append(str(world).rsplit("/", maxsplit=1)[-1].removesuffix(".glb"))
    near = graphs.near(worlds)
    return guess(layout, near, way) if near else first


def _first_record(layout: Structure, mapping: Mapping) -> Any:  # noqa: ANN401 - JSON
    return next(iter(first_records(layout, mapping)), None)


def _way_name(way: tuple[str, tuple[str, ...]]) -> str:
    path, group = way
    if group == (BY_FILE,):
        return "all rows of a file"
    if group:
        return f"rows with the same {', '.join(group)}"
    return path or "the whole file"


def _path_box(label: str, value: str, options: Sequence[str], key: str) -> str:
    """Draw the box of one field; empty where it is in no field of the log."""
    offered = list(dict.fromkeys([_NONE, *([value] if value else []), *options]))
    chosen = st.selectbox(
        label,
        offered,
        index=offered.index(value) if value else 0,
        key=key,
        accept_new_options=True,
        help="A path within an episode; type another one. Coordinates apart: x, y, z.",
    )
    return "" if chosen in {None, _NONE} else str(chosen)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _set_path(walk: dict[str, Any], path: str, layout: Structure, mapping: Mapping) -> None:
    """Take a path for nodes where the first episode has ids there, else for positions."""
    if not path:
        return
    record = _first_record(layout, mapping)
    paths = _listed(path)
    try:
        positions = [each for each in raw_positions(record, paths) if each is not None]
        nodes = nodes_at(record, path) if len(paths) == 1 else []
    except ValueError:
        positions, nodes = [], []
    if nodes and not positions:
        walk["nodes"] = path
    else:
        walk["positions"] = paths


def _frame(walk: dict[str, Any], guessed: WalkFields, key: str) -> None:
    walk["frame"] = st.selectbox(
        "Frame of positions",
        FRAMES,
        index=FRAMES.index(guessed.frame),
        format_func=lambda frame: _FRAME_NAMES[frame],
        key=f"{key}_frame",
    )
    if walk["frame"] == "pixels":
        walk["metres_per_pixel"] = st.number_input(
            "Metres per pixel", min_value=0.0001, value=0.05, format="%.4f", key=f"{key}_scale"
        )


def _polyline(walk: dict[str, Any], layout: Structure, guessed: Mapping, key: str) -> None:
    """Ask for the decimals of an encoded polyline, where the path leads to one."""
    texts = [first_value(_first_record(layout, guessed), path) for path in walk["positions"][:1]]
    if any(isinstance(text, str) and kind_of_text(text) == "polyline" for text in texts):
        walk["polyline_digits"] = st.segmented_control(
            "Decimals of the polyline",
            (5, 6),
            default=guessed.walk.polyline_digits,
            required=True,
            key=f"{key}_digits",
            help="Google's and OSRM's have 5, Valhalla's 6. The wrong one lies elsewhere.",
        )


def _headings(walk: dict[str, Any], guessed: WalkFields, key: str) -> None:
    """Ask for the unit of headings, and from where they count."""
    walk["heading_unit"] = st.selectbox(
        "Headings in", _UNITS, index=_UNITS.index(guessed.heading_unit), key=f"{key}_unit"
    )
    if walk["heading_unit"].startswith(("quaternion", "vector")):
        return
    begun = (guessed.heading_direction, guessed.heading_zero_deg)
    ways = list(dict.fromkeys((begun, *COUNTED)))
    walk["heading_direction"], walk["heading_zero_deg"] = st.selectbox(
        "Headings count",
        ways,
        format_func=lambda way: (
            f"from {_QUARTERS.get(way[1], f'{way[1]:g} degrees')},"
            f" {'to the right' if way[0] == 'clockwise' else 'to the left'}"
        ),
        key=f"{key}_counted",
        help="A compass counts from north to the right, mathematics from east to the left.",
    )


def _picture_folder(walk: dict[str, Any], guessed: WalkFields, key: str) -> None:
    walk["picture_folder"] = st.text_input(
        "Folder of the pictures",
        value=guessed.picture_folder,
        key=f"{key}_folder",
        help=(
            "Within the folder of the log; {id} is the episode's. Empty where the log's own names"
            " lead there. Pictures elsewhere are not shown."
        ),
    )


def _actions(walk: dict[str, Any], guessed: WalkFields, key: str) -> None:
    """Ask how far actions lead, where a log has nothing else of the walk."""
    moves_m = {each for each in guessed.moved_m.values() if each}
    turns_deg = {abs(each) for each in guessed.turned_deg.values() if each}
    # actions of several lengths say their own
    if len(moves_m) != 1 or len(turns_deg) != 1:
        return
    left, right = st.columns(2, gap="small")
    begun_m, begun_deg = moves_m.pop(), turns_deg.pop()
    ahead_m = left.number_input(
        "Metres ahead", 0.001, 100.0, begun_m, format="%.3f", key=f"{key}_ahead"
    )
    turn_deg = right.number_input("Degrees a turn", 1.0, 180.0, begun_deg, key=f"{key}_turn")
    if (ahead_m, turn_deg) == (begun_m, begun_deg):
        return
    moved, turned = guessed.moved_m, guessed.turned_deg
    walk["moved_m"] = {name: ahead_m * bool(moved[name]) for name in moved}
    walk["turned_deg"] = {name: math.copysign(turn_deg, turned[name]) for name in turned}
    walk["pose_source"] = (
        f"computed from the actions, with {ahead_m:g} m ahead and {turn_deg:g} degrees a turn"
    )


def _figures(chosen: dict[str, Any], guessed: Mapping, options: Sequence[str], key: str) -> None:
    names = {figure.path: name for name, figure in guessed.figures.items()}
    single = [path for path in options if "[*]" not in path]
    paths = st.multiselect(
        "Figures as recorded",
        list(dict.fromkeys([*names, *single])),
        default=list(names),
        key=f"{key}_figures",
    )
    chosen["figures"] = {}
    for path in paths:
        name = names.get(path, path.rsplit(".", maxsplit=1)[-1])
        chosen["figures"][name] = {"path": path}


def _filled(guessed: Mapping, chosen: dict[str, Any]) -> dict[str, Any]:
    fields = guessed.model_dump(mode="json")
    # what has no box of its own stays as guessed; the walk's places are those of the box
    walk = {**fields["walk"], "nodes": "", "positions": [], **chosen["walk"]}
    episode = {**fields["episode"], **chosen["episode"]}
    return {**fields, **chosen, "walk": walk, "episode": episode}


def _save(source: Source, mapping: Mapping, read: LogPreview, graphs: GraphsByName) -> None:
    """Offer to write the mapping beside the data, and to download it."""
    if read.fault:
        st.error(plain(read.fault), icon=":material/error:")
        st.caption(SMALLEST)
    else:
        st.caption(plain(read.sentence))
    results = source.results
    if results is None:
        return
    text = as_toml(mapping)
    # an upload is the visitor's own; other folders are the operator's
    may_save = is_allowed("paths") or source.origin == "upload"
    with st.container(horizontal=True, gap="small"):
        if may_save and st.button(
            "Save and open",
            type="primary",
            icon=":material/save:",
            key="mapping_save",
            disabled=bool(read.fault),
            help=f"Writes {plain(results.name)}.navviz.toml beside the data, which then opens with"
            " it.",
        ):
            save_mapping(mapping, results)
            audit.note("mapped", source.name)
            # before the page runs again, so that the run opens on its maps
            _with_graphs(source, read, graphs)
            st.rerun()  # the run was opened above, without this mapping
        audit.download(
            "Mapping (TOML)",
            text,
            file_name=f"{results.name}.navviz.toml",
            icon=":material/download:",
            key="mapping_download",
            on_click="ignore",
        )
    if not may_save:
        st.caption("Put the file beside the data; this server writes nothing there.")
    for problem in read.problems.kept[:3]:
        st.caption(plain(problem))


def _with_graphs(source: Source, read: LogPreview, graphs: GraphsByName) -> None:
    """Remember the log with the graphs of its worlds, so that it opens on them."""
    if source.graphs or read.first is None:
        return
    folder = graphs.folder_of(read.first.episode.world)
    if folder is not None:
        kept = visitor.remember(
            [Source(source.name, source.origin, (folder,), source.episodes, source.results)]
        )
        state.select(run=kept[0].name)


def _first_episode(source: Source, read: LogPreview, graphs: GraphsByName) -> None:
    trace = read.first
    if trace is None:
        st.info(
            "Nothing can be drawn yet: choose what an episode is, and which field is its path.",
            icon=":material/info:",
        )
        return
    graph = ground_of(trace, graphs)
    # a log may name any file: only those of its own folder are looked up
    folders = PictureFolders(source.picture_roots, source.picture_roots)
    table = PictureTable(WalkPictures(folders, trace, graph.info.rotations))
    document = replay_document(
        trace,
        graph,
        metrics=score_trace(trace, graph),
        title=f"First episode: {trace.episode.id}",
        running=False,
        pictures=table,
    )
    player(
        document,
        key="mapping_player",
        height=_PLAYER_PX,
        in_address=False,
        shows=source.name,
        pictures=table,
    )
