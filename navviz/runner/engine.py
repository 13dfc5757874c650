"""Who walks the episodes of a batch: this thread, threads, processes, or a Dask cluster.

All are a `concurrent.futures.Executor`, so that one loop (`navviz.runner.batch`) serves them all.
"""

from __future__ import annotations

import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from navviz.errors import NavVizError, SettingsError, StoreError
from navviz.llm.registry import make_model
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, Episode, Price
from navviz.runner.budget import Budget
from navviz.runner.store import TraceStore
from navviz.runner.walk import GraphOf, Outcome, WalkJob, walk_one
from navviz.runs.graphs import graph_finder
from navviz.support.installation.extras import needs_extra
from navviz.support.installation.processes import WorkerContext, leave_end_to_parent
from navviz.support.version import VERSION
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


_KEPT = 2
"""Batches whose graphs and model a worker keeps; one of a cluster lives for many."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model that a worker makes with its own environment's key; keys are never sent."""

    name: str
    options: ModelOptions = field(default_factory=ModelOptions)
    prices: Mapping[str, Price] | None = None
    jobs: Path | None = None
    """Folder that notes the jobs of a batch mode."""

    def make(self) -> LanguageModel:
        """Make the model; see `navviz.llm.registry.make_model` for the errors."""
        return make_model(self.name, self.options, prices=self.prices, jobs=self.jobs)


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

    Raises `SettingsError` when another version of NavViz sent the task.
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
            graph_of = graph_finder(task.graphs, {each.id: each for each in task.starts})
            lock = threading.Lock()

            def locked(world: str) -> Graph:
                with lock:
                    return graph_of(world)

            _OPENED[task.token] = _Bench(job, locked)
        opened = _OPENED[task.token]
    return walk_one(opened.job, episode, opened.graph_of)


def begin_worker() -> None:
    """Begin a process of the local pool: the parent decides when it ends."""
    leave_end_to_parent()


_CONNECT_S = 10

_POLL_S = 0.5

_LOSES_S = 15.0
"""A scheduler that does not answer for so long counts as gone: walks stop, and what was paid for is
on disk.
"""

T = TypeVar("T")


def connected(address: str) -> Any:  # noqa: ANN401 - distributed has no types
    """Return a client of the scheduler at ``HOST:PORT``.

    Raises `SettingsError` when nobody answers there; `MissingExtraError` when Dask is not
    installed.
    """
    with needs_extra("dask"):
        from distributed import Client
    try:
        # not as default: other work that this process gives to Dask stays where it was
        return Client(f"tcp://{address}", timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"There is no Dask scheduler at {address}; start one with `dask scheduler`, or check"
            " host and port."
        ) from error


def check_versions(client: Any, address: str) -> None:  # noqa: ANN401
    """Refuse a cluster whose workers run another version of NavViz, before anything is paid for.

    Raises `SettingsError` that names a worker and both versions.
    """
    # an old worker does not have `worker_version`; its error comes back as its answer
    answers = client.run(worker_version, on_error="return")
    for worker, answer in sorted(answers.items()):
        if answer == VERSION:
            continue
        other = f"NavViz {answer}" if isinstance(answer, str) else "no NavViz that can be asked"
        raise SettingsError(
            f"The worker {worker} of the Dask cluster at {address} has {other}, this machine has"
            f" {VERSION}; install the same version on both."
        )


def worker_version() -> str:
    """Return the version of NavViz in this process."""
    return VERSION


def lost_scheduler(address: str) -> NavVizError:
    """Return what to raise when the scheduler went away in the middle."""
    return NavVizError(
        f"The Dask scheduler at {address} cannot be reached any more; start it and its workers"
        " again, and the same command goes on from here."
    )


