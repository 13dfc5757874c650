"""One file per foreign format; each reader is asked whether it handles the content.

`open_graph`, `open_worlds`, `open_episodes` and `open_results` choose the reader; `discover` lists
what a folder holds. A format that belongs to no system adds its file and one line below; systems
bring their own (`navviz.systems.base.System`).
"""

from __future__ import annotations

import logging
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from navviz.errors import InputError, Problems
from navviz.formats.base import (
    READER_FIELDS,
    Discovery,
    EpisodeReader,
    EpisodeSet,
    GraphOf,
    GraphReader,
    GuardedReader,
    Kind,
    ResultsReader,
    Run,
    TellsMethods,
    TellsStarts,
)
from navviz.formats.files import peek
from navviz.formats.mapping.reader import has_saved_mapping, mapped_readers
from navviz.formats.passed_over import ENTRIES, add_passed_over, check_exists, looked_into, refusal
from navviz.formats.traces import OwnTraces
from navviz.records import Episode, Trace
from navviz.support.guarded import framed, head_text, is_folder, is_regular, taking_notes
from navviz.support.systems import Reader, offered, working
from navviz.world.geometry import Frame
from navviz.world.graph import Graph
from navviz.world.networkx_graphs import is_networkx

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "Discovery",
    "EpisodeSet",
    "GraphOf",
    "Run",
    "Worlds",
    "discover",
    "format_of",
    "graphs_within",
    "is_results",
    "methods_of",
    "open_episodes",
    "open_graph",
    "open_results",
    "open_worlds",
    "starts_of",
]

_OWN_READERS: Mapping[Kind, tuple[Reader, ...]] = {
    "graph": (
        Reader("navviz.formats.map2seq.splits:Map2SeqGraph", 10),
        Reader("navviz.formats.map2seq.panoramas:PanoGraph", 20),
        Reader("navviz.formats.matterport:MatterportGraphs", 30),
        Reader("navviz.formats.osm.extracts:OsmGraph", 40),
    ),
    "episodes": (
        Reader("navviz.formats.mapping.reader:SavedEpisodes", 5),
        Reader("navviz.formats.map2seq.splits:Map2SeqSplit", 10),
        Reader("navviz.formats.map2seq.panoramas:PanoEpisodes", 20),
        Reader("navviz.formats.traces:OwnEpisodes", 40),
        Reader("navviz.formats.vlnce:VlnceEpisodes", 50),
        Reader("navviz.formats.r2r:R2REpisodes", 70),
        Reader("navviz.formats.ndh:NdhEpisodes", 75),
        Reader("navviz.formats.traces:EpisodeLines", 80),
    ),
    "results": (
        Reader("navviz.formats.mapping.reader:SavedMapping", 5),
        Reader("navviz.formats.traces:OwnTraces", 30),
        Reader("navviz.formats.trajectories:Trajectories", 80),
        Reader("navviz.formats.ndh:NdhPeople", 85),
    ),
}
"""Formats that belong to no system; `Reader.order` sorts them and those of the systems."""


@cache
def _ranked_readers(kind: Kind, _path: tuple[str, ...]) -> tuple[Any, ...]:
    """Readers as `readers` lists them, imported once for each ``sys.path``."""
    field_name, protocol = READER_FIELDS[kind]
    own = {reader.target: reader for reader in _OWN_READERS[kind]}
    ranked = []
    for part, reader in working(offered(field_name, protocol, own).values()):
        entry: Reader = part.entry
        guarded = reader if part.is_own else GuardedReader(part, reader)
        ranked.append(((not part.is_own, entry.order), guarded))
    ranked += [((False, order), reader) for order, reader in mapped_readers(kind)]
    ranked.sort(key=itemgetter(0))
    return tuple(reader for _, reader in ranked)


