"""Read a log by its `Mapping`: entries in, episodes and traces out; what is left out is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as Pairs
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf
from navviz.formats.mapping import values
from navviz.formats.mapping.documents import documents, grouped
from navviz.formats.mapping.model import EpisodeFields, Mapping
from navviz.formats.mapping.paths import entries, first_value, parse_path
from navviz.formats.mapping.walks import as_trace
from navviz.records import EndEvent, EndStatus, Episode, Trace, TraceHeader
from navviz.records.base import Position
from navviz.records.episode import START_POSE
from navviz.support.guarded import Json, count_entries, is_folder
from navviz.world.graph import Graph

MOST_EPISODES = 200_000


@dataclass(frozen=True, slots=True)
class MappedEntry:
    """One entry of a log that may be an episode."""

    file: Path
    key: str
    """Its key or index among the others."""
    value: Json


@dataclass(slots=True)
class OpenGraphs:
    """The graphs that are open, each asked for once; ``None`` for a world without one."""

    graph_of: GraphOf | None
    _graphs: dict[str, Graph | None] = field(default_factory=dict)

    def __call__(self, world: str) -> Graph | None:
        """Return the graph of a world."""
        if self.graph_of is None:
            return None
        if world not in self._graphs:
            try:
                self._graphs[world] = self.graph_of(world)
            except InputError:
                self._graphs[world] = None
        return self._graphs[world]


def read_log(
    mapping: Mapping,
    path: Path,
    graph_of: GraphOf | None,
    known: Pairs[str, Episode] | None,
    problems: Problems,
) -> dict[str, Trace]:
    """Read a file or folder by its mapping; the traces by the ids of their episodes.

    Parameters
    ----------
    graph_of
        Gives the graph of a world, to check the nodes of a walk; positions need none.
    known
        Episodes of a file that is open besides, by id.

    Raises
    ------
    InputError
        Where not one episode can be read.
    """
    worlds = OpenGraphs(graph_of)
    joined = _joined(mapping, path, worlds, problems)
    known = {**joined, **(known or {})}
    repeated = 0
    by_episode: dict[tuple[str, str], Trace] = {}
    for entry in entries_of(mapping, path, problems):
        trace = _trace(mapping, entry, path, known, worlds, problems)
        if trace is None:
            continue
        key = trace.episode.world, trace.episode.id
        repeated += key in by_episode
        if key not in by_episode or mapping.duplicates == "last":
            by_episode[key] = trace
    if repeated:
        what = f"{repeated} entries repeat an episode"
        do = f"the {mapping.duplicates} of each counts"
        problems.skip(Problem(what, do, path.name, field=mapping.episode.id))
    if not by_episode:
        what = f"holds no episode by the mapping {mapping.name}{problems.because}"
        do = f"correct the mapping: navviz data map {path.name}"
        raise InputError(what, do, file=path.name)
    return _by_id(by_episode)


def _by_id(by_episode: Pairs[tuple[str, str], Trace]) -> dict[str, Trace]:
    """Return traces by id; where two worlds give one id, the world stands before it."""
    counts = Counter(name for _, name in by_episode)
    traces: dict[str, Trace] = {}
    for (world, name), trace in by_episode.items():
        if counts[name] > 1:
            episode = trace.episode.model_copy(update={"id": f"{world}-{name}"})
            header = trace.header.model_copy(update={"episode": episode})
            trace = trace.model_copy(update={"header": header})  # noqa: PLW2901 - the renamed one
        traces[trace.episode.id] = trace
    return traces


def entries_of(mapping: Mapping, path: Path, problems: Problems) -> Iterator[MappedEntry]:
    """Yield the entries that a mapping calls episodes; lines of means are reported."""
    way = parse_path(mapping.episodes)
    count = 0
    for file, document in documents(path, mapping.files, mapping.format, problems):
        if mapping.group_by:
            rows = [row for _, row in entries(document, way)] if way else document
            listed = grouped(rows, mapping.group_by, file.name, problems)
            listed_entries = list(entries(listed, parse_path("[*]")))
        else:
            is_rows = mapping.format != "json" and not way
            listed_entries = list(entries(document, parse_path("[*]") if is_rows else way))
        if not is_folder(path) and mapping.format == "json":
            count_entries(file, len(listed_entries))
        for key, value in listed_entries:
            count += 1
            if count > MOST_EPISODES:
                what = f"holds more than {MOST_EPISODES:,} entries"
                problems.skip(Problem(what, "the first ones are shown", path.name))
                return
            lacking = [each for each in mapping.skip_without if not values.exists(value, each)]
            if lacking:
                what, do = "is no episode", "it is left out, as lines of means are"
                problems.skip(Problem(what, do, f"{file.name}, entry {key}", field=lacking[0]))
                continue
            yield MappedEntry(file, key, value)


def _taken(entry: MappedEntry, path: str) -> Json:
    """Return a single value of an entry; its key and its file's name have names of their own."""
    if path == "{key}":
        return entry.key
    if path == "{file}":
        return entry.file.name.split(".")[0]
    return first_value(entry.value, path) if path else None


