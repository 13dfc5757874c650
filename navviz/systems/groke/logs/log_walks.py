"""The walk in GROKE's step logs, and how a state file agrees with it.

Three things say where the agent went: the place that a reply names, the place that the next prompt
shows, and the waypoints of the state file. Where they disagree the next prompt counts, since the
walk went on from there; after the last reply the state file does, since it is what GROKE's scripts
score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from navviz.errors import InputError
from navviz.records import Decision, Episode
from navviz.records.trace import UNKNOWN_PLACE
from navviz.systems.groke.logs.states import State
from navviz.systems.groke.logs.step_lines import EpisodeLog, StepLine
from navviz.systems.groke.prompts.formats import Cell, draw
from navviz.systems.groke.prompts.shown import arrival_heading_deg
from navviz.systems.groke.prompts.visible_area import AREA_LINKS, View, cut_to_route, look
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class LogWalk:
    """Where the agent was, by the logs alone."""

    lines: tuple[StepLine, ...]
    waypoints: tuple[str | None, ...]
    """As GROKE keeps them: the start, then the place that each reply names; an empty reply adds
    none.
    """
    after: tuple[str | None, ...]
    """For each line the place where it ends; ``None`` where the log does not say."""
    elsewhere: tuple[tuple[int, str, str], ...] = ()
    """``(step, place named, place of the next prompt)`` where these are two."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the waypoints of a state file are those of a log."""

    whole: bool
    """Whether all of them are: repeats of a place aside, which change nothing."""
    last: bool
    """Whether only the place after the last reply may be another one."""
    end: bool
    """Whether both walks end at one place."""
    waypoint: int = 0
    """Number of the first waypoint that is another one, counted from 1."""
    log: str | None = None
    state: str | None = None


def walk_of(lines: Sequence[StepLine]) -> LogWalk:
    """Return the walk in the lines of one episode."""
    waypoints, after, elsewhere = [lines[0].node], [], []
    for line, following in zip(lines, (*lines[1:], None), strict=True):
        target = line.decision.target
        place = target if target is not None else line.node
        if line.decision.reason == UNKNOWN_PLACE:
            place = None
        shown = following.node if following is not None else None
        if shown is not None and place is not None and shown != place:
            if target is not None:
                elsewhere.append((line.step, target, shown))
            # the walk went on from where the next prompt shows the agent
            place = shown
        # an empty reply adds no waypoint, unless the next prompt shows that the agent went on
        if line.answered or place != line.node:
            waypoints.append(place if target is not None or place != line.node else None)
        after.append(place)
    return LogWalk(tuple(lines), tuple(waypoints), tuple(after), tuple(elsewhere))


def agreement(walk: LogWalk, waypoints: Sequence[str | None]) -> Agreement:
    """Compare the waypoints of a state file with those of a log."""
    ours, theirs = moves(walk.waypoints), moves(waypoints)
    if ours == theirs:
        return Agreement(whole=True, last=True, end=True)
    at = 0
    while ours[at : at + 1] == theirs[at : at + 1]:
        at += 1
    stands = moves([line.node for line in walk.lines])
    # the prompts prove every place but the one after the last reply
    last = theirs[: len(stands)] == stands and len(theirs) <= len(stands) + 1
    return Agreement(
        whole=False,
        last=last,
        end=ours[-1:] == theirs[-1:],
        waypoint=at + 1,
        log=ours[at] if at < len(ours) else None,
        state=theirs[at] if at < len(theirs) else None,
    )


def moves(waypoints: Sequence[str | None]) -> list[str]:
    """Return the places without holes and without repeats of the place where the agent stands."""
    places: list[str] = []
    for node in waypoints:
        if node is not None and places[-1:] != [node]:
            places.append(node)
    return places


_PRINTED_DEG = 0.006
"""Prompts print headings with two decimals."""

_START_DEG = 0.51
"""The start heading is printed as the data set has it, or as a whole number."""

_NO_STREET = "the cell {} holds no street in the map in which GROKE's scripts look it up"


def is_grid(lines: Sequence[StepLine]) -> bool:
    """Whether the prompts show cells."""
    return any(line.cell is not None or line.named is not None for line in lines)


