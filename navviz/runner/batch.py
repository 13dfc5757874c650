"""Many episodes: with several workers, resumable, with progress."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path

from navviz.errors import InputError, NavVizError, StoreError
from navviz.llm.base import LanguageModel
from navviz.records import CallEvent, EndStatus, Episode, PlanEvent, StepEvent, TraceHeader
from navviz.records.trace_files import read_events
from navviz.runner.budget import Budget
from navviz.runner.engine import Crew, Pool
from navviz.runner.episode import trace_path
from navviz.runner.lock import RunLock
from navviz.runner.same_episodes import Again, changed_episodes, check_unchanged, set_changed_aside
from navviz.runner.store import TraceStore
from navviz.runner.walk import GraphOf, Outcome, WalkJob
from navviz.systems.base import Navigator, Settings

_LOG = logging.getLogger(__name__)
_WAIT_S = 0.2
"""How late a stop or an empty budget is noticed while all workers walk."""
OnProgress = Callable[[int, int, Outcome], None]


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
    again: Again = "refuse",
    crew: Crew | None = None,
) -> list[Outcome]:
    """Walk many episodes; a second call with the same run goes on where the first ended.

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
        Graph folder, which worker processes open for themselves; needed for more than one worker
        without a model.
    budget
        Limit of tokens or money, shared by all episodes; what traces on disk have used counts.
    cancel
        When set, running episodes stop and no other one begins.
    on_progress
        Called with (episodes done, all episodes, the outcome) in the calling thread.
    again
        What is done about episodes of which the run holds a walk of another content.
    crew
        Who walks, such as the workers of a cluster; then `workers` and `graphs` are not looked at.

    Returns
    -------
    The outcomes of the episodes that were walked or found finished, in the order of `episodes`.

    Raises
    ------
    SettingsError
        When episodes changed since the run walked them, and `again` refuses that.
    StoreError
        When traces cannot be written (full disk), so that nothing more is begun; or when another
        process walks this run already.
    """
    job = WalkJob(
        navigator=navigator,
        settings=settings,
        run=run,
        store=TraceStore.at(out),
        llm=llm,
        cancel=cancel or threading.Event(),
        budget=budget,
    )
    if crew is None:
        crew = Crew(workers=workers, graphs=() if graphs is None else (graphs,), budget=budget)
    # the lock comes first: another process could begin a walk between the look and ours
    with RunLock(out / run):
        changed = changed_episodes(job.store, run, episodes)
        if again == "refuse":
            check_unchanged(changed, str(out / run), None)
        set_changed_aside(job.store, changed)
        return walk_episodes(job, episodes, graph_of, crew, on_progress=on_progress)


def walk_episodes(
    job: WalkJob,
    episodes: Sequence[Episode],
    graph_of: GraphOf,
    crew: Crew,
    *,
    pause: threading.Event | None = None,
    noted: Mapping[str, Outcome] | None = None,
    on_progress: OnProgress | None = None,
) -> list[Outcome]:
    """Walk many episodes; the caller holds the run's lock.

    Parameters
    ----------
    job
        What all episodes share; its `cancel` stops walks that go on.
    episodes, graph_of, on_progress
        See `run_batch`.
    crew
        Who walks.
    pause
        When set, no other episode begins and those that go on come to their end.
    noted
        Outcomes of finished episodes by id, as earlier calls noted them.
    """
    outcomes: dict[str, Outcome] = {}

    def take(outcome: Outcome) -> None:
        outcomes[outcome.episode] = outcome
        if on_progress is not None:
            on_progress(len(outcomes), len(episodes), outcome)

    for outcome in _finished(job, episodes, noted or {}):
        take(outcome)
    # what earlier calls have spent counts: else each repeated command could spend the whole limit
    if job.budget is not None:
        _charge_earlier(job.budget, job, [episode.id for episode in episodes], noted or {})
    todo = [episode for episode in episodes if episode.id not in outcomes]
    halts = [event for event in (job.cancel, pause) if event is not None]
    if todo and not any(event.is_set() for event in halts):
        with crew.ready(job, todo, graph_of) as pool:
            for outcome in _pooled(pool, todo, job.cancel or threading.Event(), halts):
                take(outcome)
    return [outcomes[episode.id] for episode in episodes if episode.id in outcomes]


def _finished(
    job: WalkJob, episodes: Sequence[Episode], noted: Mapping[str, Outcome]
) -> Iterator[Outcome]:
    ends = job.store.finished(job.run, (episode.id for episode in episodes))
    for episode in episodes:
        if episode.id not in ends:
            continue
        path = trace_path(job.store.folder or Path(), job.run, episode.id)
        status = ends[episode.id]
        outcome = noted.get(episode.id)
        if outcome is None:
            yield Outcome(episode.id, path, status, skipped=True)
            continue
        # an address is only listed, so that a note of the walk knows more
        if status == EndStatus.UNKNOWN:
            status = outcome.status
        yield Outcome(
            episode.id,
            path,
            status,
            skipped=True,
            cost_usd=outcome.cost_usd,
            tokens=outcome.tokens,
            scores=outcome.scores,
            calls=outcome.calls,
            unpriced=outcome.unpriced,
        )


def _charge_earlier(
    budget: Budget, job: WalkJob, episodes: Sequence[str], noted: Mapping[str, Outcome]
) -> None:
    """Count what earlier calls of this run have used."""
    folder = job.store.folder
    for key in job.store.finished(job.run, episodes):
        if folder is not None:
            _charge(budget, trace_path(folder, job.run, key))
        elif key in noted:
            budget.add(noted[key].cost_usd, noted[key].tokens)
    for path in job.store.unfinished(job.run, episodes):
        _charge(budget, path)


def _charge(budget: Budget, path: Path) -> None:
    """Count the calls of a trace; a fork's copies of older steps were paid for by their own run."""
    try:
        copied = False
        origin = None
        for event in read_events(path):
            if isinstance(event, TraceHeader):
                origin = event.forked_from
                copied = origin is not None and "instruction" not in origin.changes
            elif isinstance(event, StepEvent) and origin is not None:
                copied = event.index < origin.step
            if copied:
                continue
            if isinstance(event, CallEvent):
                budget.charge([event.call])
            elif isinstance(event, PlanEvent):
                budget.charge(event.calls)
    except InputError:
        _LOG.warning("%s cannot be read; what it cost is not counted.", path)


