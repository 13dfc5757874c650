"""Read a log by its `Mapping`: entries in, episodes and traces out; what is left out is named."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Pairs
from dataclasses import dataclass, field, replace
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf
from navviz.formats.mapping import values
from navviz.formats.mapping.entries import MappedEntry, name_of, read_entries, world_name
from navviz.formats.mapping.model import (
    EpisodeFields,
    Mapping,
    entries,
    first_value,
    misfits,
    parse_path,
    series,
)
from navviz.formats.mapping.parts import check_means, run_name
from navviz.formats.mapping.structure import documents
from navviz.formats.mapping.units import in_its_units, say_doubts
from navviz.formats.mapping.walks import MappedWalk, as_trace
from navviz.formats.texts import as_number
from navviz.formats.vlnce import episodes_near, with_instruction_ids
from navviz.records import EndEvent, EndStatus, Episode, Trace, TraceHeader
from navviz.records.base import Position, plural
from navviz.records.episode import OFF_MAP, START_POSE
from navviz.records.lazy_traces import LazyTraces
from navviz.support.guarded import Json, is_folder
from navviz.world.graph import Graph

WHOLE_ROWS = 100_000
"""Tables of fewer rows are traces in memory."""
_ROW_BYTES = 1_000
"""Of a row, as `LazyTraces` counts bytes of a file: as records they take twice as much."""


class TableTraces(LazyTraces):
    """Traces of a table, made on demand. `heads`: each trace without its steps."""

    def __init__(
        self,
        heads: Pairs[str, Trace],
        steps: Pairs[str, int],
        read: Callable[[str], Trace],
    ) -> None:
        sizes = {key: _ROW_BYTES * (count + 1) for key, count in steps.items()}
        super().__init__(None, sizes, read, heads=heads)
        self.walked = sum(count > 0 for count in steps.values())


def walked_of(traces: Pairs[str, Trace]) -> int:
    """Return how many of the traces hold a walk."""
    if isinstance(traces, TableTraces):
        return traces.walked
    return sum(bool(trace.steps) for trace in traces.values())


@dataclass(slots=True)
class OpenGraphs:
    """The graphs that are open, each asked for once; ``None`` for a world without one."""

    graph_of: GraphOf | None
    far: dict[str, int] = field(default_factory=dict)
    """How many walks are nowhere near a street map, by its name."""
    _graphs: dict[str, Graph | None] = field(default_factory=dict)

    def __call__(self, world: str) -> Graph | None:
        """Return the graph of a world."""
        if self.graph_of is None or world == OFF_MAP:
            return None
        if world not in self._graphs:
            try:
                self._graphs[world] = self.graph_of(world)
            except InputError:
                self._graphs[world] = None
        return self._graphs[world]


def episodes_by_id(
    mapping: Mapping,
    path: Path,
    ids: set[str],
    opened: Pairs[str, Episode] | None,
    worlds: OpenGraphs,
    problems: Problems,
) -> dict[str, Episode]:
    """Return the episodes that entries may name: of the joined file, then those that are open.

    Where none are open and the mapping wants them, the file near the log that has most of its ids
    gives them. Raises `InputError` where the mapping requires them and there are none.
    """
    # what the user opened counts more than what lies in the folder
    episodes = {**_joined(mapping, path, worlds, problems), **(opened or {})}
    if not mapping.find_episodes:
        return episodes
    episodes = with_instruction_ids(episodes) or episodes_near(path, ids, problems)
    if not episodes and mapping.find_episodes == "required":
        raise InputError(
            f"looks like {mapping.name}, which name their episodes only by id",
            "open their episode file with it (such as val_seen.json.gz), or put it beside",
            file=path.name,
        )
    return episodes


def _joined(
    mapping: Mapping, path: Path, worlds: OpenGraphs, problems: Problems
) -> dict[str, Episode]:
    """Return the episodes of the second file, by id; it lies in the folder of the first."""
    join = mapping.join
    if join is None:
        return {}
    folder = path if is_folder(path) else path.parent
    episodes: dict[str, Episode] = {}
    # frame and data set are those of the log: one simulator wrote both files
    second = mapping.model_copy(update={"episode": join.episode})
    for file, document in documents(folder, join.files, join.format, problems):
        if file == path:
            continue
        for key, value in entries(document, parse_path(join.episodes)):
            entry = MappedEntry(file, key, value)
            name = name_of(entry.taken(join.episode.id))
            if name:
                episodes.setdefault(name, own_episode(second, entry, name, worlds, problems))
    if not episodes:
        what = f"the file to join, {join.files}, is not beside it or holds no episode"
        problems.add(Problem(what, "put it into the same folder", path.name))
    return episodes


def known_episode(
    mapping: Mapping, entry: MappedEntry, name: str, episodes: Pairs[str, Episode]
) -> Episode | None:
    """Return the episode of an id; ``None`` where none is, or where it is of another world.

    Data sets give the same ids, so that an episode of another house is another episode.
    """
    episode = episodes.get(name)
    world = world_name(entry.taken(mapping.episode.world))
    if episode is not None and world and episode.world and episode.world != world:
        return None
    return episode


def own_episode(
    mapping: Mapping, entry: MappedEntry, name: str, worlds: OpenGraphs, problems: Problems
) -> Episode:
    """Make an episode of the entry's own fields; places that are none are named."""
    fields = mapping.episode
    world = world_name(entry.taken(fields.world))
    graph = worlds(world)
    if graph is not None and _is_elsewhere(mapping, fields, entry.value, graph):
        worlds.far[graph.name] = worlds.far.get(graph.name, 0) + 1
        world, graph = OFF_MAP, None
    origin = _origin(mapping, fields, entry.value, graph)
    start = _place(mapping, entry.value, fields.start, origin)
    reference = _places(mapping, entry.value, fields.reference, origin)
    goal = _place(mapping, entry.value, fields.goal, origin)
    # a log may name a route and no goal, or only the goal
    read = {"start": start, "reference": reference, "goal": goal}
    for role, place in read.items():
        path = next(iter(getattr(fields, role)), "")
        if path and not place and first_value(entry.value, path):
            what, do = "holds no place", "it is left out; mend it or get the file again"
            problems.add(Problem(what, do, entry.file.name, name, path))
    if goal is None and reference:
        goal = reference[-1]
    if start is None and reference:
        start = reference[0]
    heading = entry.taken(fields.start_heading)
    return Episode.model_validate(
        {
            "id": name,
            "dataset": mapping.dataset or mapping.name,
            "instruction": _instruction(entry, fields.instruction),
            "world": world,
            "start": START_POSE if start is None else start,
            "start_heading_deg": values.heading_deg(heading, mapping.walk),
            "goal": goal,
            "reference_path": reference,
            "success_radius_m": mapping.success_radius_m,
        }
    )