_LOG = logging.getLogger(__name__)
_MAP_FILES = (".osm", ".osm.pbf", ".osm.bz2", ".osm.gz", ".graphml", ".graphml.gz")
"""Graphs that are one file by their names; those of the other formats are folders."""
_MAYBE_MAPS = (".xml", ".xml.gz", ".xml.bz2", ".pbf")
"""Names of files that are a map if they begin like one; so may be files without an ending."""
_JSON = (".json", ".json.gz")
_MAP_SIGNS = ("<osm", "<graphml", "OSMHeader", '"elements"')
_HEAD_BYTES = 2048


def readers(kind: Kind) -> tuple[Any, ...]:
    """Readers of one kind in the order in which they are tried: NavViz's own, then others'."""
    return _ranked_readers(kind, tuple(sys.path))


_RECOGNISED: dict[tuple[object, ...], Any] = {}
"""Which reader handles a path, by path, version and readers, so that it is looked at only once."""
_UNASKED = object()
"""Stands for a path that no reader was asked about; ``None`` is one that no reader handles."""
_ROOM = 4096
"""Paths remembered; a full cache is emptied, since one look at a path fills it again."""


def _reader(kind: Kind, path: Path) -> Any | None:  # noqa: ANN401 - one of the three protocols of `base`
    """Return the first reader of a kind that handles a path, once for each version of it."""
    return _first(kind, path, readers(kind))


def _first(kind: Kind, path: Path, readers: Sequence[Any]) -> Any | None:  # noqa: ANN401
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    if not (stat.S_ISREG(state.st_mode) or stat.S_ISDIR(state.st_mode)):
        return None  # to open a pipe is to wait for its other end
    names = tuple(reader.name for reader in readers)
    key = (kind, path, state.st_mtime_ns, state.st_size, names, has_saved_mapping(path))
    # looked up once: another thread may empty the cache at any time
    recognised = _RECOGNISED.get(key, _UNASKED)
    if recognised is not _UNASKED:
        return recognised
    reader = next((reader for reader in readers if _handles(reader, path)), None)
    if reader is None and stat.S_ISDIR(state.st_mode):
        # a folder deeper inside may get what is missing, which this folder's time does not tell
        return None
    if len(_RECOGNISED) >= _ROOM:
        _RECOGNISED.clear()
    _RECOGNISED[key] = reader
    return reader


def _handles(reader: Any, path: Path) -> bool:  # noqa: ANN401
    """Ask a reader; one that breaks, as at a folder that is locked, does not handle the path."""
    try:
        with taking_notes():  # its notes come again where it is read
            return bool(reader.handles(path))
    except OSError as error:
        _LOG.warning("%s: not looked into (%s)", path, error)
    except Exception:  # noqa: BLE001 - whatever broke, this reader does not handle it
        _LOG.exception("%s: %s broke", path, reader.name)
    return False


def _known_reader(kind: Kind, path: Path) -> Any:  # noqa: ANN401 - one of the three protocols of `base`
    reader = _reader(kind, path)
    if reader is None:
        raise refusal(path, kind)
    return reader


def _graph_reader(path: Path) -> type[GraphReader]:
    check_exists(path, "graph folder")
    reader: type[GraphReader] = _known_reader("graph", path)
    return reader


def open_graph(
    source: str | Path | nx.Graph | Graph, world: str = "", frame: Frame | None = None
) -> Graph:
    """Open the graph that agents walk.

    Parameters
    ----------
    source
        A folder or file of any format that NavViz reads, or a graph of networkx or osmnx.
    world
        Which one, where the source keeps several (scans); the world's name, for a graph of
        networkx.
    frame
        ``geo`` or ``metric``, for a graph of networkx that does not say so itself.

    Raises
    ------
    InputError
        Where files are missing or unusable, and for what is neither a path nor a graph;
        `UnknownFormatError` where no reader handles the path.

    Examples
    --------
    >>> import navviz
    >>> navviz.open_graph(navviz.samples_dir() / "harbour" / "osm" / "graph")
    Graph('harbour', 538 nodes, 1,108 links, 101 POIs)
    """
    if isinstance(source, Graph):
        return source
    if isinstance(source, str | Path):
        reader = _graph_reader(Path(source))
        with framed(Path(source), reader.name):
            return _read_graph(reader, Path(source), world)
    if not is_networkx(source):
        raise InputError(
            f"open_graph takes a path or a graph of networkx, not {type(source).__name__}"
        )
    return Graph.from_networkx(source, world or None, frame)


