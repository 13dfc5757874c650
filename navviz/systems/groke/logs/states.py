"""GROKE's state files (Shami et al. 2026): what methods did on each episode, without the calls.

``{id: {sub_instructions, landmarks, osm_path, full_instructions, initial_headings, METHOD: {status,
predicated_path (waypoints, may hold null), current_instruction_index, current_instruction_status,
error?, ...}}}``. The step logs with prompts and replies are read by
`navviz.systems.groke.logs.steps`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, NotFoundError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.map2seq.panoramas import data_set_name
from navviz.formats.texts import (
    as_count,
    as_heading,
    as_ids,
    as_list,
    as_mapping,
    as_text,
    id_text,
    say_unlike,
)
from navviz.records import (
    Call,
    Decision,
    EndEvent,
    Episode,
    Landmark,
    Step,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.systems.groke.logs.calls import planning_call
from navviz.world.graph import Graph
from navviz.world.search import UNREACHED, fewest_links


@dataclass(frozen=True, slots=True)
class WaypointLeg:
    """From one waypoint to the next."""

    start: str
    target: str | None
    """As the log names it; ``None`` where it holds no node."""
    path: tuple[str, ...] = ()
    """From `start` to `target`; empty where the agent stayed or the target cannot be reached."""
    fault: str | None = None
    """Why there is no path."""


def join_legs(
    graph: Graph, waypoints: Sequence[str | None], where: Problem, problems: Problems
) -> list[WaypointLeg]:
    """Join waypoints by paths of fewest links, as GROKE evaluates them (Shami et al. 2026).

    A hole (``None``), an unknown node or one out of reach leaves the agent where it is; the latter
    two are reported at `where` (file, episode, field). The first waypoint is where the agent
    starts; it must be a node of the graph, else no leg is given.
    """
    unknown = [k for k, node in enumerate(waypoints) if node is not None and node not in graph]
    for k in unknown:
        what = f"waypoint {k + 1} is not in the graph"
        problems.add(replace(where, what=what, do="choose the graph of this run; it is skipped"))
    here = waypoints[0] if waypoints else None
    if here is None or here not in graph:
        return []
    legs: list[WaypointLeg] = []
    for node in waypoints[1:]:
        leg = _leg(graph, here, node)
        if leg.fault == UNREACHED:
            what = f"waypoint {len(legs) + 2} cannot be reached over the links"
            problems.add(replace(where, what=what, do="it is skipped"))
        legs.append(leg)
        here = leg.path[-1] if leg.path else here
    return legs


def _leg(graph: Graph, here: str, node: str | None) -> WaypointLeg:
    if node is None:
        return WaypointLeg(here, None, fault="the log names no node here")
    if node not in graph:
        return WaypointLeg(here, node, fault="is not in the graph")
    if node == here:
        return WaypointLeg(here, node)
    path = fewest_links(graph, here, node)
    return (
        WaypointLeg(here, node, fault=UNREACHED) if path is None else WaypointLeg(here, node, path)
    )


_PATH = "predicated_path"

STAYED = "Start and End nodes are the same."
"""What GROKE writes as an error when the agent names the node it stands on, which ends its walk."""

_FIELDS = frozenset(
    {
        "instruction_id",
        "sub_instructions",
        "landmarks",
        "osm_path",
        "initial_headings",
        "full_instructions",
    }
)


@dataclass(frozen=True)
class MethodState:
    """Where one method stood when it ended."""

    waypoints: tuple[str | None, ...]
    done: bool | None
    sub_goal: int | None
    """Index of the sub-goal it was at; the number of sub-goals where it was through."""
    sub_goal_status: str | None
    error: str | None
    tries: int | None


@dataclass(frozen=True)
class State:
    """One episode of a state file."""

    episode: Episode
    methods: Mapping[str, MethodState]


def methods_of(path: Path) -> list[str]:
    """Return the names of a state file's methods, by its first item that has one."""
    for key, value in peek(path).items:
        if key is not None and _is_state(value):
            return _methods(value)
    return []


def is_states(path: Path) -> bool:
    """Whether one of the first items of a JSON file is an episode with a method's waypoints."""
    return any(_is_state(value) for key, value in peek(path).items if key is not None)