def _instruction(entry: MappedEntry, path: str) -> str:
    if "[*]" in path:
        return values.instruction_at(entry.value, path) or ""
    return values.text_of(entry.taken(path)) or ""


_NEAR_M = 2_000.0
"""From a street map's nearest place: walks may begin in a park or on a car park beside it."""


def _is_elsewhere(mapping: Mapping, fields: EpisodeFields, value: Json, graph: Graph) -> bool:
    """Tell whether a walk in degrees begins far from every place of a street map."""
    # any town is a map in degrees, so that a walk of another town would be drawn beside it
    if not mapping.in_degrees or graph.frame != "geo" or not mapping.walk.positions:
        return False
    first = _first_raw(mapping, fields, value)
    position = values.placed(first, mapping.walk, None) if first is not None else None
    return position is not None and graph.nearest(position[:2])[1] > _NEAR_M


def _first_raw(mapping: Mapping, fields: EpisodeFields, value: Json) -> list[float] | None:
    walk = mapping.walk
    walked = values.raw_positions(value, walk.positions or ("",), walk.polyline_digits)
    return values.raw_place(value, fields.start) or next((each for each in walked if each), None)


def say_far_walks(worlds: OpenGraphs, file: str, problems: Problems) -> None:
    """Report the walks that are nowhere near the map that is open."""
    for name, count in worlds.far.items():
        walks = f"{plural(count, 'walk')} {'begins' if count == 1 else 'begin'}"
        what = f"{walks} more than {_NEAR_M / 1000:.0f} km from every place of the map {name}"
        do = "shown without a map; open the file with the map of its town"
        problems.add(Problem(what, do, file))


