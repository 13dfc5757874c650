"""The what-ifs of a run: worked out by processes of their own, and kept in the cache."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from navviz.analysis.what_if.cube import WhatIf
from navviz.analysis.what_if.follower import Followed, follow_on
from navviz.analysis.what_if.walking import Walker, cube_of, walker_of
from navviz.errors import InputError, NavVizError, SettingsError
from navviz.formats import GraphOf
from navviz.metrics.walked import walked_graph
from navviz.records import Trace
from navviz.runs.content_cache import content_place, keep_if_possible
from navviz.runs.graphs import graphs_of_starts
from navviz.runs.index.build import work_through
from navviz.runs.index.inputs import plugin_stamp
from navviz.runs.run import OpenRun
from navviz.support.guarded import read_text
from navviz.systems.registry import is_branching
from navviz.world.graph import Graph

EpisodeWhatIf = WhatIf | Followed
"""The cube of a walk, or what the follower does where the walk cannot be taken again."""
_LAYOUT = "1"
"""Counted up when cells are walked or written otherwise than before."""
_ALONE = 60
"""So few episodes are walked in this process: to start others takes as long."""
_NAME: Final = TypeAdapter(str)

_ADAPTERS: Final[Mapping[str, TypeAdapter[Any]]] = {
    "cube": TypeAdapter(WhatIf),
    "follower": TypeAdapter(Followed),
}


@dataclass(frozen=True)
class RunWhatIfs:
    """The what-ifs of a run's episodes."""

    episodes: Mapping[str, EpisodeWhatIf]
    """In the order of the run."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Why an episode has none, in one sentence."""


def what_ifs(
    run: OpenRun,
    *,
    every: bool = False,
    after: Callable[[int], None] | None = None,
    processes: int | None = None,
) -> RunWhatIfs:
    """Return the what-ifs of a run's failures, out of the cache where it has them.

    `run`: of a navigator without a model: its cubes. Of others: what the follower does. `after`:
    called with the number of episodes that are done. `processes`: how many share the work; the
    machine's cores, four at most, where not given.
    """
    wanted = [key for key in run.traces if every or run.scores.rows[key].get("SR") == 0.0]
    path = _place(run)
    by_episode, left_out = _read(path), dict[str, str]()
    missing = [key for key in wanted if key not in by_episode]
    pieces = _worked_out(run, missing, processes)
    done = len(wanted) - len(missing)
    try:
        for piece in pieces:
            for key, one in piece.items():
                if isinstance(one, str):
                    left_out[key] = one
                else:
                    by_episode[key] = one
            done += len(piece)
            if after is not None:
                after(done)
    finally:
        # who stops it keeps what is there
        pieces.close()
        if missing:
            lines = b"\n".join(_line(key, one) for key, one in by_episode.items())
            keep_if_possible(path, lambda file: file.write(lines))
    return RunWhatIfs({key: by_episode[key] for key in wanted if key in by_episode}, left_out)


def what_if_of(run: OpenRun, episode: str | int) -> EpisodeWhatIf:
    """Return the what-ifs of one episode, worked out where the cache does not have them.

    Raises `InputError` for an episode that the run does not have, or that has no goal or no walk on
    its map.
    """
    key = str(episode)
    trace = run.trace(key)
    kept = _read(_place(run), key).get(key)
    return kept if kept is not None else _Maker(run.source.results).one(trace, run.graph(key))


def quick_what_if(run: OpenRun, episode: str) -> EpisodeWhatIf | None:
    """Return the what-ifs of one episode where they are kept, or are worked out within a second."""
    trace, path = run.trace(episode), _place(run)
    one = _read(path, episode).get(episode)
    if one is None and is_branching(trace.header.navigator):
        with contextlib.suppress(NavVizError):
            return _Maker(run.source.results).one(trace, run.graph(episode))
    return one


def ready_what_ifs(run: OpenRun) -> Mapping[str, EpisodeWhatIf]:
    """Return the what-ifs of a run that are kept; of `rules-local` all, worked out now."""
    return what_ifs(run, every=True).episodes if is_quick(run) else kept_what_ifs(run)


