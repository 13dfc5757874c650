"""Many episodes: with several workers, resumable, with progress."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from navviz.errors import InputError, NavVizError, StoreError
from navviz.llm.base import LanguageModel
from navviz.navigators.base import Navigator, Settings
from navviz.records import CallEvent, EndEvent, EndStatus, Episode, PlanEvent, Trace
from navviz.records.trace_files import read_events
from navviz.runner.budget import Budget
from navviz.runner.episode import run_episode, trace_path
from navviz.runner.lock import RunLock
from navviz.runner.request import WalkRequest
from navviz.runner.resume import end_of, has_begun, is_finished, past_of, set_aside
from navviz.world.graph import Graph

__all__ = ["Outcome", "run_batch"]

_LOG = logging.getLogger(__name__)
_WAIT_S = 0.2
"""How late a stop or an empty budget is noticed while all workers walk."""
GraphOf = Callable[[str], Graph]
OnProgress = Callable[[int, int, "Outcome"], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one episode of a batch ended."""

    episode: str
    path: Path
    status: EndStatus
    reason: str | None = None
    cost_usd: float = 0.0
    """Cost of the calls with a known price."""
    tokens: int = 0
    skipped: bool = False
    """Finished in an earlier call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What all episodes of a batch share."""

    navigator: Navigator
    settings: Settings
    run: str
    out: Path
    llm: LanguageModel | None = None
    cancel: threading.Event | None = None
    budget: Budget | None = None
    slots: threading.Semaphore | None = None


def run_batch(
    navigator: Navigator,
    episodes: Sequence[Episode],
    graph_of: GraphOf,
    settings: Settings,
    *,
    run: str,
    out: Path,
    llm: LanguageModel | None = None,
    workers: int = 1,
    graphs: Path | None = None,
    budget: Budget | None = None,
    cancel: threading.Event | None = None,
    on_progress: OnProgress | None = None,
) -> list[Outcome]:
    """Walk many episodes; a second call with the same run goes on where the first one ended or was killed.

    Parameters
    ----------
    navigator, settings
        Who walks, and how.
    episodes
        What is walked, in this order.
    graph_of
        Graph by the name of the world.
    run, out
        Traces go to ``<out>/<run>/``.
    llm
        The model, for navigators that need one.
    workers
        Episodes at the same time: threads where a model is asked, processes otherwise.
    graphs
        Graph folder, which worker processes open for themselves; needed for more than one worker without a model.
    budget
        Limit of tokens or money, shared by all episodes; what traces on disk have used counts.
    cancel
        When set, running episodes stop and no other one begins.
    on_progress
        Called with (episodes done, all episodes, the outcome) in the calling thread.

    Returns
    -------
    The outcomes of the episodes that were walked or found finished, in the order of `episodes`.

    Raises
    ------
    StoreError
        When traces cannot be written (full disk), so that nothing more is begun; or when another process walks this
        run already.
    """
    with RunLock(out / run):
        return _run_batch(
            navigator, episodes, graph_of, settings,
            run=run, out=out, llm=llm, workers=workers, graphs=graphs, budget=budget, cancel=cancel,
            on_progress=on_progress,
        )  # fmt: skip


def _run_batch(
    navigator: Navigator,
    episodes: Sequence[Episode],
    graph_of: GraphOf,
    settings: Settings,
    *,
    run: str,
    out: Path,
    llm: LanguageModel | None,
    workers: int,
    graphs: Path | None,
    budget: Budget | None,
    cancel: threading.Event | None,
    on_progress: OnProgress | None,
) -> list[Outcome]:
    cancel = cancel or threading.Event()
    outcomes: dict[str, Outcome] = {}
    for episode in episodes:
        if is_finished(path := trace_path(out, run, episode.id)):
            end = end_of(path)
            status = end.status if end is not None else EndStatus.UNKNOWN
            outcomes[episode.id] = Outcome(episode.id, path, status, skipped=True)
            if on_progress is not None:
                on_progress(len(outcomes), len(episodes), outcomes[episode.id])
    if budget is not None:
        _charge_earlier(budget, (trace_path(out, run, episode.id) for episode in episodes))
    todo = [episode for episode in episodes if episode.id not in outcomes]
    job = _Job(
        navigator=navigator,
        settings=settings,
        run=run,
        out=out,
        llm=llm,
        cancel=cancel,
        budget=budget,
        slots=threading.Semaphore(max(1, workers)),
    )
    for outcome in _outcomes(job, todo, graph_of, graphs, workers):
        outcomes[outcome.episode] = outcome
        if on_progress is not None:
            on_progress(len(outcomes), len(episodes), outcome)
    return [outcomes[episode.id] for episode in episodes if episode.id in outcomes]