def _origin(
    mapping: Mapping, fields: EpisodeFields, value: Json, graph: Graph | None
) -> list[float] | None:
    """Return where metres are counted from; ``None`` for frames in metres, or on a street map."""
    # metres from a start are exact enough for a walk; a street map keeps degrees
    if not mapping.in_degrees or (graph is not None and graph.frame == "geo"):
        return None
    return _first_raw(mapping, fields, value) or [0.0, 0.0]


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
    # a mapping that names a frame has positions, of the walk or of its ends
    has_positions = mapping.walk.positions or "frame" in mapping.walk.model_fields_set
    return nodes[0] if nodes and not has_positions else None


def _places(
    mapping: Mapping, value: Json, paths: tuple[str, ...], origin: list[float] | None
) -> tuple[Position | str, ...]:
    """Return the points of a reference path; empty where any is none."""
    if not paths:
        return ()
    raw = values.raw_positions(value, paths, mapping.walk.polyline_digits)
    if raw and all(each is not None for each in raw):
        points = [values.placed(each, mapping.walk, origin) for each in raw if each is not None]
        placed = tuple(point for point in points if point is not None)
        return placed if len(placed) == len(points) else ()
    return () if mapping.walk.positions else tuple(values.nodes_at(value, paths[0]))


_NO_FIGURE = frozenset({"", "nan", "none", "null", "na", "n/a", "-", "inf", "-inf"})
"""Words by which writers of tables say that a figure is missing."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A log that is being read."""

    mapping: Mapping
    path: Path
    run: str
    episodes: Pairs[str, Episode]
    worlds: OpenGraphs
    problems: Problems


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of an entry."""

    trace: Trace
    """Whole, or of a large table with its first step alone."""
    steps: int
    entry: MappedEntry
    name: str
    """The entry's own id."""


def read_log(
    mapping: Mapping,
    path: Path,
    graph_of: GraphOf | None,
    other_episodes: Pairs[str, Episode] | None,
    problems: Problems,
) -> Pairs[str, Trace]:
    """Read a file or folder by its mapping; the traces by the ids of their episodes.

    `graph_of`: gives the graph of a world, to check the nodes of a walk; positions need none.
    `other_episodes`: episodes of a file that is open besides, by id. The traces of a large
    table are made of its rows on demand (`TableTraces`). Raises `InputError` where not one episode
    can be read.
    """
    return _read_some(mapping, path, graph_of, other_episodes, problems, None)[0]


def read_first(
    mapping: Mapping, path: Path, graph_of: GraphOf, problems: Problems, most: int
) -> tuple[Pairs[str, Trace], bool]:
    """Read the first entries of a log, as `read_log` does; tell whether there are more."""
    return _read_some(mapping, path, graph_of, None, problems, most)


def _read_some(
    mapping: Mapping,
    path: Path,
    graph_of: GraphOf | None,
    other_episodes: Pairs[str, Episode] | None,
    problems: Problems,
    most: int | None,
) -> tuple[Pairs[str, Trace], bool]:
    # positions in metres need no map: asking for one would choose it before all worlds are known
    asks_graphs = bool(mapping.walk.nodes) or mapping.in_degrees
    worlds = OpenGraphs(graph_of if asks_graphs else None)
    read = read_entries(mapping, path, problems, most)
    mapping = in_its_units(mapping, read.episodes, path.name, problems)
    named = [(entry, _id_of(mapping, entry, problems)) for entry in read.episodes]
    ids = {name for _, name in named if name}
    episodes = episodes_by_id(mapping, path, ids, other_episodes, worlds, problems)
    log = _Log(mapping, path, run_name(path, mapping.parts), episodes, worlds, problems)
    rows = sum(entry.size for entry in read.episodes)
    is_large = rows > WHOLE_ROWS
    traces = _traces(log, [(entry, name) for entry, name in named if name], is_large=is_large)
    if not traces:
        raise _refusal(mapping, path, problems)
    counts = Counter(name for _, name in traces)
    by_id: dict[str, _Read] = {}
    for (world, name), each in traces.items():
        trace = each.trace
        if counts[name] > 1:
            episode = trace.episode.model_copy(update={"id": f"{world}-{name}"})
            header = trace.header.model_copy(update={"episode": episode})
            trace = trace.model_copy(update={"header": header})
        by_id[trace.episode.id] = replace(each, trace=trace)
    heads = {key: each.trace for key, each in by_id.items()}
    say_far_walks(worlds, path.name, problems)
    say_doubts(mapping, heads.values(), path.name, problems)
    check_means(mapping, path, [entry.value for entry in read.means], heads, problems)
    return (_on_demand(log, by_id) if is_large else heads), read.is_cut


