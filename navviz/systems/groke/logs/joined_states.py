"""Which state file belongs to a run of step logs, and what it says of each episode.

The route of an episode is a fact of the episode: it is joined from any state file that has the
episode. How a walk ended is a fact of the run: it is joined only from the file that holds this run,
by its waypoints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.records import Episode
from navviz.systems.groke.logs.grid_walk import is_grid, located
from navviz.systems.groke.logs.log_walks import LogWalk, agreement, walk_of
from navviz.systems.groke.logs.states import State
from navviz.systems.groke.logs.step_lines import EpisodeLog
from navviz.world.graph import Graph


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
