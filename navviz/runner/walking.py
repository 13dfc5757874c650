"""Walk a batch in this process: first tries, samples, rounds over failures."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from navviz.errors import BudgetError, InputError, NavVizError, NotFoundError, SettingsError
from navviz.formats import Run, open_results
from navviz.llm.base import LanguageModel
from navviz.llm.registry import close_model
from navviz.metrics.score import RunScore, score_run, score_trace
from navviz.records import EndStatus, Episode
from navviz.records.trace_files import read_trace
from navviz.runner.batch import Again, ChangedEpisode, episode_digest, made_ready, walk_episodes
from navviz.runner.batches import Batch, CheckedPlan, RunLock, check_plan
from navviz.runner.budget import Budget, MeteredModel
from navviz.runner.config import RunConfig, read_record, write_config
from navviz.runner.engine import Crew, ModelSpec
from navviz.runner.episode import trace_path
from navviz.runner.fork import Round, rerun_failures, seeded
from navviz.runner.ledger import Lease, ledger
from navviz.runner.missing_worlds import MissingWorlds, check_described, missing_worlds
from navviz.runner.plan import (
    BatchState,
    RunTally,
    StateName,
    Tallies,
    TallyKind,
    estimate,
    note_outcome,
    noted_outcomes,
)
from navviz.runner.walk import GraphOf, Outcome, WalkJob, score_of_outcomes
from navviz.runs.graphs import graph_finder
from navviz.runs.owners import claim, ownership_of
from navviz.support.installation.serving import serving
from navviz.systems.base import Settings

__all__ = ["BatchResult", "check_plan", "pilot_of", "walk_batch"]


@contextmanager
def paid_model(
    batch: Batch, spec: ModelSpec | None, lease: Lease | None
) -> Iterator[LanguageModel | None]:
    """Make a batch's model, and close it after the block; `lease` pays for its calls and ends with
    the block.

    ``None`` where no model is asked, or workers of a cluster make it for themselves.
    """
    if spec is None or batch.plan.engine not in {None, "local"}:
        yield None
        return
    model = spec.make()
    try:
        if lease is None:
            yield model
            return
        with lease:
            yield MeteredModel(model, lease)
    finally:
        close_model(model)


def lease_of(batch: Batch) -> Lease | None:
    """Return what a visitor's batch borrows in this session; ``None`` for the operator's.

    A process that was started outside of a server knows no limit, and counts all the same. Raises
    `SettingsError` where the batch is to be walked on a cluster, whose workers cannot write to the
    ledger; `InputError` where the note of its owner is damaged.
    """
    note = ownership_of(batch.folder)
    if note is None or not note.payer:
        return None
    if batch.plan.engine not in {None, "local"}:
        raise SettingsError(
            f"{batch.name}: a visitor's batch is walked on this machine; start it without --engine."
        )
    rules = serving()
    account = ledger().account(note.payer, None if rules is None else rules.tokens)
    return account.borrow(batch.plan.borrow_tokens, batch.name)


def budget_refusal(*limits: Budget | Lease | None) -> str | None:
    """Return which of some limits is used up, as one sentence."""
    try:
        for limit in limits:
            if limit is not None:
                limit.check()
    except BudgetError as error:
        return str(error)
    return "The budget is used up; raise it to go on."


_NOTES_S = 0.5
"""How often the state is written, and a wish is looked for."""

OnOutcome = Callable[[RunTally, Outcome], None]


@dataclass(slots=True)
class BatchResult:
    """What came of walking a batch."""

    batch: Batch
    state: BatchState
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    """By run: the first tries, then samples and rounds."""
    scores: dict[str, RunScore] = field(default_factory=dict)
    """By run; those of a pilot or of a run that was halted hold what is there."""
    rounds: list[Round] = field(default_factory=list)
    changed: list[ChangedEpisode] = field(default_factory=list)
    """Episodes that were walked again because their content is another one."""
    missing: MissingWorlds = field(default_factory=lambda: MissingWorlds({}, 0))
    """Episodes that are not walked, since their graph is not there."""
    run: Run | None = None
    """The first tries as they lie on this machine; ``None`` where they lie at an address."""
    graph_of: GraphOf | None = None


def pilot_of(episodes: Sequence[Episode], count: int) -> list[Episode]:
    """Return a pilot: a seeded sample, as a file's first episodes may be unlike the rest."""
    if count >= len(episodes):
        return list(episodes)
    return random.Random(0).sample(list(episodes), count)  # noqa: S311 - a reproducible choice, no secret