def _on_demand(log: _Log, by_id: Pairs[str, _Read]) -> TableTraces:
    """Return traces of a large table, which are made of its rows each time they are wanted."""
    heads = {key: each.trace for key, each in by_id.items()}
    # what was wrong is reported already
    quiet = replace(log, problems=Problems())

    def read(key: str) -> Trace:
        each = by_id[key]
        trace = _trace(quiet, each.entry, each.name)
        if trace is None:  # it was read before, and its rows are still in memory
            raise InputError("cannot be read again", "open it again", file=log.path.name)
        return trace.model_copy(update={"header": each.trace.header})

    return TableTraces(heads, {key: each.steps for key, each in by_id.items()}, read)


def _id_of(mapping: Mapping, entry: MappedEntry, problems: Problems) -> str:
    """Return the id of an entry; empty, and reported, where it has none."""
    field = mapping.episode.id
    name = name_of(entry.taken(field)) if field else entry.key or entry.file_name
    if not name:
        problems.skip(Problem("has no id", "it is left out", entry.where, field=field))
    elif not name.isprintable():
        what = f"has an id with a character that nobody sees ({name[:40]!r})"
        problems.add(Problem(what, "look for damaged lines", entry.where, field=field))
    return name


def _traces(
    log: _Log, named: Sequence[tuple[MappedEntry, str]], *, is_large: bool
) -> dict[tuple[str, str], _Read]:
    """Return what was read by world and id; of entries that repeat an episode, one counts."""
    # of a large table only the first step is kept
    mapping, problems = log.mapping, log.problems
    by_episode: dict[tuple[str, str], _Read] = {}
    repeated = unknown = 0
    elsewhere = list[bool]()
    for entry, name in named:
        trace = _trace(log, entry, name)
        # what is left out was reported where the fault was found
        if trace is None:
            continue
        unknown += name not in log.episodes and not trace.episode.instruction
        if name in log.episodes:
            elsewhere.append(trace.episode.world != log.episodes[name].world)
        # numbers begin anew in each house of some logs
        key = trace.episode.world, trace.episode.id
        repeated += key in by_episode
        if key not in by_episode or mapping.duplicates == "last":
            steps = len(trace.steps)
            if is_large:
                trace = trace.model_copy(update={"steps": trace.steps[:1]})
            by_episode[key] = _Read(trace, steps, entry, name)
    if repeated:
        what = f"{repeated} entries repeat an episode"
        do = f"the {mapping.duplicates} of each counts"
        problems.skip(Problem(what, do, log.path.name, field=mapping.episode.id))
    # where all are, the log is of another data set, which has the same ids
    if 0 < sum(elsewhere) < len(elsewhere):
        what = (
            f"{sum(elsewhere)} of {len(elsewhere)} entries name another house than their episodes"
        )
        do = "they are shown without a route; mend the name or open their own split"
        problems.add(Problem(what, do, log.path.name, field=mapping.episode.world))
    if unknown and mapping.find_episodes:
        what = f"{unknown} of {len(named)} entries are of episodes that no open file knows"
        do = "open the episode file of their split with it (val_seen.json.gz)"
        problems.add(Problem(what, do, log.path.name))
    return by_episode


def _refusal(mapping: Mapping, path: Path, problems: Problems) -> InputError:
    """Say why nothing can be read, and what the smallest file that opens is."""
    if mapping.smallest:
        what = f"looks like {mapping.name} and holds none that can be read{problems.because}"
        return InputError(what, f"the smallest file is {mapping.smallest}", file=path.name)
    what = f"holds no episode by the mapping {mapping.name}{problems.because}"
    do = f"correct the mapping: navviz data map {shlex.quote(str(path.absolute()))}"
    return InputError(what, do, file=path.name)


