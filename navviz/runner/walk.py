"""One episode of a batch: gone on with or begun anew, scored, and told in a few figures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError
from navviz.llm.base import LanguageModel
from navviz.metrics.score import RunScore, mean_scores, score_trace
from navviz.records import Call, CallEvent, EndEvent, EndStatus, Episode, Event, PlanEvent, Trace
from navviz.records.trace_files import Folder, read_events
from navviz.records.walker import is_blind, is_cut_off
from navviz.runner.budget import Budget, is_down
from navviz.runner.episode import (
    WalkRequest,
    end_of,
    has_begun,
    header_of,
    is_finished,
    past_of,
    run_episode,
    set_aside,
)
from navviz.runner.store import Sheet, TraceStore
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph

GraphOf = Callable[[str], Graph]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one episode of a batch ended."""

    episode: str
    path: Path
    """The trace; its name alone where it lies at an address."""
    status: EndStatus
    reason: str | None = None
    cost_usd: float = 0.0
    """Cost of the calls with a known price."""
    tokens: int = 0
    skipped: bool = False
    """Finished in an earlier call."""
    scores: Mapping[str, float | None] | None = None
    """Its metrics; ``None`` where it ended in an error, or was finished earlier and not scored."""
    calls: int = 0
    unpriced: int = 0
    """Calls whose cost is not known."""
    seconds: float = 0.0
    lost: bool = False
    """Whether its trace could not be written."""
    unanswered: bool = False
    """Whether it ended since the service did not answer."""
    blind: bool = False
    """Whether nothing described the views to the agent."""
    server_down: bool = False
    """Whether it ended because nobody listens at the model's address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkJob:
    """What all episodes of a batch share."""

    navigator: Navigator
    settings: Settings
    run: str
    store: TraceStore
    llm: LanguageModel | None = None
    cancel: threading.Event | None = None
    budget: Budget | None = None
    slots: threading.Semaphore | None = None


@dataclass(slots=True)
class _Tally:
    """What the calls of one walk came to, and the walk itself."""

    folder: Folder = field(default_factory=Folder)
    cost_usd: float = 0.0
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0
    end: EndEvent | None = None

    def take(self, event: Event) -> tuple[Call, ...]:
        """Take one more event; return its model calls."""
        self.folder.add(event)
        calls: tuple[Call, ...] = ()
        if isinstance(event, CallEvent):
            calls = (event.call,)
        elif isinstance(event, PlanEvent):
            calls = event.calls
        self.cost_usd += sum(call.cost_usd or 0.0 for call in calls)
        self.tokens += sum(call.tokens or 0 for call in calls)
        self.calls += len(calls)
        self.unpriced += sum(call.cost_usd is None for call in calls)
        if isinstance(event, EndEvent):
            self.end = event
        return calls


def walk_one(job: WalkJob, episode: Episode, graph_of: GraphOf) -> Outcome:
    """Walk an episode anywhere: in this thread, a worker process, another machine."""
    begun_s = time.monotonic()
    with job.store.writing(job.run, episode.id) as sheet:
        try:
            graph = graph_of(episode.world)
        except InputError as error:
            return Outcome(episode.id, sheet.path, EndStatus.UNKNOWN, str(error))
        # a cluster gives out again what a worker had finished that died before its result was
        # fetched
        tally = (
            _read(sheet.path) if is_finished(sheet.path) else _walked(job, episode, graph, sheet)
        )
        end = tally.end or EndEvent(status=EndStatus.UNKNOWN, reason="The walk has no end.")
        errs = end.status == EndStatus.ERROR
        trace = tally.folder.trace if tally.folder.started else None
        return Outcome(
            episode.id,
            sheet.path if not job.store.spooled else Path(sheet.path.name),
            end.status,
            end.reason,
            tally.cost_usd,
            tally.tokens,
            scores=None if errs or trace is None else score_trace(trace, graph),
            unanswered=trace is not None and trace.unanswered is not None,
            blind=trace is not None and is_blind(trace.header),
            calls=tally.calls,
            unpriced=tally.unpriced,
            seconds=time.monotonic() - begun_s,
            lost=errs and end_of(sheet.path) is None,
            # told here, since a worker of a cluster has a model of its own
            server_down=errs and is_down(job.llm),
        )


def _read(path: Path) -> _Tally:
    tally = _Tally()
    for event in read_events(path):
        tally.take(event)
    return tally


def _walked(job: WalkJob, episode: Episode, graph: Graph, sheet: Sheet) -> _Tally:
    past = _past(job, sheet.path)
    request = WalkRequest(
        navigator=job.navigator,
        settings=job.settings,
        episode=episode,
        graph=graph,
        run=job.run,
        out=sheet.out,
        llm=job.llm,
        cancel=job.cancel,
        budget=job.budget,
        slots=job.slots,
        past=past,
        resume=past is not None,
    )
    tally = _Tally()
    for event in run_episode(request):
        if tally.take(event) and job.llm is not None:
            sheet.save()  # what was paid for outlives this machine
    return tally


def _past(job: WalkJob, path: Path) -> Trace | None:
    """Go on with what cost money, and with forks; start again where that costs nothing."""
    if not has_begun(path):
        path.unlink(missing_ok=True)
        return None
    header = header_of(path)
    forked = header is not None and header.forked_from is not None
    past = past_of(path) if forked or job.llm is not None else None
    if past is None and job.llm is not None:
        set_aside(path)
    elif past is None:
        path.unlink()
    return past


def score_of_outcomes(run: str, outcomes: Sequence[Outcome]) -> RunScore:
    """Return the scores that workers sent, for traces that do not lie on this machine."""
    rows = {outcome.episode: dict(outcome.scores or {}) for outcome in outcomes}
    unfinished: list[str] = []
    for outcome in outcomes:
        row = rows[outcome.episode]
        # as `finished_only` does where the traces themselves are read
        if is_cut_off(outcome.status) and row.get("steps"):
            unfinished.append(outcome.episode)
            rows[outcome.episode] = {**dict.fromkeys(row), "steps": row["steps"]}
    errors = tuple(outcome.episode for outcome in outcomes if outcome.status == EndStatus.ERROR)
    means, counts = mean_scores(rows, frozenset(errors))
    return RunScore(run, rows, means, counts, errors, unfinished=tuple(unfinished))