def _name(value: Json) -> str:
    """Return an id as text; empty where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value).strip()


def _world_name(value: Json) -> str:
    """Name the world: the stem of a scene's file, ``mp3d/SCAN/SCAN.glb``."""
    last = _name(value).replace("\\", "/").rsplit("/", 1)[-1]
    for ending in (".glb", ".ply", ".basis"):
        last = last.removesuffix(ending)
    return last


def _joined(
    mapping: Mapping, path: Path, worlds: OpenGraphs, problems: Problems
) -> dict[str, Episode]:
    """Return the episodes of the second file, by id; it lies in the folder of the first."""
    join = mapping.join
    if join is None:
        return {}
    folder = path if is_folder(path) else path.parent
    episodes: dict[str, Episode] = {}
    second = mapping.model_copy(update={"episode": join.episode})
    for file, document in documents(folder, join.files, join.format, problems):
        if file == path:
            continue
        for key, value in entries(document, parse_path(join.episodes)):
            entry = MappedEntry(file, key, value)
            name = _name(_taken(entry, join.episode.id))
            if name:
                episodes.setdefault(name, _episode(second, entry, name, None, worlds))
    if not episodes:
        what = f"the file to join, {join.files}, is not beside it or holds no episode"
        problems.add(Problem(what, "put it into the same folder", path.name))
    return episodes


def _trace(
    mapping: Mapping,
    entry: MappedEntry,
    path: Path,
    known: Pairs[str, Episode],
    worlds: OpenGraphs,
    problems: Problems,
) -> Trace | None:
    where = f"{entry.file.name}, entry {entry.key}" if entry.key else entry.file.name
    fields = mapping.episode
    name = _name(_taken(entry, fields.id)) if fields.id else entry.key or entry.file.stem
    if not name:
        problems.skip(Problem("has no id", "it is left out", where, field=fields.id))
        return None
    episode = _episode(mapping, entry, name, known.get(name), worlds)
    figures = {}
    for label, figure in mapping.figures.items():
        if values.exists(entry.value, figure.path):
            figures[label] = values.figure(first_value(entry.value, figure.path), figure.unit)
    run = path.name.split(".")[0]
    graph = worlds(episode.world)
    walked = as_trace(mapping.walk, entry.value, episode, graph, problems, entry.file.name, run)
    if isinstance(walked, Trace):
        end = walked.end or EndEvent(status=EndStatus.UNKNOWN)
        header = walked.header.model_copy(update={"source": str(path)})
        ended = end.model_copy(update={"figures": figures})
        return walked.model_copy(update={"header": header, "end": ended})
    if walked == "faulty" or (not figures and mapping.has_results):
        return None
    header = TraceHeader(run=run, episode=episode, navigator=run, source=str(path))
    if not mapping.has_results:
        return Trace(header=header)
    return Trace(header=header, end=EndEvent(status=EndStatus.UNKNOWN, figures=figures))


def _episode(
    mapping: Mapping, entry: MappedEntry, name: str, known: Episode | None, worlds: OpenGraphs
) -> Episode:
    fields = mapping.episode
    if known is not None:
        return known
    world = _world_name(_taken(entry, fields.world))
    graph = worlds(world)
    origin = _origin(mapping, fields, entry.value, graph)
    start = _place(mapping, entry.value, fields.start, origin)
    reference = _places(mapping, entry.value, fields.reference, origin)
    goal = _place(mapping, entry.value, fields.goal, origin)
    if goal is None and reference:
        goal = reference[-1]
    if start is None and reference:
        start = reference[0]
    return Episode.model_validate(
        {
            "id": name,
            "dataset": mapping.dataset or mapping.name,
            "instruction": values.text_of(_taken(entry, fields.instruction)) or "",
            "world": world,
            "start": START_POSE if start is None else start,
            "goal": goal,
            "reference_path": reference,
            "success_radius_m": mapping.success_radius_m,
        }
    )


def _origin(
    mapping: Mapping, fields: EpisodeFields, value: Json, graph: Graph | None
) -> list[float] | None:
    """Return where metres are counted from; ``None`` for frames in metres, or on a street map."""
    if mapping.walk.frame != "latlon" or (graph is not None and graph.frame == "geo"):
        return None
    return values.raw_place(value, fields.start) or next(
        (each for each in values.raw_positions(value, mapping.walk.positions or ("",)) if each),
        [0.0, 0.0],
    )


def _place(
    mapping: Mapping, value: Json, paths: tuple[str, ...], origin: list[float] | None
) -> Position | str | None:
    """Return a node or a position of the episode; ``None`` where there is none."""
    if not paths:
        return None
    raw = values.raw_place(value, paths)
    if raw is not None and len(raw) > 1:
        return values.placed(raw, mapping.walk, origin)
    nodes = values.node_ids(first_value(value, paths[0]))
    return nodes[0] if nodes and not mapping.walk.positions else None


def _places(
    mapping: Mapping, value: Json, paths: tuple[str, ...], origin: list[float] | None
) -> tuple[Position | str, ...]:
    """Return the points of a reference path; empty where any is none."""
    if not paths:
        return ()
    raw = values.raw_positions(value, paths)
    if raw and all(each is not None for each in raw):
        points = [values.placed(each, mapping.walk, origin) for each in raw if each is not None]
        known = tuple(point for point in points if point is not None)
        return known if len(known) == len(points) else ()
    return () if mapping.walk.positions else tuple(values.nodes_at(value, paths[0]))
