"""Many episodes: with several workers, resumable, with progress."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from navviz.errors import InputError, NavVizError, SettingsError, StoreError
from navviz.llm.base import LanguageModel
from navviz.records import CallEvent, EndStatus, Episode, PlanEvent, StepEvent, Trace, TraceHeader
from navviz.records.base import plural
from navviz.records.trace_files import read_events, read_trace
from navviz.runner.batches import Batch, RunLock
from navviz.runner.budget import Budget
from navviz.runner.config import RunConfig, write_config
from navviz.runner.engine import Crew, Pool
from navviz.runner.episode import trace_path
from navviz.runner.fork import round_name
from navviz.runner.plan import noted_digests
from navviz.runner.store import TraceStore
from navviz.runner.walk import GraphOf, Outcome, WalkJob
from navviz.systems.base import Navigator, Settings

Again = Literal["refuse", "changed"]
"""What is done about changed episodes: nothing is walked, or those are walked again."""

_CONTENT = (
    "instruction",
    "world",
    "start",
    "start_heading_deg",
    "reference_path",
    "goal",
    "sub_goals",
    "landmarks",
    "tasks",
    "step_tasks",
)
"""Fields of an `Episode` on which its walk and its figures hang; names of data set and split come
from folders.
"""

_UNREADABLE = "its trace cannot be read"

_NAMED = 5


@dataclass(frozen=True, slots=True)
class ChangedEpisode:
    """An episode that a run holds with another content."""

    run: str
    episode: str
    fields: tuple[str, ...]
    """What is not the same."""

    def __str__(self) -> str:
        return f"{self.episode} ({', '.join(self.fields)})"


def episode_digest(episode: Episode) -> str:
    """Return the SHA-256 of an episode's content in hexadecimal digits.

    It is the same however the file spells it: key order, blanks, and whole numbers as floats play
    no part.
    """
    written = json.dumps(
        _content(episode), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


def content_digest(episodes: Iterable[Episode]) -> str:
    """Return the SHA-256 of the episodes of a file: of their ids and contents, in any order."""
    # the zero byte parts id and digest, whatever an id ends with
    lines = sorted(f"{episode.id}\0{episode_digest(episode)}" for episode in episodes)
    # JSON may hold half of a surrogate pair, which plain UTF-8 refuses
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def changed_episodes(
    store: TraceStore,
    run: str,
    episodes: Sequence[Episode],
    digests: Mapping[str, str] | None = None,
) -> list[ChangedEpisode]:
    """Return the episodes of which a run holds a walk, finished or begun, of another content."""
    noted = _usable(store, run, digests or {})
    by_id = {episode.id: episode for episode in episodes}
    changed = []
    for key in store.begun(run, by_id):
        episode = by_id[key]
        if key in noted and noted[key] == episode_digest(episode):
            continue
        fields = _differences(store, run, episode)
        if fields:
            changed.append(ChangedEpisode(run, key, fields))
    return changed


def check_unchanged(changed: Sequence[ChangedEpisode], where: str, source: str | None) -> None:
    """Raise `SettingsError` where episodes are not those that a run has walked."""
    if not changed:
        return
    count = len({each.episode for each in changed})
    file = source or "the episode list"
    raise SettingsError(
        f"{where}: {plural(count, 'episode')} of {file} changed since this run walked "
        f"{'it' if count == 1 else 'them'}: {changes_sentence(changed)}; "
        "add --again changed to walk those again, or choose another name with --run."
    )


def set_changed_aside(store: TraceStore, changed: Iterable[ChangedEpisode]) -> None:
    """Move the traces of changed episodes aside, so that nothing paid for is lost."""
    for each in changed:
        _LOG.info(
            "%s of %s is walked again: %s changed", each.episode, each.run, ", ".join(each.fields)
        )
        store.set_aside(each.run, each.episode)


def made_ready(batch: Batch, store: TraceStore, again: Again) -> list[ChangedEpisode]:
    """Make all runs of a batch ready to be gone on with; the caller holds its lock.

    Raises `SettingsError` where something changed and `again` refuses that; nothing was touched
    then.
    """
    rounds = [round_name(batch.name, number) for number in range(1, batch.plan.rerun_failures + 1)]
    changed: list[ChangedEpisode] = []
    # all runs are looked at before the first trace is moved
    for run in [*batch.runs(), *rounds]:
        digests = noted_digests(batch.control("outcomes.jsonl", run))
        changed += changed_episodes(store, run, batch.episodes, digests)
    if again == "refuse":
        check_unchanged(changed, store.of_run(batch.name), batch.plan.episodes)
    set_changed_aside(store, changed)
    return changed


def changes_sentence(changed: Sequence[ChangedEpisode]) -> str:
    """Name the first episodes with what changed in them, and count the rest."""
    unique = {each.episode: each for each in changed}
    named = ", ".join(str(each) for each in list(unique.values())[:_NAMED])
    rest = len(unique) - _NAMED
    return f"{named} and {rest} more" if rest > 0 else named


def _usable(store: TraceStore, run: str, digests: Mapping[str, str]) -> dict[str, str]:
    """Return the digests that save a look into finished traces at an address."""
    if store.folder is not None or not digests:
        return {}
    finished = store.finished(run, digests)
    return {key: digest for key, digest in digests.items() if key in finished}


def _differences(store: TraceStore, run: str, episode: Episode) -> tuple[str, ...]:
    header = store.header(run, episode.id)
    if header is None:
        return (_UNREADABLE,) if store.finished(run, [episode.id]) else ()
    before, now = _content(header.episode), _content(episode)
    return tuple(name for name in _CONTENT if before.get(name) != now.get(name))


def _content(episode: Episode) -> dict[str, Any]:
    # without defaults, so that a field which a later version adds changes no digest
    content = episode.model_dump(mode="json", include=set(_CONTENT), exclude_defaults=True)
    return {name: _whole(value) for name, value in content.items()}


def _whole(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return JSON with whole numbers as integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return dict(_members(value))
    return value


def _members(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in value.items():
        yield name, _whole(member)


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

    Raises `SettingsError` when episodes changed since the run walked them, and `again` refuses
    that; `StoreError` when traces cannot be written (full disk), so that nothing more is begun; or
    when another process walks this run already.
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
    """Walk many episodes; the caller holds the run's lock."""
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
            unanswered=outcome.unanswered,
            blind=outcome.blind,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWalker:
    """Who walks sets of episodes, and how; each becomes a run of its own in `out`."""

    navigator: Navigator
    settings: Settings
    graph_of: GraphOf
    graphs: Path | None
    """Graph folder, which worker processes open for themselves; not needed for one worker."""
    out: Path
    """Folder of runs: what lies there of the same content is not walked again."""
    llm: LanguageModel | None = None
    workers: int = 1
    on_progress: OnProgress | None = None
    config: RunConfig | None = None
    """How all sets are walked, which the ``run.json`` of each notes; walks that are not kept need
    none.
    """

    def __call__(self, name: str, episodes: Sequence[Episode]) -> dict[str, Trace]:
        """Walk episodes as the run ``NAVIGATOR-NAME``, and return the traces by id."""
        run = run_of_set(self.navigator.name, name)
        self._note(run, episodes)
        run_batch(
            self.navigator,
            episodes,
            self.graph_of,
            self.settings,
            run=run,
            out=self.out,
            llm=self.llm,
            workers=self.workers,
            graphs=self.graphs,
            on_progress=self.on_progress,
            # the texts of an experiment change with its rules: walks of older texts are made again
            again="changed",
        )
        return {
            episode.id: read_trace(trace_path(self.out, run, episode.id)) for episode in episodes
        }

    def _note(self, run: str, episodes: Sequence[Episode]) -> None:
        """Write ``run.json``, without which the run would be opened on the bundled maps; raises
        `SettingsError` where its walks were made with other settings.
        """
        if self.config is None:
            return
        changed = changed_episodes(TraceStore.at(self.out), run, episodes)
        config = self.config.model_copy(update={"run": run})
        write_config(self.out / run, config, renewed=bool(changed))


def run_of_set(navigator: str, name: str) -> str:
    """Name the run that the walks of a set become."""
    return f"{navigator}-{name}"
