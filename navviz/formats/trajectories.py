"""Results in the leaderboard's format of the R2R family, one `Trace` a result.

``[{"instr_id", "trajectory": [[viewpoint, heading, elevation], ...]}]`` (Anderson et al. 2018; angles in radians), and
the nested variant that agents of the DUET line write, ``[[viewpoint, ...], ...]``: one list of viewpoints an action.
RxR writes ``{"instruction_id", "path": [viewpoint, ...]}``; GSA-R2R the leaderboard's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, NotFoundError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json
from navviz.formats.matterport import scan_not_found, where_is
from navviz.formats.r2r import R2REpisodes, first_item, in_turns, iter_items, to_degrees
from navviz.formats.texts import as_number
from navviz.records import Decision, EndEvent, Episode, Step, Trace, TraceHeader
from navviz.world.graph import Graph

__all__ = ["Trajectories", "beside", "count_jumps", "known_episodes", "result_episode", "result_world"]


@dataclass(frozen=True, slots=True)
class _ActionWalk:
    """A trajectory: one list of viewpoints an action, and the heading after each."""

    actions: tuple[tuple[str, ...], ...]
    headings: tuple[float | None, ...]

    @property
    def nodes(self) -> list[str]:
        return [node for action in self.actions for node in action]


class Trajectories:
    """Reads leaderboard results, flat or nested; the episodes have to be open."""

    name: ClassVar[str] = "R2R results"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry is a result with its trajectory (NavGPT's logs are another reader's)."""
        item = first_item(path)
        return _result_id(item) is not None and bool(_raw_walk(item)) and not {"scan", "details"} & item.keys()

    @classmethod
    def read(cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None) -> list[Run]:
        """Read a result file as one run; raises `InputError` where not one result can be shown.

        Reported and left out: unknown instructions, missing scans, viewpoints that are not in the graph. Reported and
        shown: jumps between viewpoints that are not linked, headings in degrees.
        """
        problems = Problems()
        known = known_episodes(episodes, path, problems)
        items = [(item, _walk(item)) for item in iter_items(path, problems)]
        in_degrees = _in_degrees(items, path.name, problems)
        traces: dict[str, Trace] = {}
        for item, walk in items:
            trace = _trace(item, walk, known, graph_of, path, problems, in_degrees=in_degrees)
            if trace is not None and trace.episode.id in traces:
                problems.skip(Problem("is there twice", "the last one is shown", path.name, trace.episode.id))
            if trace is not None:
                traces[trace.episode.id] = trace
        if not traces:
            said = f" ({str(problems.kept[0]).rstrip('.')})" if problems.kept else ""
            raise InputError(
                f"holds no result for these episodes{said}", "open the split it belongs to", file=path.name
            )
        return [Run(path.stem, path.stem, None, traces, problems, path)]


def known_episodes(episodes: Mapping[str, Episode] | None, path: Path, problems: Problems) -> dict[str, Episode]:
    """Episodes under every id that results use for them (RxR: alone, and as ``PATHID_INSTRUCTIONID``).

    Where none are open, those of episode files in the same folder. Raises `InputError` where there are none either.
    """
    known = dict(episodes) if episodes else beside(path, problems)
    if not known:
        raise InputError("names its episodes only by id", "open their episode file with it", file=path.name)
    for episode in list(known.values()):
        known.setdefault(f"{episode.path_id}_{episode.id}", episode)
    return known


def beside(path: Path, problems: Problems) -> dict[str, Episode]:
    """Episodes of the R2R files in the same folder, by id."""
    episodes: dict[str, Episode] = {}
    for other in sorted(path.parent.iterdir()):
        if other != path and R2REpisodes.handles(other):
            read = R2REpisodes.read(other)
            episodes.update(read.episodes)
            problems.extend(read.problems)
    return episodes


def _result_id(item: Mapping[str, Json]) -> str | None:
    name = next((item[key] for key in ("instr_id", "instruction_id") if key in item), None)
    return None if name is None else str(name)


def _raw_walk(item: Mapping[str, Json]) -> list[Json]:
    return next((item[key] for key in ("trajectory", "path") if isinstance(item.get(key), list)), [])


def _walk(item: Mapping[str, Json]) -> _ActionWalk | None:
    """Both variants, and a flat list of viewpoints; ``None`` where it is none of them."""
    raw = _raw_walk(item)
    if not raw:
        return None
    actions: list[tuple[str, ...]] = []
    headings: list[float | None] = []
    for element in raw:
        nodes, heading = _action(element)
        if nodes is None:
            return None
        if len(nodes) == 1 and actions and actions[-1] == nodes:  # turned on the spot
            headings[-1] = heading
            continue
        actions.append(nodes)
        headings.append(heading)
    return _ActionWalk(tuple(actions), tuple(headings))


def _action(element: Json) -> tuple[tuple[str, ...] | None, float | None]:
    if isinstance(element, str):
        return (element,), None
    if not isinstance(element, list) or not all(isinstance(part, str | int | float) for part in element):
        return None, None
    if element and isinstance(element[0], str) and len(element) > 1 and not isinstance(element[1], str):
        return (element[0],), as_number(element[1])
    nodes = tuple(part for part in element if isinstance(part, str))
    return (nodes, None) if len(nodes) == len(element) else (None, None)


def _is_lost_heading(element: Json) -> bool:
    given = isinstance(element, list) and len(element) > 1 and isinstance(element[0], str)
    return given and isinstance(element[1], int | float) and as_number(element[1]) is None