def _is_state(value: Json) -> bool:
    return isinstance(value, dict) and "osm_path" in value and bool(_methods(value))


def _methods(value: dict[str, Json]) -> list[str]:
    return [name for name, item in value.items() if isinstance(item, dict) and _PATH in item]


def read_states(path: Path, problems: Problems) -> Iterator[State]:
    """Read a state file, one episode at a time."""
    seen: set[str] = set()
    for number, (spelled, value) in enumerate(json_items(path, problems), start=1):
        key = None if spelled is None else id_text(spelled)
        if key is None or not isinstance(value, dict) or "osm_path" not in value:
            what = "has no osm_path" if key else f"item {number} has no id"
            problems.skip(Problem(what, "it is left out", path.name, key or ""))
            continue
        # a JSON object may repeat a key; a dictionary would keep the last one in silence
        if key in seen:
            problems.skip(
                Problem("this id comes twice", "keep one; the first is used", path.name, key)
            )
            continue
        seen.add(key)
        episode = _episode(key, value, path, problems)
        if episode is not None:
            methods: dict[str, MethodState] = {}
            for name in _methods(value):
                state = _method(value[name], path.name, key, name, problems)
                if state is not None:
                    methods[name] = state
            yield State(episode, methods)


def _episode(key: str, value: dict[str, Json], path: Path, problems: Problems) -> Episode | None:
    left_out = Problem("", "it is left out", path.name, key, "osm_path")
    nodes = as_ids(value["osm_path"], left_out, problems)
    if not nodes:
        return None
    # methods lie on one level with the fields of the episode, under names of their own
    own = {*_FIELDS, *_methods(value)}
    extra = {name: item for name, item in value.items() if name not in own}
    return Episode(
        id=key,
        dataset="map2seq",
        split=path.stem,
        instruction=as_text(
            value.get("full_instructions"), path.name, key, "full_instructions", problems
        ),
        # no field names start and goal: the route does
        start=nodes[0],
        start_heading_deg=as_heading(
            value.get("initial_headings"), path.name, key, "initial_headings", problems
        ),
        reference_path=nodes,
        goal=nodes[-1],
        sub_goals=_sub_goals(value.get("sub_instructions"), path.name, key, problems),
        landmarks=_landmarks(value.get("landmarks"), path.name, key, problems),
        extra={name: item for name, item in extra.items() if item not in ("", None, {}, [])},
    )


def _sub_goals(value: Json, file: str, episode: str, problems: Problems) -> tuple[SubGoal, ...]:
    items = as_list(value)
    texts = [as_mapping(item).get("description") for item in items]
    descriptions = [text for text in texts if isinstance(text, str)]
    if len(descriptions) < len(items) or (value is not None and not isinstance(value, list)):
        what = "holds something without a description"
        problems.add(Problem(what, "it is left out", file, episode, "sub_instructions"))
    return tuple(SubGoal(description=text) for text in descriptions)


def _landmarks(value: Json, file: str, episode: str, problems: Problems) -> tuple[Landmark, ...]:
    items = as_list(value)
    named = [item for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]
    if len(named) < len(items) or (value is not None and not isinstance(value, list)):
        what = "holds something without a name"
        problems.add(Problem(what, "it is left out", file, episode, "landmarks"))
    for item in named:
        kinds = {"text": "category, relative_position"}
        say_unlike(item, kinds, Problem("", "", file, episode), problems)
    return tuple(map(_landmark, named))


def _landmark(item: Mapping[str, Json]) -> Landmark:
    return Landmark(
        name=item["name"],
        category=_text(item, "category"),
        relative_position=_text(item, "relative_position"),
    )


def _text(item: Mapping[str, Json], name: str) -> str | None:
    value = item.get(name)
    return value if isinstance(value, str) and value else None


_METHOD = {
    "text": "status, current_instruction_status, error",
    "number": "current_instruction_index, num_retry_current_instruction",
}