def _trace(log: _Log, entry: MappedEntry, name: str) -> Trace | None:
    """Return the trace of an entry; ``None``, and reported, where it has none."""
    mapping, problems = log.mapping, log.problems
    episode = known_episode(mapping, entry, name, log.episodes)
    if episode is None and mapping.find_episodes == "required":
        do = "open the split it belongs to"
        problems.skip(Problem("no such episode", do, entry.file.name, name))
        return None
    _say_unlike(mapping, entry, name, problems)
    episode = episode or own_episode(mapping, entry, name, log.worlds, log.problems)
    figures = _figures(mapping, entry)
    graph = log.worlds(episode.world)
    walked = as_trace(
        MappedWalk(mapping.walk, entry.value, episode, graph, log.run, entry.file.name, problems)
    )
    source = str(log.path)
    if isinstance(walked, Trace):
        end = walked.end or EndEvent(status=EndStatus.UNKNOWN)
        header = walked.header.model_copy(update={"source": source})
        # what the evaluator wrote stays apart from what is measured on the walk
        ended = end.model_copy(update={"figures": figures})
        return walked.model_copy(update={"header": header, "end": ended})
    if walked == "faulty":
        return None
    path = next(filter(None, (mapping.walk.nodes, *mapping.walk.positions)), "").partition("[*]")[0]
    if figures and path and entry.taken(path) not in (None, [], ""):
        do = "it is shown without a walk; mend it or get the file again"
        problems.add(Problem("holds no places", do, entry.where, name, path))
    header = TraceHeader(run=log.run, episode=episode, navigator=log.run, source=source)
    # a log of episodes alone: nobody has walked them yet
    if not mapping.has_results:
        return Trace(header=header)
    if not figures or _is_garbage(mapping, entry, figures):
        do = "the other entries are shown"
        what = "has neither a walk nor a figure"
        problems.skip(Problem(what, do, entry.where, "" if name == entry.key else name))
        return None
    return Trace(header=header, end=EndEvent(status=EndStatus.UNKNOWN, figures=figures))


def _say_unlike(mapping: Mapping, entry: MappedEntry, name: str, problems: Problems) -> None:
    """Report the fields of an entry that hold something else than the mapping says."""
    fields = mapping.episode
    readers: list[tuple[str, Callable[[Json], object]]] = [
        (fields.world, name_of),
        (fields.start_heading, lambda value: values.heading_deg(value, mapping.walk)),
    ]
    if "[*]" not in fields.instruction:
        readers.append((fields.instruction, values.text_of))
    else:
        for value in misfits(entry.value, parse_path(fields.instruction)):
            if values.text_of(value) is None:
                what, do = f"{str(value)[:40]!r} is no text of a step", "its words are missing"
                problems.add(Problem(what, do, entry.where, name, fields.instruction))
    for figure in mapping.figures.values():
        readers.append((figure.path, lambda value: values.figure(value, "")))
    for path, read in readers:
        value = entry.taken(path) if path else None
        is_missing = value is None or str(value).strip().lower() in _NO_FIGURE
        if not is_missing and read(value) in {None, ""}:
            what, do = f"{str(value)[:40]!r} is not what it should be", "it is shown as missing"
            problems.add(Problem(what, do, entry.where, name, path))
    path = mapping.walk.actions
    given = [each for each in series(entry.value, path) if each is not None] if path else []
    others = [each for each in given if values.number(each) is None]
    # an action is a name, or a number as the others are
    if 2 * len(others) > len(given):
        others = [each for each in others if values.text_of(each) is None]
    if others:
        what = f"{str(others[0])[:40]!r} is no action as the others are"
        problems.add(Problem(what, "it is shown as it stands", entry.where, name, path))


def _is_garbage(mapping: Mapping, entry: MappedEntry, figures: Pairs[str, float | None]) -> bool:
    """Tell whether a row of text has something else in place of every figure."""
    if mapping.format != "csv" or any(value is not None for value in figures.values()):
        return False
    paths = [figure.path for figure in mapping.figures.values()]
    cells = [first_value(entry.value, path) for path in paths if values.exists(entry.value, path)]
    words = [str(cell).strip().lower() for cell in cells if cell is not None]
    return any(word not in _NO_FIGURE for word in words)


def _figures(mapping: Mapping, entry: MappedEntry) -> dict[str, float | None]:
    """Return the figures of an entry; one that is no finite number is missing."""
    figures: dict[str, float | None] = {}
    if mapping.all_figures and isinstance(entry.value, dict):
        for name, value in entry.value.items():
            if name not in mapping.not_figures and (
                value is None or isinstance(value, bool | int | float)
            ):
                figures[name] = float(value) if isinstance(value, bool) else as_number(value)
    for label, figure in mapping.figures.items():
        if values.exists(entry.value, figure.path):
            figures[label] = values.figure(first_value(entry.value, figure.path), figure.unit)
    return figures