def _in_degrees(items: list[tuple[dict[str, Json], _ActionWalk | None]], file: str, problems: Problems) -> bool:
    headings = [h for _, walk in items if walk for h in walk.headings if h is not None]
    wild = sum(not in_turns(heading) for heading in headings)
    lost = sum(_is_lost_heading(element) for item, _ in items for element in _raw_walk(item))
    if lost:
        what = f"{lost} headings are no finite numbers"
        problems.add(Problem(what, "they are shown as missing", file, field="trajectory"))
    if wild:
        what = f"{wild} headings exceed 2 pi: they are in degrees where radians are due"
        problems.add(Problem(what, "all headings of this file are read as degrees", file, field="trajectory"))
    return wild > 0


def result_episode(name: str, known: Mapping[str, Episode], file: str, problems: Problems) -> Episode | None:
    """Return the episode of a result; reported where there is none."""
    episode = known.get(name)
    if episode is None:
        problems.skip(Problem("no such instruction in the episodes", "open the split it belongs to", file, name))
    return episode


def result_world(episode: Episode, graph_of: GraphOf, file: str, problems: Problems) -> Graph | None:
    """Return the house of an episode; reported where it is not there."""
    try:
        graph = graph_of(episode.world)
    except InputError as error:
        missing = isinstance(error, NotFoundError)
        problem = scan_not_found(episode.world) if missing else error.problem
        problems.skip(replace(problem, file=file, episode=episode.id))
        return None
    if graph.name != episode.world:
        problems.skip(scan_not_found(episode.world, file=file, episode=episode.id))
        return None
    return graph


def _trace(
    item: Mapping[str, Json],
    walk: _ActionWalk | None,
    known: Mapping[str, Episode],
    graph_of: GraphOf,
    path: Path,
    problems: Problems,
    *,
    in_degrees: bool,
) -> Trace | None:
    episode = result_episode(_result_id(item) or "?", known, path.name, problems)
    graph = None if episode is None else result_world(episode, graph_of, path.name, problems)
    if episode is None or graph is None:
        return None
    if walk is None or not walk.nodes:
        problems.skip(
            Problem("is no list of viewpoints", "the other results are shown", path.name, episode.id, "trajectory")
        )
        return None
    if not _all_there(walk, graph, path.name, episode.id, problems):
        return None
    _say_jumps(walk, episode, graph, path.name, problems)
    return Trace(
        header=TraceHeader(
            run=path.stem, episode=episode, navigator=path.stem, source=str(path), settings=_settings(item)
        ),
        steps=tuple(_steps(walk, graph, in_degrees=in_degrees)),
        end=EndEvent(status="done", node=walk.nodes[-1]),
    )


def _settings(item: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a result says besides its path: REVERIE's predicted object."""
    return {key: item[key] for key in ("predObjId", "pred_objid") if item.get(key) is not None}


def _all_there(walk: _ActionWalk, graph: Graph, file: str, name: str, problems: Problems) -> bool:
    for node in walk.nodes:
        why = where_is(graph, node)
        if why is not None:
            problems.skip(Problem(why, "the other results are shown", file, name, "trajectory"))
            return False
    return True


def count_jumps(nodes: Sequence[str], graph: Graph) -> int:
    """How often a path goes from one node to another that no link leads to."""
    return sum(a != b and not graph.has_link(a, b) for a, b in pairwise(nodes))


def _say_jumps(walk: _ActionWalk, episode: Episode, graph: Graph, file: str, problems: Problems) -> None:
    jumps = count_jumps(walk.nodes, graph)
    if jumps:
        what = (
            f"the trajectory jumps {jumps} {'time' if jumps == 1 else 'times'} between viewpoints that are not linked"
        )
        problems.add(Problem(what, "jumps are drawn as such", file, episode.id, "trajectory"))
    if walk.nodes[0] != episode.start:
        what = f"the trajectory starts at {walk.nodes[0]}, the episode at {episode.start}"
        problems.add(Problem(what, "check that the results belong to these episodes", file, episode.id, "trajectory"))


def _steps(walk: _ActionWalk, graph: Graph, *, in_degrees: bool) -> Iterator[Step]:
    place = walk.actions[0][-1] if walk.actions[0] else walk.nodes[0]
    if len(walk.actions[0]) > 1:  # a first action that walks at once
        yield _step(0, walk.actions[0][0], None, walk.actions[0], graph)
    shift = 1 if len(walk.actions[0]) > 1 else 0
    for k, action in enumerate(walk.actions[1:], start=1):
        heading = walk.headings[k - 1]
        route = action if action and action[0] == place else (place, *action)
        yield _step(k - 1 + shift, place, _degrees(heading, in_degrees=in_degrees), route, graph)
        place = route[-1]
    last = _degrees(walk.headings[-1], in_degrees=in_degrees)
    yield Step(
        index=len(walk.actions) + shift, node=place, heading_deg=last, decision=Decision(target=place, stop=True)
    )


def _degrees(heading: float | None, *, in_degrees: bool) -> float | None:
    return None if heading is None or not math.isfinite(heading) else to_degrees(heading, in_degrees)


def _step(k: int, node: str, heading_deg: float | None, route: tuple[str, ...], graph: Graph) -> Step:
    jumps = [(a, b) for a, b in pairwise(route) if a != b and not graph.has_link(a, b)]
    reason = None
    if jumps:
        a, b = jumps[0]
        reason = f"jump: no link leads from {a} to {b} ({graph.distance_m(a, b):.1f} m apart)"
    return Step(
        index=k + 1,
        node=node,
        heading_deg=heading_deg,
        decision=Decision(target=route[-1], legal=not jumps, reason=reason),
        path=route,
    )