def _charge_earlier(budget: Budget, paths: Iterator[Path]) -> None:
    for path in paths:
        if not has_begun(path):
            continue
        try:
            for event in read_events(path):
                if isinstance(event, CallEvent):
                    budget.charge([event.call])
                elif isinstance(event, PlanEvent):
                    budget.charge(event.calls)
        except InputError:
            _LOG.warning("%s cannot be read; what it cost is not counted.", path)


def _outcomes(
    job: _Job, episodes: Sequence[Episode], graph_of: GraphOf, graphs: Path | None, workers: int
) -> Iterator[Outcome]:
    workers = min(workers, len(episodes))
    if workers <= 1:
        for episode in episodes:
            if job.cancel is not None and job.cancel.is_set():
                return
            yield _checked(_run_one(job, episode, graph_of))
    elif job.llm is None and graphs is not None:
        shared = replace(job, cancel=None, slots=None)
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(workers, context, initializer=_begin_worker, initargs=(shared, graphs))
        yield from _pooled(pool, job.cancel, [(_run_in_worker, (episode,)) for episode in episodes])
    else:
        threads = ThreadPoolExecutor(workers, thread_name_prefix="navviz-run")
        tasks = [(_run_one, (job, episode, graph_of)) for episode in episodes]
        yield from _pooled(threads, job.cancel, tasks)


def _pooled(
    pool: Executor, cancel: threading.Event | None, tasks: Sequence[tuple[Callable[..., Outcome], tuple[object, ...]]]
) -> Iterator[Outcome]:
    futures: set[Future[Outcome]] = {pool.submit(function, *arguments) for function, arguments in tasks}
    try:
        while futures:
            done, futures = wait(futures, timeout=_WAIT_S, return_when=FIRST_COMPLETED)
            if cancel is not None and cancel.is_set():
                futures = {future for future in futures if not future.cancel()}
            for future in done:
                if not future.cancelled():
                    yield _checked(future.result())
    except BrokenProcessPool as error:
        raise NavVizError(
            "A worker process was killed from outside, perhaps for want of memory; the same command goes on from here, "
            "with fewer workers if it happens again."
        ) from error
    except BaseException:
        if cancel is not None:
            cancel.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _checked(outcome: Outcome) -> Outcome:
    """Raise `StoreError` for an outcome whose trace could not be written; the next one could not be either."""
    if outcome.status == EndStatus.ERROR and end_of(outcome.path) is None:
        raise StoreError(outcome.reason or f"{outcome.path}: cannot be written.")
    return outcome


def _run_one(job: _Job, episode: Episode, graph_of: GraphOf) -> Outcome:
    path = trace_path(job.out, job.run, episode.id)
    past = _past(job, path)
    try:
        graph = graph_of(episode.world)
    except InputError as error:
        return Outcome(episode.id, path, EndStatus.UNKNOWN, str(error))
    cost_usd, tokens, end = 0.0, 0, None
    request = WalkRequest(
        navigator=job.navigator,
        settings=job.settings,
        episode=episode,
        graph=graph,
        run=job.run,
        out=job.out,
        llm=job.llm,
        cancel=job.cancel,
        budget=job.budget,
        slots=job.slots,
        past=past,
        resume=past is not None,
    )
    for event in run_episode(request):
        calls = (event.call,) if isinstance(event, CallEvent) else event.calls if isinstance(event, PlanEvent) else ()
        cost_usd += sum(call.cost_usd or 0.0 for call in calls)
        tokens += sum(call.tokens or 0 for call in calls)
        end = event if isinstance(event, EndEvent) else end
    if end is None:
        return Outcome(episode.id, path, EndStatus.UNKNOWN, "The walk has no end.", cost_usd, tokens)
    return Outcome(episode.id, path, end.status, end.reason, cost_usd, tokens)


def _past(job: _Job, path: Path) -> Trace | None:
    """Go on with what cost money; start again where that costs nothing."""
    if not has_begun(path):
        path.unlink(missing_ok=True)
        return None
    past = past_of(path) if job.llm is not None else None
    if past is None and job.llm is not None:
        set_aside(path)
    elif past is None:
        path.unlink()
    return past


_WORKER: dict[str, tuple[_Job, GraphOf]] = {}
"""What a worker process keeps between episodes; its graphs are opened once."""


def _begin_worker(job: _Job, graphs: Path) -> None:
    from navviz.formats import open_worlds

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _WORKER["job"] = (job, open_worlds(graphs))


def _end_with_parent() -> None:
    """Watch the parent: one that was killed cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(episode: Episode) -> Outcome:
    job, graph_of = _WORKER["job"]
    return _run_one(job, episode, graph_of)
