"""Who walks the episodes of a batch: this thread, threads, processes, or a Dask cluster.

All are a `concurrent.futures.Executor`, so that one loop (`navviz.runner.batch`) serves them all.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from navviz.errors import SettingsError
from navviz.records import Episode
from navviz.runner.budget import Budget
from navviz.runner.cluster import Shared, check_versions, connected, lost_scheduler
from navviz.runner.walk import GraphOf, Outcome, WalkJob, walk_one
from navviz.runner.worker import ModelSpec, WorkerTask, begin_worker, walk_in_worker
from navviz.support.installation.processes import WorkerContext

_AHEAD = 2
"""Episodes handed out to each worker: one is walked, one waits, so that none is idle."""
_DASK = "dask://"
_CLOSE_S = 5


def check_engine(engine: str | None) -> str | None:
    """Return ``HOST:PORT`` of ``dask://HOST:PORT``; ``None`` for this machine.

    Raises
    ------
    SettingsError
        When the text is neither.
    """
    if engine is None or engine == "local":
        return None
    address = engine.removeprefix(_DASK).rstrip("/")
    host, colon, port = address.rpartition(":")
    if not engine.startswith(_DASK) or not colon or not host or not port.isdecimal():
        raise SettingsError(
            f"--engine {engine}: write dask://HOST:PORT (a scheduler listens on 8786), or local."
        )
    return address


class Pool:
    """Workers that stand ready; `submit` hands them an episode."""

    def __init__(
        self, executor: Executor, window: int, call: tuple[Any, ...], *, takes_back: bool = True
    ) -> None:
        self.window = window
        """Episodes that may be handed out at a time."""
        self.takes_back = takes_back
        """Whether an episode that nobody has begun can be taken back."""
        self._executor, self._call = executor, call

    def submit(self, episode: Episode) -> Future[Outcome]:
        """Hand out an episode."""
        function, first, *rest = self._call
        return self._executor.submit(function, first, episode, *rest)

    def check(self) -> None:
        """Raise `NavVizError` when the workers cannot be reached any more."""

    def stop(self) -> None:
        """Tell walks that go on to stop; those of this process see it by themselves."""


class _ClusterPool(Pool):
    """The workers of a Dask cluster."""

    def __init__(self, client: Any, task: WorkerTask, shared: Shared, address: str) -> None:  # noqa: ANN401
        threads = sum(client.nthreads().values())
        # a task that was begun cannot be taken back: its walk would go on unseen
        super().__init__(
            client.get_executor(),
            _AHEAD * max(1, threads),
            (walk_in_worker, task),
            takes_back=False,
        )
        self._client, self._shared, self._address, self._stopped = client, shared, address, False

    def check(self) -> None:
        if self._client.status != "running":
            raise lost_scheduler(self._address)

    def stop(self) -> None:
        if not self._stopped:
            self._shared.stop(self._client)
            self._stopped = True


class _InThisThread(Executor):
    """Runs what it is given at once, in the thread that gives it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks the future gets it
            future.set_exception(error)
        return future


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """Who is to walk, and what those in other processes need for it."""

    workers: int = 1
    cluster: str | None = None
    """``HOST:PORT`` of a Dask scheduler."""
    graphs: tuple[Path, ...] = ()
    """Graph folders, which other processes open for themselves."""
    model: ModelSpec | None = None
    """The model, which workers of a cluster make for themselves."""
    budget: Budget | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    @contextmanager
    def ready(self, job: WalkJob, episodes: Sequence[Episode], graph_of: GraphOf) -> Iterator[Pool]:
        """Give the workers for a job, as many as it can use, and send them home after it."""
        workers = min(self.workers, len(episodes))
        if self.cluster is not None:
            with self._on_cluster(self.cluster, job, episodes) as pool:
                yield pool
        elif workers <= 1:
            yield Pool(_InThisThread(), 1, (walk_one, job, graph_of))
        # walks without a model compute, and Python's threads would take turns at that; calls of a
        # model wait for the network, for which threads are enough
        elif job.llm is None and self.graphs:
            with _ended(
                ProcessPoolExecutor(workers, WorkerContext(), initializer=begin_worker)
            ) as processes:
                yield Pool(processes, _AHEAD * workers, (walk_in_worker, self._task(job, episodes)))
        else:
            with _ended(ThreadPoolExecutor(workers, thread_name_prefix="navviz-run")) as threads:
                shared = replace(job, slots=job.slots or threading.Semaphore(workers))
                yield Pool(threads, workers, (walk_one, shared, graph_of))

    def _task(
        self, job: WalkJob, episodes: Sequence[Episode], shared: Shared | None = None
    ) -> WorkerTask:
        starts = (
            # reversed, so that the first episode of each world is the one that stays
            {episode.world: episode for episode in reversed(episodes)}
            if len(self.graphs) > 1
            else {}
        )
        return WorkerTask(
            token=self.token,
            navigator=job.navigator,
            settings=job.settings,
            run=job.run,
            store=job.store if shared is None else job.store.for_cluster(),
            graphs=tuple(path.resolve() for path in self.graphs),
            starts=tuple(starts.values()),
            model=self.model if shared is not None else None,
            shared=shared,
        )

    @contextmanager
    def _on_cluster(
        self, address: str, job: WalkJob, episodes: Sequence[Episode]
    ) -> Iterator[Pool]:
        limit = self.budget
        usd, tokens = (limit.usd, limit.tokens) if limit is not None else (None, None)
        shared = Shared(self.token, usd, tokens, limited=limit is not None)
        client = connected(address)
        try:
            check_versions(client, address)
            shared.begin(client, limit)
            yield _ClusterPool(client, self._task(job, episodes, shared), shared, address)
            # a further run of the same batch begins with what this one has spent
            shared.count_into(limit, client)
            # not after a fault: walks may still go on and look at the sum
            shared.forget(client)
        finally:
            with suppress(Exception):  # a scheduler that is gone cannot be told good-bye
                client.close(timeout=_CLOSE_S)


@contextmanager
def _ended(executor: Executor) -> Iterator[Executor]:
    try:
        yield executor
    finally:
        # a plain `with` would first walk all that was handed out
        cast("ProcessPoolExecutor", executor).shutdown(wait=True, cancel_futures=True)