def _pooled(
    pool: Pool,
    episodes: Sequence[Episode],
    cancel: threading.Event,
    halts: Sequence[threading.Event],
) -> Iterator[Outcome]:
    """Hand out episodes, a few ahead of the workers, and yield what comes back."""
    waiting, running, lost = iter(episodes), dict[Future[Outcome], Episode](), 0
    try:
        while True:
            halted = any(event.is_set() for event in halts)
            if not halted:
                # never all at once: a stop would find thousands of episodes handed out
                for episode in islice(waiting, pool.window - len(running)):
                    running[pool.submit(episode)] = episode
            elif pool.takes_back:
                running = {
                    future: episode for future, episode in running.items() if not future.cancel()
                }
            if cancel.is_set():
                pool.stop()
            if not running:
                break
            done, _ = wait(running, timeout=_WAIT_S, return_when=FIRST_COMPLETED)
            for future in done:
                del running[future]
                # what we took back is no longer in `running`, so that others cancelled this one
                lost += future.cancelled()
                if not future.cancelled():
                    yield _checked(future.result())
            pool.check()
    except BrokenProcessPool as error:
        raise NavVizError(
            "A worker process was killed from outside, perhaps out of memory; the same command"
            " goes on from here, with fewer workers if it happens again."
        ) from error
    except BaseException:
        # after Ctrl-C too: the workers would walk on, and pay for it
        cancel.set()
        raise
    if lost:
        raise NavVizError(
            "Some episodes were not walked by their workers; the same command walks them."
        )


def _checked(outcome: Outcome) -> Outcome:
    """Raise `StoreError` for an outcome whose trace could not be written."""
    if outcome.lost:
        raise StoreError(outcome.reason or f"{outcome.path}: cannot be written.")
    return outcome