def kept_what_ifs(run: OpenRun) -> Mapping[str, EpisodeWhatIf]:
    """Return the what-ifs of a run that are kept."""
    return _read(_place(run))


def is_quick(run: OpenRun) -> bool:
    """Whether successes are worth walking, too: by copies, a tenth of a second an episode."""
    return is_branching(run.run.navigator)


class _Maker:
    """Works out the what-ifs of walks, with what it has seen of their maps."""

    def __init__(self, results: Path | None, graph_of: GraphOf | None = None) -> None:
        self._results, self._graph_of = results, graph_of
        self._walkers: dict[str, Walker] = {}

    def __call__(self, traces: Sequence[Trace]) -> dict[str, EpisodeWhatIf | str]:
        """Return the what-ifs of walks by episode, or why one has none."""
        if self._graph_of is None:
            raise SettingsError("What-ifs of several walks need their maps.")
        by_episode: dict[str, EpisodeWhatIf | str] = {}
        for trace in traces:
            try:
                graph = self._graph_of(trace.episode.world)
                by_episode[trace.episode.id] = self.one(trace, walked_graph(trace, graph))
            except NavVizError as error:
                by_episode[trace.episode.id] = str(error)
        return by_episode

    def one(self, trace: Trace, graph: Graph) -> EpisodeWhatIf:
        """Return the cube of a walk, or what the follower does."""
        header = trace.header
        name = f"{header.navigator} {header.source} {header.model} {header.settings}"
        walker = self._walkers.get(name)
        if walker is None:
            try:
                walker = self._walkers[name] = walker_of(trace, self._results)
            except NavVizError:
                # nobody is here who could walk it again
                return follow_on(trace, graph)
        return cube_of(trace, graph, walker)


def _worked_out(
    run: OpenRun, missing: Sequence[str], processes: int | None
) -> Generator[dict[str, EpisodeWhatIf | str]]:
    graphs, results = run.source.graphs, run.source.results
    count = min(4, os.cpu_count() or 1) if processes is None else processes
    if len(missing) <= _ALONE or not graphs or count < 2:
        maker = _Maker(results, run.graph_of)
        for key in missing:
            yield maker([run.trace(key)])
        return
    # neighbours see the same streets, so that pieces are long; short enough that none waits
    chunk = max(10, math.ceil(len(missing) / (4 * count)))
    make = partial(_maker_of, results, graphs, run.starts())
    traces = [_bare(run.trace(key)) for key in missing]
    yield from work_through(traces, make, count, chunk)


def _maker_of(results: Path | None, graphs: Sequence[Path], starts: Mapping[str, str]) -> _Maker:
    return _Maker(results, graphs_of_starts(graphs, starts))


def _bare(trace: Trace) -> Trace:
    """Return a walk without what only people read: a tenth is handed to another process."""
    steps = [step.model_copy(update={"panels": ()}) for step in trace.steps]
    return trace.model_copy(update={"steps": tuple(steps), "plan_panels": ()})


def _place(run: OpenRun) -> Path | None:
    # navigators and metrics of other packages change unannounced
    return content_place(run, "what-if", ".txt", _LAYOUT, plugin_stamp())


def _line(key: str, one: EpisodeWhatIf) -> bytes:
    kind = "cube" if isinstance(one, WhatIf) else "follower"
    return b"\t".join((json.dumps(key).encode(), kind.encode(), _ADAPTERS[kind].dump_json(one)))


def _read(path: Path | None, only: str | None = None) -> dict[str, EpisodeWhatIf]:
    """Read what is kept, a line an episode; of one episode, its line alone."""
    by_episode: dict[str, EpisodeWhatIf] = {}
    if path is None or not path.is_file():
        return by_episode
    # a file that was cut off, or that a tool has touched, is made anew
    with contextlib.suppress(OSError, ValueError, KeyError, InputError):
        for line in read_text(path).encode().splitlines():
            name, kind, text = line.split(b"\t", 2)
            key = _NAME.validate_json(name)
            if only is None or key == only:
                by_episode[key] = _ADAPTERS[kind.decode()].validate_json(text)
    return by_episode