def located(
    lines: Sequence[StepLine],
    episode: Episode,
    graph: Graph,
    published: Sequence[str | None] | None = None,
) -> list[StepLine]:
    """Return the lines of a grid log with the nodes where they stand and which they name."""
    walker = _GridWalker(_area(graph, episode), episode, published)
    following = (*lines[1:], None)
    return [walker.take(line, after) for line, after in zip(lines, following, strict=True)]


def _area(graph: Graph, episode: Episode) -> Graph:
    try:
        return cut_to_route(graph, episode.reference_path, AREA_LINKS)
    # no route, or one that leaves this map: then nothing says how far the authors' map reached
    except InputError:
        return graph


class _GridWalker:
    """Follows the replies of one log."""

    def __init__(
        self, area: Graph, episode: Episode, published: Sequence[str | None] | None
    ) -> None:
        self.area = area
        self.node: str | None = episode.start if episode.start in area else None
        self.heading_deg = episode.start_heading_deg
        self.published = tuple(published or ())
        self.replies = 0
        self.moved = False

    def take(self, line: StepLine, after: StepLine | None) -> StepLine:
        """Return the line with its node and the node that it names, and go on to there."""
        # an uncertain place stays so to the end: grid prompts name no node that could mend it
        if not self._has_arrival_heading(line):
            self.node = None
        if self.node is None:
            return replace(line, node=None, decision=_unknown(line))
        here = self.node
        if line.named is None:
            return replace(line, node=here)
        self.replies += 1
        view = look(self.area, here, self._heading(line), ())
        target, is_certain = self._target(line, view, after)
        if target is not None and target != here:
            self.node, self.moved = target, True
            self.heading_deg = arrival_heading_deg(self.area, here, target)
        if not is_certain:
            self.node = None
        decision = _decision(line, target) if is_certain else _unknown(line)
        shown = tuple(node.id for node in view.path)
        return replace(line, node=here, decision=decision, visible=shown)

    def _heading(self, line: StepLine) -> float:
        return self.heading_deg if self.heading_deg is not None else line.heading_deg or 0.0

    def _has_arrival_heading(self, line: StepLine) -> bool:
        """Whether the heading that is printed is the one with which the agent arrived."""
        if line.heading_deg is None or self.heading_deg is None:
            return True
        apart = abs(turn_deg(line.heading_deg, self.heading_deg))
        return apart <= (_PRINTED_DEG if self.moved else _START_DEG)

    def _target(
        self, line: StepLine, view: View, after: StepLine | None
    ) -> tuple[str | None, bool]:
        """Return the node of a cell, ``None`` for no street; and whether that is certain."""
        if self.replies < len(self.published):
            given = self.published[self.replies]
            # a hole after the last reply: the scripts found no street under its cell
            if given is None and after is None:
                return None, True
            if given is not None and self._fits(view.node, given, after):
                return given, True
        nodes = [node for node, at in _lookup(line, view).items() if at == line.named]
        # several nodes may share a cell: the agent's own counts first
        nodes = [view.node] if view.node in nodes else nodes
        # no street ends a walk; where a prompt follows all the same, our map differs from theirs
        if not nodes:
            return None, after is None
        fitting = [node for node in nodes if self._fits(view.node, node, after)]
        return (fitting[0], True) if len(fitting) == 1 else (nodes[0], False)

    def _fits(self, here: str, node: str, after: StepLine | None) -> bool:
        """Whether the heading of the next prompt is the one with which the agent gets to a node."""
        if node == here:
            return after is None
        arrived = arrival_heading_deg(self.area, here, node)
        if after is None or after.heading_deg is None or arrived is None:
            return arrived is not None
        return abs(turn_deg(arrived, after.heading_deg)) <= _PRINTED_DEG


def _lookup(line: StepLine, view: View) -> dict[str, Cell]:
    """Return the cell of each node in the map where replies are looked up."""
    # what the prompt shows no street for was not in the authors' map, whose edge is not quite ours
    nodes = draw(view).nodes
    row, column = nodes[view.node]
    apart = {node: (at[0] - row, at[1] - column) for node, at in nodes.items()}
    kept = {node: by for node, by in apart.items() if _is_street(line, by)}
    # never empty: the agent's own node is always kept
    rows, columns = zip(*kept.values(), strict=True)
    top, left = min(rows) - 1, min(columns) - 1
    return {node: (by[0] - top, by[1] - left) for node, by in kept.items()}


