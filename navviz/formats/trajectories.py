"""Results in the leaderboard's format of the R2R family, one `Trace` a result.

``[{"instr_id", "trajectory": [[viewpoint, heading, elevation], ...]}]`` (Anderson et al. 2018;
angles in radians), and the nested variant that agents of the DUET line write, ``[[viewpoint, ...],
...]``: one list of viewpoints an action. RxR writes ``{"instruction_id", "path": [viewpoint,
...]}``; GSA-R2R the leaderboard's; NDH the same with ``inst_idx``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, NotFoundError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json
from navviz.formats.matterport import scan_not_found, where_is
from navviz.formats.ndh import NdhEpisodes, with_dialogue
from navviz.formats.r2r import R2REpisodes, first_item, in_turns, iter_items, to_degrees
from navviz.formats.texts import as_number, id_text, one_name, say_unlike
from navviz.records import Decision, EndEvent, Episode, Step, Trace, TraceHeader
from navviz.world.graph import Graph

_LONGEST_ANGLE = 24
"""Characters of a float as Python writes it."""


@dataclass(frozen=True, slots=True)
class _ActionWalk:
    """A trajectory: one list of viewpoints an action, and the heading after each."""

    actions: tuple[tuple[str, ...], ...]
    headings: tuple[float | None, ...]

    @property
    def nodes(self) -> list[str]:
        return list(chain.from_iterable(self.actions))


class Trajectories:
    """Reads leaderboard results, flat or nested; the episodes have to be open."""

    name: ClassVar[str] = "R2R results"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry is a result with its trajectory; NavGPT's logs are not."""
        item = first_item(path)
        # NavGPT writes trajectories, too, and its own reader shows the thoughts beside them
        if {"scan", "details"} & item.keys():
            return False
        return _result_id(item) is not None and bool(_raw_walk(item))

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a result file as one run; raises `InputError` where not one result can be shown.

        Reported and left out: unknown instructions, missing scans, viewpoints that are not in the
        graph. Reported and shown: jumps between viewpoints that are not linked, headings in
        degrees.
        """
        problems = Problems()
        by_id = known_episodes(episodes, path, problems)
        # all walks are read first: one heading over 2 pi says that the whole file is in degrees
        items = [(item, _walk(item)) for item in iter_items(path, problems)]
        in_degrees = _in_degrees(items, path.name, problems)
        traces: dict[str, Trace] = {}
        for item, walk in items:
            trace = _trace(item, walk, by_id, graph_of, path, problems, in_degrees=in_degrees)
            if trace is None:
                continue
            key = trace.episode.id
            if key in traces:
                do = "the last one is shown"
                problems.skip(Problem("is there twice", do, path.name, key))
            traces[key] = trace
        if not traces:
            what = f"holds no result for these episodes{problems.because}"
            raise InputError(what, "open the split it belongs to", file=path.name)
        return [Run(path.stem, path.stem, None, traces, problems, path)]


def known_episodes(
    episodes: Mapping[str, Episode] | None, path: Path, problems: Problems
) -> dict[str, Episode]:
    """Episodes by every id that results use (RxR: alone, and as ``PATHID_INSTRUCTIONID``).

    Where none are open, those of episode files in the same folder. Raises `InputError` where there
    are none either.
    """
    by_id = dict(episodes) if episodes else neighbouring_episodes(path, problems)
    if not by_id:
        raise InputError(
            "names its episodes only by id", "open their episode file with it", file=path.name
        )
    for episode in list(by_id.values()):
        # results name RxR's instructions alone, or with their path before them
        by_id.setdefault(f"{episode.path_id}_{episode.id}", episode)
    return by_id


def neighbouring_episodes(path: Path, problems: Problems) -> dict[str, Episode]:
    """Episodes of the R2R and NDH files in the same folder, by id."""
    episodes: dict[str, Episode] = {}
    for other in sorted(path.parent.iterdir()):
        reader = next((each for each in (R2REpisodes, NdhEpisodes) if each.handles(other)), None)
        if other != path and reader is not None:
            read = reader.read(other)
            episodes.update(read.episodes)
            problems.extend(read.problems)
    return episodes


def _result_id(item: Mapping[str, Json]) -> str | None:
    for field in ("instr_id", "instruction_id", "inst_idx"):
        if item.get(field) is not None:
            return id_text(item[field])
    return None


def _raw_walk(item: Mapping[str, Json]) -> list[Json]:
    for key in ("trajectory", "path"):
        if isinstance(item.get(key), list):
            walk: list[Json] = item[key]
            return walk
    return []


def _walk(item: Mapping[str, Json]) -> _ActionWalk | None:
    """Both variants, and a flat list of viewpoints; ``None`` where it is none of them."""
    raw = _raw_walk(item)
    if not raw:
        return None
    actions: list[tuple[str, ...]] = []
    headings: list[float | None] = []
    for element in raw:
        nodes, heading = read_action(element)
        if nodes is None:
            return None
        # a step of the simulator may only turn: it is no step of the walk
        if len(nodes) == 1 and actions and actions[-1] == nodes:  # turned on the spot
            headings[-1] = heading
            continue
        actions.append(nodes)
        headings.append(heading)
    return _ActionWalk(tuple(actions), tuple(headings))


def read_action(element: Json) -> tuple[tuple[str, ...] | None, float | None]:
    """Return the viewpoints of one action and its heading; ``None`` for what is no action."""
    if isinstance(element, str):
        return (element,), None
    if not isinstance(element, list):
        return None, None
    if not all(isinstance(part, str | int | float) for part in element):
        return None, None
    # [viewpoint, heading, elevation]; two texts are two viewpoints of one action
    if len(element) > 1 and isinstance(element[0], str) and not isinstance(element[1], str):
        return (element[0],), as_number(element[1])
    # headings written as texts: names of viewpoints are no numbers
    first, *others = element or [None]
    if others and not _is_angle(first) and all(map(_is_angle, others)):
        return (id_text(first),), as_number(others[0])
    nodes = tuple(part for part in element if isinstance(part, str))
    return (nodes, None) if len(nodes) == len(element) else (None, None)


def _is_angle(part: Json) -> bool:
    """Tell whether a part is a number, or a text of one; an id of digits alone is longer."""
    return as_number(part) is not None and len(str(part)) <= _LONGEST_ANGLE


def _is_lost_heading(element: Json) -> bool:
    given = isinstance(element, list) and len(element) > 1 and isinstance(element[0], str)
    return given and isinstance(element[1], int | float) and as_number(element[1]) is None


def _in_degrees(
    items: list[tuple[dict[str, Json], _ActionWalk | None]], file: str, problems: Problems
) -> bool:
    wild = lost = 0
    for item, walk in items:
        lost += sum(map(_is_lost_heading, _raw_walk(item)))
        for heading in walk.headings if walk is not None else ():
            wild += heading is not None and not in_turns(heading)
    if lost:
        what = f"{lost} headings are no finite numbers"
        problems.add(Problem(what, "they are shown as missing", file, field="trajectory"))
    if wild:
        what = f"{wild} headings exceed 2 pi: they are in degrees where radians are due"
        do = "all headings of this file are read as degrees"
        problems.add(Problem(what, do, file, field="trajectory"))
    return wild > 0


def result_episode(
    name: str, by_id: Mapping[str, Episode], file: str, problems: Problems
) -> Episode | None:
    """Return the episode of a result; reported where there is none."""
    episode = by_id.get(name)
    if episode is None:
        what = "no such instruction in the episodes"
        problems.skip(Problem(what, "open the split it belongs to", file, name))
    return episode


def result_world(
    episode: Episode, graph_of: GraphOf, file: str, problems: Problems
) -> Graph | None:
    """Return the house of an episode; reported where it is not there."""
    try:
        graph = graph_of(episode.world)
    except InputError as error:
        missing = isinstance(error, NotFoundError)
        problem = scan_not_found(episode.world) if missing else error.problem
        problems.skip(replace(problem, file=file, episode=episode.id))
        return None
    # a source of one house gives it for every name: these viewpoints are of another; a street map
    # is found by its nodes, and its name is the folder's
    if graph.frame != "geo" and graph.name != episode.world:
        problems.skip(scan_not_found(episode.world, file=file, episode=episode.id))
        return None
    return graph


def _trace(
    item: Mapping[str, Json],
    walk: _ActionWalk | None,
    by_id: Mapping[str, Episode],
    graph_of: GraphOf,
    path: Path,
    problems: Problems,
    *,
    in_degrees: bool,
) -> Trace | None:
    kinds = {"id": "instr_id, instruction_id, inst_idx, predObjId, pred_objid"}
    say_unlike(item, kinds, Problem("", "", path.name, _result_id(item) or "?"), problems)
    episode = result_episode(_result_id(item) or "?", by_id, path.name, problems)
    graph = None if episode is None else result_world(episode, graph_of, path.name, problems)
    if episode is None or graph is None:
        return None
    if walk is None or not walk.nodes:
        what, do = "is no list of viewpoints", "the other results are shown"
        problems.skip(Problem(what, do, path.name, episode.id, "trajectory"))
        return None
    if not _all_there(walk, graph, path.name, episode.id, problems):
        return None
    empty = sum(not action for action in walk.actions)
    if empty:
        what = f"{empty} of {len(walk.actions)} actions of the trajectory name no viewpoint"
        do = "they are passed over; the walk may lack places"
        problems.add(Problem(what, do, path.name, episode.id, "trajectory"))
    jumps = count_jumps(walk.nodes, graph)
    if jumps:
        times = "1 time" if jumps == 1 else f"{jumps} times"
        what = f"the trajectory jumps {times} between viewpoints that are not linked"
        problems.add(Problem(what, "jumps are drawn as such", path.name, episode.id, "trajectory"))
    if walk.nodes[0] != episode.start:
        what = f"the trajectory starts at {walk.nodes[0]}, the episode at {episode.start}"
        do = "check that the results belong to these episodes"
        problems.add(Problem(what, do, path.name, episode.id, "trajectory"))
    return Trace(
        header=TraceHeader(
            run=path.stem,
            episode=episode,
            navigator=path.stem,
            source=str(path),
            settings=_settings(item),
        ),
        steps=with_dialogue(list(_steps(walk, graph, in_degrees=in_degrees)), episode),
        end=EndEvent(status="done", node=walk.nodes[-1]),
    )


def _settings(item: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a result says besides its path: REVERIE's predicted object."""
    given = {key: item.get(key) for key in ("predObjId", "pred_objid")}
    return {key: one_name(value) for key, value in given.items() if value is not None}


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