def walk_batch(
    batch: Batch,
    *,
    pilot: int = 0,
    again: Again = "refuse",
    cancel: threading.Event | None = None,
    on_run: Callable[[RunTally], None] | None = None,
    on_outcome: OnOutcome | None = None,
    on_missing: Callable[[MissingWorlds], None] | None = None,
) -> BatchResult:
    """Walk a batch, or go on with it, in this process.

    Raises `InputError` when the graph of not one episode is there; `SettingsError` for a plan that
    cannot be walked, or episodes that changed since the run walked them; `StoreError` when another
    process walks it, or traces cannot be written; `NavVizError` when workers are lost.
    """
    checked = check_plan(batch)
    with RunLock(batch.folder):
        graphs = tuple(Path(path) for path in batch.plan.graphs)
        graph_of: GraphOf = graph_finder(
            graphs, {episode.id: episode for episode in batch.episodes}
        )
        missing = missing_worlds(graphs, batch.episodes, graph_of)
        if len(missing.ids) == len(batch.episodes):
            raise NotFoundError(missing.what, missing.do)
        if missing.episodes and on_missing is not None:
            on_missing(missing)
        walked = [each for each in batch.episodes if each.id not in missing.ids]
        check_described(checked.navigator, checked.settings, walked, graph_of)
        changed = made_ready(batch, checked.store, again)
        batch.save()
        walker = _BatchWalker(
            batch, checked, cancel or threading.Event(), graph_of, on_run, on_outcome
        )
        walker.result.changed, walker.result.missing = changed, missing
        return walker.walk(pilot if checked.model is not None else 0)