def _is_street(line: StepLine, by: Cell) -> bool:
    """Whether the prompt shows a street `by` rows and columns from the agent; yes without rows."""
    if line.cell is None or not line.rows or by == (0, 0):
        return True
    row, column = line.cell[0] + by[0], line.cell[1] + by[1]
    inside = 0 <= row < len(line.rows) and 0 <= column < len(line.rows[row])
    return inside and line.rows[row][column] != "0"


def _unknown(line: StepLine) -> Decision:
    if line.named is None:
        return line.decision
    # not to know the node is a lack of ours, no fault of the agent: the reply stays legal
    return line.decision.model_copy(
        update={"target": _text(line), "legal": True, "reason": UNKNOWN_PLACE}
    )


def _text(line: StepLine) -> str:
    return "" if line.named is None else f"[{line.named[0]}, {line.named[1]}]"


def _decision(line: StepLine, target: str | None) -> Decision:
    if target is None:
        reason = _NO_STREET.format(_text(line))
        return line.decision.model_copy(update={"legal": False, "reason": reason})
    return line.decision.model_copy(update={"target": target, "legal": True, "reason": None})


@dataclass(frozen=True, slots=True)
class JoinedStates:
    """The state file that was chosen for a run."""

    states: Mapping[str, State]
    """By episode; of the chosen file, else of another one that has the episode."""
    method: str
    own: bool = False
    """Whether the file holds this run: the waypoints of at least half of the episodes agree."""
    file: str | None = None

    def state(self, key: str, log: EpisodeLog) -> State | None:
        """Return the state of a log's episode; ``None`` where that id is another episode."""
        state = self.states.get(key)
        return state if state is not None and _same_episode(state, log) else None

    def walk(self, log: EpisodeLog, episode: Episode, graph: Graph, state: State | None) -> LogWalk:
        """Return the walk of a log, on a grid from the start of the episode on."""
        # waypoints of another run would pull a grid walk to places where it never was
        published = state.methods.get(self.method) if state is not None and self.own else None
        return _walk(log, episode, graph, None if published is None else published.waypoints)


def join_states(
    files: Mapping[Path, Sequence[State]], method: str, logs: Mapping[str, EpisodeLog], graph: Graph
) -> JoinedStates:
    """Choose the state file whose waypoints agree with most episodes of the logs."""
    if not files:
        return JoinedStates({}, method)
    by_file = {path: _by_episode(states) for path, states in files.items()}
    ranks: dict[Path, tuple[int, int]] = {}
    for path, states in by_file.items():
        shared = sum(key in states for key in logs)
        # where no walk agrees, the file with most of these episodes is the best for their routes
        ranks[path] = (_agreeing(states, method, logs, graph), shared)
    best = max(ranks, key=lambda path: ranks[path])
    agreeing, _ = ranks[best]
    # half, not all: a run's own file may still differ in single walks, which are reported one by
    # one
    own = agreeing > 0 and 2 * agreeing >= len(logs)
    # the best file first: it says most of these episodes
    merged: dict[str, State] = {**by_file[best]}
    for states in by_file.values():
        for key, state in states.items():
            merged.setdefault(key, state)
    return JoinedStates(merged, method, own, best.name)


def _by_episode(states: Sequence[State]) -> dict[str, State]:
    return {state.episode.id: state for state in states}


def _agreeing(
    states: Mapping[str, State], method: str, logs: Mapping[str, EpisodeLog], graph: Graph
) -> int:
    count = 0
    for key, log in logs.items():
        state = states.get(key)
        theirs = state.methods.get(method) if state is not None else None
        if state is None or theirs is None or not _same_episode(state, log):
            continue
        walk = _walk(log, state.episode, graph, theirs.waypoints)
        count += agreement(walk, theirs.waypoints).whole
    return count


def _walk(
    log: EpisodeLog, episode: Episode, graph: Graph, published: Sequence[str | None] | None
) -> LogWalk:
    if is_grid(log.lines):
        return walk_of(located(log.lines, episode, graph, published))
    return walk_of(log.lines)


def _same_episode(state: State, log: EpisodeLog) -> bool:
    """Whether start and instruction are the same, as far as the log says them."""
    start, logged = log.lines[0].node, log.instruction.split()
    words = state.episode.instruction.split()
    # a prompt may cut the instruction
    shared = min(len(logged), len(words))
    return start in {None, state.episode.start} and logged[:shared] == words[:shared]
