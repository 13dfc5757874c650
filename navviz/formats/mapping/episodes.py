"""The episode of an entry: from a file of episodes, a joined file, or the entry's own fields."""

from __future__ import annotations

from collections.abc import Mapping as Pairs
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf
from navviz.formats.mapping import values
from navviz.formats.mapping.documents import documents
from navviz.formats.mapping.entries import MappedEntry, name_of, world_name
from navviz.formats.mapping.model import EpisodeFields, Mapping
from navviz.formats.mapping.paths import entries, first_value, parse_path
from navviz.formats.vlnce.episodes import episodes_near, with_instruction_ids
from navviz.records import Episode
from navviz.records.base import Position
from navviz.records.episode import OFF_MAP, START_POSE
from navviz.records.plural import plural
from navviz.support.guarded import Json, is_folder
from navviz.world.graph import Graph


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
                episodes.setdefault(name, own_episode(second, entry, name, worlds))
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


def own_episode(mapping: Mapping, entry: MappedEntry, name: str, worlds: OpenGraphs) -> Episode:
    """Make an episode of the entry's own fields."""
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
    """Tell whether a walk in degrees begins far from every place of a street map.

    Any town is a map in degrees, so that a walk of another town would be drawn beside it.
    """
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
    return nodes[0] if nodes and not mapping.walk.positions else None


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