def _read_graph(reader: type[GraphReader], path: Path, world: str) -> Graph:
    with taking_notes() as notes:
        graph = reader.read(path, world)
    graph.info.problems.extend(notes.problems)
    # a map that is one file may be read by a library that takes no notes
    files = tuple(notes.files) or ((path,) if is_regular(path) else ())
    return replace(graph, info=replace(graph.info, files=files))


class Worlds:
    """The graphs of one source, each read when first asked for: call it with a world's name.

    A source with one graph gives it for every name, as most data sets do not name it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader = _graph_reader(path)
        with framed(path, self._reader.name):
            self.names: tuple[str, ...] = self._reader.worlds(path)
        self._graphs: dict[str, Graph] = {}

    def __call__(self, world: str = "") -> Graph:
        """Return the graph of a world; raises `InputError` for an unknown one."""
        key = self.names[0] if len(self.names) == 1 else world
        if key not in self._graphs:
            with framed(self.path, self._reader.name):
                self._graphs[key] = _read_graph(self._reader, self.path, key)
        return self._graphs[key]


def open_worlds(path: Path) -> Worlds:
    """Open a source of graphs without reading one yet; see `open_graph` for the errors."""
    return Worlds(Path(path))


def open_episodes(path: str | Path) -> EpisodeSet:
    """Read the episodes of a file; runs that hold their episodes are accepted, too.

    Raises `UnknownFormatError` where no reader handles the path, `InputError` where nothing in it
    is usable.
    """
    path = Path(path)
    check_exists(path, "episodes file")
    reader: type[EpisodeReader] = _known_reader("episodes", path)
    with framed(path, reader.name), taking_notes() as notes:
        read = reader.read(path)
    read.problems.extend(notes.problems)
    return read


def open_results(
    path: Path, graph_of: GraphOf | Graph, episodes: Mapping[str, Episode] | None = None
) -> list[Run]:
    """Read the runs of a file or folder, one `Run` for each method.

    `path`: GROKE's state file, a folder of its step logs, our ``*.trace.jsonl`` or a folder of
    them. `graph_of`: the graph, or a function from a world's name to it (`open_worlds`).
    `episodes`: by id. Where given, results of other ids are kept and reported. Raises `InputError`
    where `UnknownFormatError` where no reader handles the path.
    """
    path = Path(path)
    check_exists(path, "results file")
    reader: type[ResultsReader] = _known_reader("results", path)
    with framed(path, reader.name), taking_notes() as notes:
        runs = reader.read(path, _as_function(graph_of), episodes)
        # our own traces have no source by definition
        if reader.name != OwnTraces.name:
            runs = [_with_sources(run, path.name) for run in runs]
    # the runs of a file may share their problems
    for problems in {id(run.problems): run.problems for run in runs}.values():
        problems.extend(notes.problems)
    return runs


def _with_sources(run: Run, file: str) -> Run:
    """Return a run whose traces say that another project logged them."""
    # a trace without a source counts as ours, which ends in an end event; logs may have none
    # those that are read on demand come from our own reader of tables, which names the source
    if not isinstance(run.traces, dict):
        return run
    traces = dict[str, Trace]()
    for key, trace in run.traces.items():
        if trace.header.source is not None:
            traces[key] = trace
            continue
        header = trace.header.model_copy(update={"source": file})
        traces[key] = trace.model_copy(update={"header": header})
    return replace(run, traces=traces)


def _as_function(graph_of: GraphOf | Graph) -> GraphOf:
    if not isinstance(graph_of, Graph):
        return graph_of
    graph = graph_of
    return lambda _world: graph


def starts_of(path: Path) -> dict[str, str]:
    """Return a start node of each world that results walk in; empty where they hold none.

    Read from the head of the file where its reader can, else from the episodes that the results
    hold.
    """
    reader = _reader("results", path)
    try:
        if isinstance(reader, TellsStarts):
            with framed(path):
                return reader.starts(path)
        return {episode.world: episode.start for episode in open_episodes(path).episodes.values()}
    except InputError:
        return {}


def methods_of(path: Path) -> list[str]:
    """Return the names of the methods that results hold, if their reader tells by the head."""
    reader = _reader("results", path)
    return reader.methods(path) if isinstance(reader, TellsMethods) else []


def kind_of(path: Path) -> Literal["graph", "episodes", "results"]:
    """Return what a path is, by its first bytes; a file of no known format counts as results.

    Raises `InputError` where it is missing or empty.
    """
    path = Path(path)
    check_exists(path, "file")
    if path.name.endswith(_MAP_FILES) or (is_regular(path) and _may_be_map(path)):
        return "graph"
    if _reader("results", path) is not None:
        return "results"
    return "results" if _reader("episodes", path) is None else "episodes"


def format_of(kind: Kind, path: Path) -> str:
    """Return the name of the reader that handles a path as one kind; empty where none does."""
    reader = _reader(kind, Path(path))
    return "" if reader is None else str(reader.name)


def is_results(path: Path) -> bool:
    """Whether a path holds results that a reader knows; folders below a folder do not count."""
    return _reader("results", Path(path)) is not None


def discover(folder: Path, *, tell_others: bool = False) -> Discovery:
    """List the graphs, episodes and results in a folder, three levels deep, by first bytes.

    With `tell_others`, files that look like data and that no reader takes stand in its problems;
    this reads them.
    """
    folder = Path(folder)
    check_exists(folder, "folder")
    paths = looked_into(folder)
    graphs = _innermost_graphs(paths)
    inside = set(graphs)
    for path in paths:  # a folder stands before what it holds
        if path.parent in inside:
            inside.add(path)
    files = [path for path in paths if path not in inside]
    episodes = _outermost("episodes", files)
    results = _outermost("results", files)
    discovery = Discovery(folder, graphs, episodes, results, Problems(limit=ENTRIES))
    if tell_others:
        add_passed_over(
            paths, {*graphs, *discovery.results}, discovery.episodes, discovery.problems
        )
    return discovery


def graphs_within(folder: Path) -> tuple[Path, ...]:
    """List the graphs in a folder as `discover` does, and look into nothing else.

    What else lies there may be a whole disk of data: among 2,000 folders of a few files each, to
    tell what these are takes six times as long as to tell that none is a map.
    """
    check_exists(folder, "folder")
    return _innermost_graphs(looked_into(folder), json=False)


def _innermost_graphs(paths: Sequence[Path], *, json: bool = True) -> tuple[Path, ...]:
    places = [path for path in paths if is_folder(path) or _may_be_map(path, json=json)]
    candidates = readers("graph")
    graphs = tuple(path for path in places if _first("graph", path, candidates) is not None)
    above: set[Path] = set()
    for graph in graphs:
        above.update(graph.parents)
    return tuple(path for path in graphs if path not in above)


def _may_be_map(path: Path, *, json: bool = True) -> bool:
    """Tell whether a file of a folder may be a map, by its name and a short look."""
    # where nothing else is looked into, `json` is passed over: a folder may hold thousands
    if path.name.endswith(_MAP_FILES):
        return True
    if path.name.endswith(_JSON):
        # the look that all readers share
        head = peek(path).text if json else ""
    elif path.suffix and not path.name.endswith(_MAYBE_MAPS):
        return False
    else:
        head = head_text(path, _HEAD_BYTES)
    return any(sign in head for sign in _MAP_SIGNS) and format_of("graph", path) != ""


def _outermost(kind: Kind, paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the paths of a kind that lie in no other of them; folders stand before their files."""
    # paths within such a folder are passed over: a folder of 50,000 traces is one run, and each
    # look costs a millisecond
    candidates, outermost, inside = readers(kind), list[Path](), set[Path]()
    for path in paths:
        if path.parent in inside:
            inside.add(path)
        elif _first(kind, path, candidates) is not None:
            outermost.append(path)
            inside.add(path)
    return tuple(outermost)