class _BatchWalker:
    """One session of walking a batch; holds its lock."""

    def __init__(
        self,
        batch: Batch,
        checked: CheckedPlan,
        cancel: threading.Event,
        graph_of: GraphOf,
        on_run: Callable[[RunTally], None] | None,
        on_outcome: OnOutcome | None,
    ) -> None:
        self.batch, self.checked, self.cancel = batch, checked, cancel
        self.pause = threading.Event()
        self.on_run, self.on_outcome = on_run, on_outcome
        plan = batch.plan
        self.graphs = tuple(Path(path) for path in plan.graphs)
        self.graph_of = graph_of
        limited = plan.budget_usd is not None or plan.budget_tokens is not None
        self.budget = Budget(plan.budget_usd, plan.budget_tokens) if limited else None
        earlier = read_record(batch.control("state.json"), BatchState) or BatchState()
        self.tallies = Tallies(earlier)
        self.digests = {episode.id: episode_digest(episode) for episode in batch.episodes}
        self.walked = 0
        self.begun_s = self.noted_s = time.time()
        self._begun_monotonic_s = time.monotonic()
        self.lease: Lease | None = None
        self.llm: LanguageModel | None = None
        self.over_budget = False
        self.server_fault: str | None = None
        """Why the model's server is given up."""
        begun = BatchState(estimate=earlier.estimate)
        self.result = BatchResult(batch, begun, graph_of=self.graph_of)

    def walk(self, pilot: int) -> BatchResult:
        """Walk everything that is to be walked, and write how it ended."""
        self.batch.control("wish").unlink(missing_ok=True)
        try:
            self.lease = lease_of(self.batch)
            with paid_model(self.batch, self.checked.model, self.lease) as llm, self._listening():
                self.llm = llm
                self._runs(llm, pilot)
        except BaseException as error:
            stopped = isinstance(error, KeyboardInterrupt)
            # the text of a foreign exception may hold a key
            fault = f"It failed: {type(error).__name__}."
            if isinstance(error, NavVizError):
                fault = str(error)
            self._note("stopped" if stopped else "failed", None if stopped else fault)
            raise
        state, reason = self._ending(pilot)
        if self.server_fault is not None:
            state, reason = "failed", self.server_fault
        self._note(state, reason)
        return self.result

    def _runs(self, llm: LanguageModel | None, pilot: int) -> None:
        batch = self.batch
        episodes = [
            episode for episode in batch.episodes if episode.id not in self.result.missing.ids
        ]
        first = pilot_of(episodes, pilot) if pilot else episodes
        for run in batch.runs():
            kind: TallyKind = "first" if run == batch.name else "sample"
            self.tallies.add(run, kind, len(episodes))
        self._run(batch.name, first, self.checked.settings, llm)
        if pilot:
            return
        for number, run in enumerate(batch.runs()[1:], start=2):
            if not self._halted():
                with self._further(run):
                    self._run(run, episodes, seeded(self.checked.settings, number), llm)
        if batch.plan.rerun_failures and not self._halted():
            self._rounds(episodes, llm)

    def _rounds(self, episodes: Sequence[Episode], llm: LanguageModel | None) -> None:
        by_id = {episode.id: episode for episode in episodes}

        def walk(run: str, ids: Sequence[str]) -> RunScore:
            self.tallies.add(run, "again", len(ids))
            with self._further(run):
                self._run(run, [by_id[key] for key in ids], self.checked.settings, llm)
            return self.result.scores[run]

        first = self.result.scores[self.batch.name]
        self.result.rounds = rerun_failures(first, walk, self.batch.plan.rerun_failures)

    def _further(self, run: str) -> RunLock:
        """Return the lock of a further run of the batch, whose owner is the batch's."""
        folder = self.batch.root / run
        claim(folder, ownership_of(self.batch.folder))
        return RunLock(folder)

    def _run(
        self, run: str, episodes: Sequence[Episode], settings: Settings, llm: LanguageModel | None
    ) -> None:
        """Walk the episodes of one run of the batch."""
        plan, checked = self.batch.plan, self.checked
        if self.on_run is not None:
            self.on_run(self.tallies.by_run[run].model_copy(update={"total": len(episodes)}))
        renewed = any(each.run == run for each in self.result.changed)
        # of a pilot and of what cannot be walked, the figures are over a part
        count = len(self.batch.episodes) if run in self.batch.runs() else len(episodes)
        config = self._config(run, settings, llm, count)
        write_config(self.batch.root / run, config, renewed=renewed)
        job = WalkJob(
            navigator=checked.navigator,
            settings=settings,
            run=run,
            store=checked.store,
            llm=llm,
            cancel=self.cancel,
            budget=self.budget,
        )
        if checked.cluster is not None and checked.model is not None:
            # a wrong name or option is told here, before a worker says it for each episode
            close_model(checked.model.make())
        crew = Crew(
            workers=plan.workers,
            cluster=checked.cluster,
            graphs=self.graphs,
            model=checked.model,
            budget=self.budget,
        )
        journal = self.batch.control("outcomes.jsonl", run)
        journal.parent.mkdir(parents=True, exist_ok=True)
        noted = noted_outcomes(journal, (episode.id for episode in episodes))
        self.tallies.begin(run, noted)
        self._note("running")
        self.result.outcomes[run] = walk_episodes(
            job,
            episodes,
            self.graph_of,
            crew,
            pause=self.pause,
            noted=noted,
            on_progress=lambda _done, _count, outcome: self._take(run, journal, outcome),
        )
        self.result.scores[run] = self._score(run)

    def _config(
        self, run: str, settings: Settings, llm: LanguageModel | None, episode_count: int
    ) -> RunConfig:
        spec, plan = self.checked.model, self.batch.plan
        named = llm.name if llm is not None else None
        if named is None and spec is not None:
            made = spec.make()
            named = made.name
            close_model(made)
        options = (
            self.checked.options.model_dump(mode="json", exclude_defaults=True)
            if spec is not None
            else {}
        )
        return RunConfig(
            run=run,
            navigator=self.checked.navigator.name,
            settings=settings.model_dump(mode="json"),
            model=named,
            model_options=options,
            graphs=plan.graphs,
            episodes=plan.episodes,
            edits=plan.edits,
            episode_count=episode_count,
            sample_of=self.batch.name if run in self.batch.runs()[1:] else None,
        )

    # --- as it goes

    def _take(self, run: str, journal: Path, outcome: Outcome) -> None:
        """Take one more outcome: into the journal, the tally and, now and then, the state."""
        if outcome.skipped and outcome.scores is None:
            outcome = self._scored_again(outcome)
        if not outcome.skipped or outcome.scores is not None:
            note_outcome(journal, outcome, self.digests.get(outcome.episode, ""))
        self.walked += not outcome.skipped
        self.over_budget |= outcome.status == EndStatus.BUDGET
        self.tallies.take(run, outcome)
        # the outcome says it: of a cluster's models this process has none to ask
        if outcome.server_down and self.server_fault is None:
            fault = (outcome.reason or "The model's server cannot be reached.").rstrip(".")
            self.server_fault = f"{fault}. What was walked is kept: start the server, then go on."
            self.cancel.set()
        if self.on_outcome is not None:
            self.on_outcome(self.tallies.by_run[run], outcome)
        if self._clock_s() - self.noted_s >= _NOTES_S:
            self._note("running")

    def _scored_again(self, outcome: Outcome) -> Outcome:
        """Score a walk that an earlier version finished, or a worker that was killed."""
        if not outcome.path.exists():
            return outcome
        try:
            trace = read_trace(outcome.path)
            calls = trace.calls
            return replace(
                outcome,
                scores=score_trace(trace, self.graph_of(trace.episode.world)),
                cost_usd=sum(call.cost_usd or 0.0 for call in calls),
                tokens=sum(call.tokens or 0 for call in calls),
                calls=len(calls),
                unpriced=sum(call.cost_usd is None for call in calls),
            )
        except InputError:
            return outcome

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Look for wishes of a page while the block lasts."""
        ended = threading.Event()

        def listen() -> None:
            while not ended.wait(_NOTES_S):
                wish = self.batch.wish()
                if wish == "stop":
                    self.cancel.set()
                elif wish == "pause":
                    self.pause.set()

        thread = threading.Thread(target=listen, daemon=True, name="navviz-batch")
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _clock_s(self) -> float:
        """Seconds since 1970 by a clock that nobody sets while this session walks."""
        return self.begun_s + time.monotonic() - self._begun_monotonic_s

    def _halted(self) -> bool:
        return self.cancel.is_set() or self.pause.is_set() or self.over_budget

    def _note(self, state: StateName, reason: str | None = None) -> None:
        self.noted_s = self._clock_s()
        self.result.state = BatchState(
            state=state,
            tallies=tuple(self.tallies.current(state)),
            reason=reason,
            estimate=self.result.state.estimate,
            begun_s=self.begun_s,
            updated_s=self.noted_s,
            walked=self.walked,
            left=self.tallies.left,
        )
        self.batch.note(self.result.state)

    def _ending(self, pilot: int) -> tuple[StateName, str | None]:
        """Return the state in which this session ends, and why."""
        if self.cancel.is_set():
            return "stopped", None
        if self.over_budget:
            return "budget", budget_refusal(self.budget, self.lease)
        if self.pause.is_set():
            return "paused", None
        outcomes = self.result.outcomes[self.batch.name]
        rest = self.tallies.left
        if pilot and rest:
            judged = [outcome for outcome in outcomes if outcome.status != EndStatus.ERROR]
            if not judged:
                return "failed", (
                    outcomes[0].reason if outcomes else "No episode of the pilot was walked."
                )
            made = estimate(judged, rest, self.batch.plan.workers)
            self.result.state = self.result.state.model_copy(update={"estimate": made})
            return "estimated", None
        return "done", self.result.missing.sentence if self.result.missing.episodes else None

    def _score(self, run: str) -> RunScore:
        """Return the scores of one run of the batch, as the command ``score`` gives them."""
        outcomes = self.result.outcomes[run]
        ids = {outcome.episode for outcome in outcomes}
        folder = self.checked.store.folder
        if folder is None or not any(trace_path(folder, run, key).exists() for key in ids):
            return score_of_outcomes(run, outcomes)
        # read as score reads it: the sums agree to the last bit
        opened = open_results(folder / run, self.graph_of)[0]
        opened = replace(
            opened, traces={key: trace for key, trace in opened.traces.items() if key in ids}
        )
        if run == self.batch.name:
            self.result.run = opened
        return score_run(opened, self.graph_of)