@dataclass(frozen=True, slots=True)
class Shared:
    """Names under which a batch's budget and stop stand at the scheduler; sent to every worker."""

    token: str
    usd: float | None = None
    tokens: int | None = None
    limited: bool = False

    @property
    def _stop(self) -> str:
        return f"navviz-stop-{self.token}"

    @property
    def spent(self) -> str:
        """Name of the sum of all calls."""
        return f"navviz-spent-{self.token}"

    def begin(self, client: Any, budget: Budget | None) -> None:  # noqa: ANN401
        """Write to the scheduler what earlier calls of the run have used."""
        from distributed import Variable

        spent = (0.0, 0, None)
        if budget is not None:
            spent = (budget.spent_usd, budget.spent_tokens, None)
        Variable(self.spent, client=client).set(spent)

    def count_into(self, budget: Budget | None, client: Any) -> None:  # noqa: ANN401
        """Take what all workers have spent into the budget of whoever began the batch."""
        from distributed import Variable

        if budget is not None:
            usd, tokens, _ = Variable(self.spent, client=client).get(timeout=_CONNECT_S)
            budget.add(usd - budget.spent_usd, tokens - budget.spent_tokens)

    def stop(self, client: Any) -> None:  # noqa: ANN401
        """Tell every walk of the batch to stop at once."""
        from distributed import Event

        Event(self._stop, client=client).set()

    def forget(self, client: Any) -> None:  # noqa: ANN401
        """Take the names from the scheduler, once nothing of the batch runs."""
        from distributed import Variable

        Variable(self.spent, client=client).delete()

    # --- in a worker

    def stop_profiler(self) -> None:
        """Stop Dask's own profiler in this worker, where it may freeze it for ever.

        Every 10 ms of a task it asks for the frames of all threads. Before Python 3.11.9 that may
        collect garbage under a lock that other threads wait for with the interpreter's own
        (https://github.com/python/cpython/issues/106883).
        """
        if sys.version_info >= (3, 11, 9):
            return
        from distributed import get_worker

        worker = get_worker()
        profiler = worker.periodic_callbacks.get("profile")
        if profiler is not None:
            # a walk has a thread of its own, and callbacks belong to the worker's loop
            worker.loop.add_callback(profiler.stop)

    def budget(self) -> Budget | None:
        """Return the budget as a worker looks at it; ``None`` where there is no limit."""
        return ClusterBudget(self) if self.limited else None

    def stop_event(self) -> threading.Event:
        """Return an event that is set when the batch is stopped, or the scheduler is gone."""
        from distributed import Event, get_client

        # a walk looks at its event often; a local one costs no message to the scheduler
        local, far = threading.Event(), Event(self._stop, client=get_client())
        threading.Thread(target=_watch, args=(far, local), daemon=True, name="navviz-stop").start()
        return local


def _watch(far: Any, local: threading.Event) -> None:  # noqa: ANN401
    answered_s = time.monotonic()
    while not local.is_set():
        try:
            stopped = bool(far.is_set())
            answered_s = time.monotonic()
        except Exception:  # noqa: BLE001 - a scheduler that goes away shows in many kinds of error
            stopped = time.monotonic() - answered_s > _LOSES_S
        if stopped:
            local.set()
        time.sleep(_POLL_S)


class ClusterBudget(Budget):
    """A `Budget` whose sum stands at the scheduler: all workers of a batch see what each has spent.

    A call costs four messages to the scheduler (some milliseconds; a model's call takes seconds).
    Each worker looks before it calls, so that the calls that are in flight at that moment may pass
    the limit, one a worker.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared.usd, shared.tokens)
        self._name = shared.spent

    def check(self) -> None:
        """Raise `BudgetError` when the sum of all workers reached the limit."""
        self._take(self._answer_of(lambda: self._sum().get(timeout=_CONNECT_S)))
        super().check()

    def charge(self, calls: Iterable[Call]) -> None:
        """Add calls to the sum of all workers."""
        from distributed import Lock

        def add() -> None:
            # reading and writing are two messages: without the lock two workers lose one of their
            # sums
            with Lock(self._name):
                self._take(self._sum().get(timeout=_CONNECT_S))
                super(ClusterBudget, self).charge(calls)
                self._sum().set(
                    (self.spent_usd, self.spent_tokens, self._uncounted), timeout=_CONNECT_S
                )

        self._answer_of(add)

    def _sum(self) -> Any:  # noqa: ANN401
        from distributed import Variable, get_client

        return Variable(self._name, client=get_client())

    def _take(self, spent: tuple[float, int, str | None]) -> None:
        with self._lock:
            self.spent_usd, self.spent_tokens, self._uncounted = spent

    @staticmethod
    def _answer_of(what: Callable[[], T]) -> T:
        try:
            return what()
        except NavVizError:
            raise
        except Exception as error:
            raise StoreError(
                "The budget cannot be kept, since the Dask scheduler does not answer."
            ) from error


_AHEAD = 2
"""Episodes handed out to each worker: one is walked, one waits, so that none is idle."""

_DASK = "dask://"

_CLOSE_S = 5


def check_engine(engine: str | None) -> str | None:
    """Return ``HOST:PORT`` of ``dask://HOST:PORT``; ``None`` for this machine.

    Raises `SettingsError` when the text is neither.
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