def _method(
    value: dict[str, Json], file: str, episode: str, method: str, problems: Problems
) -> MethodState | None:
    raw = value[_PATH]
    where = f"{method}.{_PATH}"
    if not isinstance(raw, list) or not raw:
        what = "is an empty path" if raw == [] else "is no list of node ids"
        problems.skip(Problem(what, "this method of the episode is left out", file, episode, where))
        return None
    if not all(map(_is_waypoint, raw)):
        what = "holds something that is no node id"
        problems.skip(Problem(what, "this method is left out", file, episode, where))
        return None
    say_unlike(value, _METHOD, Problem("", "", file, episode), problems)
    status, index = value.get("status"), value.get("current_instruction_index")
    tries = value.get("num_retry_current_instruction")
    return MethodState(
        waypoints=tuple(map(_waypoint, raw)),
        done=status.strip().upper() == "DONE" if isinstance(status, str) else None,
        sub_goal=as_count(index),
        sub_goal_status=_text(value, "current_instruction_status"),
        error=_text(value, "error"),
        tries=as_count(tries),
    )


def _is_waypoint(node: Json) -> bool:
    # published paths hold null, too
    return node is None or (isinstance(node, str | int) and not isinstance(node, bool))


def _waypoint(node: str | int | None) -> str | None:
    return None if node is None else id_text(node)


def end_event(state: MethodState, sub_goals: tuple[SubGoal, ...], node: str) -> EndEvent:
    """How the run of an episode ended, by its state."""
    goals = []
    for k, goal in enumerate(sub_goals):
        begun = k == state.sub_goal and state.sub_goal_status != "COMPLETED"
        # the file counts repeats from 0, a plan counts tries from 1
        tries = state.tries + 1 if begun and state.tries is not None else None
        status = _plan_status(k, state)
        goals.append(goal.model_copy(update={"status": status, "iteration": tries}))
    plan = tuple(goals)
    if state.error and not (state.done and state.error.endswith(STAYED)):
        return EndEvent(status="error", reason=state.error, node=node, plan=plan)
    if state.done:
        return EndEvent(status="done", reason=state.error, node=node, plan=plan)
    reason = None if state.done is None else "the log stops while the agent was under way"
    return EndEvent(status="unknown", reason=reason, node=node, plan=plan)


def _plan_status(k: int, state: MethodState) -> str:
    """Status of a sub-goal at the end."""
    # the index counts on when a sub-goal is completed, while the status still says COMPLETED: then
    # the next one, at the index, has not begun
    if state.sub_goal is None or k > state.sub_goal:
        return "TODO"
    if k < state.sub_goal:
        return "COMPLETED"
    return "TODO" if state.sub_goal_status == "COMPLETED" else "IN_PROGRESS"


class GrokeStates:
    """Runs of GROKE, from a state file."""

    name: ClassVar[str] = "GROKE states"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a state file with at least one method."""
        return is_states(path)

    @classmethod
    def methods(cls, path: Path) -> list[str]:
        """Return the names of its methods, by its first item that has one."""
        return methods_of(path)

    @classmethod
    def starts(cls, path: Path) -> dict[str, str]:
        """Where the first episode with a route begins, by the first items of the file."""
        for _, value in peek(path).items:
            route = value["osm_path"] if _is_state(value) else None
            if isinstance(route, list) and route:
                return {"": str(route[0])}
        return {}

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a run for each method; a waypoint is a step."""
        problems: Problems = Problems()
        graph = street_map(graph_of, path)
        traces: dict[str, dict[str, Trace]] = {}
        plans = _plan_calls(path)
        every: list[str] = []
        for state in read_states(path, problems):
            every.append(state.episode.id)
            episode = joined_episode(state.episode, episodes, path.name, problems)
            for method, walked in state.methods.items():
                trace = _trace(
                    episode, method, walked, graph, path, problems, plans.get(episode.id, ())
                )
                if trace is not None:
                    traces.setdefault(method, {})[episode.id] = trace
        if not traces:
            raise InputError(
                f"holds no path that can be shown{problems.because}",
                "check file and graph",
                file=path.name,
            )
        for method, walks in traces.items():
            missing = [key for key in every if key not in walks]
            if missing:
                count = f"{len(missing)} of {len(every)} episodes"
                what = f"{count} have no walk of {method} (the first is {missing[0]})"
                do = f"its means are those of the other {len(walks)}"
                problems.add(Problem(what, do, path.name, field=method))
        runs = []
        for method, walks in traces.items():
            name = path.stem if len(traces) == 1 else f"{path.stem}-{method}"
            runs.append(Run(name, "groke", method, walks, problems, path))
        return runs