def _steps(walk: _ActionWalk, graph: Graph, *, in_degrees: bool) -> Iterator[Step]:
    # the first action is where the agent stands; it may have walked in it, too
    place = walk.actions[0][-1] if walk.actions[0] else walk.nodes[0]
    if len(walk.actions[0]) > 1:  # a first action that walks at once
        yield _step(0, walk.actions[0][0], None, walk.actions[0], graph)
    shift = 1 if len(walk.actions[0]) > 1 else 0
    for k, action in enumerate(walk.actions[1:], start=1):
        # the last heading before the action: turns on the spot are joined into it
        heading = walk.headings[k - 1]
        route = action if action and action[0] == place else (place, *action)
        yield _step(k - 1 + shift, place, _degrees(heading, in_degrees=in_degrees), route, graph)
        place = route[-1]
    last = _degrees(walk.headings[-1], in_degrees=in_degrees)
    yield Step(
        index=len(walk.actions) + shift,
        node=place,
        heading_deg=last,
        decision=Decision(target=place, stop=True),
    )


def _degrees(heading: float | None, *, in_degrees: bool) -> float | None:
    if heading is None or not math.isfinite(heading):
        return None
    return to_degrees(heading, in_degrees)


def _step(
    k: int, node: str, heading_deg: float | None, route: tuple[str, ...], graph: Graph
) -> Step:
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
