"""What a worker process keeps between episodes: graphs and model are opened once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.errors import SettingsError
from navviz.llm.registry import make_model
from navviz.llm.streaming import ModelOptions
from navviz.records import Episode, Price
from navviz.runner.store import TraceStore
from navviz.runner.walk import GraphOf, Outcome, WalkJob, walk_one
from navviz.runs.graphs import graph_finder
from navviz.support.installation.processes import leave_end_to_parent
from navviz.support.version import VERSION
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel
    from navviz.runner.cluster import Shared

_KEPT = 2
"""Batches whose graphs and model a worker keeps; one of a cluster lives for many."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model that a worker makes with its own environment's key; keys are never sent."""

    name: str
    options: ModelOptions = field(default_factory=ModelOptions)
    prices: Mapping[str, Price] | None = None

    def make(self) -> LanguageModel:
        """Make the model; see `navviz.llm.registry.make_model` for the errors."""
        return make_model(self.name, self.options, prices=self.prices)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerTask:
    """What is sent to a worker beside the episode."""

    token: str
    """Tells batches apart."""
    navigator: Navigator
    settings: Settings
    run: str
    store: TraceStore
    graphs: tuple[Path, ...]
    starts: tuple[Episode, ...] = ()
    """An episode of each world, which tells on which of several maps it is walked."""
    model: ModelSpec | None = None
    shared: Shared | None = None
    """Budget and stop of a cluster."""
    version: str = VERSION
    """The NavViz that sends the task; a worker of another version may join at any time."""


@dataclass(slots=True)
class _Bench:
    """A worker's own things for one batch."""

    job: WalkJob
    graph_of: GraphOf


_OPENED: dict[str, _Bench] = {}
_LOCK = threading.Lock()
"""Workers of a cluster may have several threads; one opens, the others wait."""


def walk_in_worker(task: WorkerTask, episode: Episode) -> Outcome:
    """Walk an episode in a worker process.

    Raises
    ------
    SettingsError
        When another version of NavViz sent the task.
    """
    if task.version != VERSION:
        raise SettingsError(
            f"This worker has NavViz {VERSION}, the task comes from {task.version}; install the"
            " same version on both."
        )
    with _LOCK:
        if task.token not in _OPENED:
            for old in list(_OPENED)[: -_KEPT + 1]:
                del _OPENED[old]
            _OPENED[task.token] = _opened(task)
        opened = _OPENED[task.token]
    return walk_one(opened.job, episode, opened.graph_of)


def _opened(task: WorkerTask) -> _Bench:
    if task.shared is not None:
        task.shared.stop_profiler()
    job = WalkJob(
        navigator=task.navigator,
        settings=task.settings,
        run=task.run,
        store=task.store,
        llm=task.model.make() if task.model is not None else None,
        cancel=task.shared.stop_event() if task.shared is not None else None,
        budget=task.shared.budget() if task.shared is not None else None,
    )
    return _Bench(
        job, _one_at_a_time(graph_finder(task.graphs, {each.id: each for each in task.starts}))
    )


def _one_at_a_time(graph_of: GraphOf) -> GraphOf:
    lock = threading.Lock()

    def locked(world: str) -> Graph:
        with lock:
            return graph_of(world)

    return locked


def begin_worker() -> None:
    """Begin a process of the local pool: the parent decides when it ends."""
    leave_end_to_parent()