def joined_episode(
    episode: Episode, episodes: Mapping[str, Episode] | None, file: str, problems: Problems
) -> Episode:
    """Return the episode of the episodes file with the state's plan, else the state's own."""
    if episodes is None:
        return episode
    given = episodes.get(episode.id)
    if given is None:
        do = "it is shown with the route of the run"
        problems.add(Problem("is not in the episodes file", do, file, episode.id))
        return episode
    if given.reference_path != episode.reference_path:
        what = "differs from the route of the episodes file"
        problems.add(Problem(what, "the episodes file counts", file, episode.id, "osm_path"))
    extra = {**episode.extra, **given.extra}
    return given.model_copy(
        update={"sub_goals": episode.sub_goals, "landmarks": episode.landmarks, "extra": extra}
    )


def _trace(
    episode: Episode,
    method: str,
    state: MethodState,
    graph: Graph,
    path: Path,
    problems: Problems,
    plan_calls: tuple[Call, ...],
) -> Trace | None:
    where = Problem("", "", path.name, episode.id, f"{method}.{_PATH}")
    legs = join_legs(graph, state.waypoints, where, problems)
    if not legs and (state.waypoints[0] is None or state.waypoints[0] not in graph):
        what = "the first waypoint is no node of the graph"
        problems.skip(replace(where, what=what, do="choose the graph of this run"))
        return None
    steps = tuple(_step(k, leg) for k, leg in enumerate(legs, start=1))
    # a hole has no path: the last leg that has one says where the walk ended
    last = next((leg.path[-1] for leg in reversed(legs) if leg.path), str(state.waypoints[0]))
    header = TraceHeader(
        run=path.stem,
        episode=episode,
        navigator="groke",
        settings={"method": method},
        source=path.name,
    )
    return Trace(
        header=header,
        sub_goals=episode.sub_goals,
        landmarks=episode.landmarks,
        plan_calls=plan_calls,
        steps=steps,
        end=end_event(state, episode.sub_goals, last),
        waypoints=state.waypoints,
    )


def _plan_calls(path: Path) -> dict[str, tuple[Call, ...]]:
    """Return the calls that divided the instructions, by episode, from the log beside the file."""
    log = path.with_name(f"{path.stem}_instructions.jsonl")
    if "request" not in as_mapping(peek(log).first_line):
        return {}
    lines = (as_mapping(value) for _, value in json_lines(log, Problems()))
    return {id_text(line["key"]): (planning_call(line),) for line in lines if "key" in line}


def _step(index: int, leg: WaypointLeg) -> Step:
    legal = leg.fault is None
    return Step(
        index=index,
        node=leg.start,
        decision=Decision(target=leg.target, legal=legal, reason=leg.fault),
        path=leg.path,
    )


class GrokeEpisodes:
    """The episodes that a state file holds."""

    name: ClassVar[str] = "episodes of GROKE states"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether one of the first items has a route and an instruction."""
        values = [as_mapping(value) for key, value in peek(path).items if key is not None]
        return any({"osm_path", "full_instructions"} <= value.keys() for value in values)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes."""
        problems = Problems()
        episodes = {state.episode.id: state.episode for state in read_states(path, problems)}
        if not episodes:
            raise InputError(
                "not one of its episodes can be read", "check the file", file=path.name
            )
        return EpisodeSet(f"{data_set_name(path)} {path.stem}", cls.name, episodes, problems, path)


def street_map(graph_of: GraphOf, path: Path) -> Graph:
    """Return a GROKE run's graph; raises `InputError` for houses instead of streets."""
    wrong = InputError(
        "these results walk on a street map, and the graph is a house's",
        "open them with their street graph",
        file=path.name,
    )
    try:
        graph = graph_of("")
    except NotFoundError as error:
        raise wrong from error
    if graph.frame != "geo":
        raise wrong
    return graph
